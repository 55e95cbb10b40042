package checks_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay/internal/checks"
)

// The share of a set is known only between bounds if a member has no result, even where its
// verdict is decided.
func TestShareOfSet(t *testing.T) {
	t.Parallel()
	const open, holds, fails = `{"kind": "must_state", "value": "a"}`, `{"kind": "length", "min": 1}`, `{"kind": "length", "min": 1000}`
	const half = `{"kind": "set", "threshold": 0.5, "checks": [` + holds + `, ` + open + `]}`
	for _, c := range []struct {
		check, want  string
		lower, upper float64
		scored       bool
	}{
		{`{"kind": "set", "checks": [` + open + `, ` + holds + `, ` + fails + `]}`, "failed", 1. / 3, 2. / 3, false},
		{`{"kind": "set", "not": true, "checks": [` + open + `, ` + holds + `, ` + fails + `]}`, "passed", 1. / 3, 2. / 3, false},
		{`{"kind": "set", "checks": [` + open + `, ` + holds + `]}`, "none", 0.5, 1, false},
		{half, "passed", 0.5, 1, false},
		{`{"kind": "set", "checks": [` + half + `, ` + fails + `]}`, "failed", 0.25, 0.5, false},
		{`{"kind": "set", "checks": [` + half + `, ` + holds + `]}`, "passed", 0.75, 1, false},
		{`{"kind": "set", "threshold": 0.4, "checks": [` + half + `, ` + fails + `]}`, "none", 0.25, 0.5, false},
		{`{"kind": "set", "checks": [` + holds + `, ` + fails + `]}`, "failed", 0.5, 0.5, true},
		{`{"kind": "set", "checks": [{"kind": "must_state", "value": "a", "weight": 0}, ` + holds + `]}`, "passed", 1, 1, true},
		{`{"kind": "set", "checks": [{"kind": "length", "min": 1000, "weight": 0}]}`, "skipped", 0, 0, true},
		{`{"kind": "set", "checks": [{"kind": "set", "checks": [{"kind": "length", "min": 1000, "weight": 0}]}, ` + fails + `]}`, "failed", 0, 0, true},
	} {
		k := parse(t, c.check)
		if err := checks.Valid(k); err != nil {
			t.Fatal(err)
		}
		r := run(t, k, response("24 days"))
		off := math.Abs(r.Lower-c.lower) + math.Abs(r.Upper-c.upper)
		if got := outcome(r); got != c.want || off > 1e-12 || (r.Unscored() == nil) != c.scored {
			t.Errorf("%s: %s, from %v to %v, %v; want %s, from %v to %v", c.check, got, r.Lower, r.Upper, r.Unscored(), c.want, c.lower, c.upper)
		}
	}
}
