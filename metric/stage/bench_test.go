package stage_test

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
)

// A deep ranking, as of a retrieval benchmark, with one document to be found that
// is there, and one that is not.
func BenchmarkFollow(b *testing.B) {
	var ps, bare []assay.Passage
	for i := range 100 {
		p := assay.Passage{ID: fmt.Sprintf("d%d#0", i), Document: fmt.Sprintf("d%d", i), Text: "A passage of some length about something else.",
			Score: float64(100 - i)}
		ps = append(ps, p)
		p.Text = ""
		bare = append(bare, p)
	}
	r := assay.Response{NoAnswer: true, Passages: ps,
		Trace: &assay.Trace{Stages: []assay.Stage{{Name: assay.StageRetrieve, Output: raw(bare)}}}}
	for name, id := range map[string]string{"found": "d70", "absent": "x"} {
		c := &assay.Case{ID: "c", Question: "?", Want: assay.Want{Documents: map[string]int{id: 1}}}
		a := stage.New(stage.Options{Index: &pipe{}})
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if at, err := a.Follow(b.Context(), c, &r, nil); err != nil || at == nil {
					b.Fatal(at, err)
				}
			}
		})
	}
}
