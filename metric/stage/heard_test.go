package stage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// Words of the question that the transcript lost are evidence, also where the target
// cannot be asked with the right one.
func TestMisheardWithoutAskingAgain(t *testing.T) {
	t.Parallel()
	const right = "How large is the deposit for a bicycle?"
	other := chunkOf("o#1", "Nothing of this kind is said here, at any length.")
	passages := assay.Want{Passages: []string{"The deposit for each bicycle is forty dollars."}}
	for _, test := range []struct {
		name            string
		want            assay.Want
		said, heard     string
		stage, evidence string
	}{
		{"a lost word of the labelled passage", passages, right, "How large is the posit for a bicycle?", assay.StageTranscribe,
			`"The deposit for each bicycle is forty dollars.": the transcript lost "deposit" of the question, ` +
				`and it was not retrieved; the transcript was "How large is the posit for a bicycle?"`},
		{"a lost word that it does not have", passages, right, "How barge is the deposit for a bicycle?", assay.StageRetrieve, ""},
		{"most words, whatever it has", assay.Want{Passages: []string{"Forty dollars for each machine are to be paid."}},
			right, "Sow parge is a posit?", assay.StageTranscribe, ""},
		{"function words", passages, right, "what large is a deposit of the bicycles", assay.StageRetrieve, ""},
		{"a document of which no text is known", assay.Want{Documents: map[string]int{"x": 1}},
			right, "How large is the deposit for an icicle?", assay.StageTranscribe, ""},
		{"a number", assay.Want{Documents: map[string]int{"x": 1}},
			"What does bus 53 cost?", "What does bus 50 cost?", assay.StageTranscribe, ""},
		{"the same words", passages, right, "how large is the deposit for a bicycle", assay.StageRetrieve, ""},
		{"another script", assay.Want{Documents: map[string]int{"x": 1}},
			"單車按金幾多錢？", "单车按金几多钱？", assay.StageRetrieve, ""},
		{"another word of Chinese", assay.Want{Documents: map[string]int{"x": 1}},
			"單車按金幾多錢？", "單車岸今幾多錢？", assay.StageTranscribe, ""},
	} {
		test.want.Transcript = &test.said
		r := traced("I do not know.", other)
		r.Trace.Stages = append([]assay.Stage{{Name: assay.StageTranscribe, Output: raw(test.heard)}}, r.Trace.Stages...)
		at := explained(t, &assay.Case{ID: "c", Question: test.said, Want: test.want}, r, stage.Options{}, nil)
		if at.Stage != test.stage || test.evidence != "" && at.Evidence != test.evidence {
			t.Errorf("%s: %s: %s", test.name, at.Stage, at.Evidence)
		}
		if _, merged := at.Merged[assay.StageTranscribe]; merged && test.stage == assay.StageTranscribe {
			t.Errorf("%s: %v", test.name, at.Merged)
		}
	}
}

// A judge's word that the answer is right does not show that the prompt lacked it.
func TestSelfKnowledgeByText(t *testing.T) {
	t.Parallel()
	const long = "The lake is, at its western end and near the mill that stood there, some 40 metres deep in summer."
	near := assay.Passage{ID: "e#1", Document: "e", Text: "Near its western end the lake has a depth of 40 metres."}
	for _, test := range []struct {
		name, answer string
		answers      []string
		self         bool
	}{
		{"a short answer that the prompt lacks", "By Brunner.", []string{"Brunner"}, true},
		{"one that it has", "40 metres.", []string{"40 metres"}, false},
		{"a long answer, in other words in the prompt", long, []string{long}, false},
		{"a yes", "Yes.", []string{"yes"}, false},
	} {
		c := &assay.Case{ID: "c", Question: "?", Want: assay.Want{Documents: map[string]int{"d": 1}, Answers: test.answers}}
		at := explained(t, c, traced(test.answer, near), stage.Options{}, nil)
		if f := at.Facts[0]; f.Lost != assay.StageRetrieve || f.SelfKnowledge != test.self {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// A keyword that only the prompt has, as a part of a longer word, is not surely from memory.
func TestSelfKnowledgeOfAPartOfAWord(t *testing.T) {
	t.Parallel()
	const question, found = "In welchem Zeitabschnitt lag das Pleistozän?", "Der Zeitabschnitt der Skala ist zu klein für die Zeichnung."
	for text, self := range map[string]bool{"Q steht für den Quartär-Zeitabschnitt.": false, "Q steht für den Abschnitt.": true} {
		c := assay.Case{ID: "c", Question: question, Want: assay.Want{Keywords: []string{"Quartär"}}}
		at := tracedAs(t, c, "Es ist das Quartär.", stages(list{{ID: "e", Source: "geology.md", Text: found}}, nil, found+" "+text+"\n"+question))
		if at == nil || slices.ContainsFunc(at.Facts, func(f assay.Fact) bool { return f.SelfKnowledge }) != self {
			t.Errorf("%s: %+v", text, at)
		}
	}
}

// A transcript in another spelling lost nothing.
func TestSpellingIsNotMisheard(t *testing.T) {
	t.Parallel()
	for said, heard := range map[string]string{
		"What does a ticket for twenty five people cost?":     "what does a ticket for 25 people cost",
		"What is the fee for 2 hours?":                        "what is the fee for two hours",
		"When does Dr. Lee see patients?":                     "when does doctor lee see patients",
		"Which colour has the centre door?":                   "which color has the center door",
		"Where do I send an e-mail to the help desk?":         "where do i send an email to the helpdesk",
		"What is the price of the ticket that I don't use?":   "what's the price of the ticket that i do not use",
		"What is the discount of fifty percent cards?":        "what is the discount of 50 % cards",
		"What does the okay card cost?":                       "what does the ok card cost",
		"Where is the ATM of the station?":                    "where is the a t m of the station",
		"What does the ticket of thirty dollars include?":     "what does the ticket of $30 include",
		"二十五號巴士幾點開？":                                          "25号巴士几点开",
		"Was kostet die Straßenbahn?":                         "was kostet die strassenbahn",
		"¿Cuánto cuesta el autobús a Málaga?":                 "cuanto cuesta el autobus a malaga",
		"When does the ferry from Cedar Pier leave for Holm?": "when does the fairy from cedar peer leave for holm",
		"What does bus 53 cost?":                              "what does bus 50 cost",
	} {
		misheard := strings.Contains(heard, "fairy") || strings.Contains(heard, "50 cost")
		other, it := chunkOf("o#1", "The cafeteria of the town hall opens at noon."), chunkOf("x#1", said+" It is so.")
		for _, found := range []list{{other}, {other, it}} {
			r := replied(found, list{other}, list{other}, nil, "I do not know.")
			r.Trace.Stages = append([]assay.Stage{{Name: assay.StageTranscribe, Output: raw(heard)}}, r.Trace.Stages...)
			c := &assay.Case{ID: "c", Question: said, Want: assay.Want{Documents: map[string]int{"x#1": 1}, Transcript: &said}}
			if at := explained(t, c, r, stage.Options{}, judgedWrong); at == nil || (at.Stage == assay.StageTranscribe) != misheard {
				t.Errorf("%q, heard as %q: %+v", said, heard, at)
			}
		}
	}
}
