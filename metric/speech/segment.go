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

// packedWords is made by scripts/speech/tables.sh: words of simplified Chinese
// with their frequencies, a line each, sorted.
//
//go:embed words.txt.gz
var packedWords []byte

// words is the dictionary that a text is cut with.
type words struct {
	lines string
	// starts are the offsets of the lines, and their end.
	starts []uint32
	// none is the cost of a character that is no word.
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

// cost returns what a word costs, the less the more frequent it is.
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

// Segment cuts a normalised text into words: Chinese by the likeliest path
// through a dictionary of simplified Chinese, the rest at white space. A text in
// traditional characters is cut where its simplified form is. Words that the
// dictionary lacks, as most of Cantonese, fall apart into characters, so that an
// error rate of such words is a diagnostic and no result. The first call loads the
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
	// last word.
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

// offsets returns where the characters of s begin, and its end.
func offsets(s string) []int {
	out := make([]int, 0, utf8.RuneCountInString(s)+1)
	for i := range s {
		out = append(out, i)
	}
	return append(out, len(s))
}
