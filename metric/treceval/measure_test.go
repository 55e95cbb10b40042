package treceval_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
	"github.com/assay-eval/assay/metric/treceval"
)

func TestParseTREC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		level int
		want  string
	}{
		{[]string{"map"}, 1, "map"},
		{[]string{"P.10,5", "map"}, 1, "map P_5 P_10"},
		{[]string{"set"}, 1, "runid num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F"},
		{[]string{"official", "iprec_at_recall..1", "P.5"}, 1,
			"runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall_0.10 P_5"},
		{[]string{"P.5", "P.7"}, 1, "P_5"},
		{[]string{"P", "P.7"}, 1, "P_7"},
		{[]string{"success.2.5"}, 1, "success_2"},
		{[]string{"ndcg@10", "map", "nDCG@10", "ndcg@10(exponential)"}, 1, "map ndcg@10 ndcg@10(gain=exponential)"},
		{[]string{"rbp", "rbp(p=0.8)", "rbp.p=0.8", "rbp(p=0.5)"}, 1, "rbp_p=0.8 rbp(p=0.8) rbp(p=0.5)"},
		{[]string{"recall@5", "ndcg@5", "rbp(p=0.5)", "map@5(level=3)"}, 2, "recall@5(level=2) ndcg@5 rbp(p=0.5,level=2) map@5(level=3)"},
		{[]string{" set_F.2 ", "11pt_avg..25,.5"}, 1, "11pt_avg_.25,.5 set_F_2"},
		{[]string{"P_5", "ndcg_cut_10", "iprec_at_recall_0.10", "ndcg_rel", "utility_2,-1,0,0"}, 1,
			"iprec_at_recall_0.10 P_5 utility_2,-1,0,0 ndcg_rel ndcg_cut_10"},
	} {
		var got []string
		for _, m := range parse(t, c.level, c.names...) {
			got = append(got, m.Name)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %s\nwant %s", c.names, s, c.want)
		}
	}
}

func TestParseTRECErrors(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ndgc@10":       `unknown metric "ndgc@10": did you mean "ndcg@10"?  (all: assay metrics); trec_eval's names are known too`,
		"src_recall@5":  "unknown metric",
		"map.5":         `measure "map.5": "map" takes no parameters`,
		"P.0":           `measure "P.0": cutoff 0: expected a rank from 1`,
		"P.5,5":         `measure "P.5,5": 5 is given twice`,
		"P.5,5.5":       `measure "P.5,5.5": 5.5 is given twice`,
		"P.five":        `measure "P.five": parameter "five": expected a number`,
		"P.nan":         `measure "P.nan": parameter "nan": expected a number`,
		"P.1e300":       `measure "P.1e300": parameter "1e300": expected a number`,
		"utility.1,2":   `measure "utility.1,2": expected 4 numbers`,
		"set_F.1,2":     `measure "set_F.1,2": expected 1 number`,
		"ndcg.3":        `measure "ndcg.3": parameter "3": expected assignments of numbers, as in "ndcg.1=3,2=9"`,
		"ndcg.1=x":      `measure "ndcg.1=x": parameter "1=x": expected assignments of numbers, as in "ndcg.1=3,2=9"`,
		"":              "unknown metric",
		"recall":        `metric "recall@": expected a cutoff`,
		"precision@0":   `metric "precision@0": cutoff "0"`,
		"relstring.1,2": `measure "relstring.1,2": expected 1 number`,
	} {
		if name == "recall" {
			// trec_eval's name, with its default cutoffs.
			continue
		}
		if _, err := treceval.ParseTREC([]string{"map", name}, 1); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", name, err, want)
		}
	}
	if _, err := treceval.ParseTREC([]string{"nope1", "nope2"}, 1); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("not every mistake is told: %v", err)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		level int
		want  string
	}{
		{[]string{"map", "bpref", "infAP", "ndcg", "rbp", "set_F", "Map@5"}, 1, "map bpref infap ndcg rbp set_f map@5"},
		{[]string{"map", "rbp(p=0.5)"}, 2, "map(level=2) rbp(p=0.5,level=2)"},
		{[]string{"map(LEVEL=3)"}, 2, "map(level=3)"},
		{[]string{"P.10,5", "mrr", "P_7", "map"}, 1, "mrr map P_5* P_10*"},
		{[]string{"P_5", "map_cut.5", "recip_rank", "Rprec", "ndcg_cut.10", "recall.5", "rbp.p=0.5"}, 1,
			"Rprec* recip_rank* P_5* recall_5* ndcg_cut_10* map_cut_5* rbp_p=0.5*"},
		{[]string{"set", "map"}, 1, "map runid* num_q* num_ret* num_rel* num_rel_ret* utility* set_P* set_relative_P* set_recall* " +
			"set_map* set_F*"},
		// A list, and the commas of parameters.
		{[]string{"ndcg@10,map", "P_5, recip_rank"}, 1, "ndcg@10 map recip_rank* P_5*"},
		{[]string{"gm_map", "ndcg@5"}, 1, "ndcg@5 gm_map*"},
	} {
		ms, err := treceval.Parse(c.names, c.level)
		if err != nil {
			t.Errorf("%q: %v", c.names, err)
			continue
		}
		if s := strings.Join(definitions(t, ms), " "); s != c.want {
			t.Errorf("%q: %s\nwant %s", c.names, s, c.want)
		}
	}
}

// definitions names measures as the CSV output does, those of trec_eval with an
// asterisk.
func definitions(t *testing.T, ms []treceval.Measure) []string {
	t.Helper()
	r := score(t, judgments(t, strings.NewReader(smallQrels)), text(smallRun), ms, 0, 1)
	var out bytes.Buffer
	if err := (&treceval.Report{Level: 0.95, PerQuery: true, Results: []*treceval.Result{r}}).WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, row := range rows[1:] {
		told[row[3]] = row[8]
	}
	var names []string
	for _, m := range ms {
		switch told[m.Name] {
		case "assay":
			names = append(names, m.Name)
		default:
			names = append(names, m.Name+"*")
		}
	}
	return names
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"recall":           `metric "recall": expected a cutoff, as in "recall@10"`,
		"map.5":            `unknown metric "map.5": did you mean "map@5"?  (all: assay metrics)`,
		"map_5":            `unknown metric "map_5": did you mean "map@5"?  (all: assay metrics); trec_eval's names are known too`,
		"p.5":              `unknown metric "p.5": did you mean "precision@5"?  (all: assay metrics); trec_eval's names are known too`,
		"P.0":              `measure "P.0": cutoff 0: expected a rank from 1`,
		"ndcg@10,map,P@10": `unknown metric "P@10": did you mean "precision@10"?`,
		"P_":               `unknown metric "P_"`,
		"rbp(p=2)":         `metric "rbp(p=2)": p "2": expected a number from 0 to 0.9999`,
		"all_trec":         `measure "map" is asked of assay and of trec_eval: expected one of them`,
		"official":         `measure "map" is asked of assay and of trec_eval: expected one of them`,
	} {
		if _, err := treceval.Parse([]string{"map", name}, 1); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", name, err, want)
		}
	}
	if ms, err := treceval.Parse([]string{"nope1", "map", "nope2"}, 1); ms != nil || err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("not every mistake is told: %v", err)
	}
}

// TestOneNameOneMeaning holds a name against the metric of a case, which is
// what a run computes: both leave out a query without a relevant document.
func TestOneNameOneMeaning(t *testing.T) {
	t.Parallel()
	// map: 1/2 for q1, 0 for q2 and for q4, which the run lacks; q3 has no
	// relevant document and counts 0 for trec_eval only.
	j := judgments(t, strings.NewReader(smallQrels))
	for _, c := range []struct {
		parse func([]string, int) ([]treceval.Measure, error)
		mean  float64
		n     int
	}{{treceval.Parse, 0.5 / 3, 3}, {treceval.ParseTREC, 0.5 / 4, 4}} {
		ms, err := c.parse([]string{"map"}, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := score(t, j, text(smallRun), ms, 0, 1).Summary(0, 0.95)
		if math.Abs(s.Value-c.mean) > 1e-12 || s.N != c.n {
			t.Errorf("map: %v over %d, want %v over %d", s.Value, s.N, c.mean, c.n)
		}
	}
}

// TestEqualsTheMetrics holds what is read from a run, in any order of lines,
// with ties and with many or few judged results, against the metrics of a
// response in the order that trec.ReadRun gives.
func TestEqualsTheMetrics(t *testing.T) {
	t.Parallel()
	names := []string{"ndcg@10", "ndcg@5(exponential)", "map@20", "mrr@3", "recall@7", "precision@7", "bpref", "infap", "rbp(p=0.7)",
		"rbp(p=0.8,gain=graded)", "err@10", "judged@10", "unjudged@10", "set_f", "r_precision", "hit@2(level=2)"}
	catalog := metric.NewCatalog(retrieval.Defs()...)
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		var qrels, run strings.Builder
		cases := map[string]*assay.Case{}
		for q := range 3 {
			id := fmt.Sprintf("q%d", q)
			c := &assay.Case{Want: assay.Want{Documents: map[string]int{}}}
			cases[id] = c
			returned := r.IntN(60)
			for d := range r.IntN(40) + 1 {
				doc, grade := fmt.Sprintf("d%d", d*(1+round%3)), r.IntN(6)-1
				c.Want.Documents[doc] = grade
				fmt.Fprintf(&qrels, "%s 0 %s %d\n", id, doc, grade)
			}
			for _, d := range r.Perm(80)[:returned+1] {
				fmt.Fprintf(&run, "%s Q0 d%d 1 %d t\n", id, d, r.IntN(1+round%30))
			}
		}
		ranked, err := trec.ReadRun(strings.NewReader(run.String()), "r")
		if err != nil {
			t.Fatal(err)
		}
		j := judgments(t, strings.NewReader(qrels.String()))
		q, err := trec.ReadQrels(strings.NewReader(qrels.String()), "q")
		if err != nil {
			t.Fatal(err)
		}
		measures, err := treceval.Parse(names, 1)
		if err != nil {
			t.Fatal(err)
		}
		result := score(t, j, text(run.String()), measures, 0, 2)
		for qi, query := range result.Queries {
			response := &assay.Response{}
			for _, item := range ranked[query.ID] {
				response.Passages = append(response.Passages, assay.Passage{Document: item.Document})
			}
			for _, m := range result.Measures {
				parsed, err := catalog.Parse(m.Name)
				if err != nil {
					t.Fatal(err)
				}
				want := parsed.Score(context.Background(), metric.Input{Case: cases[query.ID], Response: response, MaxGrade: q.MaxGrade()})
				got, ok := result.Value(qi, index(result, m.Name))
				if ok != (want.State == assay.Scored) || math.Abs(got-want.Value) > 1e-12 {
					t.Fatalf("round %d, %s of %s: %v %v, want %v %v", round, m.Name, query.ID, got, ok, want.Value, want.State)
				}
			}
		}
	}
}

func index(r *treceval.Result, name string) int {
	for i, m := range r.Measures {
		if m.Name == name {
			return i
		}
	}
	return -1
}

const (
	smallQrels = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\nq3 0 a 0\nq4 0 a 1\n"
	smallRun   = "q1 Q0 b 1 2 tag\nq1 Q0 a 2 1 tag\nq2 Q0 x 1 1 tag\nq3 Q0 a 1 1 tag\nq9 Q0 a 1 1 tag\nq8 Q0 a 1 1 tag\n"
)

func TestQueriesWithoutResultsOrJudgments(t *testing.T) {
	t.Parallel()
	r := score(t, judgments(t, strings.NewReader(smallQrels)), text(smallRun),
		parse(t, 1, "recip_rank", "mrr@10", "unjudged@1", "judged@1", "precision@1"), 0, 2)
	if r.Missing != 1 || !r.Queries[3].Missing || r.Unjudged != 2 || r.FirstUnjudged != "q8" || r.Tag != "tag" {
		t.Errorf("%+v", r)
	}
	// recip_rank: 1/2, 0, 0 (nothing relevant), 0 (missing). mrr@10 leaves q3
	// out. unjudged, of which less is better, has no value where nothing came
	// back; judged and precision count 0 there.
	for name, want := range map[string]struct {
		mean float64
		n    int
	}{
		"recip_rank": {0.5 / 4, 4}, "mrr@10": {0.5 / 3, 3}, "unjudged@1": {1.0 / 3, 3}, "judged@1": {2.0 / 4, 4}, "precision@1": {0, 4},
	} {
		s := r.Summary(index(r, name), 0.95)
		if math.Abs(s.Value-want.mean) > 1e-12 || s.N != want.n {
			t.Errorf("%s: %v over %d, want %v over %d", name, s.Value, s.N, want.mean, want.n)
		}
	}
}

func TestScoreErrors(t *testing.T) {
	t.Parallel()
	j := judgments(t, strings.NewReader(smallQrels))
	gone := errors.New("gone")
	for _, c := range []struct {
		name string
		src  treceval.Source
		want string
	}{
		{"returned twice", text("q1 Q0 a 1 1 t\nq1 Q0 b 1 1 t\nq1 Q0 a 1 1 t\n"),
			`run:3: query "q1": document "a" is returned again, first in line 1`},
		{"returned twice without judgments", text("q0 Q0 a 1 1 t\nq0 Q0 a 1 1 t\n"),
			`run:2: query "q0": document "a" is returned again, first in line 1`},
		{"nothing in common", text("x Q0 a 1 1 t\n"), `run: no query of the run is judged: it has "x", the judgments have "q1"`},
		{"empty", text(""), "run: no results"},
		{"a pipe that is not grouped", treceval.Source{Name: "-", Once: true, Open: text("q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq1 Q0 b 1 1 t\n").Open},
			`-:3: query "q1" comes again after others`},
		{"no file", treceval.Source{Open: func() (io.ReadCloser, error) { return nil, gone }}, "gone"},
	} {
		_, err := treceval.Score(j, c.src, treceval.Options{Measures: parse(t, 1, "map"), Workers: 2})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestTheNumberOfWorkersChangesNothing is property 3 of the specification.
func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var qrels, run strings.Builder
	for q := range 3000 {
		fmt.Fprintf(&qrels, "q%d 0 d%d 1\n", q, r.IntN(40))
		for d := range 40 {
			fmt.Fprintf(&run, "q%d Q0 d%d 1 %v tag\n", q, d, r.Float64())
		}
	}
	j := judgments(t, strings.NewReader(qrels.String()))
	var first string
	for _, workers := range []int{1, 2, 5} {
		report := treceval.Report{Level: 0.95, PerQuery: true,
			Results: []*treceval.Result{score(t, j, text(run.String()), parse(t, 1, "official", "ndcg@10"), 0, workers)}}
		var out bytes.Buffer
		if err := report.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first {
			t.Fatalf("%d workers give another output", workers)
		}
	}
}

func small(t *testing.T, perQuery bool) *treceval.Report {
	t.Helper()
	j := judgments(t, strings.NewReader(smallQrels))
	r := score(t, j, text(smallRun), parse(t, 1, "runid", "num_ret", "gm_map", "relstring", "mrr@10"), 0, 1)
	return &treceval.Report{Qrels: "qrels", Level: 0.95, PerQuery: perQuery, Results: []*treceval.Result{r}}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := small(t, true).WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	// gm_map: exp((ln 0.5 + 3 ln 0.00001)/4) = 0.00015. mrr@10 over q1, q2 and
	// q4: 0.5, 0, 0, too few for an interval that people are shown.
	want := `qrels  4 queries

             run
           value   95 % interval  n
runid        tag
num_ret        4
gm_map *  0.0001  geometric mean  4
mrr@10    0.1667            none  3

* as trec_eval defines it: a query without a relevant document counts 0. Metrics of assay leave it out.
run has no results for 1 query of 4, which count 0 where a measure applies.
run has 2 queries without judgments, such as "q8": left out.
Only 3 cases: enough for a smoke test, not for a decision.

run
query  num_ret  relstring  mrr@10
q1           2         01  0.5000
q2           1          -  0.0000
q3           1          0     n/a
q4           0             0.0000
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := small(t, true).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema string
		Runs   []struct {
			Missing  int `json:"missing_queries"`
			Measures []struct {
				Name       string
				Definition string
				Value      *float64
				N          int
				Estimate   *struct {
					CI            [2]float64
					TargetErrors  int `json:"target_errors"`
					NotApplicable int `json:"not_applicable"`
				}
			}
			Queries []struct {
				Query   string
				Missing bool
				Values  map[string]*float64
				Texts   map[string]string
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	mrr := run.Measures[2]
	if got.Schema != treceval.Schema || run.Missing != 1 || mrr.Name != "mrr@10" || mrr.Definition != "assay" ||
		run.Measures[1].Definition != "trec_eval" || mrr.N != 3 || mrr.Estimate.TargetErrors != 1 || mrr.Estimate.NotApplicable != 1 {
		t.Errorf("%s", out.String())
	}
	if run.Measures[1].Estimate != nil {
		t.Error("a geometric mean has an estimate")
	}
	q3, q4 := run.Queries[2], run.Queries[3]
	if v, told := q3.Values["mrr@10"]; !told || v != nil || !q4.Missing || *q4.Values["mrr@10"] != 0 || q3.Texts["relstring"] != "0" {
		t.Errorf("%s", out.String())
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := small(t, false).WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 || rows[3][3] != "mrr@10" || rows[3][2] != "all" || rows[3][5] != "3" || !strings.HasPrefix(rows[3][6], "0.0044") ||
		!strings.HasPrefix(rows[3][7], "0.736") {
		t.Errorf("%q", rows)
	}
	out.Reset()
	if err := small(t, true).WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, "run,tag,q3,mrr@10,,,,,assay,\n") ||
		!strings.Contains(s, "run,tag,q1,relstring,01,,,,trec_eval,\n") || !strings.Contains(s, "run,tag,q1,mrr@10,0.5,,,,assay,\n") {
		t.Errorf("%s", s)
	}
}

// TestEdgesOfTrecEval holds values that the oracles do not reach, computed by
// hand from the definitions; Rndcg was checked with pytrec_eval too.
func TestEdgesOfTrecEval(t *testing.T) {
	t.Parallel()
	j := judgments(t, strings.NewReader("q1 0 a 1\nq2 0 a 0\nq3 0 a 2\nq3 0 b 1\n"))
	run := text("q1 Q0 x 1 2 t\nq1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq3 Q0 b 1 1 t\n")
	r := score(t, j, run, parse(t, 1, "Rndcg", "rbp", "iprec_at_recall..5,1", "relstring.0", "utility.0,0,0,1"), 0, 1)
	for _, c := range []struct {
		measure string
		query   int
		want    float64
	}{
		// The ideal list ends at rank 1; the ranking has one rank more, which
		// trec_eval does not count as an end of its own. nDCG@1 is 0.
		{"Rndcg", 0, 0},
		// Nothing is relevant, so that the highest gain is 0.
		{"rbp", 1, 0},
		// The grade 1 of at most 2: 0.1 · 1/2.
		{"rbp", 2, 0.05},
		// Half of two relevant documents is one, found at rank 1.
		{"iprec_at_recall_0.50", 2, 1},
		{"iprec_at_recall_1.00", 2, 0},
		// 1 found − 1 returned − 2 relevant.
		{"utility_0,0,0,1", 2, -2},
	} {
		got, ok := r.Value(c.query, index(r, c.measure))
		if !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %s: %v, want %v", c.measure, r.Queries[c.query].ID, got, c.want)
		}
	}
	// The gain 0.5 of at most 2: 0.5 · 0.5/2.
	given := score(t, j, run, parse(t, 1, "rbp.p=0.5,1=0.5"), 0, 1)
	if got, _ := given.Value(2, 0); given.Measures[0].Name != "rbp_p=0.5,1=0.5" || got != 0.125 {
		t.Errorf("%s: %v, want 0.125", given.Measures[0].Name, got)
	}
	if s := r.Text(0, index(r, "relstring_0")); s != "" {
		t.Errorf("relstring of no length: %q", s)
	}
}

// FuzzParse checks that names make measures that give numbers, or errors.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"P.5,10", "iprec_at_recall..1", "rbp.p=0.5", "ndcg@10(exponential)", "utility.1,2,3,4", "all_trec",
		"relstring.-1"} {
		f.Add(s)
	}
	j := judgments(f, strings.NewReader(smallQrels))
	f.Fuzz(func(t *testing.T, name string) {
		for _, parse := range []func([]string, int) ([]treceval.Measure, error){treceval.Parse, treceval.ParseTREC} {
			ms, err := parse([]string{name}, 2)
			if err != nil {
				continue
			}
			r := score(t, j, text(smallRun), ms, 0, 1)
			if err := r.WriteTREC(io.Discard, true); err != nil {
				t.Fatal(err)
			}
			if err := (&treceval.Report{Level: 0.95, PerQuery: true, Results: []*treceval.Result{r}}).WriteTable(io.Discard); err != nil {
				t.Fatal(err)
			}
		}
	})
}
