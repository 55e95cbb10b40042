package report

import (
	"errors"
	"io"
	"strings"

	"github.com/assay-eval/assay"
)

// ScoreFormats lists the formats of the scores of cases that were made of traces, for the tool
// that has the traces. They write nothing else, and a run without such cases is an error. To add
// one, write its template in templates/scores.json.tmpl and its line here.
var ScoreFormats = []Format{
	{Name: "otlp", Ext: ".otlp.jsonl", Media: "application/x-ndjson",
		Doc: "evaluation events of OpenTelemetry, a request a line (POST /v1/logs)", Write: scores("otlp", "", "\n", "\n")},
	{Name: "langfuse", Ext: ".langfuse.jsonl", Media: "application/x-ndjson",
		Doc: "the scores, a line each, for Langfuse (POST /api/public/scores)", Write: scores("langfuse", "", "\n", "\n")},
	{Name: "phoenix", Ext: ".phoenix.json", Media: "application/json",
		Doc: "the scores for Phoenix (POST /v1/span_annotations)", Write: scores("phoenix", `{"data": [`+"\n", ",\n", "\n]}\n")},
}

// Names in the metadata of a case that was made of a trace: the ids of the trace, and of the
// span whose input is the question.
const (
	MetadataTrace = "trace"
	MetadataSpan  = "span"
)

// errUntraced means that no case of a report was made of a trace.
var errUntraced = errors.New("no case names its trace: expected a run over cases of assay import traces, or cases with trace and span " +
	"in their metadata")

// A tracedScore is a score of a case that was made of a trace, for a template.
type tracedScore struct {
	Run               assay.Header
	Case, Trace, Span string
	Metric            assay.MetricInfo
	Score             assay.Score
}

// Known reports whether there is a number: that of a measurement, or 0 for a failure of the
// target.
func (t tracedScore) Known() bool {
	return t.Score.State == assay.Scored || t.Score.State == assay.TargetError
}

// Annotator says what made the score: a model, or a formula.
func (t tracedScore) Annotator() string {
	if t.Metric.Judged && !t.Metric.Estimate {
		return "LLM"
	}
	return "CODE"
}

// scores returns a function that writes what a template makes of each score of a case that was made of a trace, between head and
// tail, with between from the second on.
func scores(name, head, between, tail string) func(io.Writer, *Report, Options) error {
	return func(w io.Writer, r *Report, _ Options) error {
		some, before := false, head
		for rec, err := range r.Records() {
			if err != nil {
				return err
			}
			t := tracedScore{Run: r.Header, Case: rec.Case.ID}
			t.Trace, _ = rec.Case.Metadata[MetadataTrace].(string)
			t.Span, _ = rec.Case.Metadata[MetadataSpan].(string)
			for _, t.Metric = range r.Header.Metrics {
				var ok bool
				if t.Score, ok = rec.Scores[t.Metric.Name]; !ok || t.Trace == "" {
					continue
				}
				some = true
				var b strings.Builder
				if err := templates().ExecuteTemplate(&b, name, t); err != nil {
					return err
				}
				if b.Len() == 0 {
					continue
				}
				if _, err := io.WriteString(w, before+b.String()); err != nil {
					return err
				}
				before = between
			}
		}
		if !some {
			return errUntraced
		}
		end := tail
		if before == head {
			end = head + tail
		}
		_, err := io.WriteString(w, end)
		return err
	}
}
