package rag_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/index"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bag is an embedder: each term adds 1 to one of 64 numbers, by its hash.
type bag struct {
	name  string
	texts atomic.Int64 // how many texts were embedded
	fail  int64        // an error from so many texts on; 0 never
}

func (b *bag) Dimensions() int  { return 64 }
func (b *bag) Identity() string { return "bag" + b.name + "@1" }

func (b *bag) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.texts.Add(int64(len(texts))); b.fail > 0 && b.texts.Load() > b.fail {
		return nil, errors.New("out of order")
	}
	out := make([][]float32, len(texts))
	for i, s := range texts {
		v := make([]float32, 64)
		v[63] = 0.01 // so that an empty text has a direction too
		for _, t := range index.Terms(s) {
			h := fnv.New32a()
			h.Write([]byte(t))
			v[h.Sum32()%63]++
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		out[i] = v
	}
	return out, nil
}

// corpus is a small one: guides in Markdown, a note without text, some Chinese.
func corpus() []assay.Document {
	return []assay.Document{
		{ID: "limits.md", Title: "Limits", Source: "docs/limits.md", Text: "# Limits\n\n## Requests\n\nA client may send 100 requests per " +
			"minute. Further requests get status 429.\n\n## How large may a file be?\n\nAt most 20 MB."},
		{ID: "install.md", Title: "Install", Source: "docs/install.md", Text: "# Install\n\nDownload the binary for your system. Put it on " +
			"the path. What next? Run the doctor command."},
		{ID: "copy.md", Title: "Old limits", Source: "docs/copy.md", Text: "A client may send 100 requests per minute. The archive holds " +
			"older pages."},
		{ID: "title", Title: "Zanzibar"},
		{ID: "退款.md", Title: "退款", Source: "docs/退款.md",
			Text: "# 退款\n\n客户可以在三十天内申请退款。退款会在五个工作日内到账。"},
	}
}

func open(t testing.TB, c rag.Config) *rag.Pipeline {
	t.Helper()
	p, err := rag.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func ask(t testing.TB, p *rag.Pipeline, question string) assay.Response {
	t.Helper()
	r, err := p.Ask(t.Context(), &assay.Case{ID: "c", Question: question})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ids(passages []assay.Passage) (out []string) {
	for _, p := range passages {
		out = append(out, p.ID)
	}
	return out
}

func TestAskSparse(t *testing.T) {
	t.Parallel()
	tick := time.Unix(0, 0)
	p := open(t, rag.Config{Documents: corpus(), CorpusPath: "docs", TopK: 2, Now: func() time.Time {
		tick = tick.Add(time.Millisecond)
		return tick
	}})
	r := ask(t, p, "How many requests may a client send per minute?")
	if diff := cmp.Diff([]string{"limits.md#0", "copy.md#0"}, ids(r.Passages)); diff != "" {
		t.Errorf("passages (-want +got):\n%s", diff)
	}
	// The sentence of the second passage says the same and is not repeated.
	if want := "A client may send 100 requests per minute [1]."; r.Answer != want {
		t.Errorf("answer %q, want %q", r.Answer, want)
	}
	first := r.Passages[0]
	if first.Document != "limits.md" || first.Source != "docs/limits.md" || first.Title != "Limits" || first.Text != corpus()[0].Text ||
		!(first.Score > r.Passages[1].Score) {
		t.Errorf("passage %+v", first)
	}
	// The clock is read before and after the whole and each stage, a tick of
	// 1 ms each: 1 for a stage, 5 for the whole.
	var names, models []string
	for _, s := range r.Trace.Stages {
		names, models = append(names, s.Name), append(models, s.Model)
		if s.Latency != time.Millisecond {
			t.Errorf("stage %s took %v", s.Name, s.Latency)
		}
	}
	if r.Latency != 5*time.Millisecond {
		t.Errorf("latency %v, want 5ms", r.Latency)
	}
	if diff := cmp.Diff([][]string{{"retrieve", "generate"}, {"bm25(k1=0.9,b=0.4)", "extractive(terms)"}},
		[][]string{names, models}); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	if got := string(r.Trace.Stages[0].Input); got != `"How many requests may a client send per minute?"` {
		t.Errorf("input of retrieve: %s", got)
	}
	var out []assay.Passage
	if err := json.Unmarshal(r.Trace.Stages[0].Output, &out); err != nil || len(out) != 2 || out[0].ID != "limits.md#0" || out[0].Text != "" {
		t.Errorf("output of retrieve: %s, %v", r.Trace.Stages[0].Output, err)
	}
	if g := r.Trace.Stages[1]; !strings.HasPrefix(g.Note, "1 of 5 sentences of 2 passages; support 1.00 [1]; ") ||
		string(g.Output) != `["A client may send 100 requests per minute [1]."]` {
		t.Errorf("generate: note %q, output %s", g.Note, g.Output)
	}
	info := assay.CorpusInfo{Path: "docs", Hash: rag.HashDocuments(corpus()), Documents: 5, Passages: 5}
	if diff := cmp.Diff(info, p.Corpus()); diff != "" {
		t.Errorf("corpus (-want +got):\n%s", diff)
	}
	settings := map[string]string{"retriever": "sparse", "chunk": "recursive(160,32)", "top_k": "2", "generator": "extractive",
		"bm25": "bm25(k1=0.9,b=0.4)", "min_support": "0.5"}
	if diff := cmp.Diff(settings, p.Settings()); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	p := open(t, rag.Config{Documents: corpus()})
	for _, c := range []struct{ question, want string }{
		// "file" and "large" stand in the heading above the sentence only: 0.5.
		{"How large may a file be?", "At most 20 MB [1]."},
		{"退款多久到账？", "退款会在五个工作日内到账 [1]。"},
		{"What is the capital of France?", "The documents do not answer this."},
		{"法国的首都是什么？", "文档中没有答案。"},
		{"法國的首都是哪裡？", "文件中沒有答案。"},
		{"フランスの首都はどこですか", "文書には答えがありません。"},
		{"프랑스의 수도는 어디입니까", "문서에 답이 없습니다."},
		{"What is it?", "The documents do not answer this."},
		{"", "The documents do not answer this."},
	} {
		if r := ask(t, p, c.question); r.Answer != c.want || r.Passages == nil {
			t.Errorf("%s: answer %q, passages %v: want %q; %s", c.question, r.Answer, ids(r.Passages), c.want,
				r.Trace.Stages[len(r.Trace.Stages)-1].Note)
		}
	}
	if got := ids(ask(t, p, "Zanzibar").Passages); !slices.Equal(got, []string{"title#0"}) {
		t.Errorf("a document with a title only: %q", got)
	}
	for _, s := range []string{"What?", "法国？", "法國嗎？", "はい", "네"} {
		if !slices.Contains(rag.Declines(), rag.Decline(s)) {
			t.Errorf("Declines lacks %q", rag.Decline(s))
		}
	}
}

func TestRetrievers(t *testing.T) {
	t.Parallel()
	e := &bag{}
	for _, c := range []struct {
		retriever string
		stages    []string
		model     string
	}{
		{rag.Dense, []string{"retrieve", "generate"}, "bag@1 exact"},
		{rag.Hybrid, []string{"retrieve/sparse", "retrieve/dense", "retrieve", "generate"}, "rrf(k=60) of bm25(k1=0.9,b=0.4), bag@1 exact"},
	} {
		p := open(t, rag.Config{Documents: corpus(), Retriever: c.retriever, Embedder: e, TopK: 3})
		r := ask(t, p, "the requests of a client per minute")
		var stages []string
		for _, s := range r.Trace.Stages {
			stages = append(stages, s.Name)
			if s.Name == assay.StageRetrieve && s.Model != c.model {
				t.Errorf("%s: model %q, want %q", c.retriever, s.Model, c.model)
			}
		}
		if diff := cmp.Diff(c.stages, stages); diff != "" {
			t.Errorf("%s: stages (-want +got):\n%s", c.retriever, diff)
		}
		// Only two passages have a word of the question; all five have a vector.
		if note := r.Trace.Stages[len(r.Trace.Stages)-2].Note; c.retriever == rag.Hybrid && note != "3 of 5 passages of 2 sparse and 5 dense" {
			t.Errorf("%s: note %q", c.retriever, note)
		}
		if len(r.Passages) != 3 || r.Passages[0].ID != "limits.md#0" {
			t.Errorf("%s: passages %q", c.retriever, ids(r.Passages))
		}
		if p.Settings()["embedder"] != "bag@1" {
			t.Errorf("%s: settings %v", c.retriever, p.Settings())
		}
	}
	none := open(t, rag.Config{Documents: corpus(), Generator: rag.NoGenerator})
	if r := ask(t, none, "requests"); r.Answer != "" || len(r.Trace.Stages) != 1 || len(r.Passages) != 2 {
		t.Errorf("no generator: %+v", r)
	}
}

// TestSubQuestionsAreSearchedTogether compares sub-questions with the same questions
// asked alone: the same passages and scores, with one call of the embedder, whose time
// they share.
func TestSubQuestionsAreSearchedTogether(t *testing.T) {
	t.Parallel()
	questions := []string{"the requests of a client per minute", "Who copies the files?", "the requests of a client per minute"}
	for _, retriever := range []string{rag.Dense, rag.Hybrid} {
		e := &counter{bag: &bag{}}
		tick := time.Unix(0, 0)
		p := open(t, rag.Config{Documents: corpus(), Retriever: retriever, Embedder: e, TopK: 3, Generator: rag.NoGenerator,
			Now: func() time.Time {
				tick = tick.Add(3 * time.Millisecond)
				return tick
			}})
		var want []string
		for _, q := range questions {
			for _, s := range ask(t, p, q).Trace.Stages {
				want = append(want, fmt.Sprintf("%s %s %s %s", s.Name, s.Input, scored(t, s.Output), s.Note))
			}
		}
		e.calls = 0
		r, err := p.AskGiven(t.Context(), &assay.Case{Question: "both"}, assay.Given{SubQuestions: questions})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, s := range r.Trace.Stages[1:] {
			got = append(got, fmt.Sprintf("%s %s %s %s", s.Name, s.Input, scored(t, s.Output), s.Note))
			// A third of the 3 ms of the search, and 3 ms for the stage; a hybrid one has
			// a sparse part between, which reads the clock twice.
			latency := map[string]time.Duration{
				"retrieve/sparse": 3 * time.Millisecond, "retrieve/dense": time.Millisecond,
				"retrieve": map[string]time.Duration{rag.Dense: 4 * time.Millisecond, rag.Hybrid: 10 * time.Millisecond}[retriever],
			}[s.Name]
			if each := len(r.Trace.Stages[1:]) / len(questions); s.Latency != latency || s.SubQuestion != i/each+1 {
				t.Errorf("%s: stage %d, %s of sub-question %d, took %v, want %v", retriever, i, s.Name, s.SubQuestion, s.Latency, latency)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: alone, together:\n%s", retriever, diff)
		}
		if e.calls != 1 {
			t.Errorf("%s: %d calls of the embedder, want 1", retriever, e.calls)
		}
	}
}

// scored lists the ids and scores of a stage's passages.
func scored(t *testing.T, output json.RawMessage) string {
	t.Helper()
	var passages []assay.Passage
	if err := json.Unmarshal(output, &passages); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range passages {
		fmt.Fprintf(&b, "%s=%v ", p.ID, p.Score)
	}
	return b.String()
}

// counter counts the calls of an embedder.
type counter struct {
	*bag
	calls int
}

func (c *counter) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	c.calls++
	return c.bag.Embed(ctx, texts)
}

// A BEIR passage is found by its title, a space and its text, and returned as
// its text alone.
func TestDocumentsAsPassages(t *testing.T) {
	t.Parallel()
	e := &spy{bag: &bag{}}
	docs := []assay.Document{{ID: "1", Title: "The title", Text: "The text."}, {ID: "2", Text: "No title"}, {ID: "3", Title: "No text"},
		{ID: "4"}}
	p := open(t, rag.Config{Documents: docs, Retriever: rag.Dense, Embedder: e, Chunk: chunk.Config{Method: chunk.Document, Size: 7}})
	if diff := cmp.Diff([]string{"The title The text.", "No title", "No text"}, e.seen); diff != "" {
		t.Errorf("embedded (-want +got):\n%s", diff)
	}
	if r := ask(t, p, "text"); r.Passages[0].Document != "3" && r.Passages[0].Text != "The text." || p.Settings()["chunk"] != "document" {
		t.Errorf("%+v", r.Passages[0])
	}
}

// spy remembers the texts of the first call.
type spy struct {
	*bag
	seen []string
}

func (s *spy) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if s.seen == nil {
		s.seen = texts
	}
	return s.bag.Embed(ctx, texts)
}

// A chunk is found by the headings above it too, each said once.
func TestHeadingsAreSearched(t *testing.T) {
	t.Parallel()
	e := &spy{bag: &bag{}}
	docs := []assay.Document{{ID: "g", Title: "Guide", Text: "# Guide\none two three\n## Limits\nfour five six seven. Eight nine ten eleven."}}
	open(t, rag.Config{Documents: docs, Retriever: rag.Dense, Embedder: e, Chunk: chunk.Config{Method: chunk.Recursive, Size: 7}})
	want := []string{"# Guide\none two three", "Guide ## Limits\nfour five six seven.", "Guide Limits Eight nine ten eleven."}
	if diff := cmp.Diff(want, e.seen); diff != "" {
		t.Errorf("embedded (-want +got):\n%s", diff)
	}
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	docs := corpus()
	for _, c := range []struct {
		config rag.Config
		want   string
	}{
		{rag.Config{}, "the corpus has no documents"},
		{rag.Config{Documents: []assay.Document{{ID: "x", Text: " \n"}}}, "the corpus has no text in its 1 documents"},
		{rag.Config{Documents: docs, Retriever: "bm25"}, `retriever "bm25": expected one of ["sparse" "dense" "hybrid"]`},
		{rag.Config{Documents: docs, Retriever: rag.Hybrid}, `retriever "hybrid": needs an embedder`},
		{rag.Config{Documents: docs, Generator: "llm"}, `generator "llm": expected one of`},
		{rag.Config{Documents: docs, TopK: -1}, "top-k -1: expected 1 or more"},
		{rag.Config{Documents: docs, TopK: 10, Depth: 5}, "fusion depth 5: expected top-k, 10, or more"},
		{rag.Config{Documents: docs, FuseK: -1}, "fusion constant -1"},
		{rag.Config{Documents: docs, MinSupport: math.NaN()}, "minimum support NaN: expected 0 to 1"},
		{rag.Config{Documents: docs, Chunk: chunk.Config{Method: chunk.Token}}, "chunk size: 0"},
		{rag.Config{Documents: docs, BM25: index.BM25Params{K1: -1}}, "k1"},
		{rag.Config{Documents: append(docs, assay.Document{ID: "limits.md"})}, `document 6: id "limits.md" is also the id of document 1`},
		{rag.Config{Documents: append(docs, assay.Document{Source: "s"})}, `document 6 (source "s"): has no id`},
	} {
		p, err := rag.Open(t.Context(), c.config)
		if err == nil || !strings.Contains(err.Error(), c.want) || p != nil {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestHashDocuments(t *testing.T) {
	t.Parallel()
	base := rag.HashDocuments([]assay.Document{{ID: "a", Title: "b", Text: "c"}})
	if !strings.HasPrefix(base, "sha256:") || len(base) != 7+64 {
		t.Errorf("hash %q", base)
	}
	if rag.HashDocuments([]assay.Document{{ID: "a", Title: "b", Text: "c", Source: "elsewhere"}}) != base {
		t.Error("the source moves the hash")
	}
	for _, d := range [][]assay.Document{{{ID: "a", Title: "bc"}}, {{ID: "ab", Text: "c"}}, {{ID: "a", Title: "b"}, {ID: "c"}}, nil} {
		if rag.HashDocuments(d) == base {
			t.Errorf("%+v has the same hash", d)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	p := open(t, rag.Config{Documents: corpus(), Retriever: rag.Hybrid, Embedder: &bag{}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Ask(ctx, &assay.Case{Question: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Ask: %v", err)
	}
	for _, r := range rag.Retrievers() {
		if _, err := rag.Open(ctx, rag.Config{Documents: corpus(), Retriever: r, Embedder: &bag{}}); !errors.Is(err, context.Canceled) {
			t.Errorf("Open, %s: %v", r, err)
		}
	}
	// Cancelled while the passages are indexed: no half index is kept.
	dir := t.TempDir()
	ctx, cancel = context.WithCancel(t.Context())
	_, err := rag.Open(ctx, rag.Config{Documents: corpus(), CacheDir: dir, Progress: func(stage string, _, _ int) {
		if stage == "index" {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.bm25*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestEmbedderFails(t *testing.T) {
	t.Parallel()
	if _, err := rag.Open(t.Context(), rag.Config{Documents: corpus(), Retriever: rag.Dense, Embedder: &bag{fail: 1}}); err == nil ||
		!strings.Contains(err.Error(), "out of order") {
		t.Errorf("Open: %v", err)
	}
	p := open(t, rag.Config{Documents: corpus(), Retriever: rag.Dense, Embedder: &bag{fail: 5}})
	if _, err := p.Ask(t.Context(), &assay.Case{Question: "x"}); err == nil ||
		!strings.Contains(err.Error(), "embedding the question: out of order") {
		t.Errorf("Ask: %v", err)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	p := open(t, rag.Config{Documents: corpus()})
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	if _, err := p.Ask(t.Context(), &assay.Case{Question: "x"}); err == nil {
		t.Error("a closed pipeline answers")
	}
}

func TestConcurrentAsk(t *testing.T) {
	t.Parallel()
	for _, retriever := range rag.Retrievers() {
		p := open(t, rag.Config{Documents: corpus(), Retriever: retriever, Embedder: &bag{}})
		questions := []string{"requests per minute", "退款", "What is the doctor command?", "large files"}
		want := make([]string, len(questions))
		for i, q := range questions {
			want[i] = canonical(ask(t, p, q))
		}
		var wg sync.WaitGroup
		for n := range 32 {
			wg.Go(func() {
				r, err := p.Ask(t.Context(), &assay.Case{Question: questions[n%4]})
				if got := canonical(r); err != nil || got != want[n%4] {
					t.Errorf("%s: %q: error %v, got %s, want %s", retriever, questions[n%4], err, got, want[n%4])
				}
			})
		}
		wg.Wait()
	}
}

// canonical gives all of a response, as JSON.
func canonical(r assay.Response) string {
	b, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// many makes n documents of a few words each.
func many(n int) []assay.Document {
	var docs []assay.Document
	for i := range n {
		docs = append(docs, assay.Document{ID: fmt.Sprint(i), Title: fmt.Sprintf("number %d", i),
			Text: fmt.Sprintf("## Part %d\n\nword%d word%d.\n\n## Part\n\nword%d again.", i%7, i%13, i%31, i%101)})
	}
	return docs
}

// files gives the names of the files of a folder with their contents.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range list {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name()] = string(b)
	}
	return out
}
