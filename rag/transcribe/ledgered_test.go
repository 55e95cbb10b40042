package transcribe_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/rag/transcribe/transcribetest"
)

// memory is a ledger.
type memory struct {
	mu    sync.Mutex
	calls map[string]assay.Call
}

func (m *memory) Call(_ context.Context, key string) (assay.Call, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.calls[key]
	return c, ok, nil
}

func (m *memory) PutCall(_ context.Context, c assay.Call) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == nil {
		m.calls = map[string]assay.Call{}
	}
	m.calls[c.Key] = c
	return nil
}

// hears is a transcriber that is a function.
type hears struct {
	asks func(context.Context, assay.Recording) (assay.Transcription, error)
}

func (h hears) Identity() string { return "hears" }
func (h hears) Transcribe(ctx context.Context, r assay.Recording) (assay.Transcription, error) {
	return h.asks(ctx, r)
}

// ledgered puts a transcriber behind a client.
func ledgered(t *testing.T, of assay.Transcriber, ledger llm.Ledger, change ...func(*llm.ClientConfig)) transcribe.Ledgered {
	t.Helper()
	cfg := llm.ClientConfig{
		Provider: transcribe.Provider("speech", of), Ledger: ledger, Run: "run-1", Now: time.Now, Random: rand.Reader,
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
	for _, c := range change {
		c(&cfg)
	}
	client, err := llm.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return transcribe.Ledgered{Client: client, Model: "m", Name: of.Identity()}
}

func TestLedgered(t *testing.T) {
	transcribetest.Kit{
		Make: func(t *testing.T, says func(mark, language string) string) assay.Transcriber {
			return ledgered(t, hears{func(ctx context.Context, r assay.Recording) (assay.Transcription, error) {
				data := r.Data
				if r.Path != "" {
					data, _ = os.ReadFile(r.Path)
				}
				language := strings.TrimPrefix(r.Language, "auto")
				info, err := transcribe.Inspect(r)
				return assay.Transcription{
					Text:     strings.TrimSpace(strings.ReplaceAll(says(transcribetest.Mark(data), language), "\x1b", "")),
					Duration: info.Duration,
				}, err
			}}, &memory{})
		},
		Stalled: func(t *testing.T) assay.Transcriber {
			return ledgered(t, hears{func(ctx context.Context, _ assay.Recording) (assay.Transcription, error) {
				<-ctx.Done()
				return assay.Transcription{}, ctx.Err()
			}}, &memory{})
		},
	}.Run(t)
}

// The same bytes in the same language are paid for once, whatever the file is
// called, now and in a later run.
func TestPaidOnce(t *testing.T) {
	var calls atomic.Int32
	of := hears{func(_ context.Context, r assay.Recording) (assay.Transcription, error) {
		calls.Add(1)
		return assay.Transcription{
			Text:     "heard " + r.Language,
			Language: "en",
			Duration: 1500 * time.Millisecond,
			Usage:    assay.Usage{InputTokens: 3, OutputTokens: 4, Cost: 50},
		}, nil
	}}
	ledger := &memory{}
	tr := ledgered(t, of, ledger)
	path := filepath.Join(t.TempDir(), "b.wav")
	if err := os.WriteFile(path, short.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	want := assay.Transcription{
		Text:     "heard ",
		Language: "en",
		Duration: 1500 * time.Millisecond,
		Usage:    assay.Usage{InputTokens: 3, OutputTokens: 4, Cost: 50},
	}
	for i, r := range []assay.Recording{short, {Name: "b.wav", Path: path}, {Data: short.Data, Language: "auto"}} {
		if got, err := tr.Transcribe(t.Context(), r); err != nil || got != want {
			t.Errorf("%d: %+v, %v: want %+v", i, got, err, want)
		}
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("%d calls: want 1", n)
	}
	// Another language, other bytes and another transcriber are other questions.
	other := short
	other.Language = "yue"
	for _, r := range []assay.Recording{other, {Data: transcribetest.WAV(1, "y")}} {
		if _, err := tr.Transcribe(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	tr.Name = "hears better"
	if _, err := tr.Transcribe(t.Context(), short); err != nil {
		t.Error(err)
	}
	if n := calls.Load(); n != 4 {
		t.Errorf("%d calls: want 4", n)
	}
	// A later run finds them, and with replay nobody is asked.
	later := ledgered(t, hears{func(context.Context, assay.Recording) (assay.Transcription, error) {
		return assay.Transcription{}, errors.New("asked")
	}}, ledger, func(c *llm.ClientConfig) { c.Run, c.Mode = "run-2", llm.Replay })
	if got, err := later.Transcribe(t.Context(), short); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := later.Transcribe(t.Context(),
		assay.Recording{Name: "n.wav", Data: transcribetest.WAV(1, "new")}); !llm.IsKind(err, llm.KindReplay) {
		t.Errorf("%v: want that the ledger lacks it", err)
	}
	for _, c := range ledger.calls {
		if c.Operation != "transcribe" || c.Provider != "speech" || c.Run != "run-1" || !strings.Contains(string(c.Request),
			"sha256:") || len(c.Request) > 1000 {
			t.Errorf("%+v", c)
		}
	}
}

// A server that is overloaded is asked again; what fails for good is not.
func TestRetries(t *testing.T) {
	left := 2
	s := served(t, func(w http.ResponseWriter, r *http.Request) {
		if left--; left >= 0 {
			w.Header().Set("Retry-After", "3")
			status(429, `{"error":{"message":"slow down"}}`)(w, r)
			return
		}
		status(200, `{"text":"at last"}`)(w, r)
	})
	var waits []time.Duration
	tr := ledgered(t, s, &memory{}, func(c *llm.ClientConfig) {
		c.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
		clock := time.Unix(0, 0)
		c.Now = func() time.Time { clock = clock.Add(time.Hour); return clock }
	})
	if got, err := tr.Transcribe(t.Context(), short); err != nil || got.Text != "at last" {
		t.Errorf("%+v, %v", got, err)
	}
	if len(waits) != 2 || waits[0] < 3*time.Second || waits[1] < 3*time.Second {
		t.Errorf("waited %v: want twice 3s or more", waits)
	}
	calls := 0
	s = served(t, func(w http.ResponseWriter, r *http.Request) {
		calls++
		status(400, `{"error":{"message":"no"}}`)(w, r)
	})
	if _, err := ledgered(t, s, &memory{}).Transcribe(t.Context(), short); !llm.IsKind(err, llm.KindRequest) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// A client that is asked for something else says what it is.
func TestProviderWithoutRecording(t *testing.T) {
	_, err := transcribe.Provider("speech", hears{}).Complete(t.Context(), llm.Request{Model: "m"})
	if !llm.IsKind(err, llm.KindRequest) || !strings.Contains(err.Error(), "called without a recording") {
		t.Error(err)
	}
}

func TestFake(t *testing.T) {
	f, err := transcribe.ReadFake("t.yaml", []byte("q.wav: what was said\nsilence.wav: \"\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r          assay.Recording
		want, fail string
	}{
		{assay.Recording{Name: "audio/q.wav", Data: short.Data}, "what was said", ""},
		{assay.Recording{Name: "silence.wav", Data: short.Data}, "", ""},
		{assay.Recording{Name: "r.wav", Data: short.Data}, "", `recording "r.wav": no transcript: expected one under "r.wav" or "sha256:`},
		{assay.Recording{Name: "q.wav"}, "", `recording "q.wav": empty: expected a recording`},
	} {
		got, err := f.Transcribe(t.Context(), c.r)
		switch {
		case c.fail == "" && (err != nil || got.Text != c.want || got.Duration != time.Second),
			c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail)):
			t.Errorf("%q: %+v, %v: want %q%s", c.r.Name, got, err, c.want, c.fail)
		}
	}
	for _, c := range [][2]string{{"", "t.yaml: no transcript: expected one"}, {"q.wav: [1]", "t.yaml:1: "}} {
		if _, err := transcribe.ReadFake("t.yaml", []byte(c[0])); err == nil || !strings.HasPrefix(err.Error(), c[1]) {
			t.Errorf("%q: %v: want %s", c[0], err, c[1])
		}
	}
}
