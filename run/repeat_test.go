package run_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// Each draw of a case is asked under the case's own id, judged by its own draw
// of the judge, and recorded under an id of its own; critical cases come first
// in all their draws.
func TestDraws(t *testing.T) {
	t.Parallel()
	two := labelled("c", 2)
	two[1].Critical = true
	var cs []assay.Case
	for draw := range 3 {
		for _, c := range two {
			cs = append(cs, c.Repeated(draw))
		}
	}
	target := &fake{ask: func(_ context.Context, c *assay.Case, _ int) (assay.Response, error) {
		return assay.Response{Answer: fmt.Sprintf("%s draw %d", c.ID, c.Draw)}, nil
	}}
	cfg := config(t, target, cs)
	cfg.Metrics = metrics(t, "ruled")
	cfg.Judge = &ruler{rule: holds}
	cfg.Redraw = func(draw int) judge.Judge {
		return &ruler{rule: func(_ context.Context, answer string) (judge.Ruling, error) {
			if want := fmt.Sprintf("draw %d", draw); answer[len(answer)-len(want):] != want {
				t.Errorf("%q was judged by draw %d of the judge", answer, draw)
			}
			return judge.Ruling{Degree: float64(draw) / 10}, nil
		}}
	}
	recs := sorted(must(t, cfg))
	if want := []string{"c1", "c1", "c1", "c0", "c0", "c0"}; !slices.Equal(target.order, want) {
		t.Errorf("asked %v, want %v", target.order, want)
	}
	for i, want := range []string{"c0", "c1", "c0#2", "c1#2", "c0#3", "c1#3"} {
		r := recs[i]
		if r.Case.ID != want || r.Response.Answer != fmt.Sprintf("%s draw %d", r.Case.Base(), i/2) ||
			r.Scores["ruled"].Value != float64(i/2)/10 {
			t.Errorf("record %d: %q answered %q, scored %v; want %q", i, r.Case.ID, r.Response.Answer, r.Scores["ruled"].Value, want)
		}
	}
}
