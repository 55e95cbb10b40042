// Package report shows what a run found: on a terminal, as Markdown, as JSON
// that can be read back, as one HTML page that needs nothing else, and as CSV.
// Text that comes from datasets and systems is data: control characters never
// reach a terminal, markup never reaches a page, formulas never reach a
// spreadsheet.
package report

import (
	"io"
	"slices"
	"strconv"

	"golang.org/x/text/language"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Report is one run with what its records say together. Every format is made
// from it alone.
type Report struct {
	Header assay.Header
	// Summary aggregates Records. Its warnings are all that a reader should
	// know: those of the header, of the aggregation and of the responses.
	Summary summary.Summary
	// Stages are the times of the target's stages, in the order in which they first
	// ran; nil when no response has a trace.
	Stages []Stage
	// Records are in the order of the dataset.
	Records []assay.Record
	// Gate is the result of the run's thresholds and, after [Report.Judge], of
	// rules and a baseline too; nil when the run has none of them.
	Gate *gate.Outcome
}

// Judge evaluates the thresholds, rules and baseline of the policy.
func (r *Report) Judge(p gate.Policy) {
	r.Gate = nil
	if o, ok := p.Judge(gate.Run{Header: r.Header, Summary: r.Summary, Records: r.Records}); ok {
		r.Gate = &o
	}
}

// New makes the report of a run from its records, which may be in any order
// and are not changed. The confidence level is that of the header's config
// ("level"), else [stats.DefaultLevel].
func New(h assay.Header, records []assay.Record) *Report {
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b assay.Record) int { return a.Seq - b.Seq })
	r := &Report{Header: h, Summary: summary.Of(h.Metrics, records, level(h)), Stages: stages(records), Records: records}
	r.Summary.Warnings = slices.Concat(h.Warnings, r.Summary.Warnings, remarks(records))
	r.Judge(gate.Policy{})
	return r
}

// Level is the confidence level of the run's intervals.
func (r *Report) Level() float64 { return level(r.Header) }

func level(h assay.Header) float64 {
	if v, err := strconv.ParseFloat(h.Config["level"], 64); err == nil && v > 0 && v < 1 {
		return v
	}
	return stats.DefaultLevel
}

// Options choose what a format shows. The zero value is the default of each.
type Options struct {
	// Width is the number of columns of the terminal; 0 means 100.
	Width int
	// Colour allows colours on a terminal. They never carry a meaning alone.
	Colour bool
	// Cases bounds the cases that the readable formats show one by one; 0 is
	// each format's own bound, and a negative number shows none.
	Cases int
	// Page is where the HTML report lies, for the terminal, or the address of
	// one that readers of a comment can open; "" is nowhere.
	Page string
	// Strict lets a rule fail that too few cases leave open.
	Strict bool
	// Language is the code of the language of what is read; "" is English.
	Language string
	// Brief leaves of a comparison on a terminal the means, what they show and
	// the plot: what is the same whenever the runs are made again.
	Brief bool
}

func (o Options) words() words.Words {
	w, _ := words.In(o.Language)
	return w
}

// Accept gives the code of the language of reports that suits an
// Accept-Language header best, or otherwise when none does.
func Accept(header, otherwise string) string {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return otherwise
	}
	var have []language.Tag
	for _, code := range Languages() {
		have = append(have, language.Make(code))
	}
	if _, i, sure := language.NewMatcher(have).Match(tags...); sure >= language.High {
		return Languages()[i]
	}
	return otherwise
}

// Languages lists the codes of the languages that reports can be written in,
// the default first.
func Languages() []string {
	codes := make([]string, len(words.All))
	for i, w := range words.All {
		codes[i] = w.Language()
	}
	return codes
}

func (o Options) width() int {
	if o.Width <= 0 {
		return 100
	}
	return max(o.Width, 40)
}

func (o Options) cases(otherwise int) int {
	if o.Cases == 0 {
		return otherwise
	}
	return max(o.Cases, 0)
}

// WriteFile writes the report to path in a format. The file is whole or, on an
// error, as it was before.
func (r *Report) WriteFile(path string, f Format, o Options) error {
	return atomic.WriteFile(path, func(w io.Writer) error { return f.Write(w, r, o) })
}

// Name is what a reader calls the run: the name it was given, else its id.
func (r *Report) Name() string {
	if r.Header.Name != "" {
		return r.Header.Name
	}
	return r.Header.ID
}

// title heads the report of the run: its name, or else what it ran on.
func (r *Report) title() string {
	for _, s := range []string{r.Header.Name, r.Header.Dataset.Name} {
		if line(s) != "" {
			return line(s)
		}
	}
	return line(r.Header.ID)
}
