package stats

// A Winner is what a judge preferred of two answers, by content.
type Winner uint8

const (
	// NoWinner means that the judge saw no difference.
	NoWinner Winner = iota
	// WinnerA and WinnerB are the two answers.
	WinnerA
	WinnerB
)

// A Swap is the verdict on one pair of answers in both orders: Forth shows A
// first, Back shows B first.
type Swap struct{ Forth, Back Winner }

// PositionBias tells how far a judge prefers a place to an answer.
type PositionBias struct {
	// Pairs counts all, Consistent those with one winner in both orders. Only
	// these are verdicts; the others are ties.
	Pairs       int      `json:"pairs"`
	Consistent  int      `json:"consistent"`
	Consistency *float64 `json:"consistency"`
	// First counts the pairs that the answer shown first won in both orders,
	// Second those that the answer shown second did.
	First  int `json:"first"`
	Second int `json:"second"`
	// P is the two-sided p-value of the hypothesis that both are as likely.
	P float64 `json:"p"`
}

// MeasurePositionBias counts verdicts in both orders. A pair that was won in one
// order and a tie in the other is inconsistent, but says nothing of the place.
// Consistency is nil without pairs.
func MeasurePositionBias(pairs []Swap) PositionBias {
	b := PositionBias{Pairs: len(pairs)}
	for _, p := range pairs {
		switch {
		case p.Forth == p.Back:
			b.Consistent++
		case p == Swap{WinnerA, WinnerB}:
			b.First++
		case p == Swap{WinnerB, WinnerA}:
			b.Second++
		}
	}
	if c, ok := share(b.Consistent, b.Pairs); ok {
		b.Consistency = &c
	}
	b.P = SignTest(b.First, b.First+b.Second)
	return b
}
