package embed

import (
	"context"
	_ "embed" // for the model's files
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-eval/assay/internal/simd"
)

var (
	// minilmPacked are the weights in one frame of Zstandard: every second byte, which are the
	// high ones of halves and repeat, before the others. scripts/minilm/pack writes it.
	//go:embed minilm/minilm.zst
	minilmPacked []byte
	//go:embed minilm/vocab.txt
	minilmVocabulary string
	//go:embed minilm/SHA256SUMS
	minilmSums string
)

// An Encoder computes the vectors of all-MiniLM-L6-v2, of 384 dimensions, as
// sentence-transformers does: the mean of the last layer over the first 256 word pieces
// of a text, scaled to length 1. It is safe for concurrent use.
//
// The vector of a text is the same to the last bit regardless of the other texts in the
// call and the number of processors, on every x86-64 processor with AVX2 and on every
// arm64 processor. Elsewhere the last bits may differ.
type Encoder struct {
	weights  *weights
	pieces   *wordPiece
	identity string
	level    simd.Level
	// spaces holds idle workspaces.
	spaces sync.Pool
}

// minilmWeights unpacks the weights, once.
var minilmWeights = sync.OnceValues(func() (string, error) {
	z, err := zstd.NewReader(nil)
	if err != nil {
		return "", err
	}
	defer z.Close()
	planes, err := z.DecodeAll(minilmPacked, nil)
	if err != nil {
		return "", fmt.Errorf("minilm weights: %w", err)
	}
	out := make([]byte, len(planes))
	low := planes[len(planes)/2:]
	for i, b := range low {
		out[2*i], out[2*i+1] = b, planes[i]
	}
	return string(out), nil
})

// MiniLM returns an encoder with the embedded weights. The first call unpacks them, which takes
// about 0.1 s and 45 MB of memory.
func MiniLM() (*Encoder, error) {
	data, err := minilmWeights()
	if err != nil {
		return nil, err
	}
	return newEncoder(data, minilmVocabulary, minilmSums, simd.Best())
}

func newEncoder(data, vocabulary, sums string, level simd.Level) (*Encoder, error) {
	w, err := readWeights(data)
	if err != nil {
		return nil, fmt.Errorf("minilm weights: %w", err)
	}
	p, err := newWordPiece(vocabulary, w.shape.words)
	if err != nil {
		return nil, fmt.Errorf("minilm vocabulary: %w", err)
	}
	identity, err := identityOf(sums)
	if err != nil {
		return nil, err
	}
	e := &Encoder{weights: w, pieces: p, identity: identity, level: level}
	e.spaces.New = func() any { return newWorkspace(w) }
	return e, nil
}

// MiniLMIdentity is the identity of the encoder that [MiniLM] returns, without reading its
// weights.
func MiniLMIdentity() (string, error) { return identityOf(minilmSums) }

// identityOf reads the first checksum of a list.
func identityOf(sums string) (string, error) {
	sum, _, _ := strings.Cut(sums, " ")
	if len(sum) != 64 {
		return "", fmt.Errorf("minilm checksum: %q: expected 64 hexadecimal digits", sum)
	}
	return "minilm@" + sum[:12], nil
}

// Dimensions is 384.
func (e *Encoder) Dimensions() int { return e.weights.shape.width }

// Identity is "minilm@" and the first digits of the weights' SHA-256.
func (e *Encoder) Identity() string { return e.identity }

// Tokens returns the number of word pieces of text that enter its vector, including the
// two end markers: 2 for an empty text, at most 256.
func (e *Encoder) Tokens(text string) int {
	return len(e.pieces.encode(nil, text, e.weights.shape.positions))
}

// Embed returns one vector of length 1 per text. The texts are distributed over the
// processors. The only error is ctx's, which is checked between layers.
func (e *Encoder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	work := newWork(e, texts, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for range work.workers - 1 {
		group.Go(func() { work.run(ctx) })
	}
	work.run(ctx)
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return work.vectors, nil
}
