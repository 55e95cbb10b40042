package speech

import (
	"slices"
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

// CompareNumbers aligns the numbers of two texts by value: "HK$1,065",
// "１０６５元" and "一千零六十五蚊" are the same number, as are "5.3" and "五點三", or "-5"
// and "負5"; "百分之三" equals "3%" but not "3". A date is one number. The texts must not be normalised, because
// normalisation removes signs that are part of numbers. English words for numbers count, but
// not those of ordinals and fractions. Digits that one side has one by one are those of
// the other: "five five five" is 555.
func CompareNumbers(reference, hypothesis string) Numbers {
	r, h := numbersOf(reference), numbersOf(hypothesis)
	n := Numbers{Lost: []string{}, Added: []string{}}
	if len(r)+len(h) == 0 {
		return n
	}
	var run []Step
	end := func() {
		n.count(r, h, run, reference, hypothesis)
		run = nil
	}
	for _, s := range Align(keysOf(r), keysOf(h)) {
		if s.Op == Hit {
			end()
			n.add(Hit)
		} else {
			run = append(run, s)
		}
	}
	end()
	return n
}

// count counts the steps between two numbers that both texts have.
func (n *Numbers) count(r, h []text.Number, run []Step, reference, hypothesis string) {
	var said, heard string
	var lost, added []string
	for _, s := range run {
		if s.Reference >= 0 {
			said += r[s.Reference].Key
			lost = append(lost, r[s.Reference].Text)
		}
		if s.Hypothesis >= 0 {
			heard += h[s.Hypothesis].Key
			added = append(added, h[s.Hypothesis].Text)
		}
	}
	inWords := len(lost) > len(added) && !containsAny(reference, lost) || len(lost) < len(added) && !containsAny(hypothesis, added)
	if said == heard && inWords && strings.Trim(said, "0123456789") == "" {
		for range lost {
			n.add(Hit)
		}
		return
	}
	for _, s := range run {
		n.add(s.Op)
	}
	n.Lost, n.Added = append(n.Lost, lost...), append(n.Added, added...)
}

func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// indianGroups matches a number with groups of two digits before the last three: 1,00,000.
var indianGroups = lazyregexp.New(`\b\d{1,2}(?:,\d\d)+,\d{3}\b`)

func numbersOf(s string) []text.Number {
	s = indianGroups().ReplaceAllStringFunc(strings.Map(text.Digit, norm.NFKC.String(s)), func(n string) string {
		return strings.ReplaceAll(n, ",", "")
	})
	if s = text.InDigits(s); isWordy(s) {
		return nil
	}
	s = inFigures(s)
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
