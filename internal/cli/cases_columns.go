package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/scan"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/summary"
)

// A caseColumn is a column of a list of cases. Its value is a string, a number, a bool,
// a list of strings, or nil if it is not known.
type caseColumn struct {
	name string
	// prose is set for texts of any length.
	prose bool
	value func(r assay.Record) any
}

// recordColumn is the whole record. It stands alone.
const recordColumn = "record"

// textColumns returns the columns that every run has.
func textColumns(metrics []assay.MetricInfo) []caseColumn {
	known := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	answered := func(value func(*assay.Response) any) func(assay.Record) any {
		return func(r assay.Record) any {
			if r.Response == nil {
				return nil
			}
			return value(r.Response)
		}
	}
	return []caseColumn{
		{name: "id", value: func(r assay.Record) any { return r.Case.ID }},
		{name: "status", value: func(r assay.Record) any { return string(summary.Status(metrics, r)) }},
		{name: "correctness", value: func(r assay.Record) any { return known(string(r.Answer)) }},
		{name: "stage", value: func(r assay.Record) any {
			stage, _ := summary.PutDown(r)
			return known(stage)
		}},
		{name: "tags", value: func(r assay.Record) any { return append([]string{}, r.Case.Tags...) }},
		{name: "group", value: func(r assay.Record) any { return known(r.Case.Group) }},
		{name: "critical", value: func(r assay.Record) any { return r.Case.Critical }},
		{name: "question", prose: true, value: func(r assay.Record) any { return r.Case.Question }},
		{name: "answer", prose: true, value: answered(func(p *assay.Response) any { return p.Answer })},
		{name: "failure", prose: true, value: func(r assay.Record) any {
			if r.Failure == nil {
				return nil
			}
			return r.Failure.Kind + ": " + r.Failure.Message
		}},
		{name: "latency_ms", value: answered(func(p *assay.Response) any {
			if p.Latency == 0 {
				return nil
			}
			return float64(p.Latency.Microseconds()) / 1e3
		})},
		{name: "cost_usd", value: func(r assay.Record) any {
			if cost := r.Usage().Cost; cost != 0 {
				return float64(cost) / 1e6
			}
			return nil
		}},
	}
}

// caseColumnNames lists the columns beside those of metrics.
func caseColumnNames() []string {
	return append(namesOf(textColumns(nil), func(c caseColumn) string { return c.name }), recordColumn)
}

// metricColumn has the value of a metric, with which the case counts in the mean.
func metricColumn(m assay.MetricInfo) caseColumn {
	return caseColumn{name: m.Name, value: func(r assay.Record) any {
		if v, ok := query.Value(m, r.Scores[m.Name]); ok {
			return v
		}
		return nil
	}}
}

// allColumns lists the columns of a run, those that are not asked for last.
func allColumns(h assay.Header) []caseColumn {
	columns := fullColumns(h)
	for _, m := range h.Metrics {
		columns = append(columns,
			caseColumn{name: "state(" + m.Name + ")", value: func(r assay.Record) any { return r.Scores[m.Name].State.String() }},
			caseColumn{name: "reason(" + m.Name + ")", prose: true, value: func(r assay.Record) any {
				if reason := r.Scores[m.Name].Reason; reason != "" {
					return reason
				}
				return nil
			}})
	}
	return append(columns, caseColumn{name: recordColumn})
}

// fullColumns are the columns of csv and jsonl where none are chosen.
func fullColumns(h assay.Header) []caseColumn {
	columns := textColumns(h.Metrics)
	for _, m := range h.Metrics {
		columns = append(columns, metricColumn(m))
	}
	return columns
}

// parseColumns finds the columns of a list. It returns none for "".
func parseColumns(list string, h assay.Header) ([]caseColumn, error) {
	if list == "" {
		return nil, nil
	}
	all := allColumns(h)
	names := namesOf(all, func(c caseColumn) string { return c.name })
	var out []caseColumn
	for _, name := range scan.Items(list) {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i := slices.Index(names, name)
		if i < 0 {
			hint := "expected " + strings.Join(caseColumnNames(), ", ") + ", METRIC, state(METRIC) or reason(METRIC)"
			if near := text.Nearest(name, names); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return nil, fmt.Errorf("no column %q: %s", name, hint)
		}
		out = append(out, all[i])
	}
	return out, nil
}
