package server

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/wire"
)

// means returns the estimates and the verdict of runs in the list as text.
func (b *bench) means() map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for _, v := range read[page[RunView]](b.t, b.do("GET", "/api/v1/runs", nil).want(b.t, 200)).Items {
		out[v.ID] = meansText(v)
	}
	return out
}

func meansText(v RunView) string {
	var out []string
	for _, m := range v.Estimates {
		text := m.Metric + " none"
		if m.Mean != nil {
			text = m.Metric + " " + short(*m.Mean) + "/" + strconv.Itoa(m.N)
		}
		if m.CI != nil && (m.CI[0] > *m.Mean || m.CI[1] < *m.Mean) {
			text += " outside of its interval"
		}
		out = append(out, text)
	}
	return strings.TrimSpace(strings.Join(out, ", ") + " " + string(v.Verdict))
}

// TestRunsShowMeans: the estimates in the list are those of the records, whether they are
// stored, derived, of records that were added since, or of a run that goes on.
func TestRunsShowMeans(t *testing.T) {
	b := start(t, withRivers(t))
	began := b.begin(`{"dataset":"rivers.jsonl","config":{"thresholds":{"hit@1":0.5}}}`)
	if v := b.ended(began); meansText(v) != "hit@1 1/3, mrr 1/3 pass" {
		t.Errorf("a run that ended: %s: want its means and verdict", meansText(v))
	}
	if kept, err := wire.KeptMeans(t.Context(), b.store, []string{began}); err != nil || kept[began].Verdict != gate.Pass {
		t.Errorf("%v, %v: want the means with the columns of the run", kept, err)
	}
	b.stored("old", "1100-")
	h, more := b.goesOn("1101")
	const all = "hit@1 0.75/4, mrr 0.18/4"
	for range 2 {
		got := b.means()
		for id, want := range map[string]string{began: "hit@1 1/3, mrr 1/3 pass", "old": "hit@1 0.5/4, mrr 0.08/4", "whole": all, "live": ""} {
			if got[id] != want {
				t.Errorf("run %s: %q, want %q", id, got[id], want)
			}
		}
	}
	more(2)
	if got := b.means()["live"]; got != "hit@1 0.5/2, mrr 0.2/2" {
		t.Errorf("a run that goes on: %q", got)
	}
	// Its session ended early and is resumed: what was stored for two records is of no use.
	for _, add := range []struct {
		state string
		n     int
		want  string
	}{{stateInterrupted, 0, "hit@1 0.5/2, mrr 0.2/2"}, {stateInterrupted, 1, "hit@1 0.67/3, mrr 0.2/3"}, {stateFinished, 1, all}} {
		more(add.n)
		h.State = add.state
		if err := b.store.UpdateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		if got := b.means()["live"]; got != add.want {
			t.Errorf("%s with %d more: %q, want %q", add.state, add.n, got, add.want)
		}
	}
}

func TestTrend(t *testing.T) {
	b := start(t)
	for i, run := range []struct{ id, hits, dataset string }{{"a", "1100", "d"}, {"b", "1110", "e"}, {"c", "", "d"}, {"d", "1111", "d"}} {
		b.stored(run.id, run.hits)
		h, err := b.store.Run(t.Context(), run.id)
		if err != nil {
			t.Fatal(err)
		}
		h.Dataset.Name, h.Dataset.Path, h.Target.Adapter, h.Started = run.dataset, "sets/"+run.dataset+".jsonl", "http", h.Started.Add(time.Duration(-i)*time.Hour)
		if err := b.store.UpdateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	b.goesOn("1")
	for query, want := range map[string]string{
		"metric=hit@1":                       "d 1, b 0.75, a 0.5, whole 1",
		"metric=hit@1&limit=2":               "a 0.5, whole 1",
		"metric=hit@1&dataset=d&target=http": "d 1, a 0.5",
		"metric=hit@1&dataset=e":             "b 0.75",
		"metric=hit@1&name=run a":            "a 0.5",
		"metric=hit@1&target=exec":           "",
		"metric=hit@1&dataset=e.jsonl":       "b 0.75",
	} {
		got := read[wire.Trend](t, b.do("GET", "/api/v1/trends?"+strings.ReplaceAll(query, " ", "%20"), nil).want(t, 200))
		var points []string
		for _, p := range got.Points {
			points = append(points, p.Run+" "+short(p.Mean))
			if p.CI == nil || p.N == 0 || p.Content != "h" {
				t.Errorf("%s: %+v", query, p)
			}
		}
		if text := strings.Join(points, ", "); text != want {
			t.Errorf("%s: %q, want %q", query, text, want)
		}
	}
	b.do("GET", "/api/v1/trends", nil).want(t, 400)
	for path, want := range map[string]string{
		"trends?metric=recall": "hit@1, mrr", "trends?metric=hit@1&dataset=f": "There are: d, e",
	} {
		if got := b.do("GET", "/api/v1/"+path, nil).want(t, 400); !strings.Contains(got.text, want) {
			t.Errorf("%s: %s, want %q", path, got.text, want)
		}
	}
}

// short returns a number with at most two decimals.
func short(v float64) string { return strconv.FormatFloat(math.Round(100*v)/100, 'g', -1, 64) }
