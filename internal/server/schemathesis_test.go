package server

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/requiretest"
)

// minRequests is what TestSchemathesis wants at least.
const minRequests = 5000

// TestSchemathesis lets a fuzzer that knows nothing of the server but its
// description make up requests, right and wrong ones, and sequences of them, and
// holds every reply, and every event of a stream, to the description: no status,
// no content type and no field that it does not have, nothing wrong that is taken,
// and no failure. No status of 500 and above is excused: the server has models for
// every setting that a 503 could ask for, and room for all runs.
//
// Streams are among it. That of a run ends with the run, which takes milliseconds
// here, that of documents when none is in work, and that of a question with its
// answer.
func TestSchemathesis(t *testing.T) {
	requiretest.Apart(t)
	schemathesis := requiretest.Env(t, "ASSAY_SCHEMATHESIS")
	corpus, datasets := rivers(t)
	dir := folder(t, map[string]string{
		"stages.yaml": stages, "strict.yaml": strict, "mild.yaml": mild, "said.yaml": "q.wav: " + asked + "\n",
		// A store of its own is made there.
		"work/README": "",
	})
	at := filepath.Join(dir, "assay.db")
	p := launch(t, program(t), dir, "--quiet", "--store", at, "--corpus", corpus, "--datasets", datasets, "--retriever", "sparse", "--set", "cache=off",
		"--metrics",
		"hit@1,mrr",
		"--generator", "fake:stages.yaml", "--judge", "fake:strict.yaml,fake:mild.yaml", "--passes", "1",
		"--transcriber", "fake:said.yaml", "--waiting", "100000")
	work := filepath.Join(dir, "work")
	if err := os.WriteFile(filepath.Join(work, "schemathesis.toml"), []byte(p.known()), 0o600); err != nil {
		t.Fatal(err)
	}
	// One worker: the parser of Python 3.11, which the fuzzer uses to describe what it makes,
	// counts its recursion for all threads together, and fails now and then.
	cmd := exec.CommandContext(t.Context(), schemathesis, "run", p.url+"/openapi.json",
		"--checks", "all", "--workers", "1", "--max-examples", "70", "--seed", "5", "--continue-on-failure",
		"--request-timeout", "30", "--no-color",
		// Which names are taken, and what a document holds, no schema says.
		"--exclude-checks", "positive_data_acceptance", "--max-response-time", "60")
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out[max(0, len(out)-20000):])
	}
	total, failed := p.requests()
	for _, line := range failed {
		t.Errorf("%s: want no failure", line)
	}
	if total < minRequests {
		t.Errorf("%d requests, want %d", total, minRequests)
	}
	t.Logf("%d requests", total)
	p.stop()
	if said := p.said.String(); strings.Contains(said, "panic") || strings.Contains(said, "request failed") {
		t.Errorf("%s: want no failure in the log", said)
	}
}

// known makes one of everything, and tells the fuzzer the ids: it finds out few by
// itself. Half of the time it makes up others.
func (p *process) known() string {
	t := p.t
	t.Helper()
	run := p.begin(`{"dataset":"rivers.jsonl"}`)
	p.ended(run)
	again := p.begin(`{"dataset":"rivers.jsonl"}`)
	p.ended(again)
	p.do("PUT", "/api/v1/baselines/main", map[string]any{"run_id": run}).want(t, 200)
	p.do("POST", "/api/v1/labels", map[string]any{"run_id": run, "case_id": "tc_1", "metric": "hit@1", "value": 1, "how": "random"}).want(t, 201)
	r := read[accuracy.Result](t, p.do("POST", "/api/v1/test/generate/text", map[string]any{"question": asked, "profile": "A"}).want(t, 200))
	e := read[accuracy.Evaluation](t, p.do("POST", "/api/v1/test/evaluate", map[string]any{"result_id": r.ResultID}).want(t, 200))
	job := read[JobView](t, p.do("POST", "/api/v1/test/evaluations", map[string]any{"result_ids": []string{r.ResultID}}).want(t, 202)).ID
	p.done(job)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("files", "rhine.md")
	if err == nil {
		_, err = part.Write([]byte("# Rhine\nThe Rhine flows through Basel."))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	d := read[documentList](t, p.do("POST", "/api/v1/documents", &form, "Content-Type", w.FormDataContentType()).want(t, 202)).Items[0]

	var b strings.Builder
	for _, v := range []struct {
		parameter string
		values    []string
	}{
		{"run_id", []string{run, again}}, {"case_id", []string{"tc_1", "tc_2"}}, {"result_id", []string{r.ResultID}}, {
			"evaluation_id", []string{e.EvaluationID},
		},
		{"job_id", []string{job}},
		{"document_id", []string{d.ID}}, {
			"name", []string{"main", "rivers.jsonl", "A", "B", "production"},
		}, {"metric", []string{"hit@1", "mrr"}}, {"runs", []string{run + "," + again}},
	} {
		fmt.Fprintf(&b, "[dictionaries.%s]\nvalues = [", v.parameter)
		for _, value := range v.values {
			fmt.Fprintf(&b, "%q,", value)
		}
		fmt.Fprintf(&b, "]\n[parameters.%s]\ndictionary = %q\nprobability = 0.5\n", v.parameter, v.parameter)
	}
	return b.String()
}

var requestsLine = regexp.MustCompile(`(?m)^assay_http_requests_total\{.*status="(\d+)"\} (\d+)$`)

// requests counts what was asked, by what the server says, and gives what ended
// with a status of 500 and above.
func (p *process) requests() (total int, failed []string) {
	p.t.Helper()
	for _, m := range requestsLine.FindAllStringSubmatch(p.do("GET", "/metrics", nil).want(p.t, 200).text, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			p.t.Fatal(err)
		}
		if total += n; m[1] >= "500" {
			failed = append(failed, m[0])
		}
	}
	return total, failed
}
