package report

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
)

// mostPageCases is the most cases on a page by default: a few megabytes, which a browser
// opens at once.
const mostPageCases = 500

// A wish is a reason to hold a case on a page, with the share of the page's cases, in
// fifths, up to which earlier wishes and this one may fill it.
type wish struct {
	fifths int
	in     func(i int) bool
	// count is where the number of cases that the wish brought is written.
	count *int
}

// held chooses at most most of the cases 0 … n−1, which are in the order of the page.
// Each wish in turn takes the first cases that it is true of, and a random sample of the
// others takes the rest of the room. It returns the chosen cases in their order and those
// of them that were drawn; all of them and nil if there is room for all.
func held(n, most int, seed uint64, wishes ...wish) (chosen []int, drawn map[int]bool) {
	if n <= most {
		chosen = make([]int, n)
		for i := range chosen {
			chosen[i] = i
		}
		return chosen, nil
	}
	taken := make([]bool, n)
	for _, w := range wishes {
		room := most * w.fifths / 5
		for i := 0; i < n && len(chosen) < room; i++ {
			if !taken[i] && w.in(i) {
				taken[i] = true
				chosen = append(chosen, i)
				*w.count++
			}
		}
	}
	drawn = map[int]bool{}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	// Knuth's algorithm S: each of the cases left is as likely as any other.
	left := n - len(chosen)
	need := most - len(chosen)
	for i := 0; need > 0; i++ {
		if taken[i] {
			continue
		}
		if rng.IntN(left) < need {
			drawn[i] = true
			chosen = append(chosen, i)
			need--
		}
		left--
	}
	slices.Sort(chosen)
	return chosen, drawn
}

// section returns the section with the table of cases. It says how they were chosen if the table
// does not have all, and how to get the others.
func (l caseTable) section(w words.Words) []document.Section {
	s := document.Section{ID: "cases", Title: w.Names().CasesTitle, Views: document.Page}
	if l.said.N < l.said.Of {
		text := document.Join(document.T(w.CasesHeld(l.said)+" "), document.C(shellLine(l.rest)))
		s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Text: text})
	}
	s.Blocks = append(s.Blocks, document.Paragraph{Kind: document.Note, Text: document.T(l.rule)}, l.Lookup)
	return []document.Section{s}
}

// A caseTable is a page's table of cases with what is said above it.
type caseTable struct {
	document.Lookup
	said words.Held
	// rest is the command that writes all cases.
	rest []string
	// rule says what makes a case right or wrong.
	rule string
}

// runName is how a command names a run.
func runName(r *Report) string { return cmp.Or(r.Header.ID, "RUN") }

// holding returns a function that reports whether a page holds a case.
func holding[T any](list []T, id func(T) string) func(string) bool {
	ids := map[string]bool{}
	for _, x := range list {
		ids[id(x)] = true
	}
	return func(id string) bool { return ids[id] }
}
