package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// baseball has the wins of the row over the column in the eastern division of the American
// League in 1987: Agresti, Categorical Data Analysis, 1990, table 10.10.
var baseball = [][]int{
	{0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9}, {4, 6, 0, 7, 7, 8, 12}, {6, 8, 6, 0, 6, 7, 10},
	{6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6}, {2, 4, 1, 3, 1, 7, 0},
}

func played(wins [][]int) []Match {
	var out []Match
	for i, row := range wins {
		for j, n := range row {
			for range n {
				out = append(out, Match{Old: j, New: i, Outcome: Outcome{Value: 1, Case: fmt.Sprint(len(out))}})
			}
		}
	}
	return out
}

// TestBradleyTerryBaseball compares with the published fit: Milwaukee, Detroit, Toronto, New
// York, Boston and Cleveland beside Baltimore.
func TestBradleyTerryBaseball(t *testing.T) {
	t.Parallel()
	s := BradleyTerry(7, played(baseball), 0.95, 1)
	sum := 0.0
	for i, want := range []float64{1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0} {
		if got := s.Log[i] - s.Log[6]; math.Abs(got-want) > 5e-5 {
			t.Errorf("team %d: %.5f, published %.4f", i, got, want)
		}
		if !s.CI[i].Contains(s.Log[i]) {
			t.Errorf("team %d: %v without %v", i, s.CI[i], s.Log[i])
		}
		sum += s.Log[i]
	}
	if math.Abs(sum) > 1e-9 {
		t.Errorf("the strengths add up to %v, want 0", sum)
	}
}

func TestBradleyTerryByHand(t *testing.T) {
	t.Parallel()
	// Two systems, 3 of 4 wins: log odds ln 3, ±ln(3)/2 about the middle. A tie and a half
	// outcome: (0.5 + 0.75)/2 = 0.625.
	for _, c := range []struct {
		values []float64
		rate   float64
	}{{[]float64{1, 1, 1, -1}, 0.75}, {[]float64{0, 0.5}, 0.625}, {[]float64{0, 0}, 0.5}} {
		var m []Match
		for _, o := range outcomes(c.values...) {
			m = append(m, Match{0, 1, o})
		}
		s := BradleyTerry(2, m, 0.95, 1)
		if want := math.Log(c.rate/(1-c.rate)) / 2; math.Abs(s.Log[1]-want) > 1e-9 || math.Abs(s.Log[0]+want) > 1e-9 {
			t.Errorf("%v: %v, want ±%v", c.values, s.Log, want)
		}
	}
}

func TestBradleyTerryNotIdentified(t *testing.T) {
	t.Parallel()
	win := func(old, new int) Match { return Match{old, new, Outcome{Value: 1}} }
	tie := func(old, new int) Match { return Match{old, new, Outcome{}} }
	half := func(old, new int) Match { return Match{old, new, Outcome{Value: 0.5}} }
	for name, c := range map[string]struct {
		systems int
		matches []Match
		groups  [][]int
		above   [][2]int
		ordered bool
	}{
		"no match":        {3, nil, [][]int{{0}, {1}, {2}}, nil, false},
		"two apart":       {3, []Match{tie(0, 2)}, [][]int{{0, 2}, {1}}, nil, false},
		"one beats all":   {3, []Match{tie(0, 1), win(0, 2), win(1, 2)}, [][]int{{2}, {0, 1}}, [][2]int{{0, 1}}, true},
		"a chain":         {3, []Match{win(0, 1), win(1, 2), win(0, 2)}, [][]int{{2}, {1}, {0}}, [][2]int{{0, 1}, {1, 2}}, true},
		"a circle":        {3, []Match{win(0, 1), win(1, 2), win(2, 0)}, nil, nil, true},
		"not a number":    {3, []Match{{0, 1, Outcome{Value: math.NaN()}}, tie(1, 2)}, [][]int{{1, 2}, {0}}, nil, false},
		"no such system":  {3, []Match{tie(0, 7), tie(-1, 2), tie(1, 1)}, [][]int{{0}, {1}, {2}}, nil, false},
		"ties everywhere": {3, []Match{tie(0, 1), tie(1, 2)}, nil, nil, true},
		// The losers were never compared with each other.
		"two losers":   {3, []Match{win(1, 0), win(2, 0)}, [][]int{{0}, {1}, {2}}, [][2]int{{0, 1}, {0, 2}}, false},
		"two winners":  {3, []Match{win(0, 1), win(0, 2)}, [][]int{{1}, {2}, {0}}, [][2]int{{0, 2}, {1, 2}}, false},
		"half in part": {3, []Match{half(0, 1), win(2, 0)}, [][]int{{0, 1}, {2}}, [][2]int{{0, 1}}, true},
		"one alone":    {3, []Match{win(1, 0)}, [][]int{{0}, {1}, {2}}, [][2]int{{0, 1}}, false},
		// A baseline between the others: 1 and 2 are above it, 3 and 4 below.
		"a baseline": {5, []Match{win(0, 1), win(0, 2), win(3, 0), win(4, 0)}, [][]int{{1}, {2}, {0}, {3}, {4}},
			[][2]int{{0, 2}, {1, 2}, {2, 3}, {2, 4}}, false},
		// 0 over 1 over 2 and over 3: that 0 is above the last two follows.
		"what follows": {4, []Match{win(1, 0), win(2, 1), win(3, 1), win(2, 0), win(3, 0)}, [][]int{{0}, {1}, {2}, {3}},
			[][2]int{{0, 1}, {1, 2}, {1, 3}}, false},
		// Two chains side by side.
		"two chains": {4, []Match{win(1, 0), win(3, 2)}, [][]int{{0}, {2}, {1}, {3}}, [][2]int{{0, 2}, {1, 3}}, false},
	} {
		s := BradleyTerry(c.systems, c.matches, 0.95, 1)
		if !slices.EqualFunc(s.Groups, c.groups, slices.Equal) || !slices.Equal(s.Above, c.above) || s.Ordered() != c.ordered ||
			s.Identified() != (c.groups == nil) {
			t.Errorf("%s: groups %v, above %v, ordered %v, strengths %v", name, s.Groups, s.Above, s.Ordered(), s.Log)
		}
	}
}

// TestBradleyTerryConstant: a strength on which nothing casts doubt has no interval.
func TestBradleyTerryConstant(t *testing.T) {
	t.Parallel()
	match := func(old, new, i int, value float64) Match {
		return Match{old, new, Outcome{Value: value, Case: fmt.Sprint(i)}}
	}
	for name, c := range map[string]struct {
		of    func(i int) []Match
		known [3]bool
	}{
		"only ties":   {func(i int) []Match { return []Match{match(0, 1, i, 0), match(1, 2, i, 0), match(0, 2, i, 0)} }, [3]bool{}},
		"only halves": {func(i int) []Match { return []Match{match(0, 1, i, 0.5), match(1, 2, i, 0.5)} }, [3]bool{}},
		"ties with the baseline, one never compared": {
			func(i int) []Match { return []Match{match(0, 1, i, 0), match(0, 2, i, 0)} }, [3]bool{}},
		"two that differ and one that ties": {func(i int) []Match {
			return []Match{match(0, 1, i, 0), match(1, 2, i, float64(1-i%2*2)), match(0, 2, i, 0)}
		}, [3]bool{false, true, true}},
	} {
		var matches []Match
		for i := range 30 {
			matches = append(matches, c.of(i)...)
		}
		s := BradleyTerry(3, matches, 0.95, 1)
		if !s.Identified() || len(s.CI) != 3 {
			t.Fatalf("%s: %+v", name, s)
		}
		for i, known := range c.known {
			if (s.CI[i] != nil) != known || known && s.CI[i].Hi-s.CI[i].Lo < 0.1 {
				t.Errorf("%s: system %d has the interval %v", name, i, s.CI[i])
			}
		}
	}
}

// TestBradleyTerrySwaps: neither the order of the systems nor that of the two sides of a
// match changes a strength, nor by more than the draws an interval.
func TestBradleyTerrySwaps(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var there, back []Match
		for i := range 90 {
			m := Match{Old: i % 3, New: (i + 1) % 3, Outcome: Outcome{Value: float64(rng.IntN(5)-2) / 2, Case: fmt.Sprint(i / 3)}}
			there = append(there, m)
			m.Old, m.New, m.Value = 2-m.New, 2-m.Old, -m.Value
			back = append(back, m)
		}
		x, y := BradleyTerry(3, there, 0.95, 3), BradleyTerry(3, back, 0.95, 3)
		for i := range 3 {
			if math.Abs(x.Log[i]-y.Log[2-i]) > 1e-9 || math.Abs(x.CI[i].Lo-y.CI[2-i].Lo) > 1e-9 || math.Abs(x.CI[i].Hi-y.CI[2-i].Hi) > 1e-9 {
				t.Errorf("seed %d, system %d: %v %v, swapped %v %v", seed, i, x.Log[i], x.CI[i], y.Log[2-i], y.CI[2-i])
			}
		}
	}
}
