package question

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestQuotable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, quote string
		want              bool
	}{
		{"as it stands", "The tower opened in 1889.", "opened in 1889", true},
		{"other words", "The tower opened in 1889.", "was opened in 1889", false},
		{"another number", "The tower opened in 1889.", "opened in 1899", false},
		{"case and space", "The  Tower\nopened in 1889.", "THE TOWER OPENED", true},
		{"punctuation at the ends", "The tower, opened in 1889, is tall.", "\"…opened in 1889.\"", true},
		{"kinds of marks", "It’s “the” tower – 330 m", "It's \"the\" tower - 330 m", true},
		{"dashes between words", "The tower—330 m tall—opened", "tower - 330 m tall - opened", true},
		{"soft hyphen, zero width", "re\u00adfund\u200bable tickets", "refundable tickets", true},
		{"compatibility forms", "ﬁve ｈｕｎｄｒｅｄ", "five hundred", true},
		{"emphasis", "The fee is **20 dollars** a day", "The fee is 20 dollars a day", true},
		{"nothing", "The tower", "", false},
		{"only marks", "The tower...", "...", false},
		{"a letter", "The tower", "e", false},
		{"a short word", "The height of it", "of", false},
		{"a year", "The tower opened in 1889.", "1889", true},
		{"a short text as a whole", "Yes.", "yes", true},
		{"a short word of a longer text", "Yes, it is.", "yes", false},
		{"nothing in nothing", "", "", false},
		{"in nothing", "", "The tower", false},

		{"left out", "The tower, tall as it is, opened in 1889.", "The tower … opened in 1889", true},
		{"left out, dots", "The tower, tall as it is, opened in 1889.", "The tower [...] opened in 1889", true},
		{"left out, order", "It opened in 1889, the tower.", "the tower ... opened in 1889", false},
		{"left out, too little", "The tower is in the city", "The tower ... in", false},
		{"an ellipsis of the text", "The number is 12345…8. Next, please.", "12345…8. Next", true},
		{"dots of the text", "Call 12...34 now.", "Call 12 ... 34 now", false},
		{"one place is not two", "opened in 1889", "opened in 1889 ... opened in 1889", false},

		{"half a word", "It was supported by iron", "ported by iron", false},
		{"half a word at the end", "It is unable to open", "It is un", false},
		{"half a number", "It cost 2,100 francs", "100 francs", false},
		{"half a number at the end", "It costs 1.5 million", "It costs 1", false},
		{"no percent sign", "It rose by 12% in May", "It rose by 12", false},
		{"a number and its sign", "It rose by 12% in May", "rose by 12%", true},
		{"a sign", "at -5 degrees", "5 degrees", false},
		{"with its sign", "at -5 degrees", "-5 degrees", true},
		{"half a range", "from 3-5 degrees", "5 degrees", false},
		{"after a prefix", "Tickets are non-refundable in May", "refundable in May", false},
		{"after another hyphen", "the well-known tower", "known tower", true},
		{"after a negation", "Tickets are not refundable in May", "refundable in May", false},
		{"after a contraction", "Tickets aren't refundable in May", "refundable in May", false},
		{"with its negation", "Tickets are not refundable in May", "not refundable in May", true},
		{"elsewhere without one", "Not refundable in April. Passes are refundable in April.", "refundable in April", true},

		{"Chinese", "鐵塔於1889年開放。", "於 1889 年開放", true},
		{"Chinese across lines", "香港中央\n圖書館", "香港中央圖書館", true},
		{"Chinese punctuation", "費用是２０元，不設折扣", "費用是20元,不設折扣", true},
		{"one Chinese character", "不可以退款", "退", false},
		{"Chinese negation", "车票不可退款", "可退款", false},
		{"Chinese with its negation", "车票不可退款", "不可退款", true},
		{"Cantonese negation", "張飛唔可以退款", "可以退款", false},
		{"half a Chinese number", "共有二十三人", "十三人", false},
		{"half a Chinese number at the end", "共有二十三人", "共有二十", false},
		{"the other script", "圖書館開放", "图书馆开放", false},
	} {
		if got := newQuotable(c.text).has(c.quote); got != c.want {
			t.Errorf("%s: %q in %q: got %v", c.name, c.quote, c.text, got)
		}
	}
}

// Any run of whole words that a text has, after a word that is no negation, is
// a quote from it, however it is spaced and cased.
func TestQuotableHasItsWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{4,8}|[0-9]{4}`), 1, 20).Draw(t, "words")
		text := strings.Join(words, " ")
		from := rapid.IntRange(0, len(words)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(words)).Draw(t, "to")
		if from > 0 && negations[words[from-1]] {
			return // a quote after a negation is none, which has its own test
		}
		quote := strings.ToUpper(strings.Join(words[from:to], "  "))
		if !newQuotable(text).has(quote) {
			t.Fatalf("%q in %q", quote, text)
		}
		if newQuotable(text).has(quote + " zz") {
			t.Fatalf("%q in %q", quote+" zz", text)
		}
	})
}

func FuzzQuotable(f *testing.F) {
	f.Add("The tower opened in 1889.", "opened … 1889")
	f.Add("香港 中央", "香港中央")
	f.Add("\u00ad—--...", "…")
	f.Add("\xff\xfe", "\xff")
	f.Fuzz(func(t *testing.T, text, quote string) {
		if newQuotable(text).has(quote) && weight(quoteForm(quote)) == 0 && weight(quoteForm(text)) > 0 {
			t.Fatalf("%q has no letter, yet it proves something of %q", quote, text)
		}
	})
}
