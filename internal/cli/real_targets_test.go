package cli_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/target/mcptest"
	"github.com/assay-eval/assay/target/preset/chromatest"
)

// The tests of this file evaluate systems that nobody here wrote, at the command
// line. What an adapter makes of every form of reply is tested in its package;
// here whole runs are looked at, down to the numbers of the report.

// shopCases ask for what the three documents of target/testdata say.
const shopCases = `
{"id": "returns", "question": "Within how many days of purchase may goods be returned for a full refund, and does shipping to Europe take three working days?", "ground_truth": "Within 30 days.", "expected_contexts": ["returns.md", "shipping.md"]}
{"id": "hours", "question": "Is the shop open from nine to five, and closed on Sundays?", "ground_truth": "From nine to five.", "expected_contexts": ["hours.md"]}
`

// A pageRun is what the tests look at of a report.
type pageRun struct {
	Counts  struct{ OK, Failed int }
	Summary map[string]struct {
		Mean *float64
		N    int
	}
	Cost struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	}
	Cases []struct {
		ID, Status, Question, Answer string
		Passages                     []struct{ ID, Document, Source, Text string }
		Input                        int `json:"input_tokens"`
		Output                       int `json:"output_tokens"`
		Trace                        *assay.Trace
		Failure                      *struct{ Kind, Message string }
	}
}

// page reads the report of a run.
func (a *agent) page(name string) (p pageRun) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(a.read(name)), &p); err != nil {
		a.t.Fatal(err)
	}
	return p
}

// means reports an error if a metric does not have the given mean over n cases.
func (p pageRun) means(t *testing.T, n int, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		if m := p.Summary[name]; m.Mean == nil || math.Abs(*m.Mean-w) > 1e-9 || m.N != n {
			t.Errorf("%s has the mean %s over %d cases: want %v over %d", name, show(m.Mean), m.N, w, n)
		}
	}
}

func show(v *float64) string {
	if v == nil {
		return "none"
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// must runs a command that must succeed, and returns its output.
func (a *agent) must(args ...string) string {
	a.t.Helper()
	code, stdout, stderr := a.run(args...)
	if code != 0 {
		a.t.Fatalf("assay %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout + stderr
}

// shop is a folder with cases and the files of a program.
func shop(t *testing.T, from string) *agent {
	t.Helper()
	a := newAgent(t, "")
	a.write("shop.jsonl", shopCases)
	entries, err := filepath.Glob(filepath.Join(requiretest.Root(), "target", "testdata", from, "*.py"))
	if err != nil || len(entries) == 0 {
		t.Fatalf("no files in %s: %v", from, err)
	}
	for _, e := range entries {
		code, err := os.ReadFile(e)
		if err != nil {
			t.Fatal(err)
		}
		a.write(filepath.Base(e), string(code))
	}
	return a
}

// asked checks a run over the shop's documents. Of the two documents that each
// question gets, both are expected of "returns" and one of "hours"; all answers
// are those of "returns".
func (a *agent) asked(report string) {
	a.t.Helper()
	p := a.page(report)
	// recall@2 1 and 1; hit@1 1 and 1; exact_match 1 and 0.
	p.means(a.t, 2, map[string]float64{"recall@2": 1, "hit@1": 1, "exact_match": 0.5})
	for _, c := range p.Cases {
		if c.Answer != "Within 30 days." || len(c.Passages) != 2 || !strings.HasSuffix(c.Passages[0].Source, ".md") || c.Passages[0].Text == "" {
			a.t.Errorf("case %s: %+v", c.ID, c)
		}
	}
}

// A real chain, with packages of the generation 1 and of the one before.
func TestRealLangChain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ASSAY_LANGCHAIN_PYTHON", "ASSAY_LANGCHAIN_OLD_PYTHON"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			python := requiretest.Env(t, name)
			a := shop(t, "langchain")
			a.must("run", "--adapter", "langchain", "--chain-path", "rag.py:qa", "--python", python, "--dataset", "shop.jsonl",
				"--metrics", "recall@2,hit@1,exact_match", "--concurrency", "2", "--timeout", "60s", "--fail-under-recall@2", "1")
			a.asked("results/eval_report.json")
		})
	}
}

// A real index: the engine of a program, and the folder that it persisted.
func TestRealLlamaIndex(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"rag.py:query_engine", "index"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			python := requiretest.Env(t, "ASSAY_LLAMAINDEX_PYTHON")
			a := shop(t, "llamaindex")
			if path == "index" {
				c := exec.CommandContext(t.Context(), python, "rag.py", "index")
				c.Dir = a.dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("making the index: %v\n%s", err, out)
				}
				a.write("assay_settings.py", "import rag\n")
			}
			a.must("run", "--adapter", "llamaindex", "--index-path", path, "--python", python, "--dataset", "shop.jsonl", "--top-k", "2",
				"--metrics", "recall@2,hit@1,exact_match", "--timeout", "60s")
			a.asked("results/eval_report.json")
		})
	}
}

// The MCP project's own server, over both transports: its tool that asks its
// client for a model is answered by assay, and the run accounts for that.
func TestRealMCP(t *testing.T) {
	t.Parallel()
	for _, over := range []string{"stdio", "http"} {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			script, node := requiretest.Env(t, "ASSAY_MCP_EVERYTHING"), requiretest.Command(t, "node")
			a := newAgent(t, "")
			a.write("shop.jsonl", shopCases)
			// Twelve tokens in and five out for each of the two cases.
			a.write("said.yaml", "rules:\n  - when: {operation: sampling}\n    text: Within 30 days.\n    usage: {input: 12, output: 5}\n")
			reach := []string{"--command", node + " '" + script + "' stdio"}
			if over == "http" {
				reach = []string{"--endpoint", mcptest.Everything(t, node, script)}
			}
			args := append([]string{"run", "--adapter", "mcp", "--mcp-tool", "trigger-sampling-request", "--set", "sampler=fake:said.yaml", "--dataset",
				"shop.jsonl",
				"--metrics", "exact_match,rouge_l", "--concurrency", "2"}, reach...)
			a.must(args...)
			p := a.page("results/eval_report.json")
			if len(p.Cases) != 2 {
				t.Fatalf("%d cases", len(p.Cases))
			}
			for _, c := range p.Cases {
				if !strings.Contains(c.Answer, "Within 30 days.") || c.Trace == nil || len(c.Trace.Stages) != 1 {
					t.Fatalf("case %s: %+v", c.ID, c)
				}
				s := c.Trace.Stages[0]
				if s.Name != assay.StageGenerate || s.Model != "fake:said" || !strings.Contains(s.Prompt, "?") ||
					string(s.Output) != `"Within 30 days."` {
					t.Errorf("case %s: stage %+v", c.ID, s)
				}
				if c.Input != 12 || c.Output != 5 {
					t.Errorf("case %s: the target used %d tokens and %d: want 12 and 5", c.ID, c.Input, c.Output)
				}
			}
			if p.Cost.Input != 24 || p.Cost.Output != 10 {
				t.Errorf("the target used %+v in all", p.Cost)
			}
			holds(t, "the report", a.read("results/eval_report.md"), "sampler", "fake:said.yaml", "trigger-sampling-request")
			// What was sampled is kept: asked again, nothing is sampled anew.
			a.write("said.yaml", "rules:\n  - when: {operation: sampling}\n    status: 500\n")
			a.must(append(args, "--replay", "--output", "results/again")...)
			if again := a.page("results/again.json"); !strings.Contains(again.Cases[0].Answer, "Within 30 days.") {
				t.Errorf("replayed: %+v", again.Cases[0])
			}
		})
	}
}

// A real Chroma server, through the preset.
func TestRealChroma(t *testing.T) {
	t.Parallel()
	address := chromatest.Start(t, requiretest.Env(t, "ASSAY_CHROMA"))
	a := newAgent(t, "")
	few := fewScifact(t, a.dir, 60)
	minilm, err := embed.New("minilm")
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(few))
	for i, d := range few {
		texts[i] = d.Title + " " + d.Text
	}
	vectors, err := minilm.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	chromatest.Fill(t, address, "few", few, vectors)
	common := []string{"run", "--dataset", "scifact", "--queries", fewQueries, "--metrics", "recall@10,ndcg@10", "--set", "cache=off"}
	a.must(append(common, "--adapter", "http", "--preset", "chroma", "--endpoint", address, "--value", "collection=few", "--concurrency", "4",
		"--output", "results/chroma")...)
	// The built-in retriever searches the same vectors, of whole documents.
	a.must(append(common, "--retriever", "dense", "--set", "chunk.method=document", "--generator", "none", "--output", "results/builtin")...)
	want := map[string]float64{}
	for name, m := range a.page("results/builtin.json").Summary {
		if m.Mean == nil || *m.Mean < 0.5 {
			t.Fatalf("%s built in: %s", name, show(m.Mean))
		}
		want[name] = *m.Mean
	}
	a.page("results/chroma.json").means(t, 5, want)

	code, _, stderr := a.run(append(common, "--adapter", "http", "--preset", "chroma", "--endpoint", address, "--value", "collection=none",
		"--output", "results/none")...)
	if code != 3 {
		t.Errorf("a collection that is not there: exit code %d", code)
	}
	holds(t, "standard error", stderr, "none", "does not exist")
}

// fewQueries are five of SciFact's with two relevant documents or more; between
// them they have fifteen.
const fewQueries = "36,133,275,641,597"

// fewScifact writes a BEIR folder of SciFact's queries with the first documents
// and all that are relevant to the chosen queries, and returns the documents.
func fewScifact(t *testing.T, dir string, first int) []assay.Document {
	t.Helper()
	root := requiretest.Shared(t, "data/retrieval/scifact")
	d, err := dataset.Load(t.Context(), root, dataset.Options{Queries: strings.Split(fewQueries, ",")})
	if err != nil {
		t.Fatal(err)
	}
	all, err := d.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	relevant := map[string]bool{}
	for _, c := range d.Cases.All() {
		for id := range c.Want.Documents {
			relevant[id] = true
		}
	}
	if d.Cases.Len() != 5 || len(relevant) != 15 {
		t.Fatalf("%d cases with %d documents: want 5 with 15", d.Cases.Len(), len(relevant))
	}
	var few []assay.Document
	var lines strings.Builder
	for i, doc := range all {
		if i >= first && !relevant[doc.ID] {
			continue
		}
		few = append(few, doc)
		line, err := json.Marshal(map[string]string{"_id": doc.ID, "title": doc.Title, "text": doc.Text})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	folder := filepath.Join(dir, "scifact")
	if err := os.MkdirAll(filepath.Join(folder, "qrels"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "corpus.jsonl"), []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	// Judgments of documents that are left out would be warned of.
	var qrels strings.Builder
	qrels.WriteString("query-id\tcorpus-id\tscore\n")
	for _, c := range d.Cases.All() {
		for id, grade := range c.Want.Documents {
			qrels.WriteString(c.ID + "\t" + id + "\t" + strconv.Itoa(grade) + "\n")
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "qrels", "test.tsv"), []byte(qrels.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	queries, err := os.ReadFile(filepath.Join(root, "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "queries.jsonl"), queries, 0o644); err != nil {
		t.Fatal(err)
	}
	return few
}
