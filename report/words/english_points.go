package words

import (
	"fmt"
)

func (English) PointNames() PointNames {
	return PointNames{
		Points: "Points", Case: "Case", Question: "Question", Find: "Case or question", NoCases: "No case fits.",
		Intro: "A point is one statement that an answer should make. Metrics of completeness look for each; vital points weigh 1, others 0.5.",
		How: "Saving makes a new version of the dataset. Earlier versions and the runs over them stay as they were; scores against changed " +
			"points are not comparable with earlier ones.",
		ByPeople: "by people", Text: "What the answer should say", Importance: "Importance", Vital: "vital", Okay: "okay", Passage: "Passage",
		NoPassage: "none", Answer: "Ideal answer", Passages: "Passages that it was written from", Up: "Up", Down: "Down", Delete: "Delete",
		Mark: "Merge", You: "you, not saved yet", Save: "Save", Add: "Add a point", Merge: "Merge the marked points",
		MergeHow: "Merging joins the texts of the marked points into the first of them.", Added: "Write the new point. It is not saved yet.",
		MarkTwo: "Mark at least two points to merge them.", NoPoints: "The case has no points.",
		MayNot: "To change points, a token needs the scope run.", Locked: "These points cannot be changed here:", Mistakes: "Not saved:",
		Theirs: "The points as they are saved now", Unsaved: "There are changes that are not saved.",
	}
}

func (English) PointsOf(n, vital int) string {
	return fmt.Sprintf("%s, %d vital", pointCount(n), vital)
}

func pointCount(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}

func (English) PointBy(by, model string) string {
	switch {
	case by != "":
		return "by " + by
	case model != "":
		return "by the model " + model
	}
	return "as in the file"
}

func (English) PointRow(n int) string { return fmt.Sprintf("Point %d", n) }

func (English) PointUp(n int) string { return fmt.Sprintf("Move point %d up", n) }

func (English) PointDown(n int) string { return fmt.Sprintf("Move point %d down", n) }

func (English) PointDelete(n int) string { return fmt.Sprintf("Delete point %d", n) }

func (English) PointMark(n int) string { return fmt.Sprintf("Mark point %d to merge", n) }

func (English) PointMoved(from, to int) string {
	return fmt.Sprintf("Point %d is point %d now. It is not saved yet.", from, to)
}

func (English) PointDeleted(n int) string {
	return fmt.Sprintf("Point %d is deleted. It is not saved yet.", n)
}

func (English) PointsMerged(n, into int) string {
	return fmt.Sprintf("%d points are merged into point %d. It is not saved yet.", n, into)
}

func (English) PointsSaved(version int) string {
	return fmt.Sprintf("Saved: version %d of the dataset.", version)
}

func (English) PointsConflict(by string, version int, at string) string {
	const both = " Both are below. Take over what you want to keep; saving replaces theirs by yours."
	if by == "" {
		return "Your points are not saved: they were changed meanwhile." + both
	}
	return fmt.Sprintf("Your points are not saved: %s changed them meanwhile (version %d, %s).", by, version, at) + both
}

func (English) PointsVersion(version int, by, at string) string {
	s := fmt.Sprintf("Version %d of the dataset.", version)
	if by != "" {
		s += fmt.Sprintf(" The points were last changed by %s, %s.", by, at)
	}
	return s
}
