//go:build unix

package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay/internal/cli"
)

// TestStatus: while a run waits for its target, assay serve status shows the run, its batches and the
// workers, of which one refuses it and one was killed.
func TestStatus(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 40, 0)
	f.target.Close()
	asked, answer := make(chan struct{}, 40), make(chan struct{})
	var once sync.Once
	free := func() { once.Do(func() { close(answer) }) }
	f.target = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-answer
		fmt.Fprint(w, `{"answer": "It is green.", "contexts": []}`)
	}))
	t.Cleanup(f.target.Close)
	t.Cleanup(free)
	h := harness{t, f.dir}
	killed := f.worker()
	for !strings.Contains(h.assay(cli.ExitOK, "serve", "status", "--store", f.db), " present ") {
	}
	if err := killed.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.cmd.Wait() // it was killed
	here := f.dir
	f.dir = t.TempDir()
	f.write("gold.jsonl", `{"id": "q000", "question": "Which?", "ground_truth": "Red."}`+"\n")
	f.write("judge.yaml", "simulate: true\n")
	f.worker()
	f.dir = here
	refused := make(chan struct{})
	var code int
	var said string
	var running sync.WaitGroup
	running.Go(func() {
		var once sync.Once
		code, said = f.run("out", make(chan struct{}), func(text string) {
			if strings.Contains(text, "refuses the run") {
				once.Do(func() { close(refused) })
			}
		}, "--workers=queue", "--name=nightly", "--max-cost=5", "--set=priority=1")
	})
	<-refused
	f.worker("--batches=1")
	<-asked

	h.wants(h.assay(cli.ExitOK, "serve", "status", "--store", f.db),
		`^RUN +STATE +SESSION +CASES +FAILED +RATE +LEFT +SPENT +NAME$`,
		`^20\S+ +running +there +0/40 +0 +- +- +\$0\.00 of \$5\.00 +nightly$`,
		`^QUEUE +PRIORITY +WAITING +RUNNING +LAG$`,
		`^20\S+ +1 +\d \(\d+ cases\) +\d \(\d+ cases\) +\S+$`,
		`^all +1 +\d \(\d+ cases\) +\d \(\d+ cases\) +\S+$`,
		`^WORKER +STATE +HOST +VERSION +SINCE +BATCHES +OLDEST$`,
		`^\S+ +absent +\S+ +\S+.* \S+ +0/2 +-$`,
		`^\S+ +present +\S+ +\S+.* \S+ +1/1 +\S+$`,
		`^\S+ refuses 20\S+, last \S+ ago:$`, `^  .*the dataset changed since it started`)
	h.wants(h.assay(cli.ExitOK, "serve", "status", "--store", f.db, "--json"),
		`"run_id": "20`, `"budget_usd": 5,?$`, `"lag_seconds": [0-9.]+`, `"present": false`, `"reason": ".*the dataset changed since it started`)
	free()
	running.Wait()
	if code != cli.ExitOK {
		t.Errorf("exit code %d\n%s", code, said)
	}
	h.wants(h.assay(cli.ExitOK, "serve", "status", "--store", f.db), `^No run goes on or waits\.$`)
}
