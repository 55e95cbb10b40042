package question

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/llm/prompt"
)

// One word counts, in any case and with any punctuation; drafts in a model's reasoning do not.
// Everything else is refused with the reason.
func TestReadTrueFalse(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		"TRUE": "true", "FALSE": "false", "true": "true", "False.": "false", " \n**TRUE**\n": "true", "\"FALSE\"": "false",
		"`true`!": "true", "\ufeffTRUE。": "true", "```\nFALSE\n```": "false",
		"<think>The year is FALSE? No, it is the same.</think>\n\nTRUE": "true",
		"":                          "it is empty",
		"<think>TRUE</think>":       "it is empty",
		"TRUE or FALSE":             "says both TRUE and FALSE",
		"TRUE\nFALSE":               "says both TRUE and FALSE",
		"<think>TRUE or FALSE":      "it is empty",
		"The answers agree.":        "says neither TRUE nor FALSE",
		"Untrue":                    "says neither TRUE nor FALSE",
		"yes":                       "says neither TRUE nor FALSE",
		"对":                         "says neither TRUE nor FALSE",
		"…":                         "says neither TRUE nor FALSE",
		"The statement is not TRUE": "says more than TRUE or FALSE",
		"TRUE, TRUE":                "true", "FALSE FALSE FALSE": "false", "FALSE</s>": "false", "FALSE\n<|im_end|>": "false", "</think>FALSE": "false",
		"TRUE maybe</think>FALSE": "false", "<answer>FALSE</answer>": "false", "The years differ. Final answer: FALSE": "false",
		"The answer is TRUE only in part.\n\n**Final Answer:** FALSE.": "false", "<|im_start|>assistant\nTRUE<|im_end|>": "true",
		`{"verdict": "FALSE"}`: "false", `{"is_correct": false}`: "false", `{"Final Answer": "TRUE"}`: "true", `{"TRUE": false}`: "false",
		`{"false": true}`: "says both", `{"false": false}`: "says more", `{"not_true": true}`: "says more", `{"incorrect": true}`: "says more",
		`{"contradicts": true}`: "says more", `{"hallucination": true}`: "says more", `{"is_false": true}`: "says more",
		`{"answer_is_wrong": "TRUE"}`: "says more", `{"not_equivalent": true}`: "says more", `{"answer": "TRUE", "error": true}`: "says more",
		`{"confident": true}`: "says more", `{"Final_Verdict": false}`: "false", `{"isCorrect": true}`: "true", `{"supported": false}`: "false",
		"TRUE<|eot_id|>": "true", "FALSE<end_of_turn>": "false",
		"Answer: FALSE\nReason: the claim Answer: TRUE is not there": "says both", `FALSE. It quotes "Final answer: TRUE"`: "says both",
		"FALSE: the year is another one": "says more than TRUE or FALSE",
		"TRUE 1":                         "says more than TRUE or FALSE",
	} {
		holds, err := readTrueFalse(prompt.AnswerOf(reply))
		switch {
		case want == "true" || want == "false":
			if err != nil || holds != (want == "true") {
				t.Errorf("%q: %v, %v: want %s", reply, holds, err, want)
			}
		case err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "want one word, TRUE or FALSE"):
			t.Errorf("%q: %v, %v: want an error that %s", reply, holds, err, want)
		}
	}
}

// oneWord is a model that replies with one text, and keeps what it was given.
type oneWord struct {
	judge.Model
	reply string
	given []judge.Element
	draw  int
}

func (w *oneWord) PutElements(
	_ context.Context, _ judge.AnyTask, _ judge.Subject, elements []judge.Element, read func([]byte) error,
) (judge.Reply, error) {
	w.given = elements
	if err := read([]byte(w.reply)); err != nil {
		return judge.Reply{}, &judge.Error{Operation: "true_false", Message: err.Error()}
	}
	return judge.Reply{}, nil
}

func (w *oneWord) Draw() int { return w.draw }

// The model gets the question, every reference and the answer; further draws have the
// references in another order.
func TestRuleTrueFalse(t *testing.T) {
	t.Parallel()
	in := CompareInput{"In 1957.", []string{"1957", "15 May 1957"}}
	m := &oneWord{reply: "TRUE", draw: 1}
	got, err := RuleTrueFalse.AskModel(t.Context(), m, judge.Subject{Question: "When?"}, in)
	if r, _ := got.(judge.Ruling); err != nil || !r.Holds || r.Degree != 1 || r.Why != "TRUE" {
		t.Errorf("%+v, %v", got, err)
	}
	want := []judge.Element{{Name: "question", Text: "When?"}, {Name: "reference_answer", Text: "15 May 1957"},
		{Name: "reference_answer", Text: "1957"}, {Name: "given_answer", Text: "In 1957."}}
	for i, e := range m.given {
		if len(m.given) != len(want) || e.Name != want[i].Name || e.Text != want[i].Text {
			t.Fatalf("the model was given %+v, want %+v", m.given, want)
		}
	}
	got, err = RuleTrueFalse.AskModel(t.Context(), &oneWord{reply: "false"}, judge.Subject{}, in)
	if r, _ := got.(judge.Ruling); err != nil || r.Holds || r.Degree != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	var failed *judge.Error
	if _, err = RuleTrueFalse.AskModel(t.Context(), &oneWord{reply: "maybe"}, judge.Subject{}, in); !errors.As(err, &failed) {
		t.Errorf("maybe: %v: want an error of the judge", err)
	}
	if _, err = RuleTrueFalse.AskModel(t.Context(), m, judge.Subject{}, CompareInput{Answer: "x"}); !errors.As(err, &failed) {
		t.Errorf("without a reference: %v", err)
	}
}

func TestTrueFalseStandIn(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{"It opened in 1957.": "TRUE", "It opened in 1975.": "FALSE", "I do not know.": "FALSE"} {
		material := "<question>\nWhen did it open?\n</question>\n\n<reference_answer>\nIt opened in 1957.\n</reference_answer>\n\n" +
			"<given_answer>\n" + answer + "\n</given_answer>"
		if got, err := RuleTrueFalse.Play([]byte(material)); err != nil || got != want {
			t.Errorf("%s: %v, %v: want %s", answer, got, err, want)
		}
	}
}
