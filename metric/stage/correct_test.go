package stage_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// Without a judge an answer is right, wrong or unknown.
func TestCorrect(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, test := range []struct {
		name   string
		want   assay.Want
		answer string
		of     assay.Correctness
	}{
		{"states the reference", assay.Want{Answers: []string{"Brunner"}}, "It was made by Brunner.", assay.AnswerRight},
		{"a paraphrase", assay.Want{Answers: []string{"the river overflowed"}}, "Water came over the banks.", assay.AnswerUnknown},
		{"a refusal", assay.Want{Answers: []string{"Brunner"}}, "I do not know.", assay.AnswerWrong},
		{"no word", assay.Want{Answers: []string{"Brunner"}}, "  ", assay.AnswerWrong},
		{"a refusal with documents alone", assay.Want{Documents: map[string]int{"a": 1}}, "The documents do not answer this.", assay.AnswerWrong},
		{"a refusal without labels", assay.Want{}, "I do not know.", assay.AnswerUnknown},
		{"a refusal marked as answerable", assay.Want{Answerable: &yes}, "I do not know.", assay.AnswerWrong},
		{"a refusal of what has no answer", assay.Want{Answerable: &no}, "I do not know.", assay.AnswerRight},
		{"an answer to what has none", assay.Want{Answerable: &no}, "It was Brunner.", assay.AnswerWrong},
		{"a refusal that names the reference", assay.Want{Answers: []string{"Brunner"}},
			"The documents do not say whether it was Brunner.", assay.AnswerUnknown},
		{"all keywords", assay.Want{Keywords: []string{"1226", "Brunner"}}, "1226, by Brunner", assay.AnswerRight},
		{"one keyword of two", assay.Want{Keywords: []string{"1226", "Brunner"}}, "by Brunner", assay.AnswerUnknown},
		{"the reference without the keywords", assay.Want{Answers: []string{"Brunner"}, Keywords: []string{"1226"}},
			"Brunner", assay.AnswerRight},
		{"only documents", assay.Want{Documents: map[string]int{"a": 1}}, "It was Brunner.", assay.AnswerUnknown},
		{"the passage", assay.Want{Passages: []string{"The tower of Bern carries a clock."}},
			"The tower of Bern carries a clock.", assay.AnswerRight},
		{"less than the passage", assay.Want{Passages: []string{"The tower of Bern carries a clock."}}, "A clock.", assay.AnswerUnknown},
	} {
		c := &assay.Case{Question: "Who made it?", Want: test.want}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); of != test.of {
			t.Errorf("%s: %q is %s, want %s", test.name, test.answer, of, test.of)
		}
	}
}

// A score decides where there is one; without an answer there is nothing to decide.
func TestCorrectByScore(t *testing.T) {
	t.Parallel()
	c := &assay.Case{Want: assay.Want{Answers: []string{"Brunner"}}}
	r := &assay.Response{Answer: "Brunner"}
	score := func(s assay.Score) map[string]assay.Score { return map[string]assay.Score{"answer_correctness": s} }
	for _, test := range []struct {
		r      *assay.Response
		scores map[string]assay.Score
		of     assay.Correctness
	}{
		{r, score(assay.Value(0)), assay.AnswerWrong},
		{r, score(assay.Value(1)), assay.AnswerRight},
		{r, score(assay.Score{State: assay.JudgeError}), assay.AnswerRight},
		{&assay.Response{Answer: "Müller"}, score(assay.Score{State: assay.JudgeError}), assay.AnswerUnknown},
		{r, map[string]assay.Score{"binary_correctness": assay.Value(0)}, assay.AnswerWrong},
		{&assay.Response{Answer: "Müller"}, map[string]assay.Score{"binary_correctness": assay.Value(1)}, assay.AnswerRight},
		// The ruling with a reason decides where both were asked.
		{r, map[string]assay.Score{"answer_correctness": assay.Value(0), "binary_correctness": assay.Value(1)}, assay.AnswerWrong},
		// Bounds decide where every value between them decides alike.
		{&assay.Response{Answer: "Müller"}, score(assay.Score{State: assay.JudgeError, Lower: 0.5, Upper: 1}), assay.AnswerRight},
		{r, score(assay.Score{State: assay.JudgeError, Upper: 0.4}), assay.AnswerWrong},
		{&assay.Response{Answer: "Müller"}, score(assay.Score{State: assay.JudgeError, Lower: 0.4, Upper: 0.5}), assay.AnswerUnknown},
		{nil, score(assay.Score{State: assay.TargetError}), ""},
		{&assay.Response{NoAnswer: true}, nil, ""},
		{&assay.Response{}, nil, assay.AnswerWrong},
		{&assay.Response{Withheld: "content_filter"}, nil, assay.AnswerUnknown},
	} {
		if of := (stage.Outcome{}).Correct(c, test.r, test.scores, nil); of != test.of {
			t.Errorf("%+v, %v: %q, want %q", test.r, test.scores, of, test.of)
		}
	}
	// An estimate turns nothing unknown into wrong, unless the outcome names its metric.
	other := &assay.Response{Answer: "Müller"}
	for o, want := range map[stage.Outcome]assay.Correctness{
		{}:                assay.AnswerWrong,
		{Estimated: true}: assay.AnswerUnknown,
		{Metric: "answer_correctness", Op: ">=", Limit: 0.5, Estimated: true}: assay.AnswerWrong,
	} {
		if of := o.Correct(c, other, score(assay.Value(0.2)), nil); of != want {
			t.Errorf("%+v: %q, want %q", o, of, want)
		}
		if of := (stage.Outcome{Estimated: true}).Correct(c, r, score(assay.Value(0.2)), nil); of != assay.AnswerRight {
			t.Errorf("an estimate against the text: %q", of)
		}
	}
	facts := &assay.Attribution{Facts: []assay.Fact{{ID: "p", Text: "it is so"}}}
	c.Want = assay.Want{Ideal: &assay.Ideal{Points: []assay.Point{{Text: "it is so"}}}}
	if of := (stage.Outcome{}).Correct(c, r, nil, facts); of != assay.AnswerRight {
		t.Errorf("all points made: %q", of)
	}
	facts.Facts[0].Lost = assay.StageGenerate
	if of := (stage.Outcome{}).Correct(c, r, nil, facts); of != assay.AnswerUnknown {
		t.Errorf("a point missing: %q", of)
	}
}

// The spellings of a value are one, and another value of its kind is wrong.
func TestCorrectValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question, reference, answer string
		of                          assay.Correctness
	}{
		{"What does it cost?", "40 dollars", "It costs forty dollars.", assay.AnswerRight},
		{"", "forty dollars", "$40", assay.AnswerRight},
		{"", "40 dollars", "40", assay.AnswerRight},
		{"What does it cost?", "40 dollars", "It costs 30 dollars.", assay.AnswerWrong},
		{"", "40 dollars", "Not 40 dollars, it is $30.", assay.AnswerWrong},
		{"", "HK$40", "US$40", assay.AnswerUnknown},
		{"", "40 dollars", "It was founded in 1990.", assay.AnswerUnknown},
		{"", "40 dollars", "About $40.50", assay.AnswerUnknown},
		{"Is it more than 30 dollars?", "40 dollars", "It is more than 30 dollars.", assay.AnswerUnknown},
		{"", "1,000", "There are one thousand.", assay.AnswerRight},
		{"", "four", "[1] four", assay.AnswerRight},
		{"", "four", "It is not [note]four.", assay.AnswerUnknown},
		{"", "one thousand", "1000 of them", assay.AnswerRight},
		{"How many people live there?", "2.5 million", "2,500,000 people", assay.AnswerRight},
		{"How many towers are there?", "two hundred and five", "205 towers", assay.AnswerRight},
		{"", "twenty-one", "21", assay.AnswerRight},
		{"How many towers are there?", "3", "There are 5 towers.", assay.AnswerWrong},
		{"", "3", "One of the towers burned.", assay.AnswerUnknown},
		{"How many passengers does it take?", "12 passengers", "It takes 15 passengers.", assay.AnswerWrong},
		{"", "12 passengers", "It has 15 doors.", assay.AnswerUnknown},
		{"", "5 km", "5,000 metres", assay.AnswerRight},
		{"How long does it take?", "2 hours", "It takes 120 minutes.", assay.AnswerRight},
		{"How long does it take?", "2 hours", "It takes 90 minutes.", assay.AnswerWrong},
		{"", "15 %", "fifteen percent", assay.AnswerRight},
		{"How much higher is it?", "15 %", "It is 12 percent higher.", assay.AnswerWrong},
		{"", "3 May 2021", "on 2021-05-03", assay.AnswerRight},
		{"", "2021-05-03", "May 3rd, 2021", assay.AnswerRight},
		{"When did it open?", "3 May 2021", "It opened on 4 May 2021.", assay.AnswerWrong},
		{"When did it open?", "3 May 2021", "It opened on 4 June 2020.", assay.AnswerWrong},
		{"", "3 May", "May 3, 2021", assay.AnswerUnknown},
		{"When did it open?", "March 2021", "It opened in 03/2021.", assay.AnswerRight},
		{"", "March 2021", "2021-03", assay.AnswerRight},
		{"When did it open?", "2021-03", "It opened in March of 2021.", assay.AnswerRight},
		{"", "March 2021", "on 3 March 2021", assay.AnswerUnknown},
		{"", "3 March 2021", "in March 2021", assay.AnswerUnknown},
		{"When did it open?", "March 2021", "It opened in April 2021.", assay.AnswerWrong},
		{"When did it open?", "March 2021", "It opened in March 2020.", assay.AnswerWrong},
		{"", "March 2021", "It opened in 2021.", assay.AnswerUnknown},
		{"When did it open?", "2021", "It opened in March 2021.", assay.AnswerUnknown},
		{"", "25 December 2021", "12/25/2021", assay.AnswerRight},
		{"", "25 December 2021", "25/12/2021", assay.AnswerRight},
		{"", "3 April 2021", "03/04/2021", assay.AnswerUnknown},
		{"", "1 January 2020", "03/04/2021", assay.AnswerUnknown},
		{"", "03/04/2021", "3 April 2021", assay.AnswerUnknown},
		{"", "03/04/2021", "03/04/2021.", assay.AnswerRight},
		{"", "4 April 2021", "04/04/2021", assay.AnswerRight},
		{"", "二零二一年三月", "2021年3月", assay.AnswerRight},
		{"何時啟用？", "2021-03", "於二零二一年三月啟用", assay.AnswerRight},
		{"何時啟用？", "二零二一年三月", "於2021年4月啟用", assay.AnswerWrong},
		{"共有多少人？", "350", "共三百五十人", assay.AnswerRight},
		{"", "三百五十人", "共350人", assay.AnswerRight},
		{"共有多少人？", "三百五十", "共三百人", assay.AnswerWrong},
		{"", "third", "He was the 3rd.", assay.AnswerRight},
		{"Which king was he?", "the 3rd", "the third king", assay.AnswerRight},
		{"Which king was he?", "3rd", "the twenty-third king", assay.AnswerWrong},
		{"", "twenty-first", "the 21st", assay.AnswerRight},
		{"", "third", "He was the fourth.", assay.AnswerWrong},
		{"", "3", "He was the third.", assay.AnswerUnknown},
		{"How long does it take?", "2 seconds", "It takes two seconds.", assay.AnswerRight},
		{"", "the third of May 2021", "2021-05-03", assay.AnswerRight},
		{"", "第三", "他是第3名", assay.AnswerRight},
		{"", "第三名", "他是第四名", assay.AnswerUnknown},
		{"When was it opened?", "1226", "It was opened in 1226.", assay.AnswerRight},
		{"When was it opened?", "1226", "It was opened in 1205.", assay.AnswerWrong},
		{"", "1226", "It has 12 arches.", assay.AnswerUnknown},
		{"", "三十", "30個", assay.AnswerRight},
		{"一共多少人？", "30", "一共三十人", assay.AnswerRight},
		{"需要多少天？", "三天", "需要5天", assay.AnswerWrong},
		{"", "四十元", "$40", assay.AnswerRight},
		{"", "2021年", "民國110年", assay.AnswerRight},
		{"", "2021年5月3日", "民國一百一十年五月三日", assay.AnswerRight},
		{"", "the colour centre", "It is the Color Center.", assay.AnswerRight},
		{"", "café Zürich", "Cafe Zurich", assay.AnswerRight},
		{"What kind of man was he?", "well-known", "a well known man", assay.AnswerRight},
		{"", "Yes", "Yes, there is no fee.", assay.AnswerUnknown},
		{"", "No", "Yes, there is no fee.", assay.AnswerUnknown},
		{"", "No", "Yes, it is.", assay.AnswerWrong},
		{"", "No", "There is no fee.", assay.AnswerUnknown},
		{"", "是", "不是，需要收費", assay.AnswerUnknown},
		{"", "是", "不是", assay.AnswerWrong},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); of != test.of {
			t.Errorf("%q for %q is %s, want %s", test.answer, test.reference, of, test.of)
		}
	}
}

// A value in another scale may be the same where the question names one; others are wrong.
func TestCorrectScales(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question, reference string
		unknown, wrong      []string
	}{
		{"What was the total revenue in 2019 (in thousands)?", "1,234", []string{"1,234,000", "The total revenue in 2019 was 1,234,000.", "1.23 million"}, []string{"2,345", "2,345,000"}},
		{"What was the revenue in millions of dollars?", "$57.4", []string{"$57.4 million"}, []string{"$61.4 million", "$574"}},
		{"What was the revenue in billions?", "1.2", []string{"1,200 million"}, []string{"1,300 million"}},
		{"What was the revenue (EUR m)?", "1,200", []string{"1.2 billion"}, []string{"1.3 billion"}},
		{"What percentage of users renewed?", "82", []string{"0.82"}, []string{"0.92", "8.2"}},
		{"How many dozen?", "3", []string{"36"}, []string{"30"}},
		{"¿Cuáles fueron los ingresos en millones?", "57", []string{"57.000.000"}, []string{"61"}},
		{"營收是多少百萬元？", "57", []string{"57,000,000"}, []string{"61"}},
		{"売上は何億円ですか？", "5", []string{"500,000,000円"}, []string{"6"}},
		{"Wie viel?", "1 Billion Euro", []string{"1 trillion euros"}, []string{"3 trillion euros"}},
		{"How many seats?", "350", nil, []string{"35,000"}},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		for i, answers := range [][]string{test.unknown, test.wrong} {
			for _, a := range answers {
				want := []assay.Correctness{assay.AnswerUnknown, assay.AnswerWrong}[i]
				if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: a}, nil, nil); of != want {
					t.Errorf("%q: %q for %q is %s, want %s", test.question, a, test.reference, of, want)
				}
			}
		}
	}
}
