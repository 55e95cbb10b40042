package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// manyTerms returns lists of n terms whose sums depend on each other: two of a kind,
// their sum, a copy, one of 0 and 1, none at all, one with fifty terms alone, and one
// that a single term outweighs.
func manyTerms(n int) map[string][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	lists := map[string][]float64{"none": make([]float64, n), "fifty": make([]float64, n), "one": make([]float64, n)}
	for k := range n {
		a, b := rng.NormFloat64(), rng.ExpFloat64()
		lists["normal"] = append(lists["normal"], a)
		lists["skewed"] = append(lists["skewed"], b)
		lists["sum"] = append(lists["sum"], a+b)
		lists["copy"] = append(lists["copy"], a)
		lists["hits"] = append(lists["hits"], float64(rng.IntN(3)-1))
		if k > 0 && k%(n/50) == 0 {
			lists["fifty"][k], lists["one"][k] = 1, a
		}
	}
	lists["one"][n/50] = 1000
	return lists
}

// Sums from the normal limit, and their largest over all lists, are as often as large as
// exact ones.
func TestSumsOfManyTerms(t *testing.T) {
	requiretest.Apart(t)
	t.Parallel()
	lists := manyTerms(manyClusters + 1)
	var names []string
	var terms [][]float64
	for name, list := range lists {
		names, terms = append(names, name), append(terms, list)
	}
	exact, limit := drawSums(terms, 1), signSums(terms, 2)
	names = append(names, "largest")
	exact, limit = append(exact, largestOf(terms, exact)), append(limit, largestOf(terms, limit))
	for i, name := range names {
		was, is := absolute(exact[i]), absolute(limit[i])
		for _, alpha := range []float64{0.5, 0.1, 0.05, 0.01, 0.001} {
			bar := was[int((1-alpha)*draws)]
			at, same := slices.BinarySearch(is, bar-1e-6)
			share := 1 - float64(at)/draws
			before, _ := slices.BinarySearch(was, bar-1e-6)
			// Both are samples. Equal sums of 0 and 1 count half where they are spread.
			want, room := 1-float64(before)/draws, 6*math.Sqrt(2*alpha/draws)
			if name == "hits" {
				room += 0.4 / math.Sqrt(manyClusters)
			}
			if math.Abs(share-want) > room {
				t.Errorf("%s: %.5f of the sums are at least %.4g (found %v), want %.5f ± %.5f", name, share, bar, same, want, room)
			}
		}
	}
}

func absolute(sums []float64) []float64 {
	out := make([]float64, len(sums))
	for b, s := range sums {
		out[b] = math.Abs(s)
	}
	slices.Sort(out)
	return out
}

// largestOf returns the largest of the sums, in standard deviations, for each pattern.
func largestOf(terms, sums [][]float64) []float64 {
	out := make([]float64, draws)
	for i, list := range terms {
		norm := 0.0
		for _, v := range list {
			norm += v * v
		}
		if norm == 0 {
			continue
		}
		for b, s := range sums[i] {
			out[b] = max(out[b], math.Abs(s)/math.Sqrt(norm))
		}
	}
	return out
}

// A list of which few terms matter is drawn as it is: fifty ones sum to an even number.
// One of which none does sums to 0, and copies to the same.
func TestSumsOfFewTermsThatMatter(t *testing.T) {
	t.Parallel()
	lists := manyTerms(manyClusters + 1)
	sums := signSums([][]float64{lists["fifty"], lists["normal"], lists["none"], lists["copy"]}, 1)
	for b := range draws {
		if s := sums[0][b]; math.Abs(s-2*math.Round(s/2)) > 1e-9 {
			t.Fatalf("pattern %d: %v is no sum of 50 signs", b, s)
		}
		if sums[2][b] != 0 || math.Abs(sums[1][b]-sums[3][b]) > 1e-6 {
			t.Fatalf("pattern %d: the sum of none is %v, those of copies %v and %v", b, sums[2][b], sums[1][b], sums[3][b])
		}
	}
}

// Up to manyClusters the signs themselves are drawn.
func TestSumsOfSigns(t *testing.T) {
	t.Parallel()
	list := slices.Repeat([]float64{1}, manyClusters)
	if got, want := signSums([][]float64{list}, 1), drawSums([][]float64{list}, 1); !slices.Equal(got[0], want[0]) {
		t.Error("5,000 terms have other sums than those of random signs")
	}
}
