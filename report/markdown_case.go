package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// How much of a case the Markdown report shows; the other formats show more.
const (
	markdownAnswer   = 2000 // characters of an answer
	markdownPassage  = 300  // characters of a passage
	markdownPassages = 5
	markdownEvidence = 8 // observations a score
)

// cases writes the lowest cases with all that is known about them.
func (m *markdown) cases() {
	low := m.r.low()
	shown := low[:min(len(low), m.o.cases(20))]
	if len(shown) == 0 {
		return
	}
	m.printf("\n## Lowest cases: %d of %d without full marks", len(shown), len(low))
	for _, c := range shown {
		m.one(c)
	}
}

func (m *markdown) one(c lowCase) {
	m.printf("\n### %s: %s – %s\n", inline(c.word()), inline(c.Case.ID), inline(clip(line(c.Case.Question), 120)))
	m.printf("**Question:**\n\n%s", quote(c.Case.Question))
	if c.Failure != nil {
		m.printf("\n**Failure:** %s after %s\n\n%s", inline(c.Failure.Kind), plural(c.Attempts, "attempt", "attempts"), quote(excerpt(c.Failure.Message, markdownAnswer)))
	}
	if p := c.Response; p != nil {
		m.passages(c.Case, *p)
		m.printf("\n**Answer:**\n\n%s", orNone(quote(excerpt(p.Answer, markdownAnswer))))
	}
	m.want(c.Case.Want)
	m.scores(c.Record)
	m.remarks(c.Warnings)
	m.trace(c.Response)
}

func orNone(s string) string {
	if strings.Trim(s, "> ") == "" {
		return "> *(empty)*"
	}
	return s
}

func (m *markdown) passages(c assay.Case, p assay.Response) {
	switch {
	case p.Passages == nil:
		m.printf("\n**Retrieved passages:** not reported by the target")
		return
	case len(p.Passages) == 0:
		m.printf("\n**Retrieved passages:** none")
		return
	}
	m.printf("\n**Retrieved passages:** %d\n", len(p.Passages))
	for i, x := range p.Passages[:min(len(p.Passages), markdownPassages)] {
		text := inline(excerpt(line(x.Text), markdownPassage))
		if text != "" {
			text = "“" + text + "” "
		}
		m.printf("%d. %s%s%s", i+1, text, named(x), relevanceWord(c.Want, x))
	}
	if n := len(p.Passages) - markdownPassages; n > 0 {
		m.printf("\n… and %d more", n)
	}
}

func named(p assay.Passage) string {
	if n := passageName(p); n != "" {
		return "(" + inline(n) + ")"
	}
	return ""
}

// relevanceWord says what the labels say about a passage; a case without
// labels for documents gets no word.
func relevanceWord(w assay.Want, p assay.Passage) string {
	g, ok := judged(w, p)
	switch {
	case !ok:
		return ""
	case g >= 1:
		return fmt.Sprintf(" – relevant, grade %d", g)
	case g == 0:
		return " – not relevant"
	}
	return " – pooled, not judged"
}

func (m *markdown) want(w assay.Want) {
	for _, l := range wanted(w) {
		if len(l.values) == 0 {
			m.printf("\n**%s:** none, by the label", l.name)
			continue
		}
		m.printf("\n**%s:**\n", l.name)
		for _, v := range l.values {
			m.printf("- %s", inline(excerpt(line(v), markdownAnswer)))
		}
	}
}

func (m *markdown) scores(r assay.Record) {
	m.printf("\n**Scores:**\n")
	for _, info := range m.r.Header.Metrics {
		s, ok := r.Scores[info.Name]
		if !ok {
			continue
		}
		text := fmt.Sprintf("- %s: %s", code(info.Name), scored(info, s))
		if s.Reason != "" {
			text += " – " + inline(excerpt(line(s.Reason), markdownPassage))
		}
		m.printf("%s", text)
		for i, e := range s.Evidence {
			if i == markdownEvidence {
				m.printf("  - … and %d more", len(s.Evidence)-i)
				break
			}
			m.printf("  - %s", inline(evidenceLine(e)))
		}
	}
}

// remarks lists what was noted while the case was judged.
func (m *markdown) remarks(list []string) {
	if len(list) == 0 {
		return
	}
	m.printf("\n**Remarks of the judging:**\n")
	for _, w := range list {
		m.printf("- %s", inline(excerpt(line(w), markdownPassage)))
	}
}

func evidenceLine(e assay.Evidence) string {
	s := e.Kind + ": " + excerpt(line(e.Text), markdownPassage)
	if e.Where != "" {
		s += " (" + e.Where + ")"
	}
	return s
}

func (m *markdown) trace(p *assay.Response) {
	if p == nil || p.Trace == nil || len(p.Trace.Stages) == 0 {
		return
	}
	m.printf("\n**Trace:**\n\n| Stage | Model | Time | Note |\n|---|---|---:|---|")
	for _, s := range p.Trace.Stages {
		m.printf("| %s | %s | %s | %s |", inline(s.Name), inline(s.Model), duration(s.Latency), inline(s.Note))
	}
}
