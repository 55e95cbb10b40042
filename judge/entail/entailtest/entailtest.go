// Package entailtest is the contract of an [entail.Scorer] as a test.
package entailtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay/judge/entail"
)

// Run holds scorers to the contract. open gives one; the model behind it may say what it
// likes. tolerance is how far two scores of a pair may be apart, for models whose batches
// round differently.
func Run(t *testing.T, tolerance float64, open func(t *testing.T) entail.Scorer) {
	score := func(t *testing.T, s entail.Scorer, pairs ...entail.Pair) []entail.Score {
		t.Helper()
		got, err := s.Score(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(pairs) {
			t.Fatalf("%d scores for %d pairs", len(got), len(pairs))
		}
		for i, one := range got {
			if !(one.Entailed >= 0 && one.Entailed <= 1) || one.Contradicted != nil && !(*one.Contradicted >= 0 && *one.Contradicted <= 1) {
				t.Errorf("pair %d: %+v: want probabilities", i, one)
			}
		}
		return got
	}
	same := func(t *testing.T, what string, a, b entail.Score) {
		t.Helper()
		if d := a.Entailed - b.Entailed; d > tolerance || d < -tolerance || a.Why != b.Why || (a.Contradicted == nil) != (b.Contradicted == nil) {
			t.Errorf("%s: %+v and %+v", what, a, b)
		}
	}
	t.Run("pairs", func(t *testing.T) {
		s := open(t)
		pairs := []entail.Pair{
			{Document: "The ferry leaves at nine.", Claim: "The ferry leaves at nine."},
			{Document: "The ferry leaves at nine.", Claim: "The library is blue."},
			{Document: "船九點開。", Claim: "船幾點開？"},
			{Document: "", Claim: "Nothing."}, {Document: "Something.", Claim: ""},
			{Document: "line\nline \"quoted\" <b>\x00\u202e", Claim: "🚢"},
			{Document: "The ferry leaves at nine.", Claim: "The ferry leaves at nine."},
		}
		all := score(t, s, pairs...)
		for i, p := range pairs {
			same(t, fmt.Sprintf("pair %d alone and among others", i), all[i], score(t, s, p)[0])
			same(t, fmt.Sprintf("pair %d by another scorer", i), all[i], score(t, open(t), p)[0])
		}
	})
	t.Run("none", func(t *testing.T) { score(t, open(t)) })
	t.Run("order", func(t *testing.T) {
		s := open(t)
		pairs := make([]entail.Pair, 70)
		for i := range pairs {
			pairs[i] = entail.Pair{Document: strings.Repeat("a harbour ", i%7), Claim: fmt.Sprintf("harbour number %d", i)}
		}
		all := score(t, s, pairs...)
		for _, i := range []int{0, 31, 32, 33, 69} {
			same(t, fmt.Sprintf("pair %d of many", i), all[i], score(t, s, pairs[i])[0])
		}
	})
	t.Run("at once", func(t *testing.T) {
		s := open(t)
		shared := entail.Pair{Document: "shared", Claim: "shared"}
		want := score(t, s, shared)[0]
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				got, err := s.Score(t.Context(), []entail.Pair{shared, {Document: "own", Claim: fmt.Sprint(i)}})
				if err != nil || len(got) != 2 {
					t.Errorf("%d scores, %v", len(got), err)
					return
				}
				same(t, "shared", want, got[0])
			})
		}
		all.Wait()
	})
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := open(t).Score(ctx, []entail.Pair{{Document: "a", Claim: "b"}}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: want %v", err, context.Canceled)
		}
	})
}
