package judged_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// told returns the kinds of a score's evidence with the words of their spans.
func told(t *testing.T, in metric.Input, s assay.Score) [][]string {
	t.Helper()
	var out [][]string
	for _, e := range s.Evidence {
		said := []string{e.Kind}
		for _, p := range e.Spans {
			words, ok := in.Response.Words(p)
			if !ok {
				t.Fatalf("%s %q: the response has no span %+v", e.Kind, e.Text, p)
			}
			said = append(said, []string{"answer", "passage 1", "passage 2", "passage 3"}[p.Passage]+": "+words)
		}
		out = append(out, said)
	}
	return out
}

func TestSpans(t *testing.T) {
	t.Parallel()
	x := asked(3)
	x.Response.Answer = "Boards up to “2.5 m” travel free [1]. Longer ones are freight. Ask on board [3]."
	x.Response.Passages = []assay.Passage{
		{Title: "Surfboards", Text: "Boards up to 1.8 m travel free;\n  longer ones go as freight."}, {Text: "Ask us."}, {Text: "x"},
	}
	question.Answer.Set(x.Assessment, judge.Known(judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{
		{Text: `boards up to "2.5 m" travel free`, Sentence: 1}, {Text: "Surfboards that are longer are freight.", Sentence: 2},
		{Text: "ask on board"}, {Text: "made of whole cloth"}, {Text: "a sentence that is not there", Sentence: 9},
	}}))
	findings := []judge.Finding{
		{Verdict: judge.Contradicted, Quotes: []judge.Quote{{Source: 0, Text: "up to 1.8 m ... freight"}}},
		{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0, Text: "Longer ones go as freight.", Alone: true}}},
		{Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0, Text: "Surfboards"}, {Source: 1, Text: "ask us"},
			{Source: 7, Text: "x"}, {Source: 1, Text: "never said"}}},
		{Verdict: judge.NotFound}, {},
	}
	setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, judge.Known(findings))
	first, second := "answer: Boards up to “2.5 m” travel free", "answer: Longer ones are freight."
	every := [][]string{
		{"contradicted", first, "passage 1: up to 1.8 m", "passage 1: freight"},
		{"supported", second, "passage 1: longer ones go as freight"},
		{"supported", "answer: Ask on board", "passage 2: Ask us"},
		{"unsupported"}, {"unknown"},
	}
	// The claims of the answer, whatever their ruling, are listed by faithfulness alone.
	if d := cmp.Diff(every, told(t, x, scored(t, "faithfulness", x))); d != "" {
		t.Errorf("faithfulness (-want +got):\n%s", d)
	}
	if d := cmp.Diff([][]string{every[0], every[4]}, told(t, x, scored(t, "contradiction_rate", x))); d != "" {
		t.Errorf("contradiction_rate (-want +got):\n%s", d)
	}
	question.AnswerReference.Set(x.Assessment, yesNo(0, 0, 0, 0, 0))
	if d := cmp.Diff([][]string{append([]string{"hallucinated"}, every[0][1:]...), {"hallucinated"}, {"unknown"}},
		told(t, x, scored(t, "hallucination", x))); d != "" {
		t.Errorf("hallucination (-want +got):\n%s", d)
	}
	// The reference has no text in the response. What it is held against has.
	question.Reference.Set(x.Assessment, says(judge.Answered, 2))
	held := []judge.Finding{{Verdict: judge.Contradicted, Quotes: []judge.Quote{{Source: 1, Text: "Ask us"}}}, {Verdict: judge.NotFound}}
	setBoth(x.Assessment, question.ReferencePassages, question.ReferenceAlone, judge.Known(held))
	if d := cmp.Diff([][]string{{"missing", "passage 2: Ask us"}, {"missing"}}, told(t, x, scored(t, "context_recall", x))); d != "" {
		t.Errorf("context_recall (-want +got):\n%s", d)
	}
	held[0].Quotes = []judge.Quote{{Source: 0, Text: "longer ones are freight"}}
	question.ReferenceAnswer.Set(x.Assessment, judge.Known(held))
	recall := told(t, x, scored(t, "factual_correctness(stat=recall)", x))
	if d := cmp.Diff([][]string{{"missing", strings.TrimSuffix(second, ".")}, {"missing"}}, recall); d != "" {
		t.Errorf("factual_correctness (-want +got):\n%s", d)
	}
	cited := question.Cite(x.Response.Answer, 3)
	cited[0].Finding = findings[0]
	cited[2].Finding = judge.Finding{Verdict: judge.NotFound}
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known(cited))
	sentences := [][]string{
		{"unsupported", first + " [1].", "passage 1: up to 1.8 m", "passage 1: freight"}, {"uncited", second},
		{"unsupported", "answer: Ask on board [3]."},
	}
	if d := cmp.Diff(sentences, told(t, x, scored(t, "citation_recall", x))); d != "" {
		t.Errorf("citation_recall (-want +got):\n%s", d)
	}
	if d := cmp.Diff([][]string{sentences[0], sentences[2]}, told(t, x, scored(t, "citation_precision", x))); d != "" {
		t.Errorf("citation_precision (-want +got):\n%s", d)
	}
}
