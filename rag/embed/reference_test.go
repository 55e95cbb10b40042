package embed_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/embed"
)

// A reference is one line that scripts/minilm/reference.py wrote.
type reference struct {
	Text   string    `json:"text"`
	Tokens []int32   `json:"tokens"`
	Vector []float64 `json:"vector"`
}

var update = flag.Bool("update", false, "write testdata/vectors.bin anew, at the best level of this processor")

// vectorsFile holds the vectors of the edge cases as x86-64 gave them: numbers of single
// precision, little-endian.
var vectorsFile = filepath.Join("testdata", "vectors.bin")

// TestReference compares with a thousand mixed texts embedded by ONNX Runtime
// or sentence-transformers from the weights in single precision.
func TestReference(t *testing.T) {
	t.Parallel()
	rows := readReference(t, requiretest.Env(t, "ASSAY_MINILM_REFERENCE"))
	if len(rows) < 1000 {
		t.Fatalf("%d texts: want 1000", len(rows))
	}
	compare(t, encoder(t), rows)
}

// TestPinned does the same with the vectors of the edge cases, made by
// sentence-transformers and kept beside the test, at every level. The vectors must also
// be those of x86-64: to the last bit with kernels, within 1e-5 without.
func TestPinned(t *testing.T) {
	t.Parallel()
	rows := readReference(t, filepath.Join("testdata", "sentence-transformers.jsonl"))
	if len(rows) < 40 {
		t.Fatalf("%d texts: want the 40 edge cases", len(rows))
	}
	if *update {
		var data []byte
		for _, v := range vectors(t, encoder(t), textsOf(rows)...) {
			for _, x := range v {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
			}
		}
		if err := os.WriteFile(vectorsFile, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden := readVectors(t)
	if len(golden) != len(rows) {
		t.Fatalf("%s has %d vectors for %d texts: go test ./rag/embed -run TestPinned -update", vectorsFile, len(golden), len(rows))
	}
	levels := []simd.Level{simd.Generic, simd.Best()}
	for _, l := range slices.Compact(levels) {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			e, err := embed.AtLevel(l)
			if err != nil {
				t.Fatal(err)
			}
			some, want, limit := rows, golden, 0.0
			if l == simd.Generic {
				// Plain Go takes seconds for the long ones, and a minute under
				// the race detector.
				some, want, limit = nil, nil, 1e-5
				for i, r := range rows {
					if len(r.Tokens) <= 4 {
						some, want = append(some, r), append(want, golden[i])
					}
				}
			}
			for i, v := range compare(t, e, some) {
				if d := furthest(v, want[i]); !(d <= limit) {
					t.Errorf("%q: a value is %g from that of x86-64, want at most %g", some[i].Text, d, limit)
				}
			}
		})
	}
}

// furthest is the greatest difference of two values at one place.
func furthest(a, b []float32) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(float64(a[i])-float64(b[i])))
	}
	return most
}

func readVectors(t *testing.T) [][]float32 {
	t.Helper()
	data, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]float32
	for row := range slices.Chunk(data, 4*384) {
		v := make([]float32, len(row)/4)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:]))
		}
		out = append(out, v)
	}
	return out
}

func textsOf(rows []reference) []string {
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.Text
	}
	return texts
}

// compare holds the vectors of an encoder to the references, and returns them.
func compare(t *testing.T, e *embed.Encoder, rows []reference) [][]float32 {
	t.Helper()
	for _, r := range rows {
		if got := e.Pieces(r.Text); !slices.Equal(got, r.Tokens) {
			t.Errorf("%q: word pieces %v, want %v", r.Text, got, r.Tokens)
		}
	}
	vectors := vectors(t, e, textsOf(rows)...)
	least := 1.
	for i, r := range rows {
		var dot, a, b float64
		for j, v := range vectors[i] {
			dot += float64(v) * r.Vector[j]
			a += float64(v) * float64(v)
			b += r.Vector[j] * r.Vector[j]
		}
		if math.Abs(a-1) > 1e-6 {
			t.Errorf("%q: length %v, want 1", r.Text, math.Sqrt(a))
		}
		cosine := dot / math.Sqrt(a*b)
		if !(cosine >= 0.9999) {
			t.Errorf("%q: cosine %v, want at least 0.9999", r.Text, cosine)
		}
		least = min(least, cosine)
	}
	t.Logf("%d texts: least cosine %.8f", len(rows), least)
	return vectors
}

func readReference(t *testing.T, path string) []reference {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	lines.Scan() // the header
	t.Logf("%s", lines.Text())
	var rows []reference
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return rows
}

func encoder(t testing.TB) *embed.Encoder {
	t.Helper()
	e, err := embed.MiniLM()
	if err != nil {
		t.Fatal(err)
	}
	return e
}
