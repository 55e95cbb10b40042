package words

import "github.com/assay-eval/assay"

func (e English) Clusters(c assay.Clusters) string {
	n := plural(c.Clusters, "cluster", "clusters")
	if c.By == "none" {
		return "Intervals and tests take all " + e.Cases(c.Cases) + " as independent (--group-by none); " +
			"by the dataset's groups and shared expected documents they are " + n + "."
	}
	why := "share an expected document"
	switch {
	case c.By == "label":
		why = "have the same group"
	case c.Same && c.Labelled:
		why = "have the same group or expect the same documents"
	case c.Same:
		why = "expect the same documents"
	case c.Labelled:
		why = "have the same group or share an expected document"
	}
	return "The " + e.Cases(c.Cases) + " form " + n + " in intervals and tests: cases that " + why +
		" are not independent (--group-by none: all are)."
}
