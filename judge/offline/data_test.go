//go:build results

package offline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// rows reads a dataset, and the hash of its file.
func rows(t *testing.T, name string) ([]row, string) {
	t.Helper()
	path := requiretest.Shared(t, "data/answers/"+name+".jsonl")
	data, err := os.ReadFile(path)
	check(t, err)
	out, err := readRows(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	sum := sha256.Sum256(data)
	return out, "sha256:" + hex.EncodeToString(sum[:])[:12]
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// exampleOf computes the features of one row.
func exampleOf(t *testing.T, j *Judge, set string, r *row) example {
	t.Helper()
	x, err := j.example(context.Background(), set, r)
	check(t, err)
	return x
}
