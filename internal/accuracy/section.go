package accuracy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

var (
	headingLine = lazyregexp.New(`(?m)^\s{0,3}(?:#{1,6}\s+(.+?)|\*\*(.+?)\*\*:?)\s*$`)
	sectionName = lazyregexp.New(`(?i)^(?:sub-?question|key question|question|子問題|子问题|` +
		`關鍵問題|关键问题|問題|问题)?` +
		`\s*(\d+)\s*(?:[:：.、)）-]|$)`)
)

// A heading is a line of an answer, with the number that its title begins with;
// -1 when there is none.
type heading struct {
	title      string
	number     int
	start, end int
}

func headingsOf(answer string) (out []heading) {
	for _, m := range headingLine().FindAllStringSubmatchIndex(answer, -1) {
		h := heading{answer[max(m[2], m[4]):max(m[3], m[5])], -1, m[0], m[1]}
		if name := sectionName().FindStringSubmatch(strings.TrimSpace(h.title)); name != nil {
			if n, err := strconv.Atoi(name[1]); err == nil {
				h.number = n
			}
		}
		out = append(out, h)
	}
	return out
}

// has reports whether the title has the text of a sub-question.
func (h heading) has(question string) bool {
	return strings.Contains(text.Normalize(h.title), strings.TrimRight(text.Normalize(question), "?"))
}

// sectionsOf gives the part of the answer that belongs to each sub-question: what
// the pipeline tells, else what follows the heading that has its text or, where
// headings number every sub-question from 0 or from 1, its number; else the whole
// answer.
func sectionsOf(r *Result) []string {
	answer, parts := r.Response.FinalAnswer, r.Retrieval.PerSubQuestion
	out := slices.Repeat([]string{answer}, len(parts))
	if len(parts) < 2 {
		return out
	}
	headings := headingsOf(answer)
	numbered := func(n int) int { return slices.IndexFunc(headings, func(h heading) bool { return h.number == n }) }
	first := slices.IndexFunc([]int{0, 1}, func(from int) bool {
		for i := range parts {
			if numbered(from+i) < 0 {
				return false
			}
		}
		return true
	})
	// A heading that belongs to no sub-question is a part of the section.
	opens := func(h heading) bool {
		return first >= 0 && h.number >= first && h.number < first+len(parts) ||
			slices.ContainsFunc(parts, func(q SubQuestionChunks) bool { return h.has(q.SubQuestionText) })
	}
	for i, q := range parts {
		if s := r.Response.SubQuestionSources; i < len(s) && s[i].Answer != "" {
			out[i] = s[i].Answer
			continue
		}
		at := slices.IndexFunc(headings, func(h heading) bool { return h.has(q.SubQuestionText) })
		if at < 0 && first >= 0 {
			at = numbered(first + i)
		}
		if at < 0 {
			continue
		}
		end := len(answer)
		if next := slices.IndexFunc(headings[at+1:], opens); next >= 0 {
			end = headings[at+1+next].start
		}
		out[i] = strings.TrimSpace(answer[headings[at].end:end])
	}
	return out
}
