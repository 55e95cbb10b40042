package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// content builds the sections of one run's document.
type content struct {
	r *Report
	o Options
	w words.Words
}

// whole returns the record of row i of the cases.
func (c *content) whole(i int) assay.Record { return c.r.whole(i) }

func newContent(r *Report, o Options) *content { return &content{r.readable(), o, o.words()} }

// runSections lists the sections of the report of a run, in order. To add one, write
// its file and its line here.
var runSections = []func(*content) []document.Section{
	(*content).results, (*content).facts, (*content).gate, (*content).lost, (*content).draws, (*content).time, (*content).tags,
	(*content).critical, (*content).cases, (*content).warnings, (*content).reproduce,
}

// Document returns the report of the run as a document, which every readable format
// renders.
func (r *Report) Document(o Options) *document.Document {
	c := newContent(r, o)
	d := c.frame(c.w.Say("ReportTitle", words.V{"name": r.title()}))
	sections := runSections
	if o.Short {
		sections, d.Tight = shortSections, true
	}
	for _, section := range sections {
		d.Sections = append(d.Sections, section(c)...)
	}
	return d
}

// frame returns a document with a head and no sections.
func (c *content) frame(title string) *document.Document {
	h := c.r.Header
	status := c.w.Say("RunStatus", words.V{"id": line(h.ID), "state": line(h.State)})
	if !h.Finished.IsZero() {
		status += " " + c.w.Say("FinishedIn", words.V{"at": timestamp(h.Finished), "in": c.waited()})
	}
	d := &document.Document{
		Kicker: c.w.Names().ReportKicker, Title: title, Headline: document.Of(c.headline()...), Status: document.T(status),
		Facts: c.headFacts(), Cards: c.cards(), More: c.w.More, Language: c.w.Code, Colon: c.w.Names().Colon,
	}
	if c.o.Page != "" {
		d.Saved = c.w.Saved(c.o.Page)
	}
	return d
}

// headFacts returns the facts at the top of a text.
func (c *content) headFacts() []document.Fact {
	h, s := c.r.Header, c.r.Summary
	var out factList
	add := out.add
	n := c.w.Names().FactNames
	add(n.Date, timestamp(h.Started))
	run := document.Join(document.C(h.ID), document.T(", "+c.w.RunState(line(h.State))))
	out = append(out, document.Fact{Name: n.Run, Lines: []document.Text{run}})
	add(n.Dataset, h.Dataset.Name)
	add(n.Adapter, h.Target.Adapter)
	add(n.Endpoint, h.Target.Endpoint)
	add(n.Corpus, corpusLine(c.w, h.Corpus))
	asked := c.asked()
	asked.Critical = s.Critical
	add(n.Cases, c.w.CaseCount(asked))
	add(n.Outcome, c.outcome())
	if f := c.gateFact(n.Gate); f != nil {
		out = append(out, *f)
	}
	if !h.Finished.IsZero() {
		add(n.Duration, c.waited())
	}
	if b, ok := c.bill(); ok {
		add(n.EstimatedCost, c.w.Say("EstimatedCost", b))
		add(n.ActualCost, strings.Join(slices.DeleteFunc([]string{c.w.Say("ActualCost", b), c.w.Say("TargetUsage", words.V{"usage": c.tokens()})},
			func(s string) bool { return s == "" }), " · "))
	} else {
		add(n.Cost, c.usage())
	}
	if l := c.judgingLine(); l != "" {
		add(n.Judge, append([]string{l}, c.aboutJudge()...)...)
	}
	return out
}

// gateFact returns the result of the gate for the head, or nil without a gate.
func (c *content) gateFact(name string) *document.Fact {
	lines := c.gateLines()
	if lines == nil {
		return nil
	}
	f := &document.Fact{Name: name, Lines: lines}
	v := c.verdict(c.r.Gate.Verdict)
	if len(lines) == 1 {
		// The line begins with its verdict and a dot.
		v, f.Lines = lines[0][0], []document.Text{document.T(strings.TrimPrefix(lines[0][1].Text, " · "))}
	}
	f.Verdict = &v
	return f
}

// facts returns the named lines below the table at a glance.
func (c *content) facts() []document.Section {
	s := c.r.Summary
	n := c.w.Names().FactNames
	var items factList
	add := items.add
	if lines := c.gateLines(); lines != nil {
		items = append(items, document.Fact{Name: n.Gate, Lines: lines, Hang: true})
	}
	add(n.Outcome, c.byEstimate(c.w.Say("Outcome", words.V{"s": s, "draws": c.r.Header.Repeat > 1, "short": true}))) // the counts that it leaves out are facts below
	add(n.Draws, c.repeatLines()...)
	add(n.Latency, c.latencyLine())
	add(n.Cost, c.costLine())
	add(n.Judge, append([]string{c.judgingLine()}, c.aboutJudge()...)...)
	if s.Errors > 0 {
		add(n.Errors, c.w.Say("Errors", words.V{"n": s.Errors, "of": c.answers(c.r.Summary.Cases), "kinds": failureKinds(c.r.Cases)}))
	}
	if s.Failed > 0 {
		add(n.Below, c.w.Say("Below", words.V{"n": s.Failed, "of": c.answers(c.r.Summary.Cases)}))
	}
	if s.Critical > 0 {
		add(n.Critical, append([]string{c.criticalLine()}, c.openCritical(5)...)...)
	}
	return []document.Section{{ID: "facts", Views: document.Glance, Bare: document.Glance, Blocks: facts(items)}}
}

// A factList gathers facts.
type factList []document.Fact

// add adds a fact with the lines that have a text, if there are any.
func (l *factList) add(name string, lines ...string) {
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	if len(lines) > 0 {
		*l = append(*l, document.Fact{Name: name, Lines: document.Of(lines...)})
	}
}

// facts returns a block of facts, or nothing if there are none.
func facts(items []document.Fact) []document.Block {
	if items == nil {
		return nil
	}
	return []document.Block{document.Facts{Items: items}}
}

// warnings lists what a reader should know about the whole run.
func (c *content) warnings() []document.Section {
	return warnings(c.w, c.told())
}

func warnings(w words.Words, list []string) []document.Section {
	if len(list) == 0 {
		return nil
	}
	return []document.Section{{ID: "warnings", Title: w.Names().Warnings, Bare: document.Glance,
		Blocks: []document.Block{document.List{Items: document.Items(list...), Label: w.Names().Warning}}}}
}

// mostCritical bounds the critical cases that a text lists.
const mostCritical = 500

// critical lists the critical cases with their results. Of very many it lists those that
// failed before those of which nothing is known, and both before those that passed.
func (c *content) critical() []document.Section {
	critical := c.r.Critical()
	if critical.Of() == 0 {
		return nil
	}
	rows := slices.Concat(critical.Failed, critical.Unchecked, critical.Passed)
	more := len(rows) - mostCritical
	if more > 0 {
		rows = rows[:mostCritical]
	} else {
		slices.Sort(rows)
	}
	items := mapped(rows, func(i int) document.Item { return c.criticalItem(c.whole(i)) })
	if more > 0 {
		items = append(items, document.Item{Text: document.T(c.w.More(more))})
	}
	return []document.Section{{ID: "critical", Title: c.w.Say("CriticalTitle", words.V{"count": c.criticalLine()}), Views: document.Reading,
		Blocks: []document.Block{document.List{Items: items}}}}
}

// gateLines returns how the gate ended; each line has its verdict.
func (c *content) gateLines() []document.Text {
	if c.r.Gate == nil {
		return nil
	}
	var lines []document.Text
	say := func(v gate.Verdict, text string) {
		lines = append(lines, document.Text{c.verdict(v), {Text: " · " + text}})
	}
	for _, reason := range c.r.Gate.Refused {
		say(gate.Fail, c.w.BaselineRefused(line(reason.In(c.w))))
	}
	for _, x := range c.r.judged() {
		if x.Verdict != gate.Pass {
			say(x.Verdict, c.ruleLine(x))
		}
	}
	if lines == nil {
		say(c.r.Gate.Verdict, c.reached())
	}
	return lines
}

// headline returns the names of the dataset, the target and the corpus.
func (c *content) headline() []string {
	h := c.r.Header
	asked := c.asked()
	asked.Critical = c.r.Summary.Critical - c.r.Summary.CriticalUnasked
	parts := []string{line(h.Dataset.Name), c.w.Say("CasesAsked", asked), targetLine(h.Target)}
	if corpus := corpusLine(c.w, h.Corpus); corpus != "" && !c.o.Short {
		parts = append(parts, c.w.Say("CorpusOf", words.V{"corpus": corpus}))
	}
	return parts
}

func targetLine(t assay.TargetInfo) string {
	parts := []string{t.Adapter}
	if t.Endpoint != "" {
		parts = append(parts, t.Endpoint)
	}
	for _, k := range []string{"retriever", "asked"} {
		if v := t.Settings[k]; v != "" {
			parts = append(parts, v)
		}
	}
	return line(strings.Join(parts, " "))
}

func corpusLine(w words.Words, c *assay.CorpusInfo) string {
	if c == nil {
		return ""
	}
	return w.Say("Corpus", words.V{"path": line(c.Path), "documents": c.Documents, "passages": c.Passages})
}

// arrow returns the metric's name, with a mark if less is better.
func arrow(m assay.MetricInfo) string {
	if m.Better == "lower" {
		return approximate(m) + " ↓"
	}
	return approximate(m)
}

// approximate returns the metric's name, with "≈" if a formula estimates it.
func approximate(m assay.MetricInfo) string {
	if m.Estimate {
		return line(m.Name) + " ≈"
	}
	return line(m.Name)
}

func estimated(m summary.Metric) string { return mean(m.MetricInfo, m.Estimate) }

// latencyLine summarizes how long responses took. It returns "" if that is not known.
func (c *content) latencyLine() string {
	l := c.r.Summary.Latency
	if l.N == 0 {
		return ""
	}
	return c.w.Say("Latency", words.V{"Mean": duration(l.Mean), "P50": duration(l.P50), "P95": duration(l.P95), "P99": duration(l.P99),
		"N": l.N, "Slow": l.Slow, "Limit": slowThreshold(c.r.Header)})
}

// slowThreshold returns the run's setting, a duration or a number of seconds, as "5
// s". It returns "" if it is not known.
func slowThreshold(h assay.Header) string {
	set := h.Config["slow-threshold"]
	d, err := time.ParseDuration(set)
	if err != nil {
		seconds, err := strconv.ParseFloat(set, 64)
		if err != nil || !(seconds > 0 && seconds < 1e6) {
			return ""
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	switch {
	case d <= 0:
		return ""
	case d >= time.Second && d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s"
	}
	return duration(d)
}

// failureKinds counts the failures by kind, the most frequent first.
func failureKinds(t *columns.Table) string {
	count := map[string]int{}
	for _, r := range t.Records() {
		if r.Failure != nil {
			count[line(r.Failure.Kind)]++
		}
	}
	kinds := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", k, count[k])
	}
	return strings.Join(kinds, ", ")
}

// outcome counts the cases by status.
func (c *content) outcome() string {
	return c.byEstimate(c.w.Say("Outcome", words.V{"s": c.r.Summary, "draws": c.r.Header.Repeat > 1, "short": c.o.Short}))
}

// CasesAsked says how many cases were evaluated, and how often.
func (r *Report) CasesAsked(w words.Words) string {
	return w.Say("CasesAsked", (&content{r: r}).asked())
}

// asked returns the number of cases and how often each was asked.
func (c *content) asked() words.Asked {
	a := words.Asked{Cases: c.r.Header.Dataset.Cases, Draws: c.r.Header.Repeat, Done: c.r.Summary.Cases}
	if a.Draws <= 1 {
		a.Cases = max(a.Cases, a.Done)
	}
	return a
}

// answers returns so many of what the numbers of the run count: its cases, or their draws.
func (c *content) answers(n int) string {
	return c.w.Say("Answers", words.V{"n": n, "draws": c.r.Header.Repeat > 1})
}

// waited returns how long the user waited for a run that has ended.
func (r *Report) waited() time.Duration {
	h := r.Header
	if h.Took == nil {
		return h.Finished.Sub(h.Started)
	}
	return h.Took.Prepared + h.Took.Evaluated + r.Reported
}

// What is outside of the evaluation is told if it is a second and a tenth of the time; in a
// short report, whose first lines have no room for less, if it is ten seconds.
const (
	leastOutside      = time.Second
	leastOutsideShort = 10 * time.Second
	outsideShare      = 10
)

// waited says how long the user waited, with its parts if the evaluation does not
// account for nearly all of it.
func (c *content) waited() string {
	total, took := c.r.waited(), c.r.Header.Took
	least := leastOutside
	if c.o.Short {
		least = leastOutsideShort
	}
	if took == nil || total-took.Evaluated < max(least, total/outsideShare) {
		return duration(total)
	}
	part := func(d time.Duration) string {
		if d < time.Millisecond {
			return ""
		}
		return duration(d)
	}
	return c.w.Say("Waited",
		words.V{"total": duration(total), "prepared": part(took.Prepared), "evaluated": duration(took.Evaluated), "reported": part(c.r.Reported)})
}
