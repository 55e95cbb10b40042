package stats

import (
	"encoding/json"
	"fmt"
)

// A Drift watches scores, one after another, for a mean that fell below a line. The
// scores lie between 0 and 1 and higher is better. [Drift.Evidence] may be looked at
// after every score: if an alarm is raised when it reaches A, the expected number of
// scores until an alarm is at least A, and the probability of an alarm within the
// first n scores is at most n/A, as long as the mean of each score, given all scores
// before it, is not below the line. Nothing else is assumed of the distribution.
//
// For each stake f of a fixed list, with λ = f/(1−line), it follows the e-detector of
// Shiryaev and Roberts
//
//	M ← (1 + λ(line − x))·(M + 1)
//
// and the evidence is the mean of M over the stakes. A Drift takes the same memory
// however many scores it has seen. It can be kept as JSON: the numbers are restored
// exactly. Source: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework
// for sequential change detection", arXiv 2203.03532, with the increments of
// Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
// arXiv 2010.09686.
type Drift struct {
	// Line is what the mean should not fall below.
	Line float64 `json:"line"`
	// Bets has one detector for each stake. It is empty if Line is 0, because
	// nothing can be below.
	Bets []DriftBet `json:"bets"`
}

// A DriftBet is the detector of one stake.
type DriftBet struct {
	// Stake is λ as a share of the largest possible one, between 0 and 1.
	Stake float64 `json:"stake"`
	// Evidence is M.
	Evidence float64 `json:"evidence"`
	// Run is the product of the increments 1 + λ(line − x) of the latest Since
	// scores: the largest such product, which is that of no score, 1, at least.
	Run   float64 `json:"run"`
	Since int     `json:"since"`
}

// driftStakes are the stakes: 0.9, halved six times. A stake f is the best one for
// hits and misses whose mean has fallen to (1 − f)·line; graded scores, which vary
// less, want a larger one for the same fall, and 0.9 is for these. No list
// that was simulated is faster everywhere; closer steps gain a twentieth at most, and
// smaller last stakes lose up to a sixth: see docs/results/watch.md.
var driftStakes = [...]float64{0.9, 0.9 / 2, 0.9 / 4, 0.9 / 8, 0.9 / 16, 0.9 / 32, 0.9 / 64}

// mostEvidence limits M and Run, which would overflow while a fall lasts.
// A limit only lowers them, which keeps the guarantee.
const mostEvidence = 1e300

// NewDrift returns a Drift that has seen no scores. ok is false if line is not in
// [0, 1): no mean is above 1, so that a line of 1 is crossed by the first lower score.
func NewDrift(line float64) (d Drift, ok bool) {
	if !(line >= 0 && line < 1) {
		return d, false
	}
	d.Line = line
	if line == 0 {
		return d, true
	}
	for _, stake := range driftStakes {
		d.Bets = append(d.Bets, DriftBet{Stake: stake, Run: 1})
	}
	return d, true
}

// Add adds a score. It reports false, and changes nothing, if x is not between 0 and 1.
func (d *Drift) Add(x float64) bool {
	if !isShare(x) {
		return false
	}
	below := (d.Line - x) / (1 - d.Line)
	for i := range d.Bets {
		b := &d.Bets[i]
		// The conversion rounds the product, as not every processor would.
		gain := 1 + float64(b.Stake*below)
		b.Evidence = min(gain*(b.Evidence+1), mostEvidence)
		if b.Run = min(gain*b.Run, mostEvidence); b.Run > 1 {
			b.Since++
		} else {
			b.Run, b.Since = 1, 0
		}
	}
	return true
}

// Evidence is how much speaks for a mean below the line, at some time up to now: see
// [Drift]. It is 0 at first.
func (d *Drift) Evidence() float64 {
	if len(d.Bets) == 0 {
		return 0
	}
	var sum float64
	for _, b := range d.Bets {
		sum += b.Evidence
	}
	return sum / float64(len(d.Bets))
}

// Since estimates how many of the latest scores came after the fall: the number for
// which the detector with the most evidence gained most. It is 0 if nothing speaks
// for a fall.
func (d *Drift) Since() int {
	var most DriftBet
	for _, b := range d.Bets {
		if b.Evidence > most.Evidence {
			most = b
		}
	}
	return most.Since
}

// UnmarshalJSON decodes what a Drift was encoded as, and refuses what no Drift is.
func (d *Drift) UnmarshalJSON(b []byte) error {
	type plain Drift // without this method
	var v plain
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("state of a drift detector: %w", err)
	}
	if !(v.Line >= 0 && v.Line < 1) {
		return fmt.Errorf("state of a drift detector: line %v, want 0 or more and less than 1", v.Line)
	}
	if (v.Line == 0) != (len(v.Bets) == 0) {
		return fmt.Errorf("state of a drift detector: %d bets with line %v, want none for line 0 and some for any other", len(v.Bets), v.Line)
	}
	for i, bet := range v.Bets {
		switch {
		case !(bet.Stake > 0 && bet.Stake < 1):
			return fmt.Errorf("state of a drift detector: bets[%d].stake %v, want more than 0 and less than 1", i, bet.Stake)
		case !(bet.Evidence >= 0 && bet.Evidence <= mostEvidence):
			return fmt.Errorf("state of a drift detector: bets[%d].evidence %v, want 0 to %v", i, bet.Evidence, mostEvidence)
		case !(bet.Run >= 1 && bet.Run <= mostEvidence):
			return fmt.Errorf("state of a drift detector: bets[%d].run %v, want 1 to %v", i, bet.Run, mostEvidence)
		case bet.Since < 0:
			return fmt.Errorf("state of a drift detector: bets[%d].since %d, want 0 or more", i, bet.Since)
		}
	}
	*d = Drift(v)
	return nil
}
