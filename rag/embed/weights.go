package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/internal/simd"
)

// A shape holds the dimensions of a model, in the order of the file's header.
type shape struct {
	words     int // in the vocabulary
	positions int // maximum word pieces of a text
	width     int // of a vector
	heads     int
	layers    int
	inner     int // width of the feed-forward layer
	group     int // how many of its units are computed before they are used
}

// weights are the weights of a model. scripts/minilm/weights.py writes the file and
// documents it. The matrices stay in half precision and are widened strip by strip
// during use.
type weights struct {
	shape     shape
	words     string // half precision, one row per word
	positions []float32
	norm      layerNorm
	layers    []layer
}

// A layerNorm holds the gain and the shift of a layer norm.
type layerNorm struct{ gain, shift []float32 }

type layer struct {
	// query, key, value, output, up and down are biases.
	query, key, value, output []float32
	attended                  layerNorm
	up, down                  []float32
	done                      layerNorm
	// strips are the matrices in the order of their use.
	strips string
}

const weightsMagic = "ASSAYML1"

func readWeights(data string) (*weights, error) {
	r := &reader{rest: data}
	if r.bytes(len(weightsMagic)) != weightsMagic {
		return nil, fmt.Errorf("byte 0: expected %q", weightsMagic)
	}
	w := &weights{}
	s := &w.shape
	for _, field := range []*int{&s.words, &s.positions, &s.width, &s.heads, &s.layers, &s.inner, &s.group} {
		*field = r.size()
	}
	if r.err == nil {
		r.err = s.check()
	}
	if r.err != nil {
		return nil, r.err
	}
	w.words = r.bytes(2 * s.words * s.width)
	w.positions = r.floats(s.positions * s.width)
	w.norm = r.norm(s.width)
	for range s.layers {
		if r.err != nil {
			break
		}
		w.layers = append(w.layers, layer{
			query: r.floats(s.width), key: r.floats(s.width), value: r.floats(s.width), output: r.floats(s.width),
			attended: r.norm(s.width),
			up:       r.floats(s.inner), down: r.floats(s.width),
			done:   r.norm(s.width),
			strips: r.bytes(2 * (4*s.width*s.width + 2*s.width*s.inner)),
		})
	}
	if r.err == nil && r.rest != "" {
		r.err = fmt.Errorf("%d bytes too many", len(r.rest))
	}
	return w, r.err
}

// check rejects dimensions that the kernels do not support.
func (s shape) check() error {
	switch {
	case s.width != s.heads*simd.Width:
		return fmt.Errorf("%d heads for width %d: expected heads of %d", s.heads, s.width, simd.Width)
	case s.group%simd.Width != 0 || s.inner%s.group != 0:
		return fmt.Errorf("groups of %d for inner width %d: expected a multiple of %d that divides it", s.group, s.inner, simd.Width)
	case s.positions%simd.Width != 0:
		return fmt.Errorf("%d positions: expected a multiple of %d", s.positions, simd.Width)
	}
	return nil
}

// A reader reads values from the front of a string. After an error it returns zero
// values.
type reader struct {
	rest string
	err  error
}

var errShort = errors.New("ends too soon")

func (r *reader) bytes(n int) string {
	if r.err != nil || n < 0 || n > len(r.rest) {
		if r.err == nil {
			r.err = errShort
		}
		return ""
	}
	head := r.rest[:n]
	r.rest = r.rest[n:]
	return head
}

// size reads a positive number of at most a million, more than any dimension of a
// model.
func (r *reader) size() int {
	b := r.bytes(4)
	if r.err != nil {
		return 0
	}
	n := binary.LittleEndian.Uint32([]byte(b))
	if n == 0 || n > 1_000_000 {
		r.err = fmt.Errorf("size %d: expected 1 to 1000000", n)
		return 0
	}
	return int(n)
}

func (r *reader) floats(n int) []float32 {
	b := []byte(r.bytes(4 * n))
	if r.err != nil {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (r *reader) norm(n int) layerNorm { return layerNorm{gain: r.floats(n), shift: r.floats(n)} }

// lines splits a vocabulary into its words, one per line.
func lines(vocabulary string) []string {
	return strings.Split(strings.TrimSuffix(vocabulary, "\n"), "\n")
}
