package target_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/target"
)

// httpLoad is a reply of five passages of 1000 characters.
func httpLoad(tb testing.TB) []byte {
	passages := make([]any, 5)
	for i := range passages {
		passages[i] = map[string]any{"text": strings.Repeat("Ein \"Satz\" über Paris. ", 45), "id": fmt.Sprint("p", i),
			"score": 1 / float64(i+1)}
	}
	body, err := json.Marshal(map[string]any{"answer": strings.Repeat("Paris is the capital. ", 20), "contexts": passages})
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

// BenchmarkHTTPAsk measures one call against a server of this process, whose
// own work is in the numbers; "client" is the bare client of net/http that reads
// the same reply, for comparison.
func BenchmarkHTTPAsk(b *testing.B) {
	body := httpLoad(b)
	server := httpServe(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
	keys := secret.Set{secret.New("sk-1234567890abcdef")}
	for _, bench := range []struct {
		name    string
		secrets secret.Set
	}{{"plain", nil}, {"secret", keys}} {
		h := httpTarget(b, target.HTTPConfig{Endpoint: server.URL, Secrets: bench.secrets,
			Read: httpMapping(b, map[string]string{"answer": "answer", "passages": "contexts"})})
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := h.Ask(b.Context(), &assay.Case{ID: "1", Question: "What is the capital of France?"}); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
	b.Run("client", func(b *testing.B) {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
		defer client.CloseIdleConnections()
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				resp, err := client.Post(server.URL, "application/json", strings.NewReader(`{"question":"What is the capital of France?"}`))
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	})
}

// BenchmarkHTTPRun measures 10,000 cases through the engine against a stub that
// takes 50 ms, 200 at once, as a share of the ideal 2.5 s. The stub's own work is
// in the numbers: it runs in the same process. "client" does the same with the
// bare client of net/http, which is what the machine can do at the moment.
func BenchmarkHTTPRun(b *testing.B) {
	const cases, concurrency, each = 10_000, 200, 50 * time.Millisecond
	body := httpLoad(b)
	server := httpServe(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(each)
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
	measure := func(b *testing.B, all func()) {
		began := time.Now()
		for b.Loop() {
			all()
		}
		ideal := float64(b.N) * float64(cases/concurrency) * each.Seconds()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(100*ideal/time.Since(began).Seconds(), "%ideal")
		b.ReportMetric(float64(m.Sys>>20), "MiB-sys")
	}
	b.Run("engine", func(b *testing.B) {
		cfg := run.Defaults()
		for i := range cases {
			cfg.Cases.Add(&assay.Case{ID: fmt.Sprint(i), Question: "What is the capital of France?"})
		}
		cfg.Concurrency, cfg.Now = concurrency, time.Now
		cfg.Target = httpTarget(b, target.HTTPConfig{Endpoint: server.URL})
		measure(b, func() {
			n := 0
			for rec, err := range run.Run(b.Context(), cfg) {
				if err != nil || rec.Response == nil {
					b.Fatal(err, rec.Failure)
				}
				n++
			}
			if n != cases {
				b.Fatalf("%d records", n)
			}
		})
	})
	b.Run("client", func(b *testing.B) {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency}}
		defer client.CloseIdleConnections()
		measure(b, func() {
			var all sync.WaitGroup
			for range concurrency {
				all.Go(func() {
					for range cases / concurrency {
						resp, err := client.Post(server.URL, "application/json", strings.NewReader(`{"question":"What is the capital of France?"}`))
						if err != nil {
							b.Error(err)
							return
						}
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
				})
			}
			all.Wait()
		})
	})
}
