package stage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// tracedAs returns the attribution of a wrong answer whose stages are given as JSON.
func tracedAs(t *testing.T, c assay.Case, answer, stages string) *assay.Attribution {
	t.Helper()
	r := assay.Response{Answer: answer, Trace: &assay.Trace{}}
	if err := json.Unmarshal([]byte(stages), &r.Trace.Stages); err != nil {
		t.Fatal(err)
	}
	if ps, ok := r.StagePassages(assay.StageRetrieve); ok {
		r.Passages = ps
	}
	o := stage.Outcome{Metric: "exact_match", Op: ">=", Limit: 1}
	a := stage.New(stage.Options{Outcome: o})
	at, err := a.Follow(context.Background(), &c, &r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at != nil {
		if err := a.Explain(context.Background(), &c, &r, map[string]assay.Score{"exact_match": assay.Value(0)}, at); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

// Of a trace without a filter, what was lost before the prompt counts with retrieve.
func TestNoFilterIsBlamedThatTheTraceDoesNotShow(t *testing.T) {
	t.Parallel()
	c := assay.Case{Question: "How many places does the car park have?", Want: assay.Want{Documents: map[string]int{"f3": 1}}}
	at := tracedAs(t, c, "120", `[{"name":"generate","input":[{"id":"f1","text":"Entry costs 12 euros."}],"output":"120"}]`)
	if at == nil || at.Stage != assay.StageRetrieve || strings.Contains(at.Evidence, "filter") || at.Merged[assay.StageFilter] != assay.StageRetrieve {
		t.Errorf("%+v", at)
	}
	at = tracedAs(t, c, "120", `[{"name":"filter","output":[{"id":"f1","text":"Entry costs 12 euros."}]},{"name":"generate","output":"120"}]`)
	if at == nil || at.Stage != assay.StageFilter {
		t.Errorf("with a filter: %+v", at)
	}
}

// A text that literally has the answer, and seems to be about something else, leaves the stage
// unknown.
func TestStageIsUnknownWhereTextsHaveTheAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ answer, text, stage string }{
		{"Brunner of Bern", "Among the pieces that he left is one that Brunner of Bern began.", ""},
		{"1226", "The guild had 1226 members in all.", ""},
		{"Brunner of Bern", "The guild had many members in all.", assay.StageRetrieve},
	} {
		c := assay.Case{Question: "Which smith made the big clock at the city gate?", Want: assay.Want{Answers: []string{test.answer}}}
		at := tracedAs(t, c, "Somebody", `[{"name":"retrieve","output":[{"id":"a","text":"`+test.text+`"}]},{"name":"generate","input":[{"id":"a","text":"`+
			test.text+`"}],"output":"Somebody"}]`)
		if at == nil || at.Stage != test.stage {
			t.Errorf("%q in %q: %+v", test.answer, test.text, at)
		}
	}
}

// A passage that is cut in the text of a prompt does not have what another passage says there.
func TestCutPassageHasNotTheWordsOfOthers(t *testing.T) {
	t.Parallel()
	c := assay.Case{Question: "Wie hoch ist das Tagegeld für Inlandsreisen?",
		Want: assay.Want{Documents: map[string]int{"reise.md": 1}, Answers: []string{"28 Euro"}}}
	at := tracedAs(t, c, "40 Euro", `[{"name":"retrieve","output":[{"id":"reise.md#1","document":"reise.md","text":"Das Tagegeld für Inlandsreisen beträgt 28 Euro."},`+
		`{"id":"park.md#0","document":"park.md","text":"Eine Parkkarte kostet 28 Euro im Monat."}]},{"name":"generate","input":"Kontext: Das Tagegeld für Inlandsreisen. `+
		`Eine Parkkarte kostet 28 Euro im Monat. Frage: Wie hoch ist das Tagegeld für Inlandsreisen?","output":"40 Euro"}]`)
	if at == nil || at.Stage == assay.StageGenerate {
		t.Errorf("%+v", at)
	}
}

// A prompt as one text is followed where the trace shows nothing else.
func TestPromptAsOneTextIsFollowed(t *testing.T) {
	t.Parallel()
	c := assay.Case{Question: "How many places does the car park have?",
		Want: assay.Want{Documents: map[string]int{"f3": 1}, Answers: []string{"85"}}}
	at := tracedAs(t, c, "120", `[{"name":"generate","input":"Context: Entry costs 12 euros. The museum opens at 9. Question: How many places does the car park have?","output":"120"}]`)
	if at == nil || at.Unknown != assay.UnknownNames {
		t.Errorf("%+v", at)
	}
}

// What a call read whose words are in the prompt was not left out of it; what a grader dropped was.
func TestPromptHasWhatEarlierCallsRead(t *testing.T) {
	t.Parallel()
	const found = `{"name":"retrieve","output":[{"id":"leave.md","text":"Everybody has 24 days of leave in a year."},{"id":"lunch.md","text":"Lunch is served from noon to two."}]},`
	for name, test := range map[string]struct{ calls, prompt, stage string }{
		"each call reads a passage": {
			`{"name":"model","input":"Everybody has 24 days of leave in a year.\nQuery: leave?","output":"Everybody has 24 days of leave in a year."},` +
				`{"name":"model","input":"Lunch is served from noon to two.\nQuery: lunch?","output":"Nothing is said."},`,
			"leave? Everybody has 24 days of leave in a year.\nlunch? Nothing is said.", assay.StageGenerate,
		},
		"a call reads what another made": {
			`{"name":"summarize","input":[{"id":"leave.md"},{"id":"lunch.md"}],"output":"Everybody has 24 days of leave in a year, and there is lunch."},` +
				`{"name":"shorten","input":"Shorten this: Everybody has 24 days of leave in a year, and there is lunch.","output":"Everybody has 24 days of leave in a year. Lunch exists."},`,
			"Everybody has 24 days of leave in a year. Lunch exists.", assay.StageGenerate,
		},
		"a grader says what the prompt offers": {
			`{"name":"model","input":"Is this relevant? Say yes or no.\nEverybody has 24 days of leave in a year.","output":"yes"},` +
				`{"name":"model","input":"Is this relevant? Say yes or no.\nLunch is served from noon to two.","output":"no"},`,
			"Everybody has 24 days of leave in a year. If you do not know, say no.", assay.LostPack,
		},
		"messages": {
			`{"name":"model","input":[{"role":"user","content":"Lunch is served from noon to two.\nQuery: lunch?"}],"output":"It is at noon."},`,
			"Everybody has 24 days of leave in a year.\nlunch? It is at noon.", assay.StageGenerate,
		},
		"a prompt": {`{"name":"model","prompt":"Lunch is served from noon to two.\nQuery: lunch?","output":"It is at noon."},`, "Everybody has 24 days of leave in a year.\nIt is at noon.", assay.StageGenerate},
		"each call refines the answer of the one before": {
			`{"name":"model","prompt":"If you do not know, say I don't know.\nLunch is served from noon to two.","output":"I don't know."},` +
				`{"name":"model","prompt":"If you do not know, say I don't know.\nBefore: I don't know.\nNothing else is said anywhere.","output":"I don't know."},`,
			"If you do not know, say I don't know.\nBefore: I don't know.\nEverybody has 24 days of leave in a year.", assay.StageGenerate,
		},
		"the call's words are not in the prompt": {
			`{"name":"model","input":"Lunch is served from noon to two.\nQuery: lunch?","output":"At noon."},`,
			"Everybody has 24 days of leave in a year.", assay.LostPack,
		},
	} {
		c := assay.Case{Question: "How much leave is there, and when is lunch?", Want: assay.Want{Documents: map[string]int{"lunch.md": 1}}}
		at := tracedAs(t, c, "24 days.", `[`+found+test.calls+`{"name":"generate","input":"`+strings.ReplaceAll(test.prompt, "\n", `\n`)+`","output":"24 days."}]`)
		if at == nil || at.Stage != test.stage || strings.Contains(at.Evidence, "prompts") != (test.stage == assay.StageGenerate) {
			t.Errorf("%s: %+v: want %s", name, at, test.stage)
		}
	}
}

// The evidence names the passages that have a fact. What an earlier message has is not known to be
// evidence.
func TestEvidenceNamesNoOtherPassages(t *testing.T) {
	t.Parallel()
	c := assay.Case{Question: "For how many days may my trip abroad last?", Want: assay.Want{Answers: []string{"180 days"}}}
	const stages = `[{"name":"retrieve","output":[{"id":"a","text":"Claims can be filed by phone."},{"id":"b","text":"Our office is open on weekdays."}]},
		{"name":"generate","prompt":"Travel cover for a trip abroad lasts at most 180 days. For how many days may my trip abroad last? Claims can be filed by phone. Our office is open on weekdays.","output":"90 days"}]`
	at := tracedAs(t, c, "90 days", stages)
	if at == nil || at.Stage != "" || at.Unknown != assay.UnknownWords {
		t.Errorf("%+v", at)
	}
	at = tracedAs(t, c, "90 days", strings.ReplaceAll(stages, "Our office", "A trip abroad lasts at most 180 days. Our office"))
	if want := `"180 days": the prompt had it (b), the answer does not`; at == nil || at.Evidence != want {
		t.Errorf("%+v", at)
	}
}

// A prompt that repeats the question and has no passage does not have the answer in other words.
func TestQuestionInPromptIsNoEvidence(t *testing.T) {
	t.Parallel()
	c := assay.Case{Question: "Up to what age in years are dogs insured for surgery?", Want: assay.Want{Answers: []string{"nine years"}}}
	at := tracedAs(t, c, "12 years.", `[{"name":"generate","prompt":"You are an assistant.\n\nUp to what age in years are dogs insured for surgery?","output":"12 years."}]`)
	if at == nil || at.Unknown != "" || at.Stage != assay.StageRetrieve {
		t.Errorf("%+v", at)
	}
}

// A fact is followed through every stage in whatever letters, digits and layout it is written.
func TestFactsAreFollowedInOtherSpellings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, answer, text string }{
		{"كم رسوم العضوية السنوية؟", "350 درهم", "رسوم العضوية السنوية ٣٥٠ درهم."},
		{"هزینه عضویت سالانه چقدر است؟", "350 تومان", "هزینه عضویت سالانه ۳۵۰ تومان است."},
		{"ค่าปรับหนังสือวันละกี่บาท", "15 บาท", "ค่าปรับหนังสือวันละ ๑๕ บาท"},
		{"नई सदस्यता का शुल्क क्या है?", "500 रुपये", "नई सदस्यता का शुल्क ५०० रुपये है।"},
		{"Wie heißt der Leiter des Büros?", "Jürgen Köhler", "Der Leiter des Bueros heißt Juergen Koehler."},
		{"מה שם הרחוב של המשרד?", "רחוב הרצל", "שם הרחוב של המשרד הוא רְחוֹב הֶרְצְל."},
		{"ما اسم ميدان المكتب؟", "ميدان السلام", "اسم ميدان المكتب هو ميدان الســـلام."},
		{"نام خیابان دفتر چیست؟", "خیابان کاشانی", "نام خيابان دفتر خيابان كاشاني است."},
		{"Ofisin sokağının adı nedir?", "İSTİKLAL", "Ofisin sokağının adı istiklal."},
		{"Ποιο είναι το όνομα της οδού του γραφείου;", "οδός Ερμού", "ΤΟ ΟΝΟΜΑ ΤΗΣ ΟΔΟΥ ΤΟΥ ΓΡΑΦΕΙΟΥ ΕΙΝΑΙ ΟΔΟΣ ΕΡΜΟΥ."},
		{"Как называется улица офиса?", "Зелёная улица", "Улица офиса называется Зеленая улица."},
		{"What is the name of the office lane?", "Harbourmaster Lane", `The name of the office lane is Harbour-\nmaster Lane.`},
		{"What is the name of the office cafe?", "Fish & Tom's", "The name of the office cafe is Fish &amp; Tom&#39;s."},
	} {
		c := assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.answer}}}
		at := tracedAs(t, c, "pears", `[{"name":"retrieve","output":[{"id":"a","text":"`+test.text+`"}]},{"name":"generate","input":[{"id":"a","text":"`+
			test.text+`"}],"output":"pears"}]`)
		if at == nil || at.Stage != assay.StageGenerate {
			t.Errorf("%q in %q: %+v", test.answer, test.text, at)
		}
	}
	for _, test := range [][2]string{
		{"The self - taught painter Jean - Pierre Marais gave it .", "The self-taught painter Jean-Pierre Marais gave it."},
		{"The catalogue of paintings appears each spring.", `The cata-\nlogue of paint-\nings appears each spring.`},
		{"Fish & chips of Tom's bar cost more than coffee.", "Fish &amp; chips of Tom&#39;s bar cost more than coffee."},
	} {
		c := assay.Case{Question: "What is said of it?", Want: assay.Want{Passages: []string{test[0]}}}
		at := tracedAs(t, c, "Nothing.", `[{"name":"retrieve","output":[{"id":"a","text":"`+test[1]+`"}]},{"name":"filter","output":[]},{"name":"generate","output":"Nothing."}]`)
		if at == nil || at.Stage != assay.StageFilter {
			t.Errorf("%q in %q: %+v", test[0], test[1], at)
		}
	}
}

// A passage that answers the question without the words of a short reference may be right: no
// stage is sure, unless nothing that was retrieved is about the question.
func TestShortReferenceInOtherWordsIsUnknown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, answer, text, stage string }{
		{"Which organisation runs the refugee camp near the border?", "United Nations", "The refugee camp near the border is run by the UN.", ""},
		{"Who must sign the form?", "a physician", "The form must be signed by a doctor.", ""},
		{"How often is the pool cleaned?", "daily", "The pool is cleaned every day.", ""},
		{"Was ist im Lesesaal verboten?", "Handys", "Im Lesesaal sind Mobiltelefone verboten.", ""},
		{"谁负责图书馆的安全?", "警衛員", "图书馆的安全由保安负责。", ""},
		{"Кто управляет библиотекой?", "Анна Петрова", "The library is led by the head librarian.", ""},
		{"Who must sign the form?", "a physician", "The lost property desk is at the pier.", assay.StageRetrieve},
		{"Who designed the Larkhill Library?", "Ada Brandt", "A yearly pass for the Larkhill Library costs 5 dollars.", assay.StageRetrieve},
		{"Who designed the Larkhill Library?", "Ada Brandt", "The Harrow Library was designed by its owner.", assay.StageRetrieve},
	} {
		c := assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.answer}}}
		at := tracedAs(t, c, "pears", `[{"name":"retrieve","output":[{"id":"a","text":"`+test.text+`"}]},{"name":"generate","input":[{"id":"a","text":"`+
			test.text+`"}],"output":"pears"}]`)
		if at == nil || at.Stage != test.stage {
			t.Errorf("%q in %q: %+v", test.answer, test.text, at)
		}
	}
}

// A document that was retrieved under another name than the label's, or a copy of it, had the
// reference: text outranks ids.
func TestReferenceUnderAnotherName(t *testing.T) {
	t.Parallel()
	for label, name := range map[string]string{"fees#2": "fees#2-old", "fees": "fees-2024", "https://docs.x.io/fees": "https://docs.x.io/fees/", "docs/fees.md": `C:\\docs\\fees.md`} {
		c := assay.Case{Question: "What does the yearly membership cost for students?", Want: assay.Want{
			Documents: map[string]int{label: 1}, Answers: []string{"350 euros"}}}
		stages := `[{"name":"retrieve","output":[{"id":"` + name + `","text":"The yearly membership costs 350 euros for students."},{"id":"o1","text":"Cards are free."}]},
			{"name":"filter","output":[{"id":"` + name + `"}]},{"name":"generate","input":[{"id":"` + name + `"}],"output":"200 euros"}]`
		if at := tracedAs(t, c, "200 euros", stages); at == nil || at.Stage != assay.StageGenerate || !strings.Contains(at.Evidence, "the prompt had it") {
			t.Errorf("%s: %+v", name, at)
		}
		stages = strings.ReplaceAll(stages, "The yearly membership costs 350 euros for students.", "The office is open on weekdays.")
		if at := tracedAs(t, c, "200 euros", stages); at == nil || at.Stage != assay.StageRetrieve {
			t.Errorf("%s without the answer: %+v", name, at)
		}
	}
}

// A passage of another name has a reference answer or a keyword by chance, or is a copy of what is labelled.
// Such a label does not overrule the stronger one, and both stages are named.
func TestShortLabelInAnotherPassage(t *testing.T) {
	t.Parallel()
	const question, right, chance = "Within how many days are invoices payable?", "Invoices are issued on the first working day of the month and payable within 30 days.",
		"Invoices can be downloaded for 30 days after they were issued; payable amounts are shown in bold."
	for _, label := range []assay.Want{{Documents: map[string]int{"g0": 1}}, {Documents: map[string]int{"pay.md": 1}}, {Passages: []string{right}}} {
		for _, short := range []assay.Want{{Answers: []string{"30 days"}}, {Keywords: []string{"30 days"}}} {
			label.Answers, label.Keywords = short.Answers, short.Keywords
			c := assay.Case{Question: question, Want: label}
			for text, evidence := range map[string]string{chance: "; generate if a is", "Invoices are numbered, and 20 days of them are payable.": ""} {
				may := []string{""}
				if evidence == "" && label.Documents != nil {
					may = []string{assay.StageRetrieve}
				}
				if at := tracedAs(t, c, "14 days", found(text, "The canteen opens at eleven.")); at == nil || !slices.Contains(may, at.Stage) || !strings.Contains(at.Evidence, evidence) {
					t.Errorf("%+v in %q: %+v", label, text, at)
				}
			}
		}
	}
}

// A labelled passage that was retrieved and then lost is not the one that has its value by chance, nor is a labelled chunk
// another one of its document: both stages are named.
func TestShortLabelBesideALostPassage(t *testing.T) {
	t.Parallel()
	const question = "Within how many days may goods bought online be returned?"
	gold := assay.Passage{ID: "returns.md#2", Document: "returns.md", Text: "Goods bought online may be returned within 14 days of delivery, in their original box."}
	other := assay.Passage{ID: "returns.md#7", Document: "returns.md", Text: "Refunds for goods returned to a store are paid within 14 days of the receipt."}
	prompt := "Context:\n" + other.Text + "\n\nQuestion: " + question
	for _, test := range []struct {
		label           assay.Want
		retrieved, kept list
		prefix          string
	}{
		{assay.Want{Passages: []string{gold.Text}}, list{gold, other}, list{other}, "filter if only"},
		{assay.Want{Passages: []string{gold.Text}}, list{other, gold}, nil, "pack if only"},
		{assay.Want{Documents: map[string]int{gold.ID: 1}}, list{other}, nil, "retrieve if only"},
		{assay.Want{Documents: map[string]int{"returns.md::how-to": 1}}, list{{ID: "returns.md::warranty", Document: "returns.md", Text: other.Text}}, nil, "retrieve if only"},
	} {
		for _, short := range []assay.Want{{Answers: []string{"14 days"}}, {Keywords: []string{"14 days"}}} {
			test.label.Answers, test.label.Keywords = short.Answers, short.Keywords
			at := tracedAs(t, assay.Case{Question: question, Want: test.label}, "I don't know.", stages(test.retrieved, test.kept, prompt))
			if at == nil || at.Stage != "" || !strings.HasPrefix(at.Evidence, test.prefix) || !strings.Contains(at.Evidence, "; generate if returns.md") {
				t.Errorf("%+v: %+v, want %q", test.label, at, test.prefix)
			}
		}
	}
}

// What a stage dropped of a labelled document is not lost where the prompt has it from another one: in a copy, or, as far
// as the words of the question show, in other words.
func TestAnswerOfALabelledDocumentElsewhere(t *testing.T) {
	t.Parallel()
	const question, right = "Within how many days may goods be returned?", "Goods may be returned within 30 days of delivery, in their original box."
	for _, test := range []struct{ dropped, other, stage, evidence string }{
		{right, right, assay.StageGenerate, "the prompt had it (faq.md#9)"},
		{"Warranty claims are answered within 30 days.", "You can return goods within 30 days of delivery.", "", `filter if only "returns.md" is enough for the answer; generate if faq.md#9 is`},
		{right, "Refunds of goods are paid within 30 days.", assay.StageFilter, "the filter dropped the only passage of returns.md that had it: returns.md#2"},
	} {
		other := assay.Passage{ID: "faq.md#9", Document: "faq.md", Text: test.other}
		c := assay.Case{Question: question, Want: assay.Want{Documents: map[string]int{"returns.md": 1}, Answers: []string{"30 days"}}}
		at := tracedAs(t, c, "I don't know.", stages(list{{ID: "returns.md#2", Document: "returns.md", Text: test.dropped}, other}, list{other}, "Context:\n"+test.other+"\n\nQuestion: "+question))
		if at == nil || at.Stage != test.stage || !strings.Contains(at.Evidence, test.evidence) {
			t.Errorf("%q: %+v, want %q", test.other, at, test.evidence)
		}
	}
}

// A short reference in another passage of the labelled document may be there by chance: nothing tells whether the
// passage that states it was lost.
func TestShortLabelByChanceInItsDocument(t *testing.T) {
	t.Parallel()
	const question, right = "In what year did the Brandt Observatory install its second dome?", "The second dome of the Brandt Observatory was installed in 1943."
	const chance = "The Brandt Observatory is on a hill. Its east wing burned down in 1943. The second dome came later."
	of := func(text string, n int) assay.Passage {
		return assay.Passage{ID: fmt.Sprintf("brandt.md#%d", n), Document: "brandt.md", Text: text}
	}
	for _, test := range []struct {
		retrieved, kept list
		stage, unknown  string
	}{
		{list{of(right, 1)}, list{of(right, 1)}, assay.StageGenerate, ""},
		{list{of(chance, 2)}, list{of(chance, 2)}, "", assay.UnknownWords},
		{list{of(right, 1), of(chance, 2)}, list{of(chance, 2)}, "", assay.UnknownWords},
		{list{of(right, 1), of("The hill is steep.", 3)}, list{of("The hill is steep.", 3)}, assay.StageFilter, ""},
	} {
		for _, want := range []assay.Want{
			{Answers: []string{"1943"}}, {Keywords: []string{"1943"}},
			{Answers: []string{"1943"}, Documents: map[string]int{"brandt.md": 1}}, {Keywords: []string{"1943"}, Documents: map[string]int{"brandt.md": 1}},
		} {
			at := tracedAs(t, assay.Case{Question: question, Want: want}, "In 1950.", stages(test.retrieved, test.kept, "Context:\n"+test.kept[0].Text+"\n\nQuestion: "+question))
			if at == nil || at.Stage != test.stage || at.Unknown != test.unknown {
				t.Errorf("%v kept of %v, labels %+v: %+v, want %q %q", test.kept, test.retrieved, want, at, test.stage, test.unknown)
			}
		}
	}
}

// A labelled document that a passage names in another form was not lost before it for sure.
func TestNamesInAnotherForm(t *testing.T) {
	t.Parallel()
	for name, stage := range map[string]string{"policies/REFUNDS.md": "", "refunds.md": "", "policies/delivery.md": assay.StageRetrieve} {
		c := assay.Case{Question: "Who pays?", Want: assay.Want{Documents: map[string]int{"policies/refunds.md": 1}}}
		at := tracedAs(t, c, "The seller.", stages(list{{ID: name, Document: name, Text: "The buyer pays."}}, nil, "Context: The buyer pays.\n\nQuestion: Who pays?"))
		if at == nil || at.Stage != stage || (at.Unknown == assay.UnknownNames) != (stage == "") {
			t.Errorf("%s: %+v, want %q", name, at, stage)
		}
	}
}

// Pages of several products say the same of each: one that says it of another product, or something else of the same one,
// is no evidence.
func TestPagesThatSayTheSame(t *testing.T) {
	t.Parallel()
	of := func(id, text string) assay.Passage {
		name, _, _ := strings.Cut(id, ":")
		return assay.Passage{ID: id, Document: name, Text: text}
	}
	router, alarm := of("router.md:0", "The router can be cancelled with a notice period of 3 months."), of("alarm.md:0", "The home alarm can be cancelled with a notice period of 3 months.")
	line, delivery := of("line.md:0", "The business line can be cancelled with a notice period of 14 days."), of("router.md:1", "Delivery of the router takes 14 days after the order is confirmed.")
	warranty := of("router.md:4", "We repair the router free of charge under the warranty.")
	const notice = "How long is the notice period for cancelling the router?"
	document := map[string]int{"router.md": 1}
	for _, test := range []struct {
		name, question string
		want           assay.Want
		retrieved      list
		stage          string
	}{
		{"the page itself", notice, assay.Want{Answers: []string{"3 months"}}, list{router, alarm, line}, assay.StageGenerate},
		{"the page itself, labelled", notice, assay.Want{Answers: []string{"3 months"}, Documents: document}, list{router, alarm, line}, assay.StageGenerate},
		{"another product", notice, assay.Want{Answers: []string{"3 months"}}, list{alarm, line, warranty}, ""},
		{"another product alone", notice, assay.Want{Answers: []string{"3 months"}}, list{alarm, line}, ""},
		{"another product than the labelled one", notice, assay.Want{Answers: []string{"3 months"}, Documents: document}, list{alarm, line, warranty}, ""},
		{"the only other product, not the labelled one", notice, assay.Want{Answers: []string{"3 months"}, Documents: document}, list{alarm, warranty}, ""},
		{"something else of the product", notice, assay.Want{Answers: []string{"14 days"}, Documents: document}, list{delivery, alarm, warranty}, ""},
	} {
		prompt := "Context:\n"
		for _, p := range test.retrieved {
			prompt += p.Text + "\n"
		}
		at := tracedAs(t, assay.Case{Question: test.question, Want: test.want}, "60 days", stages(test.retrieved, nil, prompt+"\nQuestion: "+test.question))
		if at == nil || at.Stage != test.stage {
			t.Errorf("%s: %+v, want %q", test.name, at, test.stage)
		}
	}
}
