package text

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A Token is a word or a value of a text, in a form that is equal for its spellings.
type Token struct {
	// Text is the word; "" for a value.
	Text string
	// Value is set for a number or a date.
	Value *Value
}

// A Value is a number with its unit, or a date.
type Value struct {
	// Amount is the number, in the base of its unit: metres, grams, seconds.
	Amount float64
	// Unit is that base, "%", "$" for all dollars and yuan, another currency, "th" for "the
	// third", "clock" for minutes of half a day, or "".
	Unit string
	// Coin tells dollars apart, "us", "hk", "nt", "pound" from £, since it may be a weight, and
	// halves of a day, "a", "p"; "" if it is not said.
	Coin string
	// Noun is what is counted, if there is no unit: "passenger".
	Noun string
	// Exact is the number as written if it has no unit and zeros that change no amount: "1.10"
	// may be a version.
	Exact string
	// Grouped is set if a comma groups its digits: 1,187 is no year.
	Grouped bool
	// Date is set if the value is a date; its day is 0 for a month of a year.
	Date Date
}

const (
	ordinal = "th"
	clock   = "clock"
)

// Year reports whether a value can be a year: a bare number of four digits, or a date with
// a year.
func (v Value) Year() (year int, ok bool) {
	if v.Date.Month > 0 {
		return v.Date.Year, v.Date.Year > 0
	}
	if v.Grouped || v.Unit != "" || v.Noun != "" || v.Amount != math.Trunc(v.Amount) || v.Amount < 1000 || v.Amount > 2999 {
		return 0, false
	}
	return int(v.Amount), true
}

// States reports whether a value says what the reference r says: the same amount of the
// same unit, or a date that has all that the reference's has. A reference without a unit is
// stated with any.
func (v Value) States(r Value) bool {
	if r.Date.Month > 0 {
		return v.Date.Month == r.Date.Month && (r.Date.Day == 0 || v.Date.Day == r.Date.Day) && (r.Date.Year == 0 || v.Date.Year == r.Date.Year)
	}
	if v.Date.Month > 0 {
		year, ok := r.Year()
		return ok && v.Date.Year == year
	}
	bare := r.Unit == "" && v.Unit != "%" && v.Unit != ordinal && v.Unit != clock
	return math.Abs(v.Amount-r.Amount) <= 1e-9*math.Abs(r.Amount) && (v.Unit == r.Unit || bare) &&
		(v.Coin == r.Coin || v.Unit != clock && (v.Coin == "" || r.Coin == ""))
}

// Rivals reports whether a value is of the kind of another: where one is wanted, the other
// answers the question too.
func (v Value) Rivals(r Value) bool {
	_, year := v.Year()
	if _, ok := r.Year(); ok {
		return year
	}
	switch {
	case r.Date.Month > 0 || v.Date.Month > 0:
		return r.Date.Month > 0 && v.Date.Month > 0
	case r.Unit != "" || v.Unit != "":
		return r.Unit == v.Unit
	}
	return !year && (v.Noun == r.Noun || v.Noun == "" || r.Noun == "")
}

// Folded returns the words and values of a text so that different spellings are equal:
// numbers in digits, English words or Chinese numerals, with their units and currency signs;
// ordinals; dates in any order, months of a year, years of the Republic of China; British and American spelling,
// diacritics, hyphens, case and width. Articles and punctuation are left out.
func Folded(s string) []Token {
	s = spelledOut(unmarked(MatchForm(s)))
	p := numberScanner{s: s, dates: times(s)}
	var out []Token
	from := 0
	for p.pos < len(p.s) {
		start, n := p.pos, len(p.out)
		p.next()
		if len(p.out) == n {
			continue
		}
		ahead := s[from:start]
		if pointed(s[:start]) {
			ahead = strings.TrimSuffix(ahead, ".")
		}
		before, coin := cutCoin(ahead)
		v, used := valueOf(p.out[n], coin, s[p.pos:])
		out = append(foldWords(out, strings.TrimSuffix(before, "百分之")), Token{Value: &v})
		// The unit is read with its number.
		p.pos += used
		from = p.pos
	}
	return foldWords(out, s[from:])
}

type coin struct{ sign, unit, coin string }

var coins = []coin{
	{"hk$", "$", "hk"}, {"nt$", "$", "nt"}, {"us$", "$", "us"}, {"usd", "$", "us"}, {"hkd", "$", "hk"}, {"$", "$", ""},
	{"€", "€", ""}, {"eur", "€", ""}, {"£", "£", ""}, {"gbp", "£", ""},
}

// hanMeasures follow a numeral of one character where it is meant as a number.
const hanMeasures = `年月日號号點点時时秒歲岁元蚊塊块個个名位人層层項项間间次天小分公米`

var (
	counted  = lazyregexp.New(`[零〇一二三四五六七八九十兩两][` + hanNumerals + `〇]*([` + hanMeasures + `])`)
	republic = lazyregexp.New(`民國\s?(\d{1,3}|元)\s?年`)
	ranked   = lazyregexp.New(`第[零〇一二三四五六七八九十百千]+`)
	unitWord = lazyregexp.New(`^[ -]?(\pL[\pL.]*|°c|°f|[$€£](?:\D|$))`)
)

type unit struct {
	base   string
	factor float64
}

var units = map[string]unit{
	"dollar": {"$", 1}, "buck": {"$", 1}, "cent": {"$", 0.01}, "usd": {"$", 1}, "hkd": {"$", 1}, "euro": {"€", 1}, "eur": {"€", 1},
	"pound": {"£", 1}, "gbp": {"£", 1}, "$": {"$", 1}, "€": {"€", 1}, "£": {"£", 1},
	"km": {"m", 1000}, "kilometer": {"m", 1000}, "m": {"m", 1}, "meter": {"m", 1}, "cm": {"m", 0.01}, "centimeter": {"m", 0.01},
	"mm": {"m", 0.001}, "millimeter": {"m", 0.001}, "mile": {"m", 1609.344}, "feet": {"m", 0.3048}, "foot": {"m", 0.3048},
	"kg": {"g", 1000}, "kilogram": {"g", 1000}, "kilo": {"g", 1000}, "g": {"g", 1}, "gram": {"g", 1}, "mg": {"g", 0.001},
	"ton": {"g", 1e6}, "tonne": {"g", 1e6},
	"second": {"s", 1}, "sec": {"s", 1}, "minute": {"s", 60}, "min": {"s", 60}, "hour": {"s", 3600}, "hr": {"s", 3600}, "h": {"s", 3600},
	"day": {"s", 86400}, "week": {"s", 604800}, "month": {"month", 1}, "year": {"month", 12}, "percent": {"%", 1},
	"°c": {"°c", 1}, "°f": {"°f", 1}, "celsius": {"°c", 1}, "fahrenheit": {"°f", 1},
}

// hanUnitNames are longest first.
var hanUnitNames = []struct {
	name string
	unit
}{
	{"個小時", unit{"s", 3600}}, {"个小时", unit{"s", 3600}}, {"小時", unit{"s", 3600}}, {"小时", unit{"s", 3600}}, {"分鐘", unit{"s", 60}},
	{"分钟", unit{"s", 60}}, {"秒", unit{"s", 1}}, {"天", unit{"s", 86400}}, {"星期", unit{"s", 604800}}, {"個月", unit{"month", 1}},
	{"个月", unit{"month", 1}}, {"公里", unit{"m", 1000}}, {"公斤", unit{"g", 1000}}, {"米", unit{"m", 1}}, {"港元", unit{"$", 1}},
	{"美元", unit{"$", 1}}, {"元", unit{"$", 1}}, {"蚊", unit{"$", 1}}, {"塊", unit{"$", 1}}, {"块", unit{"$", 1}},
}

// stopNouns follow a number and are not what it counts.
var stopNouns = Set("is are was were be of in on at to and or by for from with as that which the a an per than but it if th st nd rd")

// cutCoin returns a text without the currency sign at its end, and the unit of the sign.
func cutCoin(before string) (rest string, unit Value) {
	for _, c := range coins {
		rest, ok := strings.CutSuffix(strings.TrimRight(before, " "), c.sign)
		if last, _ := utf8.DecodeLastRuneInString(rest); ok && (!isASCIILetter(c.sign[0]) || !isWord(last)) {
			return rest, Value{Unit: c.unit, Coin: c.coin}
		}
	}
	return before, Value{}
}

// valueOf returns the value of a number after a currency sign, with its unit, and the length
// of the unit after it.
func valueOf(n Number, coin Value, after string) (v Value, used int) {
	if n.clock != nil {
		return *n.clock, 0
	}
	if v.Date = n.Date; n.Date.Month > 0 {
		return v, 0
	}
	if ordinalEnd().MatchString(after) {
		if i, err := strconv.Atoi(n.Key); err == nil {
			return Value{Amount: float64(i), Unit: ordinal}, len("th")
		}
	}
	key, percent := strings.CutPrefix(n.Key, "%")
	amount, err := strconv.ParseFloat(key, 64)
	if err != nil {
		// A version, such as 1.2.3.
		return Value{Amount: math.NaN(), Noun: key}, 0
	}
	if v.Amount = amount; percent {
		v.Unit = "%"
		return v, 0
	}
	v.Unit, v.Coin, v.Grouped = coin.Unit, coin.Coin, strings.Contains(n.Text, ",")
	defer func() {
		if t := n.Text; v.Unit == "" && (strings.Contains(t, ".") && strings.HasSuffix(t, "0") || len(t) > 1 && t[0] == '0' && isDigit(rune(t[1]))) {
			if v.Exact = t; t[0] == '.' {
				v.Exact = "0" + t
			}
		}
	}()
	for _, u := range hanUnitNames {
		if v.Unit == "" && strings.HasPrefix(strings.TrimLeft(after, " "), u.name) {
			v.Unit, v.Amount = u.base, amount*u.factor
			v.Coin = map[string]string{"港元": "hk", "美元": "us"}[u.name]
			return v, len(after) - len(strings.TrimLeft(after, " ")) + len(u.name)
		}
	}
	m := unitWord().FindString(after)
	word := strings.Trim(m, " -.")
	if word == "" || strings.ContainsFunc(word, IsCJK) {
		return v, 0
	}
	for _, c := range []string{"us ", "hk "} {
		// "40 US dollars"
		if rest, ok := strings.CutPrefix(strings.TrimLeft(after, " "), c); ok && strings.HasPrefix(rest, "dollar") && v.Unit == "" {
			v.Unit, v.Coin = "$", strings.TrimSpace(c)
			return v, len(after) - len(rest) + len(unitWord().FindString(rest))
		}
	}
	noun := singular(american(word))
	u, known := units[word]
	if !known {
		u, known = units[noun]
	}
	switch {
	case known && v.Unit == "":
		v.Unit, v.Amount = u.base, amount*u.factor
		v.Coin = map[string]string{"usd": "us", "hkd": "hk", "pound": "pound"}[noun]
		return v, len(m)
	case known && v.Unit == u.base:
		return v, len(m)
	case v.Unit == "" && !stopNouns[word]:
		v.Noun = noun
	}
	return v, 0
}

func singular(w string) string {
	if t := strings.TrimSuffix(w, "s"); len(t) > 2 && !strings.HasSuffix(t, "s") {
		return t
	}
	return w
}

// foldWords appends the words of a text.
func foldWords(out []Token, s string) []Token {
	for p := range tokens(s) {
		w := p.Of(s)
		if !isASCIIWord(w[0]) || !isASCIIWord(w[len(w)-1]) {
			w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		}
		w = strings.TrimSuffix(strings.ReplaceAll(w, "’", "'"), "'s")
		if w = american(w); w != "" && w != "the" && w != "a" && w != "an" {
			out = append(out, Token{Text: w})
		}
	}
	return out
}

// isASCIIWord reports whether c is a letter or a digit of ASCII.
func isASCIIWord(c byte) bool { return isASCIILetter(c) || isDigit(rune(c)) }

// unmarked removes diacritics, and hyphens between letters, from a text in match form.
func unmarked(s string) string { return unhyphened(unaccented(s)) }

func unaccented(s string) string {
	if isPlain(s) {
		return s
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36F {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

// unhyphened writes hyphens between letters as spaces.
func unhyphened(s string) string {
	if !strings.Contains(s, "-") {
		return s
	}
	runes := []rune(s)
	for i := 1; i+1 < len(runes); i++ {
		if runes[i] == '-' && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) {
			runes[i] = ' '
		}
	}
	return string(runes)
}

// british are words whose American spelling follows no ending.
var british = map[string]string{
	"grey": "gray", "programme": "program", "defence": "defense", "offence": "offense", "licence": "license", "aluminium": "aluminum",
	"judgement": "judgment", "tyre": "tire", "cheque": "check", "plough": "plow", "kerb": "curb", "mould": "mold", "sulphur": "sulfur",
}

// americanEnds are the endings of British words and of their American spelling, in the order
// in which they are tried, by the last letter.
var americanEnds = endsOf("isation ization ising izing ised ized ises izes ise ize yse yze ysed yzed tres ters tre ter ours ors our or oured ored " +
	"ouring oring ogue og elled eled elling eling aemia emia")

func endsOf(pairs string) (by [256][][2]string) {
	for pair := range slices.Chunk(strings.Fields(pairs), 2) {
		last := pair[0][len(pair[0])-1]
		by[last] = append(by[last], [2]string(pair))
	}
	return by
}

// american returns the American spelling of a word, for comparison: it may be no word.
func american(w string) string {
	if len(w) < len("grey") {
		return w
	}
	if to := british[w]; to != "" {
		return to
	}
	if utf8.RuneCountInString(w) < 5 {
		return w
	}
	for _, end := range americanEnds[w[len(w)-1]] {
		if t, ok := strings.CutSuffix(w, end[0]); ok && len(t) > 1 {
			return t + end[1]
		}
	}
	return w
}

var (
	smallWords = numbersFrom(0, 1, "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "+
		"seventeen eighteen nineteen")
	tensWords  = numbersFrom(20, 10, "twenty thirty forty fifty sixty seventy eighty ninety")
	scaleWords = map[string]int64{"hundred": 100, "thousand": 1000, "million": 1e6, "billion": 1e9}
)

func numbersFrom(first, step int64, words string) map[string]int64 {
	out := map[string]int64{}
	for i, w := range strings.Fields(words) {
		out[w] = first + int64(i)*step
	}
	return out
}

// spelledOut writes numbers in words as digits. "one" alone is mostly a pronoun; it counts
// only before a unit.
func spelledOut(s string) string {
	if strings.ContainsFunc(s, IsCJK) {
		s = hanSpelledOut(s)
	}
	words := strings.Split(s, " ")
	if !slices.ContainsFunc(words, inNumbers) {
		return s
	}
	out := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		if !inNumbers(words[i]) {
			out = append(out, words[i])
			i++
			continue
		}
		value, n := numberWords(words[i:])
		if _, scale := scaleWords[strings.TrimRight(words[i], numberEnds)]; scale && i > 0 && strings.ContainsAny(words[i-1], "0123456789") {
			// "$2.5 million" is read as a number in digits.
			n = 0
		}
		if i+n < len(words) && (n == 0 || value%10 == 0 && value >= 20 && value < 100) {
			if place, end := ordinalWord(words, i+n); place > 0 && (n == 0 || place < 10) {
				out = append(out, strconv.FormatInt(value+place, 10)+ordinal+end)
				i += n + 1
				continue
			}
		}
		if n == 0 {
			out = append(out, words[i])
			i++
			continue
		}
		last := words[i+n-1]
		out = append(out, strconv.FormatInt(value, 10)+last[len(strings.TrimRight(last, numberEnds)):])
		i += n
	}
	return strings.Join(out, " ")
}

// InDigits writes English numbers in words in digits and leaves the rest: "two point five
// million" becomes "2.5 million". White space is collapsed.
func InDigits(s string) string {
	var words, lower []string
	for _, w := range strings.Fields(s) {
		parts := strings.Split(w, "-")
		if slices.ContainsFunc(parts, func(p string) bool { return !isNumberWord(strings.ToLower(p)) }) {
			parts = []string{w}
		}
		words = append(words, parts...)
	}
	for _, w := range words {
		lower = append(lower, strings.ToLower(w))
	}
	var out []string
	for i := 0; i < len(words); {
		_, scale := scaleWords[strings.TrimRight(lower[min(i+1, len(words)-1)], numberEnds)]
		if scale && lower[i] == "a" {
			i++
		}
		value, n := int64(0), 0
		if _, scale := scaleWords[strings.TrimRight(lower[i], numberEnds)]; isNumberWord(lower[i]) ||
			scale && (len(out) == 0 || !strings.ContainsAny(out[len(out)-1], "0123456789")) {
			if value, n = numberWords(lower[i:]); n == 0 {
				value, n = 1, 1 // "one" alone
			}
		}
		if n == 0 {
			out = append(out, words[i])
			i++
			continue
		}
		number := strconv.FormatInt(value, 10)
		last := words[i+n-1]
		if i += n; i < len(words) && lower[i] == "point" {
			fraction := ""
			for j := i + 1; j < len(words); j++ {
				digit, ok := smallWords[strings.TrimRight(lower[j], numberEnds)]
				if lower[j] != "oh" && !(ok && digit < 10) {
					break
				}
				fraction, last = fraction+strconv.FormatInt(digit, 10), words[j]
			}
			if fraction != "" {
				number, i = number+"."+fraction, i+1+len(fraction)
			}
		}
		out = append(out, number+last[len(strings.TrimRight(last, numberEnds)):])
	}
	return strings.Join(out, " ")
}

// hanSpelledOut writes Chinese numerals before measures, years of the Republic and ranks
// with digits.
func hanSpelledOut(s string) string {
	s = counted().ReplaceAllStringFunc(s, func(m string) string {
		_, size := utf8.DecodeLastRuneInString(m)
		if v, ok := hanValue(m[:len(m)-size]); ok {
			return v + m[len(m)-size:]
		}
		return m
	})
	s = republic().ReplaceAllStringFunc(s, func(m string) string {
		year := max(number(republic().FindStringSubmatch(m)[1]), 1)
		return strconv.Itoa(year+1911) + "年"
	})
	s = ranked().ReplaceAllStringFunc(s, func(m string) string {
		if v, ok := hanValue(strings.TrimPrefix(m, "第")); ok {
			return "第" + v
		}
		return m
	})
	return s
}

// numberWords reads a number at the beginning of words, and returns how many it takes.
func numberWords(words []string) (value int64, n int) {
	var total, part int64
	for ended := false; n < len(words) && !ended; n++ {
		w := strings.TrimRight(words[n], numberEnds)
		small, isSmall := smallWords[w]
		tens, isTens := tensWords[w]
		scale, isScale := scaleWords[w]
		switch {
		case isSmall && (n == 0 || small > 0) && (part%100 == 0 || small < 10 && part%10 == 0 && part%100 != 10):
			part += small
		case isTens && part%100 == 0:
			part += tens
		case isScale && scale == 100 && part < 100:
			part = max(part, 1) * 100
		case isScale && scale > 100 && part < 1000:
			total, part = total+max(part, 1)*scale, 0
		case w == "and" && w == words[n] && part%100 == 0 && part+total >= 100:
			// "between two hundred and three hundred" has two numbers.
			if v, _ := numberWords(words[n+1 : min(n+4, len(words))]); v == 0 || v >= max(100, total) {
				return finish(total+part, n, words)
			}
		default:
			return finish(total+part, n, words)
		}
		ended = w != words[n] || w == "zero"
	}
	return finish(total+part, n, words)
}

// finish leaves out "one" alone, unless a unit follows.
func finish(value int64, n int, words []string) (int64, int) {
	if n == 1 && strings.HasPrefix(words[0], "one") {
		if len(words) < 2 {
			return value, 0
		}
		if _, ok := units[singular(strings.TrimRight(words[1], numberEnds))]; !ok {
			return value, 0
		}
	}
	return value, n
}

// numeric are the first letters of the words of which numbers and ordinals consist.
var numeric = firstOf(smallWords, tensWords, scaleWords, ordinalWords)

func firstOf(lists ...map[string]int64) (first [256]bool) {
	for _, list := range lists {
		for w := range list {
			first[w[0]] = true
		}
	}
	return first
}

// inNumbers reports whether a number or an ordinal may begin with a word.
func inNumbers(w string) bool {
	if w == "" || !numeric[w[0]] {
		return false
	}
	w = strings.TrimRight(w, numberEnds)
	_, scale := scaleWords[w]
	_, place := ordinalWords[w]
	return scale || place || isNumberWord(w)
}

// numberEnds may follow a number in words.
const numberEnds = ".,;:!?)"

func isNumberWord(w string) bool {
	if w == "" || !numeric[w[0]] {
		return false
	}
	w = strings.TrimRight(w, numberEnds)
	_, small := smallWords[w]
	_, tens := tensWords[w]
	return small || tens
}

// IndexFolded returns where a folded text states another one: the index of its first token
// with the tokens of the reference in a row, from start on; -1 if it does not.
func IndexFolded(s, reference []Token, start int) int {
	if len(reference) == 0 {
		return -1
	}
	for i := start; i+len(reference) <= len(s); i++ {
		if slices.EqualFunc(s[i:i+len(reference)], reference, func(a, b Token) bool {
			if a.Value != nil && b.Value != nil {
				return a.Value.States(*b.Value)
			}
			return a.Value == nil && b.Value == nil && a.Text == b.Text
		}) {
			return i
		}
	}
	return -1
}
