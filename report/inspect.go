package report

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// An Inspection is one case on a page of its own. Its texts are whole.
type Inspection struct {
	// Word says how the case ended, and Mark whether that is good. About has what that rests
	// on, the tags of the case, its time and its cost.
	Word  string
	Mark  document.Mark
	About []string
	// Answer has the answer and what it should say, or why there is none, Scores the claims of
	// the answer and the scores with their reasons, Passages what was retrieved, and Stages what the stages of the target
	// did with the case.
	Answer, Scores, Passages, Stages []document.Block
}

// wholeCase are the limits of a page that shows one case: there are none.
var wholeCase = caseLimits{answer: math.MaxInt, passage: math.MaxInt, passages: math.MaxInt, evidence: math.MaxInt, claims: math.MaxInt,
	dropped: math.MaxInt}

// Inspect returns everything that a record holds, for a page of one case. check is [Report.Check].
func Inspect(h assay.Header, rec assay.Record, check func(assay.Record) summary.Check, o Options) Inspection {
	c := newContent(&Report{Header: h, checks: check}, o)
	x := c.recorded(rec)
	claims := claimsOf(h, rec)
	part := func(parts ...func(*caseContent)) []document.Block {
		b := &caseContent{content: c, shownCase: x, most: wholeCase, page: true, ruled: claims}
		for _, f := range parts {
			f(b)
		}
		return document.Visible(b.blocks, document.Page)
	}
	out := Inspection{
		About:    append([]string{c.checkReason(rec, c.r.Check(rec))}, c.about(x)...),
		Answer:   part((*caseContent).troubles, (*caseContent).answer, (*caseContent).wanted),
		Scores:   part((*caseContent).claimList, (*caseContent).scoreTable, (*caseContent).claims, (*caseContent).remarks),
		Passages: part((*caseContent).passages),
		Stages:   part((*caseContent).stages, (*caseContent).trace, (*caseContent).notes),
	}
	status, _ := c.standing(x)
	out.Word, out.Mark = status.Text[0].Text, status.Mark
	return out
}

// recorded returns a record as lists of cases show it.
func (c *content) recorded(rec assay.Record) shownCase {
	return shownCase{lowCase{Wrong: c.r.wrong(rec)}, rec, summary.Status(c.r.Header.Metrics, rec)}
}

// A CaseTable is a table of cases of a run.
type CaseTable struct {
	Header assay.Header
	// Metrics are the names of the metrics that have a column; nil means all.
	Metrics []string
	// Check is [Report.Check] of the run.
	Check   func(assay.Record) summary.Check
	Options Options
}

// Columns returns the columns. Their ids are the names by which cases are sorted.
func (t CaseTable) Columns() []document.Column {
	n := t.Options.words().Names().PageNames
	out := []document.Column{{ID: "id", Head: n.Case, Words: true, Role: "id"}, {ID: "status", Head: n.Status, Words: true, Role: "st"},
		{Head: n.Question, Words: true, Role: "q"}}
	for _, m := range t.metrics() {
		out = append(out, document.Column{ID: m.Name, Head: approximate(m), Role: "m", Metric: m.Name})
	}
	return append(out, document.Column{ID: "latency", Head: n.Time, Role: "late"})
}

// Row returns the row of a case.
func (t CaseTable) Row(rec assay.Record) document.LookupRow {
	c := newContent(&Report{Header: t.Header, checks: t.Check}, t.Options)
	scores := mapped(t.metrics(), func(m assay.MetricInfo) scoreColumn { return scoreColumn{MetricInfo: m} })
	return c.row(c.recorded(rec), nil, scores, optional{time: true})
}

func (t CaseTable) metrics() []assay.MetricInfo {
	all := leading(t.Header.Metrics)
	if t.Metrics == nil {
		return all
	}
	return slices.DeleteFunc(all, func(m assay.MetricInfo) bool { return !slices.Contains(t.Metrics, m.Name) })
}

// MetricTitle returns the name of a metric in a heading; that of an estimate is marked.
func MetricTitle(m assay.MetricInfo) string { return approximate(m) }

// MeanText formats a mean with its interval and the number of its cases, as tables do:
// "0.854 [0.716…0.931] (36)". Without a mean it is a dash.
func MeanText(w words.Words, m assay.MetricInfo, mean *float64, ci *[2]float64, n int) string {
	e := stats.Estimate{N: n}
	if mean == nil {
		e.N = 0
	} else {
		e.Mean = *mean
	}
	if ci != nil && n >= stats.Readable {
		e.CI = &stats.Interval{Lo: ci[0], Hi: ci[1]}
	}
	return compact(w, m, e)
}

// A CallView is a call to a model on a page of its own. Its texts are whole.
type CallView struct {
	// Title is what was asked of which model, Told what the call consumed.
	Title, Told string
	// Blocks are the messages, the reply, and both as the ledger has them.
	Blocks []document.Block
}

// ShowCall returns what a page shows of a call.
func ShowCall(c assay.Call, o Options) CallView {
	w := o.words()
	n := w.Names().CallNames
	var request struct {
		System   string `json:"system"`
		Messages []struct{ Role, Text string }
	}
	var reply struct{ Text, Thinking, Unusable string }
	// What cannot be read as the parts of a message is shown as JSON alone.
	_ = json.Unmarshal(c.Request, &request)
	_ = json.Unmarshal(c.Reply, &reply)
	var blocks []document.Block
	text := func(s string) document.Block { return document.Quote{Text: s, Role: document.Verbatim} }
	fold := func(title, s string) {
		if s != "" {
			blocks = append(blocks, document.Fold{Title: title, Blocks: []document.Block{text(s)}})
		}
	}
	fold(n.Instruction, request.System)
	for _, m := range request.Messages {
		blocks = append(blocks, document.Labelled{Label: w.Say("CallRole", words.V{"role": m.Role}), Blocks: []document.Block{text(m.Text)}})
	}
	if reply.Unusable != "" {
		blocks = append(blocks, document.Paragraph{Kind: document.Finding, Text: document.T(w.Say("Unusable", words.V{"why": reply.Unusable}))})
	}
	blocks = append(blocks, document.Labelled{Label: n.Reply, Blocks: []document.Block{text(reply.Text)}})
	fold(n.Thinking, reply.Thinking)
	fold(n.RequestJSON, indented(c.Request))
	fold(n.ReplyJSON, indented(c.Reply))
	cost, took := "", ""
	if c.Usage.Cost > 0 {
		cost = caseCost(c.Usage.Cost)
	}
	if c.Latency > 0 {
		took = duration(c.Latency)
	}
	told := w.Say("CallTold", words.V{"Input": c.Usage.InputTokens, "Output": c.Usage.OutputTokens, "Cost": cost, "Took": took,
		"Made": timestamp(c.Made)})
	return CallView{Title: c.Operation + " · " + c.Provider + " " + c.Model, Told: told, Blocks: blocks}
}

// indented returns JSON on several lines.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
