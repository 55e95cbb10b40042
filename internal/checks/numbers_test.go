package checks_test

import (
	"testing"

	"github.com/assay-eval/assay"
)

// A number of many digits is another one if any digit is another; only what JSON or a sum in
// binary rounds is the same.
func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ check, answer, want string }{
		{`{"kind": "numbers", "value": "5551234567"}`, "Call 5551234568.", "failed"},
		{`{"kind": "numbers", "value": 5551234567}`, "Call 5551234568.", "failed"},
		{`{"kind": "numbers", "value": 5551234567}`, "Call 5551234567.", "passed"},
		{`{"kind": "numbers", "value": 12345678901}`, "12345678902", "failed"},
		{`{"kind": "numbers", "value": 1234567890.5}`, "1234567890", "failed"},
		{`{"kind": "numbers", "value": 1234567890.5}`, "1,234,567,890.50", "passed"},
		{`{"kind": "numbers", "value": 9007199254740991}`, "9007199254740990", "failed"},
		{`{"kind": "numbers", "value": "9007199254740993"}`, "9007199254740992", "failed"},
		{`{"kind": "numbers", "value": "9007199254740993"}`, "9007199254740993", "passed"},
		{`{"kind": "numbers", "value": 12345678901234567890}`, "12345678901234567890", "passed"}, // 2048 between floats
		{`{"kind": "numbers", "value": 12345678901234567890}`, "12345678901234560000", "failed"},
		{`{"kind": "numbers", "value": 0.30000000000000004}`, "0.3", "passed"}, // 0.1 + 0.2
		{`{"kind": "numbers", "value": 0.3000001}`, "0.3", "failed"},
		{`{"kind": "numbers", "value": 5551234567, "threshold": 1}`, "5551234568", "passed"},
		{`{"kind": "numbers", "value": 5551234567, "threshold": 1}`, "5551234569", "failed"},
		{`{"kind": "numbers", "value": "0.3", "threshold": 0.1}`, "0.4", "passed"},
		{`{"kind": "numbers", "value": 0.3, "threshold": 0.1}`, "0.4000001", "failed"},
		{`{"kind": "numbers", "value": -7, "relative": 0.1}`, "-7.7", "passed"},
		{`{"kind": "numbers", "value": -7, "relative": 0.1}`, "-7.71", "failed"},
		{`{"kind": "numbers", "value": "2024-06-25", "threshold": 5}`, "2024-06-26", "failed"},
		{`{"kind": "numbers", "value": 0}`, "It is 0.0.", "passed"},
	} {
		if got := outcome(run(t, parse(t, c.check), &assay.Response{Answer: c.answer})); got != c.want {
			t.Errorf("%s: %q %s, want %s", c.check, c.answer, got, c.want)
		}
	}
}
