package judged_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/metrictest"
)

// whole makes a case about which a judge has said everything, all of it good.
func whole(t *testing.T) metric.Input {
	x := asked(2)
	x.Case.Want.Ideal = &assay.Ideal{Answer: "Eiffel.", Points: []assay.Point{{Text: "Eiffel", Vital: true}, {Text: "iron"}}}
	a := x.Assessment
	question.Answer.Set(a, says(judge.Answered, 2))
	question.Reference.Set(a, says(judge.Answered, 1))
	setBoth(a, question.AnswerPassages, question.AnswerAlone, alone([]int{1, 0}, []int{1, 0}))
	question.AnswerReference.Set(a, yesNo(1, 1))
	setBoth(a, question.ReferencePassages, question.ReferenceAlone, alone([]int{1, 0}))
	question.ReferenceAnswer.Set(a, yesNo(1))
	question.Truth.Set(a, yesNo(1, 1))
	question.Relevance.Set(a, judge.Known([]judge.Grade{{Known: true, Level: 3, Degree: 1}, {Known: true, Level: 0}}))
	question.Equivalence.Set(a, judge.Known(judge.Ruling{Holds: true, Degree: 1}))
	question.Questions.Set(a, judge.Known([]judge.Reversed{{Question: "0.9"}}))
	question.Points.Set(a, judge.Known([]judge.Assignment{{Known: true, Credit: 1}, {Known: true, Credit: 0.5}}))
	cited := judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0, Alone: true}}}
	setBoth(a, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{
		{Sentence: 1, Text: "One.", Cites: []int{0}, Finding: cited}, {Sentence: 2, Text: "Two."},
	}))
	return x
}

// declined makes the answer decline, with all that follows from it.
func declined(t *testing.T, k judge.AnswerKind) metric.Input {
	x := whole(t)
	a := x.Assessment
	question.Answer.Set(a, says(k, 0))
	setBoth(a, question.AnswerPassages, question.AnswerAlone, yesNo())
	question.AnswerReference.Set(a, yesNo())
	question.Truth.Set(a, yesNo())
	question.ReferenceAnswer.Set(a, yesNo(0))
	question.Equivalence.Set(a, judge.Known(judge.Ruling{}))
	question.Points.Set(a, judge.Known([]judge.Assignment{{Known: true}, {Known: true}}))
	question.Questions.Set(a, judge.Known([]judge.Reversed{{Question: "0.9", Noncommittal: true}}))
	setBoth(a, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{{Sentence: 1, Text: "I do not know."}}))
	if k == judge.Empty {
		x.Response.Answer = ""
		setBoth(a, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited(nil)))
		question.Questions.Set(a, judge.Known([]judge.Reversed(nil)))
	}
	return x
}

func marked(x metric.Input, answerable bool) metric.Input {
	x.Case.Want.Answerable = &answerable
	return x
}

// What an answer that declines does to each metric, as a table: the score when
// the case is not marked or is answerable, and when it has no answer. A number is
// a score, "a" abstained, "-" not applicable.
func TestDeclining(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][3]string{
		"faithfulness":                   {"a", "a", "a"},
		"contradiction_rate":             {"a", "a", "a"},
		"conflict_rate":                  {"a", "a", "a"},
		"hallucination":                  {"a", "a", "a"},
		"self_knowledge":                 {"a", "a", "a"},
		"noise_sensitivity":              {"a", "a", "a"},
		"multi_chunk_only":               {"a", "a", "a"},
		"context_used_precision":         {"a", "a", "a"},
		"citation_precision":             {"a", "a", "a"},
		"citation_recall":                {"a", "a", "a"},
		"citation_support":               {"a", "a", "a"},
		"factual_accuracy":               {"a", "a", "a"},
		"addition_rate":                  {"a", "a", "a"},
		"grounded_precision":             {"a", "a", "a"},
		"factual_correctness(precision)": {"a", "a", "a"},
		"factual_correctness(recall)":    {"0", "0", "a"},
		"factual_correctness":            {"0", "0", "a"},
		"answer_correctness_f1":          {"0", "0", "a"},
		"answer_relevance":               {"0", "0", "a"},
		"grounded_f1":                    {"0", "0", "a"},
		"answer_correctness":             {"0", "0", "1"},
		"overall_accuracy":               {"-", "0", "1"},
		"selective_accuracy":             {"-", "a", "a"},
		"completeness":                   {"0", "0", "0"},
		"context_precision":              {"1", "1", "1"},
		"context_recall":                 {"1", "1", "1"},
		"context_utilization":            {"0", "0", "0"},
		"coverage":                       {"0", "0", "0"},
		"refusal":                        {"-", "0", "1"},
		"false_refusal_rate":             {"-", "1", "-"},
		"over_answer_rate":               {"-", "-", "0"},
		"abstention_precision":           {"-", "0", "1"},
		"abstention_recall":              {"-", "-", "1"},
		"abstention_f1":                  {"-", "0", "1"},
	} {
		for _, k := range []judge.AnswerKind{judge.Abstained, judge.Empty} {
			got := [3]string{
				brief(scored(t, name, declined(t, k))), brief(scored(t, name, marked(declined(t, k), true))),
				brief(scored(t, name, marked(declined(t, k), false))),
			}
			if got != want {
				t.Errorf("%s of an answer that is %s: %q: want %q", name, k, got, want)
			}
		}
	}
}

func brief(s assay.Score) string {
	switch s.State {
	case assay.Abstained:
		return "a"
	case assay.NotApplicable:
		return "-"
	case assay.Scored:
		return fmt.Sprint(s.Value)
	}
	return fmt.Sprintf("%s: %s", s.State, s.Reason)
}

func TestAnswering(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"answer_correctness": {"1", "0"}, "overall_accuracy": {"1", "0"}, "selective_accuracy": {"1", "0"}, "refusal": {"1", "0"},
		"coverage":           {"1", "1"},
		"false_refusal_rate": {"0", "-"}, "over_answer_rate": {"-", "1"}, "abstention_precision": {"-", "-"}, "abstention_recall": {"-", "0"},
		"abstention_f1": {"-", "0"},
	} {
		got := [2]string{brief(scored(t, name, marked(whole(t), true))), brief(scored(t, name, marked(whole(t), false)))}
		if got != want {
			t.Errorf("%s: %q: want %q", name, got, want)
		}
	}
	// A part of an answer is an answer.
	x := marked(whole(t), false)
	question.Answer.Set(x.Assessment, says(judge.Partial, 2))
	value(t, "over_answer_rate of a part", scored(t, "over_answer_rate", x), 1)
}

// A ruling is not needed where the answer declines what can be answered.
func TestDecliningNeedsNoRuling(t *testing.T) {
	t.Parallel()
	x := marked(declined(t, judge.Abstained), true)
	question.Equivalence.Set(x.Assessment, judge.Failed[judge.Ruling](errJudge))
	value(t, "answer_correctness", scored(t, "answer_correctness", x), 0)
	question.Answer.Set(x.Assessment, says(judge.KindUnknown, 1))
	state(t, "nobody said how it answers", scored(t, "answer_correctness", x), assay.JudgeError)
	x = whole(t)
	question.Equivalence.Set(x.Assessment, judge.Failed[judge.Ruling](errJudge))
	state(t, "no ruling", scored(t, "answer_correctness", x), assay.JudgeError)
}

// Where one passage says what another denies, the claim is supported and the conflict is told.
// With one passage there is nothing to conflict.
func TestConflict(t *testing.T) {
	t.Parallel()
	x := asked(3)
	question.Answer.Set(x.Assessment, says(judge.Answered, 4))
	disputed := metrictest.Ruled(judge.Supported, 0)
	disputed.Contrary = []judge.Quote{{Source: 2, Text: "words"}}
	setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, judge.Known([]judge.Finding{
		disputed, metrictest.Ruled(judge.Supported, 1), metrictest.Ruled(judge.Contradicted, 1), metrictest.Ruled(judge.NotFound),
	}))
	got := scored(t, "conflict_rate", x)
	value(t, "conflict_rate", got, 0.25)
	if len(got.Evidence) != 1 || got.Evidence[0].Kind != "conflict" || !strings.Contains(got.Evidence[0].Where, "against passage 3") {
		t.Errorf("evidence %+v: want the one claim, with the passage that denies it", got.Evidence)
	}
	for _, s := range got.Evidence[0].Spans {
		if s.Against != (s.Passage == 3) {
			t.Errorf("span %+v: want the words of passage 3 against the claim, and no others", s)
		}
	}
	value(t, "faithfulness", scored(t, "faithfulness", x), 0.5)
	value(t, "contradiction_rate", scored(t, "contradiction_rate", x), 0.25)
	x.Response.Passages[1].Text, x.Response.Passages[2].Text = "", " "
	state(t, "one passage with text", scored(t, "conflict_rate", x), assay.NotApplicable)
}

func TestNothingRetrieved(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name              string
		nothing, textless string
	}{
		{"faithfulness", "0", "-"},
		{"faithfulness(single)", "0", "-"},
		{"contradiction_rate", "-", "-"},
		{"conflict_rate", "-", "-"},
		{"hallucination", "0", "-"},
		{"self_knowledge", "1", "-"},
		{"noise_sensitivity", "0", "-"},
		{"context_precision", "0", "-"},
		{"context_recall", "0", "-"},
		{"claim_recall", "0", "-"},
		{"context_relevance", "0", "-"},
		{"graded_precision", "0", "-"},
		{"graded_mrr", "0", "-"},
		{"ndcg_self", "0", "-"},
		{"context_utilization", "-", "-"},
	} {
		x := whole(t)
		x.Response.Passages = []assay.Passage{}
		x.Assessment.Passages = 0
		question.Relevance.Set(x.Assessment, judge.Known([]judge.Grade(nil)))
		if got := brief(scored(t, tc.name, x)); got != tc.nothing {
			t.Errorf("%s with nothing retrieved: %s: want %s", tc.name, got, tc.nothing)
		}
		x = whole(t)
		for i := range x.Response.Passages {
			x.Response.Passages[i].Text = " "
		}
		if got := brief(scored(t, tc.name, x)); got != tc.textless {
			t.Errorf("%s of passages without text: %s: want %s", tc.name, got, tc.textless)
		}
	}
}

func TestCutoffsAndDepth(t *testing.T) {
	t.Parallel()
	grades := []judge.Grade{{Known: true}, {Known: true, Level: 3, Degree: 1}, {Known: true, Level: 2, Degree: 2.0 / 3}}
	x := asked(3)
	question.Relevance.Set(x.Assessment, judge.Known(grades))
	question.Reference.Set(x.Assessment, says(judge.Answered, 1))
	setBoth(x.Assessment, question.ReferencePassages, question.ReferenceAlone, alone([]int{0, 1, 1}))
	for name, want := range map[string]float64{
		"context_relevance": 5.0 / 9, "context_relevance@1": 0, "context_relevance@2": 0.5, "context_relevance@50": 5.0 / 9,
		"graded_precision": 2.0 / 3, "graded_precision@2": 0.5, "graded_mrr": 0.5, "graded_mrr@1": 0,
		// AP at 2: useful at rank 2 only, precision 1/2. At 3: (1/2 + 2/3) / 2.
		"context_precision@2": 0.5, "context_precision": 7.0 / 12, "context_precision@1": 0, "context_precision@2(share)": 0.5,
	} {
		value(t, name, scored(t, name, x), want)
	}
	// The judge saw two of three.
	x.Assessment.Passages = 2
	question.Relevance.Set(x.Assessment, judge.Known(grades[:2]))
	value(t, "context_relevance of two", scored(t, "context_relevance", x), 0.5)
	value(t, "context_precision of two", scored(t, "context_precision", x), 0.5)
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	x := whole(t)
	question.Answer.Set(x.Assessment, says(judge.Answered, 5))
	findings := []judge.Finding{
		{Verdict: judge.Supported, Degree: 1},
		{Verdict: judge.NotFound, Why: "not said"},
		{Verdict: judge.Contradicted, Why: "it was 1889", Quotes: []judge.Quote{{Source: 1, Text: "1889"}}},
		{Verdict: judge.Supported, Degree: 1, Votes: judge.Votes{For: 2, Against: 1}},
		{Why: "the judge left it out"},
	}
	setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, judge.Known(findings))
	s := scored(t, "faithfulness", x)
	want := []assay.Evidence{
		{Kind: "supported", Text: "claim 1", Where: "sentence 1", Spans: []assay.Span{{End: len(x.Response.Answer)}}},
		{Kind: "unsupported", Text: "claim 2 — not said", Where: "sentence 2"},
		{Kind: "contradicted", Text: "claim 3 — it was 1889", Where: "sentence 3, against passage 2"},
		{Kind: "split", Text: "claim 4", Where: "sentence 4, split vote 2 to 1"},
		{Kind: "unknown", Text: "claim 5 — the judge left it out", Where: "sentence 5"},
	}
	if d := cmp.Diff(want, s.Evidence); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// 2 of 4 known; 2/5 and 3/5 with the fifth either way.
	if s.Value != 0.5 || s.Lower != 0.4 || s.Upper != 0.6 || !strings.Contains(s.Reason, "1 of 5") {
		t.Errorf("%+v: want 0.5 in 0.4…0.6", s)
	}
	// Against the reference there is no passage to point at.
	question.AnswerReference.Set(x.Assessment, judge.Known(findings))
	if e := scored(t, "factual_correctness(precision)", x).Evidence; len(e) != 4 || e[1].Where != "sentence 3" {
		t.Errorf("evidence %+v", e)
	}
	points := scored(t, "completeness", whole(t)).Evidence
	if d := cmp.Diff([]assay.Evidence{{Kind: "in part", Text: "iron"}}, points); d != "" {
		t.Errorf("points (-want +got):\n%s", d)
	}
}

// A single passage must do for support=single, several may do for the headline.
func TestJointSupport(t *testing.T) {
	t.Parallel()
	x := whole(t)
	setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, judge.Known([]judge.Finding{
		{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0}, {Source: 1}}},
		{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 1, Alone: true}}},
	}))
	// Both claims are wrong; passage 1, of index 0, is the relevant one.
	question.AnswerReference.Set(x.Assessment, yesNo(0, 0))
	for name, want := range map[string]float64{
		"faithfulness": 1, "faithfulness(single)": 0.5, "multi_chunk_only": 0.5, "hallucination": 0, "hallucination(single)": 0.5,
		// The joint claim is taken from a relevant passage and another, the
		// single one from an irrelevant one.
		"noise_sensitivity(relevant)": 0.5, "noise_sensitivity(irrelevant)": 0.5, "noise_sensitivity(relevant,single)": 0,
		"noise_sensitivity(irrelevant,single)": 0.5,
		// Passage 2 alone supports a claim: AP is 1/2.
		"context_used_precision": 0.5,
	} {
		value(t, name, scored(t, name, x), want)
	}
}

// Estimates are fractional credit.
func TestEstimates(t *testing.T) {
	t.Parallel()
	x := whole(t)
	x.Assessment.Estimate = true
	setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, judge.Known([]judge.Finding{
		{Verdict: judge.Supported, Degree: 0.8, Quotes: []judge.Quote{{Source: 0, Alone: true}}}, {Verdict: judge.NotFound, Degree: 0.3},
	}))
	value(t, "faithfulness", scored(t, "faithfulness", x), 0.55)
	question.Equivalence.Set(x.Assessment, judge.Known(judge.Ruling{Holds: true, Degree: 0.7}))
	value(t, "answer_correctness", scored(t, "answer_correctness", x), 0.7)
}

func TestCitationSentences(t *testing.T) {
	t.Parallel()
	supported := judge.Finding{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0, Alone: true}}}
	x := asked(3)
	// Sentence 1 is a greeting without a claim; 2 is uncited; 3 cites two
	// passages of which one would do; 4 cites one that does not exist.
	question.Answer.Set(
		x.Assessment,
		judge.Known(judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{{Text: "a", Sentence: 2}, {Text: "b", Sentence: 3}}}),
	)
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{
		{Sentence: 1, Text: "Hello!"}, {Sentence: 2, Text: "It is tall."},
		{Sentence: 3, Text: "It is old.", Cites: []int{0, 1}, Finding: supported}, {Sentence: 4, Text: "So.", Invalid: []int{9}},
	}))
	value(t, "recall", scored(t, "citation_recall", x), 1.0/3)
	p := scored(t, "citation_precision", x)
	value(t, "precision", p, 1.0/3)
	want := []assay.Evidence{
		{Kind: "redundant", Text: "It is old.", Where: "sentence 3, [2]"}, {Kind: "no such passage", Text: "So.", Where: "sentence 4, [9]"},
	}
	if d := cmp.Diff(want, p.Evidence); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// A passage that is quoted beside one that suffices is redundant too.
	both := supported
	both.Quotes = []judge.Quote{{Source: 0, Alone: true}, {Source: 1}}
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{
		{Sentence: 3, Text: "It is old.", Cites: []int{0, 1}, Finding: both},
	}))
	value(t, "precision", scored(t, "citation_precision", x), 0.5)
	// Of two that only together suffice, both are needed.
	both.Quotes = []judge.Quote{{Source: 0}, {Source: 1}}
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{
		{Sentence: 3, Text: "It is old.", Cites: []int{0, 1, 2}, Finding: both},
	}))
	value(t, "precision", scored(t, "citation_precision", x), 2.0/3)
	// Nothing cited: no precision, no recall.
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{{Sentence: 2, Text: "It is tall."}}))
	state(t, "precision", scored(t, "citation_precision", x), assay.NotApplicable)
	value(t, "recall", scored(t, "citation_recall", x), 0)
	value(t, "support", scored(t, "citation_support(recall)", x), 0)
	// Cited, but not by the number of a passage: unknown, and not an answer that cites nothing.
	for _, answer := range []string{"It is tall [ID:0].", "It is tall 【4:0†tower.md】.", "It is tall (tower.pdf, p. 3)."} {
		x.Response.Answer = answer
		state(t, answer, scored(t, "citation_recall", x), assay.NotApplicable)
	}
	x.Response.Answer = "It is 300 m² and 10⁶ years old."
	value(t, "exponents", scored(t, "citation_recall", x), 0)
}

func TestQuotedSpans(t *testing.T) {
	t.Parallel()
	passages := []string{"The tower was built in 1889 by Gustave Eiffel, of iron.", "It is 330 metres tall.",
		"巴黎鐵塔於一八八九年落成，高330米。"}
	for _, tc := range []struct{ answer, want string }{
		{"No quotation.", "-"},
		{`Called "The Tower".`, "-"},
		{`They say "was built in 1889".`, "1"},
		{`They say “WAS  built in 1889.” And „of solid gold bars“.`, "0.5"},
		{`"The tower was built … by Gustave Eiffel."`, "1"},
		{`"The tower was sold [...] by Gustave Eiffel"`, "0"},
		{"「巴黎鐵塔於一八八九年落成」和「鐵塔」", "1"},
		{"『巴黎鐵塔於一九八九年落成』", "0"},
		// It stands in passage 2, and passage 1 is cited.
		{`"It is 330 metres tall" [1].`, "0"},
		{`"It is 330 metres tall" [2].`, "1"},
		{`"It is 330 metres [2] tall"`, "1"},
		{"\"It is 330\n\nmetres tall\"", "-"},
	} {
		x := asked(0)
		x.Response.Answer = tc.answer
		for _, p := range passages {
			x.Response.Passages = append(x.Response.Passages, assay.Passage{Text: p})
		}
		if got := brief(scored(t, "quoted_spans", x)); got != tc.want {
			t.Errorf("%q: %s: want %s", tc.answer, got, tc.want)
		}
	}
}

func TestEntities(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reference, passage, want string
		missing                  []string
	}{
		{"Gustave Eiffel built it in 1889.", "gustave eiffel, 1889", "1", nil},
		{"The Bank of England was founded in 1694. It is in London.", "London", "0.3333333333333333", []string{"Bank of England", "1694"}},
		{"It costs 1,200 euros, or 1.2k.", "1200", "1", nil},
		{"On 5 June 2024 the UN met in Rome.", "The UN met on 2024-06-05.", "0.6666666666666666", []string{"Rome"}},
		{"法國於1889年建成。", "1889", "1", nil},
		{"nothing here", "x", "-", nil},
	} {
		x := asked(0)
		x.Case.Want.Answers = []string{tc.reference}
		x.Response.Passages = []assay.Passage{{Text: tc.passage}}
		s := scored(t, "context_entity_recall", x)
		var missing []string
		for _, e := range s.Evidence {
			missing = append(missing, e.Text)
		}
		if got := brief(s); got != tc.want || cmp.Diff(tc.missing, missing) != "" {
			t.Errorf("%q in %q: %s, missing %q: want %s, %q", tc.reference, tc.passage, got, missing, tc.want, tc.missing)
		}
	}
}

func TestRubricThatIsNone(t *testing.T) {
	t.Parallel()
	x := asked(0)
	question.Marks.Set(x.Assessment, judge.Known([]judge.Mark{{Level: 1}}))
	state(t, "no rubric", scored(t, "rubric", x), assay.NotApplicable)
	x.Assessment.Rubric.Dimensions = []judge.Dimension{{Name: "tone", Weight: 1, Anchors: []string{"rude", "kind"}},
		{Name: "form", Weight: 1, Anchors: []string{"", ""}}}
	state(t, "a mark missing", scored(t, "rubric", x), assay.JudgeError)
	for _, level := range []float64{-0.5, 1.5, math.NaN()} {
		question.Marks.Set(x.Assessment, judge.Known([]judge.Mark{{Level: 1}, {Level: level}}))
		if s := scored(t, "rubric", x); s.State != assay.JudgeError || !strings.Contains(s.Reason, "expected 0 to 1") {
			t.Errorf("level %v: %+v: want %s", level, s, assay.JudgeError)
		}
	}
}

// Of 40, 25, 20 and 15 points 30, 12.5, 20 and 0 are given: 62.5 of 100.
func TestKeyQuestions(t *testing.T) {
	t.Parallel()
	x := asked(0)
	x.Response.Trace = &assay.Trace{Stages: []assay.Stage{{Name: assay.StageDecompose, Output: []byte(`["who?","when?"]`)}}}
	state(t, "not asked", scored(t, "key_questions", x), assay.NotApplicable)
	marks := []judge.Mark{{Level: 30, Why: "a year is lost"}, {Level: 12.5}, {Level: 20}, {Level: 0}}
	question.KeyQuestions.Set(x.Assessment, judge.Known(marks))
	s := scored(t, "key_questions", x)
	value(t, "key_questions", s, 0.625)
	if len(s.Evidence) != 4 || s.Evidence[0].Text != "fidelity: 30 of 40 — a year is lost" {
		t.Errorf("evidence %+v", s.Evidence)
	}
	question.KeyQuestions.Set(x.Assessment, judge.Known([]judge.Mark{{Level: 30}}))
	state(t, "marks missing", scored(t, "key_questions", x), assay.JudgeError)
}

// What contradicts a claim does not support it, however the estimate falls out.
func TestContradictionIsNoUse(t *testing.T) {
	t.Parallel()
	x := whole(t)
	setBoth(
		x.Assessment, question.ReferencePassages, question.ReferenceAlone,
		judge.Known([]judge.Finding{{Verdict: judge.Contradicted, Degree: 0.25, Quotes: []judge.Quote{{Source: 0, Alone: true}}}}),
	)
	value(t, "context_precision", scored(t, "context_precision", x), 0)
	value(t, "context_precision(share)", scored(t, "context_precision(share)", x), 0)
}

// A judge that breaks its promise of one ruling each gives no score.
func TestListsOfTheWrongLength(t *testing.T) {
	t.Parallel()
	x := whole(t)
	a := x.Assessment
	setBoth(a, question.AnswerPassages, question.AnswerAlone, yesNo(1))
	setBoth(a, question.ReferencePassages, question.ReferenceAlone, yesNo(1, 1))
	question.Relevance.Set(a, judge.Known([]judge.Grade{{Known: true}}))
	question.Points.Set(a, judge.Known([]judge.Assignment{{Known: true}}))
	for _, name := range []string{"faithfulness", "context_recall", "context_relevance", "completeness"} {
		if s := scored(t, name, x); s.State != assay.JudgeError || !strings.Contains(s.Reason, "the judge gave") {
			t.Errorf("%s: %+v: want %s", name, s, assay.JudgeError)
		}
	}
}

// A ruling that cannot matter may be missing: what the passages support is not
// made up, whatever the reference says.
func TestRulingsThatDoNotMatter(t *testing.T) {
	t.Parallel()
	x := whole(t)
	question.AnswerReference.Set(x.Assessment, rulings(t, "unknown", "unknown"))
	for _, name := range []string{"hallucination", "self_knowledge"} {
		if s := scored(t, name, x); s.State != assay.Scored || s.Value != 0 || s.Upper != 0 || s.Reason != "" {
			t.Errorf("%s: %+v: want 0, and sure", name, s)
		}
	}
	state(t, "noise_sensitivity", scored(t, "noise_sensitivity", x), assay.JudgeError)
}

func TestBlankQuestions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name         string
		written      []judge.Reversed
		value        float64
		lower, upper float64
	}{
		// An evasion leaves nothing to ask, and is no failure of the judge.
		{"evasions", []judge.Reversed{{Noncommittal: true}, {Noncommittal: true}}, 0, 0, 0},
		{"an evasion and a question", []judge.Reversed{{Noncommittal: true}, {Question: "0.5"}}, 0.5, 0.5, 0.5},
		// (0.5 - 1) / 2 is below 0; (0.5 + 1) / 2.
		{"a blank and a question", []judge.Reversed{{}, {Question: "0.5"}}, 0.5, 0, 0.75},
		{"a question far off", []judge.Reversed{{Question: "-0.5"}}, 0, 0, 0},
	} {
		x := asked(0)
		question.Questions.Set(x.Assessment, judge.Known(tc.written))
		s := scored(t, "answer_relevance", x)
		near(t, tc.name, s, tc.value)
		if d := max(s.Lower-tc.lower, tc.lower-s.Lower, s.Upper-tc.upper, tc.upper-s.Upper); d > float32Tolerance {
			t.Errorf("%s: %v to %v: want %v to %v", tc.name, s.Lower, s.Upper, tc.lower, tc.upper)
		}
	}
}

// Only metrics that tell passages apart have a judge asked which of them suffice alone.
func TestWhoAsksWhatSufficesAlone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]judge.Asks{
		"faithfulness": nil, "hallucination": nil, "self_knowledge": nil, "context_recall": nil, "citation_recall": nil, "conflict_rate": nil,
		"contradiction_rate": nil, "factual_accuracy": nil, "factual_correctness": nil, "grounded_f1": nil,
		"faithfulness(support=single)":   {question.AnswerAlone},
		"hallucination(support=single)":  {question.AnswerAlone},
		"self_knowledge(support=single)": {question.AnswerAlone},
		"multi_chunk_only":               {question.AnswerAlone},
		"context_used_precision":         {question.AnswerAlone},
		"claim_recall":                   {question.ReferenceAlone},
		"context_precision@2":            {question.ReferenceAlone},
		"context_utilization":            {question.ReferenceAlone},
		"noise_sensitivity":              {question.AnswerAlone, question.ReferenceAlone},
		"citation_precision":             {question.CitationsAlone},
		"citation_support(stat=recall)":  {question.CitationsAlone},
	} {
		m, err := catalog.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []judge.AnyQuestion{question.AnswerAlone, question.ReferenceAlone, question.CitationsAlone} {
			if got := m.Asks().With().Has(q.ID()); got != want.Has(q.ID()) {
				t.Errorf("%s asks for the %s: %v, want %v", name, q, got, !got)
			}
		}
	}
}

// The five metrics that most runs ask for need five calls: two readings, one
// support of both by the passages, one equivalence, one list of questions; and a sixth
// where several passages support a claim of the reference, for context_precision.
func TestFiveMetricsAskSixThings(t *testing.T) {
	t.Parallel()
	var asks judge.Asks
	for _, name := range []string{"faithfulness", "answer_relevance", "context_precision", "context_recall", "answer_correctness"} {
		m, err := catalog.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		asks = asks.Join(m.Asks())
	}
	want := judge.Asks{
		question.Answer, question.AnswerPassages, question.Questions, question.Reference, question.ReferencePassages,
		question.ReferenceAlone, question.Equivalence,
	}
	if got := asks.With(); !slices.Equal(got, want) {
		t.Errorf("asked for %v: want %v", got, want)
	}
}
