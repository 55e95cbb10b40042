package stage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/stage"
)

// A pipe is a small staged target over a few passages. It finds what shares a
// word of four letters or more with a sub-question, keeps all, and answers with
// the texts that it was given. Its stages can be broken one by one.
type pipe struct {
	corpus []assay.Passage
	// has lists the stages beside retrieve and generate.
	has []string
	// heard is what is heard instead of the question; "" hears right.
	heard string
	// split makes the sub-questions; nil splits at " and ".
	split func(q string) []string
	// skip drops passages after retrieval, drop in the filter, pack before the
	// prompt.
	skip, drop, pack func(assay.Passage) bool
	// write makes the answer of the passages in the prompt; nil is their texts.
	write func([]assay.Passage) string
	// show makes of the answer what is shown.
	show func(string) string
	// fail is returned when the pipe is asked again.
	fail error
	// asked counts the calls of AskGiven, given keeps the last.
	asked int
	given assay.Given
	// id is that of the case it was asked again.
	id string
}

func (p *pipe) HasStage(name string) bool {
	return name == assay.StageRetrieve || name == assay.StageGenerate || slices.Contains(p.has, name)
}

func (p *pipe) Chunks(document string) (out []assay.Passage) {
	for _, c := range p.corpus {
		if c.Document == document {
			out = append(out, c)
		}
	}
	return out
}

func (p *pipe) All() iter.Seq[assay.Passage] { return slices.Values(p.corpus) }

func (p *pipe) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	return p.run(c, assay.Given{}), nil
}

func (p *pipe) AskGiven(_ context.Context, c *assay.Case, g assay.Given) (assay.Response, error) {
	p.asked++
	p.given, p.id = g, c.ID
	if p.fail != nil {
		return assay.Response{}, p.fail
	}
	return p.run(c, g), nil
}

func (p *pipe) run(c *assay.Case, g assay.Given) assay.Response {
	var t assay.Trace
	add := func(name string, sub int, in, out any) {
		t.Stages = append(t.Stages, assay.Stage{Name: name, SubQuestion: sub, Input: raw(in), Output: raw(out)})
	}
	q := c.Question
	if p.HasStage(assay.StageTranscribe) {
		if p.heard != "" {
			q = p.heard
		}
		if g.Transcript != nil {
			q = *g.Transcript
		}
		add(assay.StageTranscribe, 0, "q.wav", q)
	}
	questions := []string{q}
	if p.HasStage(assay.StageDecompose) {
		questions = strings.Split(q, " and ")
		if p.split != nil {
			questions = p.split(q)
		}
		if g.SubQuestions != nil {
			questions = g.SubQuestions
		}
		add(assay.StageDecompose, 0, q, questions)
	}
	keep := func(ps []assay.Passage, drop func(assay.Passage) bool) []assay.Passage {
		if drop == nil {
			return ps
		}
		return slices.DeleteFunc(slices.Clone(ps), drop)
	}
	var lists [][]assay.Passage
	for i, sub := range questions {
		ps := keep(p.find(sub), p.skip)
		if i < len(g.Retrieved) {
			ps = g.Retrieved[i]
		}
		add(assay.StageRetrieve, i+1, sub, ps)
		if p.HasStage(assay.StageFilter) {
			ps = keep(ps, p.drop)
			if i < len(g.Kept) {
				ps = g.Kept[i]
			}
			add(assay.StageFilter, i+1, sub, ps)
		}
		lists = append(lists, ps)
	}
	r := assay.Response{Passages: assay.Interleave(lists), Trace: &t}
	prompt := keep(r.Passages, p.pack)
	write := p.write
	if write == nil {
		write = func(ps []assay.Passage) string {
			var b strings.Builder
			for _, x := range ps {
				b.WriteString(x.Text + " ")
			}
			return b.String()
		}
	}
	r.Answer = write(prompt)
	add(assay.StageGenerate, 0, prompt, r.Answer)
	if p.show != nil {
		r.Answer = p.show(r.Answer)
	}
	return r
}

func (p *pipe) find(q string) []assay.Passage {
	out := []assay.Passage{}
	for _, c := range p.corpus {
		for w := range strings.FieldsSeq(strings.ToLower(strings.Trim(q, "?"))) {
			if len(w) >= 4 && strings.Contains(strings.ToLower(c.Text), w) && !slices.ContainsFunc(out, c.Same) {
				out = append(out, c)
			}
		}
	}
	return out
}

// towns is a corpus of three documents, with one passage each.
func towns() []assay.Passage {
	return []assay.Passage{
		{ID: "basel#0", Document: "basel", Text: "The bridge of Basel was opened in the year 1226, the oldest there."},
		{ID: "bern#0", Document: "bern", Text: "The tower of Bern carries an astronomical clock made by Brunner."},
		{ID: "chur#0", Document: "chur", Text: "The bishop of Chur keeps a treasury of relics and old chests."},
	}
}

// bridge asks for two facts.
func bridge() *assay.Case {
	transcript := "When was the bridge opened and who made the astronomical clock?"
	return &assay.Case{ID: "c", Question: transcript, Audio: "q.wav", Want: assay.Want{
		Documents: map[string]int{"basel": 1, "bern": 2, "chur": 0}, Keywords: []string{"1226", "Brunner"},
		SubQuestions: []string{"When was the bridge opened", "who made the astronomical clock?"}, Transcript: &transcript,
	}}
}

func whole() *pipe {
	return &pipe{corpus: towns(), has: []string{assay.StageTranscribe, assay.StageDecompose, assay.StageFilter}}
}

// attributed asks a pipe and follows the case to its verdict.
func attributed(t *testing.T, p *pipe, c *assay.Case, o stage.Options) *assay.Attribution {
	t.Helper()
	r, err := p.Ask(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return explained(t, c, &r, o, nil)
}

// explained decides cases with keywords by their recall, unless there are scores.
func explained(t *testing.T, c *assay.Case, r *assay.Response, o stage.Options, scores map[string]assay.Score) *assay.Attribution {
	t.Helper()
	if len(c.Want.Keywords) > 0 && scores == nil && o.Outcome == (stage.Outcome{}) {
		o.Outcome = stage.Outcome{Metric: "answer_keyword_recall", Op: ">=", Limit: 1}
		o.Score = func(_ context.Context, _ string, c *assay.Case, r *assay.Response) (assay.Score, error) {
			return recalled(c, r), nil
		}
		scores = map[string]assay.Score{"answer_keyword_recall": recalled(c, r)}
	}
	a := stage.New(o)
	before := fmt.Sprintf("%+v %+v", *c, *r)
	at, err := a.Follow(t.Context(), c, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Explain(t.Context(), c, r, scores, at); err != nil {
		t.Fatal(err)
	}
	if after := fmt.Sprintf("%+v %+v", *c, *r); after != before {
		t.Errorf("the case or the response was changed:\n%s\n%s", before, after)
	}
	return at
}

// recalled is the share of a case's keywords that an answer has.
func recalled(c *assay.Case, r *assay.Response) assay.Score {
	n := 0
	for _, k := range c.Want.Keywords {
		if text.HasKeyword(r.Answer, k) {
			n++
		}
	}
	return assay.Value(float64(n) / float64(len(c.Want.Keywords)))
}

func lostOf(at *assay.Attribution) []string {
	var out []string
	if at != nil {
		for _, f := range at.Facts {
			out = append(out, f.Lost)
		}
	}
	return out
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func not(id string) func(assay.Passage) bool {
	return func(p assay.Passage) bool { return p.Document == id }
}
