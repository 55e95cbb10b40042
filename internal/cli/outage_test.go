package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
)

// watched is a standard error that somebody reads as it is written.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
	hear func(line string)
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hear(string(p))
	return w.text.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// TestRunOutlivesItsStore stops and kills PostgreSQL repeatedly during a judged run.
// The run waits, prints that it waits, and continues. Its report equals that of an
// undisturbed run, and every ruling was made and stored once.
func TestRunOutlivesItsStore(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	const cases = 60
	dir := t.TempDir()
	var data strings.Builder
	for i := range cases {
		fmt.Fprintf(&data, `{"id": "q%02d", "question": "Which colour has door %d?", "ground_truth": "Door %d is green."}`+"\n", i, i, i)
	}
	for name, text := range map[string]string{"gold.jsonl": data.String(), "judge.yaml": "simulate: true\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var asked atomic.Int64
	// ends says how the server ends when so many questions were asked.
	var ends sync.Map
	// While the server is down, the target holds back its replies. Otherwise two outages could be reported as one.
	up := make(chan struct{}, 1)
	up <- struct{}{}
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-up
		if end, ok := ends.LoadAndDelete(asked.Add(1)); ok {
			if err := end.(func() error)(); err != nil {
				t.Error(err)
			}
		} else {
			up <- struct{}{}
		}
		var q struct{ Question string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"answer": "About %s: it is green.", "contexts": []}`, q.Question)
	}))
	t.Cleanup(target.Close)

	outages := 0
	run := func(name, url string, hear func(string)) {
		t.Helper()
		stderr := &watched{hear: hear}
		var stdout bytes.Buffer
		env := &cli.Env{
			Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: stderr, Dir: dir, Now: time.Now, Width: 100, Version: "test",
			Getenv: func(string) string { return "" }, Interrupted: make(chan struct{}),
		}
		args := []string{
			"run", "--adapter=http", "--endpoint=" +
				target.URL, "--dataset=gold.jsonl", "--metrics=answer_correctness,token_f1", "--judge=fake:judge.yaml", "--passes=1",
			"--concurrency=2", "--set=judge-concurrency=3", "--output=" + name, "--store=" + url,
		}
		if code := cli.Main(t.Context(), env, args); code != cli.ExitOK {
			t.Fatalf("%s: exit code %d\n%s", name, code, stderr)
		}
		if n := strings.Count(stderr.String(), "the run continues after "); n != outages {
			t.Errorf("%s: standard error tells of the end of %d outages, want %d:\n%s", name, n, outages, stderr)
		}
		for _, text := range []string{stderr.String(), stdout.String()} {
			if strings.Contains(text, "planted") {
				t.Errorf("%s: the password is told:\n%s", name, text)
			}
		}
	}
	server.Exec(t, "postgres", `CREATE DATABASE whole`, `CREATE DATABASE broken`)
	run("whole", server.URL("whole"), func(string) {})

	asked.Store(0)
	for at, end := range map[int64]func() error{5: server.Stop, 20: server.Kill, 35: server.Stop, 50: server.Kill} {
		ends.Store(at, end)
	}
	run("broken", server.URL("broken"), func(line string) {
		if strings.Contains(line, "the run waits") {
			outages++
			if err := server.Restart(); err != nil {
				t.Error(err)
			}
			select {
			case up <- struct{}{}:
			default: // told once more of an outage that had ended
			}
		}
	})
	ends.Range(func(at, _ any) bool { t.Errorf("the server did not end at question %v", at); return true })
	if outages < 4 {
		t.Errorf("%d outages were told of, want 4", outages)
	}
	if n := asked.Load(); n != cases {
		t.Errorf("the target was asked %d times, want %d", n, cases)
	}
	if d := cmp.Diff(comparable(t, filepath.Join(dir, "whole.json")), comparable(t, filepath.Join(dir, "broken.json"))); d != "" {
		t.Errorf("the report differs from that of a run without outages (-want +got):\n%s", d)
	}
	kept := map[string][2]int{}
	for _, name := range []string{"whole", "broken"} {
		s, err := store.Open(t.Context(), server.URL(name))
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.Run(t.Context(), store.Latest)
		if err != nil {
			t.Fatal(err)
		}
		if said := fmt.Sprint(h.Config, h.Command); strings.Contains(said, "planted") || h.State != "finished" {
			t.Errorf("%s: the run is %q, its settings are %s: want it finished, without the password", name, h.State, said)
		}
		n, err := s.Counts(t.Context(), h.ID)
		if err != nil || n.Records != cases {
			t.Errorf("%s: %+v, %v: want %d records", name, n, err, cases)
		}
		spent, err := s.Spent(t.Context(), h.ID)
		if err != nil {
			t.Fatal(err)
		}
		kept[name] = [2]int{n.Records, spent.Calls}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if kept["whole"] != kept["broken"] || kept["whole"][1] == 0 {
		t.Errorf("records and calls: %v without outages, %v with", kept["whole"], kept["broken"])
	}
	// Reports and other commands do not show the password either.
	for _, format := range []string{"json", "html", "md"} {
		if strings.Contains(string(mustRead(t, filepath.Join(dir, "broken."+format))), "planted") {
			t.Errorf("the password is in broken.%s", format)
		}
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
