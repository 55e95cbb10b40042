package checks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

var numberKinds = map[string]kind{
	assay.CheckNumbers: {
		value: numbers, limits: "the largest difference, from 0", exact: true, takes: []string{"relative"},
		more: func(c assay.Check) error { return amount("relative", c.Relative) }, reads: hasNumbers,
	},
}

// numbers accepts numbers, and texts that have some.
func numbers(v any) error {
	want := `a number, a text with numbers such as "3.5 %", or a list of these`
	all := listed(v)
	if len(all) == 0 {
		return &Problem{"value", what(v), want}
	}
	for _, one := range all {
		if len(numbersIn(one)) == 0 {
			return &Problem{"value", what(one), want}
		}
	}
	return nil
}

// numbersIn returns the numbers of a value of a check.
func numbersIn(v any) []text.Number {
	if s, ok := v.(string); ok {
		return text.Numbers(s)
	}
	if x, ok := numberOf(v); ok {
		s := strconv.FormatFloat(x, 'f', -1, 64)
		return []text.Number{{Text: s, Key: s}}
	}
	return nil
}

// hasNumbers requires each number of the value among those of the answer. A percentage is
// compared with percentages, and dates and versions with the same.
func hasNumbers(c assay.Check, answer string, limit float64) (bool, string) {
	relative := 0.0
	if c.Relative != nil {
		relative = *c.Relative
	}
	said := text.Numbers(answer)
	var missing []string
	for _, v := range listed(c.Value) {
		for _, want := range numbersIn(v) {
			if !slices.ContainsFunc(said, func(n text.Number) bool { return within(want.Key, n.Key, limit, relative) }) {
				missing = append(missing, want.Text)
			}
		}
	}
	why := "lacks " + strings.Join(missing, ", ")
	if len(missing) > 0 && len(said) > 0 {
		var all []string
		for _, n := range said[:min(len(said), 10)] {
			all = append(all, n.Text)
		}
		why += fmt.Sprintf("; has %s", strings.Join(all, ", "))
	}
	return missing == nil, why
}

// within reports whether two numbers differ by no more than the limit, or the share of the
// first.
func within(want, is string, limit, relative float64) bool {
	if want == is {
		return true
	}
	if strings.HasPrefix(want, "%") != strings.HasPrefix(is, "%") {
		return false
	}
	a, errA := strconv.ParseFloat(strings.TrimPrefix(want, "%"), 64)
	b, errB := strconv.ParseFloat(strings.TrimPrefix(is, "%"), 64)
	if errA != nil || errB != nil {
		return false // a date or a version
	}
	// Decimals such as 0.3 are not exact.
	most := max(limit, relative*math.Abs(a))
	return math.Abs(a-b) <= most+1e-9*max(math.Abs(a), math.Abs(b))
}
