package words

import "time"

// SearchedIn says in the cases of which runs was searched.
func (w Words) SearchedIn(runs []string) string { return w.Say("SearchedIn", v{"runs": runs}) }

// DeleteView is the label of the control that deletes a saved view.
func (w Words) DeleteView(name string) string { return w.Say("DeleteView", v{"name": name}) }

// CasesRead says how many of those that a page needs are read.
func (w Words) CasesRead(done, total int) string {
	return w.Say("CasesRead", v{"done": done, "total": total})
}

// TakenSoFar says how long a piece of work has taken.
func (w Words) TakenSoFar(d time.Duration) string {
	return w.Say("TakenSoFar", v{"seconds": int(d.Seconds())})
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
