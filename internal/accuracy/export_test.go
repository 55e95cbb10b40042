package accuracy

// The readers of replies, for tests.
var (
	ReadMarks      = readMarks
	ReadRelevant   = readRelevant
	ReadComparison = func(reply string) (completeness, accuracy float64, comments string, err error) {
		c, err := readComparison(reply)
		return c.completeness, c.accuracy, c.comments, err
	}
)
