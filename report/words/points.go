package words

// PointsOf counts the points of a case, and those of them that are vital.
func (w Words) PointsOf(n, vital int) string { return w.Say("PointsOf", v{"n": n, "vital": vital}) }

// PointBy says who made a point: the person by, or else the model; "" for both is the file.
func (w Words) PointBy(by, model string) string { return w.Say("PointBy", v{"by": by, "model": model}) }

// PointRow names the nth point. PointUp, PointDown, PointDelete and PointMark are the names of what acts on it.
func (w Words) PointRow(n int) string    { return w.Say("PointRow", v{"n": n}) }
func (w Words) PointUp(n int) string     { return w.Say("PointUp", v{"n": n}) }
func (w Words) PointDown(n int) string   { return w.Say("PointDown", v{"n": n}) }
func (w Words) PointDelete(n int) string { return w.Say("PointDelete", v{"n": n}) }
func (w Words) PointMark(n int) string   { return w.Say("PointMark", v{"n": n}) }

// PointMoved and the two below it say what was done, which is not saved yet.
func (w Words) PointMoved(from, to int) string { return w.Say("PointMoved", v{"from": from, "to": to}) }
func (w Words) PointDeleted(n int) string      { return w.Say("PointDeleted", v{"n": n}) }
func (w Words) PointsMerged(n, into int) string {
	return w.Say("PointsMerged", v{"n": n, "into": into})
}

// PointsSaved says that the points are in a version of the dataset.
func (w Words) PointsSaved(version int) string { return w.Say("PointsSaved", v{"version": version}) }

// PointsConflict says that another person saved other points meanwhile: who, as which version, when.
func (w Words) PointsConflict(by string, version int, at string) string {
	return w.Say("PointsConflict", v{"by": by, "version": version, "at": at})
}

// PointsVersion says which version of the dataset is shown, and who last changed the points of the case, "" if nobody did.
func (w Words) PointsVersion(version int, by, at string) string {
	return w.Say("PointsVersion", v{"version": version, "by": by, "at": at})
}

// PointNames are the labels of the pages where people edit points.
type PointNames struct {
	// The list.
	Points, Intro, Case, Question, Find, NoCases, ByPeople string
	// The editor.
	How, Text, Importance, Vital, Okay, Passage, NoPassage, Answer, Passages, Up, Down, Delete, Mark, You string
	Save, Add, Merge, MergeHow, Added, MarkTwo, NoPoints, MayNot, Locked, Mistakes, Theirs, Unsaved       string
}
