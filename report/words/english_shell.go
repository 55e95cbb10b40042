package words

import "strings"

func (English) ShellNames() ShellNames {
	return ShellNames{
		Search: "Search", SearchHint: "a run, a metric, a case or a page",
		SearchHow:    "Runs are found by name, id, dataset and target; metrics by name; cases by id and the words of their question; pages by title.",
		NothingFound: "Nothing is found.", Reference: "API reference",
	}
}

func (English) SearchedIn(runs []string) string {
	return "Cases were searched in the latest finished runs, one a dataset: " + strings.Join(runs, ", ") + "."
}
