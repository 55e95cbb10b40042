package report

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// The page holds every case, so that the size of its texts must be bounded: a
// budget in bytes is shared out among them, within these limits a text.
const (
	pageBudget   = 24 << 20
	shortestText = 160
	longestText  = 8000
	// pagePassages bounds the passages of a case that carry their text; the
	// ranks after it have their names only.
	pagePassages = 20
	pageEvidence = 20
)

// pageData is what the scripts of the page read. Texts that recur, such as
// passages that many cases retrieved, are in it once and referred to by number.
type pageData struct {
	Metrics []pageMetric `json:"metrics"`
	Texts   []string     `json:"texts"`
	Cases   []pageCase   `json:"cases"`
}

type pageMetric struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"`
	Better string  `json:"better"`
	Digits int     `json:"digits"`
	Weight string  `json:"weight,omitempty"`
	Wants  string  `json:"wants,omitempty"` // the threshold
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}

type pageCase struct {
	ID       string        `json:"id"`
	Status   assay.Status  `json:"status"`
	Rank     int           `json:"rank"` // 0 is the lowest case
	Critical bool          `json:"critical,omitempty"`
	Slow     bool          `json:"slow,omitempty"`
	Tags     []string      `json:"tags,omitempty"`
	Question string        `json:"question"`
	Answer   *string       `json:"answer"`
	Failure  *pageFailure  `json:"failure,omitempty"`
	Latency  *milliseconds `json:"latency"`
	Cost     *usd          `json:"cost,omitempty"`
	Want     []pageLabel   `json:"want,omitempty"`
	Passages []pagePassage `json:"passages"`
	Scores   []pageScore   `json:"scores"`
	Stages   []pageStage   `json:"stages,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
	Remarks  []string      `json:"remarks,omitempty"` // on the judging
	Misses   []string      `json:"misses,omitempty"`
	Tries    []string      `json:"tries,omitempty"`
	More     int           `json:"more,omitempty"` // attempts left out
	Claims   []pageClaim   `json:"claims,omitempty"`
	// Lost is what became of the case at the stages.
	Lost       *pageLost       `json:"lost,omitempty"`
	Transcript *pageTranscript `json:"transcript,omitempty"`
	Parts      []pagePart      `json:"parts,omitempty"`
}

// A pageClaim is one of the answer that nothing bears out.
type pageClaim struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Where string `json:"where,omitempty"`
	By    string `json:"by"`
}

type pageFailure struct {
	Kind     string `json:"kind"`
	Message  string `json:"message"`
	Attempts string `json:"attempts"`
}

type pageLabel struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

type pagePassage struct {
	Name  string  `json:"name"`
	Title string  `json:"title,omitempty"`
	Text  *int    `json:"text,omitempty"`
	Score float64 `json:"score,omitempty"`
	Grade *int    `json:"grade,omitempty"`
}

type pageScore struct {
	State assay.State `json:"state"`
	Value *float64    `json:"value,omitempty"`
	// Verdict is what came of the metric's threshold, Shown the value where it
	// takes more decimals to see that.
	Shown    string      `json:"shown,omitempty"`
	Verdict  string      `json:"verdict,omitempty"`
	Bounds   *[2]float64 `json:"bounds,omitempty"`
	Reason   string      `json:"reason,omitempty"`
	Evidence []pageProof `json:"evidence,omitempty"`
	More     int         `json:"more,omitempty"` // evidence left out
}

type pageProof struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Where string `json:"where,omitempty"`
}

type pageStage struct {
	Name     string        `json:"name"`
	Model    string        `json:"model,omitempty"`
	Latency  milliseconds  `json:"latency"`
	Note     string        `json:"note,omitempty"`
	Prompt   *int          `json:"prompt,omitempty"`
	Input    *int          `json:"input,omitempty"`
	Output   *int          `json:"output,omitempty"`
	Passages []pagePassage `json:"passages,omitempty"` // the output, when it is a list of passages
}

// A packer gathers the texts of a page.
type packer struct {
	*content
	texts []string
	at    map[string]int
	limit int
}

func newPageData(c *content) *pageData {
	r := c.r
	pk := &packer{content: c, at: map[string]int{}, limit: textLimit(r.Records)}
	metrics := ordered(r.Header.Metrics)
	d := &pageData{Metrics: pageMetrics(metrics), Cases: []pageCase{}}
	rank := map[int]int{}
	for i, c := range r.low() {
		rank[c.Seq] = i
	}
	for _, rec := range r.Records {
		c := pk.one(metrics, rec)
		place, lost := rank[rec.Seq]
		if !lost {
			place = len(rank)
		}
		c.Rank = place
		d.Cases = append(d.Cases, c)
	}
	d.Texts = append([]string{}, pk.texts...)
	return d
}

func pageMetrics(metrics []assay.MetricInfo) []pageMetric {
	out := []pageMetric{}
	for _, m := range metrics {
		lo, hi := span(m)
		out = append(out, pageMetric{line(m.Name), line(m.Title), m.Better, digits(m), weight(m), wants(m), lo, hi})
	}
	return out
}

// textLimit shares the budget out among the texts of all records.
func textLimit(records []assay.Record) int {
	texts := 0
	for _, r := range records {
		texts += 2
		if r.Response != nil {
			texts += min(len(r.Response.Passages), pagePassages)
			if r.Response.Trace != nil {
				texts += 2 * len(r.Response.Trace.Stages)
				if r.Attribution != nil {
					texts += min(len(r.Attribution.Facts), 2*pageEvidence)
				}
			}
		}
	}
	if texts == 0 {
		return longestText
	}
	return min(max(pageBudget/texts, shortestText), longestText)
}

// cut makes a text fit for the page.
func (p *packer) cut(s string) string { return excerpt(visible(s), p.limit) }

// text keeps a text once and gives its number; nil for an empty one.
func (p *packer) text(s string) *int {
	if s == "" {
		return nil
	}
	s = p.cut(s)
	i, ok := p.at[s]
	if !ok {
		i = len(p.texts)
		p.at[s] = i
		p.texts = append(p.texts, s)
	}
	return &i
}

func (p *packer) one(metrics []assay.MetricInfo, r assay.Record) pageCase {
	c := pageCase{
		ID: line(r.Case.ID), Status: summary.Status(metrics, r), Critical: r.Case.Critical, Slow: r.Slow, Question: p.cut(r.Case.Question), Scores: []pageScore{},
	}
	for _, t := range r.Case.Tags {
		c.Tags = append(c.Tags, line(t))
	}
	c.Want = p.labels(r.Case.Want)
	for _, m := range metrics {
		c.Scores = append(c.Scores, p.score(m, r.Scores[m.Name]))
	}
	if c.Status == assay.StatusFailed {
		c.Misses = p.misses(r)
	}
	p.tries(&c, r)
	p.claims(&c, metrics, r)
	for _, w := range r.Warnings {
		c.Remarks = append(c.Remarks, p.cut(w))
	}
	if f := r.Failure; f != nil {
		c.Failure = &pageFailure{line(f.Kind), p.cut(f.Message), attempts(r)}
	}
	if r.Response != nil {
		p.response(&c, r)
	}
	p.lost(&c, r)
	return c
}

func (p *packer) tries(c *pageCase, r assay.Record) {
	tries := triesOf(r)
	for _, t := range tries[:min(len(tries), mostTries)] {
		c.Tries = append(c.Tries, tryLine(t, p.limit))
	}
	c.More = max(len(tries)-mostTries, 0)
}

func (p *packer) claims(c *pageCase, metrics []assay.MetricInfo, r assay.Record) {
	claims := unsupported(metrics, r)
	for _, x := range claims[:min(len(claims), 2*pageEvidence)] {
		c.Claims = append(c.Claims, pageClaim{line(x.Kind), p.cut(x.Text), line(x.Where), strings.Join(x.By, ", ")})
	}
}

func (p *packer) labels(w assay.Want) []pageLabel {
	var out []pageLabel
	for _, l := range wanted(w) {
		values := []string{}
		for _, v := range l.values {
			values = append(values, p.cut(v))
		}
		out = append(out, pageLabel{l.name, values})
	}
	return out
}

func (p *packer) response(c *pageCase, r assay.Record) {
	resp := r.Response
	answer := p.cut(resp.Answer)
	c.Latency = took(resp)
	if !resp.NoAnswer {
		c.Answer = &answer
	}
	c.Cost, _, _ = usageJSON(resp.Usage)
	c.Passages = p.passages(r.Case.Want, resp.Passages)
	for _, w := range resp.Warnings {
		c.Notes = append(c.Notes, p.cut(w))
	}
	if resp.Trace == nil {
		return
	}
	for _, s := range resp.Trace.Stages {
		st := pageStage{Name: line(stageOf(s)), Model: line(s.Model), Latency: milliseconds(s.Latency), Note: p.cut(s.Note), Prompt: p.text(s.Prompt)}
		st.Input, _ = p.value(r.Case.Want, s.Input)
		st.Output, st.Passages = p.value(r.Case.Want, s.Output)
		c.Stages = append(c.Stages, st)
	}
}

func (p *packer) passages(w assay.Want, passages []assay.Passage) []pagePassage {
	if passages == nil {
		return nil
	}
	out := []pagePassage{}
	for i, x := range passages {
		q := pagePassage{Name: line(passageName(x)), Title: line(x.Title), Score: finiteOr0(x.Score)}
		if i < pagePassages {
			q.Text = p.text(x.Text)
		}
		if g, ok := judged(w, x); ok {
			q.Grade = &g
		}
		out = append(out, q)
	}
	return out
}

func finiteOr0(v float64) float64 { return finite([]assay.Passage{{Score: v}})[0].Score }

// value prepares a stage's input or output: a list of passages as such, a
// string as its text, anything else as indented JSON.
func (p *packer) value(w assay.Want, raw json.RawMessage) (*int, []pagePassage) {
	if len(raw) == 0 {
		return nil, nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return p.text(s), nil
	}
	if list, ok := passageList(raw); ok {
		return nil, p.passages(w, list)
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return p.text(string(raw)), nil
	}
	return p.text(b.String()), nil
}

// passageList reads a JSON list of passages: objects that have a text or name
// a document.
func passageList(raw json.RawMessage) ([]assay.Passage, bool) {
	var list []assay.Passage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, false
	}
	for _, x := range list {
		if x.Text == "" && passageName(x) == "" {
			return nil, false
		}
	}
	return list, true
}

func (p *packer) score(m assay.MetricInfo, s assay.Score) pageScore {
	out := pageScore{State: s.State, Reason: p.cut(s.Reason), Verdict: p.caseVerdict(m, s)}
	if s.State == assay.Scored {
		out.Value = &s.Value
		if shown := against(m, s.Value); shown != number(m, s.Value) {
			out.Shown = shown
		}
		if s.Lower != s.Value || s.Upper != s.Value {
			out.Bounds = &[2]float64{s.Lower, s.Upper}
		}
	}
	evidence := observed(m, s)
	for i, e := range evidence {
		if i == pageEvidence {
			out.More = len(evidence) - i
			break
		}
		out.Evidence = append(out.Evidence, pageProof{line(e.Kind), p.cut(e.Text), line(e.Where)})
	}
	return out
}
