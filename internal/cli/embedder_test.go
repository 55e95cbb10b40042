package cli_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

// TestRealEmbedders compares two embedders that differ in nothing but the program that
// computes the model, and the ten best passages of one with those that numpy finds among
// the same vectors.
func TestRealEmbedders(t *testing.T) {
	t.Parallel()
	python := requiretest.Env(t, "ASSAY_ONNX_PYTHON")
	a := newAgent(t, fmt.Sprintf(`
dataset: scifact
queries: %s
retriever: dense
generator: none
chunk.method: document
metrics: recall@10,ndcg@10
providers:
  local: {kind: ollama, base_url: "%s"}
configs:
  builtin: {embedder: minilm}
  ollama: {embedder: "local:%s"}
`, fewQueries, llmtest.OllamaMiniLM(t), llmtest.MiniLM))
	documents := fewScifact(t, a.dir, 60)
	a.must("compare", "--configs", "builtin,ollama", "--output", "results/compare")

	var page struct {
		Runs map[string]struct {
			Target struct{ Settings map[string]string }
		}
		Cases []struct {
			ID   string
			Runs map[string]struct {
				Scores map[string]struct{ Value *float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(a.read("results/compare.json")), &page); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"builtin": {"minilm@", ""}, "ollama": {"ollama/local:all-minilm", "384 dimensions of length 1"},
	} {
		s := page.Runs[name].Target.Settings
		if !strings.HasPrefix(s["embedder"], want[0]) || s["embedder_vectors"] != want[1] {
			t.Errorf("%s: embedder %q, vectors %q: want %q", name, s["embedder"], s["embedder_vectors"], want)
		}
	}
	if len(page.Cases) != 5 {
		t.Fatalf("%d cases: want 5", len(page.Cases))
	}
	for _, c := range page.Cases {
		for name := range page.Runs {
			if v := c.Runs[name].Scores["ndcg@10"].Value; v == nil || *v < 0.3 {
				t.Errorf("case %s, %s: nDCG@10 %s", c.ID, name, show(v))
			}
		}
	}

	// The ledger has every vector, from which numpy finds the same passages.
	a.must("store", "export", "ledger.jsonl.gz")
	vectors := embeddedTexts(t, filepath.Join(a.dir, "ledger.jsonl.gz"))
	a.must("run", "--embedder", "local:"+llmtest.MiniLM, "--replay", "--output", "results/replayed")
	replayed := a.page("results/replayed.json")
	names := make([]string, len(documents))
	rows := make([][]float32, len(documents))
	for i, d := range documents {
		names[i] = d.ID
		for text, v := range vectors {
			if strings.HasPrefix(text, d.Title) && strings.Contains(text, d.Text) {
				rows[i] = v
			}
		}
		if rows[i] == nil {
			t.Fatalf("the ledger has no vector of document %s", d.ID)
		}
	}
	for _, c := range replayed.Cases {
		var asked []float32
		for text, v := range vectors {
			if text == c.Question {
				asked = v
			}
		}
		var got []string
		for _, p := range c.Passages {
			got = append(got, p.Document)
		}
		if want := bestByNumpy(t, python, names, rows, asked); !slices.Equal(got, want) {
			t.Errorf("case %s: %q\nnumpy finds %q", c.ID, got, want)
		}
	}
}

// embeddedTexts reads the vectors of an exported ledger, by their texts.
func embeddedTexts(t *testing.T, path string) map[string][]float32 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float32{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var call struct {
			Operation string
			Request   struct{ Messages []struct{ Text string } }
			Reply     struct{ Text string }
		}
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			t.Fatal(err)
		}
		if call.Operation != embed.Operation {
			continue
		}
		v, err := embedtest.KeptVector(call.Reply.Text)
		if err != nil || len(call.Request.Messages) != 1 {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		out[call.Request.Messages[0].Text] = v
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%v, %d vectors", err, len(out))
	}
	return out
}

const numpyBest = `
import json, sys
import numpy as np
ask = json.load(sys.stdin)
scores = np.array(ask["rows"], dtype=np.float32) @ np.array(ask["query"], dtype=np.float32)
print(json.dumps([ask["names"][i] for i in np.argsort(-scores, kind="stable")[:10]]))
`

// bestByNumpy returns the names of the ten rows with the largest dot products.
func bestByNumpy(t *testing.T, python string, names []string, rows [][]float32, query []float32) (best []string) {
	t.Helper()
	ask, err := json.Marshal(map[string]any{"names": names, "rows": rows, "query": query})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-c", numpyBest)
	c.Stdin = bytes.NewReader(ask)
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &best)
	}
	if err != nil {
		t.Fatal(err)
	}
	return best
}

// A shelf is a server in the form of text-embeddings-inference: the vector of a text is
// made of its letters.
type shelf struct {
	*httptest.Server
	mu sync.Mutex
	// texts are those that were embedded; after so many, if above 0, the key is refused.
	texts []string
	after int
	// reranked counts the lists that were scored.
	reranked int
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *shelf) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Inputs, Texts []string
		Query         string
	}
	if r.Method == http.MethodGet || json.NewDecoder(r.Body).Decode(&in) != nil {
		io.WriteString(w, `{"model_id":"letters"}`)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/rerank" {
		s.reranked++
		out := []map[string]any{}
		for i, text := range in.Texts { // the shortest is the best
			out = append(out, map[string]any{"index": i, "score": 1 / float64(1+len(text))})
		}
		json.NewEncoder(w).Encode(out)
		return
	}
	if s.after > 0 && len(s.texts)+len(in.Inputs) > s.after {
		http.Error(w, `{"error":"no more credit"}`, http.StatusPaymentRequired)
		return
	}
	s.texts = append(s.texts, in.Inputs...)
	vectors := [][]float32{}
	for _, text := range in.Inputs {
		v := make([]float32, 26)
		v[0] = 0.1
		for _, c := range strings.ToLower(text) {
			if c >= 'a' && c <= 'z' {
				v[c-'a']++
			}
		}
		vectors = append(vectors, v)
	}
	json.NewEncoder(w).Encode(vectors)
}

// embedded returns the texts since the last call, in their order.
func (s *shelf) embedded() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Sorted(slices.Values(s.texts))
	s.texts = nil
	return out
}

// letters writes 40 documents with 3 questions about them.
func letters(a *agent) {
	a.t.Helper()
	if err := os.Mkdir(filepath.Join(a.dir, "docs"), 0o755); err != nil {
		a.t.Fatal(err)
	}
	for i := range 40 {
		a.write(fmt.Sprintf("docs/d%02d.txt", i), strings.Repeat(string(rune('a'+i%26)), 1+i/26)+" in document "+fmt.Sprint(i))
	}
	a.write("gold.jsonl", `
{"id": "q", "question": "qqqqqqqqqq", "expected_contexts": ["d16.txt"]}
{"id": "x", "question": "xxxxxxxxxx", "expected_contexts": ["d23.txt"]}
{"id": "z", "question": "zzzzzzzzzz", "expected_contexts": ["d25.txt"]}
`)
}

var lettersRun = []string{"run", "--dataset", "gold.jsonl", "--corpus", "docs", "--retriever", "dense", "--generator", "none",
	"--metrics", "hit@3,mrr@10", "--embedder", "tei:letters", "--output", "results/r"}

// A text is paid for once: a second run asks nothing, a replay needs no server, and a run
// that was cut off while it embedded its corpus asks for the rest.
func TestEmbedderAsksOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	a := newAgent(t, "")
	letters(a)
	at := []string{"--set", "embedder-url=" + s.URL}
	run := func(more ...string) (int, string) {
		code, stdout, stderr := a.run(slices.Concat(lettersRun, more)...)
		return code, stdout + stderr
	}

	s.after = 32
	code, out := run(at...)
	if code != 3 {
		t.Errorf("exit code %d", code)
	}
	holds(t, "the run that ran out of credit", out, "no more credit", "status 402")
	first := s.embedded()
	if len(first) != 32 && len(first) != 8 { // of two calls at once, one was refused
		t.Fatalf("%d texts: want those of one call", len(first))
	}
	if _, stdout, _ := a.run("runs"); strings.Contains(stdout, "builtin") {
		t.Errorf("a run that could not embed its corpus is left behind:\n%s", stdout)
	}

	s.after = 0
	if code, out = run(at...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	second := s.embedded()
	if len(second) != 43-len(first) || slices.ContainsFunc(second, func(text string) bool { return slices.Contains(first, text) }) {
		t.Errorf("%d texts, %q: want the other documents and 3 questions", len(second), second)
	}
	a.page("results/r.json").means(t, 3, map[string]float64{"hit@3": 1, "mrr@10": 1})
	if h := a.read("results/r.json"); !strings.Contains(h, `"embedder_vectors": "26 dimensions scaled to length 1"`) {
		t.Error("the header does not say what the vectors are")
	}
	var paid struct {
		Run struct{ Embedding *assay.Spending }
	}
	if err := json.Unmarshal([]byte(a.read("results/r.json")), &paid); err != nil || paid.Run.Embedding == nil ||
		paid.Run.Embedding.Calls != len(second) {
		t.Errorf("the header says %+v, %v: want %d calls", paid.Run.Embedding, err, len(second))
	}

	if code, out = run(at...); code != 0 || len(s.embedded()) > 0 {
		t.Errorf("exit code %d, or texts were embedded again\n%s", code, out)
	}
	s.Close()
	if code, out = run("--replay"); code != 0 {
		t.Errorf("a replay: exit code %d\n%s", code, out)
	}
	a.page("results/r.json").means(t, 3, map[string]float64{"hit@3": 1, "mrr@10": 1})
	code, out = run("--set", "embedder-url=http://127.0.0.1:1")
	holds(t, "a run without the server", out, "embedder tei:letters is away")
	if code != 3 {
		t.Errorf("exit code %d", code)
	}
}

// A command embeds, too: its vectors are kept as those of a server.
func TestEmbedderCommand(t *testing.T) {
	t.Parallel()
	python := requiretest.Command(t, "python3")
	a := newAgent(t, "")
	letters(a)
	a.write("embed.py", `
import json, sys
print("started", file=open("log", "a"))
for line in sys.stdin:
    text = json.loads(line)["text"].lower()
    print(json.dumps([0.1 + text.count(chr(97 + i)) for i in range(26)]))
`)
	args := slices.Concat(lettersRun[:len(lettersRun)-4], []string{"--set", "embedder-command=" + python + " embed.py", "--output", "results/r"})
	a.must(args...)
	a.page("results/r.json").means(t, 3, map[string]float64{"hit@3": 1, "mrr@10": 1})
	before := a.read("log")
	a.must(args...)
	if after := a.read("log"); after != before || before != strings.Repeat("started\n", 4) {
		t.Errorf("started %d times, then %d: want once for the passages, once for each question, and then no more",
			strings.Count(before, "\n"), strings.Count(after, "\n"))
	}
}

// A dry run embeds the first passages and estimates the rest; a budget holds.
func TestEmbedderCost(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	a := newAgent(t, "")
	letters(a)
	a.write("prices.yaml", `prices: [{provider: tei, model: letters, input: 10, output: 0}]`)
	at := slices.Concat(lettersRun, []string{"--set", "embedder-url=" + s.URL, "--set", "prices=prices.yaml"})
	out := a.must(append(at, "--dry-run")...)
	holds(t, "a dry run", out, "only the first 32 of 40 passages were embedded and searched", "ask models: about 43 calls")
	if !regexp.MustCompile(`cost \$0\.00[1-9]`).MatchString(out) {
		t.Errorf("no cost:\n%s", out)
	}
	if texts := s.embedded(); len(texts) != 33 {
		t.Errorf("%d texts: want 32 passages and a question", len(texts))
	}
	code, _, stderr := a.run(append(at, "--max-cost", "0.0001")...)
	holds(t, "a run over its budget", stderr, "the budget of $0.0001 does not cover the next call")
	if code != 3 || len(s.embedded()) > 0 {
		t.Errorf("exit code %d, or texts were embedded", code)
	}
	holds(t, "the doctor", a.must("doctor", "--dataset", "gold.jsonl", "--corpus", "docs", "--retriever", "dense", "--generator", "none",
		"--metrics", "hit@3", "--embedder", "tei:letters", "--set", "embedder-url="+s.URL), "ok    target")
}

func TestEmbedderSettings(t *testing.T) {
	t.Parallel()
	a := newAgent(t, "providers:\n  chat: {kind: anthropic}\n  own: {kind: tei, base_url: \"http://127.0.0.1:9\"}\n")
	letters(a)
	for setting, want := range map[string]string{
		"--embedder=ada":          `expected one of ["minilm"`,
		"--embedder=tei:":         "or PROVIDER:MODEL",
		"--embedder=cohere:x":     `embedder "cohere:x": unknown provider "cohere": expected one of ["minilm" "command" "openai" "ollama" "tei"`,
		"--embedder=chat:x":       `provider "chat" is of kind anthropic, which does not embed; use one of kind ["openai" "ollama" "tei"]`,
		"--embedder=openai:x":     "no key: the environment variable OPENAI_API_KEY is not set",
		"--reranker=tei":          "or PROVIDER:MODEL",
		"--reranker=openai:x":     `reranker "openai:x": unknown provider "openai": expected one of ["tei" "cohere" "jina"]`,
		"--reranker=chat:x":       "is of kind anthropic, which does not rerank",
		"--reranker=cohere:x":     "no key: the environment variable CO_API_KEY is not set",
		"--set=reranker-keep=0":   "expected a whole number from 1",
		"--judge=own:x":           `provider "tei": expected one of ["anthropic" "openai" "ollama" "gemini"]`,
		"--embedder=own:letters":  "embedder own:letters is away",
		"--reranker=own:letters":  "reranker own:letters is away",
		"--embedder=minilm:large": `unknown provider "minilm"`,
		"--embedder=command":      `embedder "command": give the command itself in --set embedder-command`,
	} {
		more := []string{setting}
		if strings.HasPrefix(setting, "--judge") {
			more = append(more, "--generator", "extractive", "--metrics", "faithfulness")
		}
		code, stdout, stderr := a.run(append([]string{"run", "--dataset", "gold.jsonl", "--corpus", "docs", "--retriever", "dense",
			"--generator", "none", "--metrics", "hit@3"}, more...)...)
		if code != 3 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", setting, code, stdout, stderr, want)
		}
	}
	code, _, stderr := a.run("run", "--dataset", "gold.jsonl", "--corpus", "docs", "--offline", "--embedder", "own:x")
	if code != 3 || !strings.Contains(stderr, "--offline forbids") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	code, _, stderr = a.run("run", "--dataset", "gold.jsonl", "--corpus", "docs", "--filter", "similarity", "--reranker", "own:x")
	if code != 3 || !strings.Contains(stderr, "both are the stage filter; use one of them") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// A reranker orders what was retrieved and keeps the first; its stage is filter.
func TestReranker(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	a := newAgent(t, "")
	letters(a)
	a.write("gold.jsonl", `{"id": "any", "question": "Which document is it?", "expected_contexts": ["d09.txt"]}`)
	for _, again := range []bool{false, true} {
		a.must("run", "--dataset", "gold.jsonl", "--corpus", "docs", "--retriever", "sparse", "--generator", "none", "--metrics", "hit@3",
			"--top-k", "40", "--reranker", "tei:letters", "--set", "reranker-url="+s.URL, "--set", "reranker-keep=3", "--output", "results/r", "--set", "bm25.b=0.1")
		if again && s.reranked > 0 {
			t.Errorf("%d lists were scored again", s.reranked)
		}
		if !again && s.reranked != 2 { // of 40 passages, a call takes 32
			t.Errorf("%d lists were scored: want the 40 passages in 2", s.reranked)
		}
		s.reranked = 0
	}
	c := a.page("results/r.json").Cases[0]
	if len(c.Passages) != 3 || c.Trace == nil {
		t.Fatalf("%d passages, trace %v: want 3, and one", len(c.Passages), c.Trace)
	}
	filter := c.Trace.Stages[len(c.Trace.Stages)-1]
	if filter.Name != "filter" || filter.Model != "tei:letters, the best 3" ||
		!strings.HasPrefix(filter.Note, "3 of 40 passages kept; dropped ") {
		t.Errorf("stage %s by %s: %s", filter.Name, filter.Model, filter.Note)
	}
	for _, p := range c.Passages { // the shortest have a letter and a digit
		if p.Document > "d09.txt" {
			t.Errorf("%s is kept: want shorter ones", p.Document)
		}
	}
}

// TestRealReranker lets the real server order passages by the cosine, which is what the
// dense retriever does: the order stays.
func TestRealReranker(t *testing.T) {
	t.Parallel()
	address := embedtest.Server(t)
	a := newAgent(t, "")
	fewScifact(t, a.dir, 20)
	base := []string{"run", "--dataset", "scifact", "--queries", fewQueries, "--retriever", "dense", "--generator", "none",
		"--set", "chunk.method=document", "--metrics", "recall@5,ndcg@5", "--set", "cache=off"}
	a.must(append(base, "--top-k", "5", "--output", "results/plain")...)
	a.must(append(base, "--top-k", "20", "--reranker", "tei:"+embedtest.Served, "--set", "reranker-url="+address, "--set", "reranker-keep=5",
		"--output", "results/reranked")...)
	plain, reranked := a.page("results/plain.json"), a.page("results/reranked.json")
	for i, c := range plain.Cases {
		var want, got []string
		for j := range c.Passages {
			want, got = append(want, c.Passages[j].Document), append(got, reranked.Cases[i].Passages[j].Document)
		}
		// Documents are cut to what the model reads by both.
		if !slices.Equal(want, got) {
			t.Errorf("case %s: %q by the reranker, %q by the retriever", c.ID, got, want)
		}
		if reranked.Cases[i].Input == 0 {
			t.Errorf("case %s: the reranker's tokens are not those of the case", c.ID)
		}
	}
}
