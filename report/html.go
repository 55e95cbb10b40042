package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

//go:embed assets
var assets embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"visible": visible, "line": line, "percent": percent, "intervals": intervals, "ends": ends, "number": number, "signed": signed, "interval": interval,
	"mean": mean, "duration": duration, "timestamp": timestamp, "slow": slowLine, "plural": plural, "p": summary.P, "chance": chanceOf, "chances": chancesOf,
}).ParseFS(assets, "assets/*.tmpl"))

var htmlFormat = Format{
	Name: "html", Ext: ".html", Media: "text/html; charset=utf-8",
	Doc:   "one self-contained page with plots, search and every case",
	Write: HTML, Compare: CompareHTML,
}

// HTML writes the report as one page that needs nothing else: styles, scripts,
// plots and data are inside, and a policy in its head forbids every request.
// All that is known of each case can be searched and opened; very long texts
// are cut, so that the page of a large run stays one that a browser can open.
func HTML(w io.Writer, r *Report, _ Options) error {
	p := newPage(r.title(), "report.js")
	p.Report = r
	p.Headline = headline(r)
	p.Cards = cards(r)
	p.Gate = newGatePanel(r)
	p.Thresholds = thresholds(r.Summary.Metrics)
	p.Metrics = metricRows(r)
	p.Level = level(r.Header)
	if m := r.Summary.Metrics; len(m) > 0 {
		p.Level = m[0].Level
	}
	if l := latencies(r.Records); r.Summary.Latency.N > 0 {
		p.Latency = latencyPlot(l, r.Header, r.Summary.Latency)
	}
	p.Lost = newLostView(r.Summary.Waterfall)
	p.Repeats = repeatRows(r.Summary)
	p.Stages = stageRows(r.Stages)
	p.Tags, p.TagHead = tagRows(r)
	p.Provenance = provenance(r)
	p.Config = config(r)
	if err := p.embed(newPageData(r)); err != nil {
		return err
	}
	return templates.ExecuteTemplate(w, "report.html.tmpl", p)
}

// A page is what the templates see.
type page struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Data   template.JS

	Report     *Report
	Headline   []string
	Cards      []card
	Gate       *gatePanel
	Thresholds bool
	Level      float64
	Metrics    []metricRow
	Latency    template.HTML
	Lost       *lostView
	Repeats    *repeatTable
	Stages     []stageRow
	TagHead    []string
	Tags       []tagRow
	Provenance []fact
	Config     []fact

	Compare *compareView
}

// A gatePanel says what a gate came to, rule by rule: as sentences, and in a
// table where there are more rules than thresholds.
type gatePanel struct {
	Word, Class string
	Rules       []gateRule
	Table       []gateRow
	// Columns are those of the numbers, and Heads their headings.
	Columns, Heads []string
	Notes          []string
}

type gateRule struct{ Word, Class, Text string }

func newGatePanel(r *Report) *gatePanel {
	if r.Gate == nil {
		return nil
	}
	p := &gatePanel{Word: verdictWord(r.Gate.Verdict), Class: verdictClass(r.Gate.Verdict), Notes: r.gateNotes()}
	for _, reason := range r.Gate.Refused {
		p.Rules = append(p.Rules, gateRule{verdictWord(gate.Fail), verdictClass(gate.Fail), "baseline refused: " + line(reason)})
	}
	plain := r.plainGate()
	for _, x := range r.judged() {
		if plain || x.Verdict != gate.Pass {
			p.Rules = append(p.Rules, gateRule{verdictWord(x.Verdict), verdictClass(x.Verdict), r.ruleLine(x)})
		}
	}
	if !plain {
		p.Table = r.gateRows()
		p.Columns = usedColumns(p.Table)
		p.Heads = r.gateHeads(p.Columns)
	}
	return p
}

// verdictClass names the style of a verdict.
func verdictClass(v gate.Verdict) string {
	switch v {
	case gate.Pass:
		return "pass"
	case gate.Fail:
		return "fail"
	}
	return "unsure"
}

// A card is one fact at the top of the page.
type card struct{ Name, Value, Note, Class string }

func (f fact) Name() string  { return f.name }
func (f fact) Value() string { return visible(f.value) }

// newPage makes a page with the styles and scripts that every page has and a
// script of its own, and allows exactly these to run.
func newPage(title, script string) *page {
	style := asset("style.css")
	code := "(() => {\n\"use strict\";\n" + asset("dom.js") + asset("table.js") + asset("detail.js") + asset(script) + "})();\n"
	return &page{
		Title: line(title), Style: template.CSS(style), Script: template.JS(code),
		Policy: fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", digest(code), digest(style)),
	}
}

func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil { // the file is inside the program
		panic(err)
	}
	return string(b)
}

// digest is a content security policy's name for an inline text.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// embed puts data into the page. The encoder escapes what could end a script.
func (p *page) embed(data any) error {
	b, err := json.Marshal(data)
	p.Data = template.JS(b)
	return err
}

func cards(r *Report) []card {
	s := r.Summary
	out := []card{{Name: "cases", Value: fmt.Sprint(s.Cases), Note: outcome(s)}}
	if n := r.Header.Repeat; n > 1 {
		out[0].Name = fmt.Sprintf("answers: %d draws of %d cases", n, r.Header.Dataset.Cases)
	}
	if s.Critical > 0 {
		c := card{Name: "critical", Value: fmt.Sprintf("%d / %d", s.Critical-s.CriticalFailed, s.Critical), Note: "passed"}
		if s.CriticalFailed > 0 {
			c.Class, c.Note = "bad", plural(s.CriticalFailed, "critical case did not pass", "critical cases did not pass")
		}
		out = append(out, c)
	}
	if s.Errors > 0 {
		out = append(out, card{Name: "errors", Value: fmt.Sprint(s.Errors), Note: failureKinds(r.Records), Class: "bad"})
	}
	if c, ok := lostCard(s.Waterfall); ok {
		out = append(out, c)
	}
	if s.Latency.N > 0 {
		note := "p95 " + duration(s.Latency.P95)
		if s.Latency.Slow > 0 {
			note += fmt.Sprintf(", %d slow", s.Latency.Slow)
		}
		out = append(out, card{Name: "latency, median", Value: duration(s.Latency.P50), Note: note})
	}
	if c, ok := costCard(r); ok {
		out = append(out, c)
	}
	if d := s.Judging; d.Calls > 0 {
		out = append(out, card{Name: "judge calls a case", Value: fmt.Sprintf("%.1f", float64(d.Calls)/float64(s.Judged)), Note: judgeName(r.Header.Judge)})
	}
	if h := r.Header; !h.Finished.IsZero() {
		out = append(out, card{Name: "duration", Value: duration(h.Finished.Sub(h.Started)), Note: line(h.State)})
	}
	return out
}

// costCard says what the run cost; ok is false when nobody knows.
func costCard(r *Report) (c card, ok bool) {
	b := billOf(r.Header, r.Summary)
	if !b.told() {
		u := r.Summary.Usage
		return card{Name: "cost", Value: assay.Dollars(u.Cost), Note: tokensLine(u)}, u.Cost > 0
	}
	c = card{Name: "cost", Value: "–"}
	var notes []string
	if _, of, ok := strings.Cut(b.actual(), " ("); ok {
		c.Value = assay.Dollars(b.total())
		notes = append(notes, strings.TrimSuffix(of, ")"))
	}
	switch {
	case b.Estimated > 0:
		notes = append(notes, "judging was estimated at "+assay.Dollars(b.Estimated))
	case b.Calls > 0:
		notes = append(notes, "estimated: "+b.estimated())
	}
	c.Note = strings.Join(notes, "; ")
	return c, true
}

// A metricRow is one metric in the table of results.
type metricRow struct {
	summary.Metric
	Plot     template.HTML
	Remarks  []string
	Unscored int
	None     int
	// Whole is set for the composite; Weight is a part's share of it.
	Whole  bool
	Weight string
	// Wants is the threshold, Verdict what came of it, Class its style.
	Wants, Verdict, Class string
	Reasons               []reason
}

type reason struct {
	Text string
	N    int
}

func metricRows(r *Report) []metricRow {
	var out []metricRow
	for _, m := range estimates(r.Summary.Metrics) {
		row := metricRow{
			Metric: m, Plot: metricPlot(m, r.Records), Remarks: alone(r.remarksOn(m)), Unscored: unscored(m), None: m.NotApplicable + m.Abstained,
			Whole: m.Name == assay.CompositeName, Weight: weight(m.MetricInfo), Wants: wants(m.MetricInfo),
		}
		if v := r.ruling(m); v != nil {
			row.Verdict, row.Class = verdictWord(v.Verdict), verdictClass(v.Verdict)
		}
		for _, text := range slices.SortedFunc(maps.Keys(m.Reasons), func(a, b string) int {
			if m.Reasons[a] != m.Reasons[b] {
				return m.Reasons[b] - m.Reasons[a]
			}
			return strings.Compare(a, b)
		}) {
			row.Reasons = append(row.Reasons, reason{excerpt(line(text), 200), m.Reasons[text]})
		}
		out = append(out, row)
	}
	return out
}

// Unknown gives the bounds where some scores could not be given, or not in full,
// so that they say more than the interval; else "".
func (m metricRow) Unknown() string {
	if !open(m.MetricInfo, m.Estimate) {
		return ""
	}
	return interval(m.MetricInfo, m.Bounds)
}

type stageRow struct {
	Stage
	Bar template.HTML
}

func stageRows(stages []Stage) []stageRow {
	var longest float64
	for _, s := range stages {
		longest = max(longest, float64(s.P95))
	}
	var out []stageRow
	for _, s := range stages {
		out = append(out, stageRow{s, stageBar(s, longest)})
	}
	return out
}

// A tagRow is the results of one tag; Heat, from 0 to 9, is how good a cell is.
type tagRow struct {
	Tag   string
	Cases int
	Cells []tagCell
}

type tagCell struct {
	Value, Ends string
	N, Heat     int
}

func tagRows(r *Report) (rows []tagRow, head []string) {
	for _, m := range estimates(r.Summary.Metrics) {
		head = append(head, line(m.Name))
	}
	for _, t := range r.Summary.Tags {
		row := tagRow{Tag: line(t.Tag), Cases: t.Cases}
		for _, m := range estimates(t.Metrics) {
			c := tagCell{Value: estimated(m), Ends: ends(m.MetricInfo, m.Estimate), N: m.N, Heat: -1}
			if m.N > 0 {
				c.Heat = min(int(way(m.MetricInfo, m.Mean)*10), 9)
			}
			row.Cells = append(row.Cells, c)
		}
		rows = append(rows, row)
	}
	return rows, head
}

func config(r *Report) []fact {
	var out []fact
	for _, k := range slices.Sorted(maps.Keys(r.Header.Config)) {
		out = append(out, fact{line(k), r.Header.Config[k]})
	}
	return out
}
