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
	markdownClaims   = 20
)

// cases writes the cases that failed, then the lowest of the others, with all
// that is known about them.
func (m *markdown) cases() {
	failed, low := split(m.r.low())
	f, l := m.o.bounded(len(failed), len(low), 50, 20)
	if f > 0 {
		m.printf("\n## Failed cases: %s", some(f, len(failed)))
		for _, c := range failed[:f] {
			m.one(c)
		}
		if n := len(failed) - f; n > 0 {
			m.printf("\n… and %s more in the other formats.", plural(n, "failed case", "failed cases"))
		}
	}
	if l > 0 {
		m.printf("\n## Lowest cases: %d of %d %s", l, len(low), lowest(low))
		for _, c := range low[:l] {
			m.one(c)
		}
	}
}

func (m *markdown) one(c lowCase) {
	m.printf("\n### %s: %s – %s\n", inline(c.heading()), inline(c.Case.ID), inline(clip(line(c.Case.Question), 120)))
	m.printf("**Question:**\n\n%s", quote(c.Case.Question))
	if c.Failure != nil {
		m.printf("\n**Failure:** %s after %s\n\n%s", inline(c.Failure.Kind), attempts(c.Record), quote(excerpt(c.Failure.Message, markdownAnswer)))
	}
	if c.Status == assay.StatusFailed {
		m.printf("\n**Below threshold:** %s", inline(strings.Join(c.Misses, ", ")))
	}
	m.tries(c.Record)
	if p := c.Response; p != nil {
		m.passages(c.Case, *p)
		if p.NoAnswer {
			m.printf("\n**Answer:** the target gives none")
		} else {
			m.printf("\n**Answer:**\n\n%s", orNone(quote(excerpt(p.Answer, markdownAnswer))))
		}
	}
	m.want(c.Case.Want)
	m.stages(c.Record)
	m.scores(c.Record)
	m.reasoning(c.Record)
	m.unsupported(c.Record)
	m.remarks(c.Warnings)
	m.trace(c.Response)
}

// tries lists the attempts that failed.
func (m *markdown) tries(r assay.Record) {
	tries := triesOf(r)
	if tries == nil {
		return
	}
	m.printf("\n**Failed attempts:** %d of %d\n", len(tries), r.Attempts)
	for i, t := range tries[:min(len(tries), mostTries)] {
		m.printf("%d. %s", i+1, inline(tryLine(t, markdownPassage)))
	}
	if n := len(tries) - mostTries; n > 0 {
		m.printf("\n… and %d more", n)
	}
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

// scores lists what the case scored, each beside its threshold, with what the
// score rests on. What a judge observed has parts of its own.
func (m *markdown) scores(r assay.Record) {
	m.printf("\n**Scores:**\n")
	for _, info := range ordered(m.r.Header.Metrics) {
		s, ok := r.Scores[info.Name]
		if !ok {
			continue
		}
		text := "- " + code(info.Name) + ": " + held(info, s)
		if s.Reason != "" && !reasoned(info, s) {
			text += " – " + inline(excerpt(line(s.Reason), markdownPassage))
		}
		m.printf("%s", text)
		if !ruled(info) {
			m.evidence(s.Evidence, "  ")
		}
	}
}

// reasoned reports whether a score's reason is part of the judge's reasoning:
// why there is no score stands beside its absence.
func reasoned(info assay.MetricInfo, s assay.Score) bool {
	return ruled(info) && s.State == assay.Scored
}

// reasoning says what the judge observed, but for the unsupported claims.
func (m *markdown) reasoning(r assay.Record) {
	headed := false
	for _, info := range ordered(m.r.Header.Metrics) {
		s := r.Scores[info.Name]
		evidence := observed(info, s)
		reason := reasoned(info, s) && s.Reason != ""
		if !ruled(info) || len(evidence) == 0 && !reason {
			continue
		}
		if !headed {
			headed = true
			title := "Judge’s reasoning"
			if j := m.r.Header.Judge; j != nil && j.Estimate {
				title = "What the estimates rest on"
			}
			m.printf("\n**%s:**\n", title)
		}
		text := "- " + code(info.Name)
		if reason {
			text += ": " + inline(excerpt(line(s.Reason), markdownPassage))
		}
		m.printf("%s", text)
		m.evidence(evidence, "  ")
	}
}

// unsupported lists the claims of the answer that nothing bears out.
func (m *markdown) unsupported(r assay.Record) {
	claims := unsupported(m.r.Header.Metrics, r)
	if claims == nil {
		return
	}
	m.printf("\n**Unsupported claims:**\n")
	for i, c := range claims {
		if i == markdownClaims {
			m.printf("- … and %d more", len(claims)-i)
			break
		}
		m.printf("- %s", inline(c.line(markdownPassage)))
	}
}

func (m *markdown) evidence(list []assay.Evidence, indent string) {
	for i, e := range list {
		if i == markdownEvidence {
			m.printf("%s- … and %d more", indent, len(list)-i)
			break
		}
		m.printf("%s- %s", indent, inline(evidenceLine(e)))
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
		m.printf("| %s | %s | %s | %s |", inline(stageOf(s)), inline(s.Model), duration(s.Latency), inline(s.Note))
	}
}
