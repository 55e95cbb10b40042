package index_test

import (
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/rag/index"
)

func list(passages ...int) []index.Hit {
	var out []index.Hit
	for i, p := range passages {
		out = append(out, index.Hit{Passage: p, Score: float64(-i)})
	}
	return out
}

func TestFuse(t *testing.T) {
	t.Parallel()
	near := gocmp.Comparer(func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 })
	for _, c := range []struct {
		name     string
		constant int
		lists    [][]index.Hit
		want     []index.Hit
	}{
		{"nothing", 60, nil, nil},
		{"empty lists", 60, [][]index.Hit{nil, {}}, nil},
		{"one list keeps its order", 60, [][]index.Hit{list(7, 3)}, []index.Hit{{7, 1.0 / 61}, {3, 1.0 / 62}}},
		{"second in both beats first in one", 60, [][]index.Hit{list(1, 2), list(3, 2)},
			[]index.Hit{{2, 2.0 / 62}, {1, 1.0 / 61}, {3, 1.0 / 61}}},
		{"the constant matters", 0, [][]index.Hit{list(1, 2), list(3, 2)}, []index.Hit{{1, 1}, {2, 1}, {3, 1}}},
		{"below 0 is 0", -5, [][]index.Hit{list(9)}, []index.Hit{{9, 1}}},
		{"first rank of a repeat", 1, [][]index.Hit{list(4, 4, 5), list(5)}, []index.Hit{{5, 0.25 + 0.5}, {4, 0.5}}},
	} {
		if diff := gocmp.Diff(c.want, index.Fuse(c.constant, c.lists...), near); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// TestFuseDoesNotDependOnOrder: with floating-point sums it would, in the last
// digit and then in the ties.
func TestFuseDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		lists := make([][]index.Hit, 5)
		for i := range lists {
			lists[i] = list(r.Perm(12)...)
		}
		want := index.Fuse(index.FuseConstant, lists...)
		r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
		if diff := gocmp.Diff(want, index.Fuse(index.FuseConstant, lists...)); diff != "" {
			t.Fatal(diff)
		}
	})
}
