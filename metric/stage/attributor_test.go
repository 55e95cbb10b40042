package stage_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric/stage"
)

// faults break one stage each for the fact that Bern holds.
var faults = []struct {
	stage    string
	plant    func(*pipe)
	evidence string
}{
	{"", func(*pipe) {}, ""},
	{assay.LostNotInIndex, func(p *pipe) { p.corpus = p.corpus[:1] }, "the index does not hold bern"},
	{assay.StageTranscribe, func(p *pipe) { p.heard = "When was the bridge opened and whose is the cock?" }, "the transcript was"},
	{assay.StageDecompose, func(p *pipe) { p.split = func(q string) []string { return strings.Split(q, " and ")[:1] } },
		"with the labelled sub-questions it is retrieved; the decomposition had 1"},
	{assay.StageRetrieve, func(p *pipe) { p.skip = not("bern") }, "none of the 1 passages retrieved has it, as bern#0 does"},
	{assay.StageFilter, func(p *pipe) { p.drop = not("bern") }, "the filter dropped the only passage of bern that had it: bern#0"},
	{assay.LostPack, func(p *pipe) { p.pack = not("bern") }, "the prompt left out the only passage of bern that had it: bern#0"},
	{assay.StageGenerate, func(p *pipe) { p.write = func(ps []assay.Passage) string { return ps[0].Text } },
		"the prompt had it (bern#0), the answer does not"},
	{assay.LostPresent, func(p *pipe) { p.show = func(s string) string { return s[:60] } },
		"the generated text had it (bern#0), the shown answer does not"},
}

func TestFunnel(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run("at "+f.stage, func(t *testing.T) {
			t.Parallel()
			p := whole()
			f.plant(p)
			at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Again: true})
			if got := lostOf(at); !slices.Equal(got, []string{"", f.stage}) {
				t.Errorf("lost %q, want the second at %q", got, f.stage)
			}
			if at.Failed != (f.stage != "") || at.Stage != f.stage || !strings.Contains(at.Evidence, f.evidence) || at.Ladder != nil ||
				at.Merged != nil {
				t.Errorf("%+v", at)
			}
			if at.Outcome != "answer_keyword_recall >= 1" {
				t.Errorf("outcome %q", at.Outcome)
			}
		})
	}
}

func TestLadder(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		// What stands between two stages is no output that could be replaced: a
		// prompt that is too small fails whatever it is given.
		want := map[string]string{assay.LostPack: assay.StageGenerate, assay.LostPresent: assay.StageGenerate}[f.stage]
		if want == "" {
			want = f.stage
		}
		t.Run("at "+f.stage, func(t *testing.T) {
			t.Parallel()
			p := whole()
			f.plant(p)
			at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true})
			if at.Stage != want {
				t.Errorf("stage %q, want %q: %+v, ladder %+v", at.Stage, want, at, at.Ladder)
			}
			if f.stage == "" {
				if at.Ladder != nil || p.asked != 0 {
					t.Errorf("a case that is right was asked again %d times", p.asked)
				}
				return
			}
			if p.asked > 6 {
				t.Errorf("asked %d times", p.asked)
			}
			if f.stage != assay.LostNotInIndex && (at.Ladder == nil || at.Ladder.Rungs[0].Stage != "" || at.Ladder.Error != "") {
				t.Errorf("ladder %+v", at.Ladder)
			}
		})
	}
}

// A question that was misheard may find the right passages by luck: what was
// looked for in them was something else.
func TestMisheardByLuck(t *testing.T) {
	t.Parallel()
	p := whole()
	p.heard = "How large is the bridge and where is the clock?"
	heard := p.heard
	p.drop = func(x assay.Passage) bool { return strings.Contains(heard, "where") && x.Document == "bern" }
	c := bridge()
	r, _ := p.Ask(t.Context(), c)
	p.drop = nil // with the right question the filter keeps it
	at := explained(t, c, &r, stage.Options{Index: p, Staged: p, Again: true}, nil)
	why := "with the right transcript the answer has it; the transcript was"
	if at.Stage != assay.StageTranscribe || !strings.HasPrefix(at.Evidence, why) || *at.RetrievalDelta != 0 {
		t.Errorf("%+v", at)
	}
}

// The ladder stops at the first success, and does not ask what cannot differ.
func TestLadderStops(t *testing.T) {
	t.Parallel()
	p := whole()
	p.drop = not("bern")
	at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true})
	var stages []string
	for _, r := range at.Ladder.Rungs {
		stages = append(stages, r.Stage)
	}
	// The transcript and the sub-questions are right already.
	if want := []string{"", assay.StageRetrieve, assay.StageFilter}; !slices.Equal(stages, want) || p.asked != 2 {
		t.Errorf("rungs %q, asked %d times: want %q, 2", stages, p.asked, want)
	}
	if at.Ladder.Rungs[2].Right != 1 || at.Ladder.Rungs[1].Right != 0 {
		t.Errorf("%+v", at.Ladder.Rungs)
	}
}

// Where two stages fail, the funnel names the first, and the ladder the one whose
// right output it takes in the end; the evidence tells of both.
func TestTwoFaults(t *testing.T) {
	t.Parallel()
	p := whole()
	p.skip = not("bern")
	p.write = func([]assay.Passage) string { return "I do not know." }
	at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true})
	want := "the answer is right once the output of generate is right: the prompt had it (basel#0), the answer does not"
	if at.Stage != assay.StageGenerate || at.Evidence != want {
		t.Errorf("%+v", at)
	}
	p.write = func(ps []assay.Passage) string {
		for _, x := range ps {
			if x.Document == "bern" {
				return "I do not know."
			}
		}
		return "1226"
	}
	at = attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true})
	want = "the answer is right only if the output of generate is right too, although evidence was lost at retrieve: none of the 1 passages " +
		"retrieved has it, as bern#0 does"
	if at.Stage != assay.StageGenerate || at.Evidence != want {
		t.Errorf("%+v", at)
	}
}

// What the retriever is replaced by is what is right, before what it found, and
// no more passages than it gave, but for one of each fact.
func TestGoldAmidDistractors(t *testing.T) {
	t.Parallel()
	p := whole()
	p.corpus = append(p.corpus, assay.Passage{ID: "noise#0", Document: "noise", Text: "Another bridge, another clock, another tower."})
	p.skip = not("bern")
	c := bridge()
	c.Question = "the bridge opened and the clock"
	c.Want.Transcript = &c.Question
	attributed(t, p, c, stage.Options{Index: p, Staged: p, Ladder: true})
	// Without Bern the first sub-question finds Basel and the noise, the second
	// the noise alone, but each has room for both facts.
	var got [][]string
	for _, list := range p.given.Retrieved {
		var ids []string
		for _, x := range list {
			ids = append(ids, x.ID)
		}
		got = append(got, ids)
	}
	want := [][]string{{"basel#0", "bern#0"}, {"basel#0", "bern#0"}}
	if len(got) != 2 || !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
		t.Errorf("given %q, want %q", got, want)
	}
}

// A generator that only the noise distracts is told from one that ignores what it
// is given; a filter is there to drop the noise.
func TestDistraction(t *testing.T) {
	t.Parallel()
	for _, filtered := range []bool{false, true} {
		p := whole()
		p.has = nil
		want := assay.StageGenerate
		if filtered {
			p.has, want = []string{assay.StageFilter}, assay.StageFilter
		}
		p.corpus = append(p.corpus, assay.Passage{ID: "noise#0", Document: "noise",
			Text: "Another bridge, another clock, another tower: the year 1999."})
		p.write = func(ps []assay.Passage) string {
			var b strings.Builder
			for _, x := range ps {
				if x.Document == "noise" {
					return "1999"
				}
				b.WriteString(x.Text)
			}
			return b.String()
		}
		at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true})
		if at.Stage != want || !strings.Contains(at.Evidence, "distract") || at.Ladder.Undistracted == nil || at.Ladder.Undistracted.Right != 1 {
			t.Errorf("filter %v: %+v, %+v", filtered, at, at.Ladder)
		}
	}
}

// Labels that no answer can meet are no stage's fault.
func TestUnresolved(t *testing.T) {
	t.Parallel()
	p := whole()
	p.write = func([]assay.Passage) string { return "I do not know." }
	o := stage.Options{Index: p, Staged: p, Ladder: true, Outcome: stage.Outcome{Metric: "hard", Op: ">=", Limit: 0.5}}
	o.Score = func(context.Context, string, *assay.Case, *assay.Response) (assay.Score, error) {
		return assay.Value(0), nil
	}
	c := bridge()
	r, _ := p.Ask(t.Context(), c)
	at := explained(t, c, &r, o, map[string]assay.Score{"hard": assay.Value(0)})
	if at.Stage != assay.LostUnresolved || at.Outcome != "hard >= 0.5" || !at.Failed {
		t.Errorf("%+v", at)
	}
}

// A target that answers differently each time is asked several times, and the
// share decides. Climbing on after a success shows what is not monotone.
func TestRepeats(t *testing.T) {
	t.Parallel()
	p := whole()
	n := 0
	p.write = func([]assay.Passage) string {
		// Wrong at first; then right, wrong, right; then wrong for good.
		n++
		if n == 2 || n == 4 {
			return "1226 Brunner"
		}
		return "nothing"
	}
	at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true, Repeats: 3, Full: true})
	l := at.Ladder
	if len(l.Rungs) != 4 || l.Rungs[1].Runs != 3 || l.Rungs[1].Right < 0.6 || l.Rungs[1].Right > 0.7 || l.Rungs[2].Right != 0 {
		t.Fatalf("%+v", l.Rungs)
	}
	if at.Stage != assay.StageRetrieve || !l.NonMonotone {
		t.Errorf("stage %q, non-monotone %v", at.Stage, l.NonMonotone)
	}
}

// What goes wrong on the ladder leaves the funnel's verdict; only the end of the
// run and a judge that fails for good are errors.
func TestLadderBreaks(t *testing.T) {
	t.Parallel()
	p := whole()
	p.drop, p.fail = not("bern"), errors.New("out of order")
	at := attributed(t, p, bridge(), stage.Options{Index: p, Staged: p, Ladder: true})
	if at.Stage != assay.StageFilter || !strings.Contains(at.Ladder.Error, "out of order") {
		t.Errorf("%+v, %+v", at, at.Ladder)
	}
	c := bridge()
	r, _ := p.Ask(t.Context(), c)
	o := stage.Options{Index: p, Staged: p, Ladder: true}
	o.Score = func(_ context.Context, _ string, c *assay.Case, r *assay.Response) (assay.Score, error) {
		return recalled(c, r), nil
	}
	wrong := map[string]assay.Score{"answer_correctness": assay.Value(0)}
	a := stage.New(o)
	at, err := a.Follow(t.Context(), c, &r, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Explain(ctx, c, &r, wrong, at); !errors.Is(err, context.Canceled) {
		t.Errorf("at the end of the run: %v", err)
	}
	fatal := &judge.FatalError{Err: errors.New("no money")}
	o.Score = func(context.Context, string, *assay.Case, *assay.Response) (assay.Score, error) {
		return assay.Score{}, fatal
	}
	p.fail = nil
	a = stage.New(o)
	if err := a.Explain(t.Context(), c, &r, wrong, at); !errors.Is(err, fatal) ||
		at.Stage != assay.StageFilter {
		t.Errorf("%v, %+v", err, at)
	}
}

// Without the right passages nothing tells what their stages cost: the labelled answer does not blame the generator for
// what the filter dropped.
func TestLadderNeedsTheRightPassages(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]assay.Want{"answer": {Answers: []string{"Brunner"}}, "keyword": {Keywords: []string{"Brunner"}}} {
		p := &pipe{corpus: towns(), has: []string{assay.StageFilter}, drop: not("bern")}
		p.write = func(ps []assay.Passage) string {
			if slices.ContainsFunc(ps, not("bern")) {
				return "Brunner"
			}
			return "I do not know."
		}
		c := &assay.Case{ID: "c", Question: "Who made the astronomical clock with the bridge?", Want: want}
		at := attributed(t, p, c, stage.Options{Index: p, Staged: p, Ladder: true})
		if at == nil || at.Stage != assay.StageFilter || at.Ladder != nil || at.Merged[assay.StageRetrieve] != "" {
			t.Errorf("%s: %+v", name, at)
		}
	}
}

// Without labels or without a target that can be asked, stages count with later
// ones, and it is said with which.
func TestMerged(t *testing.T) {
	t.Parallel()
	p := whole()
	p.heard = "When was the bridge opened and whose is the cock?"
	c := bridge()
	c.Want.SubQuestions, c.Want.Transcript = nil, nil
	at := attributed(t, p, c, stage.Options{})
	for stage, into := range map[string]string{
		assay.LostNotInIndex: assay.StageRetrieve, assay.StageTranscribe: assay.StageDecompose, assay.StageDecompose: assay.StageRetrieve,
	} {
		if at.Merged[stage] != into {
			t.Errorf("%s counts with %q, want %q: %v", stage, at.Merged[stage], into, at.Merged)
		}
	}
	if at.Stage != assay.StageRetrieve {
		t.Errorf("stage %q", at.Stage)
	}
	// The right sub-questions are asked for what was misheard, too: the label of
	// the transcript is not needed to blame it on something before the retriever.
	c = bridge()
	c.Want.Transcript = nil
	at = attributed(t, p, c, stage.Options{Index: p, Staged: p, Again: true})
	if p.given.Transcript == nil || *p.given.Transcript != p.heard {
		t.Errorf("the recording is heard once more: %v", p.given.Transcript)
	}
	if at.Stage != assay.StageDecompose || at.Merged[assay.StageTranscribe] != assay.StageDecompose {
		t.Errorf("%+v", at)
	}
	// Nobody tells what went into the filter.
	r, _ := whole().Ask(t.Context(), bridge())
	r.Trace.Stages = slices.DeleteFunc(r.Trace.Stages, func(s assay.Stage) bool { return s.Name == assay.StageRetrieve })
	r.Passages = r.Passages[:1]
	for i, s := range r.Trace.Stages {
		if s.Name == assay.StageFilter {
			r.Trace.Stages[i].Output = raw(r.Passages)
		}
		if s.Name == assay.StageGenerate {
			r.Trace.Stages[i].Input = raw(r.Passages)
		}
	}
	r.Answer = "1226"
	at = explained(t, bridge(), &r, stage.Options{}, nil)
	if at.Stage != assay.StageFilter || at.Merged[assay.StageRetrieve] != assay.StageFilter {
		t.Errorf("%+v", at)
	}
}

// Between what was retrieved and what the response has, something was cut.
func TestCut(t *testing.T) {
	t.Parallel()
	r := assay.Response{Answer: "1226", Passages: towns()[:1],
		Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve, Output: raw(towns())}}}}
	at := explained(t, bridge(), &r, stage.Options{}, nil)
	if at.Stage != assay.LostPack || at.Merged[assay.LostPack] != "" ||
		at.Evidence != "the prompt left out the only passage of bern that had it: bern#0" {
		t.Errorf("%+v", at)
	}
}

// Of stages that lost as many facts, the earliest is named.
func TestEarliest(t *testing.T) {
	t.Parallel()
	p := whole()
	p.skip, p.drop = not("bern"), not("basel")
	at := attributed(t, p, bridge(), stage.Options{Index: p})
	if got := lostOf(at); !slices.Equal(got, []string{assay.StageFilter, assay.StageRetrieve}) || at.Stage != assay.StageRetrieve {
		t.Errorf("lost %q, stage %q", got, at.Stage)
	}
}

// A later draw of a case is asked again under the id that the target knows.
func TestDraw(t *testing.T) {
	t.Parallel()
	p := whole()
	p.drop = not("bern")
	c := bridge().Repeated(1)
	attributed(t, p, &c, stage.Options{Index: p, Staged: p, Ladder: true})
	if p.id != "c" {
		t.Errorf("asked as %q", p.id)
	}
}

// A response without a trace is followed when somebody wants it.
func TestUntraced(t *testing.T) {
	t.Parallel()
	r := assay.Response{Answer: "It was 1226.", Passages: towns()[:1]}
	if at := explained(t, bridge(), &r, stage.Options{}, nil); at != nil {
		t.Errorf("%+v", at)
	}
	at := explained(t, bridge(), &r, stage.Options{Untraced: true}, nil)
	if got := lostOf(at); !slices.Equal(got, []string{"", assay.StageRetrieve}) || at.Merged[assay.LostPack] != assay.StageGenerate {
		t.Errorf("lost %q, %v", got, at.Merged)
	}
	r.Passages = nil
	if at := explained(t, bridge(), &r, stage.Options{Untraced: true}, nil); at != nil {
		t.Errorf("no passages: %+v", at)
	}
}

// A target without answers is followed to what it retrieved, and fails nothing.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	r := assay.Response{NoAnswer: true, Passages: towns()[1:],
		Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve, Output: raw(towns()[1:])}}}}
	at := explained(t, bridge(), &r, stage.Options{}, nil)
	if got := lostOf(at); !slices.Equal(got, []string{assay.StageRetrieve, ""}) || at.Failed || at.Outcome != "" || at.Stage != "" {
		t.Errorf("%q, %+v", got, at)
	}
}

// What the generator wrote from memory is lost all the same, and marked.
func TestSelfKnowledge(t *testing.T) {
	t.Parallel()
	p := whole()
	p.skip = not("bern")
	p.write = func([]assay.Passage) string { return "In 1226. By Brunner." }
	at := attributed(t, p, bridge(), stage.Options{Index: p})
	if at.Failed || at.Facts[1].Lost != assay.StageRetrieve || !at.Facts[1].SelfKnowledge || at.Facts[0].SelfKnowledge {
		t.Errorf("%+v", at.Facts)
	}
	// Another passage said it: that is no memory.
	p.corpus = append(p.corpus, assay.Passage{ID: "x#0", Document: "x", Text: "A clock by Brunner, who made it."})
	at = attributed(t, p, bridge(), stage.Options{Index: p})
	if slices.ContainsFunc(at.Facts, func(f assay.Fact) bool { return f.SelfKnowledge }) {
		t.Errorf("%+v", at.Facts)
	}
}

// An outcome by a metric that has no score says nothing of the case.
func TestOutcome(t *testing.T) {
	t.Parallel()
	p := whole()
	p.drop = not("bern")
	c := bridge()
	r, _ := p.Ask(t.Context(), c)
	for _, test := range []struct {
		scores  map[string]assay.Score
		outcome string
		failed  bool
	}{
		{nil, "answer_keyword_recall >= 1", true},
		{map[string]assay.Score{"answer_correctness": assay.Value(0.4)}, "answer_correctness >= 0.5", true},
		{map[string]assay.Score{"answer_correctness": assay.Value(0.5)}, "answer_correctness >= 0.5", false},
		{map[string]assay.Score{"answer_correctness": {State: assay.Abstained}}, "answer_correctness >= 0.5", true},
		// Without a score the labels decide, and a keyword that is missing does not make an answer wrong.
		{map[string]assay.Score{"answer_correctness": {State: assay.JudgeError}}, "keywords", false},
		{map[string]assay.Score{"answer_correctness": assay.None("no reference")}, "keywords", false},
	} {
		at := explained(t, c, &r, stage.Options{}, test.scores)
		if at.Outcome != test.outcome || at.Failed != test.failed || at.Failed != (at.Stage != "") {
			t.Errorf("%v: %+v", test.scores, at)
		}
	}
	for _, test := range []struct {
		op     string
		value  float64
		failed bool
	}{{">=", 0.5, false}, {">", 0.5, true}, {"<=", 0.5, false}, {"<", 0.5, true}, {"<", 0.4, false}} {
		o := stage.Outcome{Metric: "m", Op: test.op, Limit: 0.5}
		at := explained(t, c, &r, stage.Options{Outcome: o}, map[string]assay.Score{"m": assay.Value(test.value)})
		if at.Failed != test.failed || at.Outcome != "m "+test.op+" 0.5" {
			t.Errorf("%s %v: %+v", test.op, test.value, at)
		}
	}
	unanswerable := false
	c.Want.Answerable = &unanswerable
	if at := explained(t, c, &r, stage.Options{}, map[string]assay.Score{}); at.Failed || at.Outcome != "" {
		t.Errorf("a case without an answer: %+v", at)
	}
}

func TestRetrievalDelta(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		heard string
		o     func(*pipe) stage.Options
		want  float64
		known bool
	}{
		{"", func(p *pipe) stage.Options { return stage.Options{Staged: p, Again: true} }, 0, true},
		// Half of the facts are found with what was heard, all with what was said.
		{"When was the bridge opened and whose is the cock?",
			func(p *pipe) stage.Options { return stage.Options{Staged: p, Again: true} }, 0.5, true},
		{"When was the bridge opened and whose is the cock?",
			func(p *pipe) stage.Options { return stage.Options{Staged: p, Ladder: true} }, 0.5, true},
		{"When was the bridge opened and whose is the cock?", func(*pipe) stage.Options { return stage.Options{} }, 0, false},
	} {
		p := whole()
		p.heard = test.heard
		at := attributed(t, p, bridge(), test.o(p))
		if (at.RetrievalDelta != nil) != test.known || test.known && *at.RetrievalDelta != test.want {
			t.Errorf("%q: %v, want %v", test.heard, at.RetrievalDelta, test.want)
		}
	}
}
