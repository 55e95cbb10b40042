package speech

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// simple is the definition of [Count], cell by cell: least edits, then most hits.
func simple(reference, hypothesis []string) Counts {
	type cell struct {
		edits, hits int
		Counts
	}
	better := func(a, b cell) cell {
		if b.edits < a.edits || b.edits == a.edits && b.hits > a.hits {
			return b
		}
		return a
	}
	step := func(c cell, edits int, with Counts) cell {
		return cell{c.edits + edits, c.hits + with.Hits, c.Counts.Add(with)}
	}
	rows := make([][]cell, len(reference)+1)
	for i := range rows {
		rows[i] = make([]cell, len(hypothesis)+1)
		for j := range rows[i] {
			best := cell{edits: 1 << 30}
			if i == 0 && j == 0 {
				best = cell{}
			}
			if i > 0 {
				best = better(best, step(rows[i-1][j], 1, Counts{Deletions: 1}))
			}
			if j > 0 {
				best = better(best, step(rows[i][j-1], 1, Counts{Insertions: 1}))
			}
			if i > 0 && j > 0 {
				with := step(rows[i-1][j-1], 1, Counts{Substitutions: 1})
				if reference[i-1] == hypothesis[j-1] {
					with = step(rows[i-1][j-1], 0, Counts{Hits: 1})
				}
				best = better(best, with)
			}
			rows[i][j] = best
		}
	}
	return rows[len(reference)][len(hypothesis)].Counts
}

// fewest finds the fewest edits by trying every way, for short lists.
func fewest(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	pair := fewest(a[1:], b[1:])
	if a[0] != b[0] {
		pair++
	}
	return min(pair, fewest(a[1:], b)+1, fewest(a, b[1:])+1)
}

func TestSimpleIsFewest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 5)
		a, b := list.Draw(t, "reference"), list.Draw(t, "hypothesis")
		if got, want := simple(a, b).Errors(), fewest(a, b); got != want {
			t.Fatalf("%d edits: want %d", got, want)
		}
	})
}

func TestCountIsSimple(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := strings.Split("abcdefgh", "")[:rapid.IntRange(1, 8).Draw(t, "letters")]
		list := rapid.SliceOfN(rapid.SampledFrom(letters), 0, 60)
		a, b := list.Draw(t, "reference"), list.Draw(t, "hypothesis")
		checkAlignment(t.Fatalf, a, b)
	})
}

// checkAlignment wants Count and Align to find what the definition finds, and the
// steps to lead through both lists.
func checkAlignment(fatalf func(string, ...any), a, b []string) {
	want := simple(a, b)
	if got := Count(a, b); got != want {
		fatalf("Count(%q, %q) is %+v: expected %+v", a, b, got, want)
	}
	checkSteps(fatalf, a, b, want)
}

func checkSteps(fatalf func(string, ...any), a, b []string, want Counts) {
	steps := Align(a, b)
	if got := CountSteps(steps); got != want {
		fatalf("Align(%.200q, %.200q) is %+v: expected %+v", a, b, got, want)
	}
	i, j := 0, 0
	for _, s := range steps {
		fine := true
		switch s.Op {
		case Hit:
			fine = s.Reference == i && s.Hypothesis == j && a[i] == b[j]
			i, j = i+1, j+1
		case Substitution:
			fine = s.Reference == i && s.Hypothesis == j && a[i] != b[j]
			i, j = i+1, j+1
		case Deletion:
			fine = s.Reference == i && s.Hypothesis == -1
			i++
		case Insertion:
			fine = s.Reference == -1 && s.Hypothesis == j
			j++
		}
		if !fine {
			fatalf("step %+v at %d and %d of %.200q and %.200q", s, i, j, a, b)
		}
	}
	if i != len(a) || j != len(b) {
		fatalf("the steps end at %d of %d and %d of %d", i, len(a), j, len(b))
	}
}

// Texts of a few thousand tokens are aligned by halves.
func TestAlignLong(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, share := range []float64{0, 0.02, 0.3, 1} {
		for _, n := range []int{1030, 1300} {
			a := make([]string, n)
			for i := range a {
				a[i] = fmt.Sprint(r.IntN(40))
			}
			b := garbled(r, a, share)
			checkAlignment(t.Fatalf, a, b)
			checkAlignment(t.Fatalf, b[:len(b)/3], a)
		}
	}
}

// A radio programme of five thousand characters, of which a part is wrong.
func TestAlignProgramme(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	a := make([]string, 5_000)
	for i := range a {
		a[i] = string(rune(0x4E00 + r.IntN(2000)))
	}
	for _, share := range []float64{0.15, 1} {
		b := garbled(r, a, share)
		c := Count(a, b)
		if c.Reference() != len(a) || c.Hypothesis() != len(b) {
			t.Fatalf("%+v of %d and %d tokens", c, len(a), len(b))
		}
		checkSteps(t.Fatalf, a, b, c)
	}
}

// garbled changes, drops or doubles a share of the tokens.
func garbled(r *rand.Rand, a []string, share float64) []string {
	var b []string
	for _, token := range a {
		if r.Float64() >= share {
			b = append(b, token)
			continue
		}
		switch r.IntN(3) {
		case 0:
			b = append(b, fmt.Sprint("x", r.IntN(50)))
		case 1:
			b = append(b, token, a[r.IntN(len(a))])
		}
	}
	return b
}

func BenchmarkCountProgramme(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	ref := make([]string, 20_000)
	for i := range ref {
		ref[i] = string(rune(0x4E00 + r.IntN(2000)))
	}
	for _, share := range []float64{0.15, 1} {
		hyp := garbled(r, ref, share)
		b.Run(fmt.Sprint("count ", share), func(b *testing.B) {
			for b.Loop() {
				Count(ref, hyp)
			}
		})
		b.Run(fmt.Sprint("align ", share), func(b *testing.B) {
			for b.Loop() {
				Align(ref, hyp)
			}
		})
	}
}

// A text turned round by ten tokens of twenty-five is ten deletions and ten
// insertions, on diagonals that a first look does not reach: there it would be
// twenty-five substitutions.
func TestCountTurned(t *testing.T) {
	t.Parallel()
	a := strings.Split("abcdefghijklmnopqrstuvwxy", "")
	b := append(slices.Clone(a[10:]), a[:10]...)
	checkAlignment(t.Fatalf, a, b)
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	a, b := strings.Fields("the cat sat on the mat"), strings.Fields("the cat sit on mat today")
	got := Differences(a, b, Align(a, b), 0)
	want := []Difference{{"sat", "sit", 2}, {"the", "", 4}, {"", "today", 6}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v: want %+v", got, want)
	}
	if got := Differences(a, b, Align(a, b), 1); len(got) != 1 {
		t.Errorf("%d differences: want at most 1", len(got))
	}
	if got := Join([]string{"我", "去", "office", "開", "會"}); got != "我去 office 開會" {
		t.Errorf("joined to %q", got)
	}
}
