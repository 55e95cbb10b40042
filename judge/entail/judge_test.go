package entail_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// A table scores the pairs whose document contains a key and whose claim is the other.
type table map[[2]string]entail.Score

func (s table) Score(ctx context.Context, pairs []entail.Pair) ([]entail.Score, error) {
	out := make([]entail.Score, len(pairs))
	for i, p := range pairs {
		for key, score := range s {
			if strings.Contains(p.Document, key[0]) && p.Claim == key[1] && score.Entailed >= out[i].Entailed {
				out[i] = score
			}
		}
	}
	return out, ctx.Err()
}

type failing struct{ err error }

func (f failing) Score(context.Context, []entail.Pair) ([]entail.Score, error) { return nil, f.err }

func judgeOf(t *testing.T, s entail.Scorer, window int, thresholds ...float64) *entail.Judge {
	t.Helper()
	var by judge.Thresholds
	if n := len(thresholds); n > 0 {
		by = judge.Thresholds{judge.English: judge.Exactly(thresholds[0]), judge.Chinese: judge.Exactly(thresholds[n-1])}
	}
	j, err := entail.New(entail.Config{Scorer: s, Provider: "tei", Model: "m", Form: "f", Window: window, Thresholds: by})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func ruled(t *testing.T, j judge.Judge, claims []string, sources ...string) ([]judge.Finding, []string) {
	t.Helper()
	var in question.SupportInput
	for _, c := range claims {
		in.Claims = append(in.Claims, judge.Claim{Text: c})
	}
	for i, s := range sources {
		in.Sources = append(in.Sources, judge.Source{Name: fmt.Sprint("passage ", i+1), Text: s})
	}
	var m judge.Meter
	out, err := question.Support.Ask(judge.WithMeter(t.Context(), &m), j, judge.Subject{Language: judge.English}, in)
	if err != nil {
		t.Fatal(err)
	}
	_, warnings := m.Total()
	return out, warnings
}

func p(v float64) *float64 { return &v }

func TestRulings(t *testing.T) {
	t.Parallel()
	scores := table{
		{"nine", "open"}: {Entailed: 0.9}, {"eight", "open"}: {Entailed: 0.5}, {"seven", "open"}: {Entailed: 0.49},
		{"closed", "open"}: {Entailed: 0.1, Contradicted: p(0.8)}, {"torn", "open"}: {Entailed: 0.6, Contradicted: p(0.3)},
		{"doubt", "open"}: {Entailed: 0.1, Contradicted: p(0.4)}, {"mute", "open"}: {Why: "the reply is blank"},
	}
	for _, c := range []struct {
		name    string
		sources []string
		verdict judge.Verdict
		score   float64
		quotes  string
	}{
		{"one source", []string{"It says nine."}, judge.Supported, 0.9, "[{0 It says nine. true}]"},
		{"each source from the threshold on", []string{"At seven.", "At eight.", "", "At nine."}, judge.Supported, 0.9,
			"[{1 At eight. true} {3 At nine. true}]"},
		{"at the threshold", []string{"At eight."}, judge.Supported, 0.5, "[{0 At eight. true}]"},
		{"below the threshold", []string{"At seven.", "Never."}, judge.NotFound, 0.49, "[]"},
		{"contradicted", []string{"Never.", "It is closed."}, judge.Contradicted, 0.1, "[{1 It is closed. true}]"},
		{"supported by one, contradicted by another", []string{"It is closed.", "At nine."}, judge.Supported, 0.9, "[{1 At nine. true}]"},
		{"a little of both", []string{"It is torn."}, judge.Supported, 0.6, "[{0 It is torn. true}]"},
		{"contradiction below even odds", []string{"In doubt."}, judge.NotFound, 0.1, "[]"},
		{"no score", []string{"It is mute."}, judge.Unknown, 0, "[]"},
		{"no score of one, support by another", []string{"It is mute.", "At nine."}, judge.Supported, 0.9, "[{1 At nine. true}]"},
		{"no score of one, none of another", []string{"It is mute.", "Never."}, judge.Unknown, 0, "[]"},
		{"no text", []string{"", " "}, judge.NotFound, 0, "[]"},
		{"no source", nil, judge.NotFound, 0, "[]"},
	} {
		f, _ := ruled(t, judgeOf(t, scores, 0), []string{"open"}, c.sources...)
		got := f[0]
		score, credit := 0., 0.
		if got.Score != nil {
			score = *got.Score
		}
		if c.verdict == judge.Supported {
			credit = 1
		}
		if got.Verdict != c.verdict || score != c.score || got.Degree != credit || fmt.Sprint(got.Quotes) != c.quotes || got.Why == "" ||
			got.Singly != (c.verdict == judge.Supported) {
			t.Errorf("%s: %+v, score %v\nwant %v, %v, %s", c.name, got, score, c.verdict, c.score, c.quotes)
		}
		contrary := ""
		if got.Conflict() {
			contrary = fmt.Sprint(got.Contrary)
		}
		if want := map[string]string{"supported by one, contradicted by another": "[{0 It is closed. false}]"}[c.name]; contrary != want {
			t.Errorf("%s: conflict %q, want %q", c.name, contrary, want)
		}
	}
}

// The best window of a long source decides, and the quote is its sentence nearest to the claim.
func TestWindowsOfASource(t *testing.T) {
	t.Parallel()
	source := "The town has a port. It rains often. The ferry to the island leaves at nine. Bring a coat. Dogs are welcome."
	claim := "The ferry leaves at nine."
	f, _ := ruled(t, judgeOf(t, table{{"nine", claim}: {Entailed: 0.8}, {"port", claim}: {Entailed: 0.6}}, 11), []string{claim}, source)
	if *f[0].Score != 0.8 || fmt.Sprint(f[0].Quotes) != "[{0 The ferry to the island leaves at nine. true}]" || !strings.Contains(f[0].Why, "of 3 windows; support from 0.50 on") {
		t.Errorf("%+v", f[0])
	}
}

// A claim is compared with the sources that it is within, and a pair is scored once.
func TestWithin(t *testing.T) {
	t.Parallel()
	var asked []entail.Pair
	s := watched{table{{"nine", "open"}: {Entailed: 0.9}}, &asked}
	in := question.SupportInput{
		Claims: []judge.Claim{
			{Text: "open", Within: []int{1}}, {Text: "open", Within: []int{0}}, {Text: "open"}, {Text: "open", Within: []int{}}, {Text: "open", Within: []int{7}},
		},
		Sources: []judge.Source{{Text: "Never."}, {Text: "At nine."}},
	}
	f, err := question.Support.Ask(t.Context(), judgeOf(t, s, 0), judge.Subject{}, in)
	if err != nil {
		t.Fatal(err)
	}
	var verdicts []judge.Verdict
	for _, one := range f {
		verdicts = append(verdicts, one.Verdict)
	}
	want := []judge.Verdict{judge.Supported, judge.NotFound, judge.Supported, judge.NotFound, judge.NotFound}
	if !slices.Equal(verdicts, want) || len(asked) != 2 {
		t.Errorf("%v, %d pairs: want %v, 2", verdicts, len(asked), want)
	}
}

type watched struct {
	entail.Scorer
	asked *[]entail.Pair
}

func (w watched) Score(ctx context.Context, pairs []entail.Pair) ([]entail.Score, error) {
	*w.asked = append(*w.asked, pairs...)
	return w.Scorer.Score(ctx, pairs)
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	j := judgeOf(t, table{{"nine", "open"}: {Entailed: 0.6}}, 0, 0.7, 0.5)
	in := question.SupportInput{Claims: []judge.Claim{{Text: "open"}}, Sources: []judge.Source{{Text: "nine"}}}
	for l, want := range map[judge.Language]judge.Verdict{judge.English: judge.NotFound, judge.Chinese: judge.Supported} {
		f, err := question.Support.Ask(t.Context(), j, judge.Subject{Language: l}, in)
		if err != nil || f[0].Verdict != want || *f[0].Score != 0.6 {
			t.Errorf("%s: %+v, %v: want %v", l, f, err, want)
		}
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	a, b := judgeOf(t, table{}, 350), judgeOf(t, table{}, 350, 0.7, 0.4)
	info, other := a.Info(), b.Info()
	if info.Provider != "tei" || info.Model != "m" || info.Passes != 1 || info.Parameters["window"] != "350" || info.Parameters["threshold"] != "0.5" ||
		other.Parameters["threshold"] != "0.7" || other.Parameters["threshold.zh"] != "0.4" || info.Prompts["support"] == "" {
		t.Errorf("%+v, %+v", info, other)
	}
	// Runs with other thresholds are not comparable, but the certificate of one fits the other.
	beside := judge.Delegating(a, map[string]judge.Judge{"support": b}).Info()
	certificate := assay.Certificate{Question: "support", Judge: info}
	if assay.SameJudge(&info, &other, nil) || !certificate.Fits(&other) || !certificate.Fits(&beside) {
		t.Error("the threshold is a part of the identity of rulings, and none of that of certificates")
	}
	narrow := judgeOf(t, table{}, 100).Info()
	if certificate.Fits(&narrow) {
		t.Error("a certificate fits another window")
	}
}

func TestFails(t *testing.T) {
	t.Parallel()
	in := question.SupportInput{Claims: []judge.Claim{{Text: "open"}}, Sources: []judge.Source{{Text: "nine"}}}
	var m judge.Meter
	ctx := judge.WithMeter(t.Context(), &m)
	_, err := question.Support.Ask(ctx, judgeOf(t, failing{&llm.Error{Kind: llm.KindReply, Message: "odd"}}, 0), judge.Subject{}, in)
	var e *judge.Error
	if spent, _ := m.Total(); !errors.As(err, &e) || e.Operation != "support" || !strings.Contains(e.Message, "odd") || spent.Failed != 1 {
		t.Errorf("%v, %+v", err, spent)
	}
	_, err = question.Support.Ask(ctx, judgeOf(t, failing{&llm.Error{Kind: llm.KindAuth, Message: "no key"}}, 0), judge.Subject{}, in)
	if !judge.Fatal(err) {
		t.Errorf("%v: want one that ends the run", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = question.Support.Ask(ended, judgeOf(t, failing{context.Canceled}, 0), judge.Subject{}, in); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: want %v", err, context.Canceled)
	}
	if _, err := question.Read.Ask(t.Context(), judgeOf(t, table{}, 0), judge.Subject{}, "A text."); !errors.As(err, &e) || e.Operation != "claims" {
		t.Errorf("%v: want a task that the judge does not answer", err)
	}
	for _, c := range []entail.Config{{}, {Scorer: table{}, Window: -1}} {
		if _, err := entail.New(c); err == nil {
			t.Errorf("%+v: want an error", c)
		}
	}
}
