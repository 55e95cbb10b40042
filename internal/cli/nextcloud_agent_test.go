package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/target/mcptest"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

// An ollama is a model server. It judges and writes as the simulation does, and
// answers any other question with the first sentence of the first document in it.
type ollama struct {
	*httptest.Server
	// tasks are questions with data for a judge or a writer, others the rest.
	tasks, others atomic.Int64
}

func newOllama(t *testing.T) *ollama {
	t.Helper()
	o := &ollama{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/tags" {
			fmt.Fprint(w, `{"models": [{"name": "llama3.1:8b"}]}`)
			return
		}
		var in struct {
			Model    string
			Messages []struct{ Role, Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); r.URL.Path != "/api/chat" || err != nil || in.Model != "llama3.1:8b" {
			http.Error(w, `{"error": "want llama3.1:8b at /api/chat"}`, http.StatusNotFound)
			return
		}
		var asked llm.Request
		for _, m := range in.Messages {
			asked.Messages = append(asked.Messages, llm.Message{Role: m.Role, Text: m.Content})
		}
		text, err := model.StandIn(generate.StandIns()).Answer(asked)
		if o.tasks.Add(1); err != nil {
			o.tasks.Add(-1)
			o.others.Add(1)
			_, content, _ := strings.Cut(asked.Messages[len(asked.Messages)-1].Text, "Content: ")
			text, _, _ = strings.Cut(content, ". ")
			text += "."
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": in.Model, "message": map[string]string{"role": "assistant",
				"content": text}, "done": true, "done_reason": "stop", "prompt_eval_count": 40, "eval_count": 9,
		})
	}))
	t.Cleanup(o.Close)
	return o
}

// A notesServer is an MCP server that searches the notes of a Nextcloud, as the
// real one does: what it finds has the ids that Nextcloud gave.
type notesServer struct {
	*httptest.Server
	// bad makes it find what is farthest from the question.
	bad atomic.Bool
}

func newNotesServer(t *testing.T, notes []nextcloudtest.Note) *notesServer {
	t.Helper()
	texts := make([]string, len(notes))
	for i, n := range notes {
		texts[i] = n.Title + "\n" + n.Content
	}
	bm25, err := index.BuildBM25(slices.Values(texts), index.DefaultBM25())
	if err != nil {
		t.Fatal(err)
	}
	s := &notesServer{}
	endpoint := mcptest.Handler(mcptest.Options{Style: mcptest.During, Tools: []string{mcptest.Search},
		Find: func(query string, limit int) []mcptest.Source {
			if limit <= 0 {
				limit = 5
			}
			hits := bm25.Search(query, len(notes))
			if s.bad.Load() {
				slices.Reverse(hits)
			}
			var found []mcptest.Source
			for _, h := range hits[:min(limit, len(hits))] {
				n := notes[h.Passage]
				found = append(found, mcptest.Source{ID: n.ID, DocType: "note", Title: n.Title, Category: n.Category, Excerpt: n.Content,
					Score:       h.Score,
					TotalChunks: 1})
			}
			return found
		}})
	s.Server = httptest.NewServer(endpoint)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		_ = endpoint.Close()
	})
	return s
}

// What the requirements of the Nextcloud evaluation ask for, from an empty store
// to both verdicts: a corpus is uploaded as notes, five queries are searched over
// MCP and gated on the recall of ten, a model writes reference answers, and the
// tool's answers, which it takes from the same model by sampling, are judged.
func TestNextcloudEvaluation(t *testing.T) {
	t.Parallel()
	a := newAgent(t, "")
	few := fewScifact(t, a.dir, 300)
	cloud, model := nextcloudtest.New(t, time.Now), newOllama(t)
	a.env = map[string]string{
		"NEXTCLOUD_PASSWORD": nextcloudtest.Password,
		"RAG_EVAL_PROVIDER":  "ollama", "RAG_EVAL_OLLAMA_BASE_URL": model.URL, "RAG_EVAL_OLLAMA_MODEL": "llama3.1:8b",
	}
	upload := []string{"corpus", "upload", "--to", "nextcloud", "--endpoint", cloud.URL, "--user", nextcloudtest.User, "--dataset", "scifact",
		"--category", "BEIR"}
	holds(t, "the upload", a.must(upload...), fmt.Sprintf("added         %3d\n", len(few)))
	notes := cloud.Notes()
	if len(notes) != len(few) || notes[0].Category != "BEIR" {
		t.Fatalf("%d notes, the first in %q: want %d in BEIR", len(notes), notes[0].Category, len(few))
	}
	holds(t, "the second upload", a.must(upload...), fmt.Sprintf("known         %3d ", len(few)))
	server := newNotesServer(t, notes)

	t.Run("retrieval", func(t *testing.T) {
		search := func(want int, output string, more ...string) (stderr string) {
			t.Helper()
			args := []string{"run", "--adapter", "mcp", "--endpoint", server.URL + "/mcp", "--mcp-tool", mcptest.Search, "--dataset", "scifact",
				"--queries", fewQueries,
				"--metrics", "recall@10", "--fail-under-recall@10", "0.8", "--concurrency", "3", "--output", output}
			code, stdout, stderr := a.run(append(args, more...)...)
			if code != want {
				t.Errorf("%s: exit code %d, want %d\n%s%s", output, code, want, stdout, stderr)
			}
			return stderr
		}
		mapped := []string{"--set", "document-map=corpus-nextcloud.jsonl"}
		search(0, "good", mapped...)
		p := a.page("good.json")
		if r := p.Summary["recall@10"]; p.Counts.OK != 5 || r.N != 5 || r.Mean == nil || *r.Mean < 0.8 {
			t.Errorf("%+v, recall %s", p.Counts, show(r.Mean))
		}
		first := p.Cases[0].Passages
		if len(first) != 10 || !slices.ContainsFunc(notes, func(n nextcloudtest.Note) bool { return strconv.Itoa(n.ID) == first[0].ID }) ||
			first[0].Document == first[0].ID {
			t.Errorf("passages %+v: want ten, with the note's id and the document's", first)
		}
		holds(t, "without the map", search(1, "unmapped"), "threshold recall@10")
		server.bad.Store(true)
		defer server.bad.Store(false)
		holds(t, "a bad server", search(1, "bad", mapped...), "threshold recall@10")
		if n := model.tasks.Load() + model.others.Load(); n != 0 {
			t.Errorf("the model was asked %d times for retrieval alone", n)
		}
	})

	t.Run("generation", func(t *testing.T) {
		a.must("dataset", "answers", "--dataset", "scifact", "--queries", fewQueries, "--selected", "--output", "answers.json")
		var made struct {
			Cases []struct {
				Truth json.RawMessage `json:"ground_truth"`
			} `json:"test_cases"`
		}
		if err := json.Unmarshal([]byte(a.read("answers.json")), &made); err != nil || len(made.Cases) != 5 {
			t.Fatalf("%d cases, %v", len(made.Cases), err)
		}
		for i, c := range made.Cases {
			if len(c.Truth) < 20 {
				t.Errorf("case %d: the reference answer is %s", i, c.Truth)
			}
		}
		if n := model.tasks.Load(); n != 5 {
			t.Errorf("the model was asked %d times for five answers", n)
		}
		args := []string{"run", "--adapter", "mcp", "--endpoint", server.URL + "/mcp", "--mcp-tool", mcptest.Answer, "--set",
			"document-map=corpus-nextcloud.jsonl",
			"--dataset", "answers.json", "--metrics", "answer_correctness,recall@10", "--output", "answered"}
		a.must(args...)
		p := a.page("answered.json")
		if m := p.Summary["answer_correctness"]; p.Counts.OK != 5 || m.N != 5 || m.Mean == nil {
			t.Fatalf("%+v, answer_correctness %+v", p.Counts, m)
		}
		for _, c := range p.Cases {
			if c.Trace == nil || len(c.Trace.Stages) != 1 || c.Trace.Stages[0].Model != "ollama:llama3.1:8b" || c.Input != 40 || c.Output != 9 {
				t.Errorf("case %s: trace %+v, %d and %d tokens", c.ID, c.Trace, c.Input, c.Output)
			}
		}
		if n := model.others.Load(); n != 5 {
			t.Errorf("the model answered %d sampling requests of 5 cases", n)
		}
		holds(t, "the report", a.read("answered.md"), "ollama", "llama3.1:8b", "answer_correctness")
		if code, _, stderr := a.run(append(args, "--fail-under-answer_correctness", "1")...); code != 1 {
			t.Errorf("below the threshold: exit code %d: %s", code, stderr)
		}
	})

	t.Run("provider", func(t *testing.T) {
		other := &agent{t: t, dir: a.dir, env: map[string]string{"RAG_EVAL_PROVIDER": "olama"}}
		code, _, stderr := other.run("run", "--adapter", "mcp", "--endpoint", server.URL+"/mcp", "--mcp-tool", mcptest.Answer, "--dataset",
			"answers.json")
		if code != 3 {
			t.Errorf("exit code %d", code)
		}
		holds(t, "standard error", stderr, "RAG_EVAL_PROVIDER", `"olama"`, "expected ollama or anthropic")
	})
}

// A sampler that is refused in the middle, or whose budget is gone, ends the run,
// for every other case would end so too; the run goes on when that is put right.
func TestSamplerEndsRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script, says, hint string
		flags, more              []string
	}{
		{"refused", "rules:\n  - when: {operation: sampling, nth: 2}\n    status: 429\n    retry_after: 1h\n  - when: {operation: sampling}\n    text: Yes.\n",
			"status 429", "assay run --resume=", nil, nil},
		// A call may cost 50 $, for 500 tokens, and costs 0.50 $: the third does not fit.
		{"spent", "rules:\n  - when: {operation: sampling}\n    text: Yes.\n    usage: {input: 0, output: 5}\n", "the budget of $",
			"--max-cost=DOLLARS", []string{"--set", "prices=prices.yaml", "--max-cost", "50.6"}, []string{"--max-cost", "500"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := newNotesServer(t, []nextcloudtest.Note{{ID: 1, Title: "Shop",
				Content: "The refund policy, the password and when the shop is open."}})
			a := newAgent(t, "")
			a.write("sampler.yaml", c.script)
			a.write("prices.yaml", "prices: [{provider: fake, model: sampler, input: 0, output: 100000}]\n")
			args := append([]string{"run", "--adapter", "mcp", "--endpoint", server.URL + "/mcp", "--mcp-tool", mcptest.Answer, "--dataset",
				"tests.json", "--metrics", "exact_match",
				"--set", "sampler=fake:sampler.yaml"}, c.flags...)
			code, _, stderr := a.run(args...)
			if code != 3 {
				t.Errorf("exit code %d", code)
			}
			holds(t, "standard error", stderr, "a sampling request was not answered", c.says, c.hint)
			if p := a.page("results/eval_report.json"); p.Counts.OK == 0 || p.Counts.OK > 2 || p.Counts.Failed > 0 {
				t.Errorf("%+v: want what was finished before", p.Counts)
			}
			if c.more == nil {
				a.write("sampler.yaml", "rules:\n  - when: {operation: sampling}\n    text: Yes.\n")
			}
			// Notes have ids, and the labels are names of files: nothing checks the critical case.
			code, stdout, stderr := a.run(append([]string{"run", "--resume"}, c.more...)...)
			if code != 0 {
				t.Errorf("resumed: exit code %d: %s", code, stderr)
			}
			holds(t, "the report", strings.Join(strings.Fields(stdout), " "), "1 unchecked", "no passage of the run names a document that any case expects")
			if p := a.page("results/eval_report.json"); p.Counts.OK != 3 {
				t.Errorf("resumed: %+v", p.Counts)
			}
		})
	}
}
