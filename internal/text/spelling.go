package text

import (
	"slices"
	"strconv"
	"strings"
)

// A Phrase is a short text that is looked for in others: as it is written, or with its
// numbers and dates in other spellings.
type Phrase struct {
	text  string
	forms []string
	spelt []spelt
}

// spelt is one alternative of a phrase that has numbers.
type spelt struct {
	form   string
	folded []Token
	// may are, for each of its numbers, the sets of strings one of which a text must have
	// as a whole for the number to be in it: folding a text takes long.
	may [][][]string
}

// NewPhrase returns the phrase of a keyword, or of several as in [HasKeyword].
func NewPhrase(s string) Phrase {
	p := Phrase{text: s}
	for alt := range strings.SplitSeq(s, "|") {
		form := MatchForm(alt)
		if form != "" {
			p.forms = append(p.forms, form)
		}
		a := spelt{form: form, folded: Folded(alt)}
		for _, n := range Numbers(spelledOut(unmarked(form))) {
			a.may = append(a.may, spellings(n))
		}
		if len(a.may) > 0 {
			p.spelt = append(p.spelt, a)
		}
	}
	return p
}

// String returns the phrase as it is written.
func (p Phrase) String() string { return p.text }

// In reports whether a text, in [MatchForm], has the phrase: by [HasKeyword] but in compounds, or with the
// same words and values in a row, as [Folded] tells. A number in another unit is found only
// if it is written with the same digits.
func (p Phrase) In(form string) bool {
	if slices.ContainsFunc(p.forms, func(alt string) bool { return mentioned(form, alt, false) }) {
		return true
	}
	var folded []Token
	for _, a := range p.spelt {
		if slices.ContainsFunc(a.may, func(sets [][]string) bool { return !hasAllOfOne(form, sets) }) {
			continue
		}
		if strings.Contains(form, a.form) {
			// It is part of something longer, which is no other spelling.
			if IndexFolded(Folded(strings.ReplaceAll(form, a.form, "_")), a.folded, 0) >= 0 {
				return true
			}
			continue
		}
		if folded == nil {
			folded = Folded(form)
		}
		if IndexFolded(folded, a.folded, 0) >= 0 {
			return true
		}
	}
	return false
}

// IsNumber reports whether a word is a number, in digits or as a word: "40", "forty".
func IsNumber(word string) bool {
	_, scale := scaleWords[word]
	return scale || isNumberWord(word) || strings.ContainsAny(word, "0123456789")
}

func hasAllOfOne(form string, sets [][]string) bool {
	return slices.ContainsFunc(sets, func(set []string) bool {
		return !slices.ContainsFunc(set, func(part string) bool { return !strings.Contains(form, part) })
	})
}

// spellings returns sets of strings one of which a text has as a whole if it has the
// number, or for a date its year, else its day.
func spellings(n Number) [][]string {
	key := strings.TrimLeft(n.Key, "%-")
	if n.Date.Month > 0 {
		if key = strconv.Itoa(n.Date.Year); n.Date.Year == 0 {
			key = strconv.Itoa(n.Date.Day)
		}
	}
	out := [][]string{{key}}
	if n.Date.Year > 1911 {
		// 民國110年
		out = append(out, []string{strconv.Itoa(n.Date.Year - 1911)})
	}
	v, err := strconv.ParseInt(key, 10, 64)
	if err != nil || v <= 0 {
		return out
	}
	digits := strings.TrimRight(key, "0")
	if digits != key {
		out = append(out, []string{digits})
	}
	for at := 1; at <= 3 && at < len(digits); at++ {
		// "1.2 million" and "1,200"
		out = append(out, []string{digits[:at] + "."}, []string{digits[:at] + ","})
	}
	var han []string
	for _, d := range digits {
		if d != '0' && d != '1' && d != '2' {
			han = append(han, string([]rune("〇一二三四五六七八九")[d-'0']))
		}
	}
	if han == nil {
		for _, c := range "一二十廿兩两百千萬万" {
			out = append(out, []string{string(c)})
		}
	}
	return append(out, han, numberInWords(v))
}

// numberInWords returns the words of a number, but "one", for which "a" may stand.
func numberInWords(v int64) (out []string) {
	add := func(of map[string]int64, v int64) {
		for w, n := range of {
			if n == v && v != 1 && v != 0 {
				out = append(out, w)
			}
		}
	}
	for _, scale := range []int64{1e9, 1e6, 1e3, 1} {
		part := v / scale
		if v %= scale; part == 0 {
			continue
		}
		add(smallWords, part/100%10)
		if part >= 100 {
			out = append(out, "hundred")
		}
		if rest := part % 100; rest < 20 {
			add(smallWords, rest)
		} else {
			add(tensWords, rest/10*10)
			add(smallWords, rest%10)
		}
		add(scaleWords, scale)
	}
	return out
}
