package embed_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/assay-eval/assay/rag/embed"
)

// counting is an embedder whose vector is the length of the text.
type counting struct {
	mu    sync.Mutex
	asked []string
}

func (c *counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out [][]float32
	for _, t := range texts {
		c.asked = append(c.asked, t)
		out = append(out, []float32{float32(len(t))})
	}
	return out, nil
}

func (c *counting) Dimensions() int  { return 1 }
func (c *counting) Identity() string { return "counting" }

func TestMemoAsksOnce(t *testing.T) {
	c := &counting{}
	m := embed.Memo(c)
	for _, texts := range [][]string{{"a", "bb", "a"}, {"bb", "ccc"}, {"a", "bb", "ccc"}} {
		got, err := m.Embed(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if v[0] != float32(len(texts[i])) {
				t.Errorf("%q has the vector %v", texts[i], v)
			}
		}
	}
	if want := []string{"a", "bb", "ccc"}; !slices.Equal(c.asked, want) {
		t.Errorf("asked for %q, want %q", c.asked, want)
	}
	if m.Identity() != "counting" || m.Dimensions() != 1 {
		t.Error("the memo hides what it wraps")
	}
}

// What is computed before a run is computed again in it; what was known is not.
func TestMemoUnkept(t *testing.T) {
	c := &counting{}
	m := embed.Memo(c)
	for _, ctx := range []context.Context{embed.Unkept(t.Context()), t.Context(), embed.Unkept(t.Context()), t.Context()} {
		if got, err := m.Embed(ctx, []string{"a", "bb"}); err != nil || got[1][0] != 2 {
			t.Fatal(got, err)
		}
	}
	if want := []string{"a", "bb", "a", "bb"}; !slices.Equal(c.asked, want) {
		t.Errorf("asked for %q, want %q", c.asked, want)
	}
}

func TestMemoForgets(t *testing.T) {
	c := &counting{}
	m := embed.Memo(c)
	big := make([]string, 1<<15)
	for i := range big {
		big[i] = string(rune(i + 1000))
	}
	for _, texts := range [][]string{{"a"}, big, {"a"}} {
		if _, err := m.Embed(context.Background(), texts); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.asked); n != len(big)+2 {
		t.Errorf("asked %d times, want %d: the first text is forgotten", n, len(big)+2)
	}
}
