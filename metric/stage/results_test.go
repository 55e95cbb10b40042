//go:build results

package stage_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
)

var update = flag.Bool("update", false, "write docs/results/attribution.md anew")

const (
	// planted is how many failed cases of each fault are attributed, for each
	// corpus.
	planted = 200
	// goal is the least share that must be attributed to the stage that is broken.
	goal = 0.95
)

// corpora are the data that questions are taken from.
var corpora = []struct{ title, data, split string }{
	{"XQuAD (English)", "xquad_en", "en"},
	{"DRCD (Traditional Chinese)", "drcd", "test"},
}

// plants are the faults, by the stage that they break.
var plants = []struct{ stage, what string }{
	{assay.StageTranscribe, "hears the question of another case"},
	{assay.StageDecompose, "drops the last sub-question"},
	{assay.StageRetrieve, "skips the document of the second fact"},
	{assay.StageFilter, "drops the document of the second fact"},
	{assay.StageGenerate, "ignores the document of the second fact"},
}

// methods are the two ways to attribute.
var methods = []string{"funnel", "ladder"}

// verdicts are the columns of a matrix.
var verdicts = append(assay.LossStages(), assay.LostUnresolved)

// TestResults plants each fault into a pipeline that is right without it, and
// holds what each failed case is attributed to against the stage that was broken
// and against docs/results/attribution.md.
func TestResults(t *testing.T) {
	var b strings.Builder
	fmt.Fprint(&b, "# Attribution: planted faults\n\nThis page is written by the command at its end. CI runs it too and fails when a stage "+
		"is found in less than 95 % of the cases "+
		"in which it was broken, or a figure differs from this page.\n\n"+
		"Each case asks for two facts, which are two questions of the dataset about different documents, read aloud one after the other. The "+
		"pipeline is the built-in one with every stage: "+
		"a transcriber that hears what is written, the rule that decomposes, BM25 over whole documents with five passages for each "+
		"sub-question, a filter by common words, and the extractive generator. "+
		"Only cases that it answers right are taken: both reference answers must stand in the answer. Then one stage is broken, and the others "+
		"are left as they are:\n\n")
	for _, p := range plants {
		fmt.Fprintf(&b, "- %s: %s\n", p.stage, p.what)
	}
	fmt.Fprintf(&b, "\nA case that comes out right all the same, because another passage has the answer, is not attributed, and the next "+
		"one is taken, up to %d failed cases for each fault and corpus. "+
		"This is the best case for any attribution: one stage is broken, wholly, and all labels are there. The **funnel** looks at the trace, "+
		"and asks again only with the right transcript or the right sub-questions; the **ladder** asks failed cases again with the right "+
		"outputs of more and more stages. "+
		"Rows are what was broken, columns what was found; `right` counts the cases that were passed over.\n", planted)
	b.WriteString("\n" + plantedMatrix(t))
	for _, c := range corpora {
		cases, docs := twoFacts(t, c.data, c.split)
		sane := open(t, docs, cases)
		all := cases
		cases = answered(t, sane, cases)
		pipelines := map[string]*broken{}
		for _, p := range plants {
			pipelines[p.stage] = open(t, docs, cases, p.stage)
		}
		for _, method := range methods {
			fmt.Fprintf(&b, "\n## %s, by the %s\n\n| broken | %s | right | found |\n|---|%s---:|---:|\n", c.title, method,
				strings.Join(verdicts, " | "), strings.Repeat("---:|", len(verdicts)))
			for _, p := range plants {
				row, right := matrix(t, pipelines[p.stage], cases, method)
				n := row[""] // no verdict
				var cells []string
				for _, v := range verdicts {
					n += row[v]
					cells = append(cells, fmt.Sprint(row[v]))
				}
				share := float64(row[p.stage]) / float64(max(n, 1))
				if n < planted || share < goal {
					t.Errorf("%s, %s: %s was broken and found in %d of %d cases: %v", c.title, method, p.stage, row[p.stage], n, row)
				}
				fmt.Fprintf(&b, "| %s | %s | %d | %.1f %% |\n", p.stage, strings.Join(cells, " | "), right, 100*share)
			}
		}
		repaired(t, &b, c.title, sane, pipelines, cases)
		twoFaults(t, &b, c.title, docs, cases)
		single := oneFact(t, c.data, c.split)
		poorer(t, &b, c.title, docs, cases, answered(t, open(t, docs, single), single))
		fmt.Fprintf(&b, "\n## %s, as it is\n\nThe pipeline with nothing broken: of %d cases it answers %d right, and the first %d of the "+
			"others are attributed. Nobody knows the truth here, and several stages may be at fault at once. "+
			"The funnel names the stage that lost the most evidence; the ladder the first one whose right output would have been enough.\n\n| | "+
			"%s |\n|---|%s\n",
			c.title, len(all), len(cases), planted, strings.Join(verdicts, " | "), strings.Repeat("---:|", len(verdicts)))
		for _, method := range methods {
			row, _ := matrix(t, sane, all, method)
			var cells []string
			for _, v := range verdicts {
				cells = append(cells, fmt.Sprint(row[v]))
			}
			fmt.Fprintf(&b, "| %s | %s |\n", method, strings.Join(cells, " | "))
		}
	}
	fmt.Fprint(&b, "\n## Write this page again\n\n```\ngo test -tags results -run TestResults ./metric/stage -update\n```\n")
	requiretest.ResultsPage(t, "attribution.md", b.String(), *update, nil, 0)
}

// twoFacts makes cases of two questions each, the first of a document and the
// first of the one that lies half the corpus away, and so on.
func twoFacts(t *testing.T, name, split string) ([]assay.Case, []assay.Document) {
	t.Helper()
	data, err := dataset.Load(t.Context(), requiretest.Shared(t, "data/retrieval/"+name), dataset.Options{Split: split})
	if err != nil {
		t.Fatal(err)
	}
	docs, err := data.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var single []assay.Case
	for _, c := range data.Cases.All() {
		// A reference answer of one letter stands in every sentence.
		if len(c.Want.Documents) == 1 && len(c.Want.Answers) > 0 && utf8.RuneCountInString(c.Want.Answers[0]) > 1 &&
			!strings.Contains(c.Want.Answers[0], "|") {
			single = append(single, c)
		}
	}
	var out []assay.Case
	half := len(single) / 2
	for i := range half {
		a, b := single[i], single[half+i]
		first, second := only(a.Want.Documents), only(b.Want.Documents)
		if first == second {
			continue
		}
		question := a.Question + " " + b.Question
		out = append(out, assay.Case{
			ID: a.ID + "+" + b.ID, Question: question, Audio: a.ID + ".wav",
			Want: assay.Want{
				Documents: map[string]int{first: 1, second: 1}, Keywords: []string{a.Want.Answers[0], b.Want.Answers[0]},
				SubQuestions: []string{a.Question, b.Question}, Transcript: &question,
			},
			Metadata: map[string]any{"second": second},
		})
	}
	return out, docs
}

func only(m map[string]int) string { return slices.Sorted(maps.Keys(m))[0] }

// answered keeps the cases that the pipeline answers right.
func answered(t *testing.T, target assay.Staged, cases []assay.Case) []assay.Case {
	t.Helper()
	var out []assay.Case
	for _, c := range cases {
		if r := ask(t, target, &c); right(&c, &r) {
			out = append(out, c)
		}
	}
	return out
}

func right(c *assay.Case, r *assay.Response) bool {
	return !slices.ContainsFunc(c.Want.Keywords, func(k string) bool { return !text.HasKeyword(r.Answer, k) })
}

func ask(t *testing.T, target assay.Target, c *assay.Case) assay.Response {
	t.Helper()
	r, err := target.Ask(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// matrix attributes the failed cases of a broken pipeline.
func matrix(t *testing.T, b pipeline, cases []assay.Case, method string) (row map[string]int, passed int) {
	t.Helper()
	score := func(c *assay.Case, r *assay.Response) assay.Score {
		if right(c, r) {
			return assay.Ratio(1, 1)
		}
		return assay.Ratio(0, 1)
	}
	// A missing word leaves open whether an answer is wrong. Here it is: the outcome says so.
	o := stage.Options{
		Index: b, Staged: b, Again: method == "funnel", Ladder: method == "ladder",
		Outcome: stage.Outcome{Metric: "answer_keyword_recall", Op: ">=", Limit: 1},
		Score: func(_ context.Context, _ string, c *assay.Case, r *assay.Response) (assay.Score, error) {
			return score(c, r), nil
		},
	}
	a := stage.New(o)
	row = map[string]int{}
	n := 0
	for i := range cases {
		c := &cases[i]
		r := ask(t, b, c)
		if right(c, &r) {
			passed++
			continue
		}
		scores := map[string]assay.Score{o.Outcome.Metric: score(c, &r)}
		at, err := a.Follow(t.Context(), c, &r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Explain(t.Context(), c, &r, scores, at); err != nil {
			t.Fatal(err)
		}
		row[at.Stage]++
		if n++; n == planted {
			break
		}
	}
	return row, passed
}

// A pipeline is what an attributor asks again and looks into.
type pipeline interface {
	assay.Staged
	assay.Index
}

// A patchy pipeline is broken for some cases and sane for the others.
type patchy struct {
	pipeline
	broken pipeline
	in     map[string]bool
}

func (p patchy) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	return p.AskGiven(ctx, c, assay.Given{})
}

func (p patchy) AskGiven(ctx context.Context, c *assay.Case, g assay.Given) (assay.Response, error) {
	if p.in[c.ID] {
		return p.broken.AskGiven(ctx, c, g)
	}
	return p.pipeline.AskGiven(ctx, c, g)
}

// repaired breaks each stage in a random 30 % of the cases, predicts what its repair
// mends, repairs it and counts.
func repaired(t *testing.T, b *strings.Builder, title string, sane *broken, pipelines map[string]*broken, cases []assay.Case) {
	t.Helper()
	fmt.Fprintf(b, "\n## %s, partial faults: predicted and measured gain\n\nEach stage is broken in a random 30 %% of the cases. "+
		"The funnel attributes the wrong answers to stages; those attributed to the broken stage are the gain that is predicted for its repair. "+
		"Then the stage is repaired, and the wrong answers that are right now are the gain that is measured. "+
		"`attributed wrongly` and `cannot tell` are shares of the wrong answers.\n\n"+
		"| broken | wrong | predicted gain | measured gain | attributed wrongly | cannot tell |\n|---|---:|---:|---:|---:|---:|\n", title)
	for i, p := range plants {
		rng := rand.New(rand.NewPCG(uint64(i), 30))
		in := map[string]bool{}
		for _, c := range cases {
			in[c.ID] = rng.Float64() < 0.3
		}
		row, passed := matrix(t, patchy{sane, pipelines[p.stage], in}, cases, "funnel")
		wrong := 0
		for _, n := range row {
			wrong += n
		}
		unsure := row[""] + row[assay.LostUnresolved]
		gain := 0
		seen := 0
		for _, c := range cases {
			if seen == wrong+passed {
				break
			}
			seen++
			r := ask(t, patchy{sane, pipelines[p.stage], in}, &c)
			mended := ask(t, sane, &c)
			if !right(&c, &r) && right(&c, &mended) {
				gain++
			}
		}
		share := func(n int) float64 { return 100 * float64(n) / float64(max(wrong, 1)) }
		fmt.Fprintf(b, "| %s | %d | %d | %d | %.1f %% | %.1f %% |\n", p.stage, wrong, row[p.stage], gain,
			share(wrong-row[p.stage]-unsure), share(unsure))
	}
}

// pairs of stages that are broken at once.
var pairs = [][2]string{
	{assay.StageTranscribe, assay.StageGenerate}, {assay.StageDecompose, assay.StageFilter}, {assay.StageRetrieve, assay.StageGenerate},
	{assay.StageFilter, assay.StageGenerate},
}

// twoFaults breaks two stages at once.
func twoFaults(t *testing.T, b *strings.Builder, title string, docs []assay.Document, cases []assay.Case) {
	t.Helper()
	fmt.Fprintf(b, "\n## %s, two faults at once\n\nTwo stages are broken in every case. A case is attributed to the earlier stage, to the later "+
		"one, to another, which is wrong, or to none (cannot tell).\n\n"+
		"| broken | method | wrong | earlier | later | attributed wrongly | cannot tell |\n|---|---|---:|---:|---:|---:|---:|\n", title)
	for _, p := range pairs {
		both := open(t, docs, cases, p[0], p[1])
		for _, method := range methods {
			row, _ := matrix(t, both, cases, method)
			wrong := 0
			for _, n := range row {
				wrong += n
			}
			unsure := row[""] + row[assay.LostUnresolved]
			share := func(n int) float64 { return 100 * float64(n) / float64(max(wrong, 1)) }
			fmt.Fprintf(b, "| %s, %s | %s | %d | %d | %d | %.1f %% | %.1f %% |\n", p[0], p[1], method, wrong, row[p[0]], row[p[1]],
				share(wrong-row[p[0]]-row[p[1]]-unsure), share(unsure))
		}
	}
}

// A broken pipeline has one or two stages that do what they should not.
type broken struct {
	*rag.Pipeline
	stages []string
}

func (b *broken) breaks(stage string) bool { return slices.Contains(b.stages, stage) }

func open(t *testing.T, docs []assay.Document, cases []assay.Case, stages ...string) *broken {
	t.Helper()
	h, byQuestion := &hearing{said: map[string]string{}}, map[string]string{}
	for i, c := range cases {
		h.said[c.ID] = c.Question
		if slices.Contains(stages, assay.StageTranscribe) {
			h.said[c.ID] = cases[(i+1)%len(cases)].Question
		}
		byQuestion[c.Question] = second(&c)
	}
	p, err := rag.Open(t.Context(), rag.Config{
		Documents: docs, TopK: 5, Chunk: chunk.Config{Method: chunk.Document}, Generator: rag.Extractive,
		Transcriber: h, Recording: func(c *assay.Case) assay.Recording { return assay.Recording{Name: c.ID} },
		Decomposer: parting{drop: slices.Contains(stages, assay.StageDecompose)},
		Filter:     words{byQuestion: byQuestion, drop: slices.Contains(stages, assay.StageFilter)}, Threshold: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return &broken{p, stages}
}

func second(c *assay.Case) string { return c.Metadata["second"].(string) }

func (b *broken) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	return b.AskGiven(ctx, c, assay.Given{})
}

// AskGiven breaks the two stages that are no parts of the pipeline's config: the
// retriever, whose lists lose the document of the second fact, and the generator,
// which writes what it would have written without it.
func (b *broken) AskGiven(ctx context.Context, c *assay.Case, g assay.Given) (assay.Response, error) {
	r, err := b.Pipeline.AskGiven(ctx, c, g)
	if err != nil {
		return r, err
	}
	without := func(stage string) [][]assay.Passage {
		each, _ := r.StagePassagesEach(stage)
		for i := range each {
			each[i] = slices.DeleteFunc(each[i], func(p assay.Passage) bool { return p.Document == second(c) })
		}
		return each
	}
	if b.breaks(assay.StageRetrieve) && g.Retrieved == nil {
		g.Retrieved = without(assay.StageRetrieve)
		if r, err = b.Pipeline.AskGiven(ctx, c, g); err != nil {
			return r, err
		}
	}
	if b.breaks(assay.StageGenerate) {
		g.Kept = without(assay.StageFilter)
		other, err := b.Pipeline.AskGiven(ctx, c, g)
		if err != nil {
			return r, err
		}
		r.Answer = other.Answer
		wrote := other.Stages(assay.StageGenerate)
		n := 0
		for i, s := range r.Trace.Stages {
			if s.Name == assay.StageGenerate && n < len(wrote) {
				r.Trace.Stages[i].Output, n = wrote[n].Output, n+1
			}
		}
	}
	if b.breaks(assay.LostPack) {
		return b.cutPrompt(ctx, c, g, r)
	}
	return r, nil
}

// hearing is a transcriber that knows what each recording says.
type hearing struct{ said map[string]string }

func (*hearing) Identity() string { return "hearing" }

func (h *hearing) Transcribe(_ context.Context, r assay.Recording) (assay.Transcription, error) {
	return assay.Transcription{Text: h.said[r.Name]}, nil
}

// parting is the rule of the pipeline, whose last sub-question it may drop.
type parting struct {
	rag.Rule
	drop bool
}

func (d parting) Decompose(ctx context.Context, turn rag.Turn, question string) ([]string, rag.Step, error) {
	out, step, err := d.Rule.Decompose(ctx, turn, question)
	if d.drop && len(out) > 1 {
		out = out[:len(out)-1]
	}
	return out, step, err
}

// words is a filter that rates a passage by the share of the sub-question's words
// that it has, and may find the second fact's document worthless.
type words struct {
	byQuestion map[string]string
	drop       bool
}

func (words) Identity() string { return "words" }

func (f words) Relevance(_ context.Context, turn rag.Turn, question string, passages []assay.Passage) ([]float64, rag.Step, error) {
	tokens := text.Tokens(text.MatchForm(question))
	out := make([]float64, len(passages))
	for i, p := range passages {
		has := map[string]bool{}
		for _, w := range text.Tokens(text.MatchForm(p.Text)) {
			has[w] = true
		}
		n := 0
		for _, w := range tokens {
			if has[w] {
				n++
			}
		}
		out[i] = 10 * float64(n) / float64(max(len(tokens), 1))
		if f.drop && p.Document == f.byQuestion[turn.Question] {
			out[i] = 0
		}
	}
	return out, rag.Step{}, nil
}
