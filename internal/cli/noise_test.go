package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A gambler is a system that answers rightly as often as its case says, each time
// anew but the same whenever it is started again.
type gambler struct {
	*httptest.Server
	mu  sync.Mutex
	rng *rand.Rand
	ids map[string]int
	// honest gives the right answer each time.
	honest bool
}

func newGambler(t *testing.T) *gambler {
	t.Helper()
	g := &gambler{}
	g.restart()
	g.Server = httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(g.Close)
	return g
}

func (g *gambler) restart() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rng, g.ids = rand.New(rand.NewPCG(3, 4)), map[string]int{}
}

func (g *gambler) serve(w http.ResponseWriter, r *http.Request) {
	var in struct{ ID, Question string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ids[in.ID]++
	answer := "Nobody knows that."
	if g.honest || g.rng.IntN(4) > 0 {
		answer = "The answer is " + strings.Fields(in.Question)[3]
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"answer": answer})
}

// newNoise makes a folder with n cases and a judge that logs its calls.
func newNoise(t *testing.T, n int) *agent {
	t.Helper()
	a := newAgent(t, "")
	var gold strings.Builder
	for i := range n {
		fmt.Fprintf(&gold, "{\"id\": \"q%02d\", \"question\": \"What is it %d ?\", \"ground_truth\": \"The answer is %d\"}\n", i, i, i)
	}
	a.write("gold.jsonl", gold.String())
	a.write("judge.yaml", "simulate: true\nlog: calls.log\n")
	return a
}

// calls reads the log of the judge.
func (a *agent) calls() []struct {
	Data string
	Draw int
} {
	var out []struct {
		Data string
		Draw int
	}
	for line := range strings.Lines(a.read("calls.log")) {
		var c struct {
			Data string
			Draw int
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			a.t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

type noiseFile struct {
	Schema string
	Run    assay.Header
	Noise  summary.Noise
	Advice []string
}

func (a *agent) noise(name string) (f noiseFile) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(a.read(name)), &f); err != nil {
		a.t.Fatal(err)
	}
	return f
}

func TestNoiseCommand(t *testing.T) {
	t.Parallel()
	g := newGambler(t)
	a := newNoise(t, 40)
	args := []string{"noise", "--endpoint", g.URL, "--send", `{"id": "{{id}}", "question": "{{question}}"}`, "--dataset", "gold.jsonl",
		"--metrics", "answer_correctness,exact_match", "--judge", "fake:judge.yaml", "--passes", "1", "--repeat", "5"}
	code, stdout, stderr := a.run(args...)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	holds(t, "standard error", stderr, "expected judging cost: 240 calls")
	// The system knows each draw by the case's own id.
	for i := range 40 {
		if n := g.ids[fmt.Sprintf("q%02d", i)]; n != 5 {
			t.Errorf("q%02d was asked %d times, want 5", i, n)
		}
	}
	// No two draws share a call of the judge: five, and one more for each first
	// response.
	first := a.calls()
	if len(first) != 40*6 {
		t.Errorf("%d calls of the judge, want %d", len(first), 40*6)
	}
	seen := map[any]bool{}
	for _, c := range first {
		if seen[c] {
			t.Errorf("asked twice: %+v", c)
		}
		seen[c] = true
		if c.Draw > 5 {
			t.Errorf("draw %d, want up to 5", c.Draw)
		}
	}
	f := a.noise("results/noise.json")
	if f.Schema != "assay.noise/1" || f.Run.Repeat != 5 || f.Run.Dataset.Cases != 40 || f.Noise.Draws != 5 || f.Noise.Judgings != 2 ||
		f.Noise.Pairs != 10 {
		t.Errorf("got %+v", f)
	}
	m := f.Noise.Metrics[1]
	// An answer is right three times in four: a variance of 3/16 within a case,
	// and none between cases. 160 degrees of freedom.
	if m.Name != "exact_match" || m.N != 40 || math.Abs(m.Within-math.Sqrt(3./16)) > 0.06 || m.Cases > 0.2 || *m.Judge != 0 ||
		math.Abs(*m.Target-m.Within) > 1e-12 {
		t.Errorf("got %+v", m)
	}
	if j := f.Noise.Metrics[0]; j.Judge == nil || *j.Judge != 0 || j.Rejudged != 40 || *j.Target == 0 {
		t.Errorf("a judge that says the same each time: %+v", j)
	}
	holds(t, "the report", stdout, "40 cases × 5 draws", "answer_correctness", "flaky",
		"each case was asked 5 times; the first response to each was judged 2 times", "the noisiest metric", "assay report "+f.Run.ID)
	holds(t, "the file", a.read("results/noise.md"), "# Noise of gold", "| `exact_match` |", "## What it takes")

	// The same again asks the judge nothing.
	g.restart()
	if code, _, stderr := a.run(args...); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if again := a.calls(); len(again) != len(first) {
		t.Errorf("the second run made %d calls, want none", len(again)-len(first))
	}
	same := a.noise("results/noise.json")
	if same.Noise.Metrics[1].Floor != m.Floor {
		t.Errorf("floor %v, then %v", m.Floor, same.Noise.Metrics[1].Floor)
	}
	// The noise can be computed from the stored run without asking again.
	asked := g.ids["q00"]
	code, stdout, stderr = a.run("noise", "latest", "--output", "again")
	if code != 0 || g.ids["q00"] != asked || len(a.calls()) != len(first) {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if once := a.noise("again.json").Noise; once.Metrics[1].Floor != m.Floor || once.Judgings != 1 || once.Metrics[0].Judge != nil {
		t.Errorf("got %+v", once)
	}
	holds(t, "the report", stdout, "target and judge cannot be told apart")
	code, _, stderr = a.run("noise", "latest", "--output", "part", "--metrics", m.Name, "--level", "0.9")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if part := a.noise("part.json").Noise; len(part.Metrics) != 1 || part.Metrics[0].Name != m.Name || part.Level != 0.9 {
		t.Errorf("one metric at 90 %%: %+v", part)
	}
	// The run is one as any other.
	code, stdout, stderr = a.run("report", "latest", "-v")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	holds(t, "assay report", stdout, "40 cases × 5 draws", "draws    5 of each case", "cases differ between draws")
}

// With two answers of which the judge, not the system, makes one right, the noise
// is the judge's.
func TestNoiseOfTheJudge(t *testing.T) {
	t.Parallel()
	a := newNoise(t, 12)
	var rules, responses strings.Builder
	for i := range 12 {
		fmt.Fprintf(&responses, "{\"id\": \"q%02d\", \"answer\": \"It is %d\"}\n", i, i)
	}
	// The first, third, fifth, … ruling on each case is no.
	for i := range 12 {
		for nth := 1; nth <= 9; nth += 2 {
			fmt.Fprintf(&rules, "  - when: {operation: equivalence, contains: 'What is it %d ?', nth: %d}\n    reply: {nonce: '{{nonce}}', "+
				"equivalent: false, why: 'no'}\n", i, nth)
		}
		fmt.Fprintf(&rules, "  - when: {operation: equivalence, contains: 'What is it %d ?'}\n    reply: {nonce: '{{nonce}}', equivalent: "+
			"true, why: 'yes'}\n", i)
	}
	a.write("judge.yaml", "simulate: true\nlog: calls.log\nrules:\n"+rules.String())
	a.write("responses.jsonl", responses.String())
	args := []string{"noise", "--adapter", "recorded", "--responses", "responses.jsonl", "--dataset", "gold.jsonl", "--metrics",
		"answer_correctness", "--judge", "fake:judge.yaml", "--passes", "1", "--rejudge", "4",
		"--repeat", "4", "--judge-concurrency", "1", "--effect", "0.1"}
	code, stdout, stderr := a.run(args...)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	m := a.noise("results/noise.json").Noise.Metrics[0]
	if m.Judge == nil || *m.Judge < 0.3 || *m.Target > 0.25 || m.Rejudged != 12 {
		t.Errorf("got %+v, target %v, judge %v", m, *m.Target, *m.Judge)
	}
	if len(m.Needs) != 1 || m.Needs[0].Effect != 0.1 {
		t.Errorf("needs %+v", m.Needs)
	}
	holds(t, "the report", stdout, "Δ 0.1", "The judge moves answer_correctness more than the target does", "judged 4 times")
	if code, stdout, _ = a.run("report", "latest"); code != 0 {
		t.Fatal(stdout)
	}
	holds(t, "the report", stdout, "the target calls no model: only the judge can differ between draws")
}

func TestNoiseMistakes(t *testing.T) {
	t.Parallel()
	a := newNoise(t, 3)
	a.write("responses.jsonl", `{"id": "q00", "answer": "It is 0"}`+"\n")
	recorded := []string{"noise", "--adapter", "recorded", "--responses", "responses.jsonl", "--dataset", "gold.jsonl", "--metrics",
		"exact_match"}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--repeat", "1"}, "repeat 1: want 2 or more"},
		{[]string{"--rejudge", "2"}, "rejudge 2: the run has no judge"},
		{[]string{"--rejudge", "0"}, "--rejudge 0: want 1 or more"},
		{[]string{"--effect", "0"}, "--effect 0: want a fraction of a metric's range"},
		{[]string{"--effect", "NaN"}, "--effect NaN: want a fraction of a metric's range"},
		{[]string{"--gate", "exact_match >= 1"}, "unknown flag: --gate"},
	} {
		code, _, stderr := a.run(append(recorded, test.args...)...)
		if code != 3 || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: exit code %d, %q; want 3 and %q", test.args, code, stderr, test.want)
		}
	}
	if code, _, stderr := a.run("run", "--adapter", "recorded", "--responses", "responses.jsonl", "--dataset", "gold.jsonl", "--metrics",
		"exact_match"); code != 0 {
		t.Fatal(stderr)
	}
	for want, args := range map[string][]string{"asked each case once": {"noise", "latest"},
		"--repeat: no effect on the stored run": {"noise", "latest", "--repeat", "3"}} {
		if code, _, stderr := a.run(args...); code != 3 || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %q; want 3 and %q", code, stderr, want)
		}
	}
	// A metric that cannot vary is reported as such, at no cost.
	code, stdout, stderr := a.run(recorded...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	holds(t, "the report", stdout, "3 cases × 3 draws", "Nothing changed")
	if strings.Contains(stdout, "Δ 0.01") {
		t.Errorf("needs without noise:\n%s", stdout)
	}
}

// A run whose cases are asked several times is resumed where it ended, under the
// same draws.
func TestRepeatResumes(t *testing.T) {
	t.Parallel()
	g := newGambler(t)
	// A case that the budget leaves half judged is asked again: it is to say the
	// same then, so that its calls can be counted.
	g.honest = true
	a := newNoise(t, 6)
	args := []string{"--endpoint", g.URL, "--send", `{"id": "{{id}}", "question": "{{question}}"}`, "--dataset", "gold.jsonl", "--metrics",
		"answer_correctness", "--judge", "fake:judge.yaml", "--passes", "1", "--repeat", "3"}
	a.write("prices.yaml", "prices:\n  - {provider: fake, model: \"*\", input: 1000, output: 1000}\n")
	// The budget holds some of the calls.
	code, _, stderr := a.run(append([]string{"run", "--prices", "prices.yaml", "--max-cost", "12", "--judge-concurrency", "1"}, args...)...)
	if code != 3 || !strings.Contains(stderr, "budget") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	before := len(a.calls())
	if before == 0 || before >= 18 {
		t.Fatalf("%d calls, want some of 18", before)
	}
	code, stdout, stderr := a.run("run", "--resume", "--max-cost", "1000")
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	seen := map[any]bool{}
	for _, c := range a.calls() {
		seen[c] = true
	}
	if len(seen) != 18 {
		t.Errorf("%d different calls, want 18: one question on three draws of six cases", len(seen))
	}
	holds(t, "the report", stdout, "6 cases × 3 draws")
	rep := a.page("results/eval_report.json")
	if len(rep.Cases) != 18 || rep.Cases[6].ID != "q00#2" {
		t.Errorf("%d cases, the seventh %+v", len(rep.Cases), rep.Cases[min(6, len(rep.Cases)-1)])
	}
}
