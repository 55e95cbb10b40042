package embed_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/rag/embed"
)

var _ assay.Embedder = (*embed.Encoder)(nil)

// TestKnownSentence compares with the values that the model's makers print:
// 6.76569e-02 6.34959e-02 4.87131e-02 7.93049e-02 3.74481e-02. The weights in
// half precision shift them by some 4e-5.
func TestKnownSentence(t *testing.T) {
	t.Parallel()
	v := vectors(t, encoder(t), "This is an example sentence")[0]
	for i, want := range []float64{0.0676569, 0.0634959, 0.0487131, 0.0793049, 0.0374481} {
		if math.Abs(float64(v[i])-want) > 1e-4 {
			t.Errorf("value %d is %v, want %v", i, v[i], want)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	e, err := embed.New("minilm")
	if err != nil {
		t.Fatal(err)
	}
	if e.Dimensions() != 384 {
		t.Errorf("%d dimensions, want 384", e.Dimensions())
	}
	for _, name := range []string{"", "MiniLM", "openai"} {
		_, err := embed.New(name)
		if want := fmt.Sprintf(`embedder %q: expected one of minilm`, name); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestChecksums keeps the embedded files, their checksums and the identity
// together.
func TestChecksums(t *testing.T) {
	t.Parallel()
	files, sums := embed.Files()
	found := 0
	for line := range strings.Lines(sums) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, ok := files[name]
		if !ok {
			t.Errorf("SHA256SUMS names %q", name)
			continue
		}
		found++
		sum := sha256.Sum256([]byte(data))
		got := hex.EncodeToString(sum[:])
		if got != want {
			t.Errorf("%s: SHA-256 %s, want %s", name, got, want)
		}
		if name == "minilm.bin" && encoder(t).Identity() != "minilm@"+got[:12] {
			t.Errorf("identity %q, want the first digits of %s", encoder(t).Identity(), got)
		}
	}
	if found != len(files) {
		t.Errorf("%d of %d files have a checksum", found, len(files))
	}
	if n := len(files["minilm.bin"]); n > 48_000_000 {
		t.Errorf("weights of %d bytes: want at most 48 MB", n)
	}
}

// mixed gives texts of many lengths, in no order.
func mixed() []string {
	var texts []string
	for i := range 12 {
		texts = append(texts, strings.Repeat("The cat sat; 貓坐。 ", i*5%12)+fmt.Sprint(i))
	}
	return append(texts, "", " ", "?", "[SEP]")
}

// shallow gives an encoder of the first two layers of the model, for what does not depend on
// their number and needs many vectors: an emulated processor takes a second for 20 word pieces of
// all layers.
func shallow(t testing.TB) *embed.Encoder {
	t.Helper()
	files, sums := embed.Files()
	e, err := embed.NewEncoder(embed.WithLayers(files["minilm.bin"], 2), files["vocab.txt"], sums)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSameBytes embeds the same texts alone, together, in another order and
// with other numbers of processors. It changes GOMAXPROCS, so it is not
// parallel.
func TestSameBytes(t *testing.T) {
	e := shallow(t)
	texts := mixed()
	want := vectors(t, e, texts...)
	for i, text := range texts {
		if got := vectors(t, e, text)[0]; !slices.Equal(got, want[i]) {
			t.Errorf("text %d alone has another vector", i)
		}
	}
	reversed := slices.Clone(texts)
	slices.Reverse(reversed)
	for _, n := range []int{1, 2, 3, 8} {
		before := runtime.GOMAXPROCS(n)
		got := vectors(t, e, reversed...)
		runtime.GOMAXPROCS(before)
		slices.Reverse(got)
		if !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
			t.Errorf("%d processors, reversed: other vectors", n)
		}
	}
}

// TestLevels checks that both kinds of kernel for x86-64 give the same bytes.
func TestLevels(t *testing.T) {
	t.Parallel()
	if simd.Best() != simd.AVX512 {
		return // nothing to compare with
	}
	var all [][][]float32
	for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
		e, err := embed.AtLevel(l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, vectors(t, e, mixed()...))
	}
	if !slices.EqualFunc(all[0], all[1], slices.Equal[[]float32]) {
		t.Error("avx2 and avx512 give different vectors")
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	e := shallow(t)
	texts := mixed()[:6]
	want := vectors(t, e, texts...)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			for i, text := range texts {
				got, err := e.Embed(context.Background(), []string{text})
				if err != nil || !slices.Equal(got[0], want[i]) {
					t.Errorf("text %d: another vector, or %v", i, err)
				}
			}
		})
	}
	group.Wait()
}

func TestNoTexts(t *testing.T) {
	t.Parallel()
	if got := vectors(t, encoder(t)); len(got) != 0 {
		t.Errorf("%d vectors for no text", len(got))
	}
}

// A countdown is a context that is cancelled once it was asked so often.
type countdown struct {
	context.Context
	left atomic.Int32
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancel(t *testing.T) {
	t.Parallel()
	e := shallow(t)
	texts := mixed()
	for _, n := range []int32{0, 1, 2, 4} {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(n)
		got, err := e.Embed(ctx, texts)
		if !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("cancelled after %d looks: %d vectors, %v", n, len(got), err)
		}
		if -ctx.left.Load() > 2+2*int32(runtime.GOMAXPROCS(0)) {
			t.Errorf("cancelled after %d looks: went on for %d more", n, -ctx.left.Load())
		}
	}
	// What an abandoned batch leaves behind must not matter.
	if got := vectors(t, e, texts...); !slices.EqualFunc(got, vectors(t, shallow(t), texts...), slices.Equal[[]float32]) {
		t.Error("other vectors after a cancelled call")
	}
}

func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	files, sums := embed.Files()
	weights, vocabulary := files["minilm.bin"], files["vocab.txt"]
	header := weights[:36]
	for name, c := range map[string]struct{ weights, vocabulary, sums, want string }{
		"empty":        {"", vocabulary, sums, `minilm weights: byte 0: expected "ASSAYML1"`},
		"foreign":      {"PK\x03\x04" + weights, vocabulary, sums, `minilm weights: byte 0: expected "ASSAYML1"`},
		"short header": {weights[:20], vocabulary, sums, "minilm weights: ends too soon"},
		"header only":  {header, vocabulary, sums, "minilm weights: ends too soon"},
		"cut":          {weights[:len(weights)-1], vocabulary, sums, "minilm weights: ends too soon"},
		"longer":       {weights + "xyz", vocabulary, sums, "minilm weights: 3 bytes too many"},
		"size 0":       {weights[:8] + "\x00\x00\x00\x00" + weights[12:], vocabulary, sums, "minilm weights: size 0: expected 1 to 1000000"},
		"heads": {weights[:20] + "\x0D\x00\x00\x00" + weights[24:], vocabulary, sums,
			"minilm weights: 13 heads for width 384: expected heads of 32"},
		"group": {weights[:32] + "\xC1\x00\x00\x00" + weights[36:], vocabulary, sums, "minilm weights: groups of 193 for inner width " +
			"1536: expected a multiple of 32 that divides it"},
		"positions": {weights[:12] + "\xFF\x00\x00\x00" + weights[16:], vocabulary, sums,
			"minilm weights: 255 positions: expected a multiple of 32"},
		"few words":      {weights, "a\nb\n", sums, "minilm vocabulary: 2 words: expected 30522"},
		"no special":     {weights, strings.Replace(vocabulary, "[SEP]", "[sep]", 1), sums, `minilm vocabulary: has no "[SEP]"`},
		"empty checksum": {weights, vocabulary, "", `minilm checksum: "": expected 64 hexadecimal digits`},
	} {
		if _, err := embed.NewEncoder(c.weights, c.vocabulary, c.sums); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

func FuzzWeights(f *testing.F) {
	files, _ := embed.Files()
	f.Add(files["minilm.bin"][:36])
	f.Add("ASSAYML1")
	f.Fuzz(func(t *testing.T, data string) {
		// The real file is far too long to be found.
		if embed.ReadWeights(data) == nil && len(data) < 36 {
			t.Error("no error")
		}
	})
}

func vectors(t testing.TB, e *embed.Encoder, texts ...string) [][]float32 {
	t.Helper()
	v, err := e.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
