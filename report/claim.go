package report

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// A claim is one of the answer that nothing bears out, or that something speaks
// against.
type claim struct {
	assay.Evidence
	// By names the metrics that found it: the passages may support what the
	// reference answer does not.
	By []string
}

// line shows a claim: "contradicted: Refunds take 14 days. (sentence 2, by
// faithfulness)".
func (c claim) line(most int) string {
	s := excerpt(line(c.Text), most)
	if c.Kind != "unsupported" {
		s = line(c.Kind) + ": " + s
	}
	where := "by " + strings.Join(c.By, ", ")
	if c.Where != "" {
		where = line(c.Where) + ", " + where
	}
	return s + " (" + where + ")"
}

func isClaim(e assay.Evidence) bool { return e.Kind == "unsupported" || e.Kind == "contradicted" }

// unsupported lists the claims of the answer that the judge found no support
// for, each once: several metrics look at the same claims.
func unsupported(metrics []assay.MetricInfo, r assay.Record) []claim {
	var out []claim
	for _, m := range metrics {
		if !ruled(m) {
			continue
		}
		for _, e := range r.Scores[m.Name].Evidence {
			if !isClaim(e) {
				continue
			}
			i := slices.IndexFunc(out, func(c claim) bool { return c.Evidence == e })
			if i < 0 {
				i = len(out)
				out = append(out, claim{Evidence: e})
			}
			if name := line(m.Name); !slices.Contains(out[i].By, name) {
				out[i].By = append(out[i].By, name)
			}
		}
	}
	return out
}

// observed gives the evidence of a score without the claims that [unsupported]
// lists.
func observed(m assay.MetricInfo, s assay.Score) []assay.Evidence {
	if !ruled(m) {
		return s.Evidence
	}
	return slices.DeleteFunc(slices.Clone(s.Evidence), isClaim)
}

// ruled reports whether rulings of a judge are behind the metric itself.
func ruled(m assay.MetricInfo) bool { return m.Judged && m.Name != assay.CompositeName }
