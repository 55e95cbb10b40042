package preset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/preset"
)

// An example is what the documentation of a server says about a call, as data:
// what comes in, and what the server answers.
type example struct {
	// Source is where that is said.
	Source string
	Values map[string]string
	Calls  []call
	// Want is what the replies mean.
	Want assay.Response
	// Failure is what the server answers when it cannot.
	Failure struct {
		Status int
		Reply  json.RawMessage
		Says   string
	}
}

type call struct {
	Method, Path string
	Header       map[string]string
	// Without lists headers that must not be there.
	Without []string
	// Body is what must be sent, Graphql the query within it.
	Body    any
	Graphql string
	Reply   json.RawMessage
}

// A double stands for a server: it takes the calls of an example, one after the
// other, then the last one again, and nothing else.
type double struct {
	t     *testing.T
	calls []call
	// fails, when it is set, is answered to the last call.
	fails func(http.ResponseWriter)
	mu    sync.Mutex
	done  int
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	want := d.calls[min(d.done, len(d.calls)-1)]
	d.done++
	if r.Method != want.Method || r.URL.Path != want.Path {
		d.t.Errorf("%s %s: want %s %s", r.Method, r.URL.Path, want.Method, want.Path)
	}
	for name, value := range want.Header {
		if got := r.Header.Get(name); got != value {
			d.t.Errorf("%s %s: header %s %q: want %q", r.Method, r.URL.Path, name, got, value)
		}
	}
	for _, name := range want.Without {
		if _, ok := r.Header[name]; ok {
			d.t.Errorf("%s %s: header %s is sent, though there is no value for it", r.Method, r.URL.Path, name)
		}
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		d.t.Error(err)
	}
	var body any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &body); err != nil {
			d.t.Errorf("body %s: %v", raw, err)
		}
	}
	if want.Graphql != "" {
		object, _ := body.(map[string]any)
		query, _ := object["query"].(string)
		if got := strings.Join(strings.Fields(query), " "); len(object) != 1 || got != want.Graphql {
			d.t.Errorf("body %s: want the query %s", raw, want.Graphql)
		}
	} else if diff := cmp.Diff(want.Body, body); diff != "" {
		d.t.Errorf("%s %s: body (-want +got):\n%s", r.Method, r.URL.Path, diff)
	}
	w.Header().Set("Content-Type", "application/json")
	if d.fails != nil && d.done >= len(d.calls) {
		d.fails(w)
		return
	}
	_, _ = w.Write(want.Reply)
}

// vector gives every text the same vector.
type vector []float32

func (v vector) Embed(_ context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i := range all {
		all[i] = v
	}
	return all, nil
}
func (v vector) Dimensions() int  { return len(v) }
func (v vector) Identity() string { return "test" }

func readExample(t *testing.T, name string) example {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var e example
	if err := d.Decode(&e); err != nil {
		t.Fatal(err)
	}
	if e.Source == "" || len(e.Calls) == 0 || e.Failure.Says == "" {
		t.Fatalf("%s.json is incomplete", name)
	}
	return e
}

// open makes the target of a preset.
func open(t *testing.T, name, endpoint string, values map[string]string, embedder assay.Embedder, topK int) *target.HTTP {
	t.Helper()
	c, err := load(t, name).Config(endpoint, values)
	if err != nil {
		t.Fatal(err)
	}
	c.TopK, c.Embedder, c.Now, c.Proxy = topK, embedder, time.Now, "none"
	h, err := target.NewHTTP(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// Every preset sends what the server's documentation asks for, and reads what
// the server answers.
func TestServers(t *testing.T) {
	t.Parallel()
	one := assay.Case{ID: "q1", Question: `What does a "day ticket" cost?`}
	for _, name := range preset.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := readExample(t, name)
			// A store has no answer, which is not the same as an empty one.
			e.Want.NoAnswer = !load(t, name).Answers
			d := &double{t: t, calls: e.Calls}
			s := httptest.NewServer(d)
			defer s.Close()
			h := open(t, name, s.URL, e.Values, vector{0.6, 0.8}, 3)
			// Twice: what is made once is not made again.
			for range 2 {
				got, err := h.Ask(t.Context(), &one)
				if err != nil {
					t.Fatal(err)
				}
				got.Latency = 0
				if diff := cmp.Diff(e.Want, got); diff != "" {
					t.Errorf("response (-want +got):\n%s", diff)
				}
			}
			if d.done != len(e.Calls)+1 {
				t.Errorf("%d calls for two questions: want %d", d.done, len(e.Calls)+1)
			}
		})
	}
}

// What a server says when it cannot answer reaches the user.
func TestServersFail(t *testing.T) {
	t.Parallel()
	one := assay.Case{ID: "q1", Question: `What does a "day ticket" cost?`}
	for _, name := range preset.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := readExample(t, name)
			d := &double{t: t, calls: e.Calls, fails: func(w http.ResponseWriter) {
				w.WriteHeader(e.Failure.Status)
				_, _ = w.Write(e.Failure.Reply)
			}}
			s := httptest.NewServer(d)
			defer s.Close()
			got, err := open(t, name, s.URL, e.Values, vector{0.6, 0.8}, 3).Ask(t.Context(), &one)
			var known *target.Error
			if !errors.As(err, &known) || !strings.Contains(err.Error(), e.Failure.Says) {
				t.Fatalf("%+v, %v: want an error that says %q", got, err, e.Failure.Says)
			}
			want := target.Status
			if e.Failure.Status == http.StatusOK {
				want = target.Failed
			}
			if known.Kind != want {
				t.Errorf("kind %q: want %q", known.Kind, want)
			}
			if key := e.Values["api_key"]; key != "" && strings.Contains(err.Error(), key) {
				t.Errorf("the key shows: %v", err)
			}
		})
	}
}
