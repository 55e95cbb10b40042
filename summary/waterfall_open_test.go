package summary_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// Answers that may be wrong, and wrong ones without a stage, may be recovered, too: 30 answers
// fail at retrieve, and labels show it of 15.
func TestRecoverableCountsUnknownAnswers(t *testing.T) {
	t.Parallel()
	var rs []assay.Record
	for i := range 30 {
		r := failing(i, assay.StageRetrieve)
		switch {
		case i >= 25:
			r = failing(i, "")
		case i >= 15:
			r.Attribution.Failed, r.Attribution.Stage, r.Answer = false, "", assay.AnswerUnknown
		}
		rs = append(rs, r)
	}
	w := waterfall(rs, 0.95)
	if w.Open != 15 {
		t.Errorf("%d are open", w.Open)
	}
	for in, want := range map[words.Words]string{
		words.English:            "could recover at most 15; at most 30 with the 15 answers whose outcome or stage is unknown.",
		words.TraditionalChinese: "最多可修正 15 個；最多 30 個，若計入結果或階段不明的 15 個。",
	} {
		if s := in.Lost(w, 0); !strings.HasSuffix(s, want) {
			t.Errorf("%q, want the end %q", s, want)
		}
	}
}

// The sentence about facts says of how many cases they are unknown.
func TestUnknownFactsAreBesideTheKnown(t *testing.T) {
	t.Parallel()
	lost, unknown, alone := followed(0, assay.StageRetrieve), failing(1, ""), failing(2, "")
	lost.Attribution.Failed, lost.Attribution.Stage = true, assay.StageRetrieve
	unknown.Attribution.Unknown, alone.Attribution.Unknown = assay.UnknownChunk, assay.UnknownEnough
	w := waterfall([]assay.Record{lost, unknown, alone}, 0.95)
	for in, want := range map[words.Words]string{
		words.English: " (facts of 1 case are unknown).", words.TraditionalChinese: "（1 個案例的事實不明）。",
	} {
		if s := in.Followed(w); !strings.HasSuffix(s, want) {
			t.Errorf("%q, want the end %q", s, want)
		}
	}
}
