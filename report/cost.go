package report

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A bill is what a run was expected to cost and what it did, in micro-dollars.
// What is 0 is nothing, or not known.
type bill struct {
	// Estimated is what judging was expected to cost, Calls how many calls.
	Estimated int64
	Calls     int
	// Target is what the target reported, Judging what the run paid for its
	// judging.
	Target, Judging int64
	// Paid is set when every call had been paid for by an earlier run.
	Paid bool
}

func billOf(h assay.Header, s summary.Summary) bill {
	b := bill{Target: s.Usage.Cost, Judging: s.Judging.Usage.Cost}
	// A run knows what it paid from its ledger; without one it is what the
	// calls are priced at.
	if h.Spending != nil {
		b.Judging = h.Spending.Usage.Cost
		b.Paid = b.Judging == 0 && h.Spending.Calls == 0 && s.Judging.Calls > 0
	}
	if e := h.Estimated; e != nil {
		b.Estimated, b.Calls = e.Usage.Cost, e.Calls
	}
	return b
}

// total is what the run cost.
func (b bill) total() int64 { return b.Target + b.Judging }

// estimated says what was expected; "" when nobody did.
func (b bill) estimated() string {
	calls := plural(b.Calls, "call", "calls")
	switch {
	case b.Estimated > 0 && b.Calls > 0:
		return assay.Dollars(b.Estimated) + " for judging, " + calls
	case b.Estimated > 0:
		return assay.Dollars(b.Estimated) + " for judging"
	case b.Calls > 0:
		return calls + " for judging, at no known price"
	}
	return ""
}

// actual says what the run cost, the target's part and the judging's apart; ""
// when that is not known.
func (b bill) actual() string {
	var of []string
	if b.Target > 0 {
		of = append(of, "target "+assay.Dollars(b.Target))
	}
	switch {
	case b.Judging > 0:
		of = append(of, "judging "+assay.Dollars(b.Judging))
	case b.Paid:
		of = append(of, "judging $0.00: every reply was paid for earlier")
	}
	if of == nil {
		return ""
	}
	return assay.Dollars(b.total()) + " (" + strings.Join(of, ", ") + ")"
}

// told reports whether there is more to say than what the target reported.
func (b bill) told() bool { return b.Judging > 0 || b.estimated() != "" }

// costLine says in one line what the run was expected to cost and what it did.
func costLine(h assay.Header, s summary.Summary) string {
	b := billOf(h, s)
	if !b.told() {
		return usageLine(s.Usage)
	}
	var out []string
	if e := b.estimated(); e != "" {
		out = append(out, "estimated "+e)
	}
	if a := b.actual(); a != "" {
		out = append(out, "actual "+a)
	}
	if u := tokensLine(s.Usage); u != "" {
		out = append(out, "target "+u)
	}
	return strings.Join(out, " · ")
}
