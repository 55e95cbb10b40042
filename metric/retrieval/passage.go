package retrieval

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// Passage metrics compare the retrieved texts with reference texts, for targets
// whose ids the dataset does not know. Matching is many-to-many: a chunk may
// contain several reference passages, and a passage may be spread over several
// chunks. No passage is credited twice.

var passageParams = []metric.Param{
	{Name: "min_len", Doc: "runes that two texts must share; 0 takes 20, or 10 for a passage that is mostly Chinese, Japanese or Korean",
		Default: "0", Min: 0, Max: 10000},
	{Name: "match", Doc: "what makes a chunk match a passage: one contains the other, or the chunk covers at least half of the passage",
		Default: "contain", Values: []string{"contain", "coverage"}},
}

const (
	noPassage   = "the case has an empty list of reference passages"
	passageEdge = "Texts are compared in their normal form (NFKC, case folded, white space and invisible characters removed). " +
		"A passage shorter than min_len can never match. Not applicable if there is no reference passage, or the chunks have no text."
	passageSource = "own definition, because tools differ: containment of at least min_len runes"
	// tolerance is the share of a passage that a chunk must cover to match it.
	tolerance = 0.5
)

// passages defines a metric of matches between chunks and reference passages.
func passages(d metric.Def, value func(m *matches, k int) assay.Score) *metric.Def {
	d.Group, d.Needs, d.Reads, d.Chunks = metric.Passage, metric.NeedPassages, metric.ReadPassages, true
	d.Edges = strings.TrimSpace(d.Edges + " " + passageEdge)
	if d.Source == "" {
		d.Source = passageSource
	}
	if d.Params == nil {
		d.Params = passageParams
	}
	d.New = func(p metric.Params) metric.Func {
		least := int(p.Number("min_len"))
		covering := p.Word("match") == "coverage"
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			if len(in.Case.Want.Passages) == 0 {
				return assay.None(noPassage), nil
			}
			if noText(in.Response.Passages) {
				return assay.None(assay.NoTexts), nil
			}
			m := newMatches(in, p.K, least, covering)
			return noted(value(m, p.K), m.notes()), nil
		}
	}
	return set.Define(d)
}

// noText reports whether passages were returned but none has a text.
func noText(passages []assay.Passage) bool {
	for _, p := range passages {
		if p.Text != "" {
			return false
		}
	}
	return len(passages) > 0
}

// matches holds which reference passages each of the first k chunks matches.
type matches struct {
	want, chunks []string
	min          []int
	// of holds, for each chunk, the indexes of the passages that it matches.
	of [][]int
	// found marks the passages that at least one chunk matches.
	found     []bool
	automatic bool
}

func newMatches(in metric.Input, k, least int, covering bool) *matches {
	m := &matches{found: make([]bool, len(in.Case.Want.Passages)), automatic: least == 0}
	for _, w := range in.Case.Want.Passages {
		m.want = append(m.want, text.MatchForm(w))
		n := least
		if n == 0 {
			n = text.MatchLengthFor(w)
		}
		m.min = append(m.min, n)
	}
	for _, c := range cutoff(in.Response.Passages, k) {
		chunk := text.MatchForm(c.Text)
		var of []int
		for i, w := range m.want {
			if m.match(chunk, w, m.min[i], covering) {
				of = append(of, i)
				m.found[i] = true
			}
		}
		m.chunks = append(m.chunks, chunk)
		m.of = append(m.of, of)
	}
	return m
}

func (m *matches) match(chunk, want string, least int, covering bool) bool {
	if covering {
		return text.Coverage(want, []string{chunk}, least) >= tolerance
	}
	return contains(chunk, want, least)
}

// contains is text.Contains for texts that are already in match form and for a
// minimum length of at least 1.
func contains(a, b string, least int) bool {
	n, o := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if n > o {
		a, b, n = b, a, o
	}
	return n >= least && strings.Contains(b, a)
}

// novel returns, for each chunk, 1 if it matches a passage that no chunk above it
// matches, else 0.
func (m *matches) novel() []int {
	out := make([]int, len(m.of))
	seen := make([]bool, len(m.want))
	for i, of := range m.of {
		for _, p := range of {
			if !seen[p] {
				seen[p] = true
				out[i] = 1
			}
		}
	}
	return out
}

func (m *matches) countFound() int {
	n := 0
	for _, f := range m.found {
		if f {
			n++
		}
	}
	return n
}

func (m *matches) missing() []assay.Evidence {
	var out []assay.Evidence
	for i, f := range m.found {
		if !f {
			out = append(out, assay.Evidence{Kind: "missing", Text: m.want[i]})
		}
	}
	return out
}

// notes describes the minimum length, if it is not the default, and the passages
// that are too short to match.
func (m *matches) notes() []string {
	var out []string
	cjk, short := 0, 0
	for i, w := range m.want {
		if m.automatic && m.min[i] != text.MatchLength {
			cjk++
		}
		if utf8.RuneCountInString(w) < m.min[i] {
			short++
		}
	}
	if cjk > 0 {
		out = append(out, fmt.Sprintf("min_len is %d for %s mostly Chinese, Japanese or Korean", text.MatchLength/2, count(cjk,
			"reference passage that is", "reference passages that are")))
	}
	if short > 0 {
		out = append(out, count(short, "reference passage is", "reference passages are")+" too short to match")
	}
	return out
}
