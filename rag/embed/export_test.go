package embed

import (
	"encoding/binary"
	"slices"
	"unicode"

	"github.com/assay-eval/assay/internal/simd"
)

// AtLevel gives an encoder that uses the kernels of that level.
func AtLevel(l simd.Level) (*Encoder, error) {
	data, err := minilmWeights()
	if err != nil {
		return nil, err
	}
	return newEncoder(data, minilmVocabulary, minilmSums, l)
}

// Pieces gives the word pieces of text.
func (e *Encoder) Pieces(text string) []int32 {
	return slices.Clone(e.pieces.encode(nil, text, e.weights.shape.positions))
}

// Files gives the embedded files, unpacked, and the list of their checksums.
func Files() (files map[string]string, sums string) {
	data, err := minilmWeights()
	if err != nil {
		panic(err)
	}
	return map[string]string{"minilm.bin": data, "vocab.txt": minilmVocabulary}, minilmSums
}

// WithLayers gives the file of a model that has only the first layers of another one.
func WithLayers(file string, layers int) string {
	w, err := readWeights(file)
	if err != nil {
		panic(err)
	}
	s := w.shape
	size := 4*(9*s.width+s.inner) + 2*(4*s.width*s.width+2*s.width*s.inner)
	const place = len(weightsMagic) + 4*4
	count := binary.LittleEndian.AppendUint32(nil, uint32(layers))
	return file[:place] + string(count) + file[place+4:len(file)-(s.layers-layers)*size]
}

// ReadWeights tells what is wrong with a file of weights.
func ReadWeights(data string) error {
	_, err := readWeights(data)
	return err
}

// NewEncoder makes an encoder of other files.
func NewEncoder(weights, vocabulary, sums string) (*Encoder, error) {
	return newEncoder(weights, vocabulary, sums, simd.Best())
}

// Newer reports whether the tokenizer takes r for a letter because it is older
// than r.
func Newer(r rune) bool { return unicode.Is(newer, r) }
