package index_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/index/indextest"
)

// A counted is a corpus as the oracle of the search sees it.
type counted struct {
	passages        []map[string]int
	df              map[string]int
	total, nonEmpty float64
}

func count(texts []string) counted {
	c := counted{df: map[string]int{}}
	for _, s := range texts {
		passage := map[string]int{}
		for _, t := range index.Terms(s) {
			passage[t]++
			c.total++
		}
		for t := range passage {
			c.df[t]++
		}
		if len(passage) > 0 {
			c.nonEmpty++
		}
		c.passages = append(c.passages, passage)
	}
	return c
}

// search scores every passage for every term of the query, in the units of the
// real one: 2⁻³², the idf in 2⁻³² times the part in 2⁻²⁴.
func (c counted) search(p index.BM25Params, query string, k int) []index.Hit {
	var hits []index.Hit
	for i, count := range c.passages {
		length := 0
		for _, n := range count {
			length += n
		}
		rounded := float64(index.LengthOf(index.LengthByte(uint32(length))))
		var sum uint64
		for _, t := range index.Terms(query) {
			tf := float64(count[t])
			if tf == 0 {
				continue
			}
			idf := math.Log1p((c.nonEmpty - float64(c.df[t]) + 0.5) / (float64(c.df[t]) + 0.5))
			part := tf / (tf + p.K1*(1-p.B+p.B*rounded/(c.total/c.nonEmpty)))
			sum += uint64(math.Round(idf*(1<<32)))*uint64(math.Round(part*(1<<24)))>>24 + 1
		}
		if sum > 0 {
			hits = append(hits, index.Hit{Passage: i, Score: float64(sum) / (1 << 32)})
		}
	}
	slices.SortFunc(hits, func(a, b index.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
	})
	return hits[:min(k, len(hits))]
}

// TestBM25ByHand works one score out. Three passages hold terms: lengths 2, 3
// and 1, on average 2; the fourth is empty. k1 = 1, b = 1/2.
//
//	idf(cat) = ln(1 + (3-2+½)/(2+½)) = ln 1.6     idf(dog) = ln(1 + (3-1+½)/(1+½)) = ln(8/3)
//	passage 0 "cat dog": norm = ½ + ½·2/2 = 1:    ln 1.6 · 1/2 + ln(8/3) · 1/2 = 0.7255
//	passage 1 "cat cat bird": norm = ½ + ½·3/2 = 1.25:  ln 1.6 · 2/3.25 = 0.2892
func TestBM25ByHand(t *testing.T) {
	t.Parallel()
	x, err := index.BuildBM25(slices.Values([]string{"a cat and dogs", "cats, cats; birds", "fish", "the"}), index.BM25Params{K1: 1, B: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	want := []index.Hit{{0, (math.Log(1.6) + math.Log(8.0/3)) / 2}, {1, math.Log(1.6) * 2 / 3.25}}
	near := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	if diff := gocmp.Diff(want, x.Search("Dog? CAT!", 10), near); diff != "" {
		t.Error(diff)
	}
	// A repeated term counts twice: 2·ln 1.6 · 2/3.25 = 0.5785 for passage 1.
	if got := x.Search("cat cat", 10); got[0].Passage != 1 || math.Abs(got[0].Score-2*math.Log(1.6)*2/3.25) > 1e-6 {
		t.Errorf("%v: want passage 1 with 0.5785 first", got)
	}
	wantStats := index.Stats{Passages: 4, Empty: 1, Terms: 6, Distinct: 4, Bytes: x.Stats().Bytes}
	if x.Stats() != wantStats || x.Len() != 4 || x.Params() != (index.BM25Params{K1: 1, B: 0.5}) {
		t.Errorf("%+v, %d, %v", x.Stats(), x.Len(), x.Params())
	}
}

func TestBM25Edges(t *testing.T) {
	t.Parallel()
	x := build(t, []string{"same words", "same words", "other", "same words"})
	for _, c := range []struct {
		query string
		k     int
		want  []int
	}{
		{"words", 2, []int{0, 1}}, // ties by the lower ordinal
		{"words", 99, []int{0, 1, 3}},
		{"words", 0, nil},
		{"words", -1, nil},
		{"nothing", 5, nil},
		{"the", 5, nil},
		{"", 5, nil},
		{"Other the nothing", 5, []int{2}},
	} {
		var got []int
		for _, h := range x.Search(c.query, c.k) {
			got = append(got, h.Passage)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, %d: %v, want %v", c.query, c.k, got, c.want)
		}
	}
	for _, texts := range [][]string{nil, {""}, {"the", ""}} {
		if got := build(t, texts).Search("the word", 3); got != nil {
			t.Errorf("%q: found %v", texts, got)
		}
	}
	for _, p := range []index.BM25Params{{K1: -1}, {K1: math.NaN()}, {K1: math.Inf(1)}, {B: -0.1}, {B: 1.1}, {B: math.NaN()}} {
		if _, err := index.BuildBM25(slices.Values([]string{"x"}), p); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
}

// corpus makes n passages of a few words, some in nearly all of them and some
// rare. Which words come often changes along the corpus, so that searches find
// much to skip in one window and not in the next.
func corpus(t *rapid.T, n int) []string {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range r.IntN(12) {
			// Multiplied, so that low numbers are common.
			fmt.Fprintf(&b, "w%dq ", r.IntN(30)*r.IntN(30)/30)
		}
		if word := i / 3000 % 4; r.IntN(100) == 0 {
			b.WriteString(strings.Repeat(fmt.Sprintf("w%dq ", word), r.IntN(40)))
		}
		if r.IntN(300) == 0 {
			fmt.Fprintf(&b, "rare%dq", r.IntN(5))
		}
		texts[i] = b.String()
	}
	return texts
}

// allWords holds every word of a corpus once.
var allWords = func() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, " w%dq rare%dq", i, i%5)
	}
	return b.String()
}()

// TestSearchSkipsNothingThatMatters holds the search against the oracle: the
// same hits with the same scores, bit by bit. The corpora span windows.
func TestSearchSkipsNothingThatMatters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := corpus(t, rapid.SampledFrom([]int{1, 20, 20, 300, 300, 300, 2000, 15_000}).Draw(t, "size"))
		p := index.BM25Params{K1: rapid.Float64Range(0, 3).Draw(t, "k1"), B: rapid.Float64Range(0, 1).Draw(t, "b")}
		x, err := index.BuildBM25(slices.Values(texts), p)
		if err != nil {
			t.Fatal(err)
		}
		oracle := count(texts)
		for range 6 {
			words := rapid.SliceOfN(rapid.SampledFrom([]string{"w0q", "w1q", "w2q", "w3q", "w20q", "rare1q", "unknown"}), 1, 7).Draw(t, "query")
			query := strings.Join(words, " ")
			if rapid.Bool().Draw(t, "long") {
				// More terms than have tables.
				query += allWords
			}
			k := rapid.SampledFrom([]int{1, 3, 10, 100, 10000}).Draw(t, "k")
			want := oracle.search(p, query, k)
			if diff := gocmp.Diff(want, x.Search(query, k)); diff != "" {
				t.Fatalf("%d passages, %q, %d: exhaustive, Search:\n%s", len(texts), query, k, diff)
			}
		}
	})
}

// TestBuildDoesNotDependOnProcessors compares the files of indexes built with
// one worker and with several. It is not parallel: it sets GOMAXPROCS.
func TestBuildDoesNotDependOnProcessors(t *testing.T) {
	texts, _ := indextest.Zipf(3000, 0)
	var want []byte
	for _, n := range []int{1, 2, 7, 7} {
		old := runtime.GOMAXPROCS(n)
		x := build(t, texts)
		runtime.GOMAXPROCS(old)
		if got := fileOf(t, x); want == nil {
			want = got
		} else if !bytes.Equal(got, want) {
			t.Fatalf("%d workers: another file than with one", n)
		}
	}
}

// fileOf returns the bytes of an index's file.
func fileOf(t testing.TB, x interface{ WriteFile(string) error }) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index")
	if err := x.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestLengthByte pins Lucene's coding: exact to 40, then steps of 2 to 56, of 4
// to 88, of 8; the greatest code stands for 24 + 15·2²⁷.
func TestLengthByte(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint32]uint32{
		0: 0, 23: 23, 24: 24, 39: 39, 40: 40, 41: 40, 42: 42, 55: 54, 56: 56, 59: 56, 60: 60, 87: 84, 88: 88, 95: 88, 96: 96, 151: 144, 152: 152,
		167: 152, 168: 168,
		math.MaxInt32: 24 + 15<<27, math.MaxUint32: 24 + 15<<27,
	} {
		if got := index.LengthOf(index.LengthByte(n)); got != want {
			t.Errorf("%d: kept as %d, want %d", n, got, want)
		}
	}
	for code := range 256 {
		if n := index.LengthOf(byte(code)); n <= 24+15<<27 && index.LengthByte(n) != byte(code) {
			t.Errorf("code %d stands for %d, whose code is %d", code, n, index.LengthByte(n))
		}
	}
}
