package assay

import "strings"

// formerNames maps former names of metrics, without their cutoff and parameters, to
// their present ones. The definition is the same; a metric with another definition is
// another metric and has no entry.
var formerNames = map[string]string{"umbrela_mrr": "graded_mrr", "umbrela_precision": "graded_precision"}

// MetricName returns the present name of a metric that a stored run, report or baseline
// may have under a former one, with its cutoff and parameters. All other names are
// returned as they are.
func MetricName(stored string) string {
	end := strings.IndexAny(stored, "@(")
	if end < 0 {
		end = len(stored)
	}
	if now, ok := formerNames[stored[:end]]; ok {
		return now + stored[end:]
	}
	return stored
}

// Rename gives the metrics of a stored header their present names, see [MetricName], and marks
// the targets that were metered before headers said so.
func (h *Header) Rename() {
	h.Target.Metered = h.Target.Metered || h.Target.Adapter == "builtin" || h.Target.Recorded()
	for i := range h.Metrics {
		h.Metrics[i].Name = MetricName(h.Metrics[i].Name)
	}
}

// Recorded reports whether the answers were recorded, and asking for them costs nothing.
func (t TargetInfo) Recorded() bool { return t.Adapter == "recorded" }

// Rename gives the metrics of a stored record their present names, see [MetricName].
func (r *Record) Rename() {
	for name, s := range r.Scores {
		if now := MetricName(name); now != name {
			delete(r.Scores, name)
			r.Scores[now] = s
		}
	}
}
