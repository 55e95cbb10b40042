package canary

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// The p-values are counted by hand: of 3^g choices of the answer that stands apart.
func TestApart(t *testing.T) {
	t.Parallel()
	now, second, none := [3]float64{0, 0, 1}, [3]float64{0, 1, 0}, [3]float64{1, 1, 1}
	for name, c := range map[string]struct {
		likes []([3]float64)
		p     float64
		ok    bool
	}{
		"four passages cannot show it": {slices.Repeat([][3]float64{now}, 4), 0, false},
		"five that all show it":        {slices.Repeat([][3]float64{now}, 5), 1.0 / 243, true},
		"five of ten":                  {slices.Concat(slices.Repeat([][3]float64{now}, 5), slices.Repeat([][3]float64{none}, 5)), 1.0 / 243, true},
		// Of 3^5 choices: all now; or one of the five elsewhere, in two ways each.
		"one the other way": {slices.Concat(slices.Repeat([][3]float64{now}, 4), [][3]float64{second}), 11.0 / 243, true},
		"nothing differs":   {slices.Repeat([][3]float64{none}, 6), 1, true},
		"twelve, drawn":     {slices.Repeat([][3]float64{none}, 12), 1, true},
	} {
		var all []likenesses
		for _, l := range c.likes {
			all = append(all, likenesses{of: l})
		}
		if p, ok := apart(all); ok != c.ok || math.Abs(p-c.p) > 1e-12 {
			t.Errorf("%s: p = %v, %v; want %v, %v", name, p, ok, c.p, c.ok)
		}
	}
	// Drawn and counted p-values agree: of eleven passages in which one answer of three differs,
	// six times that of now.
	drawn := slices.Concat(slices.Repeat([]likenesses{{of: now}}, 6), slices.Repeat([]likenesses{{of: second}}, 5))
	p, _ := apart(drawn)
	terms := slices.Concat(slices.Repeat([][3]float64{{1, -0.5, -0.5}}, 6), slices.Repeat([][3]float64{{-0.5, 1, -0.5}}, 5))
	if exact := float64(reaching(terms, 3.5-1e-9)) / math.Pow(3, 11); math.Abs(p-exact) > 0.01 {
		t.Errorf("drawn p = %v, counted %v", p, exact)
	}
}

// The id of a set is that of the judge, its question, the number of items and their languages.
func TestSetID(t *testing.T) {
	t.Parallel()
	info := assay.JudgeInfo{Provider: "p", Model: "m", Passes: 1, Prompts: map[string]string{"support": "a", "claims": "b"}}
	id := Of(info, 20).ID()
	same := info
	same.Prompts = map[string]string{"support": "a", "claims": "other"}
	if Of(same, 20).ID() != id {
		t.Error("the prompt of another question changes the id")
	}
	other := info
	other.Prompts = map[string]string{"support": "other"}
	warm := info
	warm.Parameters = map[string]string{"temperature": "1"}
	seen := map[string]bool{id: true}
	for _, s := range []Set{Of(other, 20), Of(warm, 20), Of(info, 19), Of(info, 20, judge.English), Of(info, 20, judge.Chinese)} {
		if seen[s.ID()] {
			t.Errorf("%+v: an id that another set has", s)
		}
		seen[s.ID()] = true
	}
}

// Draws of other keys and rounds differ, and all show a list of 1 to 6 claims in the same order.
func TestDraw(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for _, key := range []string{"a", "b", "c"} {
		for round := range 2 {
			d := Draw(key, round)
			if seen[d] || d%60 != 0 || d < 1<<20 || d > math.MaxInt32 || d != Draw(key, round) {
				t.Errorf("draw %d of %s, round %d", d, key, round)
			}
			seen[d] = true
		}
	}
}

// A set with too few rulings is not frozen.
func TestFreeze(t *testing.T) {
	t.Parallel()
	for known, want := range map[int]bool{20: true, 16: true, 15: false, 0: false} {
		s := Of(assay.JudgeInfo{}, 20)
		answers := make([]Answer, 20)
		for i := range known {
			answers[i].Known = true
		}
		if err := s.Freeze("r", time.Now(), [2][]Answer{answers, answers}); (err == nil) != want {
			t.Errorf("%d of 20: %v", known, err)
		}
	}
}
