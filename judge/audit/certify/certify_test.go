package certify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/judge/question"
)

// batches is what a judge was asked at once.
type batches struct {
	claims, passages, points [][]string
}

// judgeOf says yes to a text that begins with "yes", gives no ruling on one that begins with
// "none", and says that a claim that begins with "against" is contradicted.
func judgeOf(b *batches) scripted {
	yes := func(s string) bool { return strings.HasPrefix(s, "yes") }
	none := func(s string) bool { return strings.HasPrefix(s, "none") }
	compare := func(_ context.Context, _ judge.Subject, in question.CompareInput) (judge.Ruling, error) {
		if none(in.Answer) {
			return judge.Ruling{}, &judge.Error{Operation: "x", Message: "no reply"}
		}
		return judge.Ruling{Holds: yes(in.Answer)}, nil
	}
	return scripted{info: assay.JudgeInfo{Provider: "p", Prompts: map[string]string{"support": "1", "assign": "2"}}, table: judge.NewAnswers(
		question.Support.By(func(_ context.Context, _ judge.Subject, in question.SupportInput) (out []judge.Finding, _ error) {
			var texts []string
			for _, c := range in.Claims {
				f := judge.Finding{Verdict: judge.NotFound}
				switch {
				case yes(c.Text):
					f = judge.Finding{Verdict: judge.Supported, Degree: 1}
				case strings.HasPrefix(c.Text, "against"):
					f.Verdict = judge.Contradicted
				case none(c.Text):
					f.Verdict, f.Why = judge.Unknown, "not said"
				}
				out, texts = append(out, f), append(texts, c.Text)
			}
			b.claims = append(b.claims, texts)
			return out, nil
		}),
		question.Compare.By(compare), question.RuleTrueFalse.By(compare),
		question.Grade.By(func(_ context.Context, _ judge.Subject, in []judge.Source) (out []judge.Grade, _ error) {
			var texts []string
			for _, s := range in {
				g := judge.Grade{Known: !none(s.Text), Level: 1}
				if yes(s.Text) {
					g.Level = 2
				}
				g.Degree = float64(g.Level) / 3
				out, texts = append(out, g), append(texts, s.Text)
			}
			b.passages = append(b.passages, texts)
			return out, nil
		}),
		question.Assign.By(func(_ context.Context, _ judge.Subject, in question.AssignInput) (out []judge.Assignment, _ error) {
			for _, p := range in.Points {
				a := judge.Assignment{Known: true, Credit: 0.5}
				if yes(p) {
					a.Credit = 1
				}
				out = append(out, a)
			}
			b.points = append(b.points, in.Points)
			return out, nil
		}),
	)}
}

const labelled = `{"id":"1","claim":"yes 1","context":"A.","label":"supported","group":"a"}
{"id":"2","claim":"yes 2","context":"A.","label":"supported","group":"a"}
{"id":"3","claim":"no 3","context":"B.","label":"supported","group":"b"}
{"id":"4","claim":"no 4","context":"B.","label":"not_supported","group":"b"}
{"id":"5","claim":"yes 5","context":"C.","label":"partially","group":"c"}
{"id":"6","claim":"none 6","context":"C.","label":"supported","group":"c"}
{"id":"7","answer":"yes 1","reference":"R","question":"Q?","label":"equivalent"}
{"id":"8","answer":"none","reference":"R","question":"Q?","label":"not_equivalent"}
{"id":"9","passage":"yes 1","question":"Q?","label":"partially_relevant"}
{"id":"10","passage":"no 2","question":"Q?","label":"not_relevant"}
{"id":"11","point":"yes","answer":"A.","label":"made"}
{"id":"12","point":"partly","answer":"A.","label":"partly"}
`

func certificates(t *testing.T, j judge.Judge, text string, o certify.Options) (map[string]assay.Certificate, *certify.Report) {
	t.Helper()
	s, err := read(t, "x.jsonl", text)
	if err != nil {
		t.Fatal(err)
	}
	o.Now = func() time.Time { return time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC) }
	r, err := certify.Run(t.Context(), j, s, o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]assay.Certificate{}
	for _, c := range r.Certificates {
		out[c.Question] = c
	}
	return out, r
}

// Measures of a few items, by hand: claims that are borne out in part count as not supported,
// passages that answer in part as relevant, points that are made in part as not made.
func TestMeasures(t *testing.T) {
	t.Parallel()
	var b batches
	got, r := certificates(t, judgeOf(&b), labelled, certify.Options{})
	if len(r.Certificates) != 5 || len(r.Omitted) != 1 || r.Omitted[0].Question != "umbrela" {
		t.Fatalf("%d certificates, omitted %v", len(r.Certificates), r.Omitted)
	}
	for _, c := range []struct {
		question                                     string
		items, usable, clusters                      int
		balanced, sensitivity, specificity, unusable float64
	}{
		// Of 3 claims that are supported 2 are ruled so; of 2 that are not, 1.
		{"support", 6, 5, 3, (2./3 + 1./2) / 2, 2. / 3, 1. / 2, 1. / 6},
		{"equivalence", 2, 1, 1, math.NaN(), 1, math.NaN(), 0.5},
		{"true_false", 2, 1, 1, math.NaN(), 1, math.NaN(), 0.5},
		{"relevance", 2, 2, 1, 1, 1, 1, 0},
		{"assign", 2, 2, 1, 1, 1, 1, 0},
	} {
		x := got[c.question]
		if x.Items != c.items || x.Usable != c.usable || x.Clusters != c.clusters {
			t.Errorf("%s: %d items, %d usable, %d sources", c.question, x.Items, x.Usable, x.Clusters)
		}
		for name, m := range map[string]struct {
			f    assay.Figure
			want float64
		}{
			"balanced accuracy": {x.BalancedAccuracy, c.balanced}, "sensitivity": {x.Sensitivity, c.sensitivity},
			"specificity": {x.Specificity, c.specificity}, "unusable": {x.Unusable, c.unusable},
		} {
			switch {
			case math.IsNaN(m.want):
				if m.f.Value != nil || m.f.Why == "" {
					t.Errorf("%s: %s %v, want none with a reason", c.question, name, m.f)
				}
			case m.f.Value == nil || math.Abs(*m.f.Value-m.want) > 1e-9:
				t.Errorf("%s: %s %v, want %.4f", c.question, name, m.f.Value, m.want)
			}
		}
		if x.Threshold != nil || x.AUROC.Value != nil || x.AUROC.Why != "the judge gives no degree" {
			t.Errorf("%s: a threshold or an AUROC of a judge that rules", c.question)
		}
	}
	want := []certify.Unruled{
		{Question: "support", Language: "en", Items: 1, Alike: 1, Why: "not said"},
		{Question: "equivalence", Language: "en", Items: 1, Alike: 1, Why: "judge: x: no reply"},
		{Question: "true_false", Language: "en", Items: 1, Alike: 1, Why: "judge: x: no reply"},
	}
	if d := cmp.Diff(want, r.Unruled); d != "" {
		t.Errorf("without a ruling (-want +got):\n%s", d)
	}
	s := got["support"]
	if s.Judge.Prompts["support"] != "1" || len(s.Judge.Prompts) != 1 || s.Data[0].Items != 6 || s.Data[0].Name != "x.jsonl" {
		t.Errorf("judge %+v, data %+v", s.Judge, s.Data)
	}
	// As a run asks: the claims of one context, the passages of one question, the points of
	// one answer at once.
	slices.SortFunc(b.claims, slices.Compare)
	const batched = "[[no 3 no 4] [yes 1 yes 2] [yes 5 none 6]] [[yes 1 no 2]] [[yes partly]]"
	if got := fmt.Sprint(b.claims, b.passages, b.points); got != batched {
		t.Errorf("asked %s, want %s", got, batched)
	}
}

// Contradicted claims are told from those that are not found, on data that label both.
func TestConflict(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	add := func(n int, data, claim, label string) {
		for range n {
			fmt.Fprintf(&b, `{"id":"%d","claim":"%s %d","context":"C.","label":"%s","dataset":"%s","group":"%d"}`+"\n", b.Len(), claim, b.Len(),
				label, data, b.Len())
		}
	}
	add(6, "both", "against", "contradicted")
	add(2, "both", "no", "contradicted")
	add(5, "both", "no", "not_supported")
	add(5, "both", "against", "not_supported")
	// This one does not tell them apart.
	add(9, "one", "against", "not_supported")
	got, _ := certificates(t, judgeOf(&batches{}), b.String(), certify.Options{})
	i := slices.IndexFunc(got["support"].Slices, func(s assay.CertifiedSlice) bool { return s.Name == "contradicted or not found" })
	if i < 0 {
		t.Fatalf("no part of conflicts: %+v", got["support"].Slices)
	}
	if s := got["support"].Slices[i]; s.Items != 18 || math.Abs(*s.BalancedAccuracy.Value-(6./8+5./10)/2) > 1e-9 {
		t.Errorf("%d items, %v: want 18 and 0.625", s.Items, *s.BalancedAccuracy.Value)
	}
}

// A part on which the judge is worse is called so, and no other; two people are measured
// beside it.
func TestSlicesAndPeople(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 200 {
		says, label, phenomenon := []string{"no", "yes"}[i%2], []string{"no", "yes"}[i%2], "plain"
		if i >= 140 {
			phenomenon = "negation"
			says = []string{"no", "yes"}[i/2%2]
		}
		other := label
		if i%20 == 0 {
			other = "yes"
		}
		fmt.Fprintf(&b, `{"id":"%d","claim":"%s","context":"C.","label":"%s","group":"%d",`, i, says, label, i)
		fmt.Fprintf(&b, `"phenomenon":"%s","annotators":["%s","%s"]}`+"\n", phenomenon, label, other)
	}
	got, _ := certificates(t, judgeOf(&batches{}), b.String(), certify.Options{})
	var worse []string
	for _, s := range got["support"].Slices {
		if s.Worse {
			worse = append(worse, s.Name)
		}
	}
	if fmt.Sprint(worse) != "[negation]" {
		t.Errorf("worse on %v, want negation: %+v", worse, got["support"].Slices)
	}
	// 190 of 200 pairs agree; the first says yes to 100, the second to 110: expected
	// (100·110 + 100·90)/200² = 0.5, kappa (0.95 − 0.5)/0.5 = 0.9.
	if k := got["support"].PeopleKappa.Value; k == nil || math.Abs(*k-0.9) > 1e-9 {
		t.Errorf("kappa of people %v, want 0.9", k)
	}
}

// A judge that estimates is ruled by a threshold from the labels, each item by one that was
// chosen without it.
func TestThreshold(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `{"id":"%d","claim":"%d","context":"C.","label":"%v","group":"%d"}`+"\n", i, i, i >= 60, i)
	}
	j := scripted{info: assay.JudgeInfo{Provider: "p"}, table: judge.NewAnswers(
		question.Support.By(func(_ context.Context, _ judge.Subject, in question.SupportInput) (out []judge.Finding, _ error) {
			for _, c := range in.Claims {
				var n float64
				_, _ = fmt.Sscan(c.Text, &n)
				out = append(out, judge.Finding{Verdict: judge.NotFound, Degree: n / 400})
			}
			return out, nil
		}))}
	got, _ := certificates(t, j, b.String(), certify.Options{Questions: []string{"support"}})
	c := got["support"]
	if c.Threshold == nil || math.Abs(*c.Threshold-59.5/400) > 1e-9 || *c.AUROC.Value != 1 {
		t.Fatalf("threshold %v, AUROC %v: want %v and 1", c.Threshold, c.AUROC.Value, 59.5/400)
	}
	if v := *c.BalancedAccuracy.Value; v < 0.97 {
		t.Errorf("balanced accuracy %.3f by thresholds of other folds, want nearly 1", v)
	}
}

// What ends the run is returned, what the judge declines is told, and a question without items
// is said to have none.
func TestRunEnds(t *testing.T) {
	t.Parallel()
	s, err := read(t, "x.jsonl", labelled)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(err error) judge.Answer {
		return question.Support.By(func(context.Context, judge.Subject, question.SupportInput) ([]judge.Finding, error) { return nil, err })
	}
	run := func(a judge.Answer, names ...string) (*certify.Report, error) {
		return certify.Run(t.Context(), scripted{table: judge.NewAnswers(a)}, s, certify.Options{Questions: names, Now: time.Now})
	}
	if _, err := run(ask(&judge.FatalError{Err: errors.New("key refused")})); !judge.Fatal(err) {
		t.Errorf("error %v, want the fatal one", err)
	}
	r, err := run(ask(&judge.DeclinedError{Reason: "too poor"}))
	if err != nil || len(r.Certificates) != 0 || len(r.Omitted) != 6 || r.Omitted[0].Why != "too poor" {
		t.Errorf("%+v, %v: want all six omitted", r, err)
	}
	r, err = run(ask(&judge.Error{Operation: "support", Message: "no reply"}), "support")
	if err != nil || r.Certificates[0].Usable != 0 || *r.Certificates[0].Unusable.Value != 1 || r.Certificates[0].BalancedAccuracy.Why == "" {
		t.Errorf("%+v, %v: want a certificate without usable items", r, err)
	}
	total := 0
	count := certify.Options{Now: time.Now, Done: func(_, of int) { total = of }}
	r, err = certify.Run(t.Context(), scripted{table: judge.NewAnswers(ask(&judge.Error{Message: "no reply"}))}, s, count)
	if batches := 3; err != nil || total != batches || !strings.Contains(r.Omitted[0].Why, "does not support the task") {
		t.Errorf("%d batches asked about, %+v, %v: want the %d of claims, which the judge is able to rule on", total, r.Omitted, err, batches)
	}
	s.Items = nil
	if r, err = run(ask(nil), "support"); err != nil || !strings.HasPrefix(r.Omitted[0].Why, "no labelled data") {
		t.Errorf("%+v, %v: want no labelled data", r, err)
	}
	if _, err = run(ask(nil), "suport"); err == nil || !strings.Contains(err.Error(), `question "suport": expected one of support, equivalence`) {
		t.Errorf("error %v", err)
	}
}

// A sample has as many of each data set and label, no more than ten of a source, and is the
// same for the same seed.
func TestSample(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 300 {
		data, label, group := "big", []string{"yes", "no"}[i%2], fmt.Sprint(i/3)
		if i < 20 {
			data, group = "small", "one"
		}
		fmt.Fprintf(&b, `{"id":"%d","claim":"%d","context":"C.","label":"%s","dataset":"%s","group":"%s"}`+"\n", i, i, label, data, group)
	}
	asked := func(n int, seed uint64) map[string]int {
		var x batches
		certificates(t, judgeOf(&x), b.String(), certify.Options{Items: n, Seed: seed})
		out := map[string]int{}
		for _, c := range slices.Concat(x.claims...) {
			var i int
			_, _ = fmt.Sscan(c, &i)
			out[c]++
			out[fmt.Sprint(i < 20, i%2)]++
		}
		return out
	}
	first := asked(60, 1)
	got := [4]int{first["true 0"], first["true 1"], first["false 0"], first["false 1"]}
	if got[0]+got[1] != 10 || got[2]+got[3] != 50 || got[2] != 25 {
		t.Errorf("%v of the small and the big data set by label: want 10 and 25 each", got)
	}
	if fmt.Sprint(first) != fmt.Sprint(asked(60, 1)) {
		t.Error("the same seed gives another sample")
	}
	if fmt.Sprint(first) == fmt.Sprint(asked(60, 2)) {
		t.Error("another seed gives the same sample")
	}
	if all := asked(0, 1); all["true 0"]+all["true 1"]+all["false 0"]+all["false 1"] != 300 {
		t.Errorf("%v: want all 300", all)
	}
}

// The language of a certificate is that in which the judge was asked: of each item, or the one
// that is set for all.
func TestLanguageAsked(t *testing.T) {
	t.Parallel()
	const text = `{"id":"1","claim":"It is open.","context":"It is open.","label":"yes","language":"en"}
{"id":"2","claim":"It is shut.","context":"It is open.","label":"no","language":"en"}
{"id":"3","claim":"今天開門。","context":"今天開門。","label":"yes","language":"zh"}
`
	for _, c := range []struct {
		set  judge.Language
		want string
	}{
		{"", "en 2, asked en; zh 1, asked zh"},
		{judge.Chinese, "zh 3, asked zh"},
		{judge.English, "en 3, asked en"},
	} {
		var mu sync.Mutex
		asked := map[judge.Language]bool{}
		j := scripted{info: assay.JudgeInfo{Provider: "p"}, table: judge.NewAnswers(question.Support.By(
			func(_ context.Context, s judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
				mu.Lock()
				defer mu.Unlock()
				asked[s.Language] = true
				return make([]judge.Finding, len(in.Claims)), nil
			}))}
		_, r := certificates(t, j, text, certify.Options{Questions: []string{"support"}, Language: c.set})
		var got []string
		for _, x := range r.Certificates {
			if asked[judge.Language(x.Language)] {
				got = append(got, fmt.Sprintf("%s %d, asked %s", x.Language, x.Items, x.Language))
			}
		}
		if g := strings.Join(got, "; "); g != c.want || len(asked) != len(got) {
			t.Errorf("--judge-language %q: %s and asked %v, want %s", c.set, g, asked, c.want)
		}
	}
}
