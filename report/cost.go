package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A bill is the estimated and the actual cost of a run, in micro-dollars; 0 is nothing
// or unknown.
type bill struct {
	// Estimated is the expected cost of judging, Calls the expected number of calls.
	Estimated int64
	Calls     int
	// Target is the cost that the target reported, and that of embedding; Judging is what the run paid for
	// judging.
	Target, Judging int64
	// Paid is set if an earlier run had paid for every call, Free if the price of the calls is known
	// and 0.
	Paid, Free bool
}

func billOf(h assay.Header, s summary.Summary) bill {
	answering, judging := s.Spent(h)
	b := bill{Target: answering.Cost, Judging: judging}
	b.Paid = h.Spending != nil && judging == 0 && h.Spending.Calls == 0 && s.Judging.Calls > 0
	if e := h.Estimated; e != nil {
		b.Estimated, b.Calls = e.Usage.Cost, e.Calls
	}
	b.Free = b.Calls > 0 && b.Estimated == 0 && b.Judging == 0 && h.Unpriced() == ""
	return b
}

// bill returns the bill of the run for readers. ok is false if it adds nothing to what
// the target reported.
func (c *content) bill() (out words.Bill, ok bool) {
	b := billOf(c.r.Header, c.r.Summary)
	out = words.Bill{Estimated: price(b.Estimated), Calls: b.Calls, Target: price(b.Target), Judging: price(b.Judging),
		Total: c.counted(b.Target + b.Judging), Paid: b.Paid}
	if b.Free {
		out.Estimated, out.Judging = assay.Dollars(0), assay.Dollars(0)
	}
	return out, b.Judging > 0 || b.Estimated > 0 || b.Calls > 0
}

// counted formats a cost of the run. It is a lower bound if the price of a model is not known, or
// the target did not report the cost of a response.
func (c *content) counted(micro int64) string {
	partly := c.r.Header.Unpriced() != ""
	for i := range c.r.Cases.Len() {
		partly = partly || c.r.Cases.Unpriced(i)
	}
	if partly {
		return "≥ " + assay.Dollars(micro)
	}
	return assay.Dollars(micro)
}

// price formats a price; it returns "" for 0, which is unknown.
func price(micro int64) string {
	if micro <= 0 {
		return ""
	}
	return assay.Dollars(micro)
}

// usage returns the tokens and the cost of the target and of embedding.
func (c *content) usage() string {
	u := c.used()
	cost := price(u.Cost)
	if cost != "" {
		cost = c.counted(u.Cost)
	}
	return c.w.Usage(cost, u.InputTokens, u.OutputTokens)
}

// used returns what the run used to answer.
func (c *content) used() assay.Usage {
	u, _ := c.r.Summary.Spent(c.r.Header)
	return u
}

// tokens returns their tokens alone.
func (c *content) tokens() string {
	u := c.used()
	return c.w.Usage("", u.InputTokens, u.OutputTokens)
}

// costLine returns the estimated and the actual cost of the run in one line.
func (c *content) costLine() string {
	b, ok := c.bill()
	if !ok {
		return c.usage()
	}
	return c.w.Say("Cost", words.V{"b": b, "usage": c.tokens()})
}

// costCard returns the cost of the run, and its tokens where that is not known; ok is false if it
// has neither.
func (c *content) costCard(name string) (card document.Card, ok bool) {
	b, ok := c.bill()
	if !ok {
		card = document.Card{Name: name, Value: "–", Note: c.tokens()}
		if u := c.used(); u.Cost > 0 {
			card.Value = c.counted(u.Cost)
		}
		return card, card.Value+card.Note != "–"
	}
	card = document.Card{Name: name, Value: "–", Note: c.w.Say("CostNote", b)}
	if c.w.Say("CostParts", b) != "" {
		card.Value = b.Total
	} else if d := c.r.Summary.Judging.Usage; d.InputTokens+d.OutputTokens > 0 {
		card.Note = strings.Join([]string{card.Note, c.w.Usage("", d.InputTokens, d.OutputTokens)}, " · ")
	}
	return card, true
}

// judgeName returns a short name of the judge, after it the judges that answer some questions
// in its place, and that it has no certificate if it has none; "" if nothing was judged.
func (c *content) judgeName() string {
	name := c.bareJudge()
	if c.certifiable() && c.certified() == nil {
		name = c.w.NotCertified(name)
	}
	return name
}

// bareJudge returns the short name alone.
func (c *content) bareJudge() string {
	j := c.r.Header.Judge
	if j == nil {
		return ""
	}
	name := c.baseName(j)
	for _, task := range j.Delegates() {
		name = c.w.Say("Delegated", words.V{"judge": name, "question": task, "by": modelName(j.Tasks[task])})
	}
	return name
}

func (c *content) baseName(j *assay.JudgeInfo) string {
	switch {
	case j.Estimate:
		return c.w.Names().OfflineJudge
	case len(j.Panel) > 0:
		return c.w.Say("Panel", words.V{"judges": mapped(j.Panel, modelName)})
	}
	return modelName(*j)
}

func modelName(j assay.JudgeInfo) string { return line(strings.TrimSpace(j.Provider + " " + j.Model)) }

// judgingLine returns who judged, the number of calls and their cost, or "" if nothing
// was judged.
func (c *content) judgingLine() string {
	h, s := c.r.Header, c.r.Summary
	d := s.Judging
	said := words.V{"Judge": c.judgeName(), "Passes": 0, "PerCase": "", "Calls": d.Calls, "Cached": d.Cached, "Shared": 0, "Failed": d.Failed,
		"Rechecked": d.Rechecked, "Overturned": d.Overturned, "Usage": "", "Paid": ""}
	if h.Judge != nil && !h.Judge.Estimate {
		said["Passes"] = h.Judge.Passes
	}
	if d.Calls > 0 || d.Failed > 0 {
		said["PerCase"] = c.callsPerCase()
		if h.Spending != nil {
			// Calls that several cases need are made once.
			said["Shared"] = d.Calls - d.Cached - h.Spending.Calls
		}
		said["Usage"] = c.w.Usage("", d.Usage.InputTokens, d.Usage.OutputTokens)
		// 0 is nothing or unknown; if unknown, a warning of the run says so.
		said["Paid"] = price(billOf(h, s).Judging)
	}
	return c.w.Say("Judging", said)
}

// callsPerCase returns how often the judge was asked about a case, in all its draws.
func (c *content) callsPerCase() string {
	draws := float64(c.r.Cases.Len()) / float64(max(1, c.r.Cases.Distinct()))
	return fmt.Sprintf("%.1f", draws*float64(c.r.Summary.Judging.Calls)/float64(c.r.Summary.Judged))
}

// judgeFacts lists what can change a judgement.
func judgeFacts(n words.Provenance, j *assay.JudgeInfo) []fact {
	if j == nil {
		return nil
	}
	judges := j.Panel
	if len(judges) == 0 {
		judges = []assay.JudgeInfo{*j}
	}
	var facts []fact
	for _, one := range judges {
		parts := []string{one.Provider, one.Model}
		if one.PromptHash != "" {
			parts = append(parts, n.Prompts, one.PromptHash)
		}
		for _, k := range slices.Sorted(maps.Keys(one.Parameters)) {
			parts = append(parts, k, one.Parameters[k])
		}
		facts = append(facts, fact{n.Judge, strings.Join(strings.Fields(strings.Join(parts, " ")), " ")})
	}
	if j.Passes > 0 {
		facts = append(facts, fact{n.Passes, strconv.Itoa(j.Passes)})
	}
	for _, task := range slices.Sorted(maps.Keys(j.Tasks)) {
		one := j.Tasks[task]
		one.Passes = 0 // it is asked once
		for _, f := range judgeFacts(n, &one) {
			facts = append(facts, fact{f.Name + " " + task, f.Value})
		}
	}
	return facts
}

// judgeVersion identifies a judge, including the named prompts, or all prompts if none
// are named.
func judgeVersion(n words.Provenance, j *assay.JudgeInfo, prompts []string) string {
	if j == nil {
		return n.NoJudge
	}
	about := j.About(prompts)
	var values []string
	for _, f := range judgeFacts(n, &about) {
		if f.Name != n.Judge {
			f.Value = strings.TrimSpace(strings.TrimPrefix(f.Name, n.Judge)) + " " + f.Value
		}
		values = append(values, f.Value)
	}
	return strings.Join(values, ", ")
}
