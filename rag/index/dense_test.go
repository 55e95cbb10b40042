package index_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/index"
)

func TestDenseByHand(t *testing.T) {
	t.Parallel()
	d, err := index.NewDense(2, []float32{1, 0 /**/, 0.6, 0.8 /**/, 0, 1 /**/, 1, 0 /**/, -1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		k    int
		want []index.Hit
	}{
		{0, nil},
		{1, []index.Hit{{0, 1}}},
		{2, []index.Hit{{0, 1}, {3, 1}}}, // a tie, by the lower ordinal
		{9, []index.Hit{{0, 1}, {3, 1}, {1, float64(float32(0.6))}, {2, 0}, {4, -1}}},
	} {
		got, err := d.Search([]float32{1, 0}, c.k)
		if diff := gocmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("k %d: %v\n%s", c.k, err, diff)
		}
	}
	if !slices.Equal(d.Vector(1), []float32{0.6, 0.8}) {
		t.Errorf("%v", d.Vector(1))
	}
}

func TestDenseErrors(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, c := range map[string]struct {
		dim  int
		data []float32
		want string
	}{
		"dim 0":    {0, []float32{1}, "at least 1"},
		"part":     {2, []float32{1, 2, 3}, "multiple of 2"},
		"NaN":      {2, []float32{1, 2, 3, nan}, "passage 1: number 1"},
		"infinity": {1, []float32{1, inf}, "passage 1"},
	} {
		if _, err := index.NewDense(c.dim, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v: want %q", name, err, c.want)
		}
	}
	d, err := index.NewDense(2, []float32{1, 2, math.MaxFloat32, math.MaxFloat32})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range [][]float32{nil, {1}, {1, 2, 3}, {1, nan}, {inf, 1}} {
		if hits, err := d.Search(q, 1); err == nil {
			t.Errorf("%v: found %v", q, hits)
		}
		if _, err := d.SearchBatch([][]float32{{1, 2}, q}, 1); err == nil || !strings.Contains(err.Error(), "query 2 of 2") {
			t.Errorf("%v: %v: want the query's position", q, err)
		}
	}
	// ∞ − ∞: the product of the second vector is not a number.
	if hits, err := d.Search([]float32{math.MaxFloat32, -math.MaxFloat32}, 2); err != nil || len(hits) != 1 || hits[0].Passage != 0 {
		t.Errorf("a product that is no number: %v, %v", hits, err)
	}
	empty, err := index.NewDense(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if hits, err := empty.Search([]float32{1, 2, 3}, 5); hits != nil || err != nil {
		t.Errorf("without vectors: %v, %v", hits, err)
	}
}

// TestDenseSearch compares searches for several queries at once with sorting all
// products of each. Small whole numbers make many ties; numbers of all magnitudes make
// sums that overflow, underflow, or lose all digits, so that they depend on the order.
func TestDenseSearch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.SampledFrom([]int{1, 3, 16, 384, 70_000}).Draw(t, "dim")
		rows := rapid.IntRange(0, max(3, min(3000, 1<<20/dim))).Draw(t, "rows")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		numbers := []func() float32{
			func() float32 { return float32(r.IntN(5)-2) / 2 },
			func() float32 { return float32(r.NormFloat64()) },
			func() float32 { return float32(r.NormFloat64() * 1e-24) },
			func() float32 { return float32(math.Ldexp(r.Float64()-0.5, r.IntN(250)-149)) },
			func() float32 { return float32(math.Ldexp(float64(r.IntN(3)-1), r.IntN(2)*60)) },
		}
		vector := func(n int, number func() float32) []float32 {
			v := make([]float32, n)
			for i := range v {
				v[i] = number()
			}
			return v
		}
		pick := rapid.IntRange(0, len(numbers)-1)
		data := vector(dim*rows, numbers[pick.Draw(t, "numbers")])
		queries := make([][]float32, rapid.SampledFrom([]int{0, 1, 2, 12, 13, 45, 70}).Draw(t, "queries"))
		for i := range queries {
			queries[i] = vector(dim, numbers[pick.Draw(t, "numbers of a query")])
		}
		k := rapid.SampledFrom([]int{1, 10, 5000}).Draw(t, "k")
		d, err := index.NewDense(dim, data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.SearchBatch(queries, k)
		if err != nil || len(got) != len(queries) {
			t.Fatalf("%d lists for %d queries, %v", len(got), len(queries), err)
		}
		for i, query := range queries {
			if diff := gocmp.Diff(bestProducts(data, query, k), got[i], cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%d × %d, query %d of %d, k %d:\n%s", rows, dim, i, len(queries), k, diff)
			}
		}
	})
}

// bestProducts is the plain form of a dense search.
func bestProducts(data, query []float32, k int) []index.Hit {
	var all []index.Hit
	for i := range len(data) / len(query) {
		score := float64(simd.Dot(data[i*len(query):(i+1)*len(query)], query))
		if !math.IsNaN(score) {
			all = append(all, index.Hit{Passage: i, Score: score})
		}
	}
	slices.SortFunc(all, func(a, b index.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Passage, b.Passage))
	})
	return all[:min(k, len(all))]
}

func randomDense(t testing.TB, dim, rows int) *index.Dense {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	data := make([]float32, dim*rows)
	for i := range data {
		data[i] = r.Float32() - 0.5
	}
	d, err := index.NewDense(dim, data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
