package stage_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/stage"
)

const (
	passCosts = "The staff meets each Monday. A yearly pass for the Harrow Library costs 35 dollars. Tea is served."
	bicycles  = "Bicycles may be left at the racks beside the gate."
)

// pass asks for one fact, labelled by its passage and its answer.
func pass() *assay.Case {
	return &assay.Case{ID: "a", Question: "What does a yearly pass for the Harrow Library cost?", Want: assay.Want{
		Passages: []string{"A yearly pass for the Harrow Library costs 35 dollars."}, Answers: []string{"35 dollars"},
	}}
}

type list = []assay.Passage

// replied is a response whose stages put out these passages; nil leaves a stage out.
func replied(used, retrieved, kept, prompt list, answer string) *assay.Response {
	t := &assay.Trace{}
	for _, s := range []struct {
		name    string
		in, out list
	}{{assay.StageRetrieve, nil, retrieved}, {assay.StageFilter, nil, kept}, {assay.StageGenerate, prompt, nil}} {
		if s.in != nil || s.out != nil {
			t.Stages = append(t.Stages, assay.Stage{Name: s.name, Input: listed(s.in), Output: listed(s.out)})
		}
	}
	if last := &t.Stages[len(t.Stages)-1]; last.Name == assay.StageGenerate {
		last.Output = raw(answer)
	}
	return &assay.Response{Answer: answer, Passages: used, Trace: t}
}

func listed(ps list) json.RawMessage {
	if ps == nil {
		return nil
	}
	return raw(ps)
}

// judgedWrong says that the answer is wrong.
var judgedWrong = map[string]assay.Score{"answer_correctness": assay.Value(0)}

// A passage that a stage names without its text or its document has those of the stages
// before it. The fault is always where the trace shows it.
func TestPassagesResolveThroughEarlierStages(t *testing.T) {
	t.Parallel()
	c1 := assay.Passage{ID: "c1", Document: "d1", Text: passCosts}
	c2 := assay.Passage{ID: "c2", Document: "d2", Text: bicycles}
	cut := assay.Passage{ID: "c1", Document: "d1", Text: "The staff meets each Monday. A yearly pass for the"}
	id1, id2 := assay.Passage{ID: "c1"}, assay.Passage{ID: "c2"}
	text1, text2 := assay.Passage{Text: passCosts}, assay.Passage{Text: bicycles}
	for name, test := range map[string]struct {
		r         *assay.Response
		documents bool
		want      string
	}{
		"filter names ids, prompt drops": {replied(list{c2}, list{c1, c2}, list{id2, id1}, list{c2}, "12 dollars"), false, assay.LostPack},
		"with documents labelled":        {replied(list{c2}, list{c1, c2}, list{id2, id1}, list{c2}, "12 dollars"), true, assay.LostPack},
		"filter names ids and drops":     {replied(list{c2}, list{c1, c2}, list{id2}, list{c2}, "12 dollars"), false, assay.StageFilter},
		"ids from the filter on":         {replied(list{id1}, list{c1, c2}, list{id1}, list{id1}, "12 dollars"), false, assay.StageGenerate},
		"response names ids alone":       {replied(list{id1}, list{c1, c2}, nil, nil, "12 dollars"), false, assay.StageGenerate},
		"response is cut, filter is not": {replied(list{cut}, list{c1, c2}, list{id1}, list{id1}, "12 dollars"), false, assay.LostPack},
		"filter cuts, prompt names ids":  {replied(nil, list{c1, c2}, list{cut}, list{id1}, "12 dollars"), false, assay.StageFilter},
		"retrieve names ids":             {replied(nil, list{id1, id2}, list{c2, c1}, list{c2}, "12 dollars"), false, assay.LostPack},
		"prompt has texts alone":         {replied(nil, list{c1, c2}, list{c1}, list{text1}, "12 dollars"), true, assay.StageGenerate},
		"prompt lacks the text":          {replied(nil, list{c1, c2}, list{c1, c2}, list{text2}, "12 dollars"), true, assay.LostPack},
		"chunks without ids": {replied(nil, list{{Document: "d1", Text: bicycles}, {Document: "d1", Text: passCosts}},
			nil, list{{Document: "d1", Text: bicycles}}, "12 dollars"), false, assay.LostPack},
	} {
		c := pass()
		if test.documents {
			c.Want = assay.Want{Documents: map[string]int{"d1": 1}, Answers: c.Want.Answers}
		}
		if at := explained(t, c, test.r, stage.Options{}, judgedWrong); at == nil || at.Stage != test.want {
			t.Errorf("%s: %+v, want %s", name, at, test.want)
		}
	}
}

// What the first of two filters kept, the second may drop.
func TestSecondFilterDrops(t *testing.T) {
	t.Parallel()
	c1, c2 := assay.Passage{ID: "c1", Document: "d1", Text: passCosts}, assay.Passage{ID: "c2", Document: "d2", Text: bicycles}
	for name, prompt := range map[string]list{"prompt known": {c2}, "prompt unknown": nil} {
		r := replied(list{c2}, list{c1, c2}, list{c1, c2}, nil, "12 dollars")
		r.Trace.Stages = append(r.Trace.Stages, assay.Stage{Name: assay.StageFilter, Output: listed(list{c2})},
			assay.Stage{Name: assay.StageGenerate, Input: listed(prompt), Output: raw("12 dollars")})
		if at := explained(t, pass(), r, stage.Options{}, judgedWrong); at == nil || at.Stage != assay.StageFilter {
			t.Errorf("%s: %+v", name, at)
		}
	}
}

// What a filter kept is unknown if its output is not reported and the prompt is not: it is not
// known where a passage that it was given was lost. One that it was not given was not retrieved.
func TestFilterWithoutOutput(t *testing.T) {
	t.Parallel()
	c1, c2 := assay.Passage{ID: "c1", Document: "d1", Text: passCosts}, assay.Passage{ID: "c2", Document: "d2", Text: bicycles}
	for _, test := range []struct {
		found, prompt  list
		stage, unknown string
	}{
		{list{c1, c2}, nil, "", assay.UnknownOutput},
		{list{c2}, nil, assay.StageRetrieve, ""},
		{list{c1, c2}, list{c1}, assay.StageGenerate, ""},
	} {
		r := replied(nil, test.found, nil, nil, "12 dollars")
		r.Trace.Stages = append(r.Trace.Stages, assay.Stage{Name: assay.StageFilter}, assay.Stage{Name: assay.StageGenerate, Input: listed(test.prompt), Output: raw("12 dollars")})
		if at := explained(t, pass(), r, stage.Options{}, judgedWrong); at == nil || at.Stage != test.stage || at.Unknown != test.unknown {
			t.Errorf("%v: %+v, want %q, unknown for %q", test, at, test.stage, test.unknown)
		}
	}
}

// The text of a labelled chunk in the prompt counts, whatever the id of its passage.
func TestTextBeatsMissingID(t *testing.T) {
	t.Parallel()
	c1, c2 := assay.Passage{ID: "c1", Document: "d1", Text: passCosts}, assay.Passage{ID: "c2", Document: "d2", Text: bicycles}
	twin, parent := assay.Passage{ID: "c9", Document: "d9", Text: passCosts}, assay.Passage{ID: "d1-full", Text: bicycles + " " + passCosts}
	for name, r := range map[string]*assay.Response{
		"a copy":   replied(list{twin, c2}, list{c1, c2, twin}, list{twin, c2}, list{twin, c2}, "12 dollars"),
		"a parent": replied(list{parent}, list{c1, c2}, nil, list{parent}, "12 dollars"),
	} {
		for _, passages := range [][]string{nil, pass().Want.Passages} {
			c := pass()
			c.Want = assay.Want{Documents: map[string]int{"c1": 1}, Passages: passages, Answers: c.Want.Answers}
			if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != assay.StageGenerate {
				t.Errorf("%s, %d passages: %+v", name, len(passages), at)
			}
		}
	}
}

// The output of what builds the prompt is the prompt.
func TestPromptBuilder(t *testing.T) {
	t.Parallel()
	c1, c2 := assay.Passage{ID: "c1", Document: "d1", Text: passCosts}, assay.Passage{ID: "c2", Document: "d2", Text: bicycles}
	for _, built := range []any{bicycles, map[string]string{"prompt": "Answer: " + bicycles}} {
		r := replied(list{c1, c2}, list{c1, c2}, nil, nil, "12 dollars")
		r.Trace.Stages = append(r.Trace.Stages, assay.Stage{Name: "prompt_builder", Output: raw(built)},
			assay.Stage{Name: assay.StageGenerate, Output: raw("12 dollars")})
		if at := explained(t, pass(), r, stage.Options{}, judgedWrong); at == nil || at.Stage != assay.LostPack {
			t.Errorf("%v: %+v", built, at)
		}
	}
}

// Two chunks that have a labelled sentence together have all of it.
func TestASentenceOfTwoChunks(t *testing.T) {
	t.Parallel()
	c := &assay.Case{ID: "c", Question: "When is the report due?", Want: assay.Want{
		Passages: []string{"The committee's final report must be filed within 14 days of the first hearing."}, Answers: []string{"14 days"},
	}}
	chunks := list{{ID: "c1", Text: "The committee's final report must be filed"}, {ID: "c2", Text: "within 14 days of the first hearing."}}
	r := replied(chunks, chunks, nil, nil, "within 30 days")
	if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != assay.StageGenerate {
		t.Errorf("%+v, want generate", at)
	}
}

// A prompt with the question and without any passage had none, and one with another stage's texts
// had these.
func TestPromptWithoutPassages(t *testing.T) {
	t.Parallel()
	c := pass()
	c.Want = assay.Want{Answers: []string{"35 dollars"}}
	found, names := list{{ID: "c1", Document: "d1", Text: passCosts}}, list{{Text: "d1"}}
	for _, test := range []struct {
		used   list
		prompt string
		at     string
	}{
		{found, "Context:\n\nQuestion: " + c.Question, assay.LostPack},
		{found, "Context:\n" + passCosts[:15] + "\n\nQuestion: " + c.Question, assay.LostPack},
		{found, "Context:\n" + bicycles + "\n\nQuestion: " + c.Question, assay.LostPack},
		{found, "You answer questions about a library.", assay.StageGenerate}, // the system's part alone
		{names, "Context:\n" + passCosts + "\n\nQuestion: " + c.Question, assay.StageGenerate},
	} {
		r := replied(test.used, found, nil, nil, "12 dollars")
		r.Trace.Stages = append(r.Trace.Stages, assay.Stage{Name: assay.StageGenerate, Prompt: test.prompt, Output: raw("12 dollars")})
		if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != test.at {
			t.Errorf("%q: %+v, want %s", test.prompt, at, test.at)
		}
	}
}

// Without a text or an id that matches, nothing is said of the stage, nor by the metrics; the
// reason is one of a few, each with the setting that would show it.
func TestNothingIsLostWithoutEvidence(t *testing.T) {
	t.Parallel()
	id1, id2, id3 := assay.Passage{ID: "c1", Document: "d1"}, assay.Passage{ID: "c2", Document: "d1"}, assay.Passage{ID: "c3", Document: "d3"}
	text := func(s string) assay.Passage { return assay.Passage{Text: s} }
	other := assay.Passage{ID: "c1", Document: "d1", Text: "Whoever visits the Harrow Library all year long pays thirty-five dollars."}
	documents := func(ids ...string) assay.Want {
		w := assay.Want{Documents: map[string]int{}}
		for _, id := range ids {
			w.Documents[id] = 1
		}
		return w
	}
	answer, passages := assay.Want{Answers: []string{"35 dollars"}}, assay.Want{Passages: pass().Want.Passages}
	ids := replied(nil, list{id1, id2, id3}, list{id1, id3}, list{id1}, "12 dollars")
	const german = "Die Kosten für ein Jahr sind in der Liste der Bibliothek zu sehen, und eine Ermäßigung ist möglich."
	found := func(s string) *assay.Response {
		return replied(nil, list{{ID: "c1", Text: s}}, nil, nil, "12 dollars")
	}
	for name, test := range map[string]struct {
		want        assay.Want
		r           *assay.Response
		at, unknown string
	}{
		"ids, reference answer":          {answer, ids, "", assay.UnknownTexts},
		"ids, keywords":                  {assay.Want{Keywords: []string{"35 dollars"}}, ids, "", assay.UnknownTexts},
		"ids, passages":                  {passages, ids, "", assay.UnknownTexts},
		"ids, a document of two chunks":  {documents("d1"), ids, "", assay.UnknownChunk},
		"ids, a document that is absent": {documents("d2"), ids, assay.StageRetrieve, ""},
		"ids, a chunk in the prompt":     {documents("c1"), ids, assay.StageGenerate, ""},
		"ids, a chunk that is dropped":   {documents("c2"), ids, assay.StageFilter, ""},
		"texts without documents":        {documents("d1"), replied(nil, list{text(bicycles)}, nil, nil, "12 dollars"), "", assay.UnknownNames},
		"a cut text":                     {passages, replied(nil, list{{ID: "c1", Text: "The staff meets each…"}}, nil, nil, "12 dollars"), "", assay.UnknownCut},
		"a text cut at a note":           {passages, replied(nil, list{{ID: "c1", Text: "The staff meets [truncated]"}}, nil, nil, "12 dollars"), "", assay.UnknownCut},
		"a text cut at a count":          {passages, replied(nil, list{{ID: "c1", Text: "The staff meets (+137 chars)"}}, nil, nil, "12 dollars"), "", assay.UnknownCut},
		"texts cut to one length": {passages, replied(nil, list{{ID: "c1", Text: "Handbook of the libraries, part three: all"}, {ID: "c2", Text: "Handbook of the libraries, part nine: this"}},
			nil, nil, "12 dollars"), "", assay.UnknownCut},
		"texts of one length": {passages, replied(nil, list{{ID: "c1", Text: "Handbook of the libraries, part three: all."}, {ID: "c2", Text: "Handbook of the libraries, part nine: this."}},
			nil, nil, "12 dollars"), assay.StageRetrieve, ""},
		"a cut text, reference answer": {answer, replied(nil, list{{ID: "c1", Text: "A yearly pass for the ..."}}, nil, nil, "12 dollars"), "", assay.UnknownCut},
		"JSON":                         {answer, replied(nil, list{{ID: "c1", Text: `{"pass": "yearly", "Library": "Harrow", "price": {"amount": 35, "currency": "USD"}}`}}, nil, nil, "12 dollars"), "", assay.UnknownWords},
		"another script":               {passages, found("哈羅圖書館年票售價為三十五美元。"), "", assay.UnknownLanguage},
		"another language":             {passages, found(german), "", assay.UnknownLanguage},
		"another language, answer":     {answer, found(german), "", assay.UnknownLanguage},
		"another language, keyword":    {assay.Want{Keywords: []string{"35 dollars"}}, found(german), "", assay.UnknownLanguage},
		"another language, id":         {documents("c9"), found(german), assay.StageRetrieve, ""},
		"the same language":            {answer, found("The reading room is on the second floor, and it closes at noon."), assay.StageRetrieve, ""},
		"other words":                  {passages, replied(nil, list{other}, nil, nil, "12 dollars"), "", assay.UnknownWords},
		"later texts are cut": {passages, replied(list{{ID: "c1", Text: "A yearly pass for the Harrow"}}, list{{ID: "c1"}}, nil, nil,
			"12 dollars"), "", assay.UnknownTexts},
		"one passage has no text": {answer, replied(nil, list{id1, {ID: "c2", Text: bicycles}}, nil, nil, "12 dollars"), "",
			assay.UnknownTexts},
	} {
		c := pass()
		c.Want = test.want
		at := explained(t, c, test.r, stage.Options{}, judgedWrong)
		if at == nil || !at.Failed || at.Stage != test.at || at.Unknown != test.unknown {
			t.Errorf("%s: %+v, want %q, unknown for %q", name, at, test.at, test.unknown)
			continue
		}
		for _, d := range stage.Defs() {
			if !d.Follows || test.unknown == "" || test.unknown == assay.UnknownChunk {
				continue
			}
			s := score(t, d.Name, metric.Input{Case: c, Response: test.r, Attribution: at})
			if s.State != assay.NotApplicable || s.Reason == "" {
				t.Errorf("%s: %s is %+v", name, d.Name, s)
			}
		}
	}
}

// A passage of the labelled document may state the answer in another notation.
func TestAnotherNotationIsNotLost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, answer, text, at, unknown string }{
		{"How much does the small room cost per hour?", "12 euros", "| room | price per hour (EUR) |\n|---|---|\n| small | 12 |", "", assay.UnknownChunk},
		{"What does a day ticket cost?", "€3.50", "Day ticket (adult) ..... 3,50", "", assay.UnknownChunk},
		{"When was it signed?", "5 March 2021", "Signed on 05.03.2021 in Bonn.", "", assay.UnknownChunk},
		{"What is the timeout?", "30 seconds", "timeout_seconds: 30\nretries: 5", "", assay.UnknownChunk},
		{"What was the revenue?", "3.2 million euros", "Revenue (in thousand EUR): 3,200", "", assay.UnknownChunk},
		{"How far is the lake?", "1.5 km", "The lake is 1500 steps from the gate.", "", assay.UnknownChunk},
		{"What temperature is needed?", "180 °C", "Bake at 180C for an hour.", "", assay.UnknownChunk},
		{"Innerhalb von wie vielen Tagen?", "14 Tage", "Returns are accepted within 14 days of delivery.", "", assay.UnknownChunk},
		{"On which days is the desk open?", "Monday to Friday", "The desk: Mon–Fri, closed on holidays.", "", assay.UnknownChunk},
		{"Which agency issues the permit?", "Environmental Protection Agency", "Permits are issued by the EPA.", "", assay.UnknownChunk},
		{"What year did the museum open?", "1932", "The museum was renovated in 1999.", "", assay.UnknownChunk},
		{"What is the timeout?", "30 seconds", "The timeout can be set in 3 ways.", "", assay.UnknownChunk},
		{"What year did the museum open?", "1932", "Coats are left at the desk near the gate.", assay.StageRetrieve, ""},
		{"Who issues the permit?", "Environmental Protection Agency", "Permits are valid for ten days.", "", assay.UnknownChunk},
	} {
		c := &assay.Case{ID: "c", Question: test.question, Want: assay.Want{Documents: map[string]int{"d.md": 1}, Answers: []string{test.answer}}}
		r := replied(nil, list{{ID: "r1", Document: "d.md", Text: test.text}, {ID: "r2", Document: "e.md", Text: bicycles}}, nil, nil, "99 zebras")
		at := explained(t, c, r, stage.Options{}, judgedWrong)
		if at == nil || !at.Failed || at.Stage != test.at || at.Unknown != test.unknown {
			t.Errorf("%s: %+v, want %q, unknown for %q", test.text, at, test.at, test.unknown)
		}
	}
}

// So may a passage that is about the question, where no document is labelled.
func TestAnotherNotationWithoutADocument(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ question, answer, text, at, unknown string }{
		{"When was the Kelvin library founded?", "15 March 2021", "The Kelvin library was founded on 15.03.2021.", "", assay.UnknownWords},
		{"How long is the loan of the Kelvin library?", "90 minutes", "The loan of the Kelvin library is one and a half hours.", "", assay.UnknownWords},
		{"What is the discount of the Kelvin library?", "25 %", "The discount of the Kelvin library is a quarter.", "", assay.UnknownWords},
		{"What is the fee of the Kelvin library?", "1.500 €", "The fee of the Kelvin library is 1500 Euro.", "", assay.UnknownWords},
		{"What is the fee of the Kelvin library?", "$40", "The fee of the Kelvin library is one of the lowest.", "", assay.UnknownWords},
		{"What is the fee of the Kelvin library?", "$40", "The fee of the Kelvin library is 25 dollars.", "", assay.UnknownWords},
		{"What is the fee of the Kelvin library?", "$40", "The fee of the Harrow library is 40.00.", assay.StageRetrieve, ""},
	} {
		c := &assay.Case{ID: "c", Question: test.question, Want: assay.Want{Answers: []string{test.answer}}}
		r := replied(nil, list{{ID: "r1", Text: test.text}, {ID: "r2", Text: bicycles}}, nil, nil, "99 zebras")
		at := explained(t, c, r, stage.Options{}, judgedWrong)
		if at == nil || !at.Failed || at.Stage != test.at || at.Unknown != test.unknown {
			t.Errorf("%s: %+v, want %q, unknown for %q", test.text, at, test.at, test.unknown)
		}
	}
}

// The evidence is true of passages without a name; of one that may have the answer by chance there is none.
func TestEvidenceIsTrueOfEveryPassage(t *testing.T) {
	t.Parallel()
	c := &assay.Case{ID: "c", Question: "What was the revenue of Acme GmbH in 2022?", Want: assay.Want{Answers: []string{"€48.5 million"}}}
	for text, want := range map[string]assay.Attribution{
		"In 2022 the revenue of Acme GmbH was €48.5 million.": {Stage: assay.StageGenerate, Evidence: "the prompt had it, the answer does not"},
		"€48.5 million, after that of 2021.":                  {Unknown: assay.UnknownWords},
	} {
		given := list{{Text: text}}
		at := explained(t, c, replied(given, given, nil, given, "€41 million"), stage.Options{}, judgedWrong)
		if at == nil || at.Stage != want.Stage || at.Unknown != want.Unknown || !strings.HasSuffix(at.Evidence, want.Evidence) {
			t.Errorf("%s: %+v, want %+v", text, at, want)
		}
	}
}

// Nothing is lost at generate that the answer may say in other words.
func TestParaphrasesAreNotLostAtGenerate(t *testing.T) {
	t.Parallel()
	const lunch = "The canteen serves lunch from 11:30 to 13:45 on working days."
	for answer, want := range map[string]string{"Lunch is available between 11:30 am and 1:45 pm.": assay.UnknownAnswer, "From 11:30 to 15:00.": "", "I do not know.": ""} {
		c := &assay.Case{ID: "c", Question: "When is lunch served?", Want: assay.Want{Passages: []string{lunch}}}
		given := list{{ID: "p1", Text: lunch}}
		at := explained(t, c, replied(given, given, nil, given, answer), stage.Options{}, nil)
		if lost := lostOf(at); at.Unknown != want || (want == "") != slices.Equal(lost, []string{assay.StageGenerate}) {
			t.Errorf("%s: %+v, want unknown for %q", answer, at, want)
		}
	}
}

// An answer that repeats the sentence of a passage with another value does not have the fact, nor does a wrong answer that repeats
// a part of its only passage.
func TestARepeatedSentenceIsNotTheFact(t *testing.T) {
	t.Parallel()
	const port = "The agent listens on TCP port 7443 for commands of the console. Outgoing connections use 443 only."
	for _, test := range []struct {
		answer, prompt, lost string
		scores               map[string]assay.Score
	}{
		{"The agent listens on TCP port 7443.", port, "", nil},
		{"According to section 2.1 the agent listens on TCP port 7443.", port, "", nil},
		{"The agent listens on TCP port 7443. Updates come every 6 hours.", port, "", nil},
		{"The agent listens on TCP port 8080.", port, assay.StageGenerate, nil},
		{"The agent listens on TCP port 8080 [1].", port, assay.StageGenerate, nil},
		{"The agent listens on TCP port 443.", port, "", nil},
		{"The agent listens on TCP port 443.", port, assay.StageGenerate, judgedWrong},
		{port, port, "", judgedWrong},
		{"The agent listens on TCP port 8080.", "The agent listens on TCP port", assay.LostPack, judgedWrong},
	} {
		for name, want := range map[string]assay.Want{"passages": {Passages: []string{port}}, "a chunk": {Documents: map[string]int{"p1": 1}}} {
			c := &assay.Case{ID: "c", Question: "Which TCP port does the agent listen on?", Want: want}
			found, given := list{{ID: "p1", Document: "a.md", Text: port}}, list{{ID: "p1", Document: "a.md", Text: test.prompt}}
			at := explained(t, c, replied(found, found, nil, given, test.answer), stage.Options{}, test.scores)
			if lost := lostOf(at); at.Unknown != "" || !slices.Equal(lost, []string{test.lost}) || test.scores != nil && at.Stage != cmp.Or(test.lost, assay.StageGenerate) {
				t.Errorf("%s, %s, prompt %q: %+v, want lost at %q", name, test.answer, test.prompt, at, test.lost)
			}
		}
	}
}

// What is known of a document alone does not count at the stage that dropped it: the chunk may not have been retrieved.
func TestAnUnknownStageCountsNowhere(t *testing.T) {
	t.Parallel()
	found, rest := list{{ID: "c1", Document: "a.md"}, {ID: "c2", Document: "b.md"}}, list{{ID: "c2"}}
	for name, r := range map[string]*assay.Response{
		"dropped by the filter": replied(nil, found, rest, rest, "No."), "dropped by the prompt": replied(nil, found, nil, rest, "No."),
	} {
		c := &assay.Case{ID: "c", Question: "Which TCP port does the agent listen on?", Want: assay.Want{Documents: map[string]int{"a.md": 1}}}
		if at := explained(t, c, r, stage.Options{}, judgedWrong); at.Unknown != assay.UnknownChunk || at.Stage != "" || at.Facts != nil {
			t.Errorf("%s: %+v", name, at)
		}
	}
}

// What the text of a prompt has of a passage counts, whatever list of passages stands beside it: all of it surely, some
// of it perhaps.
func TestATextOfThePromptOutranksItsList(t *testing.T) {
	t.Parallel()
	given := list{{ID: "p1", Document: "rooms.md", Text: "Study rooms hold at most six people and are booked for two hours at a time."}, {ID: "p2", Text: bicycles}}
	c := &assay.Case{ID: "c", Question: "How many people may study rooms hold?", Want: assay.Want{Answers: []string{"six people"}}}
	r := replied(given, given, nil, list{{ID: "p2"}}, "Four people.")
	for prompt, want := range map[string]string{given[0].Text: assay.StageGenerate, "Study rooms hold at most six people and are bo": ""} {
		r.Trace.Stages[len(r.Trace.Stages)-1].Prompt = prompt + "\n" + bicycles + "\n" + c.Question
		if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || at.Stage != want {
			t.Errorf("%s: %+v, want %q", prompt, at, want)
		}
	}
}

// A chunk of a file that is known by its source alone is not the file.
func TestASourceIsNotTheWholeFile(t *testing.T) {
	t.Parallel()
	c := &assay.Case{ID: "c", Question: "When does the reading room close?", Want: assay.Want{Documents: map[string]int{"rooms.md": 1}, Answers: []string{"18:30"}}}
	for _, p := range []assay.Passage{{Source: "rooms.md"}, {ID: "rooms.md#1"}, {ID: "rooms.md_1"}, {Document: "rooms.md"}} {
		p.Text = "There are 6 study rooms. A study room is booked for at most 2 hours."
		at := explained(t, c, replied(list{p}, list{p}, nil, list{p}, "It closes at 20:00."), stage.Options{}, judgedWrong)
		if at == nil || !at.Failed || at.Stage == assay.StageGenerate {
			t.Errorf("%+v: %+v, want another stage than generate", p, at)
		}
	}
}

// A short answer that the labelled passage says was not lost by the generator.
func TestShortAnswersFromAPassage(t *testing.T) {
	t.Parallel()
	c := pass()
	c.Want = assay.Want{Passages: c.Want.Passages}
	for answer, lost := range map[string]string{"35 dollars": "", "It costs $35.": "", "12 dollars": assay.StageGenerate} {
		given := list{{ID: "c1", Text: passCosts}}
		r := replied(given, given, nil, given, answer)
		if at := explained(t, c, r, stage.Options{}, nil); !slices.Equal(lostOf(at), []string{lost}) {
			t.Errorf("%s: lost %q", answer, lostOf(at))
		}
	}
}

// What the filter keeps by id alone is scored by the texts of the retriever.
func TestFilterMetricsResolveIDs(t *testing.T) {
	t.Parallel()
	r := replied(list{{ID: "c2", Text: bicycles}}, list{{ID: "c1", Text: passCosts}, {ID: "c2", Text: bicycles}},
		list{{ID: "c1"}, {ID: "c2"}}, nil, "12 dollars")
	for _, name := range []string{"chunk_recall(stage=filter)", "filter_kept_recall"} {
		if s := score(t, name, metric.Input{Case: pass(), Response: r}); s.State != assay.Scored || s.Value != 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
