package speech

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay/internal/text"
)

// NormalisationVersion is incremented by each change of [Profile.Normalise] that
// changes a score.
const NormalisationVersion = 3

// A Profile says how both texts are normalised before they are compared. The zero
// value is the default, which removes what cannot be heard: case, width,
// punctuation, symbols and the choice between variants of a character. The spoken
// words and the numbers do not change.
type Profile struct {
	// Raw normalises white space only.
	Raw bool `json:"raw,omitempty"`
	// Drop lists fillers such as "um" or "嗯", and tags such as "[laughter]", that
	// are removed wherever they occur as words.
	Drop []string `json:"drop,omitempty"`
	// Contractions expands English contractions: "can't" becomes "can not".
	Contractions bool `json:"contractions,omitempty"`
	// Numbers writes numbers in digits: "一千零六十五" and "1,065" become "1065", "two point
	// five million" becomes "2500000". Ordinals and years in pairs ("nineteen eighty") stay.
	Numbers bool `json:"numbers,omitempty"`
}

// String returns the name of the profile with its version, for reports: "default 3",
// "default 3, contractions, without um|uh", "none".
func (p Profile) String() string {
	name := fmt.Sprintf("default %d", NormalisationVersion)
	if p.Raw {
		name = "none"
	}
	if p.Contractions {
		name += ", contractions"
	}
	if p.Numbers {
		name += ", numbers"
	}
	if len(p.Drop) > 0 {
		name += ", without " + strings.Join(p.Drop, "|")
	}
	return name
}

// Normalise normalises a text. By default it applies NFKC and case folding,
// unifies variants of Chinese characters, and replaces punctuation, symbols and
// controls by spaces, except for an apostrophe between letters and the signs of numbers;
// runs of white space become one space. For example, "Ｈｅｌｌｏ，Ｗｏｒｌｄ！" becomes "hello
// world". The signs of numbers are the decimal point, the minus, and the signs between digits
// (10:30, 1/2, 3-5): "-5.3%" becomes "-5.3". Commas between thousands are removed: "1,000" becomes "1000". Normalise is
// idempotent except with the options Numbers and Drop.
func (p Profile) Normalise(s string) string {
	if s, ok := spokenLatin(s); ok && !p.Raw && !p.Numbers && len(p.Drop) == 0 {
		if p.Contractions {
			s = writtenOut(s)
		}
		return s
	}
	return p.normalise(s)
}

// normalise is Normalise for all texts and profiles.
func (p Profile) normalise(s string) string {
	if p.Numbers {
		s = inDigits(s)
	}
	if p.Raw {
		return p.dropped(text.Collapse(s))
	}
	// Case folding keeps brackets, so tags can still be recognised.
	s = folded(s)
	s = signed(p.withoutTags(s))
	// Removing characters may leave a letter directly before its mark: compose them again.
	s = text.Collapse(norm.NFKC.String(spoken(s)))
	if p.Contractions {
		s = writtenOut(s)
	}
	return p.dropped(s)
}

// apostrophes lists the characters used as apostrophes, after NFKC.
const apostrophes = "'’ʼ‘"

// folded applies NFKC and case folding, and unifies the variants of characters.
func folded(s string) string { return foldVariants(text.Fold(s)) }

// spoken replaces characters that are not spoken by spaces, and removes their
// combining marks.
func spoken(s string) string {
	runes := []rune(s)
	var b strings.Builder
	b.Grow(len(s))
	// last is the previous letter or digit, without its marks; 0 if it was replaced.
	var last rune
	for i, r := range runes {
		switch {
		case unicode.IsMark(r):
			if last != 0 {
				b.WriteRune(r)
			}
			continue
		case strings.ContainsRune(apostrophes, r):
			if isSpelt(last) && i+1 < len(runes) && isSpelt(runes[i+1]) {
				b.WriteByte('\'')
				last = 0
				continue
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			b.WriteRune(r)
			last = r
			continue
		case (r == '%' || r == '‰') && isKept(runes, i):
			b.WriteString(" " + string(r))
		case isKept(runes, i):
			b.WriteRune(r)
			last = 0
			continue
		}
		b.WriteByte(' ')
		last = 0
	}
	return b.String()
}

// spokenLatin normalises a text of ASCII characters without a digit, which has neither signs
// of numbers nor forms to unify, by default. ok is false for another text.
func spokenLatin(s string) (normalised string, ok bool) {
	if !isWordy(s) {
		return "", false
	}
	letter := func(i int) bool { return i < len(s) && 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z' }
	var b strings.Builder
	b.Grow(len(s))
	// gap is set if white space is due before the next letter.
	gap := false
	for i := range len(s) {
		switch {
		case letter(i):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte(s[i] | 0x20)
			gap = false
		case s[i] == '\'' && i > 0 && letter(i-1) && letter(i+1):
			b.WriteByte('\'')
		default:
			gap = true
		}
	}
	return b.String(), true
}

// isWordy reports whether s is of ASCII characters and has no digit.
func isWordy(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || '0' <= s[i] && s[i] <= '9' {
			return false
		}
	}
	return true
}

// isSpelt reports whether an apostrophe may be next to r within a word.
func isSpelt(r rune) bool {
	return unicode.IsLetter(r) && !text.IsCJK(r) && !strings.ContainsRune(apostrophes, r)
}

// withoutTags removes the tags in Drop: entries with brackets or other symbols.
// It must run before symbols are removed.
func (p Profile) withoutTags(s string) string {
	for _, d := range p.Drop {
		tag := folded(strings.TrimSpace(d))
		if tag != "" && isTag(tag) {
			s = strings.ReplaceAll(s, tag, " ")
		}
	}
	return s
}

func isTag(s string) bool { return strings.TrimSpace(spoken(s)) != strings.TrimSpace(s) }

// dropped removes the words in Drop from a text that is otherwise normalised.
func (p Profile) dropped(s string) string {
	if len(p.Drop) == 0 {
		return s
	}
	var lists [][]string
	for _, d := range p.Drop {
		if !p.Raw {
			d = folded(d)
			if isTag(d) {
				continue
			}
		}
		if tokens := text.Tokens(d); len(tokens) > 0 {
			lists = append(lists, tokens)
		}
	}
	spans := text.TokenSpans(s)
	var b strings.Builder
	end := 0
	for i := 0; i < len(spans); {
		n := 0
		for _, l := range lists {
			if len(l) > n && matches(s, spans[i:], l) {
				n = len(l)
			}
		}
		if n == 0 {
			i++
			continue
		}
		b.WriteString(s[end:spans[i].Start])
		b.WriteByte(' ')
		i += n
		end = spans[i-1].End
	}
	b.WriteString(s[end:])
	return text.Collapse(b.String())
}

func matches(s string, spans []text.Span, tokens []string) bool {
	if len(spans) < len(tokens) {
		return false
	}
	for i, t := range tokens {
		if spans[i].Of(s) != t {
			return false
		}
	}
	return true
}

// contractions lists the unambiguous contractions; 's and 'd are ambiguous.
var contractions = map[string]string{
	"won't": "will not", "can't": "can not", "cannot": "can not", "shan't": "shall not", "ain't": "is not", "let's": "let us",
	"it's": "it is", "that's": "that is", "there's": "there is", "here's": "here is", "what's": "what is", "who's": "who is",
	"where's": "where is", "how's": "how is", "he's": "he is", "she's": "she is", "y'all": "you all",
}

var contractedEnds = []struct{ end, out string }{{"n't", " not"}, {"'re", " are"}, {"'ve", " have"}, {"'ll", " will"}, {"'m", " am"}}

// writtenOut expands the contractions in a normalised text.
func writtenOut(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if out, ok := contractions[w]; ok {
			words[i] = out
			continue
		}
		for _, c := range contractedEnds {
			if stem, ok := strings.CutSuffix(w, c.end); ok && stem != "" {
				words[i] = stem + c.out
				break
			}
		}
	}
	return strings.Join(words, " ")
}

// inDigits writes the numbers in a text in digits.
func inDigits(s string) string {
	s = inFigures(text.InDigits(norm.NFKC.String(s)))
	var b strings.Builder
	for _, n := range text.Numbers(s) {
		at := strings.Index(s, n.Text)
		if at < 0 || n.Date.Month > 0 {
			continue
		}
		b.WriteString(strings.TrimSuffix(s[:at], "百分之"))
		b.WriteString(strings.TrimPrefix(n.Key, "%"))
		if strings.HasPrefix(n.Key, "%") {
			b.WriteString("%")
		}
		s = s[at+len(n.Text):]
	}
	b.WriteString(s)
	return b.String()
}
