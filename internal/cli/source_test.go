package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// source returns the text of a shared source document.
func source(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(requiretest.Shared(t, "sources/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// all returns what a pattern captures in a text, which must match n times.
func all(t *testing.T, text, pattern string, n int) [][]string {
	t.Helper()
	found := regexp.MustCompile("(?m)"+pattern).FindAllStringSubmatch(text, -1)
	if len(found) != n {
		t.Fatalf("%q: %d matches, want %d", pattern, len(found), n)
	}
	return found
}

// place writes a file of a folder.
func place(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// jsonl returns values as JSON Lines.
func jsonl(t *testing.T, values ...any) string {
	t.Helper()
	var b strings.Builder
	for _, v := range values {
		if err := json.NewEncoder(&b).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// block returns the first block of a language after a heading of a shared source.
func block(t *testing.T, document, heading, language string) string {
	t.Helper()
	_, after, _ := strings.Cut(source(t, document), heading)
	_, after, _ = strings.Cut(after, "```"+language+"\n")
	body, _, found := strings.Cut(after, "```")
	if !found {
		t.Fatalf("%s: no %s after %q", document, language, heading)
	}
	return body
}

// example writes the JSON that follows a heading of a shared source as a dataset.
func example(t *testing.T, document, heading string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	place(t, dir, "set.json", block(t, document, heading, "json"))
	return dir
}

// TestSourceBenchmark scores the retrieval of the framework's example by passages.
func TestSourceBenchmark(t *testing.T) {
	t.Parallel()
	dir := example(t, "002_651da98959f25aaf.txt", "### Example")
	const responses = `{"question": "What is the ICD-10 code for type 2 diabetes?", "contexts": ["Asthma is J45 in the same list.", "ICD-10 code for type 2 DIABETES mellitus is E11."]}
{"question": "When should metformin be avoided?", "contexts": ["Metformin should not be used in pregnancy unless  clearly necessary."]}
`
	place(t, dir, "r.jsonl", responses)
	code, stdout, stderr := command(t, dir, nil, "run", "--adapter", "recorded", "--dataset", "set.json", "--responses", "r.jsonl",
		"--metrics", "passage_mrr,passage_hit@5,passage_recall@5")
	// The first match is at rank 2 and at rank 1; one of two passages of the second is found.
	for _, want := range []string{"passage_mrr 0.750", "passage_hit@5 1.000", "passage_recall@5 0.750"} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
			t.Errorf("exit %d, want %s:\n%s%s", code, want, stdout, stderr)
		}
	}
}

// TestSourceCriticalCase exits with 2 if the critical case of the requirements fails.
func TestSourceCriticalCase(t *testing.T) {
	t.Parallel()
	const other = `{"id": "tc_002", "answer": "Click 'Forgot Password' on the login page.", "contexts": []}` + "\n"
	for _, c := range []struct {
		response string
		code     int
	}{
		{`{"id": "tc_001", "answer": "Full refund within 30 days of purchase.", "contexts": [{"document": "policy.md", "text": "p"}]}`, 0},
		{`{"id": "tc_001", "answer": "Within 14 days.", "contexts": [{"document": "returns.md", "text": "r"}]}`, 2},
	} {
		dir := example(t, "003_d00c16e062c92002.txt", "### Schema")
		place(t, dir, "r.jsonl", c.response+"\n"+other)
		code, stdout, stderr := command(t, dir, nil, "run", "--adapter", "recorded", "--dataset", "set.json", "--responses", "r.jsonl",
			"--metrics", "hit@5,token_f1")
		if code != c.code {
			t.Errorf("exit %d, want %d:\n%s%s", code, c.code, stdout, stderr)
		}
	}
}

// TestSourceEvaluator runs the full command line of the requirements with their configuration
// and cases, and finds in the report what they show of a wrong answer. The case that fails is
// asked as often as the retries of the configuration say.
func TestSourceEvaluator(t *testing.T) {
	t.Parallel()
	const document, there = "003_d00c16e062c92002.txt", "http://localhost:8000"
	trace := block(t, document, "### Full Trace Diagnostics", "markdown")
	answer := all(t, trace, `^\*\*Generated Answer:\*\* "(.*)"$`, 1)[0][1]
	var contexts []map[string]string
	for _, c := range all(t, trace, `^\d\. "(.*)" \((.*)\)$`, 2) {
		contexts = append(contexts, map[string]string{"text": c[1], "document": c[2]})
	}
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Question string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		mu.Lock()
		defer mu.Unlock()
		asked[in.Question+" "+r.Header.Get("Authorization")]++
		if !strings.Contains(trace, in.Question) {
			http.Error(w, "try again", http.StatusServiceUnavailable)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"answer": answer, "contexts": contexts})
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	place(t, dir, "datasets/tests.json", block(t, document, "### Schema", "json"))
	place(t, dir, "eval-config.yaml", strings.ReplaceAll(block(t, document, "### `eval-config.yaml`", "yaml"), there, server.URL))
	line := block(t, document, "### Full Options", "bash")
	_, line, _ = strings.Cut(strings.ReplaceAll(line, there, server.URL), "evaluator.py ")
	args := []string{"run", "--judge", "offline"}
	for _, flag := range all(t, line, `--([a-z-]+)(?: ("[^"]*"|[^\s\\]+))?`, 12) {
		args = append(args, "--"+flag[1])
		if flag[2] != "" {
			args = append(args, strings.Trim(flag[2], `"`))
		}
	}
	code, stdout, stderr := command(t, dir, map[string]string{"RAG_API_TOKEN": "tok-12345678"}, args...)
	// The document of the critical case is not retrieved.
	if code != 2 {
		t.Errorf("exit %d, want 2:\n%s%s", code, stdout, stderr)
	}
	if want := map[string]int{"What is the refund policy? Bearer xxx": 1, "How do I reset my password? Bearer xxx": 3}; !maps.Equal(asked, want) {
		t.Errorf("asked %v, want %v", asked, want)
	}
	report, err := os.ReadFile(filepath.Join(dir, "results/report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{answer, contexts[0]["text"], contexts[1]["document"], "Full refund within 30 days of purchase.",
		"### wrong, 0.26, critical: tc\\_001", "### ERROR: tc\\_002", "status after 3 attempts", "`faithfulness`: 0.", "Customer Support QA"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	for _, c := range []struct{ name, want string }{{"results/report.json", `"tc_002"`}, {"results/results.jsonl", `"test_count":2`}} {
		if text, err := os.ReadFile(filepath.Join(dir, c.name)); err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s lacks %s: %v", c.name, c.want, err)
		}
	}
}

// A medical is what the requirements for Nextcloud name: queries of NFCorpus with the
// number of their highly relevant documents, and the settings of a model.
type medical struct {
	dir string
	// ids and texts are those of the queries, and relevant the ids of their documents.
	ids, texts []string
	relevant   [][]string
	env        map[string]string
	// asked are the requests to the model, and verdicts its rulings by the text of the query.
	mu       sync.Mutex
	asked    []string
	verdicts map[string]string
}

func newMedical(t *testing.T) *medical {
	t.Helper()
	text := source(t, "000_3d0f5f28f4f6d4dc.txt")
	m := &medical{dir: t.TempDir(), env: map[string]string{}, verdicts: map[string]string{}}
	var corpus, queries []any
	judgments := "query-id\tcorpus-id\tscore\n"
	for _, q := range all(t, text, `^- (PLAIN-\d+): "([^"]+)" \(\d+ words, (\d+) highly relevant docs\)$`, 5) {
		n, _ := strconv.Atoi(q[3])
		m.ids, m.texts, m.relevant = append(m.ids, q[1]), append(m.texts, q[2]), append(m.relevant, nil)
		queries = append(queries, map[string]string{"_id": q[1], "text": q[2]})
		for i := range n + 4 { // the last four are somewhat relevant
			id, grade := fmt.Sprintf("MED-%d", len(corpus)), 1
			if i < n {
				grade, m.relevant[len(m.ids)-1] = 2, append(m.relevant[len(m.ids)-1], id)
			}
			corpus = append(corpus, map[string]string{"_id": id, "title": q[2], "text": fmt.Sprintf("Study %d of grade %d about it.", i, grade)})
			judgments += fmt.Sprintf("%s\t%s\t%d\n", q[1], id, grade)
		}
	}
	place(t, m.dir, "nfcorpus/corpus.jsonl", jsonl(t, corpus...))
	place(t, m.dir, "nfcorpus/queries.jsonl", jsonl(t, queries...))
	place(t, m.dir, "nfcorpus/qrels/test.tsv", judgments)

	server := httptest.NewServer(http.HandlerFunc(m.model))
	t.Cleanup(server.Close)
	for _, v := range strings.Split(text, "RAG_EVAL_")[1:] { // on one line, with nothing between
		v := all(t, v, `\A(\w+)=([^\s(]+)`, 1)[0]
		m.env["RAG_EVAL_"+v[1]] = v[2]
	}
	if len(m.env) != 5 || m.env["RAG_EVAL_OLLAMA_BASE_URL"] == "" {
		t.Fatalf("settings %v", m.env)
	}
	m.env["RAG_EVAL_OLLAMA_BASE_URL"] = server.URL
	return m
}

// model speaks as Ollama does: it writes the reference answers, and rules in one word.
func (m *medical) model(w http.ResponseWriter, r *http.Request) {
	var in struct{ Messages []struct{ Content string } }
	if r.URL.Path == "/api/tags" {
		fmt.Fprintf(w, `{"models": [{"name": %q}]}`, m.env["RAG_EVAL_OLLAMA_MODEL"])
		return
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	text := ""
	for _, part := range in.Messages {
		text += part.Content + "\n"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, text)
	reply := "FALSE"
	for query, verdict := range m.verdicts {
		if strings.Contains(text, query) {
			reply = verdict
		}
	}
	if nonce := regexp.MustCompile(`Its field "nonce" is "(\w+)"`).FindStringSubmatch(text); nonce != nil {
		reply = fmt.Sprintf(`{"nonce": %q, "documents": [1, 2], "answer": "Studies found it in 7 percent of trials."}`, nonce[1])
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"model": m.env["RAG_EVAL_OLLAMA_MODEL"], "done": true, "done_reason": "stop",
		"message": map[string]string{"role": "assistant", "content": reply}, "prompt_eval_count": 40, "eval_count": 9})
}

// search returns what a semantic search finds: the first n relevant documents and the last
// of another query in the rest of ten places.
func (m *medical) search(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var results []map[string]any
		for i, text := range m.texts {
			if !strings.Contains(string(body), text) {
				continue
			}
			ids := append(m.relevant[i][:n:n], m.relevant[(i+1)%len(m.texts)][:10-n]...)
			for rank, id := range ids {
				results = append(results, map[string]any{"document_id": id, "title": "a note", "score": 1 - float64(rank)/10})
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
	}
}

// TestSourceNextcloud evaluates retrieval and generation on the queries, the limits and the
// settings of the requirements for Nextcloud.
func TestSourceNextcloud(t *testing.T) {
	t.Parallel()
	m := newMedical(t)
	text := source(t, "000_3d0f5f28f4f6d4dc.txt")
	k := all(t, text, `results = await nc_client.notes.semantic_search\([^)]*limit=(\d+)`, 1)[0][1]
	limit := all(t, text, `assert recall >= ([\d.]+)`, 1)[0][1]
	queries := "--queries=" + strings.Join(m.ids, ",")
	for _, c := range []struct {
		metric string
		found  int
		code   int
		mean   string
	}{
		// 8 of 21, 20, 16, 15 and 14 documents, and at most 10 of them.
		{"recall", 8, 1, "0.477"}, {"recall", 10, 1, "0.596"}, {"recall_cap", 8, 0, "0.800"}, {"recall_cap", 7, 1, "0.700"}, {"precision", 8, 0, "0.800"},
	} {
		server := httptest.NewServer(m.search(c.found))
		name := c.metric + "@" + k
		code, stdout, stderr := command(t, m.dir, nil, "run", "--adapter", "http", "--endpoint", server.URL+"/search", "--dataset", "nfcorpus",
			"--min-relevance", "2", "--metrics", name, "--fail-under-"+name, limit, queries)
		server.Close()
		flat := strings.Join(strings.Fields(stdout+stderr), " ")
		if code != c.code || !strings.Contains(flat, name+" "+c.mean) {
			t.Errorf("%+v: exit %d\n%s%s", c, code, stdout, stderr)
		}
		// No system could reach the limit of the requirements.
		if says := strings.Contains(flat, "recall@10 is at most 0.596 on these cases"); says != (c.metric == "recall") {
			t.Errorf("%+v: says that the limit cannot be met: %v\n%s", c, says, flat)
		}
	}

	code, _, stderr := command(t, m.dir, m.env, "dataset", "answers", "--dataset", "nfcorpus", "--min-relevance", "2", "--selected",
		"--output", "answers.json", queries)
	if code != 0 || len(m.asked) != 5 {
		t.Fatalf("exit %d, %d answers written\n%s", code, len(m.asked), stderr)
	}
	for _, prompt := range m.asked {
		if n := strings.Count(prompt, "of grade 2 about it"); n != 5 || strings.Contains(prompt, "of grade 1 about it") {
			t.Errorf("an answer is written from %d highly relevant documents, want 5:\n%s", n, prompt)
		}
	}
	var answers []any
	for i, id := range m.ids {
		m.verdicts[m.texts[i]] = []string{"TRUE", " true\n", "FALSE", "TRUE", "TRUE or FALSE"}[i]
		answers = append(answers, map[string]any{"id": id, "answer": "It was found in one of fourteen trials."})
	}
	place(t, m.dir, "r.jsonl", jsonl(t, answers...))
	args := []string{"run", "--adapter", "recorded", "--dataset", "answers.json", "--responses", "r.jsonl", "--metrics", "binary_correctness"}
	code, stdout, stderr := command(t, m.dir, m.env, args...)
	// Four verdicts, of which three are true; the fifth is none. No passages are reported.
	if flat := strings.Join(strings.Fields(stdout), " "); code != 0 || !strings.Contains(flat, "3 right, 1 wrong, 1 unknown") ||
		!regexp.MustCompile(`binary_correctness 0\.750 4 1 `).MatchString(flat) {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

// TestSourceHarness holds a retriever to a baseline by the fields, metrics and tolerances of
// the guide to the harness: at each tolerance it passes, one step beyond it fails.
func TestSourceHarness(t *testing.T) {
	t.Parallel()
	text := source(t, "004_02b1ae89fcff65c7.txt")
	field := all(t, text, `one JSON object with (\w+), (\w+), (\w+) \(list of filenames\), and optional (\w+) \(list of tokens\)`, 1)[0][1:]
	_, table, _ := strings.Cut(text, "Metric Reads\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var metrics []string
	for _, row := range all(t, table, `^((?:hit|MRR|precision|nDCG|keyword)[^\s,]*(?:, [^\s,]+)*) `, 5) {
		metrics = append(metrics, strings.Split(strings.ToLower(row[1]), ", ")...)
	}
	const n = 100
	dir := t.TempDir()
	var gold []any
	for i := range n {
		gold = append(gold, map[string]any{field[0]: fmt.Sprint("q", i), field[1]: fmt.Sprintf("What is %d?", i),
			field[2]: []string{fmt.Sprintf("a%d.txt", i), fmt.Sprintf("b%d.txt", i)}, field[3]: []string{"stock"}})
	}
	place(t, dir, "gold.jsonl", jsonl(t, gold...))
	// respond retrieves two chunks of each of five files. The first cases have what is lost.
	respond := func(name string, cases int, files ...string) {
		var out []any
		for i := range n {
			order := []string{"a%d.txt", "b%d.txt", "x%d.txt", "y%d.txt", "z%d.txt"}
			if i < cases {
				order = files
			}
			var chunks []map[string]string
			for _, f := range order {
				of := map[string]string{"source": fmt.Sprintf(f, i), "text": "Goods in stock."}
				if i < cases && files[0] == "a%d.txt" && files[1] == "b%d.txt" {
					of["text"] = "Goods."
				}
				chunks = append(chunks, of, of)
			}
			out = append(out, map[string]any{"id": fmt.Sprint("q", i), "contexts": chunks})
		}
		place(t, dir, name, jsonl(t, out...))
	}
	run := func(responses string, more ...string) (int, string) {
		code, stdout, stderr := command(t, dir, nil, append([]string{"run", "--adapter", "recorded", "--dataset", "gold.jsonl",
			"--responses", responses, "--metrics", strings.Join(metrics, ",")}, more...)...)
		return code, strings.Join(strings.Fields(stdout+stderr), " ")
	}
	respond("base.jsonl", 0)
	if code, out := run("base.jsonl"); code != 0 || !strings.Contains(out, "precision@5 0.400") || !strings.Contains(out, "mrr 1.000") {
		t.Fatalf("exit %d: %s", code, out)
	}
	if code, _, stderr := command(t, dir, nil, "baseline", "save", "-o", "baseline.json"); code != 0 {
		t.Fatal(stderr)
	}

	// One case of each kind lowers its metric by a step.
	kinds := map[string]struct {
		step  float64
		files []string
	}{
		"hit@3":       {0.01, []string{"x%d.txt", "y%d.txt", "z%d.txt", "a%d.txt", "b%d.txt"}},
		"precision@5": {0.2 / n, []string{"a%d.txt", "x%d.txt", "y%d.txt", "z%d.txt", "w%d.txt"}},
		"mrr":         {0.5 / n, []string{"x%d.txt", "a%d.txt", "b%d.txt", "y%d.txt", "z%d.txt"}},
	}
	for _, row := range all(t, text, `^(\S+) new ≥ baseline(?: − ([\d.]+))? \d pp`, 3) {
		metric := strings.ToLower(row[1])
		kind, tolerance := kinds[metric], 0.0
		if row[2] != "" {
			tolerance, _ = strconv.ParseFloat(row[2], 64)
		}
		at := int(math.Round(tolerance / kind.step))
		respond("at.jsonl", at, kind.files...)
		if code, out := run("at.jsonl", "--baseline", "baseline.json"); code != 0 {
			t.Errorf("%s falls by its tolerance of %g: exit %d: %s", metric, tolerance, code, out)
		}
		respond("beyond.jsonl", at+1, kind.files...)
		if code, out := run("beyond.jsonl", "--baseline", "baseline.json"); code != 1 || !strings.Contains(out, "gate "+metric+" vs baseline") {
			t.Errorf("%s falls by more than its tolerance of %g: exit %d: %s", metric, tolerance, code, out)
		}
	}
	// What is only tracked may fall.
	all(t, text, `^nDCG@5, keyword_recall tracked, not gated`, 1)
	respond("words.jsonl", n, "a%d.txt", "b%d.txt", "x%d.txt", "y%d.txt", "z%d.txt")
	if code, out := run("words.jsonl", "--baseline", "baseline.json"); code != 0 || !strings.Contains(out, "keyword_recall 0.000") {
		t.Errorf("exit %d: %s", code, out)
	}

	// A rebaseline prints what the commit message of the guide has; a larger gold set needs one.
	code, stdout, stderr := command(t, dir, nil, "baseline", "save", "-o", "baseline.json", "--print")
	shape := all(t, text, `^eval delta:\n +hit@3: +[\d.]+ -> [\d.]+ \(\+[\d.]+\)$`, 1)[0][0]
	if first, _, _ := strings.Cut(shape, "\n"); code != 0 || !strings.Contains(stdout, first+"\n") ||
		!regexp.MustCompile(`keyword_recall: +1\.000 -> 0\.000 \(-1\.000\)`).MatchString(stdout) {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	place(t, dir, "gold.jsonl", jsonl(t, append(gold, map[string]any{field[0]: "new", field[1]: "What?", field[2]: []string{"a0.txt"}})...))
	if code, out := run("words.jsonl", "--baseline", "baseline.json"); code != 1 || !strings.Contains(out, "the gold set has 101 cases") {
		t.Errorf("exit %d: %s", code, out)
	}
}
