package words

import (
	"fmt"
	"strings"
	"time"
)

func (English) ShellNames() ShellNames {
	return ShellNames{
		Search: "Search", SearchHint: "a run, a metric, a case or a page",
		SearchHow:    "Runs are found by name, id, dataset and target; metrics by name; cases by id and the words of their question; pages by title.",
		NothingFound: "Nothing is found.", Reference: "API reference",

		Share: "Share", CopyLink: "Copy link", SaveFile: "Save as one file", SavedFrom: "Saved from", SaveView: "Save this view", ViewName: "Name of the view",
		SavedViews: "Saved views", SavedViewsHow: "A saved view is a name for the address of a page: with its filter, order and columns.",
		NoViews: "No view is saved yet.", NeedsLabel: "This needs a token with scope label.", Address: "Address", SavedBy: "Saved by",
		Delete: "Delete",

		Preparing: "This page is being prepared", Calculating: "Calculating", OpensWhenReady: "It opens by itself when it is ready.",
	}
}

func (English) SearchedIn(runs []string) string {
	return "Cases were searched in the latest finished runs, one a dataset: " + strings.Join(runs, ", ") + "."
}

func (English) DeleteView(name string) string { return "Delete " + name }

func (English) CasesRead(done, total int) string {
	return fmt.Sprintf("%d of %d cases are read", done, total)
}

func (English) TakenSoFar(d time.Duration) string {
	return fmt.Sprintf("%d s so far", int(d.Seconds()))
}
