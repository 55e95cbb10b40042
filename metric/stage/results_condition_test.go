//go:build results

package stage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/stage"
)

// A condition is a way in which labels or traces are poorer than at their best.
type condition struct {
	name string
	// stages are broken one after the other.
	stages []string
	// alone takes cases of one question whose only label is the reference answer.
	alone bool
	// labels decides by labels whether an answer is right; else the outcome knows it.
	labels bool
	// change makes what a target shows of a response.
	change func(c *assay.Case, r *assay.Response)
}

var conditions = []condition{
	{name: "cut prompts", stages: []string{assay.LostPack}},
	{name: "ids, no texts", stages: []string{assay.StageRetrieve, assay.StageFilter, assay.StageGenerate}, change: func(_ *assay.Case, r *assay.Response) { *r = withoutTexts(*r) }},
	{name: "paraphrased answers, judged", stages: []string{assay.StageRetrieve, assay.StageFilter, assay.LostPack, assay.StageGenerate},
		change: paraphrased},
	{name: "paraphrased answers, by labels", stages: []string{assay.StageRetrieve, assay.StageFilter, assay.LostPack, assay.StageGenerate},
		labels: true, change: paraphrased},
	{name: "reference answers alone, judged", stages: []string{assay.StageRetrieve, assay.StageFilter, assay.LostPack, assay.StageGenerate},
		alone: true},
	{name: "reference answers alone, by labels", stages: []string{assay.StageRetrieve, assay.StageFilter, assay.LostPack, assay.StageGenerate},
		alone: true, labels: true},
}

// poorer breaks each stage of a condition in a random 30 % of the cases, predicts from the
// trace alone what its repair mends, repairs it and counts.
func poorer(t *testing.T, b *strings.Builder, title string, docs []assay.Document, cases, alone []assay.Case) {
	t.Helper()
	fmt.Fprintf(b, "\n## %s, poorer traces and labels\n\nThe target cannot be asked again, and nothing is known of its index. "+
		"Each stage is broken in a random 30 %% of the cases, up to %d wrong answers. \"Judged\" means that somebody "+
		"knows which answers are wrong, \"by labels\" that only the labels of the case decide. "+
		"**Cut prompts** end before the reference answer of the second fact, with all ids in place. "+
		"**Ids** are all that the trace has of passages. **Paraphrased answers** have no reference answer word for word: of names the last word "+
		"or two characters are left, numbers up to 20, in Chinese all whole ones, are in the other of digits and "+
		"words, longer ones stay, and everything else is \"that one\". With **reference answers alone** a case is "+
		"one question that has no other label.\n\n"+
		"`predicted gain` are the answers that are attributed to the broken stage, `measured gain` the wrong ones that are right once it is "+
		"repaired. `attributed wrongly` are the answers that are attributed to another stage, and right ones that are attributed to any; "+
		"`cannot tell` the wrong ones that are attributed to none. Both are shares of the wrong answers.\n\n"+
		"| traces and labels | broken | wrong | predicted gain | measured gain | attributed wrongly | cannot tell |\n"+
		"|---|---|---:|---:|---:|---:|---:|\n", title, fewer)
	for _, cond := range conditions {
		list := cases
		if cond.alone {
			list = alone
		}
		sane := open(t, docs, list)
		for i, s := range cond.stages {
			rng := rand.New(rand.NewPCG(uint64(i), 31))
			in := map[string]bool{}
			for _, c := range list {
				in[c.ID] = rng.Float64() < 0.3
			}
			row := cond.tally(t, patchy{sane, open(t, docs, list, s), in}, sane, s, list)
			share := func(n int) float64 { return 100 * float64(n) / float64(max(row.wrong, 1)) }
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %.1f %% | %.1f %% |\n", cond.name, s, row.wrong, row.predicted, row.measured,
				share(row.wrongly), share(row.unsure))
			if !cond.labels && !cond.alone && share(row.wrongly) > 100*(1-goal) {
				t.Errorf("%s, %s, %s: %+v", title, cond.name, s, row)
			}
		}
	}
}

// fewer is how many wrong answers of each condition and fault are taken.
const fewer = 60

type tally struct{ wrong, predicted, measured, wrongly, unsure int }

func (cond condition) tally(t *testing.T, target, sane pipeline, broken string, cases []assay.Case) (row tally) {
	t.Helper()
	o := stage.Options{}
	if !cond.labels {
		o.Outcome = stage.Outcome{Metric: "answer_keyword_recall", Op: ">=", Limit: 1}
	}
	a := stage.New(o)
	for _, c := range cases {
		r := ask(t, target, &c)
		wrong := !right(&c, &r)
		scores := map[string]assay.Score{}
		if !cond.labels {
			scores[o.Outcome.Metric] = assay.Ratio(1, 1)
			if wrong {
				scores[o.Outcome.Metric] = assay.Ratio(0, 1)
			}
		}
		shown := c
		if cond.alone {
			shown.Want = assay.Want{Answers: c.Want.Keywords}
		}
		if cond.change != nil {
			cond.change(&c, &r)
		}
		at, err := a.Follow(t.Context(), &shown, &r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Explain(t.Context(), &shown, &r, scores, at); err != nil {
			t.Fatal(err)
		}
		found := ""
		if at != nil && at.Stage != assay.LostUnresolved {
			found = at.Stage
		}
		if wrong {
			row.wrong++
			if mended := ask(t, sane, &c); right(&c, &mended) {
				row.measured++
			}
		}
		if found == broken {
			row.predicted++
		}
		switch {
		case found != "" && (found != broken || !wrong):
			row.wrongly++
		case found == "" && wrong:
			row.unsure++
		}
		if row.wrong == fewer {
			break
		}
	}
	return row
}

// oneFact makes cases of one question, whose keyword is the reference answer.
func oneFact(t *testing.T, name, split string) []assay.Case {
	t.Helper()
	data, err := dataset.Load(t.Context(), requiretest.Shared(t, "data/retrieval/"+name), dataset.Options{Split: split})
	if err != nil {
		t.Fatal(err)
	}
	var out []assay.Case
	for _, c := range data.Cases.All() {
		if len(c.Want.Documents) == 1 && len(c.Want.Answers) > 0 && !strings.Contains(c.Want.Answers[0], "|") {
			question := c.Question
			out = append(out, assay.Case{ID: c.ID, Question: question, Audio: c.ID + ".wav",
				Want: assay.Want{Keywords: c.Want.Answers[:1], Transcript: &question}, Metadata: map[string]any{"second": only(c.Want.Documents)}})
		}
	}
	return out
}

// cutShort returns passages of which those of a case's second fact end before the reference
// answer.
func cutShort(c *assay.Case, passages []assay.Passage) []assay.Passage {
	out := slices.Clone(passages)
	for i, p := range out {
		if p.Document != second(c) {
			continue
		}
		form := text.MatchForm(p.Text)
		keyword := text.MatchForm(c.Want.Keywords[len(c.Want.Keywords)-1])
		if at := strings.Index(form, keyword); at >= 0 {
			out[i].Text = form[:at] + "…"
		}
	}
	return out
}

// cutPrompt answers from prompts that are cut.
func (b *broken) cutPrompt(ctx context.Context, c *assay.Case, g assay.Given, r assay.Response) (assay.Response, error) {
	each, _ := r.StagePassagesEach(assay.StageFilter)
	if each == nil {
		each, _ = r.StagePassagesEach(assay.StageRetrieve)
	}
	for i := range each {
		each[i] = cutShort(c, each[i])
	}
	g.Kept = each
	other, err := b.Pipeline.AskGiven(ctx, c, g)
	if err != nil {
		return r, err
	}
	r.Answer = other.Answer
	wrote := other.Stages(assay.StageGenerate)
	n := 0
	for i, s := range r.Trace.Stages {
		if s.Name == assay.StageGenerate && n < len(wrote) {
			r.Trace.Stages[i], n = wrote[n], n+1
			// The texts of a trace are those of the response, unless it has others.
			var prompt []assay.Passage
			if json.Unmarshal(r.Trace.Stages[i].Input, &prompt) == nil {
				for j, p := range prompt {
					if full := slices.IndexFunc(r.Passages, p.Same); full >= 0 {
						prompt[j].Text = r.Passages[full].Text
					}
				}
				r.Trace.Stages[i].Input, _ = json.Marshal(cutShort(c, prompt))
			}
		}
	}
	return r, nil
}

// numbers are the numbers that a paraphrase says in the other way.
var numbers = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
	"seventeen eighteen nineteen twenty")

// otherDigits returns a number in words for digits and in digits for words; "" if it knows
// no other spelling.
func otherDigits(s string, han bool) string {
	if i := slices.Index(numbers, s); i >= 0 {
		return strconv.Itoa(i)
	}
	i, err := strconv.Atoi(s)
	switch {
	case err != nil || i < 0:
		return ""
	case han && i >= 10:
		return numerals.Replace(s)
	case !han && i < len(numbers):
		return numbers[i]
	}
	return ""
}

var numerals = strings.NewReplacer("0", "零", "1", "一", "2", "二", "3", "三", "4", "四", "5", "五", "6", "六",
	"7", "七", "8", "八", "9", "九")

// paraphrased says the keywords of an answer in other words.
func paraphrased(c *assay.Case, r *assay.Response) {
	answer := text.MatchForm(r.Answer)
	han := text.ShareCJK(answer) > 0.5
	for _, k := range c.Want.Keywords {
		k = text.MatchForm(k)
		other := "that one"
		fields := strings.Fields(k)
		switch runes := []rune(k); {
		case otherDigits(k, han) != "":
			other = otherDigits(k, han)
		case numerals.Replace(k) != k:
			other = k
		case len(fields) > 1:
			other = fields[len(fields)-1]
		case text.ShareCJK(k) > 0.5 && utf8.RuneCountInString(k) > 2:
			other = string(runes[len(runes)-2:])
		}
		answer = strings.ReplaceAll(answer, k, other)
	}
	r.Answer = answer
	for i, s := range r.Trace.Stages {
		if s.Name == assay.StageGenerate {
			r.Trace.Stages[i].Output, _ = json.Marshal(answer)
		}
	}
}
