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
)

// reproduce lists everything that can affect a number.
func (c *content) reproduce() []document.Section {
	s := document.Section{ID: "reproduce", Title: c.w.Names().ReproduceTitle, Nav: c.w.Names().ReproduceNav, Views: document.Reading | document.Page}
	s.Blocks = []document.Block{document.Facts{Items: provenance(c.w.Names().Provenance, c.r.Header)}}
	if l := c.judgingLine(); l != "" {
		// Texts and terminals have it at their head.
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(c.w.Names().FactNames.Judge + c.w.Names().Colon + l), Views: document.Page})
	}
	if config := c.r.Header.Config; len(config) > 0 {
		h := c.w.Names().Provenance
		t := document.Table{ID: "settings", Columns: []document.Column{{Head: h.Setting, Words: true}, {Head: h.Value, Words: true}}}
		for _, k := range slices.Sorted(maps.Keys(config)) {
			t.Add(document.C(k), document.C(config[k]))
		}
		s.Blocks = append(s.Blocks, document.Fold{Title: h.Configuration, Blocks: []document.Block{t}})
	}
	return []document.Section{s}
}

// A fact is a named value.
type fact struct{ Name, Value string }

// provenance lists what is needed to repeat a run, without the config.
func provenance(n words.Provenance, h assay.Header) []document.Fact {
	facts := []fact{
		{n.Command, shellLine(h.Command)},
		{"assay", h.Version},
		{n.Seed, strconv.FormatUint(h.Seed, 10)},
		{n.Dataset, strings.TrimSpace(h.Dataset.Path + " " + h.Dataset.Hash)},
	}
	if c := h.Corpus; c != nil {
		facts = append(facts, fact{n.Corpus, strings.TrimSpace(c.Path + " " + c.Hash)})
	}
	if h.Embedder != "" {
		facts = append(facts, fact{n.Embedder, h.Embedder})
	}
	for _, k := range slices.Sorted(maps.Keys(h.Target.Settings)) {
		facts = append(facts, fact{n.Target + " " + k, h.Target.Settings[k]})
	}
	facts = append(facts, judgeFacts(n, h.Judge)...)
	languages := mapped(slices.Sorted(maps.Keys(h.Languages)), func(code string) string { return fmt.Sprintf("%s %d", code, h.Languages[code]) })
	facts = append(facts, fact{n.JudgeLanguages, strings.Join(languages, ", ")})
	versions := mapped(h.Metrics, func(m assay.MetricInfo) string { return fmt.Sprintf("%s v%d", m.Name, m.Version) })
	facts = append(facts, fact{n.Metrics, strings.Join(versions, ", ")})
	var out []document.Fact
	for _, f := range facts {
		if f.Value != "" {
			out = append(out, document.Fact{Name: f.Name, Lines: []document.Text{document.C(f.Value)}})
		}
	}
	return out
}

// itoa formats a count.
func itoa(n int) string { return strconv.Itoa(n) }

// cards returns the figures at the top of a page.
func (c *content) cards() []document.Card {
	r, s, n := c.r, c.r.Summary, c.w.Names().CardNames
	out := []document.Card{{Name: n.Cases, Value: itoa(s.Cases), Note: c.outcome()}}
	if k := r.Header.Repeat; k > 1 {
		out[0].Name = c.w.Say("AnswersCard", words.V{"draws": k, "cases": r.Header.Dataset.Cases})
	}
	if s.Critical > 0 {
		card := document.Card{Name: n.Critical, Value: itoa(s.CriticalPassed()) + " / " + itoa(s.Critical),
			Note: c.w.Say("CriticalCard", c.criticalCount())}
		if s.CriticalFailed > 0 {
			card.Mark = document.Bad
		}
		out = append(out, card)
	}
	if s.Errors > 0 {
		out = append(out, document.Card{Name: n.Errors, Value: itoa(s.Errors), Note: failureKinds(r.Cases), Mark: document.Bad})
	}
	if card, ok := c.lostCard(); ok {
		out = append(out, card)
	}
	if s.Latency.N > 0 {
		out = append(out, document.Card{Name: n.Latency, Value: duration(s.Latency.P50),
			Note: c.w.Say("LatencyCard", words.V{"p95": duration(s.Latency.P95), "slow": s.Latency.Slow})})
	}
	if card, ok := c.costCard(n.Cost); ok {
		out = append(out, card)
	}
	if d := s.Judging; d.Calls > 0 {
		out = append(out, document.Card{Name: n.JudgeCalls, Value: c.callsPerCase(),
			Note: c.judgeName()})
	}
	if h := r.Header; !h.Finished.IsZero() {
		out = append(out, document.Card{Name: n.Duration, Value: duration(r.waited()), Note: c.w.RunState(line(h.State))})
	}
	return out
}
