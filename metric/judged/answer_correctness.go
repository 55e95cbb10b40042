package judged

import (
	"errors"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const selective = "selective prediction (El-Yaniv and Wiener, JMLR 2010)"

// AnswerCorrectness is whether the answer says what a reference answer says.
var AnswerCorrectness = define(metric.Def{
	Name:  "answer_correctness",
	Title: "Answer correctness", LabelQuestion: assay.LabelRight,
	Doc: "Whether the answer says what one of the reference answers says: right or wrong, by one ruling on the whole answer. " +
		"A judge that estimates gives a degree.",
	Formula: "1 if the judge rules that the answer is equivalent to a reference answer, else 0",
	Edges: "A case marked as not answerable is right if the target declines and wrong if it answers; " +
		"a case marked as answerable is wrong if the target declines. Without a mark only the ruling decides. " +
		"A contradiction, a missing vital part or a wrong number makes the answer wrong; saying more than the reference does not.",
	Source: "own definition: a binary ruling with a closed question, as in SimpleQA (Wei et al., 2024)",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.Answer, question.Equivalence},
	// Whether the answer declines decides only where the case is marked.
	Unmarked: judge.Asks{question.Equivalence},
}, correct)

// OverallAccuracy is whether the answer is right, or rightly declines.
var OverallAccuracy = define(metric.Def{
	Name:  "overall_accuracy",
	Title: "Overall accuracy", LabelQuestion: assay.LabelRight,
	Doc: "Whether the target does the right thing: answers correctly what can be answered, and declines what cannot. " +
		"It is answer_correctness over all marked cases, including those without a reference answer.",
	Formula: "answerable: 1 if the answer is equivalent to a reference answer; not answerable: 1 if it declines; else 0",
	Edges:   "An answerable case without a reference answer has no value. " + kindEdge,
	Source:  selective,
	Needs:   metric.NeedAnswerable,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Equivalence},
}, correct)

// SelectiveAccuracy is whether the answer is right if the target answers.
var SelectiveAccuracy = define(metric.Def{
	Name:  "selective_accuracy",
	Title: "Selective accuracy",
	Doc: "How often the target is right when it answers. " +
		"Read it together with coverage: a target that answers only what it is certain of is right more often.",
	Formula: "over the cases that are answered: 1 if the answer is equivalent to a reference answer, else 0; " +
		"an answer to a case that is not answerable is wrong",
	Edges:  "An answer that declines is abstained. An answerable case without a reference answer has no value. " + kindEdge,
	Source: selective,
	Needs:  metric.NeedAnswerable,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.Answer, question.Equivalence},
}, func(in metric.Input, p metric.Params) (assay.Score, error) {
	declined, err := declines(in)
	if err != nil {
		return assay.Score{}, err
	}
	if declined {
		r, _ := question.Answer.Of(in.Assessment).Get()
		return abstained(r.Kind), nil
	}
	return correct(in, p)
})

// correct scores whether an answer is right, 0 to 1: by the judge's ruling, or,
// if the case is marked as not answerable, by whether the target declines.
func correct(in metric.Input, _ metric.Params) (assay.Score, error) {
	if in.Case.Want.Answerable != nil {
		declined, err := declines(in)
		switch {
		case err != nil:
			return assay.Score{}, err
		case !answerable(in) && declined:
			return because(1, "the target declines, and the case is not answerable"), nil
		case !answerable(in):
			return because(0, wronglyAnswered), nil
		case declined && len(in.Case.Want.Answers) > 0:
			return because(0, wronglyDeclined), nil
		}
	}
	if len(in.Case.Want.Answers) == 0 {
		return assay.None(noReference), nil
	}
	r, err := question.Equivalence.Of(in.Assessment).Get()
	if err != nil {
		return assay.Score{}, err
	}
	return compared(r)
}

// compared scores a ruling on the whole answer.
func compared(r judge.Ruling) (assay.Score, error) {
	if math.IsNaN(r.Degree) {
		return assay.Score{}, errors.New("the judge's ruling is not a number")
	}
	s := assay.Value(clip(r.Degree))
	kind := "not equivalent"
	switch {
	case r.Holds && r.Split():
		kind = "split"
	case r.Holds:
		return s, nil
	}
	s.Evidence = []assay.Evidence{{Kind: kind, Text: r.Why, Where: withVotes("", r.Votes)}}
	return s, nil
}

// BinaryCorrectness is whether a judge says TRUE to the answer.
var BinaryCorrectness = define(metric.Def{
	Name:  "binary_correctness",
	Title: "Binary correctness", LabelQuestion: assay.LabelRight,
	Doc: "Whether the answer conveys the same facts as one of the reference answers, by a judge that says only TRUE or FALSE: " +
		"the shortest question, for small models and many cases. answer_correctness also has the reason.",
	Formula: "1 if the judge says TRUE, else 0",
	Edges: "A reply that says both, neither or more than one word is asked again, and then leaves the case without a score. " +
		"An empty answer is FALSE without a call. Marks of answerable cases are not read.",
	Source: "own definition: a binary ruling in one word, as in LLM-as-a-judge tests of semantic equivalence",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.TrueFalse},
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	r, err := question.TrueFalse.Of(in.Assessment).Get()
	if err != nil {
		return assay.Score{}, err
	}
	return compared(r)
})
