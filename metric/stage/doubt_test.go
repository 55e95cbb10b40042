package stage_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// found is a trace of passages that were retrieved and given to the generator.
func found(texts ...string) string {
	var ps list
	for i, s := range texts {
		ps = append(ps, assay.Passage{ID: string(rune('a' + i)), Text: s})
	}
	return stages(ps, nil, ps)
}

// stages is a trace of what was retrieved, what a filter kept, and the prompt.
func stages(retrieved, kept list, prompt any) string {
	all := []assay.Stage{{Name: assay.StageRetrieve, Output: raw(retrieved)}}
	if kept != nil {
		all = append(all, assay.Stage{Name: assay.StageFilter, Output: raw(kept)})
	}
	b, _ := json.Marshal(append(all, assay.Stage{Name: assay.StageGenerate, Input: raw(prompt)}))
	return string(b)
}

// The question, options, examples and instructions of a prompt show no passage, whether the prompt is
// one text or messages.
func TestFrameOfAPromptIsNoEvidence(t *testing.T) {
	t.Parallel()
	const question, options = "Which bay does the cargo train to Holm use?", "\nA) bay nineteen\nB) bay two"
	evidence := assay.Passage{ID: "e", Text: "The cargo train to Holm uses bay nineteen of the north yard on weekdays."}
	others := list{{ID: "s", Text: "The cargo train to Oslo uses another bay of the south yard."}, {ID: "o", Text: "Members collect points on every order."}}
	context := "Context:\n" + others[0].Text + "\n" + others[1].Text
	all := append(list{evidence}, others...)
	for _, want := range []assay.Want{{Passages: []string{evidence.Text}, Answers: []string{"bay nineteen"}}, {Keywords: []string{"nineteen"}, Answers: []string{"bay nineteen"}}} {
		for name, test := range map[string]struct {
			question        string
			retrieved, kept list
			prompt          any
			may             []string
		}{
			"options":           {question + options, others, nil, context + "\n\nQuestion: " + question + options, []string{assay.StageRetrieve}},
			"options, filtered": {question + options, all, others, context + "\n\nQuestion: " + question + options, []string{assay.StageFilter}},
			"options, cut":      {question + options, all, all, context + "\n\nQuestion: " + question + options, []string{assay.LostPack}},
			"schema":            {question, others, nil, context + "\n\nQuestion: " + question + ` Reply with one of ["bay nineteen", "bay two"].`, []string{assay.StageRetrieve, ""}},
			"example":           {question, others, nil, "Example: Which bay does the cargo train to Holm use on Sundays? Bay nineteen.\n" + context + "\n\nQuestion: " + question, []string{""}},
			"an earlier turn": {question, all, nil, []map[string]string{{"text": context}, {"text": "In short?"},
				{"text": "The cargo train to Holm uses bay nineteen of the north yard."}, {"text": question}}, []string{""}},
			"a claim": {question, all, nil, context + "\n\nQuestion: They claim: the cargo train to Holm uses bay nineteen. " + question, []string{""}},
			"messages": {question, all, others, []map[string]string{{"text": context}, {"text": question + options}},
				[]string{assay.StageFilter, ""}},
			"messages without passages": {question, all, nil, []map[string]string{{"text": "Be brief."}, {"text": question + options}},
				[]string{assay.LostPack, ""}},
		} {
			c := assay.Case{Question: test.question, Want: want}
			if at := tracedAs(t, c, "bay two", stages(test.retrieved, test.kept, test.prompt)); at == nil || !slices.Contains(test.may, at.Stage) {
				t.Errorf("%s, %+v: %+v, want one of %q", name, want, at, test.may)
			}
		}
	}
	for name, test := range map[string]struct{ retrieved, prompt string }{
		"tags":        {evidence.Text, strings.ReplaceAll(evidence.Text, "nineteen", "<em class=\"hit\">nineteen</em>")},
		"Markdown":    {strings.ReplaceAll(evidence.Text, "cargo", "**cargo**"), strings.ReplaceAll(evidence.Text, "Holm", "_Holm_")},
		"JSON":        {"L’été, " + evidence.Text, `{"text": "L\u2019\u00e9t\u00e9, ` + evidence.Text + `\n"}`},
		"JSON in one": {"L’été, " + evidence.Text, `"{\"text\": \"L\\u2019\\u00e9t\\u00e9, ` + evidence.Text + `\\n\"}"`},
	} {
		for _, want := range []assay.Want{{Passages: []string{evidence.Text}}, {Keywords: []string{"nineteen"}}, {Documents: map[string]int{"e": 1}}} {
			c := assay.Case{Question: question, Want: want}
			at := tracedAs(t, c, "bay two", stages(append(list{{ID: "e", Text: test.retrieved}}, others...), nil, context+"\n"+test.prompt+"\n\nQuestion: "+question))
			if at == nil || at.Stage != assay.StageGenerate {
				t.Errorf("%s, %+v: %+v, want generate", name, want, at)
			}
		}
	}
	for question, answer := range map[string]string{"Is visitor parking at the clinic free or subject to a daily charge?": "subject to a daily charge",
		"Ist das Hauptgebäude aus Backstein oder aus Sandstein?": "Sandstein"} {
		const text = "The clinic has visitor parking on two levels. Das Hauptgebäude ist denkmalgeschützt."
		at := tracedAs(t, assay.Case{Question: question, Want: assay.Want{Answers: []string{answer}}}, "Bees.",
			stages(list{{ID: "a", Text: text}}, nil, "Context:\n"+text+"\n\nQuestion: "+question))
		if at == nil || at.Stage == assay.StageGenerate {
			t.Errorf("%s: %+v", question, at)
		}
	}
}

// A value is lost for sure only where no retrieved passage is about the question: it may be there in another
// spelling, of any language, or follow from another number.
func TestValuesInOtherSpellings(t *testing.T) {
	t.Parallel()
	const lost = assay.StageRetrieve
	for _, test := range []struct{ question, answer, text, stage string }{
		{"Wann wurde der Mietvertrag der Filiale Nord unterzeichnet?", "03.05.2021", "Der Mietvertrag der Filiale Nord wurde am 3. Mai 2021 unterzeichnet.", ""},
		{"Kiedy podpisano umowę sklepu Północ?", "13.05.2021", "Umowę sklepu Północ podpisano 13 maja 2021 r.", ""},
		{"När undertecknades avtalet för butik Nord?", "2021-05-13", "Avtalet för butik Nord undertecknades den 13 maj 2021.", ""},
		{"Combien coûte la carte de la boutique Nord ?", "12500 €", "La carte de la boutique Nord coûte 12\u202f500 euros.", ""},
		{"Was kostet die Karte der Filiale Nord?", "12500 CHF", "Die Karte der Filiale Nord kostet 12'500 Franken.", ""},
		{"What does the card of store North cost?", "500,000 rupees", "The card of store North costs 5 lakh rupees.", ""},
		{"Combien a coûté la rénovation de la boutique Nord ?", "1,5 million d'euros", "La rénovation de la boutique Nord a coûté 1 500 000 euros.", ""},
		{"¿A qué hora abre la tienda Norte?", "17:30", "La tienda Norte abre a las 5:30 de la tarde.", ""},
		{"Quelle place a pris la boutique Nord ?", "3e place", "La boutique Nord a pris la troisième place.", ""},
		{"De quel siècle date la boutique Nord ?", "19e siècle", "La boutique Nord date du XIXe siècle.", ""},
		{"Which chapter covers store North?", "Chapter 4", "Chapter IV covers store North.", ""},
		{"How cold is the cellar of store North?", "-5 °C", "The cellar of store North is at minus five degrees Celsius.", ""},
		{"What share of store North is let?", "75 %", "Three quarters of store North is let.", ""},
		{"What is the phone number of store North?", "+44 20 7946 0958", "The phone number of store North is (020) 7946-0958.", ""},
		{"Wie viele Tage dauert der Einspruch gegen den Bescheid?", "14 Tage", "Der Einspruch gegen den Bescheid ist vierzehn Tage lang möglich.", ""},
		{"Wie lange kann man widersprechen?", "14 Tage", "Die Frist dafür beträgt nach der Zustellung vierzehn Tage.", ""},
		{"Quanti giorni di ferie hanno i nuovi impiegati?", "20 giorni", "I nuovi impiegati hanno venti giorni di ferie.", ""},
		{"Was kostet die Karte der Filiale Nord?", "12500 CHF", "Die Karte der Filiale Nord kostet 70 Franken.", ""},
		{"What does the card of store North cost?", "40 dollars", "The card of store North costs 25 dollars.", ""},
		{"What does the card of store North cost?", "40 dollars", "Store North has a cafe in its yard.", ""},
		{"What does the card of store North cost?", "40 dollars", "Store South has a cafe in its yard.", lost},
		{"¿Cuántos meses cubre la garantía de los portátiles Lince?", "36 meses", "El taller oficial de Bilbao repara las pantallas de los modelos Lince.", lost},
	} {
		c := assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.answer}}}
		if at := tracedAs(t, c, "pears", found(test.text, "Members collect points.")); at == nil || at.Stage != test.stage {
			t.Errorf("%q in %q: %+v, want %q", test.answer, test.text, at, test.stage)
		}
	}
	// Nor does the answer know of itself what the prompt has in another spelling.
	c := assay.Case{Question: "¿Qué plazo de devolución tienen los paquetes?", Want: assay.Want{Answers: []string{"30 días"}}}
	if at := tracedAs(t, c, "30 días", found("El plazo de devolución es de treinta días desde la entrega del paquete.")); at == nil || len(at.Facts) > 0 {
		t.Errorf("self-knowledge: %+v", at)
	}
}

// A reference with another ending may be in a passage; another word that begins alike is not it.
func TestInflectedReferenceIsUnknown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, answer, text, stage string }{
		{"Gdzie firma ma swoją siedzibę?", "Kraków", "Spółka mieści się w Krakowie przy rynku.", ""},
		{"Kde má firma sídlo?", "Praha", "Společnost sídlí v Praze na náměstí.", ""},
		{"Missä yhtiön pääkonttori sijaitsee?", "Helsinki", "Johto työskentelee Helsingissä sataman vieressä.", ""},
		{"Hol van a cég székhelye?", "Budapest", "A vállalat Budapesten, a folyónál működik.", ""},
		{"Welche Lampe wird empfohlen?", "rote Lampe", "Der Händler rät zur roten Lampe.", ""},
		{"Wer zahlt die Reparatur?", "der Vermieter", "Die Kosten der Instandsetzung tragen stets alle Vermieterinnen.", ""},
		{"¿Quién paga la reparación?", "el arrendador", "Los gastos de arreglo corren a cargo de los arrendadores.", ""},
		{"Who pays for the repair?", "the landlord", "Costs of mending are borne by landlords.", ""},
		{"Who pays for the repair?", "the landlord", "Costs of mending are borne by tenants of the land.", assay.StageRetrieve},
		{"Where is the office?", "Paris", "Parking is free for all members of the club.", assay.StageRetrieve},
		{"Who designed it?", "Ada Brandt", "The plans are by Viktor Brandt.", assay.StageRetrieve},
	} {
		c := assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.answer}}}
		if at := tracedAs(t, c, "pears", found(test.text)); at == nil || at.Stage != test.stage {
			t.Errorf("%q in %q: %+v, want %q", test.answer, test.text, at, test.stage)
		}
	}
}

// A passage that says of something else what the labelled one says was not meant; a chunk that begins after
// the name may be. One that differs elsewhere may be another version.
func TestSiblingOfALabelIsNotIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, label, text, stage string }{
		{"Which allergens are in the Alpino chocolate bar?", "The Alpino chocolate bar contains milk, soya and traces of hazelnut, and must be stored below eighteen degrees in a dry place.",
			"The Montano chocolate bar contains milk, soya and traces of hazelnut, and must be stored below eighteen degrees in a dry place.", ""},
		{"How is the filter of the pump Vela cleaned?", "To clean the filter of the pump Vela switch it off, unscrew the lid, rinse the mesh under warm water and let it dry overnight.",
			"To clean the filter of the pump Orion switch it off, unscrew the lid, rinse the mesh under warm water and let it dry overnight.", ""},
		{"安泰方案是否包括牙科護理？", "安泰方案包括牙科護理，但每年只限檢查和洗牙，並須在指定診所接受服務，事前須以電話預約。", "康寧方案包括牙科護理，但每年只限檢查和洗牙，並須在指定診所接受服務，事前須以電話預約。", ""},
		{"Who must wear a helmet on site A?", "On site A everybody must wear a helmet, safety boots and a bright vest, visitors and drivers of lorries included.",
			"On site B everybody must wear a helmet, safety boots and a bright vest, visitors and drivers of lorries included.", ""},
		{"When must Doralin not be taken?", "Doralin must not be taken together with alcohol, during pregnancy, or by persons with a severe disease of the liver or kidneys.",
			"must not be taken together with alcohol, during pregnancy, or by persons with a severe disease of the liver or kidneys.", assay.StageGenerate},
		{"When must Doralin not be taken?", "Doralin must not be taken together with alcohol, during pregnancy, or by persons with a severe disease of the liver or kidneys.",
			"Doralin must not be taken together with alcohol, during pregnancy, or by persons with any severe disease of the liver or kidneys.", ""},
	} {
		for _, answers := range [][]string{{"See the manual for the whole of it, please, in the second chapter"}, {test.label[len(test.label)*2/3:]}} {
			c := assay.Case{Question: test.question, Want: assay.Want{Passages: []string{test.label}, Answers: answers}}
			if at := tracedAs(t, c, "pears", found(test.text)); at == nil || at.Stage != test.stage {
				t.Errorf("%q: %+v, want %q", test.text, at, test.stage)
			}
		}
	}
}

// What is computed from several passages, or compares them, is in none of them by itself.
func TestReferenceOfSeveralPassages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		question, answer string
		texts            []string
		stage            string
	}{
		{"In which year was the founder of Alpino chocolates born?", "1948", []string{"Alpino chocolates were founded by Rita Moll in a garage.", "Rita Moll was born in 1948 in the town of Chur."}, ""},
		{"How old is the founder of Alpino chocolates?", "76 years", []string{"Alpino chocolates were founded by Rita Moll in a garage.", "At 76 years Rita Moll still climbs."}, ""},
		{"How many seats do Holm Hall and Oslo Hall have together?", "700 seats", []string{"Holm Hall has 300 seats on two levels.", "Oslo Hall has 400 seats on one level."}, ""},
		{"How many seats do the two halls have together?", "700 seats", []string{"The halls have 300 seats below and 400 seats above."}, ""},
		{"Which opened first, Holm Hall or Oslo Hall?", "Holm Hall", []string{"Holm Hall opened its doors in 1891 with a concert."}, ""},
		{"Which is faster, the night train or the express bus?", "the night train", []string{"The night train runs at 200 km/h."}, ""},
		{"Who signs the lease, the tenant or the guarantor?", "the guarantor", []string{"The lease is signed by the guarantor."}, assay.StageGenerate},
		{"How many seats do Holm Hall and Oslo Hall have together?", "700 seats", []string{"Oslo Hall has 400 seats on one level."}, ""},
		{"How many seats does Holm Hall have?", "700 seats", []string{"Oslo Hall has 400 seats on one level."}, assay.StageRetrieve},
	} {
		c := assay.Case{Question: test.question, Want: assay.Want{Answers: []string{test.answer}}}
		if at := tracedAs(t, c, "pears", found(append(test.texts, "Members collect points.")...)); at == nil || at.Stage != test.stage {
			t.Errorf("%q: %+v, want %q", test.texts, at, test.stage)
		}
	}
}

// What is asked may follow from a text about it, whatever numbers and words that has: a value is computed or
// converted, a list is counted, a keyword or a point is said in other words. A text about something else shows that
// nothing about it was retrieved.
func TestRetrievedTextsAboutTheQuestion(t *testing.T) {
	t.Parallel()
	answer := func(s string) assay.Want { return assay.Want{Answers: []string{s}} }
	keywords := func(of ...string) assay.Want { return assay.Want{Keywords: of} }
	points := func(of ...string) assay.Want {
		ideal := &assay.Ideal{}
		for _, s := range of {
			ideal.Points = append(ideal.Points, assay.Point{Text: s, Vital: true})
		}
		return assay.Want{Ideal: ideal}
	}
	const lost = assay.StageRetrieve
	for _, test := range []struct {
		question    string
		want        assay.Want
		text, stage string
	}{
		{"By what percentage did the revenue of Orlin grow in 2023?", answer("25%"), "Orlin's revenue rose from $400 million in 2022 to $500 million in 2023.", ""},
		{"By what percentage did the revenue of Orlin grow in 2023?", answer("25%"), "Tamsel's revenue rose from $300 million in 2022 to $330 million in 2023.", lost},
		{"What does a stay of three nights in the Birch cabin cost?", answer("$360"), "The Birch cabin costs $120 a night.", ""},
		{"How many members does the board of Nordel have?", answer("five members"), "The board of Nordel: Ann Berg, Tom Falk, Lea Ohm, Jan Pohl and Eva Rist.", ""},
		{"How long is the Thorn trail in kilometres?", answer("16 km"), "The Thorn trail is 10 miles long.", ""},
		{"How long is the Thorn trail in kilometres?", answer("16 km"), "The Briar trail is 4 miles long.", lost},
		{"At what temperature in Celsius is the Mira vaccine stored?", answer("5 °C"), "The Mira vaccine is stored at 41 degrees Fahrenheit.", ""},
		{"How old was Ilse Vorn when she died?", answer("50 years"), "Ilse Vorn was born on 12 March 1950 and died on 1 February 2001.", ""},
		{"When does the Lumen webinar begin in New York?", answer("9 am"), "The Lumen webinar begins at 14:00 UK time.", ""},
		{"For how many years did the Pax treaty hold?", answer("15 years"), "The Pax treaty held from 1921 to 1936.", ""},
		{"For how many years did the Pax treaty hold?", answer("15 years"), "The Lux treaty held from 1950 to 1954.", lost},
		{"What is the default port of kestrel?", answer("8080"), "DEFAULT_PORT = 8080", ""},
		{"In which year was the Linz brewery founded?", answer("1921"), "est. 1921", ""},
		{"When does the Alder library open on Saturdays?", answer("10 am"), "Sa 10-14", ""},
		{"When does the Alder library open on Saturdays?", answer("10 am"), "Ten of the staff sing in the choir of the town.", lost},
		{"Within how many days may a lamp be returned to Halden, and to whom?", keywords("thirty days", "service desk"), "A lamp of Halden may be returned to the service desk within one month.", ""},
		{"Which body adopted the Sarn treaty, and where?", keywords("UN", "Geneva"), "The United Nations adopted the Sarn treaty in Geneva.", ""},
		{"Which body adopted the Sarn treaty, and where?", keywords("UN", "Geneva"), "The newsletter is sent to all subscribers by mail.", lost},
		{"How is leave granted at Halden?", points("Apprentices are entitled to four weeks off.", "The supervisor has to be asked before."),
			"Trainees of Halden receive 28 days of leave, which must be requested from the team lead two weeks in advance.", ""},
		{"How is leave granted at Halden?", points("Apprentices are entitled to four weeks off."), "The newsletter is sent to all subscribers by mail.", lost},
		{"What is needed for a visa of Sarn?", points("A valid passport is needed.", "Proof of funds is needed."), "A visa of Sarn takes a valid passport, a photograph and proof of sufficient funds.", ""},
	} {
		c := assay.Case{Question: test.question, Want: test.want}
		if at := tracedAs(t, c, "the one of the annex", found(test.text, "Members collect coupons.")); at == nil || at.Stage != test.stage {
			t.Errorf("%+v in %q: %+v, want %q", test.want, test.text, at, test.stage)
		}
	}
}

// A text that has other words or numbers in the place of some of the labelled one is neither surely it nor surely
// another; one with the answer that has all else of it that the question has is.
func TestNearlyTheLabelledPassage(t *testing.T) {
	t.Parallel()
	const retrieve, generate = assay.StageRetrieve, assay.StageGenerate
	desk := func(city, more string) string {
		return "The support desk for premium customers of the northern region is located in " + city + ", on the second floor of the old harbour building." + more
	}
	for _, test := range []struct {
		name, question, label, text, answer string
		without, with                       string
	}{
		{"another word", "Where is the support desk for premium customers?", desk("Bergen", ""), desk("Tromso", ""), "Bergen", "", ""},
		{"another word, a sentence", "Where is the support desk for premium customers?", desk("Bergen", ""), desk("Tromso", ""),
			"The support desk for all premium customers of the northern region is located in Bergen.", "", ""},
		{"a denial", "May dogs enter the garden?", "Dogs on a leash may enter the garden of the castle during the opening hours on every day of the week.",
			"Dogs on a leash may not enter the garden of the castle during the opening hours on every day of the week.",
			"Dogs on a leash may enter the garden of the castle during the opening hours.", "", ""},
		{"Chinese", "考試以什麼語言進行？", "課程結束時的考試以英語進行，地點在一樓的大禮堂，考生須攜帶身分證件並提前到場。",
			"課程結束時的考試以德語進行，地點在一樓的大禮堂，考生須攜帶身分證件並提前到場。", "英語", "", ""},
		{"another date at the end", "Where is the support desk for premium customers?", desk("Bergen", " Last updated: 1 May 2023."), desk("Bergen", " Last updated: 7 June 2024."), "Bergen", "", generate},
		{"another page at the beginning", "Where is the support desk for premium customers?", "Page 3 of 12\n" + desk("Bergen", ""), "Page 4 of 14\n" + desk("Bergen", ""), "Bergen", "", generate},
		{"another value of another name", "What does the yearly pass for the Selby clinic cost?", "A yearly pass for the Selby clinic costs 42 dollars.", "A yearly pass for the Thorne clinic costs 57 dollars.", "42 dollars", retrieve, retrieve},
		{"cut at the end", "Where is the support desk for premium customers?", desk("Bergen", " It closes at 5."), desk("Bergen", ""), "Bergen", retrieve, generate},
		{"more at the end", "Where is the support desk for premium customers?", desk("Bergen", ""), desk("Bergen", " It closes at 5."), "Bergen", generate, generate},
	} {
		for i, want := range []string{test.without, test.with} {
			c := assay.Case{Question: test.question, Want: assay.Want{Passages: []string{test.label}, Answers: []string{test.answer}[:i]}}
			if at := tracedAs(t, c, "the annex", found(test.text, "Members collect points.")); at == nil || at.Stage != want {
				t.Errorf("%s, %q: %+v, want %q", test.name, c.Want.Answers, at, want)
			}
		}
	}
}

// The only passage of a labelled document, as far as the trace shows, may say the answer in words that nothing else shows.
func TestOnlyPassageOfALabelledDocument(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"mail": "", "mail.md#2": assay.StageRetrieve} {
		all := list{{ID: name, Document: "mail.md", Text: "Letters with files above 26,214,400 bytes are rejected."},
			{ID: "free", Document: "free.md", Text: "Delivery is free in the whole country."}, {ID: "rack", Document: "rack.md", Text: "Racks are cooled to 20 degrees Celsius."}}
		c := assay.Case{Question: "What is the maximum attachment size?", Want: assay.Want{Documents: map[string]int{"mail.md": 1}, Answers: []string{"25 MB"}}}
		if at := tracedAs(t, c, "10 MB", stages(all, all, all)); at == nil || at.Stage != want {
			t.Errorf("%s: %+v, want %q", name, at, want)
		}
		if at := tracedAs(t, c, "10 MB", stages(append(all, assay.Passage{ID: "m7", Document: "mail.md", Text: "Letters are kept."}), all, all)); at == nil || at.Stage != assay.StageRetrieve {
			t.Errorf("%s, with another passage of it: %+v, want retrieve", name, at)
		}
	}
}
