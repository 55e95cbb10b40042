package simulate

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// stop are words that say nothing by themselves. The list is short: what it
// lacks makes a stand-in no worse.
var stop = set(`a an and are as at be been being but by can could did do does for from had has have he her his how i if in into is it its
	may of on or our shall she should so some such than that the their them then there these they this those to was we were what when where
	which who whom whose why will with would you your
	的 了 是 在 和 與 与 有 為 为 及 或 也 都 就 這 这 那 其 嗎 吗 呢 吧 啊 嘅 係 喺 個 个`)

// negations turn a sentence round.
var negations = set("not no never none neither nor cannot without isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't 不 沒 没 無 无 未 非 冇 唔")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// A reading is what is compared of a text: its content words, its numbers, and
// whether it denies something.
type reading struct {
	words   map[string]bool
	numbers map[string]bool
	denies  bool
}

func read(s string) reading {
	r := reading{words: map[string]bool{}, numbers: map[string]bool{}}
	for _, n := range text.Numbers(s) {
		r.numbers[n.Key] = true
	}
	for _, w := range words(s) {
		if negations[w] {
			r.denies = true
		} else {
			r.words[w] = true
		}
	}
	return r
}

// words gives the words of s in order, without those of no content, and
// without numbers, which are compared by their value.
func words(s string) []string {
	var out []string
	for _, w := range text.Tokens(strings.ReplaceAll(text.Normalize(s), "’", "'")) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		w = strings.TrimSuffix(w, "'s")
		if w == "" || stop[w] || strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		// A plural is the same thing; what else ends in "s" is cut on both
		// sides.
		if t := strings.TrimSuffix(w, "s"); len(t) > 2 {
			w = t
		}
		out = append(out, w)
	}
	return out
}

// share is how much of a's words b has, 0 to 1; of a text without words, its
// numbers count instead.
func (a reading) share(b reading) float64 {
	of, in := a.words, b.words
	if len(of) == 0 {
		of, in = a.numbers, b.numbers
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

// has reports whether b states every number of a.
func (b reading) has(a reading) bool {
	for n := range a.numbers {
		if !b.numbers[n] {
			return false
		}
	}
	return true
}

// agrees reports whether b says a, in as far as words and numbers tell.
func (b reading) agrees(a reading) bool { return b.has(a) && a.denies == b.denies }

// A sentence is one with its reading.
type sentence struct {
	text string
	reading
}

func sentences(s string) []sentence {
	var out []sentence
	for _, p := range text.Sentences(s) {
		out = append(out, sentence{p.Of(s), read(p.Of(s))})
	}
	return out
}

// best gives the sentence that has the largest share of a, the first of equals.
func best(a reading, all []sentence) (at sentence, share float64) {
	for _, s := range all {
		if v := a.share(s.reading); v > share {
			at, share = s, v
		}
	}
	return at, share
}

var (
	declining = []string{
		"i do not know", "i don't know", "i cannot", "i can't", "i am unable", "i'm sorry", "i am sorry", "no information", "not mention", "cannot be answered", "not answer this",
		"没有答案", "沒有答案", "答えがありません", "답이 없습니다",
		"不知道", "不清楚", "無法", "无法", "沒有資料", "没有资料", "抱歉", "唔知",
	}
	greeting = []string{"hello", "hi ", "hi!", "hi,", "dear ", "thank", "you are welcome", "i hope", "feel free", "let me know", "sure,", "sure!", "你好", "您好", "謝謝", "谢谢", "多謝", "希望"}
)

func declines(s string) bool {
	s = strings.ReplaceAll(text.Normalize(s), "’", "'")
	for _, d := range declining {
		if strings.Contains(s, d) {
			return true
		}
	}
	return false
}

func greets(s string) bool {
	s = text.Normalize(s)
	for _, g := range greeting {
		if strings.HasPrefix(s+" ", g) {
			return true
		}
	}
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}
