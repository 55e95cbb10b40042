package question

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPlaces(t *testing.T) {
	cases := []struct {
		name, text, quote string
		want              []string // nil: nowhere
	}{
		{"verbatim", "Boards up to 1.8 m travel free.", "up to 1.8 m travel free", []string{"up to 1.8 m travel free"}},
		{"punctuation at the ends stays out", "It is free. Ask us.", "It is free.", []string{"It is free"}},
		{"case and white space", "Boards  up\n to 1.8 m", "boards up to", []string{"Boards  up\n to"}},
		{"quotation marks and emphasis", "The **“early”** bird pays 5 dollars", `the "early" bird`, []string{"The **“early”** bird"}},
		{"dashes", "open 9–17, and a pause -- then 18—20", "and a pause — then 18 -- 20", []string{"and a pause -- then 18—20"}},
		{"wide characters", "滑浪板長度\n不超過 1.8 米。", "滑浪板長度不超過1.8米", []string{"滑浪板長度\n不超過 1.8 米"}},
		{"compatibility and composition", "Ｃａｆｅ\u0301 № 5 ist offen", "café no 5 ist", []string{"Ｃａｆｅ\u0301 № 5 ist"}},
		{"folding makes it longer", "Die Straße ist gesperrt", "strasse ist", []string{"Straße ist"}},
		{"unseen characters", "in\u200bvisi\u00adble words", "invisible words", []string{"in\u200bvisi\u00adble words"}},
		{"parts around an ellipsis", "First this one, then that other one, last.", "first this one ... last", []string{"First this one", "last"}},
		{"an ellipsis of the text", "The ferry...the other one leaves.", "the ferry...the other", []string{"The ferry...the other"}},
		{"the very characters first", "RETURN TICKET rules: the return ticket is cheap", "return ticket", []string{"return ticket"}},
		{"borders of words", "nonrefundable tickets are refundable", "refundable", []string{"refundable"}},
		{"another text", "Boards up to 1.8 m travel free.", "up to 2.5 m travel free", nil},
		{"turned round", "This is not refundable.", "refundable", nil},
		{"a part of a character", "Take ½ of it", "1", nil},
		{"nothing", "text", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range Places(c.text, c.quote) {
				got = append(got, p.Of(c.text))
			}
			if strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("%q in %q: got %q, want %q", c.quote, c.text, got, c.want)
			}
		})
	}
	// So it is in a long text, where the first place is within another word.
	long := strings.Repeat("Nothing to see here. ", 20) + "It is not free of charge; nonfree of charge. All boards are free of charge. " + strings.Repeat("x ", 99)
	if p := Places(long, "free of charge."); len(p) != 1 || long[p[0].Start-10:p[0].End] != "oards are free of charge" {
		t.Errorf("got %v of %q", p, long)
	}
	if p := Places("free, and later free", "later free"); len(p) != 1 || p[0].Start != 10 {
		t.Errorf("got %v, want the start 10", p)
	}
}

// TestPlacesOfQuotes cuts quotes out of texts: each that the text holds has a place, and the
// place has the words.
func TestPlacesOfQuotes(t *testing.T) {
	pieces := []string{"The ferry", " leaves", "  at\n", "9:30", "— not", " *never*", " “early”", "滑浪板", "不超過", " 1.8 ", "米。", "Ｓｔｒａßｅ",
		"e\u0301", "ﬁre", "½", "--", "...", ", ", ". ", "\u00ad", "İ", "Σας", "\u202e", "\x00", "각", "ｶﾞ"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 30).Draw(t, "text"), "")
		at := func(name string) int {
			i := rapid.IntRange(0, len(s)).Draw(t, name)
			for !utf8.RuneStart((s + "x")[i]) {
				i--
			}
			return i
		}
		from, to := at("from"), at("to")
		quote := s[min(from, to):max(from, to)]
		checkPlaces(t, s, quote)
		// In a long text most places are found without its form.
		long := strings.Repeat("Other words stand before it here. ", 8) + s + strings.Repeat(" and other words behind it.", 8)
		checkPlaces(t, long, quote)
		if got := Places(long, quote) != nil; got && !newQuotable(long).has(quote) {
			t.Fatalf("%q in %q has a place, and is no quote", quote, long)
		} else if Places(s, quote) != nil && newQuotable(long).has(quote) && !got {
			t.Fatalf("%q in %q has no place", quote, long)
		}
		if newQuotable(s).has(quote) && !strings.Contains(quoteForm(quote), "...") && Places(s, quote) == nil && !splits(s, quote) {
			t.Fatalf("%q in %q has no place", quote, s)
		}
	})
}

// splits reports whether the form of a quote can stand within the form of one character of
// the text.
func splits(s, quote string) bool {
	return strings.ContainsAny(s, "ﬁ½ßİ") || quote == ""
}

type failer interface{ Fatalf(string, ...any) }

// checkPlaces checks what holds for every place: it lies in the text, at the borders of
// characters, after the place before it, and its words are those of the quote.
func checkPlaces(t failer, s, quote string) {
	var said []string
	end := 0
	for _, p := range Places(s, quote) {
		if p.Start < end || p.End <= p.Start || p.End > len(s) {
			t.Fatalf("%q in %q: place %v after %d", quote, s, p, end)
		}
		if !utf8.RuneStart(s[p.Start]) || p.End < len(s) && !utf8.RuneStart(s[p.End]) {
			t.Fatalf("%q in %q: place %v splits a character", quote, s, p)
		}
		said, end = append(said, trimPunctuation(quoteForm(p.Of(s)))), p.End
	}
	if said == nil {
		return
	}
	if len(said) == 1 && said[0] == trimPunctuation(quoteForm(quote)) {
		return // whole: an ellipsis of the quote is one of the text
	}
	var want []string
	for _, part := range ellipsis().Split(quoteForm(quote), -1) {
		if part = trimPunctuation(part); part != "" {
			want = append(want, trimPunctuation(part))
		}
	}
	if strings.Join(said, "|") != strings.Join(want, "|") {
		t.Fatalf("%q in %q: places say %q, want %q", quote, s, said, want)
	}
}

func FuzzPlaces(f *testing.F) {
	f.Add("The **“early”** bird pays ½ of 5 dollars", "the \"early\" bird ... 5 dollars")
	f.Add("滑浪板長度\n不超過 1.8 米。", "不超過1.8米")
	f.Add("Ｃａｆｅ\u0301 -- Straße", "café — strasse")
	f.Add("\xff\xfe bad -- bytes", "bad - bytes")
	f.Fuzz(func(t *testing.T, s, quote string) {
		if !utf8.ValidString(s) || !utf8.ValidString(quote) {
			Places(s, quote) // must not panic; texts of records are valid
			return
		}
		checkPlaces(t, s, quote)
	})
}
