package columns_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
)

// records returns records with everything that a table keeps, present or not.
func records(rng *rand.Rand, n, draws int) (out []assay.Record) {
	for i := range n * draws {
		c := assay.Case{ID: fmt.Sprint("case ", i/draws), Question: "?", Critical: rng.IntN(3) == 0, Group: []string{"", "g", "h"}[rng.IntN(3)]}
		for _, tag := range []string{"a", "b\"", "ü"} {
			if rng.IntN(2) == 0 {
				c.Tags = append(c.Tags, tag)
			}
		}
		if rng.IntN(2) == 0 {
			c.Want.Documents = map[string]int{"x": rng.IntN(3), "y": rng.IntN(3)}
		}
		if rng.IntN(2) == 0 {
			c.Want.Passages = make([]string, rng.IntN(3))
		}
		if draws > 1 {
			c = c.Repeated(i % draws)
		}
		r := assay.Record{Seq: i, Case: c, Attempts: rng.IntN(3), Scores: map[string]assay.Score{}, Slow: rng.IntN(2) == 0,
			Answer: []assay.Correctness{"", assay.AnswerRight, assay.AnswerWrong}[rng.IntN(3)]}
		if rng.IntN(4) == 0 {
			r.Failure = &assay.Failure{Kind: []string{"timeout", "refused"}[rng.IntN(2)], Message: "long"}
		} else {
			r.Response = &assay.Response{NoAnswer: rng.IntN(2) == 0, Answer: []string{"", " ", "so"}[rng.IntN(3)],
				Latency: time.Duration(rng.IntN(2)) * time.Second, Usage: assay.Usage{InputTokens: rng.IntN(3), Cost: int64(rng.IntN(2)) << 40}}
			r.Response.Withheld = []string{"", "content_filter"}[i%2]
			if rng.IntN(2) == 0 {
				r.Response.Trace = &assay.Trace{Stages: []assay.Stage{{Name: assay.StageFilter, Output: json.RawMessage(`[{"id":"x"}]`)}}}
			}
		}
		if rng.IntN(3) == 0 {
			r.Tries = []assay.Try{{Usage: assay.Usage{OutputTokens: 1, Cost: 2}}, {Usage: assay.Usage{OutputTokens: 3}}}
		}
		if rng.IntN(3) == 0 {
			r.Judging = &assay.Spending{Calls: rng.IntN(5)}
		}
		if rng.IntN(2) == 0 {
			r.Attribution = &assay.Attribution{Failed: rng.IntN(2) == 0, Stage: assay.StageRetrieve, Evidence: "long",
				Facts: []assay.Fact{{ID: "f", Text: []string{"", "words"}[rng.IntN(2)], Lost: []string{"", assay.LostPack}[rng.IntN(2)]}}}
			if rng.IntN(2) == 0 {
				r.Attribution.Ladder = &assay.Ladder{Rungs: []assay.Rung{{Right: 1. / 3, Answer: "long"}}, Error: []string{"", "why"}[rng.IntN(2)]}
			}
		}
		for _, name := range []string{"m", "k", "rare"} {
			if rng.IntN(4) == 0 || name == "rare" && i != n/2 {
				continue
			}
			s := assay.Score{State: assay.State(rng.IntN(6)), Value: rng.Float64(), Reason: fmt.Sprint("why ", rng.IntN(2)),
				Evidence: []assay.Evidence{{Kind: []string{"k", assay.KindUnproven}[i%2]}}}
			s.Lower, s.Upper = s.Value, s.Value
			if rng.IntN(4) == 0 {
				s.Upper, s.Num, s.Den = 1, 1, 2
			}
			r.Scores[name] = s
		}
		out = append(out, r)
	}
	return out
}

// TestTable: a table tells of every record what the record does.
func TestTable(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		want := records(rng, 1+rng.IntN(20), 1+rng.IntN(3))
		mixed := slices.Clone(want)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		table := columns.Of(mixed)
		same(t, table, want)
		even := func(i int) bool { return i%2 == 0 }
		var kept []assay.Record
		var rows []int
		for i := range want {
			if even(i) {
				kept, rows = append(kept, want[i]), append(rows, i)
			}
		}
		same(t, table.Where(even), kept)
		same(t, table.Part(rows), kept)
		for i := range want {
			want[i].Case.Critical = true
		}
		same(t, table.AllCritical(), want)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func same(t *testing.T, table *columns.Table, want []assay.Record) {
	t.Helper()
	if table.Len() != len(want) {
		t.Fatalf("%d rows of %d records", table.Len(), len(want))
	}
	bases, repeated := map[string]int{}, false
	for i, got := range table.Records() {
		r := want[i]
		if d := cmp.Diff(short(r), *got); d != "" {
			t.Errorf("row %d (-want +got):\n%s", i, d)
		}
		if d := cmp.Diff(*got, table.Record(i)); d != "" {
			t.Errorf("row %d by itself:\n%s", i, d)
		}
		base := r.Case.Base()
		if at, seen := bases[base]; seen && at != table.Case(i) || table.Case(i) >= table.Cases() || table.Base(i) != base {
			t.Errorf("row %d: case %d %q, want %d %q", i, table.Case(i), table.Base(i), at, base)
		}
		bases[base], repeated = table.Case(i), repeated || r.Case.Draw > 0
		if table.ID(i) != r.Case.ID || table.Draw(i) != r.Case.Draw || table.Group(i) != r.Case.Group || table.Answer(i) != r.Answer ||
			!slices.Equal(table.Tags(i), r.Case.Tags) || table.Critical(i) != r.Case.Critical || table.Slow(i) != r.Slow {
			t.Errorf("row %d: %+v", i, r)
		}
		if p := r.Response; table.Responded(i) != (p != nil) || p != nil && table.Latency(i) != p.Latency || table.Cost(i) != r.Usage().Cost {
			t.Errorf("row %d: response %+v", i, p)
		}
		for _, stage := range assay.LossStages() {
			if table.Shows(i, stage) != r.Response.ShowsStage(stage) {
				t.Errorf("row %d shows %s: %v", i, stage, table.Shows(i, stage))
			}
		}
	}
	if table.Distinct() != len(bases) || table.Repeated() != repeated {
		t.Errorf("%d cases, repeated %v; want %d, %v", table.Distinct(), table.Repeated(), len(bases), repeated)
	}
}

// short is the short form that the documentation of Record describes.
func short(r assay.Record) assay.Record {
	out := assay.Record{Seq: r.Seq, Attempts: r.Attempts, Answer: r.Answer, Slow: r.Slow, Judging: r.Judging, Scores: map[string]assay.Score{}}
	out.Case = assay.Case{ID: r.Case.ID, Draw: r.Case.Draw, Group: r.Case.Group, Tags: r.Case.Tags, Critical: r.Case.Critical}
	if d := r.Case.Want.Documents; d != nil {
		out.Case.Want.Documents = map[string]int{"0": min(d["x"], d["y"]), "1": max(d["x"], d["y"])}
	}
	out.Case.Want.Passages = r.Case.Want.Passages
	if r.Failure != nil {
		out.Failure = &assay.Failure{Kind: r.Failure.Kind}
	}
	if u := r.Usage(); r.Response == nil && u != (assay.Usage{}) {
		out.Tries = []assay.Try{{Usage: u}}
	}
	if p := r.Response; p != nil {
		out.Response = &assay.Response{NoAnswer: p.NoAnswer, Latency: p.Latency, Usage: r.Usage()}
		if p.Answer == "so" {
			out.Response.Answer = "…"
		}
		if p.Withheld != "" {
			out.Response.Withheld = "…"
		}
	}
	if a := r.Attribution; a != nil {
		f := assay.Fact{Lost: a.Facts[0].Lost}
		if a.Facts[0].Text != "" {
			f.Text = "…"
		}
		out.Attribution = &assay.Attribution{Failed: a.Failed, Stage: a.Stage, Facts: []assay.Fact{f}}
		if l := a.Ladder; l != nil {
			out.Attribution.Ladder = &assay.Ladder{Rungs: []assay.Rung{{Right: l.Rungs[0].Right}}}
			if l.Error != "" {
				out.Attribution.Ladder.Error = "…"
			}
		}
	}
	for name, s := range r.Scores {
		if s.Unproven() {
			s.Evidence = []assay.Evidence{{Kind: assay.KindUnproven}}
		} else {
			s.Evidence = nil
		}
		if s.State == assay.Scored {
			s.Reason = ""
		}
		out.Scores[name] = s
	}
	return out
}

// TestDuplicates: records of one id are one case, also if none says that it is a draw.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	a, b := assay.Case{ID: "a"}, assay.Case{ID: "b"}
	table := columns.Of([]assay.Record{{Seq: 0, Case: a}, {Seq: 1, Case: b}, {Seq: 2, Case: a}})
	if table.Case(2) != table.Case(0) || table.Case(1) == table.Case(0) || table.Distinct() != 2 || table.Base(2) != "a" || table.Repeated() {
		t.Errorf("cases %d %d %d of %d", table.Case(0), table.Case(1), table.Case(2), table.Distinct())
	}
}

// TestTableOfSomeRecords: a table has the records that were added before it, whatever is
// added later.
func TestTableOfSomeRecords(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		all := records(rng, 1+rng.IntN(20), 1+rng.IntN(3))
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		build := columns.NewBuilder()
		tables := []*columns.Table{build.Table()}
		for i := range all {
			build.Add(&all[i])
			tables = append(tables, build.Table())
		}
		for n, table := range tables {
			want := slices.Clone(all[:n])
			slices.SortStableFunc(want, func(a, b assay.Record) int { return a.Seq - b.Seq })
			same(t, table, want)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestTableIsSmall: a table holds on to none of the texts that its records have.
func TestTableIsSmall(t *testing.T) {
	const cases, metrics, most = 20000, 5, 160 // bytes a case
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	build := columns.NewBuilder()
	for i := range cases {
		text := fmt.Sprintf("case-%06d %01000d", i, i)
		r := assay.Record{Seq: i, Case: assay.Case{ID: text[:11], Question: text}, Response: &assay.Response{Answer: text},
			Scores: map[string]assay.Score{}}
		for m := range metrics {
			s := assay.Value(float64(i))
			s.Reason = text
			r.Scores[fmt.Sprint("m", m)] = s
		}
		build.Add(&r)
	}
	table := build.Table()
	if size := (heap() - before) / cases; size > most {
		t.Errorf("%d bytes a case, want at most %d", size, most)
	}
	if table.ID(7) != "case-000007" {
		t.Errorf("id %q", table.ID(7))
	}
}
