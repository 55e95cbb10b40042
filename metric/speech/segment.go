package speech

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// packedWords lists words of simplified Chinese with their frequencies, one per
// line, sorted. scripts/speech/tables.sh generates it.
//
//go:embed words.txt.gz
var packedWords []byte

// words is the dictionary for segmentation.
type words struct {
	lines string
	// starts holds the offset of each line, and the end.
	starts []uint32
	// none is the cost of a character that is not a word.
	none float64
	// total is the logarithm of the sum of all frequencies.
	total float64
}

// longestWord is the number of characters in the longest word of the dictionary.
const longestWord = 8

var dictionary = sync.OnceValue(func() *words {
	z, err := gzip.NewReader(bytes.NewReader(packedWords))
	if err != nil {
		panic(err)
	}
	unpacked, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	w := &words{lines: string(unpacked)}
	sum := 0
	for start := 0; start < len(w.lines); {
		n := strings.IndexByte(w.lines[start:], '\n')
		w.starts = append(w.starts, uint32(start))
		sum += frequency(w.lines[start : start+n])
		start += n + 1
	}
	w.starts = append(w.starts, uint32(len(w.lines)))
	w.total = math.Log(float64(sum))
	w.none = w.total
	return w
})

func frequency(line string) int {
	n, err := strconv.Atoi(line[strings.IndexByte(line, ' ')+1:])
	if err != nil {
		panic(err)
	}
	return n
}

// cost returns the cost of a word. More frequent words cost less.
func (w *words) cost(word string) (cost float64, ok bool) {
	n := len(w.starts) - 1
	i := sort.Search(n, func(i int) bool {
		line := w.lines[w.starts[i]:w.starts[i+1]]
		return line[:strings.IndexByte(line, ' ')] >= word
	})
	if i == n {
		return 0, false
	}
	line := w.lines[w.starts[i] : w.starts[i+1]-1]
	if !strings.HasPrefix(line, word) || line[len(word)] != ' ' {
		return 0, false
	}
	return w.total - math.Log(float64(frequency(line))), true
}

// Segment splits a normalised text into words: Chinese by the most probable path
// through a dictionary of simplified Chinese, the rest at white space. A text in
// traditional characters is split where its simplified form is. Words that are not
// in the dictionary, such as most of Cantonese, are split into characters, so use
// an error rate of these words only for diagnosis. The first call loads the
// dictionary, which takes about ten megabytes.
func Segment(s string) []string {
	var out []string
	tokens := Mixed.Tokens(s)
	for i := 0; i < len(tokens); {
		if !isCJKToken(tokens[i]) {
			out = append(out, tokens[i])
			i++
			continue
		}
		end := i
		for end < len(tokens) && isCJKToken(tokens[end]) {
			end++
		}
		out = dictionary().cut(out, strings.Join(tokens[i:end], ""))
		i = end
	}
	return out
}

// cut appends the words of a run of CJK characters.
func (w *words) cut(out []string, run string) []string {
	folded := Simplify(run)
	at, from := offsets(folded), offsets(run)
	n := len(at) - 1
	// best[i] is the cost of the first i characters, back[i] the length of the
	// last word in them.
	best, back := make([]float64, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		best[i], back[i] = best[i-1]+w.none, 1
		for length := 1; length <= min(longestWord, i); length++ {
			if c, ok := w.cost(folded[at[i-length]:at[i]]); ok && best[i-length]+c < best[i] {
				best[i], back[i] = best[i-length]+c, length
			}
		}
	}
	start := len(out)
	for i := n; i > 0; i -= back[i] {
		out = append(out, run[from[i-back[i]]:from[i]])
	}
	for i, j := start, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// offsets returns the byte offset of each character of s, and the length of s.
func offsets(s string) []int {
	out := make([]int, 0, utf8.RuneCountInString(s)+1)
	for i := range s {
		out = append(out, i)
	}
	return append(out, len(s))
}
