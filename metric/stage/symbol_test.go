package stage_test

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// A symbol, the case of a prefix or a trailing zero may be all that tells two values apart:
// such answers are not right. Those that may be the same value are not wrong.
func TestCorrectReadsWhatChangesAValue(t *testing.T) {
	t.Parallel()
	notRight := []assay.Correctness{assay.AnswerUnknown, assay.AnswerWrong}
	notWrong := []assay.Correctness{assay.AnswerUnknown, assay.AnswerRight}
	unknown := []assay.Correctness{assay.AnswerUnknown}
	right, wrong := []assay.Correctness{assay.AnswerRight}, []assay.Correctness{assay.AnswerWrong}
	for _, test := range []struct {
		question, reference, answer string
		of                          []assay.Correctness
	}{
		// Currencies.
		{"What does it cost?", "10 CHF", "It costs 10 EUR.", notRight},
		{"What does it cost?", "10 €", "It costs £10.", notRight},
		{"What does it cost?", "$10", "It costs 10 €.", notRight},
		{"What does it cost?", "$10", "10 €", notRight},
		{"What does it cost?", "10 €", "€10", right},
		{"What does it cost?", "10€", "It costs 10 euros.", right},
		{"What does it cost?", "10 €", "It costs 12 €.", wrong},
		{"What does it cost?", "$5", "HK$5", notRight},
		{"What does it cost?", "A$10", "US$10", notRight},
		{"What does it cost?", "A$10", "$10", notRight},
		{"What does it cost?", "NT$10", "$10", notRight},
		{"What does it cost?", "$10", "NT$10", notRight},
		{"What does it cost?", "¥500", "₩500", notRight},
		{"What does it cost?", "500 yen", "500 yuan", notRight},
		{"What does it weigh?", "5 pounds", "£5", notRight},
		{"What does it weigh?", "5 pounds", "5 pounds", right},
		// Comparisons.
		{"What may a child be?", "≤5 years", "≥5 years", unknown},
		{"What score?", "≥ 90 points", "≤ 90 points", unknown},
		{"What is the limit?", "<= 100 kg", ">= 100 kg", unknown},
		{"What is the limit?", "<= 100 kg", "≤ 100 kg", right},
		{"How many?", ">5", "<5", unknown},
		{"How many?", ">5", "<7", unknown},
		{"How many?", "<5", "5", unknown},
		{"How many?", "5+", "5", unknown},
		{"How many?", "5+", "5+", right},
		// Units.
		{"How long is it?", "6 ft", "6 in", notRight},
		{"How long is it?", "6 ft", "It is 6 in long.", notRight},
		{"How long is it?", "6 ft", "6 in.", notRight},
		{"How long is it?", "6 ft", "72 in", unknown},
		{"How deep is it?", "6 in", "6 ft", notRight},
		{"How many?", "5 ft", "5 of them", notRight},
		{"How long is it?", "5'", `5"`, notRight},
		{"How long is it?", "5", `It is "5".`, right},
		{"How warm is it?", "300 K", "300 °C", notRight},
		{"How warm is it?", "30 °C", "It is 30 °C.", right},
		{"How warm is it?", "30 °C", "30 °F", notRight},
		{"What current?", "10 mA", "10 A", notRight},
		{"What current?", "10 A", "10 mA", notRight},
		{"What current?", "10 A", "10000 mA", unknown},
		{"What share?", "5 %", "5 ‰", notRight},
		{"How many seats?", "350 seats", "It has 350.", right},
		{"When was it opened?", "1957", "It was opened in 1957.", right},
		// The case of a prefix.
		{"What power?", "5 mW", "5 MW", notRight},
		{"What dose?", "5 mg", "5 Mg", notRight},
		{"What frequency?", "10 MHz", "10 mHz", notRight},
		{"What size?", "1 GB", "1 Gb", notRight},
		{"What size?", "1 GB", "1 GB.", right},
		{"What size?", "10 KB", "10 kb", notRight},
		{"What bandwidth?", "10 Mb/s", "10 MB/s", notRight},
		{"When was it opened?", "3 May 2021", "It was opened on 2021-05-03.", right},
		{"When does it open?", "5 PM", "5 pm", right},
		{"How long is it?", "30 days", "30 Days", right},
		{"What does it cost?", "40 USD", "It costs US$40.", right},
		// Symbols and suffixes.
		{"Which language?", "C++", "C", notRight},
		{"Which language?", "C", "C++", notRight},
		{"Which language is it in?", "C++", "It is in C++.", right},
		{"Which language?", "C#", "C", notRight},
		{"Which note?", "C#", "C♭", notRight},
		{"Which grade?", "B+", "B", notRight},
		{"Which grade?", "B", "B-", notRight},
		{"Which grade?", "A-", "A+", notRight},
		{"Which bus?", "12A", "12", notRight},
		{"Which bus?", "12", "12A", notRight},
		{"Which expression?", "2+3", "2-3", notRight},
		{"Which ratio?", "2/3", "2-3", notRight},
		{"Which bus?", "12b", "12", notRight},
		{"Which decade?", "the 1990s", "1990", notRight},
		{"From when?", "1990-", "1990", notRight},
		{"How much is it?", "10²", "102", notRight},
		{"How much is it?", "10²", "10²", right},
		{"How large is it?", "5 m²", "5 m2", right},
		{"How fast?", "5 m/s", "5 m", notRight},
		{"How much?", "$1.5bn", "It is $1.5 billion.", right},
		// Identifiers.
		{"Which section?", "section 4.20", "section 4.2", notRight},
		{"Which version?", "1.10", "1.1", notRight},
		{"Which version?", "1.1", "It is 1.10.", notRight},
		{"Which chapter?", "1.30", "1.3", notRight},
		{"Which agent?", "007", "7", notRight},
		{"What does it cost?", "$5.50", "It costs $5.5.", right},
		// The same value, or perhaps.
		{"How heavy is it?", "2.5 kg", "It weighs 2,5 kg.", notWrong},
		{"How tall?", "1.85 m", "1,85 m", notWrong},
		{"What temperature?", "36.6 °C", "36,6 °C", notWrong},
		{"What does it cost?", "€ 1.200", "€ 1,200", unknown},
		{"What does it cost?", "€ 1,200", "€ 1.200", unknown},
		{"How heavy is it?", "2.5 kg", "2.500 g", unknown},
		{"How heavy is it?", "23 kg", "23 g", wrong},
		{"How heavy is it?", "23 kg", "23,000 g", right},
		{"How many children?", "0", "none", notWrong},
		{"How many?", "3 dozen", "36", notWrong},
		{"How many?", "36", "3 dozen", notWrong},
		{"How many dozen?", "3 dozen", "36", notWrong},
		{"How many dozen?", "3 dozen", "3", right},
		{"How many eggs?", "3 dozen", "3 eggs", notRight},
		{"How many eggs?", "3 dozen", "3", notRight},
		{"What is the loss?", "5 juta", "5", notRight},
		{"How cold is it?", "5 below", "5", notRight},
		{"How many pairs?", "2 pairs", "two", right},
		{"How many passengers?", "5 passengers", "5", right},
		// Decimals without a zero.
		{"What is the dose?", "5 mg", ".5 mg", notRight},
		{"What is the dose?", "5 mg", "The dose is .5 mg.", notRight},
		{"What is the dose?", ".5 mg", "5 mg", notRight},
		{"What is the dose?", "0.5 mg", ".5 mg", right},
		{"What is the dose?", ".5 mg", "The dose is 0.5 mg.", right},
		{"What is the change?", "5", "-.5", notRight},
		{"What does it cost?", "$50", "$.50", notRight},
		{"What does it cost?", "$.50", "$0.50", right},
		{"What is the average?", ".50", "0.50", right},
		{"What is the average?", ".500", "500", notRight},
		// Symbols.
		{"How did it change?", "▲ 3 %", "▼ 3 %", notRight},
		{"What is the profit?", "3億円", "△3億円", notRight},
		{"What does it support?", "✅ Bluetooth", "❌ Bluetooth", unknown},
		{"What does it support?", "Bluetooth", "✗ Bluetooth", unknown},
		{"What is allowed?", "dogs", "🚫 dogs", unknown},
		{"Is it open?", "● open", "○ open", unknown},
		{"Which format?", "%s", "s", unknown},
		{"Which function?", "f'", "f", unknown},
		{"Which letter?", "é", "è", unknown},
		{"What does it support?", "Bluetooth", "● Bluetooth", right},
		{"How many?", "4", "two pairs", notWrong},
		{"How many?", "5 lakh", "500,000", notWrong},
		{"How many?", "1 crore", "10 million", notWrong},
		{"How many?", "3 gross", "432", unknown},
		{"How long?", "90 minutes", "1h30", notWrong},
		{"How long?", "90 minutes", "1h30m", notWrong},
		{"How much?", "£5.50", "5 pounds 50", notWrong},
		{"How tall?", "1.85 m", "1 m 85", notWrong},
	} {
		c := &assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.reference}}}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); !slices.Contains(test.of, of) {
			t.Errorf("%q: %q for %q is %s, want one of %s", test.question, test.answer, test.reference, of, test.of)
		}
	}
	for unread, want := range map[string]assay.Correctness{"summary": unknown[0], "": ""} {
		if of := (stage.Outcome{}).Correct(&assay.Case{}, &assay.Response{NoAnswer: true, Unread: unread}, nil, nil); of != want {
			t.Errorf("no answer, unread %q: %q, want %q", unread, of, want)
		}
	}
	// What several labels ask for together, and one label of several.
	for _, test := range []struct {
		want   assay.Want
		answer string
		of     assay.Correctness
	}{
		{assay.Want{Keywords: []string{"C", "fast"}}, "C++, fast", assay.AnswerUnknown},
		{assay.Want{Keywords: []string{"C++", "fast"}}, "C++, fast", assay.AnswerRight},
		{assay.Want{Answers: []string{"5", "≤6"}}, "≤5", assay.AnswerUnknown},
		{assay.Want{Answers: []string{"≤5", "5 or less"}}, "≤5", assay.AnswerRight},
	} {
		c := &assay.Case{Question: "Which?", Want: test.want}
		if of := (stage.Outcome{}).Correct(c, &assay.Response{Answer: test.answer}, nil, nil); of != test.of {
			t.Errorf("%q for %v is %s, want %s", test.answer, test.want, of, test.of)
		}
	}
}
