package words

// PointNames are the labels of the pages where people edit points.
type PointNames struct {
	// The list.
	Points, Intro, Case, Question, Find, NoCases, ByPeople string
	// The editor.
	How, Text, Importance, Vital, Okay, Passage, NoPassage, Answer, Passages, You string
	Save, NoPoints, MayNot, Locked, Mistakes, Theirs, Unsaved                     string
}
