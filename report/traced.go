package report

import (
	"errors"
	"io"
	"iter"

	"github.com/assay-eval/assay"
)

// ScoreFormats lists the formats of the scores of cases that were made of traces, for the tool
// that has the traces. They write nothing else, and a run without such cases is an error.
var ScoreFormats = []Format{otlpFormat, langfuseFormat, phoenixFormat}

// Names in the metadata of a case that was made of a trace: the ids of the trace, and of the
// span whose input is the question.
const (
	MetadataTrace = "trace"
	MetadataSpan  = "span"
)

// errUntraced means that no case of a report was made of a trace.
var errUntraced = errors.New("no case names its trace: expected a run over cases of assay import traces, or cases with trace and span " +
	"in their metadata")

// A tracedScore is a score of a case that was made of a trace.
type tracedScore struct {
	record      assay.Record
	trace, span string
	metric      assay.MetricInfo
	score       assay.Score
}

// value reports whether there is a number: that of a measurement, or 0 for a failure of the
// target.
func (t tracedScore) value() (float64, bool) {
	return t.score.Value, t.score.State == assay.Scored || t.score.State == assay.TargetError
}

// annotator says what made the score: a model, or a formula.
func (t tracedScore) annotator() string {
	if t.metric.Judged && !t.metric.Estimate {
		return "LLM"
	}
	return "CODE"
}

// tracedScores yields the scores of all cases that were made of traces. If there are none, it
// yields errUntraced.
func tracedScores(r *Report) iter.Seq2[tracedScore, error] {
	return func(yield func(tracedScore, error) bool) {
		some := false
		for rec, err := range r.Records() {
			if err != nil {
				yield(tracedScore{}, err)
				return
			}
			t := tracedScore{record: rec}
			t.trace, _ = rec.Case.Metadata[MetadataTrace].(string)
			t.span, _ = rec.Case.Metadata[MetadataSpan].(string)
			if t.trace == "" {
				continue
			}
			for _, t.metric = range r.Header.Metrics {
				var ok bool
				if t.score, ok = rec.Scores[t.metric.Name]; !ok {
					continue
				}
				some = true
				if !yield(t, nil) {
					return
				}
			}
		}
		if !some {
			yield(tracedScore{}, errUntraced)
		}
	}
}

// writeScores writes what line makes of each score that it accepts, between head and tail,
// with between from the second on.
func writeScores(w io.Writer, r *Report, head, between, tail string, line func(tracedScore) ([]byte, error)) error {
	before := head
	for t, err := range tracedScores(r) {
		if err != nil {
			return err
		}
		b, err := line(t)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		before = between
	}
	if before == head {
		tail = head + tail
	}
	_, err := io.WriteString(w, tail)
	return err
}
