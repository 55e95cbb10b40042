package server

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// stored puts a finished run into the store. A case is q0, q1, …; hits has its hit@1: 1, 0,
// x for a failed target, - for a case that the run lacks. Its mrr is a tenth of its number
// more if it is a hit.
func (b *bench) stored(id, hits string) {
	b.t.Helper()
	h := assay.Header{ID: id, Name: "run " + id, State: stateFinished, Started: time.Unix(1, 0), Finished: time.Unix(2, 0),
		Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: len(hits)},
		Metrics: []assay.MetricInfo{
			{Name: "hit@1", Title: "Hit@1", Better: "higher", Range: [2]float64{0, 1}, Version: 1},
			{Name: "mrr", Title: "MRR", Better: "higher", Range: [2]float64{0, 1}, Version: 1},
		}}
	if err := b.store.CreateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
	for i, hit := range hits {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprint("q", i), Question: fmt.Sprintf("What is %d?", i)}}
		switch hit {
		case '-':
			continue
		case 'x':
			r.Failure = &assay.Failure{Kind: "timeout", Message: "no reply"}
			r.Scores = map[string]assay.Score{"hit@1": {State: assay.TargetError}, "mrr": {State: assay.TargetError}}
		default:
			r.Response = &assay.Response{Answer: fmt.Sprint(id, " says ", i)}
			value := float64(hit - '0')
			r.Answer = map[rune]assay.Correctness{'0': assay.AnswerWrong, '1': assay.AnswerRight}[hit]
			r.Scores = map[string]assay.Score{"hit@1": assay.Value(value), "mrr": assay.Value(value * (0.1 + float64(i)/10))}
		}
		if err := b.store.Put(b.t.Context(), id, r); err != nil {
			b.t.Fatal(err)
		}
	}
}

// compared lists cases as "q0 class".
func (b *bench) compared(query string) (cases []string, total int) {
	b.t.Helper()
	l := read[page[pairedCase]](b.t, b.do("GET", "/api/v1/comparisons/cases?"+query, nil).want(b.t, 200))
	for _, c := range l.Items {
		cases = append(cases, c.ID+" "+c.Class)
	}
	return cases, l.Total
}

// A comparedSummary is a comparison without its cases, as far as tests read it.
type comparedSummary struct {
	Baseline string
	Runs     map[string]assay.Header
	Summary  map[string]struct {
		Differences map[string]struct {
			N         int
			P         *float64
			Sentence  string
			Corrected *correctedDifference
		}
	}
	BothWrong struct{ Rule string } `json:"both_wrong"`
	Cases     []any
}

type correctedDifference struct {
	Labels   int
	Mean     *float64
	Sentence string
}

// summary reads a comparison without its cases.
func (b *bench) summary(query string) comparedSummary {
	b.t.Helper()
	return read[comparedSummary](b.t, b.do("GET", "/api/v1/compare?cases=false&"+query, nil).want(b.t, 200))
}

func TestComparisonsHaveClassesOfCases(t *testing.T) {
	b := start(t)
	//            0123456
	b.stored("a", "1100x1-")
	b.stored("b", "1010x-1")
	b.stored("c", "1111111")
	// q6 is in b and c alone, q5 in a and c. The failed target of q4 counts 0.
	for of, want := range map[string]int{"b&class=both_right": 1, "b&class=both_wrong": 2, "b&class=newly_right": 1, "b&class=newly_wrong": 1,
		"b&class=unpaired": 2, "b&class=different": 2, "b&class=unknown": 0, "c&class=newly_right": 3, "c&class=both_right": 3, "c&class=unpaired": 1} {
		if _, n := b.compared("runs=b,a,c&baseline=a&run=" + of); n != want {
			t.Errorf("%s: %d cases, want %d", of, n, want)
		}
	}
	v := b.summary("runs=b,a,c&baseline=a")
	if v.Baseline != "run a" || len(v.Runs) != 3 || len(v.Summary) != 2 || len(v.Cases) != 0 ||
		!strings.HasPrefix(v.BothWrong.Rule, "A case is right or wrong by its answer: a judge decides") {
		t.Errorf("%+v: want three runs without cases", v)
	}
	if d := v.Summary["hit@1"].Differences["run b"]; d.N != 5 || d.Sentence == "" {
		t.Errorf("%+v: want the differences of five pairs", d)
	}

	all := "runs=a,b"
	rest := []string{"q3 both_wrong", "q4 both_wrong", "q5 unpaired", "q6 unpaired"}
	for query, want := range map[string][]string{
		"":                                       append([]string{"q0 both_right", "q1 newly_wrong", "q2 newly_right"}, rest...),
		"&class=newly_wrong":                     {"q1 newly_wrong"},
		"&class=unpaired":                        {"q5 unpaired", "q6 unpaired"},
		"&class=different":                       {"q1 newly_wrong", "q2 newly_right"},
		"&metric=mrr&class=different&sort=delta": {"q1 newly_wrong", "q2 newly_right"},
		"&metric=mrr&class=different&sort=-delta":      {"q2 newly_right", "q1 newly_wrong"},
		"&metric=mrr&sort=change":                      append([]string{"q2 newly_right", "q1 newly_wrong", "q0 both_right"}, rest...),
		"&sort=-id&class=both_wrong":                   {"q4 both_wrong", "q3 both_wrong"},
		"&q=" + url.QueryEscape("status:error"):        {"q4 both_wrong"},
		"&q=" + url.QueryEscape(`hit@1<1 -"no reply"`): {"q1 newly_wrong", "q3 both_wrong", "q4 both_wrong"},
	} {
		if got, _ := b.compared(all + query); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got, total := b.compared(all + "&limit=2&offset=3"); total != 7 || len(got) != 2 || got[0] != "q3 both_wrong" {
		t.Errorf("%q of %d: want the fourth and the fifth of seven", got, total)
	}
	got, _ := b.compared("runs=a,b,c&run=c&class=newly_right")
	if !slices.Equal(got, []string{"q2 newly_right", "q3 newly_right", "q4 newly_right"}) {
		t.Errorf("against c: %q", got)
	}
	one := read[page[pairedCase]](t, b.do("GET", "/api/v1/comparisons/cases?metric=mrr&class=newly_right&"+all, nil).want(t, 200)).Items[0]
	if one.Question != "What is 2?" || math.Abs(*one.Delta-0.3) > 1e-9 || len(one.Cells) != 2 || *one.Cells[0].Value != 0 ||
		one.Cells[1].Answer != "b says 2" ||
		one.Cells[0].Outcome != "wrong" || one.Cells[1].Outcome != "right" {
		t.Errorf("%+v: want q2, 0.3 better in b", one)
	}
	failed := read[page[pairedCase]](t, b.do("GET", "/api/v1/comparisons/cases?limit=1&offset=4&"+all, nil).want(t, 200)).Items[0]
	if c := failed.Cells[0]; c.Status != "error" || c.State != "target_error" || !strings.Contains(c.Failure, "timeout") {
		t.Errorf("%+v: want the failed target", failed)
	}
}

func TestComparisonsRefuse(t *testing.T) {
	b := start(t)
	b.stored("a", "10")
	b.stored("b", "11")
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"runs=a":                  {400, "expected 2 to 10 run ids"},
		"runs=a,a":                {400, "run listed twice"},
		"runs=a,none":             {404, "no such run"},
		"runs=a,b&baseline=c":     {400, "expected one of the compared runs"},
		"runs=a,b&primary=recall": {409, "recall"},
		"runs=a,b&run=a":          {400, "not the baseline"},
		"runs=a,b&metric=recall":  {400, "expected one of hit@1, mrr"},
		"runs=a,b&class=wrong":    {400, "expected value to be one of"},
		"runs=a,b&q=hit@1":        {200, ""},
		"runs=a,b&q=hit@2%3C1":    {400, "hit@2"},
	} {
		if g := b.do("GET", "/api/v1/comparisons/cases?"+query, nil); g.StatusCode != want.status || !strings.Contains(g.text, want.says) {
			t.Errorf("%s: %d %s: want %d with %q", query, g.StatusCode, g.text, want.status, want.says)
		}
	}
}

// A comparison of finished runs is kept until its runs have other records; another plan is
// another comparison.
func TestComparisonsAreKept(t *testing.T) {
	b := start(t)
	b.stored("a", "1010")
	b.stored("b", "1111")
	look := func(query string) *comparison {
		t.Helper()
		c, err := b.server.comparison(t.Context(), Compared{Runs: "a,b", Primary: query})
		if err != nil {
			t.Fatal(err)
		}
		return c.comparison
	}
	first := look("")
	if look("") != first {
		t.Error("the comparison was made again")
	}
	if look("mrr") == first {
		t.Error("a comparison with another primary metric is the same")
	}
	// One that is kept takes nothing of a token's share.
	kept, secret := b.issue(ScopeRead, time.Time{})
	b.server.renders.used[kept.ID] = maxRenders
	b.do("GET", "/api/v1/comparisons/cases?runs=a,b", nil, "Authorization", "Bearer "+secret).want(t, 200)
	b.do("GET", "/api/v1/compare?cases=false&runs=b,a", nil, "Authorization", "Bearer "+secret).want(t, 429)
	whole := b.do("GET", "/api/v1/compare?runs=a,b", nil).want(t, 200)
	tag := whole.Header.Get("ETag")
	if again := b.do("GET", "/api/v1/compare?runs=a,b", nil, "If-None-Match", tag); tag == "" || again.StatusCode != 304 || again.text != "" {
		t.Errorf("tag %q: %d, want 304 for the same comparison", tag, again.StatusCode)
	}
	b.do("GET", "/api/v1/compare?runs=a,b&level=0.9", nil, "If-None-Match", tag).want(t, 200)
	r := assay.Record{Seq: 9, Attempts: 1, Case: assay.Case{ID: "q9"}, Response: &assay.Response{Answer: "late"},
		Scores: map[string]assay.Score{"hit@1": assay.Value(1), "mrr": assay.Value(1)}}
	if err := b.store.Put(t.Context(), "b", r); err != nil {
		t.Fatal(err)
	}
	if look("") == first {
		t.Error("a run has another record, and the comparison is the same")
	}
	b.do("GET", "/api/v1/compare?runs=a,b", nil, "If-None-Match", tag).want(t, 200)
}

// TestComparisonsOutliveTheServer: what a server computed of a comparison, the next one reads, and
// computes again once a run is another.
func TestComparisonsOutliveTheServer(t *testing.T) {
	b := start(t)
	b.stored("a", "110010110100")
	b.stored("b", "111011110101")
	p := func(b *bench) float64 {
		t.Helper()
		return *b.summary("runs=a,b").Summary["hit@1"].Differences["run b"].P
	}
	first := p(b)
	items, _, err := b.store.Items(t.Context(), kindComparison, store.ItemQuery{Parent: "a", Bodies: true})
	if err != nil || len(items) != 1 {
		t.Fatalf("%d items, %v: want what was computed, with the run", len(items), err)
	}
	var c report.Computed
	var packed []byte
	if json.Unmarshal(items[0].Body, &packed) != nil || !readComputed(packed, &c) || c.Rows[0].Differences[0].P != first {
		t.Fatalf("%+v: want p %v", c, first)
	}
	c.Rows[0].Differences[0].P = 0.123
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(c); err != nil {
		t.Fatal(err)
	}
	items[0].Body, _ = json.Marshal(buf.Bytes())
	if err := b.store.PutItem(t.Context(), items[0]); err != nil {
		t.Fatal(err)
	}
	if got := p(startOn(t, b.store)); got != 0.123 {
		t.Errorf("p %v, want the kept 0.123", got)
	}
	b.changed("b", func(h *assay.Header) { h.Name = "another" })
	if got := *startOn(t, b.store).summary("runs=a,b").Summary["hit@1"].Differences["another"].P; got != first {
		t.Errorf("p %v of other runs, want %v", got, first)
	}
}
