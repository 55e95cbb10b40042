package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

// lost writes where answers are lost: a sentence, the waterfall of the facts,
// the wrong answers by stage, and what the ladder mends.
func (m *markdown) lost() {
	w := m.r.Summary.Waterfall
	f := newLostFall(w)
	if f == nil {
		return
	}
	m.printf("\n## %s\n\n**%s**", lostTitle, inline(f.Lead))
	if f.Facts != "" {
		m.printf("\n%s", inline(f.Facts))
	}
	if f.Rows != nil {
		m.printf("\n| Stage | | Left | Lost | Share of all | %s | Of what came |\n|---|---|---:|---:|---:|---:|---:|", intervals(w.Level))
		for _, r := range f.Rows {
			name, lost := inline(r.Name), ""
			if r.End {
				name = "**" + name + "**"
			} else {
				lost = fmt.Sprint(r.Lost)
			}
			m.printf("| %s | %s | %d | %s | %s | %s | %s |", name, fallBar(r, 20), r.Kept, lost, r.Share, r.Interval, r.Rate)
		}
	}
	if f.Failed != nil {
		const most = 10
		m.printf("\n| Wrong answers | n | Share | %s | Which |\n|---|---:|---:|---:|---|", intervals(w.Level))
		for _, v := range f.Failed {
			var ids []string
			for _, id := range v.IDs[:min(most, len(v.IDs))] {
				ids = append(ids, code(id))
			}
			if n := len(v.IDs) - most; n > 0 {
				ids = append(ids, fmt.Sprintf("… and %d more", n))
			}
			m.printf("| %s | %d | %s | %s | %s |", inline(v.Name), v.N, v.Share, v.Interval, strings.Join(ids, ", "))
		}
	}
	if f.Rungs != nil {
		m.printf("\n%s\n\n| Right with | Right | Gain | %s |\n|---|---:|---:|---:|", ladderNote(w), intervals(w.Level))
		for i, r := range f.Rungs {
			m.printf("| %s | %s | %s | %s |", inline(strings.TrimPrefix(rungWord(i, len(f.Rungs), r.Name), "+ ")), r.Right, r.Gain, r.Interval)
		}
	}
	if f.Notes != nil {
		m.printf("")
	}
	for _, n := range f.Notes {
		m.printf("- %s", inline(n))
	}
}

// markdownDropped is how many passages that a filter dropped are shown.
const markdownDropped = 10

// stages shows where a case was lost: its facts, the ladder, the transcript, the
// sub-questions, and what the filter dropped.
func (m *markdown) stages(r assay.Record) {
	a := r.Attribution
	if s := lostVerdictLine(a); s != "" {
		m.printf("\n**Where it was lost:** %s", inline(s))
	}
	if a != nil && len(a.Facts) > 0 {
		m.printf("\n**Facts:**\n")
		for i, f := range a.Facts {
			if i == markdownClaims {
				m.printf("- … and %d more", len(a.Facts)-i)
				break
			}
			outcome, text := factLine(f)
			m.printf("- *%s:* %s", escape(outcome), inline(excerpt(text, markdownPassage)))
		}
	}
	if a != nil {
		if rungs := ladderLines(a.Ladder); rungs != nil {
			m.printf("\n**With the right outputs:**\n")
			for _, l := range rungs {
				m.printf("- %s", inline(strings.TrimPrefix(l, "+ ")))
			}
		}
		for _, l := range mergedLines(a) {
			m.printf("\n*Note:* %s", inline(l))
		}
	}
	if pieces, edits, tokens := transcriptOf(r); pieces != nil {
		m.printf("\n**Transcript** against the reference, %s:\n\n> %s", heardLine(r, edits, tokens), markedUp(pieces))
	}
	m.parts(r)
}

// markedUp shows a transcript with its errors: what was said and not heard is
// struck out, what was heard and not said is bold.
func markedUp(pieces []heard) string {
	var out []string
	for _, p := range pieces {
		switch {
		case p.Same:
			out = append(out, escape(line(p.Hyp)))
		default:
			if s := escape(line(p.Ref)); s != "" {
				out = append(out, "~~"+s+"~~")
			}
			if s := escape(line(p.Hyp)); s != "" {
				out = append(out, "**"+s+"**")
			}
		}
	}
	return strings.Join(out, " ")
}

// parts lists the sub-questions with what was found for each, and what the
// filter dropped with its scores.
func (m *markdown) parts(r assay.Record) {
	if r.Response == nil || !staged(r) {
		return
	}
	list := partsOf(r.Response)
	if len(list) > 0 && list[0].Question != "" {
		m.printf("\n**Sub-questions:**\n")
		for i, p := range list {
			m.printf("%d. %s – %s", i+1, inline(p.Question), inline(partLine(p)))
		}
	}
	headed := false
	for i, p := range list {
		for k, x := range p.Dropped {
			if !headed {
				headed = true
				m.printf("\n**Dropped by the filter:**\n")
			}
			if k == markdownDropped {
				m.printf("- … and %d more", len(p.Dropped)-k)
				break
			}
			s := "- "
			if score := scoreWord(x); score != "" {
				s += "score " + score + ": "
			}
			if text := inline(excerpt(line(x.Text), markdownPassage)); text != "" {
				s += "“" + text + "” "
			}
			s += named(x) + relevanceWord(r.Case.Want, x)
			if len(list) > 1 {
				s += fmt.Sprintf(" – sub-question %d", i+1)
			}
			m.printf("%s", s)
		}
	}
}

// staged reports whether a case's way through the stages is shown: where it was
// followed, or where its question was taken apart.
func staged(r assay.Record) bool {
	_, apart := r.Response.SubQuestions()
	return r.Attribution != nil || apart
}

// partCounts counts what was found for a sub-question.
func partCounts(p part) string {
	s := plural(len(p.Found), "passage", "passages")
	if p.Kept != nil {
		s += fmt.Sprintf(", %d kept", len(p.Kept))
	}
	return s
}

// partLine counts what was found for a sub-question and names the first.
func partLine(p part) string {
	s := partCounts(p)
	shown := p.Found
	if p.Kept != nil {
		shown = p.Kept
	}
	var names []string
	for _, x := range shown[:min(3, len(shown))] {
		if n := passageName(x); n != "" {
			names = append(names, n)
		}
	}
	if names == nil {
		return s
	}
	if len(shown) > len(names) {
		names = append(names, "…")
	}
	return s + ": " + strings.Join(names, ", ")
}
