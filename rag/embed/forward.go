package embed

import (
	"context"
	"math"
	"slices"

	"github.com/assay-eval/assay/internal/simd"
)

const (
	// epsilon is added to the variance in the model's layer norms.
	epsilon = 1e-12
	// stripDepth is the depth of the matrix strip that is processed at once: 24 KiB
	// when widened, half of a first-level cache.
	stripDepth = 192
	// queryRows is the number of word pieces whose attention is computed at once.
	queryRows = 24
)

// A workspace holds the data of one worker: a batch of texts, one after the other
// without padding, with one row of values per word piece.
type workspace struct {
	weights *weights
	tokens  []int32
	ends    []int // of the texts, in tokens

	x, y              []float32 // vectors of the word pieces, input and output
	query, key, value []float32 // of one head
	inner             []float32 // one group of units of the feed-forward layer
	strip             []float32 // the part of a matrix in use
	keys              []float32 // of one text, transposed
	scores            []float32 // of queryRows word pieces
}

func newWorkspace(w *weights) *workspace {
	s := w.shape
	// A batch that is one piece below its limit may take one more text. Kernels process
	// whole blocks of rows and so reach beyond the last one; those values do not enter
	// any result.
	rows := batchTokens + s.positions + simd.Width + queryRows
	return &workspace{
		weights: w,
		x:       make([]float32, rows*s.width),
		y:       make([]float32, rows*s.width),
		query:   make([]float32, rows*simd.Width),
		key:     make([]float32, rows*simd.Width),
		value:   make([]float32, rows*simd.Width),
		inner:   make([]float32, rows*s.group),
		strip:   make([]float32, stripDepth*simd.Width),
		keys:    make([]float32, s.positions*simd.Width),
		scores:  make([]float32, queryRows*s.positions),
	}
}

func (s *workspace) reset() {
	s.tokens = s.tokens[:0]
	s.ends = s.ends[:0]
}

// begin returns the index of text i's first word piece.
func (s *workspace) begin(i int) int {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// rowsFor rounds n up to a multiple of the kernels' block.
func rowsFor(n int) int { return (n + simd.RowBlock - 1) / simd.RowBlock * simd.RowBlock }

// forward runs the model over the batch and leaves the last layer's vectors in
// s.x. It reports false when ctx was done before the end.
func (e *Encoder) forward(ctx context.Context, s *workspace) bool {
	e.look(s)
	for i := range s.weights.layers {
		if ctx.Err() != nil {
			return false
		}
		p := &pass{workspace: s, level: e.level, layer: &s.weights.layers[i], rows: rowsFor(len(s.tokens))}
		p.rest = p.layer.strips
		p.attend()
		p.feed()
	}
	return true
}

// look sets s.x to the embeddings of the word pieces and their positions.
func (e *Encoder) look(s *workspace) {
	w := s.weights
	width := w.shape.width
	text, place := 0, 0
	for i, token := range s.tokens {
		if i == s.ends[text] {
			text, place = text+1, 0
		}
		row := s.x[i*width:][:width]
		e.level.Widen(row, w.words[2*width*int(token):][:2*width])
		e.level.LayerNorm(row, w.positions[place*width:][:width], w.norm.gain, w.norm.shift, epsilon)
		place++
	}
	// Rows that only fill the last block must hold valid numbers.
	clear(s.x[len(s.tokens)*width : rowsFor(len(s.tokens))*width])
}

// A pass is the computation of one layer for a batch.
type pass struct {
	*workspace
	level simd.Level
	layer *layer
	rows  int
	rest  string // the strips not yet used
}

// multiply sets Width columns of dst to add plus a times the next strip.
func (p *pass) multiply(dst, add, a simd.Matrix, depth int) {
	for k := 0; k < depth; k += stripDepth {
		n := min(stripDepth, depth-k)
		strip := p.strip[:n*simd.Width]
		p.level.Widen(strip, p.rest[:2*len(strip)])
		p.rest = p.rest[2*len(strip):]
		p.level.MulAdd(dst, add, a.From(0, k), strip, p.rows, n)
		add = dst
	}
}

func (p *pass) normalize(bias []float32, n layerNorm) {
	for i := range len(p.tokens) {
		p.level.LayerNorm(p.x[i*len(bias):][:len(bias)], bias, n.gain, n.shift, epsilon)
	}
}

// attend is the first half of a layer: x becomes norm(x + output(attention)).
func (p *pass) attend() {
	width := p.weights.shape.width
	x, y := simd.Matrix{Data: p.x, Stride: width}, simd.Matrix{Data: p.y, Stride: width}
	for h := 0; h < width; h += simd.Width {
		p.multiply(head(p.query), simd.Matrix{Data: p.layer.query[h:]}, x, width)
		p.multiply(head(p.key), simd.Matrix{Data: p.layer.key[h:]}, x, width)
		p.multiply(head(p.value), simd.Matrix{Data: p.layer.value[h:]}, x, width)
		for i, end := range p.ends {
			begin := p.begin(i)
			p.attendText(y.From(0, h), begin, end-begin)
		}
	}
	for c := 0; c < width; c += simd.Width {
		p.multiply(x.From(0, c), x.From(0, c), y, width)
	}
	p.normalize(p.layer.output, p.layer.attended)
}

func head(data []float32) simd.Matrix { return simd.Matrix{Data: data, Stride: simd.Width} }

// attendText computes one head's attention within the text of n word pieces that starts
// at row begin. The remaining rows of the last block belong to the next text, which
// overwrites them.
func (p *pass) attendText(dst simd.Matrix, begin, n int) {
	columns := (n + simd.Width - 1) / simd.Width * simd.Width
	for c := 0; c < columns; c += simd.Width {
		p.level.Transpose32((*[simd.Width * simd.Width]float32)(p.keys[c*simd.Width:]),
			(*[simd.Width * simd.Width]float32)(p.key[(begin+c)*simd.Width:]))
	}
	scale := float32(1 / math.Sqrt(simd.Width))
	scores := simd.Matrix{Data: p.scores, Stride: columns}
	value := p.value[begin*simd.Width:][:n*simd.Width]
	none := simd.Matrix{Data: zeros[:]}
	for row := 0; row < n; row += queryRows {
		count := min(queryRows, n-row)
		rows := rowsFor(count)
		for c := 0; c < columns; c += simd.Width {
			p.level.MulAdd(scores.From(0, c), none, head(p.query).From(begin+row, 0), p.keys[c*simd.Width:], rows, simd.Width)
		}
		for i := range count {
			p.level.Softmax(p.scores[i*columns:][:columns], n, scale)
		}
		p.level.MulAdd(dst.From(begin+row, 0), none, scores, value, rows, n)
	}
}

var zeros [simd.Width]float32

// feed is the second half of a layer: x becomes norm(x + down(gelu(up(x)))). The inner
// units are computed in groups, each of which is used while it is in the cache.
func (p *pass) feed() {
	s := p.weights.shape
	x, y := simd.Matrix{Data: p.x, Stride: s.width}, simd.Matrix{Data: p.y, Stride: s.width}
	inner := simd.Matrix{Data: p.inner, Stride: s.group}
	add := x
	for g := 0; g < s.inner; g += s.group {
		for c := 0; c < s.group; c += simd.Width {
			p.multiply(inner.From(0, c), simd.Matrix{Data: p.layer.up[g+c:]}, x, s.width)
		}
		p.level.GELU(p.inner[:p.rows*s.group])
		for c := 0; c < s.width; c += simd.Width {
			p.multiply(y.From(0, c), add.From(0, c), inner, s.group)
		}
		add = y
	}
	p.x, p.y = p.y, p.x
	p.normalize(p.layer.down, p.layer.done)
}

// mean returns the mean of the vectors of text i's word pieces, scaled to length 1.
func (s *workspace) mean(i int) []float32 {
	width := s.weights.shape.width
	sum := make([]float32, width)
	for row := range slices.Chunk(s.x[s.begin(i)*width:s.ends[i]*width], width) {
		for j, v := range row {
			sum[j] += v
		}
	}
	var square float64
	for _, v := range sum {
		square += float64(v) * float64(v)
	}
	// Dividing the mean would not change the direction.
	scale := float32(1 / math.Sqrt(max(square, math.SmallestNonzeroFloat64)))
	for j := range sum {
		sum[j] *= scale
	}
	return sum
}
