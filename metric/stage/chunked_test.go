package stage_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// A labelled passage that was retrieved in smaller chunks is there, whether its reference answer is in one of them, in
// several, or labelled at all.
func TestLabelledPassageInSmallerChunks(t *testing.T) {
	t.Parallel()
	sentences := []string{"The Alder workshop lends drills to its members.", "A drill may be kept for seven days and is returned at the desk by the gate.",
		"Whoever is late pays a fee of two dollars for each day of delay.", "The fee is waived for members who are ill and send a note to the warden."}
	other := assay.Passage{ID: "f#1", Document: "f", Text: "The cafeteria opens at noon on working days."}
	for _, answers := range [][]string{nil, {"seven days"}, {"the warden"}, {strings.TrimSuffix(sentences[1], ".") + ", and whoever is late pays a fee of two dollars for each day of delay."}} {
		for n := 1; n <= 4; n++ {
			var chunks list
			for i := 0; i < len(sentences); i += n {
				chunks = append(chunks, assay.Passage{ID: "w#" + string(rune('0'+i)), Document: "w", Text: strings.Join(sentences[i:min(i+n, 4)], " ")})
			}
			all := append(append(list{}, chunks...), other)
			for want, trace := range map[string]string{
				assay.StageGenerate: stages(all, all, all), assay.StageFilter: stages(all, list{other}, list{other}), assay.LostPack: stages(all, all, list{other}),
				assay.StageRetrieve: stages(list{other}, list{other}, list{other}),
			} {
				c := assay.Case{Question: "What are the rules for borrowing a drill from the Alder workshop?",
					Want: assay.Want{Passages: []string{strings.Join(sentences, " ")}, Answers: answers}}
				if at := tracedAs(t, c, "Ask the office.", trace); at == nil || at.Stage != want {
					t.Errorf("chunks of %d, %q: %+v, want %s", n, answers, at, want)
				}
			}
		}
	}
	// Nearly all of it without the answer is not all.
	c := assay.Case{Question: "Who waives the fee of the Alder workshop?", Want: assay.Want{Passages: []string{strings.Join(sentences, " ") + " Ask Jo."}, Answers: []string{"Ask Jo"}}}
	chunks := list{{ID: "w#0", Document: "w", Text: strings.Join(sentences[:2], " ")}, {ID: "w#1", Document: "w", Text: strings.Join(sentences[2:], " ")}}
	if at := tracedAs(t, c, "Ask the office.", stages(chunks, nil, chunks)); at == nil || at.Stage == assay.StageGenerate {
		t.Errorf("%+v", at)
	}
}
