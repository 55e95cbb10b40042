package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/config"
)

// A server embeds its corpus once it has a ledger, and another on the same store asks for
// nothing of it.
func TestServeEmbedder(t *testing.T) {
	t.Parallel()
	var embedded atomic.Int64
	tei := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Inputs []string }
		if r.Method == http.MethodGet || json.NewDecoder(r.Body).Decode(&in) != nil {
			http.NotFound(w, r)
			return
		}
		embedded.Add(int64(len(in.Inputs)))
		out := [][]float32{}
		for _, text := range in.Inputs {
			v := []float32{1, 0.1}
			if strings.Contains(text, "parking") {
				v = []float32{0.1, 1}
			}
			out = append(out, v)
		}
		json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(tei.Close)
	corpus := folder(t, map[string]string{"a.txt": "The library opens at nine.", "b.txt": "The parking fee is 5 dollars."})
	s := opened(t, newPlace(t))
	for _, want := range []int64{3, 0} { // two passages and a question
		b := startOn(t, s, func(c *Config) {
			for key, v := range map[string]string{
				"corpus": corpus, "retriever": "dense", "embedder": "tei:m", "embedder-url": tei.URL, "generator": "none",
			} {
				if err := c.Settings.Set(key, v, config.FromFlag, "test"); err != nil {
					t.Fatal(err)
				}
			}
		})
		embedded.Store(0)
		r := read[accuracy.Result](t, b.do("POST", "/api/v1/test/generate/text",
			map[string]any{"question": "What is the parking fee?", "profile": "A"}).want(t, 200))
		if n := embedded.Load(); n != want {
			t.Errorf("%d texts were embedded: want %d", n, want)
		}
		if chunks := r.Retrieval.PerSubQuestion[0].Chunks; len(chunks) != 2 || !strings.Contains(chunks[0].Text, "parking") {
			t.Errorf("%+v: want the parking fee first", chunks)
		}
	}
}
