package words

import "time"

// shells are the words of what every page of the web interface has: the search, and the ways
// to share a page.
type shells interface {
	ShellNames() ShellNames
	// SearchedIn says in the cases of which runs was searched.
	SearchedIn(runs []string) string
	// DeleteView is the label of the control that deletes a saved view.
	DeleteView(name string) string
	// CasesRead says how many of those that a page needs are read.
	CasesRead(done, total int) string
	// TakenSoFar says how long a piece of work has taken.
	TakenSoFar(d time.Duration) string
}

// ShellNames are the labels of what every page of the web interface has.
type ShellNames struct {
	// The search. SearchHow says what it covers.
	Search, SearchHint, SearchHow, NothingFound, Reference string
	// Sharing a page. NeedsLabel says what a token must allow.
	Share, CopyLink, SaveFile, SavedFrom, SaveView, ViewName, SavedViews, SavedViewsHow, NoViews, NeedsLabel, Address, SavedBy, Delete string
	// A page that takes long. Preparing is its title, and Calculating what it does once all is read.
	Preparing, Calculating, OpensWhenReady string
}
