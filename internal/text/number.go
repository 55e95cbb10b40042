package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Number is a number or a date in a text.
type Number struct {
	// Text is as written, after NFKC.
	Text string
	// Key is equal for different forms of a number: the decimal value without
	// separators, with the prefix "%" for a percentage ("1.2 million" is "1200000",
	// "3.09 percent" is "%3.09"); "2024-06-25" for a date and "--06-25" for one without
	// a year. A version such as "1.2.3" is kept.
	Key string
	// Date is set if the number is a date.
	Date Date
	// clock is set if it is a time of day, which only [Folded] reads.
	clock *Value
}

// Numbers returns the numbers and dates of s, in order. It supports thousands
// separators, decimals without a zero (".5"), signs, exponents, percentages ("%", "percent", "百分之"), the scales
// thousand to trillion, k, m, bn, 千, 萬 and 億, Chinese numerals of at least two
// characters, full-width digits, and dates with the month as a name or in the order
// year, month, day. Reference marks ("[1]",
// "[doc1]", "(Source 2)", "¹") and list item numbers are ignored. Numbers
// in words ("three") are not supported.
func Numbers(s string) []Number {
	if strings.ContainsAny(s, "[［【(（<#⁰¹²³⁴⁵⁶⁷⁸⁹") {
		s = source().ReplaceAllString(s, "")
	}
	s = norm.NFKC.String(s)
	p := numberScanner{s: s, dates: findDates(s)}
	for p.pos < len(p.s) {
		p.next()
	}
	return p.out
}

type numberScanner struct {
	s     string
	pos   int
	dates []foundDate
	out   []Number
	// inLine is set once the line has a character other than white space.
	inLine bool
}

func (p *numberScanner) next() {
	for len(p.dates) > 0 && p.dates[0].Start < p.pos {
		p.dates = p.dates[1:]
	}
	if len(p.dates) > 0 && p.dates[0].Start == p.pos {
		d := p.dates[0]
		p.dates = p.dates[1:]
		p.out = append(p.out, Number{Text: d.Of(p.s), Key: d.date.String(), Date: d.date, clock: d.clock})
		p.pos, p.inLine = d.End, true
		return
	}
	if p.skip() {
		return
	}
	r, n := utf8.DecodeRuneInString(p.s[p.pos:])
	switch {
	case r == '\n':
		p.inLine = false
		p.pos += n
		return
	case unicode.IsSpace(r):
		p.pos += n
		return
	case isDigit(r):
		p.arabic()
	case r == '[' && referenceMark(p.s[p.pos:]) > 0:
		p.pos += referenceMark(p.s[p.pos:])
	case strings.ContainsRune(hanNumerals, r):
		p.han()
	default:
		p.pos += n
	}
	p.inLine = true
}

// skip goes past ASCII characters with which no number, no mark and no line begins, up to the
// next date, and reports whether there were any.
func (p *numberScanner) skip() bool {
	start, end := p.pos, p.limit()
	for ; p.pos < end; p.pos++ {
		c := p.s[p.pos]
		if c >= utf8.RuneSelf || isDigit(rune(c)) || c == '[' || c == '\n' {
			break
		}
		p.inLine = p.inLine || !unicode.IsSpace(rune(c))
	}
	return p.pos > start
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// limit returns the start of the next date, where any number must end.
func (p *numberScanner) limit() int {
	if len(p.dates) > 0 {
		return p.dates[0].Start
	}
	return len(p.s)
}

// arabic reads a number in digits that begins at pos.
func (p *numberScanner) arabic() {
	start := p.pos
	s := p.s[start:p.limit()]
	if !p.inLine && startsItem(s) {
		p.pos += digits(s)
		return
	}
	whole, i := grouped(s)
	var parts []string
	point := pointed(p.s[:start])
	if point {
		i = digits(s)
		whole, parts = "0", []string{s[:i]}
	}
	for i < len(s) && s[i] == '.' {
		n := digits(s[i+1:])
		if n == 0 {
			break
		}
		parts = append(parts, s[i+1:i+1+n])
		i += 1 + n
	}
	if len(parts) > 1 {
		p.pos = start + i
		key := whole + "." + strings.Join(parts, ".")
		if allThree(parts) && len(whole) <= 3 {
			key = decimal("", whole+strings.Join(parts, ""), "", 0)
		}
		p.add(start, key)
		return
	}
	exponent, n := exponentOf(s[i:])
	i += n
	scale, percent, n := unitOf(s[i:])
	i += n
	p.pos = start + i
	if point {
		start--
	}
	sign, first := p.sign(start)
	key := decimal(sign, whole, strings.Join(parts, ""), exponent+scale)
	if percent || strings.HasSuffix(p.s[:first], "百分之") {
		key = "%" + key
	}
	p.add(first, key)
}

// pointed reports whether what is before a number ends with its decimal point: ".5", "-.5", "$.50",
// and not "v.5", "§.5", "..5" or the end of a sentence.
func pointed(before string) bool {
	ahead, ok := strings.CutSuffix(before, ".")
	r, n := utf8.DecodeLastRuneInString(ahead)
	return ok && (n == 0 || unicode.IsSpace(r) || unicode.In(r, unicode.Sc, unicode.Sm, unicode.Ps, unicode.Pi) || strings.ContainsRune("-–\"'*|", r))
}

func (p *numberScanner) add(first int, key string) {
	p.out = append(p.out, Number{Text: strings.TrimSpace(p.s[first:p.pos]), Key: key})
}

// sign returns the sign before the number at start, or before its currency, and the start including
// the sign. A hyphen after a letter or a digit is not a sign, nor is a dash between numbers:
// "2010-2015", "10 –15".
func (p *numberScanner) sign(start int) (sign string, first int) {
	written := p.s[:start]
	if amount := strings.TrimRightFunc(written, func(r rune) bool { return unicode.Is(unicode.Sc, r) }); len(amount) < len(written) {
		written = strings.TrimRightFunc(amount, unicode.IsLetter)
	}
	for _, minus := range []string{"-", "−", "–"} {
		if before, ok := strings.CutSuffix(written, minus); ok {
			last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(before))
			r, n := utf8.DecodeLastRuneInString(before)
			if n == 0 || unicode.In(r, unicode.Ps, unicode.Sc) || unicode.IsSpace(r) && (minus != "–" || !unicode.IsDigit(last)) {
				return "-", len(before)
			}
		}
	}
	return "", start
}

// digits counts the ASCII digits at the beginning of s.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(rune(s[n])) {
		n++
	}
	return n
}

// grouped reads a whole number with or without commas between groups of three, and
// returns its digits and its length.
func grouped(s string) (whole string, length int) {
	n := digits(s)
	if n > 3 {
		return s[:n], n
	}
	var b strings.Builder
	b.WriteString(s[:n])
	for n < len(s) && s[n] == ',' && digits(s[n+1:min(len(s), n+5)]) == 3 {
		b.WriteString(s[n+1 : n+4])
		n += 4
	}
	return b.String(), n
}

func allThree(groups []string) bool {
	for _, g := range groups {
		if len(g) != 3 {
			return false
		}
	}
	return true
}

// exponentOf reads "e6" or "E-3" with at most two digits.
func exponentOf(s string) (exponent, length int) {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0, 0
	}
	i := 1
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	n := digits(s[i:])
	if n == 0 || n > 2 || continues(s[i+n:]) {
		return 0, 0
	}
	exponent, err := strconv.Atoi(strings.TrimPrefix(s[1:i+n], "+"))
	if err != nil {
		return 0, 0
	}
	return exponent, i + n
}

// scales are powers of ten. Those of attached must follow the number directly: "10m" is
// ten million, "10 m" is ten metres.
var (
	scales = []struct {
		word     string
		power    int
		attached bool
	}{
		{"thousand", 3, false}, {"million", 6, false}, {"billion", 9, false}, {"trillion", 12, false},
		{"bn", 9, false}, {"mn", 6, false}, {"k", 3, true}, {"m", 6, true},
	}
	hanScales = map[rune]int{'百': 2, '千': 3, '萬': 4, '万': 4, '億': 8, '亿': 8}
	percents  = []string{"%", "percent", "per cent", "pct"}
)

// unitOf reads a scale or a percentage after a number.
func unitOf(s string) (power int, percent bool, length int) {
	t := strings.TrimLeft(s, " \u00a0")
	space := len(s) - len(t)
	if space > 1 {
		return 0, false, 0
	}
	for _, w := range percents {
		if hasFold(t, w) && (w == "%" || !continues(t[len(w):])) {
			return 0, true, space + len(w)
		}
	}
	for _, u := range scales {
		if hasFold(t, u.word) && !continues(t[len(u.word):]) && (space == 0 || !u.attached) {
			return u.power, false, space + len(u.word)
		}
	}
	r, n := utf8.DecodeRuneInString(t)
	if power, ok := hanScales[r]; ok {
		// "3千萬", "3萬萬" and "2萬億" have two scales.
		if next, m := utf8.DecodeRuneInString(t[n:]); hanScales[next] >= max(power, 4) {
			return power + hanScales[next], false, space + n + m
		}
		return power, false, space + n
	}
	return 0, false, 0
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// continues reports whether s continues the word before it.
func continues(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWord(r)
}

// decimal formats sign whole.fraction × 10^power without an exponent, leading zeros or
// trailing zeros.
func decimal(sign, whole, fraction string, power int) string {
	all := whole + fraction
	point := len(whole) + power
	if point < 0 {
		all = strings.Repeat("0", -point) + all
		point = 0
	}
	if point > len(all) {
		all += strings.Repeat("0", point-len(all))
	}
	out := strings.TrimLeft(all[:point], "0")
	if out == "" {
		out = "0"
	}
	if f := strings.TrimRight(all[point:], "0"); f != "" {
		out += "." + f
	}
	if out == "0" {
		return out
	}
	return sign + out
}
