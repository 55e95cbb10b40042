package summary_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

var (
	inBrackets = regexp.MustCompile(`[(（][^)）]*[)）]`)
	integer    = regexp.MustCompile(`\d+`)
)

// Every number of the sentence is one of the table below it: wrong answers by stage if there
// are any, else facts by stage.
func TestSentenceIsTheTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := waterfall(generated(t), 0.95)
		var table []int
		if w.Failed > 0 && !w.Retrieval {
			of := 0
			for _, v := range w.Verdicts {
				of += v.Cases
			}
			table = []int{of}
			for _, v := range w.Worst() {
				table = append(table, v.Cases)
			}
			if first := w.Worst()[0]; first.Located() {
				table = append(table, first.Cases)
				left := first.Cases
				for _, a := range first.Again {
					table = append(table, a.Cases)
					left -= a.Cases
				}
				if w.Open > 0 {
					table = append(table, first.Cases+w.Open, w.Open)
				}
				if left < 0 {
					t.Fatalf("of %d cases more fail again: %+v", first.Cases, first.Again)
				}
			}
		} else if w.Facts > 0 {
			of := w.Answered
			var lost []int
			for _, s := range w.Stages {
				if of += s.Lost; s.Lost > 0 {
					lost = append(lost, s.Lost)
				}
			}
			table = append([]int{of, w.Answered}, lost...)
		}
		for _, in := range []words.Words{words.English, words.TraditionalChinese} {
			s := in.Lost(w, 0)
			if w.Failed == 0 && !w.Retrieval {
				// The cases that were followed have a line of their own.
				_, after, found := strings.Cut(strings.ReplaceAll(s, "；", ";"), ";")
				if s = after; !found {
					s = ""
				}
			}
			var said []int
			for _, d := range integer.FindAllString(inBrackets.ReplaceAllString(s, ""), -1) {
				n, _ := strconv.Atoi(d)
				said = append(said, n)
			}
			if !slices.Equal(said, table) {
				t.Fatalf("%q has the numbers %d, the table %d", s, said, table)
			}
			if w.Failed > 0 && !w.Retrieval && (strings.Contains(s, " lost ") || strings.Contains(s, "流失")) {
				t.Fatalf("%q says of answers what is true of facts", s)
			}
		}
	})
}

// Two faults: the first stage alone does not mend a case that lost evidence at another one.
func TestFailAgain(t *testing.T) {
	t.Parallel()
	two := func(seq int, verdict string, ladder *assay.Ladder, lost ...string) assay.Record {
		r := followed(seq, lost...)
		r.Attribution.Failed, r.Attribution.Stage, r.Attribution.Ladder = true, verdict, ladder
		return r
	}
	climbed := &assay.Ladder{Rungs: rungs(0, 0, 0, 1)}
	w := waterfall([]assay.Record{
		two(0, assay.StageRetrieve, nil, assay.StageRetrieve, assay.StageGenerate),
		two(1, assay.StageRetrieve, nil, assay.StageRetrieve, assay.LostNotInIndex, assay.StageFilter),
		two(2, assay.StageRetrieve, nil, assay.StageRetrieve, ""),
		// The answer was right with the right passages: what the generator lost was no fault of its own.
		two(3, assay.StageRetrieve, climbed, assay.StageRetrieve, assay.StageGenerate),
		two(4, assay.StageRetrieve, climbed, assay.LostNotInIndex),
		two(5, assay.StageRetrieve, &assay.Ladder{Error: "out of order"}, assay.StageRetrieve, assay.StageGenerate),
	}, 0.95)
	want := []summary.Again{{Stage: assay.LostNotInIndex, Cases: 2}, {Stage: assay.StageGenerate, Cases: 2}}
	if d := cmp.Diff(want, w.Verdicts[0].Again); d != "" {
		t.Error(d)
	}
	sentence := "fixing retrieve first could recover at most 6; 2 of them fail again because the index lacks the evidence, 2 at generate."
	if s := english.Lost(w, 0); !strings.HasSuffix(s, sentence) {
		t.Errorf("%q, want the end %q", s, sentence)
	}
}
