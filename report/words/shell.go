package words

// DeleteView is the label of the control that deletes a saved view.
func (w Words) DeleteView(name string) string { return w.Say("DeleteView", v{"name": name}) }

// ShellNames are the labels of what every page of the web interface has.
type ShellNames struct {
	// The search. SearchHow says what it covers.
	Search, SearchHint, SearchHow, NothingFound, Reference string
	// Sharing a page. NeedsLabel says what a token must allow.
	Share, CopyLink, SaveView, ViewName, SavedViews, SavedViewsHow, NoViews, NeedsLabel, Address, SavedBy, Delete string
	// A page that takes long. Preparing is its title, and Calculating what it does once all is read.
	Preparing, Calculating, OpensWhenReady string
}
