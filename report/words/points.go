package words

// points are the words of the pages where people edit the points of ideal answers.
type points interface {
	PointNames() PointNames
	// PointsOf counts the points of a case, and those of them that are vital.
	PointsOf(n, vital int) string
	// PointBy says who made a point: the person by, or else the model; "" for both is the file.
	PointBy(by, model string) string
	// PointRow names the nth point. PointUp, PointDown, PointDelete and PointMark are the names of what acts on it.
	PointRow(n int) string
	PointUp(n int) string
	PointDown(n int) string
	PointDelete(n int) string
	PointMark(n int) string
	// PointMoved, PointDeleted and PointsMerged say what was done, which is not saved yet.
	PointMoved(from, to int) string
	PointDeleted(n int) string
	PointsMerged(n, into int) string
	// PointsSaved says that the points are in a version of the dataset.
	PointsSaved(version int) string
	// PointsConflict says that another person saved other points meanwhile: who, as which version, when.
	PointsConflict(by string, version int, at string) string
	// PointsVersion says which version of the dataset is shown, and who last changed the points of the case, "" if nobody did.
	PointsVersion(version int, by, at string) string
}

// PointNames are the labels of the pages where people edit points.
type PointNames struct {
	// The list.
	Points, Intro, Case, Question, Find, NoCases, ByPeople string
	// The editor.
	How, Text, Importance, Vital, Okay, Passage, NoPassage, Answer, Passages, Up, Down, Delete, Mark, You string
	Save, Add, Merge, MergeHow, Added, MarkTwo, NoPoints, MayNot, Locked, Mistakes, Theirs, Unsaved       string
}
