//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/store/postgrestest"
	"github.com/assay-eval/assay/watch"
)

// receivedTraces stores traces as the receiver does: a question, its passage and an answer, which
// is of another subject where good is false.
func receivedTraces(t *testing.T, path string, from, to int, good func(i int) bool) {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := from; i < to; i++ {
		trace, fact := fmt.Sprintf("%032x", i), fmt.Sprintf("The refund period of plan %d is %d days.", i, i%29+3)
		answer := fact
		if !good(i) {
			answer = "Giraffes sleep standing, and rarely for longer than twenty minutes."
		}
		now := time.Now()
		body, err := json.Marshal([]spans.Span{
			{Trace: trace, ID: "a", Name: "ask", Start: now, End: now.Add(time.Second), Attributes: map[string]any{
				"openinference.span.kind": "CHAIN", "input.value": fmt.Sprintf("How long is the refund period of plan %d?", i),
				"output.value": answer, "http.route": []string{"/chat", "/mail"}[i%2],
			}},
			{Trace: trace, ID: "b", Parent: "a", Name: "retrieve", Start: now, End: now, Attributes: map[string]any{
				"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.id": fmt.Sprint("plan", i),
				"retrieval.documents.0.document.content": fact,
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		id, err := store.NewID(now, rand.NewChaCha8([32]byte{byte(i), byte(i >> 8)}))
		if err == nil {
			err = s.PutSpans(t.Context(), id, body, now)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// watchState reads the state of the watch of a test.
func watchState(t *testing.T, path string) *watch.State {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	st, err := watch.Load(t.Context(), s, "production")
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestWatch judges rounds of traffic that gets worse and recovers, as a scheduler starts them.
func TestWatch(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	var told []map[string]any
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		told = append(told, body)
	}))
	t.Cleanup(hook.Close)
	db := filepath.Join(h.dir, "s.db")
	once := func(code int, more ...string) string {
		t.Helper()
		return h.assay(code, append([]string{
			"watch", "--config", "none.yaml", "--store", "s.db", "--judge", "offline", "--metrics", "faithfulness", "--sample-rate", "1", "--once", "--learn", "40",
			"--quiet-cases", "200", "--webhook", hook.URL + "/secret-path",
		}, more...)...)
	}
	h.write("none.yaml", "{}\n")
	h.wants(h.assay(3, "watch", "--config", "none.yaml", "--store", "s.db"), `store s.db: .*no such file`, `hint: assay serve makes it`)
	receivedTraces(t, db, 0, 60, func(int) bool { return true })
	h.wants(once(0), `^watch production since .*: 60 sampled, 60 judged, 0 skipped, 0 unread$`,
		`^faithfulness ≈ +all +0\.9\d\d +0\.8\d\d to 0\.99\d +60 +0 +0\.7\d\d \(learned\) +ok$`)
	h.wants(h.assay(0, "runs", "--store", "s.db"), `finished +60/60 +watch production +recorded +watch production`)
	h.wants(h.assay(0, "report", "--store", "s.db", "--format", "json"), `"watch": ?"production"`)

	receivedTraces(t, db, 60, 120, func(i int) bool { return i%3 == 0 })
	out := once(1)
	h.wants(out, `assay: production: faithfulness \(an estimate\) got worse than its learned line, 0\.\d+: mean 0\.\d+ over the last \d+ judged cases \(run \d{8}-\d{9}-\w+\)`,
		`^faithfulness ≈ +all .* WORSE$`)
	if strings.Contains(out, "secret-path") {
		t.Errorf("the address of the webhook is told:\n%s", out)
	}
	h.wants(once(1), "WORSE") // with nothing new
	receivedTraces(t, db, 120, 200, func(int) bool { return true })
	h.wants(once(0), `faithfulness \(an estimate\) is better again than its learned line`, `ok$`)
	if len(told) != 2 || told[0]["metric"] != "faithfulness" || told[1]["recovered"] != true {
		t.Errorf("the webhook got %v", told)
	}
	// Kinds, each with its own line; the round takes as many of each.
	receivedTraces(t, db, 200, 280, func(int) bool { return true })
	h.wants(once(0, "--name", "kinds", "--by", "http.route", "--since", "1h", "--round-size", "100", "--threshold", "faithfulness=0.5", "--allow-estimates"),
		`280 sampled, 100 judged, 180 skipped`, `^faithfulness ≈ +/chat +.* 50 +0 +0\.500 \(threshold\) +ok$`, `^faithfulness ≈ +/mail +.* 50 `,
		`^faithfulness ≈ +all, by traffic +0\.8\d\d .* 100 `, `180 sampled exchanges are not judged: a round takes 100`)
	h.wants(once(0, "--name", "estimate", "--threshold", "faithfulness=0.5"), `the threshold of faithfulness is not held, since it is an estimate`, `\(learned\)`)
	h.wants(h.assay(0, "watch", "show", "--store", "s.db", "--name", "kinds", "--json"), `"by": "http.route"`, `"judged": 100`)
	h.wants(h.assay(0, "watch", "remove", "--store", "s.db", "--name", "kinds"), `watch kinds is removed`)
	h.wants(h.assay(3, "watch", "show", "--store", "s.db", "--name", "kinds"), `no such watch`, `hint: assay watch --name kinds makes it`)

	// What holds a sample of the traffic goes with the traffic.
	h.wants(h.assay(0, "store", "gc", "--store", "s.db", "--days", "0", "--dry-run"), `280 batches of spans \(\d+ bytes\), 5 runs of watches`)
	h.wants(h.assay(0, "store", "gc", "--store", "s.db", "--days", "0"), `280 batches of spans, 5 runs of watches`)
	h.wants(h.assay(0, "runs", "--store", "s.db"), `no run in s\.db yet`)
	if st := watchState(t, db); st.Total.Judged != 200 {
		t.Errorf("the counts are gone: %+v", st.Total)
	}
}

// TestWatchMistakes: each is told before anything is judged.
func TestWatchMistakes(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	receivedTraces(t, filepath.Join(h.dir, "s.db"), 0, 1, func(int) bool { return true })
	h.write("none.yaml", "providers:\n  mine: {kind: openai, base_url: http://127.0.0.1:9/v1}\n")
	for want, args := range map[string][]string{
		`--sample-rate 2: want a share above 0`:       {"--sample-rate", "2"},
		`--name "a/b": want letters`:                  {"--name", "a/b"},
		`--webhook: want an address that begins`:      {"--webhook", "chat"},
		`--webhook: --offline forbids to call it`:     {"--webhook", "http://localhost:1/", "--offline"},
		`metric "faithfullness"`:                      {"--metrics", "faithfullness"},
		`--daily-budget: want 0 or more dollars`:      {"--daily-budget", "-1"},
		`--every 0s: want 1s or more`:                 {"--every", "0s"},
		`price`:                                       {"--judge", "mine:m", "--metrics", "faithfulness", "--daily-budget", "5"},
		`unknown flag: --dataset`:                     {"--dataset", "x"},
		`unknown command "start"|unexpected argument`: {"start"},
	} {
		args = append([]string{"watch", "--config", "none.yaml", "--store", "s.db", "--once"}, args...)
		h.wants(h.assay(3, args...), want)
	}
	h.wants(h.assay(0, "runs", "--store", "s.db"), `no run in s\.db yet`)
}

// TestWatchKilled kills a watch with SIGKILL while it judges: the next process goes on with the
// run, and no reply that the ledger has is asked for again.
func TestWatchKilled(t *testing.T) {
	dir := t.TempDir()
	bin := selfAs(t, dir)
	db := filepath.Join(dir, "s.db")
	const cases, kills = 40, 6
	receivedTraces(t, db, 0, cases, func(int) bool { return true })
	writeScript(t, dir, "watched", "simulate: true\nlatency: 30ms\n")
	log := filepath.Join(dir, "watched.log")
	rng := rand.New(rand.NewPCG(20, 26))
	landed := 0
	for attempt := 0; ; attempt++ {
		cmd := exec.Command(bin, "watch", "--store=s.db", "--metrics=faithfulness", "--judge=fake:watched/judge.yaml", "--passes=1", "--concurrency=4",
			fmt.Sprintf("--judge-concurrency=%d", inFlight), "--sample-rate=1", "--once")
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
		before := 0
		if data, err := os.ReadFile(log); err == nil {
			before = strings.Count(string(data), "\n")
		}
		if killAfter(t, cmd, log, before+1+rng.IntN(8), landed < kills, time.Duration(rng.Int64N(int64(30*time.Millisecond)))) {
			break
		}
		landed++
	}
	if landed < kills {
		t.Errorf("%d kills landed, want %d", landed, kills)
	}
	st := watchState(t, db)
	if st.Total.Judged != cases || st.Total.Sampled != cases || st.Rounds != 1 || len(st.Series) != 1 || st.Series[0].Bounds.N != cases || st.Round != nil {
		t.Errorf("%+v, %d rounds", st.Total, st.Rounds)
	}
	asked, contents := 0, map[string]bool{}
	for _, c := range logOf(t, log) {
		if c.Replied() {
			asked++
			contents[c.Content] = true
		}
	}
	if most := len(contents) + landed*inFlight; asked > most {
		t.Errorf("%d replies with %d contents after %d kills: want at most %d", asked, len(contents), landed, most)
	}
	s, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if runs, err := s.Runs(t.Context(), 0); err != nil || len(runs) != 1 || runs[0].State != "finished" || runs[0].ID != st.Last {
		t.Errorf("%v: %+v: want one run, finished", err, runs)
	}
}

// TestWatchOutlivesItsStore stops PostgreSQL under a watch, which waits and goes on.
func TestWatchOutlivesItsStore(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	server.Exec(t, "postgres", `CREATE DATABASE traffic`)
	url := server.URL("traffic")
	receivedTraces(t, url, 0, 20, func(int) bool { return true })
	waits := make(chan struct{}, 1)
	stderr := &watched{hear: func(line string) {
		if strings.Contains(line, "waits for up to") {
			select {
			case waits <- struct{}{}:
			default:
			}
		}
	}}
	stop := make(chan struct{})
	env := &cli.Env{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: stderr, Dir: t.TempDir(), Now: time.Now, Width: 100, Version: "test",
		Getenv: func(string) string { return "" }, Interrupted: stop,
	}
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Main(t.Context(), env, []string{
			"watch", "--store", url, "--judge", "offline", "--metrics", "faithfulness", "--sample-rate", "1", "--every", "1s", "--settle", "0s",
		})
	}()
	// judged waits until so many exchanges were judged.
	judged := func(want int) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			s, err := store.Open(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			st, err := watch.Load(t.Context(), s, "production")
			s.Close()
			if err == nil && st.Total.Judged == want && st.Round == nil {
				return
			}
			if time.Since(began) > 2*time.Minute {
				t.Fatalf("%v, %+v: want %d judged\n%s", err, st, want, stderr)
			}
		}
	}
	judged(20)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-waits:
	case code := <-ended:
		t.Fatalf("it ended with %d\n%s", code, stderr)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	receivedTraces(t, url, 20, 50, func(int) bool { return true })
	judged(50)
	close(stop)
	if code := <-ended; code != cli.ExitOK {
		t.Errorf("it ended with %d\n%s", code, stderr)
	}
}
