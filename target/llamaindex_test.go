package target_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/targettest"
)

// indexPassages are the nodes of testdata/llamaindex/rag.py that share the most
// words with the question.
func indexPassages() []assay.Passage {
	return []assay.Passage{
		{ID: "node-0", Document: "doc-0", Source: "/data/returns.md",
			Text: "Goods may be returned within 30 days of purchase for a full refund."},
		{ID: "node-1", Document: "doc-1", Source: "/data/shipping.md", Text: "Shipping to an address in Europe takes three working days."},
	}
}

func TestLlamaIndex(t *testing.T) {
	testLlamaIndex(t, requiretest.Env(t, "ASSAY_LLAMAINDEX_PYTHON"), "0.14.", true)
}

func TestLlamaIndexOld(t *testing.T) {
	testLlamaIndex(t, requiretest.Env(t, "ASSAY_LANGCHAIN_OLD_PYTHON"), "0.12.", false)
}

func testLlamaIndex(t *testing.T, py, version string, newest bool) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "index")
	make := exec.CommandContext(t.Context(), py, "testdata/llamaindex/rag.py", folder)
	make.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("making the index: %v\n%s", err, out)
	}
	found := indexPassages()
	both := assay.Response{Answer: chainAnswer, Passages: found}
	in := func(c *target.ExecConfig) { c.Env = append(c.Env, "INDEX="+folder); c.TopK = 2 }
	same := func(t *testing.T, e *target.Exec, question string, want assay.Response) {
		t.Helper()
		got := execAsk(t, e, question)
		got.Latency, got.Trace = 0, nil // the trace is that of TestStagesHeard
		last := 1.0                     // a cosine
		for i := range got.Passages {
			score := &got.Passages[i].Score
			if *score <= 0 || *score > last {
				t.Errorf("%s: score %v after %v", question, *score, last)
			}
			last, *score = *score, 0
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", question, got, want)
		}
	}
	objects := []string{"chat_engine"}
	if newest {
		objects = append(objects, "persisted()", "workflow")
	}
	for _, object := range objects {
		t.Run(object, func(t *testing.T) {
			e := python(t, py, "llamaindex/rag.py:"+object, in)
			for range 2 {
				same(t, e, chainQuestion, both)
			}
			if v := e.Versions(); !strings.HasPrefix(v["llama-index-core"], version) {
				t.Errorf("versions %v", v)
			}
		})
	}
	t.Run("results", func(t *testing.T) {
		e := python(t, py, "llamaindex/rag.py:by_name", nil)
		for _, name := range []string{"streaming.query", "async_streaming", "stream_chat", "function", "text_engine", "asynchronous", "sub_questions.query"} {
			same(t, e, name+"|"+chainQuestion, both)
		}
		targettest.Run(t, targettest.Suite{
			Target: e, Cases: []assay.Case{{ID: "1", Question: "function|" + chainQuestion}},
			Fails: map[string]assay.Case{"exception": {ID: "e", Question: "no_such_name|q"}},
		})
	})
	// The folder alone: it does not say how its vectors were made.
	bare := python(t, py, folder, nil)
	execFails(t, bare, chainQuestion, target.Refused, "no embedding model", "assay_settings.py")
	// A folder that holds no index, or a broken one, or settings that fail.
	for name, c := range map[string]struct{ docstore, settings, says string }{
		"empty":    {"", "", "has no index: docstore.json is missing"},
		"broken":   {"{", "", "a file of the index is not JSON (Expecting"},
		"settings": {"{}", "raise ValueError('no key')\n", "ValueError: no key (assay_settings.py:1 in <module>)"},
	} {
		if !newest && name != "broken" {
			continue // the same for all, and each takes an import
		}
		dir := t.TempDir()
		files := map[string]string{"assay_settings.py": c.settings}
		if c.docstore != "" {
			files["docstore.json"], files["index_store.json"] = c.docstore, "{}"
		}
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(name, func(t *testing.T) {
			e := python(t, py, dir, func(c *target.ExecConfig) { c.Dir = dir })
			execFails(t, e, chainQuestion, target.Refused, c.says)
		})
	}
	run := func(name, settings string, want assay.Response) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			code, err := os.ReadFile("testdata/llamaindex/rag.py")
			if err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{"rag.py": string(code), "assay_settings.py": settings} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			e := python(t, py, folder, func(c *target.ExecConfig) { c.Dir, c.TopK = dir, 2 })
			same(t, e, chainQuestion, want)
		})
	}
	run("a folder with models", "import rag\n", both)
	run("a folder without a model to answer", "import rag\nfrom llama_index.core import Settings\nSettings._llm = None\n",
		assay.Response{NoAnswer: true, Passages: found})
}
