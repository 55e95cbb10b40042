package words

// ShellNames are the labels of what every page of the web interface has.
type ShellNames struct {
	// The search. SearchHow says what it covers.
	Search, SearchHint, SearchHow, NothingFound, Reference string
	// Sharing a page.
	Share, CopyLink string
	// A page that takes long. Preparing is its title, and Calculating what it does once all is read.
	Preparing, Calculating, OpensWhenReady string
}
