package stats_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/stats"
)

// expected weighs the calls and the decision of every sequence of votes of a
// curtailed vote by its probability, when each vote is 1 with probability p.
func expected(passes int, p float64) (calls, right float64) {
	for _, all := range lists(passes, 2) {
		v := stats.NewVote(passes, false)
		for v.Open() > 0 {
			v.Cast(all[v.Len()])
		}
		weight := 1.0
		for _, vote := range all {
			weight *= p*vote + (1-p)*(1-vote)
		}
		label, _ := v.Decision()
		calls += weight * float64(v.Len())
		right += weight * label
	}
	return calls, right
}

func TestMajorityWorked(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"majority_3", "majority_5", "majority_7"} {
		var in struct {
			K int
			P []float64
		}
		var want struct {
			Accuracy      []float64
			ExpectedCalls []float64 `json:"expected_calls"`
			SavedShare    []float64 `json:"saved_share"`
		}
		requiretest.Worked(t, id, &in, &want)
		for i, p := range in.P {
			calls, right := expected(in.K, p)
			near(t, id+" accuracy", right, want.Accuracy[i], 1e-9)
			near(t, id+" calls", calls, want.ExpectedCalls[i], 1e-9)
			near(t, id+" saved", 1-calls/float64(in.K), want.SavedShare[i], 1e-9)
		}
	}
}

func TestMajorityMixedWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		K    int
		Beta []float64
	}
	var want struct {
		ExpectedCalls float64 `json:"expected_calls"`
		SavedShare    float64 `json:"saved_share"`
	}
	requiretest.Worked(t, "majority_mixed_items", &in, &want)
	// By summing over p, whose density under Beta(8,1) is 8p⁷.
	if in.Beta[0] != 8 || in.Beta[1] != 1 {
		t.Fatalf("Beta(%v): want Beta(8, 1)", in.Beta)
	}
	const steps = 2000
	calls := 0.0
	for i := range steps {
		p := (float64(i) + 0.5) / steps
		n, _ := expected(in.K, p)
		calls += 8 * math.Pow(p, 7) * n / steps
	}
	near(t, "calls", calls, want.ExpectedCalls, 2e-3)
	near(t, "saved", 1-calls/float64(in.K), want.SavedShare, 2e-3)
}

func TestSequentialVoteWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		K     int
		Votes []*float64
	}
	var want struct{ Label, Calls float64 }
	requiretest.Worked(t, "seq_vote", &in, &want)
	v := stats.NewVote(in.K, false)
	calls := 0.0
	for _, vote := range in.Votes {
		if v.Open() == 0 {
			break
		}
		calls++
		if vote != nil {
			v.Cast(*vote)
		}
	}
	label, ok := v.Decision()
	if !ok || label != want.Label || calls != want.Calls {
		t.Errorf("got %v %v after %v calls, want %+v", label, ok, calls, want)
	}
}

// lists gives every list of n labels from 0 to k−1.
func lists(n, k int) [][]float64 {
	out := [][]float64{nil}
	for range n {
		var next [][]float64
		for _, l := range out {
			for label := range k {
				next = append(next, append(append([]float64(nil), l...), float64(label)))
			}
		}
		out = next
	}
	return out
}

// plainMajority and plainMedian decide from all votes.
func plainMajority(votes []float64) (float64, bool) {
	for _, label := range votes {
		n := 0
		for _, v := range votes {
			if v == label {
				n++
			}
		}
		if n > len(votes)/2 {
			return label, true
		}
	}
	return 0, false
}

func plainMedian(votes []float64) (float64, bool) {
	for _, label := range votes {
		below, above := 0, 0
		for _, v := range votes {
			if v < label {
				below++
			}
			if v > label {
				above++
			}
		}
		if below <= len(votes)/2 && above <= len(votes)/2 {
			return label, true
		}
	}
	return 0, false
}

// TestCurtailedVoteIsFullVote: cast one by one until it is no longer open, a vote
// decides as all of its passes would; while it is open, Open never promises a
// settlement earlier than there can be one.
func TestCurtailedVoteIsFullVote(t *testing.T) {
	t.Parallel()
	for _, k := range []int{1, 3, 5, 7} {
		for _, labels := range []int{2, 3, 4} {
			if k == 7 && labels == 4 {
				continue
			}
			for _, all := range lists(k, labels) {
				for _, ordered := range []bool{false, true} {
					v := stats.NewVote(k, ordered)
					for v.Open() > 0 {
						if v.Open() > k-v.Len() {
							t.Fatalf("%v: %d votes are still needed after %d of %d", all, v.Open(), v.Len(), k)
						}
						before := v.Open()
						v.Cast(all[v.Len()])
						if v.Open() < before-1 && v.Open() > 0 {
							t.Fatalf("%v: one vote saved more than one", all)
						}
					}
					got, ok := v.Decision()
					want, wantOK := plainMajority(all)
					if ordered {
						want, wantOK = plainMedian(all)
					}
					if ok != wantOK || got != want {
						t.Fatalf("%v ordered %v: %v %v after %d, want %v %v", all, ordered, got, ok, v.Len(), want, wantOK)
					}
				}
			}
		}
	}
}
