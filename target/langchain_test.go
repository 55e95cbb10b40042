package target_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/targettest"
)

const (
	chainQuestion = "Within how many days of purchase may goods be returned for a full refund, and does shipping to Europe take three " +
		"working days?"
	chainAnswer = "Within 30 days."
)

// chainPassages are the two documents of testdata/langchain/store.py that share
// the most words with the question, as their metadata name them.
func chainPassages() []assay.Passage {
	return []assay.Passage{
		{ID: "chunk-0", Source: "docs/returns.md", Title: "Returns", Text: "Goods may be returned within 30 days of purchase for a full refund."},
		{ID: "chunk-1", Source: "docs/shipping.md", Title: "Shipping", Index: 1,
			Text: "Shipping to an address in Europe takes three working days."},
	}
}

// With the packages of two generations: scripts/targets/python.sh.
func TestLangChain(t *testing.T) {
	testLangChain(t, requiretest.Env(t, "ASSAY_LANGCHAIN_PYTHON"), "1.", true)
}

func TestLangChainOld(t *testing.T) {
	testLangChain(t, requiretest.Env(t, "ASSAY_LANGCHAIN_OLD_PYTHON"), "0.3.", false)
}

func testLangChain(t *testing.T, py, version string, newest bool) {
	t.Parallel()
	found, both := chainPassages(), assay.Response{Answer: chainAnswer, Passages: chainPassages()}
	alone := assay.Response{Answer: chainAnswer}
	type row struct {
		name string
		want assay.Response
	}
	// Objects that are asked in different ways.
	objects := []row{
		{"langchain/rag.py:message", assay.Response{Answer: chainAnswer, Passages: found, Usage: assay.Usage{InputTokens: 12, OutputTokens: 5}}},
		// Plain chains, whose passages only their callbacks tell.
		{"langchain/rag.py:chain", both},
		{"langchain/rag.py:from_question", both},
		{"langchain/rag.py:qa_alone", both},
		{"langchain/rag.py:nested", assay.Response{Answer: chainAnswer, Passages: []assay.Passage{found[1], found[0]}}},
		{"langchain/rag.py:parallel", both},
		{"langchain/rag.py:found_nothing", assay.Response{Answer: chainAnswer, Passages: []assay.Passage{}}},
		{"langchain/rag.py:qa", both},
		{"langchain/rag.py:only_async", both},
		{"langchain/rag.py:make_retriever()", assay.Response{NoAnswer: true, Passages: found}},
	}
	if newest {
		tokens := assay.Usage{InputTokens: 3, OutputTokens: 4}
		objects = append(objects,
			row{"langchain/rag.py:with_context", both},
			row{"langchain/rag.py:conversation", both},
			row{"langchain/graph.py:agent", assay.Response{Answer: chainAnswer, Passages: found, Usage: tokens}},
			row{"langchain/graph.py:chat", assay.Response{Answer: chainAnswer, Passages: found, Usage: tokens}},
			row{"langchain/graph.py:plain", both},
		)
	}
	same := func(t *testing.T, e *target.Exec, question string, want assay.Response) {
		t.Helper()
		for range 2 { // the second time in the form that was understood
			got := execAsk(t, e, question)
			got.Latency, got.Trace = 0, nil // the trace is that of TestStagesHeard
			for i := range got.Passages {
				got.Passages[i].Score = 0 // that of a function that scores; its order is what counts
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v\nwant %+v", question, got, want)
			}
		}
	}
	for _, o := range objects {
		t.Run(o.name, func(t *testing.T) {
			e := python(t, py, o.name, nil)
			same(t, e, chainQuestion, o.want)
			if v := e.Versions(); !strings.HasPrefix(v["langchain"], version) || v["langchain-core"] == "" {
				t.Errorf("versions %v", v)
			}
		})
	}
	// The prompt needs more than the schema declares: the error says so, and nothing else is tried.
	execFails(t, python(t, py, "langchain/rag.py:odd_chain", nil), chainQuestion, target.Raised, "missing variables {'question'}")
	if newest {
		// A graph that stops at a breakpoint has no answer yet, unless it was at its end.
		for _, name := range []string{"before", "asynchronous", "after", "within"} {
			execFails(t, python(t, py, "langchain/graph.py:"+name, nil), chainQuestion, target.Reply, "the graph stopped at an interrupt")
		}
		if got := execAsk(t, python(t, py, "langchain/graph.py:ended", nil), chainQuestion); got.Answer != "Checked." {
			t.Errorf("a graph that ended: %+v", got)
		}
	}
	// What functions return, all from one process.
	texts := assay.Response{Answer: chainAnswer, Passages: []assay.Passage{{Text: found[0].Text}, {Text: found[1].Text}}}
	named := assay.Response{Answer: chainAnswer, Passages: chainPassages()}
	for i := range named.Passages {
		named.Passages[i].ID = ""
	}
	t.Run("results", func(t *testing.T) {
		e := python(t, py, "langchain/rag.py:by_name", nil)
		for _, r := range []row{
			{"function", alone}, {"without", alone}, {"without_reversed", alone},
			{"pair", both}, {"pair_reversed", both}, {"asynchronous", both}, {"stream", both},
			{"async_stream", alone}, {"message_stream", alone}, {"texts", texts}, {"dicts", named}, {"pydantic", both}, {"record", both},
			{"thinking.invoke", both}, {"retrieval_chain_input", both}, {"qa_alone.invoke", both}, {"pipeline.run", both},
			{"scored", assay.Response{NoAnswer: true, Passages: found[:1]}},
			{"nan", assay.Response{Answer: chainAnswer, Passages: []assay.Passage{{Text: "p"}}}},
			{"nothing_found", assay.Response{Answer: "I do not know.", Passages: []assay.Passage{}}},
		} {
			same(t, e, r.name+"|"+chainQuestion, r.want)
		}
		r := execAsk(t, e, "one_text|"+chainQuestion)
		if len(r.Passages) != 1 || r.Passages[0].Text != found[0].Text+"\n\n"+found[1].Text || len(r.Warnings) != 1 {
			t.Errorf("a context that is one text: %+v", r)
		}
		execFails(t, e, "fails|q", target.Raised, "RuntimeError: the model is not loaded (langchain/rag.py:", "in fails)")
		targettest.Run(t, targettest.Suite{
			Target: e, Cases: []assay.Case{{ID: "1", Question: "pair|" + chainQuestion}},
			Fails:  map[string]assay.Case{"exception": {ID: "e", Question: "fails|q"}},
			Silent: &assay.Case{ID: "s", Question: "function|q"}, Empty: &assay.Case{ID: "0", Question: "nothing_found|q"},
			Hangs: &assay.Case{ID: "h", Question: "slow|wait"},
		})
	})
}
