// Package standin compares texts by their words for the stand-in of a model, whose replies
// are free and deterministic. They are for tests, demonstrations and cost estimates; its
// scores say nothing about a system. The judge without a model is judge/offline.
package standin

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// stop are stop words. A short list is good enough for a stand-in.
var stop = text.Set(`a an and are as at be been being but by can could did do does for from had has have he her his how i if in into is it its
	may of on or our shall she should so some such than that the their them then there these they this those to was we were what when where
	which who whom whose why will with would you your
	的 了 是 在 和 與 与 有 為 为 及 或 也 都 就 這 这 那 其 嗎 吗 呢 吧 啊 嘅 係 喺 個 个`)

// negations negate a sentence.
var negations = text.Set("not no never none neither nor cannot without isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't " +
	"wouldn't 不 沒 没 無 无 未 非 冇 唔")

// A Reading is what is compared of a text: its content words, its numbers, and whether it
// is negated.
type Reading struct {
	Words   map[string]bool
	Numbers map[string]bool
	Denies  bool
}

// Read returns the reading of a text.
func Read(s string) Reading {
	r := Reading{Words: map[string]bool{}, Numbers: map[string]bool{}}
	for _, n := range text.Numbers(s) {
		r.Numbers[n.Key] = true
	}
	for _, w := range Words(s) {
		if negations[w] {
			r.Denies = true
		} else {
			r.Words[w] = true
		}
	}
	return r
}

// Words returns the words of s in order, without stop words and numbers, which are compared
// by value.
func Words(s string) []string {
	var out []string
	for _, w := range text.Tokens(strings.ReplaceAll(text.Normalize(s), "’", "'")) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		w = strings.TrimSuffix(w, "'s")
		if w == "" || stop[w] || strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		// This removes plurals; other words that end in "s" are cut on both sides.
		if t := strings.TrimSuffix(w, "s"); len(t) > 2 {
			w = t
		}
		out = append(out, w)
	}
	return out
}

// Share is how much of r's words b has, 0 to 1; of a text without words, its
// numbers count instead.
func (r Reading) Share(b Reading) float64 {
	of, in := r.Words, b.Words
	if len(of) == 0 {
		of, in = r.Numbers, b.Numbers
	}
	if len(of) == 0 {
		return 0
	}
	n := 0
	for w := range of {
		if in[w] {
			n++
		}
	}
	return float64(n) / float64(len(of))
}

// Has reports whether r states every number of a.
func (r Reading) Has(a Reading) bool {
	for n := range a.Numbers {
		if !r.Numbers[n] {
			return false
		}
	}
	return true
}

// Agrees reports whether r says a, as far as numbers and negations show.
func (r Reading) Agrees(a Reading) bool { return r.Has(a) && a.Denies == r.Denies }

// A Sentence is a sentence with its reading.
type Sentence struct {
	Text string
	Reading
}

// Sentences reads the sentences of a text.
func Sentences(s string) []Sentence {
	var out []Sentence
	for _, p := range text.Sentences(s) {
		out = append(out, Sentence{p.Of(s), Read(p.Of(s))})
	}
	return out
}

// Best returns the sentence that has the largest share of a, the first of equals.
func Best(a Reading, all []Sentence) (at Sentence, share float64) {
	for _, s := range all {
		if v := a.Share(s.Reading); v > share {
			at, share = s, v
		}
	}
	return at, share
}

var (
	declining = []string{
		"i do not know", "i don't know", "i cannot", "i can't", "i am unable", "i'm sorry", "i am sorry", "no information", "not mention",
		"cannot be answered", "not answer this",
		"没有答案", "沒有答案", "答えがありません", "답이 없습니다",
		"不知道", "不清楚", "無法", "无法", "沒有資料", "没有资料", "抱歉", "唔知",
	}
	greeting = []string{"hello", "hi ", "hi!", "hi,", "dear ", "thank", "you are welcome", "i hope", "feel free", "let me know", "sure,",
		"sure!", "你好", "您好", "謝謝", "谢谢", "多謝", "希望"}
)

// Declines reports whether a text declines to answer.
func Declines(s string) bool {
	s = strings.ReplaceAll(text.Normalize(s), "’", "'")
	for _, d := range declining {
		if strings.Contains(s, d) {
			return true
		}
	}
	return false
}

// Greets reports whether a text is a greeting or a question.
func Greets(s string) bool {
	s = text.Normalize(s)
	for _, g := range greeting {
		if strings.HasPrefix(s+" ", g) {
			return true
		}
	}
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// QuestionAbout makes a question of the first words of a text; n selects its form.
func QuestionAbout(n int, s string) string {
	w := Words(s)
	subject := strings.Join(w[:min(len(w), 8)], " ")
	return []string{"What about " + subject + "?", "What is known of " + subject + "?", "Tell me: " + subject + "?"}[n%3]
}
