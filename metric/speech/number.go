package speech

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// Numbers are the numbers in two texts, aligned in order.
type Numbers struct {
	Counts
	// Lost are the numbers of the reference that the hypothesis lacks at their
	// position, Added those that only the hypothesis has, as written.
	Lost  []string `json:"lost"`
	Added []string `json:"added"`
}

// CompareNumbers is the function of that name, of texts whose numbers are written in digits if the profile says so.
func (p Profile) CompareNumbers(reference, hypothesis string) Numbers {
	if p.Numbers {
		reference, hypothesis = inDigits(reference), inDigits(hypothesis)
	}
	return CompareNumbers(reference, hypothesis)
}

// CompareNumbers aligns the numbers of two texts by value: "HK$1,065",
// "１０６５元" and "一千零六十五蚊" are the same number, as are "5.3" and "五點三", or "-5"
// and "負5"; "百分之三" equals "3%" but not "3". A date is one number. The texts must not be normalised, because
// normalisation removes signs that are part of numbers. Numbers in English words
// are not recognised.
func CompareNumbers(reference, hypothesis string) Numbers {
	r, h := numbersOf(reference), numbersOf(hypothesis)
	n := Numbers{Lost: []string{}, Added: []string{}}
	if len(r)+len(h) == 0 {
		return n
	}
	rk, hk := keysOf(r), keysOf(h)
	for _, s := range Align(rk, hk) {
		n.add(s.Op)
		if s.Op == Hit {
			continue
		}
		if s.Reference >= 0 {
			n.Lost = append(n.Lost, r[s.Reference].Text)
		}
		if s.Hypothesis >= 0 {
			n.Added = append(n.Added, h[s.Hypothesis].Text)
		}
	}
	return n
}

func numbersOf(s string) []text.Number {
	if isWordy(s) {
		return nil
	}
	s = inFigures(norm.NFKC.String(s))
	if strings.ContainsAny(s, hanNumerals) {
		s = countedHan().ReplaceAllStringFunc(s, func(m string) string {
			_, size := utf8.DecodeLastRuneInString(m)
			if n, ok := smallHan(m[:len(m)-size]); ok {
				return strconv.Itoa(n) + m[len(m)-size:]
			}
			return m
		})
	}
	return text.Numbers(s)
}

func keysOf(numbers []text.Number) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = n.Key
	}
	return out
}

const hanNumerals = "零〇一二三四五六七八九十兩两"

// countedHan matches Chinese numerals before a unit of time, age or money. There
// a single character is a number too (三月, 五蚊) and not part of a word.
var countedHan = lazyregexp.New(`[` + hanNumerals + `]+[年月日號号點点時时秒歲岁元蚊]`)

// smallHan returns the value of a numeral below a hundred, or of a year written
// digit by digit (二〇二四).
func smallHan(s string) (int, bool) {
	const digits = "零一二三四五六七八九"
	digit := func(s string) (int, bool) {
		s = strings.NewReplacer("〇", "零", "兩", "二", "两", "二").Replace(s)
		i := strings.Index(digits, s)
		return i / len("零"), i >= 0 && utf8.RuneCountInString(s) == 1
	}
	if tens, ones, ok := strings.Cut(s, "十"); ok {
		n := 10
		if tens != "" {
			d, ok := digit(tens)
			if !ok {
				return 0, false
			}
			n = 10 * d
		}
		if ones == "" {
			return n, true
		}
		d, ok := digit(ones)
		return n + d, ok
	}
	n := 0
	if utf8.RuneCountInString(s) > 4 {
		return 0, false
	}
	for _, r := range s {
		d, ok := digit(string(r))
		if !ok {
			return 0, false
		}
		n = 10*n + d
	}
	return n, true
}
