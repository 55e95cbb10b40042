package text_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/text"
)

// plainAlign is the definition of Align: a table of all cells, followed from its end.
func plainAlign(a, b []string) (steps []text.Step, edits, hits int) {
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	type cell struct {
		edits, hits int32
		move        text.Op
	}
	n, m := len(a)-head-tail, len(b)-head-tail
	table := make([][]cell, n+1)
	for i := range table {
		table[i] = make([]cell, m+1)
		for j := range table[i] {
			best := cell{edits: int32(n + m + 1)}
			try := func(from cell, edits, hits int32, move text.Op) {
				from = cell{from.edits + edits, from.hits + hits, move}
				if from.edits < best.edits || from.edits == best.edits && from.hits > best.hits {
					best = from
				}
			}
			if i == 0 && j == 0 {
				best = cell{}
			}
			if i > 0 && j > 0 {
				if a[head+i-1] == b[head+j-1] {
					try(table[i-1][j-1], 0, 1, text.Hit)
				} else {
					try(table[i-1][j-1], 1, 0, text.Substitution)
				}
			}
			if i > 0 {
				try(table[i-1][j], 1, 0, text.Deletion)
			}
			if j > 0 {
				try(table[i][j-1], 1, 0, text.Insertion)
			}
			table[i][j] = best
		}
	}
	for k := range tail {
		steps = append(steps, text.Step{Op: text.Hit, Reference: len(a) - 1 - k, Hypothesis: len(b) - 1 - k})
	}
	for i, j := n, m; i > 0 || j > 0; {
		s := text.Step{Op: table[i][j].move, Reference: -1, Hypothesis: -1}
		if s.Op != text.Insertion {
			i--
			s.Reference = head + i
		}
		if s.Op != text.Deletion {
			j--
			s.Hypothesis = head + j
		}
		steps = append(steps, s)
	}
	for k := range head {
		steps = append(steps, text.Step{Op: text.Hit, Reference: head - 1 - k, Hypothesis: head - 1 - k})
	}
	slices.Reverse(steps)
	return steps, int(table[n][m].edits), int(table[n][m].hits) + head + tail
}

func checkPlain(fatalf func(string, ...any), a, b []string) {
	want, edits, hits := plainAlign(a, b)
	if e, h := text.Edits(a, b); e != edits || h != hits {
		fatalf("%.300q, %.300q: %d edits and %d hits, want %d and %d", a, b, e, h, edits, hits)
	}
	if got := text.Align(a, b); !slices.Equal(got, want) {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		fatalf("%.300q, %.300q: %d steps, want %d; they differ from step %d on: %v, want %v", a, b, len(got), len(want), i,
			got[i:min(i+5, len(got))], want[i:min(i+5, len(want))])
	}
}

func TestAlignIsThePlainTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := strings.Split("abcdefgh", "")[:rapid.IntRange(1, 8).Draw(t, "letters")]
		list := rapid.SliceOfN(rapid.SampledFrom(letters), 0, rapid.SampledFrom([]int{5, 60, 200}).Draw(t, "longest"))
		a := list.Draw(t, "reference")
		b := list.Draw(t, "hypothesis")
		if rapid.Bool().Draw(t, "alike") {
			b = slices.Clone(a)
			for range rapid.IntRange(0, 8).Draw(t, "changes") {
				from, to := rapid.IntRange(0, len(b)).Draw(t, "from"), rapid.IntRange(0, len(b)).Draw(t, "to")
				b = slices.Concat(b[:min(from, to)], list.Draw(t, "other")[:0], b[max(from, to):])
			}
		}
		checkPlain(t.Fatalf, a, b)
	})
}

// Large tables are computed in parts, and in few blocks of each row.
func TestLargeAlignmentsAreThePlainTable(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		kinds := []int{2, 20, 500}[r.IntN(3)]
		a := make([]string, 2100+r.IntN(900))
		for i := range a {
			a[i] = fmt.Sprint(r.IntN(kinds))
		}
		share := []float64{0.01, 0.1, 0.4, 1}[r.IntN(4)]
		var b []string
		for _, token := range a {
			if r.Float64() >= share {
				b = append(b, token)
				continue
			}
			switch r.IntN(4) {
			case 0:
				b = append(b, fmt.Sprint(r.IntN(kinds)))
			case 1:
				b = append(b, token, a[r.IntN(len(a))])
			case 2:
				b = append(b, a[r.IntN(len(a))])
			}
		}
		if seed%3 == 0 {
			// A passage that is missing, so that the moves leave the first diagonals.
			from := r.IntN(len(b) / 2)
			b = slices.Delete(b, from, from+r.IntN(len(b)/3))
		}
		if seed%2 == 0 {
			a, b = b, a
		}
		checkPlain(t.Fatalf, a, b)
	}
}

func TestCharacterEdits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", " ", "\u3000", "字", "\xff", "\xef\xbf", "\ufffd", "é"}), 0, 90)
		a, b := strings.Join(texts.Draw(t, "reference"), ""), strings.Join(texts.Draw(t, "hypothesis"), "")
		edits, hits, n, m := text.CharacterEdits(a, b, nil)
		if e, h := text.Edits(characters(a), characters(b)); e != edits || h != hits || n != len(characters(a)) || m != len(characters(b)) {
			t.Fatalf("%q, %q: %d edits and %d hits in %d and %d, want %d and %d", a, b, edits, hits, n, m, e, h)
		}
	})
}

func characters(s string) (out []string) {
	rest := s
	for _, r := range s {
		n := len(string(r))
		if r == unicode.ReplacementChar && !strings.HasPrefix(rest, string(r)) {
			n = 1
		}
		if !unicode.IsSpace(r) {
			out = append(out, rest[:n])
		}
		rest = rest[n:]
	}
	return out
}
