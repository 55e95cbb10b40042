// Package report shows the results of a run: on a terminal, as Markdown, as JSON that
// can be read back, as one self-contained HTML page, and as CSV. Text from datasets
// and systems is treated as data: control characters never reach a terminal, markup
// never reaches a page, and formulas never reach a spreadsheet.
package report

import (
	"io"
	"slices"
	"strconv"
	"time"

	"golang.org/x/text/language"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Report is one run with the summary of its records. Every format is written from it
// alone.
type Report struct {
	Header assay.Header
	// Summary aggregates Records. Its warnings are all that apply to the run: those of
	// the header, of the aggregation and of the responses.
	Summary summary.Summary
	// Stages are the times of the target's stages, in the order in which they first
	// ran; nil if no response has a trace.
	Stages []Stage
	// Cases has the columns of the records, in the order of the dataset, and Source the
	// records.
	Cases  *columns.Table
	Source Source
	// Reported is how long the user has waited since the run ended, for the summary and
	// the other reports; 0 if nobody waits.
	Reported time.Duration
	// Gate is the result of the run's thresholds and, after [Report.Judge], of rules
	// and a baseline too. It is nil if the run has none of them.
	Gate *gate.Outcome
	// unnamed is why the names of documents mean nothing; "" if they do. allCritical is
	// set if the policy makes every case critical.
	unnamed string
	// unknown are the reasons for which scores are not known, because other responses have the part.
	unknown []string
	// remarks are those on the responses, as warnings of the summary.
	remarks     []string
	allCritical bool
	// checks says of each case whether it is right; nil if only Gate does.
	checks func(assay.Record) summary.Check
	// fault is the first error of reading a record for a document.
	fault *error
}

// Judge evaluates the thresholds, rules and baseline of the policy.
func (r *Report) Judge(p gate.Policy) {
	if p.AllCritical && !r.allCritical {
		r.Cases, r.allCritical = r.Cases.AllCritical(), true
	}
	o, ok := p.Judge(r.Run())
	if r.Decided(&o); !ok {
		r.Gate = nil
	}
}

// Decided gives the report the outcome of its gate.
func (r *Report) Decided(o *gate.Outcome) {
	r.Gate, r.checks = o, o.Checks()
	if r.Cases.Len() > 0 {
		r.Summary.Recount(r.Cases, r.Check, r.Critical())
	}
}

// Run returns the run as the input of a gate.
func (r *Report) Run() gate.Run {
	return gate.Run{Header: r.Header, Summary: r.Summary, Cases: r.Cases}
}

// New returns the report of a run whose records are in memory. They may be in any order and
// are not changed. Otherwise it is [Of].
func New(h assay.Header, records []assay.Record) *Report {
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b assay.Record) int { return a.Seq - b.Seq })
	r, err := Of(h, Loaded(records))
	if err != nil {
		panic(err) // reading from memory does not fail
	}
	return r
}

// Level returns the confidence level of the run's intervals.
func (r *Report) Level() float64 { return LevelOf(r.Header) }

// LevelOf returns the confidence level of the intervals of a run: that of its settings.
func LevelOf(h assay.Header) float64 {
	if v, err := strconv.ParseFloat(h.Config["level"], 64); err == nil && v > 0 && v < 1 {
		return v
	}
	return stats.DefaultLevel
}

// Strict reports whether the settings of the run make its gate fail by a rule that has too few
// cases to be decided.
func (r *Report) Strict() bool { return r.Header.Config["gate.inconclusive"] == "fail" }

// Options choose what a format shows. The zero value means the defaults.
type Options struct {
	// Width is the number of columns of the terminal; 0 means 100.
	Width int
	// Colour allows colours on a terminal. Colour is never the only sign of a meaning.
	Colour bool
	// Cases is the most cases that the readable formats show one by one. 0 means the
	// format's default, and a negative number shows none.
	Cases int
	// Page is the path of the HTML report for the terminal, or the address of a page
	// that readers of a comment can open. It may be "".
	Page string
	// Strict makes a rule fail if there are too few cases to decide it.
	Strict bool
	// Language is the code of the language of readable text; "" is English.
	Language string
	// Short limits a run on a terminal to how it ended, seven metrics and five cases, and
	// a comparison to the means of seven metrics, the findings and the plot, which are the
	// same whenever the runs are repeated.
	Short bool
}

func (o Options) words() words.Words {
	w, _ := words.In(o.Language)
	return w
}

// Accept returns the code of the report language that fits an Accept-Language header
// best, or otherwise if none does.
func Accept(header, otherwise string) string {
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return otherwise
	}
	if _, i, sure := language.NewMatcher(mapped(Languages(), language.Make)).Match(tags...); sure >= language.High {
		return Languages()[i]
	}
	return otherwise
}

// Languages returns the codes of the languages in which reports can be written, the
// default first.
func Languages() []string {
	return mapped(words.All, func(w words.Words) string { return w.Code })
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

// WriteFile writes the report to path in a format. On an error, an existing file is
// unchanged.
func (r *Report) WriteFile(path string, f Format, o Options) error {
	return atomic.WriteFile(path, func(w io.Writer) error { return f.Write(w, r, o) })
}

// Name returns the name of the run or, if it has none, its id.
func (r *Report) Name() string {
	if r.Header.Name != "" {
		return r.Header.Name
	}
	return r.Header.ID
}

// title returns the title of the report: the run's name, else what it ran on.
func (r *Report) title() string {
	for _, s := range []string{r.Header.Name, r.Header.Dataset.Name} {
		if line(s) != "" {
			return line(s)
		}
	}
	return line(r.Header.ID)
}
