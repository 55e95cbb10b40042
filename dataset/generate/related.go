package generate

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// neighbours finds passages on the same subject: those that share rare words.
type neighbours struct {
	passages []assay.Passage
	// words are the distinct words of each passage, in order.
	words [][]string
	// having lists the passages that contain a word.
	having map[string][]int
}

func newNeighbours(passages []assay.Passage) *neighbours {
	n := &neighbours{passages: passages, words: make([][]string, len(passages)), having: map[string][]int{}}
	for i, p := range passages {
		n.words[i] = unique(terms(p.Title + "\n" + p.Text))
		for _, w := range n.words[i] {
			n.having[w] = append(n.having[w], i)
		}
	}
	return n
}

// widespread is the share of passages above which a word is ignored.
const widespread = 0.1

// near returns the passages that share most with the words, best first: at most n
// of those that are allowed.
func (n *neighbours) near(words []string, most int, may func(i int) bool) []int {
	score := map[int]float64{}
	for _, w := range words {
		having := n.having[w]
		if len(having) > max(2, int(widespread*float64(len(n.passages)))) {
			continue
		}
		idf := math.Log(1 + float64(len(n.passages))/float64(1+len(having)))
		for _, i := range having {
			score[i] += idf
		}
	}
	var found []int
	for i := range score {
		if may(i) {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), a-b) })
	return found[:min(most, len(found))]
}

// around returns similar passages from other documents, or from a distant part of
// the same document.
func (n *neighbours) around(i, most int) []int {
	return n.near(n.words[i], most, func(k int) bool {
		p, q := n.passages[i], n.passages[k]
		return k != i && (p.Document != q.Document || p.Index-q.Index > 1 || q.Index-p.Index > 1)
	})
}

// terms returns the normalized words of a text, without punctuation. Each
// Chinese, Japanese or Korean character is a word.
func terms(s string) []string {
	var out []string
	for _, t := range text.Tokens(text.Normalize(s)) {
		t = strings.TrimFunc(t, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if t != "" {
			out = append(out, t)
		}
	}
	return pairs(out)
}

// pairs joins neighbouring characters of scripts without spaces, because a single
// character says little.
func pairs(words []string) []string {
	isCJK := func(s string) bool {
		for _, r := range s {
			return text.IsCJK(r)
		}
		return false
	}
	out := make([]string, 0, len(words))
	for i, w := range words {
		if isCJK(w) {
			if i+1 < len(words) && isCJK(words[i+1]) {
				w += words[i+1]
			} else if i > 0 && isCJK(words[i-1]) {
				continue
			}
		}
		out = append(out, w)
	}
	return out
}

func unique(words []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}
