package checks

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

func validNumbers(c assay.Check) error { return amount("relative", c.Relative) }

// numbers accepts numbers, and texts that have some.
func numbers(v any) error {
	want := `a number, a text with numbers such as "3.5 %", or a list of these`
	for _, one := range listed(v) {
		if len(numbersIn(one)) == 0 {
			return mustBe(one, false, want)
		}
	}
	return mustBe(v, len(listed(v)) > 0, want)
}

// A wanted is a number that the answer should have.
type wanted struct {
	text.Number
	// value is nil of a date and of a version. slack is how far it may be off, because a
	// fraction of JSON is binary and can be the result of a sum, and a float of many digits
	// is rounded.
	value, slack *big.Rat
}

// numbersIn returns the numbers of a value of a check.
func numbersIn(v any) (out []wanted) {
	if s, ok := v.(string); ok {
		for _, n := range read(s) {
			out = append(out, wanted{n, valueOf(n.Key), new(big.Rat)})
		}
		return out
	}
	x, ok := numberOf(v)
	if !ok {
		return nil
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	w := wanted{text.Number{Text: s, Key: s}, new(big.Rat).SetFloat64(x), new(big.Rat)}
	ulp := math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x)
	switch {
	case x != math.Trunc(x):
		w.slack.SetFloat64(2 * ulp)
	case ulp > 1:
		w.slack.SetFloat64(ulp / 2)
	}
	return []wanted{w}
}

var figures = lazyregexp.New(`\d[\d.,]*\d`)

// read returns the numbers of a text, also English ones in words, but not "one", which is
// mostly a pronoun. A comma before one or two digits is a decimal point.
func read(s string) (out []text.Number) {
	s = figures().ReplaceAllStringFunc(s, func(m string) string {
		whole, decimals, _ := strings.Cut(m, ",")
		if len(decimals) < 1 || len(decimals) > 2 || strings.ContainsAny(whole+decimals, ".,") {
			return m
		}
		return whole + "." + decimals
	})
	for line := range strings.Lines(s) {
		written := text.Numbers(line)
		isOne := func(n text.Number) bool { return n.Key == "1" }
		all := text.Numbers(text.InDigits(line))
		if !slices.ContainsFunc(written, isOne) {
			all = slices.DeleteFunc(all, isOne)
		}
		out = append(out, all...)
	}
	return out
}

// longestNumber is how many characters a number may have that is compared by its value.
const longestNumber = 400

// valueOf returns the value of a number by its key; nil if it is a date or a version.
func valueOf(key string) *big.Rat {
	key = strings.TrimPrefix(key, "%")
	if len(key) > longestNumber {
		return nil
	}
	x, ok := new(big.Rat).SetString(key)
	if !ok {
		return nil
	}
	return x
}

// exactly returns the decimal number that a float of a file stands for.
func exactly(x float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok { // it is no number, which a check may not have
		return new(big.Rat)
	}
	return r
}

// perNumber is what the comparison of two numbers costs.
const perNumber = longestNumber

// hasNumbers requires each number of the value among those of the answer. A percentage is
// compared with percentages, and dates and versions with the same. Numbers are compared as
// decimals, to the last digit.
func hasNumbers(m *meter, c assay.Check, answer string, limit float64) (bool, string) {
	relative := new(big.Rat)
	if c.Relative != nil {
		relative = exactly(*c.Relative)
	}
	said := read(answer)
	values := make([]*big.Rat, len(said))
	for i, n := range said {
		values[i] = valueOf(n.Key)
	}
	var missing []string
	for _, v := range listed(c.Value) {
		for _, want := range numbersIn(v) {
			most := want.most(exactly(limit), relative)
			m.spend(len(said) * perNumber)
			has := false
			for i, n := range said {
				has = has || want.is(n, values[i], most)
			}
			if !has {
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

// most is the largest difference: the limit, or the share of the number.
func (w wanted) most(limit, relative *big.Rat) *big.Rat {
	out := new(big.Rat).Set(limit)
	if w.value == nil {
		return out
	}
	if share := new(big.Rat).Mul(relative, new(big.Rat).Abs(w.value)); share.Cmp(out) > 0 {
		out = share
	}
	return out.Add(out, w.slack)
}

// is reports whether a number of the answer differs by no more than most.
func (w wanted) is(n text.Number, value, most *big.Rat) bool {
	if w.Key == n.Key {
		return true
	}
	if w.value == nil || value == nil || strings.HasPrefix(w.Key, "%") != strings.HasPrefix(n.Key, "%") {
		return false
	}
	off := new(big.Rat).Sub(w.value, value)
	return off.Abs(off).Cmp(most) <= 0
}
