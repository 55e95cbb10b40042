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

// neighbours finds passages that speak of the same things: they share words
// that few others have.
type neighbours struct {
	passages []assay.Passage
	// words are the different words of each passage, in order.
	words [][]string
	// having lists the passages that have a word.
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

// widespread is the share of passages above which a word tells nothing.
const widespread = 0.1

// near gives the passages that share most with the words, the best first: n at
// most, of those that may be taken.
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

// around gives the passages near another that are not its own surroundings:
// those of other documents, or further off in the same.
func (n *neighbours) around(i, most int) []int {
	return n.near(n.words[i], most, func(k int) bool {
		p, q := n.passages[i], n.passages[k]
		return k != i && (p.Document != q.Document || p.Index-q.Index > 1 || q.Index-p.Index > 1)
	})
}

// terms gives the words of a text in one form, without punctuation. Chinese,
// Japanese and Korean characters are words of their own.
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

// pairs joins neighbouring characters of scripts without spaces, one of which
// alone tells little.
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
