package words

import "fmt"

func (English) SetNames() SetNames {
	return SetNames{
		Datasets: "Datasets", Where: "Where", UsedRuns: "Runs", LastRun: "Last run", NoDatasets: "There is no dataset yet.",
		NoDatasetsHow: "A run brings one, and a server has those of a folder:", Content: "Content",

		Contents: "Contents", Labels: "Labels", Critical: "Critical cases", Tags: "Tags",
		Unused: "No stored run used this content.", Doubts: "What runs cast doubt on", Unsolved: "Wrong everywhere",
		Flaky: "Flaky", Unruled: "The judge failed", Outcome: "Outcome", Question: "Question",
		HardOrWrong: "The label of such a case can be wrong, or the case is hard. Read the answers beside the label.",
		FlakyWhy: "A difference in such a case between two systems says little. " +
			"If the system changed behind its address, its runs count as repeats.",
		UnruledWhy: "Scores of such a case are missing: its text can be too long, or filtered by the provider.",
		NeverRepeated: "No case was right or wrong twice with the same target, settings, documents, judge and metrics: " +
			"another such run, or --repeat 3, shows which cases are flaky.",
		NoUnsolved: "At least one run gets each of these cases right.", NoFlaky: "Each of these cases came out the same each time.",
		NoUnruled: "There is no such case.", BackToAll: "All doubts",
		Findings: "What checks find in the file", FindingsHow: "Without embeddings and documents of elsewhere. This looks further:",
		NoFindings:   "Checks find nothing.",
		OtherContent: "The file of this name that the server has now is another content. Checks are of that one.",
		Wrong:        "wrong", Doubtful: "doubtful", NotReadable: "The file cannot be read.",
		FileElsewhere: "This server has no file of this name, only what runs stored. Where the file is, this checks it:",
	}
}

func (English) DatasetFrom(from string) string {
	switch from {
	case "upload":
		return "uploaded"
	case "folder":
		return "folder of the server"
	}
	return "in runs only"
}

func (English) SetsFound(n int) string {
	if n == 1 {
		return "1 dataset"
	}
	return fmt.Sprintf("%d datasets", n)
}

func (e English) ContentOf(cases, runs int) string {
	return fmt.Sprintf("%s · %s", e.Cases(cases), e.RunsFound(runs, runs))
}

func (English) SeveralContents(n int) string { return fmt.Sprintf("%d contents", n) }

func systemsOf(n int) string {
	if n == 1 {
		return "1 system"
	}
	return fmt.Sprintf("%d systems", n)
}

func (e English) DoubtsRest(read, all, systems int) string {
	if read < all {
		return fmt.Sprintf("From %d of %s, which asked %s: the latest run of each system, then the latest others. A system is a target with its "+
			"settings and documents.", read, e.finished(all), systemsOf(systems))
	}
	return fmt.Sprintf("From %s, which asked %s. A system is a target with its settings and documents.", e.finished(all), systemsOf(systems))
}

func (English) finished(n int) string {
	if n == 1 {
		return "1 finished run"
	}
	return fmt.Sprintf("%d finished runs", n)
}

func (English) DoubtsBy(rule string) string {
	return rule + " Here a run without a response to a case says nothing about it."
}

func (e English) AlwaysWrong(n, of int) string {
	if n == 1 {
		return fmt.Sprintf("1 of %s is wrong in every run that decides on it.", e.Cases(of))
	}
	return fmt.Sprintf("%d of %s are wrong in every run that decides on them.", n, e.Cases(of))
}

func (e English) DoubtsNeed(runs, systems int) string {
	return fmt.Sprintf("No case is right or wrong in at least %s of at least %s, from which a label is doubted.", e.RunsFound(runs, runs),
		systemsOf(systems))
}

func (e English) ComesOutDifferently(n, of int) string {
	return fmt.Sprintf("%d of %s came out right one time and wrong another, with the same target, settings, documents, judge and metrics.", n,
		e.Cases(of))
}

func (e English) JudgeDoubts(n, of, least int) string {
	return fmt.Sprintf("On %d of %s the judge failed to rule at least %d times, and at least half of the times that it was asked.", n,
		e.Cases(of), least)
}

func (e English) InRuns(runs, systems int) string {
	return fmt.Sprintf("wrong in %s of %s", e.RunsFound(runs, runs), systemsOf(systems))
}

func (English) TimesRight(right, wrong int) string {
	return fmt.Sprintf("%d × right, %d × wrong", right, wrong)
}

func (English) NotRuled(n, of int) string { return fmt.Sprintf("%d of %d times", n, of) }

func (English) AllOf(n int) string { return fmt.Sprintf("all %d", n) }

func (English) FindingsOf(wrong, doubtful int) string {
	return fmt.Sprintf("%d wrong, %d doubtful", wrong, doubtful)
}

func (English) CheckTitle(check string) string {
	return map[string]string{
		"duplicate": "Repeated questions, which count twice", "vacuous": "Cases that any answer passes, or that no metric measures",
		"missing-document": "Expected documents that the dataset lacks", "missing-passage": "Reference passages that stand in no document",
		"boilerplate": "Reference passages in more than 1 % of the documents", "label": "Labels that are probably wrong",
	}[check]
}

func (English) CheckFix(check string) string {
	return map[string]string{
		"duplicate": "Remove one, or merge them.", "vacuous": "Label them, or remove them.",
		"missing-document": "Correct the name, or add the document.", "missing-passage": "Copy them from the document verbatim.",
		"boilerplate": "Include more of the text.", "label": "Read the documents, and correct the label.",
	}[check]
}
