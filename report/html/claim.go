package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/report/document"
)

// number links the number of a claim.
func number(n int, id, to, label string) string {
	if id != "" {
		id = ` id="` + id + `"`
	}
	return fmt.Sprintf(`<a class="claim-no"%s data-claims="%d" href="#%s" title="%s" aria-label="%[4]s">%[2]d</a>`, id, n, to, esc(label))
}

// marked returns an escaped text with its highlights: underlined with a number in the answer,
// marked in passages. Where claims share words, the words belong to each of them.
func marked(q document.Quote) string {
	marks := slices.DeleteFunc(slices.Clone(q.Marks), func(m document.Highlight) bool {
		return m.Start < 0 || m.End <= m.Start || m.End > len(q.Text)
	})
	keepCitations(q, marks)
	edges := []int{0, len(q.Text)}
	for _, m := range marks {
		edges = append(edges, m.Start, m.End)
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	var b strings.Builder
	for i := range edges[1:] {
		from, to := edges[i], edges[i+1]
		var on []document.Highlight
		for _, m := range marks {
			if m.Start == from {
				b.WriteString(begin(m))
			}
			if m.Start <= from && to <= m.End {
				on = append(on, m)
			}
		}
		words := cited(escLines(q.Text[from:to]), q.Cites)
		if on == nil {
			b.WriteString(words)
			continue
		}
		tag := "mark"
		if on[0].Place == 0 {
			tag = "span"
		}
		fmt.Fprintf(&b, `<%s class="claimed %s" data-claims="%s">%s</%[1]s>`, tag, worst(on), claimNumbers(on), words)
	}
	return b.String()
}

// begin is what stands before the words of a claim: its number in the answer, a target in a
// passage.
func begin(m document.Highlight) string {
	switch n := strconv.Itoa(m.Claim); {
	case m.More:
		return ""
	case m.Place > 0:
		return fmt.Sprintf(`<span class="place" id="words-%s-%d"></span>`, n, m.Place)
	default:
		return number(m.Claim, "said-"+n, "claim-"+n, m.Label)
	}
}

var citation = lazyregexp.New(`\[\d{1,3}\]`)

// cited turns the citations in an escaped text into buttons that lead to a passage.
func cited(words string, passages int) string {
	if passages == 0 {
		return words
	}
	return citation().ReplaceAllStringFunc(words, func(s string) string {
		rank, err := strconv.Atoi(s[1 : len(s)-1])
		if err != nil || rank < 1 || rank > passages {
			return s
		}
		return `<button type="button" class="cite" data-rank="` + strconv.Itoa(rank) + `">` + s + "</button>"
	})
}

// keepCitations moves the borders of highlights out of citations, which are buttons.
func keepCitations(q document.Quote, marks []document.Highlight) {
	if q.Cites == 0 {
		return
	}
	for _, c := range citation().FindAllStringIndex(q.Text, -1) {
		for i := range marks {
			for _, edge := range []*int{&marks[i].Start, &marks[i].End} {
				if c[0] < *edge && *edge < c[1] {
					*edge = c[1]
				}
			}
		}
	}
}

// splitMarks returns the highlights of a text before and after a place in it.
func splitMarks(marks []document.Highlight, at int) (before, after []document.Highlight) {
	for _, m := range marks {
		if m.Start < at {
			head := m
			head.End = min(m.End, at)
			before = append(before, head)
		}
		if m.End > at {
			m.More = m.More || m.Start < at
			m.Start, m.End = max(m.Start-at, 0), m.End-at
			after = append(after, m)
		}
	}
	return before, after
}

func worst(on []document.Highlight) document.Ruling {
	order := []document.Ruling{document.Contradicted, document.Unsupported, document.NoRuling, document.Supported}
	return slices.MinFunc(on, func(a, b document.Highlight) int {
		return cmp.Compare(slices.Index(order, a.Ruling), slices.Index(order, b.Ruling))
	}).Ruling
}

func claimNumbers(on []document.Highlight) string {
	var out []string
	for _, m := range on {
		if n := strconv.Itoa(m.Claim); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, " ")
}
