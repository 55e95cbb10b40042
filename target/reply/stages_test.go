package reply_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/target/reply"
)

// lists shows the passages that a stage put out, for each sub-question.
func lists(r *assay.Response, stage string) (out []string) {
	all, _ := r.StagePassagesEach(stage)
	stages := r.Stages(stage)
	for i, l := range all {
		var names []string
		for _, p := range l {
			name := p.ID + p.Text
			if p.ID == "" && p.Document != "" {
				name = fmt.Sprintf("%s#%d", p.Document, p.Index)
			}
			if p.Score != 0 {
				name += fmt.Sprintf("=%v", p.Score)
			}
			names = append(names, name)
		}
		out = append(out, fmt.Sprintf("%d %s: %s", stages[i].SubQuestion, strings.Trim(string(stages[i].Input), `"`), strings.Join(names, " ")))
	}
	return out
}

func TestReadStageTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]assay.Usage{
		`"input_tokens": 7, "output_tokens": 2`:                  {InputTokens: 7, OutputTokens: 2},
		`"prompt_tokens": 7, "usage": {"completion_tokens": 2}`:  {InputTokens: 7, OutputTokens: 2},
		`"usage": {"input_tokens": 7, "prompt_tokens": 9}`:       {InputTokens: 7},
		`"usage": {"input_tokens": -1, "output_tokens": "many"}`: {},
		`"usage": 7`: {},
	} {
		v := decode(t, `{"answer": "x", "stages": [{"name": "filter", "output": {"one?": ["a b"], "two?": ["c d"]}, `+text+`}]}`)
		m, _, _ := reply.Detect(v)
		got, _, err := m.Read(v)
		if err != nil || len(got.Trace.Stages) != 2 {
			t.Fatalf("%s: %+v, %v", text, got, err)
		}
		first, second := got.Trace.Stages[0].Usage, got.Trace.Stages[1].Usage
		if first != want || second != (assay.Usage{}) {
			t.Errorf("%s: %+v and %+v, want %+v once", text, first, second, want)
		}
	}
}

// What systems tell of their sub-questions, in the shapes that they have.
func TestReadSubQuestions(t *testing.T) {
	t.Parallel()
	want := []string{"1 q one?: a b", "2 q two?: b"}
	const decomposed = `{"name": "decompose", "output": ["q one?", "q two?"]}`
	for name, retrieved := range map[string]string{
		"objects with a text": `{"name": "retrieve", "output": [{"sub_question": "q one?", "chunks": [{"id": "a"}, {"id": "b"}]}, ` +
			`{"sub_question": "q two?", "chunks": [{"id": "b"}]}]}`,
		"in another order": `{"name": "retrieve", "output": {"q two?": [{"id": "b"}], "q one?": [{"id": "a"}, {"id": "b"}]}}`,
		"objects with an index": `{"name": "search", "results": {"per_sub_question": [{"sub_question_index": 0, "sub_question_text": "q ` +
			`one?", "hits": [{"id": "a"}, {"id": "b"}]}, {"sub_question_index": 1, "sub_question_text": "q two?", "hits": [{"id": "b"}]}]}}`,
		"pairs": `{"name": "retrieval", "chunks": [["q one?", [{"id": "a"}, {"id": "b"}]], ["q two?", [{"id": "b"}]]]}`,
		"questions": `{"name": "retrieval", "output": [{"question": "q one?", "documents": [{"id": "a"}, {"id": "b"}]}, ` +
			`{"question": "q two?", "documents": [{"id": "b"}]}]}`,
		"an entry for each": `{"name": "retrieve", "sub_question": "q one?", "output": [{"id": "a"}, {"id": "b"}]}, {"name": ` +
			`"retrieve", "sub_question": "q two?", "output": [{"id": "b"}]}`,
		"an entry for each, from 0": `{"name": "retrieve", "sub_question": 0, "input": "q one?", "output": [{"id": "a"}, {"id": "b"}]}, ` +
			`{"name": "retrieve", "sub_question": 1, "input": "q two?", "output": [{"id": "b"}]}`,
		"0 is none elsewhere": `{"name": "own", "sub_question": 0}, {"name": "retrieve", "sub_question": 1, "input": "q one?", "output": ` +
			`[{"id": "a"}, {"id": "b"}]}, {"name": "retrieve", "sub_question": 2, "input": "q two?", "output": [{"id": "b"}]}`,
		"an entry for each, by n": `{"name": "retrieve", "sub_question": 1, "input": "q one?", "output": [{"id": "a"}, {"id": "b"}]}, ` +
			`{"name": "retrieve", "sub_question": 2, "input": "q two?", "output": [{"id": "b"}]}`,
	} {
		for _, at := range []string{"stages: s", ""} {
			key := map[bool]string{true: "s", false: "stages"}[at != ""]
			v := decode(t, fmt.Sprintf(`{"answer": "A", %q: [%s, %s]}`, key, decomposed, retrieved))
			m, _, ok := reply.Detect(v)
			if at != "" {
				m, ok = mapping(t, at), true
			}
			got, _, err := m.Read(v)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %v", name, ok, err)
			}
			if d := cmp.Diff(want, lists(&got, assay.StageRetrieve)); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
			// Nothing else tells the passages.
			if len(got.Passages) != 2 || got.Passages[0].ID != "a" || got.Passages[1].ID != "b" {
				t.Errorf("%s: passages %v", name, got.Passages)
			}
		}
	}
}

// A filter may name what it keeps by ids that are numbers.
func TestReadIDsThatAreNumbers(t *testing.T) {
	t.Parallel()
	for name, stages := range map[string]string{
		"a list": `{"name": "retrieve", "output": [{"id": 7, "text": "a"}, {"id": 8, "text": "b"}]}, {"name": "filter", ` +
			`"output": [8]}, {"name": "generate", "input": [8]}`,
		"for each sub-question": `{"name": "retrieve", "output": [[{"id": 7, "text": "a"}], [{"id": 8, "text": "b"}]]}, {"name": "filter", ` +
			`"output": [[], [8]]}, {"name": "generate", "input": [[8]]}`,
	} {
		v := decode(t, `{"answer": "A", "stages": [`+stages+`]}`)
		m, _, ok := reply.Detect(v)
		got, _, err := m.Read(v)
		if err != nil || !ok || len(got.Warnings) > 0 {
			t.Fatalf("%s: %v, %v, %q", name, ok, err, got.Warnings)
		}
		kept, told := got.StagePassages(assay.StageFilter)
		if !told || len(kept) != 1 || kept[0].ID != "8" || len(got.Passages) != 1 || got.Passages[0].Text != "b" {
			t.Errorf("%s: kept %v, passages %v: want b", name, kept, got.Passages)
		}
		if given, told := got.Given(); !told || len(given) != 1 || given[0].ID != "8" {
			t.Errorf("%s: given %v", name, given)
		}
	}
}

// What is no list of passages is kept as it is, and said.
func TestReadStagesOfAnotherKind(t *testing.T) {
	t.Parallel()
	for _, output := range []string{`{"a": 9, "b": 1}`, `{"kept_indices": [0]}`, `"a"`, `7`, `[9]`, `[true]`} {
		v := decode(t, `{"answer": "A", "stages": [{"name": "retrieve", "output": [{"id": "a", "text": "t"}, {"id": "b", "text": "u"}]}, `+
			`{"name": "filter", "output": `+output+`}]}`)
		m, _, ok := reply.Detect(v)
		got, _, err := m.Read(v)
		if err != nil || !ok || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "stages[1].output: no passages could be read") {
			t.Errorf("%s: %v, %v, %q", output, ok, err, got.Warnings)
			continue
		}
		if kept, told := got.StagePassages(assay.StageFilter); told || len(got.Passages) != 2 {
			t.Errorf("%s: kept %v, passages %v", output, kept, got.Passages)
		}
	}
}

func TestReadStageValues(t *testing.T) {
	t.Parallel()
	v := decode(t, `{"answer": "A", "contexts": [{"id": "b", "text": "t"}], "stages": {
		"asr": {"input": "q.wav", "text": "heard", "seconds": 2},
		"decomposition": {"questions": [{"question": "one"}, {"text": "two"}]},
		"retrieval": {"chunks": [[{"id": "a"}, ["tuple", {"document_id": "d", "chunk_index": 3}, 0.5]], ["plain"]], "time_ms": 10},
		"filter": {"kept": [[{"id": "a", "chunk_index": 0, "metadata": {"chunk_index": 7, "relevance_score": 8.5}, "score": 0.1}], []]},
		"generation": {"sources": ["a", "b"], "answer": "A", "model": "m"}}}`)
	m, _, ok := reply.Detect(v)
	if !ok {
		t.Fatal("not understood")
	}
	got, _, err := m.Read(v)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := got.Transcript(); !ok || text != "heard" || got.Trace.Stages[0].Latency != 2*time.Second {
		t.Errorf("transcript %q", text)
	}
	if qs, ok := got.SubQuestions(); !ok || strings.Join(qs, ",") != "one,two" {
		t.Errorf("sub-questions %q", qs)
	}
	if d := cmp.Diff([]string{"1 : a tuple", "2 : plain"}, shownLists(&got, assay.StageRetrieve)); d != "" {
		t.Errorf("retrieved (-want +got):\n%s", d)
	}
	if found, _ := got.StagePassagesEach(assay.StageRetrieve); *found[0][1].Details.Distance != 0.5 {
		t.Errorf("retrieved %+v", found[0])
	}
	if s := got.Stages(assay.StageRetrieve); s[0].Latency != 5*time.Millisecond || s[1].Latency != 5*time.Millisecond {
		t.Errorf("10 ms for two sub-questions are %v and %v", s[0].Latency, s[1].Latency)
	}
	kept, _ := got.StagePassagesEach(assay.StageFilter)
	if len(kept) != 2 || len(kept[0]) != 1 || kept[0][0].Score != 8.5 || kept[0][0].Index != 7 || len(kept[1]) != 0 {
		t.Errorf("kept %v", kept)
	}
	// Ids of passages that are known stand for them.
	if given, ok := got.Given(); !ok || len(given) != 2 || given[0].ID != "a" || given[1].Text != "t" {
		t.Errorf("given %v", given)
	}
	if len(got.Passages) != 1 || got.Passages[0].ID != "b" {
		t.Errorf("passages %v: want those of contexts", got.Passages)
	}
}

// shownLists is lists for passages whose texts tell them apart.
func shownLists(r *assay.Response, stage string) (out []string) {
	all, _ := r.StagePassagesEach(stage)
	for i, l := range all {
		var names []string
		for _, p := range l {
			name := p.ID + p.Text
			if p.Score != 0 {
				name += fmt.Sprintf("=%v", p.Score)
			}
			names = append(names, name)
		}
		out = append(out, fmt.Sprintf("%d : %s", r.Stages(stage)[i].SubQuestion, strings.Join(names, " ")))
	}
	return out
}

// Stages whose outputs lie anywhere in a reply have paths of their own.
func TestReadOwnStages(t *testing.T) {
	t.Parallel()
	v := decode(t, `{"a": "A", "debug": {"heard": "what", "keys": ["one", "two"], "found": {"per_sub_question": [
		{"sub_question_text": "one", "chunks": [{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]}, {"sub_question_text": "two", "chunks": []}]},
		"kept": [[{"id": "y", "text": "Y", "relevance": 9}], []], "prompt": ["y"]}}`)
	got, readings, err := mapping(t, "answer: a", "transcript: debug.heard", "sub_questions: debug.keys", "retrieved: debug.found",
		"filtered: debug.kept", "prompted: debug.prompt").Read(v)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range got.Trace.Stages {
		names = append(names, fmt.Sprintf("%s %d", s.Name, s.SubQuestion))
	}
	if d := cmp.Diff([]string{"transcribe 0", "decompose 0", "retrieve 1", "retrieve 2", "filter 1", "filter 2", "generate 0"},
		names); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if given, ok := got.Given(); !ok || len(given) != 1 || given[0].ID != "y" || given[0].Text != "Y" {
		t.Errorf("given %v", given)
	}
	if len(got.Passages) != 1 || got.Passages[0].Score != 9 {
		t.Errorf("passages %v: want what the filter kept", got.Passages)
	}
	if d := cmp.Diff([]string{"answer at a: text of 1 character", "transcript at debug.heard: 1", "sub_questions at debug.keys: 1",
		"retrieved at debug.found: 2",
		"filtered at debug.kept: 2", "prompted at debug.prompt: 1", "passages at the stage filter: 1"}, shown(readings)); d != "" {
		t.Errorf("readings (-want +got):\n%s", d)
	}
	_, readings, err = mapping(t, "answer: a", "retrieved: debug.nothing").Read(v)
	if err != nil || len(readings) != 2 || !readings[1].Missing {
		t.Errorf("%v: %v", err, readings)
	}
}

// A system that answers as assay's own API does is understood without a setting,
// also within an envelope: what it says of each stage is what our own pipeline
// had said.
func TestReadResult(t *testing.T) {
	t.Parallel()
	p, err := rag.Open(t.Context(), rag.Config{
		Documents: []assay.Document{
			{ID: "returns.md", Source: "docs/returns.md", Text: "A lamp may be returned within 30 days."}, {ID: "lamp.md", Source: "docs/lamp.md",
				Text: "The lamp weighs two kilograms."},
			{ID: "shop.md", Source: "docs/shop.md", Text: "A lamp shop may be returned to."},
		},
		Decomposer: rag.Rule{}, Filter: halves{}, Threshold: 5, TopK: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c := assay.Case{Question: "May a lamp be returned, and how much does the lamp weigh?"}
	want, err := p.Ask(t.Context(), &c)
	if err != nil {
		t.Fatal(err)
	}
	result := string(accuracyResult(t, &c, &want))
	for _, v := range []string{result, `{"data": ` + result + `}`} {
		m, shape, ok := reply.Detect(decode(t, v))
		if !ok || shape != "result of accuracy testing" {
			t.Fatalf("detected as %q, %v", shape, ok)
		}
		got, _, err := m.Read(decode(t, v))
		if err != nil {
			t.Fatal(err)
		}
		if got.Answer != want.Answer || got.Answer == "" {
			t.Errorf("answer %q, want %q", got.Answer, want.Answer)
		}
		gotQ, _ := got.SubQuestions()
		wantQ, _ := want.SubQuestions()
		if d := cmp.Diff(wantQ, gotQ); d != "" || len(gotQ) != 2 {
			t.Errorf("sub-questions (-want +got):\n%s", d)
		}
		for _, stage := range []string{assay.StageRetrieve, assay.StageFilter} {
			if d := cmp.Diff(places(&want, stage), places(&got, stage)); d != "" {
				t.Errorf("%s (-want +got):\n%s", stage, d)
			}
		}
		if len(got.Passages) != len(want.Passages) || len(got.Passages) == 0 {
			t.Errorf("passages %v, want %v", got.Passages, want.Passages)
		}
		if _, ok := got.Given(); !ok {
			t.Error("what stood in the prompt is not told")
		}
	}
}

// halves finds every other passage relevant.
type halves struct{}

func (halves) Identity() string { return "halves" }

func (halves) Relevance(_ context.Context, _ rag.Turn, _ string, passages []assay.Passage) ([]float64, rag.Step, error) {
	scores := make([]float64, len(passages))
	for i := range scores {
		scores[i] = float64(9 - 8*(i%2))
	}
	return scores, rag.Step{}, nil
}

func accuracyResult(t *testing.T, c *assay.Case, r *assay.Response) []byte {
	t.Helper()
	data, err := json.Marshal(accuracy.FromResponse(accuracy.About{ResultID: "r", Profile: "A", Question: c.Question}, r))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// places says which chunks a stage put out for which sub-question.
func places(r *assay.Response, stage string) (out []string) {
	all, _ := r.StagePassagesEach(stage)
	for i, l := range all {
		s := r.Stages(stage)[i]
		for _, p := range l {
			out = append(out, fmt.Sprintf("%d %s: %s#%d %s", s.SubQuestion, s.Input, p.Document, p.Index, p.Text))
		}
	}
	return out
}

// Filters that follow each other are no sub-questions, in whatever order their names are.
func TestReadFiltersInARow(t *testing.T) {
	t.Parallel()
	for _, stages := range []string{
		`{"retrieve": ["a b", "c d", "e f"], "rerank": ["a b", "c d"], "filter": ["c d"]}`,
		`[{"name": "retrieve", "output": ["a b", "c d", "e f"]}, {"name": "rerank", "output": ["a b", "c d"]}, {"name": "filter", "output": ["c d"]}]`,
	} {
		m, _, _ := reply.Detect(decode(t, `{"answer": "x", "stages": `+stages+`}`))
		got, _, err := m.Read(decode(t, `{"answer": "x", "stages": `+stages+`}`))
		if err != nil || len(got.Passages) != 1 || got.Passages[0].Text != "c d" || got.Trace.Stages[2].SubQuestion != 0 {
			t.Errorf("%s: %+v, %v", stages, got, err)
		}
	}
}

// A tool may be named like a stage, and its output is a text.
func TestToolWithTextIsNoSearch(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{`"Source: a.md"`: "retrieve, tool search", `[{"id": "b"}]`: "retrieve, retrieve"} {
		v := decode(t, `{"answer": "x", "stages": [{"name": "retrieve", "output": [{"id": "a"}]}, {"name": "tool search", "output": `+output+`}]}`)
		m, _, _ := reply.Detect(v)
		got, _, err := m.Read(v)
		if err != nil {
			t.Fatal(err)
		}
		recorded := assay.Response{Trace: &assay.Trace{Stages: []assay.Stage{
			{Name: "retrieve", Output: json.RawMessage(`[{"id": "a"}]`)}, {Name: "tool search", Output: json.RawMessage(output)},
		}}}
		reply.NameStages(&recorded)
		for _, r := range []assay.Response{got, recorded} {
			if is := r.Trace.Stages[0].Name + ", " + r.Trace.Stages[1].Name; is != want || r.Warnings != nil {
				t.Errorf("%s: %s, warnings %q: want %s", output, is, r.Warnings, want)
			}
		}
	}
}

// A filter that lists all that it was given keeps what it does not mark as dropped.
func TestReadFilterThatMarksPassages(t *testing.T) {
	t.Parallel()
	for mark, out := range map[string][2]string{
		"selected": {"true", "false"}, "kept": {`"yes"`, `"No"`}, "keep": {"true", "false"}, "passed": {"true", "false"}, "relevant": {"true", "false"},
		"included": {"true", "false"}, "dropped": {"false", "true"}, "removed": {"false", "true"}, "grade": {`"relevant"`, `"not_relevant"`},
		"binary_score": {`"yes"`, `"no"`}, "decision": {`"keep"`, `"drop"`}, "pass": {"1", "0"}, "above_threshold": {"true", "false"}, "is_kept": {"1", "0"},
		"accepted": {"true", "false"}, "use": {"true", "false"}, "rejected": {"0", "1"}, "filtered": {"false", "true"}, "filtered_out": {"false", "true"},
		"status": {`"ok"`, `"rejected"`}, "action": {`"keep"`, `"remove"`},
	} {
		one := func(id string, i int) string {
			return `{"id": "` + id + `", "text": "The text of ` + id + `.", "metadata": {"source": "f.md", "` + mark + `": ` + out[i] + `}, "score": 0.5, "` + mark + `": ` + out[i] + `}`
		}
		list := "[" + one("a1", 1) + "," + one("b2", 0) + "," + one("c3", 1) + "]"
		for _, output := range []string{list, `{"one?": ` + list + `, "two?": [` + one("b2", 0) + `]}`} {
			v := decode(t, `{"answer": "x", "stages": [{"name": "retrieve", "output": `+list+`}, {"name": "rerank", "output": `+output+`}]}`)
			m, _, _ := reply.Detect(v)
			r, _, err := m.Read(v)
			kept, _ := r.StagePassages(assay.StageFilter)
			if found, _ := r.StagePassages(assay.StageRetrieve); err != nil || len(found) != 3 || len(kept) != 1 || kept[0].ID != "b2" {
				t.Errorf("%s in %s: %v, %v", mark, output, kept, err)
			}
		}
	}
	// A grade is no mark, nor is the status of a document, nor is a passage without one dropped.
	v := decode(t, `{"answer": "x", "stages": [{"name": "rerank", "output": [{"id": "a1", "grade": 0, "relevant": 0.1}, {"id": "b2", "selected": null}, {"id": "c3", "metadata": {"status": "rejected"}}]}]}`)
	m, _, _ := reply.Detect(v)
	if r, _, err := m.Read(v); err != nil || len(r.Passages) != 3 {
		t.Errorf("%+v, %v", r.Passages, err)
	}
}

// A filter or a prompt that names documents has their passages: the only one that was retrieved, or any.
func TestReadFilterThatNamesDocuments(t *testing.T) {
	t.Parallel()
	const one, other, fees = `{"id": "a#1", "text": "One.", "document": "a.md", "title": "A"}`, `{"id": "a#2", "text": "Two.", "document": "a.md", "title": "A"}`,
		`{"id": "b#1", "text": "Fees.", "document": "b.md", "title": "B"}`
	for _, test := range []struct{ found, kept, want string }{
		{one + "," + fees, `["b.md", "a.md"]`, `[{b#1 b.md  B Fees. 0 0 <nil>} {a#1 a.md  A One. 0 0 <nil>}]`},
		{one + "," + fees, `["B"]`, `[{b#1 b.md  B Fees. 0 0 <nil>}]`},
		{one + "," + other + "," + fees, `["a.md", "b.md"]`, `[{ a.md    0 0 <nil>} {b#1 b.md  B Fees. 0 0 <nil>}]`},
		{one + "," + other + "," + fees, `["A"]`, `[{ a.md    0 0 <nil>}]`},
		{strings.NewReplacer(`, "document": "a.md"`, "").Replace(one + "," + other), `["A"]`, `[]`},
	} {
		v := decode(t, `{"answer": "x", "stages": [{"name": "retrieve", "output": [`+test.found+`]}, {"name": "rerank", "output": `+test.kept+`}, {"name": "generate", "input": `+test.kept+`}]}`)
		m, _, _ := reply.Detect(v)
		r, _, err := m.Read(v)
		kept, _ := r.StagePassages(assay.StageFilter)
		if given, _ := r.Given(); err != nil || fmt.Sprint(kept) != test.want || fmt.Sprint(given) != test.want {
			t.Errorf("%s of %s: %v, %v, %v", test.kept, test.found, kept, given, err)
		}
	}
}
