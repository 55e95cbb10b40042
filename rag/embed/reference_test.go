package embed_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/embed"
)

// A reference is one line that scripts/minilm/reference.py wrote.
type reference struct {
	Text   string    `json:"text"`
	Tokens []int32   `json:"tokens"`
	Vector []float64 `json:"vector"`
}

// TestReference compares with a thousand mixed texts embedded by ONNX Runtime
// or sentence-transformers from the weights in single precision.
func TestReference(t *testing.T) {
	t.Parallel()
	rows := readReference(t, require.Env(t, "ASSAY_MINILM_REFERENCE"))
	if len(rows) < 1000 {
		t.Fatalf("%d texts: want 1000", len(rows))
	}
	compare(t, encoder(t), rows)
}

// TestPinned does the same with the vectors of the edge cases, made by
// sentence-transformers and kept beside the test, at every level.
func TestPinned(t *testing.T) {
	t.Parallel()
	rows := readReference(t, filepath.Join("testdata", "sentence-transformers.jsonl"))
	if len(rows) < 40 {
		t.Fatalf("%d texts: want the 40 edge cases", len(rows))
	}
	for l := simd.Generic; l <= simd.Best(); l++ {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			e, err := embed.AtLevel(l)
			if err != nil {
				t.Fatal(err)
			}
			some := rows
			if l == simd.Generic {
				// Plain Go takes seconds for the long ones, and a minute under
				// the race detector.
				some = slices.DeleteFunc(slices.Clone(rows), func(r reference) bool { return len(r.Tokens) > 4 })
			}
			compare(t, e, some)
		})
	}
}

func compare(t *testing.T, e *embed.Encoder, rows []reference) {
	t.Helper()
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.Text
		if got := e.Pieces(r.Text); !slices.Equal(got, r.Tokens) {
			t.Errorf("%q: word pieces %v, want %v", r.Text, got, r.Tokens)
		}
	}
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
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
