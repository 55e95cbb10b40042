package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

// material is the JSON object that a prompt quotes, between its delimiters.
var material = regexp.MustCompile(`(?s)<data nonce="([^"]+)">\s*(\{.*\})\s*</data`)

// A certifiable is a model server whose rulings on claims are planned: by the text of the
// claim, a verdict or "" for no ruling.
type certifiable struct {
	*httptest.Server
	plan  map[string]string
	calls atomic.Int64
}

func newCertifiable(t *testing.T) *certifiable {
	t.Helper()
	c := &certifiable{plan: map[string]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/tags" {
			fmt.Fprint(w, `{"models": [{"name": "planted:1"}]}`)
			return
		}
		var in struct{ Messages []struct{ Content string } }
		_ = json.NewDecoder(r.Body).Decode(&in)
		var m []string
		for _, message := range in.Messages {
			if found := material.FindStringSubmatch(message.Content); found != nil {
				m = found
			}
		}
		var asked struct {
			Sources []struct{ Text string }
			Claims  []struct {
				ID    int
				Claim string
			}
		}
		if m == nil || json.Unmarshal([]byte(m[2]), &asked) != nil {
			http.Error(w, `{"error": "expected a prompt with data"}`, http.StatusBadRequest)
			return
		}
		c.calls.Add(1)
		items := []any{}
		for _, claim := range asked.Claims {
			verdict := c.plan[claim.Claim]
			if verdict == "" {
				continue
			}
			quotes := []any{}
			if verdict == "supported" {
				quotes = append(quotes, map[string]any{"source": 1, "quote": asked.Sources[0].Text})
			}
			items = append(items, map[string]any{"id": claim.ID, "quotes": quotes, "against": []any{}, "why": "planned",
				"verdict": verdict, "confidence": 90})
		}
		reply, _ := json.Marshal(map[string]any{"nonce": m[1], "items": items})
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": "planted:1", "message": map[string]string{"role": "assistant", "content": string(reply)}, "done": true,
			"done_reason": "stop", "prompt_eval_count": 40, "eval_count": 9,
		})
	}))
	t.Cleanup(c.Close)
	return c
}

// The command finds the rates that a model server rules by, over its real protocol; asked
// again, the ledger has the replies, and the new certificate replaces the old one.
func TestCertifyFindsPlantedRates(t *testing.T) {
	t.Parallel()
	const sensitivity, specificity, unusable = 0.9, 0.75, 0.08
	a := newAgent(t, "")
	server := newCertifiable(t)
	rng := rand.New(rand.NewPCG(20, 26))
	var lines []any
	sources, no, hit, right := 0, 0, [2]int{}, [2]int{}
	for n := 0; n < 240; sources++ {
		context := fmt.Sprintf("Ferry number %d leaves from the eastern pier every morning.", sources)
		for range 1 + rng.IntN(5) {
			claim, label, truth := fmt.Sprintf("Claim %d says something of ferry %d.", n, sources), "not_supported", rng.IntN(2)
			if truth == 1 {
				label = "supported"
			}
			rate := []float64{specificity, sensitivity}[truth]
			says := []string{"not_found", "supported"}
			verdict := says[1-truth]
			agrees := rng.Float64() < rate
			if agrees {
				verdict = says[truth]
			}
			if rng.Float64() < unusable {
				verdict = ""
				no++
			} else {
				hit[truth]++
				if agrees {
					right[truth]++
				}
			}
			server.plan[claim] = verdict
			lines = append(lines, map[string]any{"id": fmt.Sprint("c", n), "language": "en", "context": context, "claim": claim, "label": label,
				"group": fmt.Sprint(sources)})
			n++
		}
	}
	writeLines(t, filepath.Join(a.dir, "claims.jsonl"), lines)
	certify := func() (c assay.Certificate, replaced int) {
		t.Helper()
		code, out, stderr := a.run("judge", "certify", "--judge", "ollama:planted:1", "--judge-url", server.URL, "--data", "claims.jsonl",
			"--questions", "support", "--items", "0", "--passes", "1", "--json")
		var r struct{ Certificates, Replaced []assay.Certificate }
		if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil || len(r.Certificates) != 1 {
			t.Fatalf("exit code %d, %d certificates, error %v:\n%s%s", code, len(r.Certificates), err, stderr, out)
		}
		return r.Certificates[0], len(r.Replaced)
	}
	c, _ := certify()
	if c.Items != len(lines) || c.Usable != len(lines)-no || c.Clusters != sources {
		t.Errorf("%d items, %d usable, %d sources: want %d, %d, %d", c.Items, c.Usable, c.Clusters, len(lines), len(lines)-no, sources)
	}
	for _, m := range []struct {
		name          string
		f             assay.Figure
		planted, want float64
	}{
		{"sensitivity", c.Sensitivity, sensitivity, float64(right[1]) / float64(hit[1])},
		{"specificity", c.Specificity, specificity, float64(right[0]) / float64(hit[0])},
		{"unusable", c.Unusable, unusable, float64(no) / float64(len(lines))},
	} {
		if m.f.Value == nil || *m.f.Value != m.want {
			t.Errorf("%s: %v, want %.4f", m.name, m.f.Value, m.want)
		}
		if m.f.CI == nil || m.f.CI[0] > m.planted || m.f.CI[1] < m.planted {
			t.Errorf("%s: interval %v, want it to hold the planted %.2f", m.name, m.f.CI, m.planted)
		}
	}
	if c.Judge.Provider != "ollama" || c.Judge.Prompts["support"] == "" || len(c.Judge.Prompts) != 1 {
		t.Errorf("judge %+v: want ollama with the prompt of support alone", c.Judge)
	}
	asked := server.calls.Load()
	again, replaced := certify()
	if replaced != 1 {
		t.Errorf("%d certificates replaced, want 1", replaced)
	}
	if more := server.calls.Load() - asked; more*2 > asked {
		t.Errorf("%d calls the second time, %d the first: want those alone that had no ruling", more, asked)
	}
	again.Date, again.Seconds = c.Date, c.Seconds
	if d := cmp.Diff(c, again); d != "" {
		t.Errorf("the second certificate differs (-first +second):\n%s", d)
	}

	// A judge that is away is told before anything is measured.
	code, _, stderr := a.run("judge", "certify", "--judge", "ollama:planted:1", "--judge-url", "http://127.0.0.1:1", "--data",
		"claims.jsonl", "--store", "other.db")
	if code != 3 {
		t.Errorf("exit code %d of a judge that is away, want 3: %s", code, stderr)
	}
}
