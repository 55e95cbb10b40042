package web

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// TestAssetsAreSmall: all that pages load is below 150 kB, packed.
func TestAssetsAreSmall(t *testing.T) {
	t.Parallel()
	total := 0
	for name, body := range newAssets().files {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		total += packed.Len()
		t.Logf("%s: %d bytes of %d", name, packed.Len(), len(body))
	}
	if total == 0 || total >= 150_000 {
		t.Errorf("all files are %d bytes", total)
	}
}
