package wire

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/store"
)

// varied returns a record of a run in which every field that can be selected by varies.
func varied(seq int) assay.Record {
	r := assay.Record{
		Retrieved: &assay.Retrieved{},
		Seq:       seq, Attempts: 1, Started: time.Unix(1, 0).UTC(), Slow: seq%7 == 0,
		Case: assay.Case{
			ID: fmt.Sprintf("Case %d", seq), Critical: seq%5 == 0,
			Question: []string{"Where is the Ferry?", "渡輪在哪裡?", "ÉMILE's hat"}[seq%3],
			Tags:     [][]string{nil, {"easy"}, {"hard", "fr"}}[seq%3], Group: []string{"", "travel"}[seq%2],
			Want: assay.Want{Documents: map[string]int{"a": 1}},
		},
		Answer: []assay.Correctness{"", assay.AnswerRight, assay.AnswerWrong, assay.AnswerUnknown}[seq%4],
		Response: &assay.Response{
			Answer: []string{"At the Harbour.", "", "Nobody knows where."}[seq/3%3], Latency: time.Duration(seq%4) * time.Second,
			Usage: assay.Usage{Cost: int64(seq % 3)}, Passages: []assay.Passage{{Document: "a"}},
		},
		Scores: map[string]assay.Score{"mrr": assay.Value(float64(seq%4) / 4), "support": assay.Value(float64(seq%6) / 6)},
	}
	switch {
	case seq%11 == 3:
		r.Response, r.Failure, r.Answer = nil, &assay.Failure{Kind: "Timeout", Message: "after 3 Seconds"}, ""
		r.Scores = map[string]assay.Score{"mrr": {State: assay.TargetError}, "support": {State: assay.TargetError}}
	case seq%13 == 4:
		r.Scores["support"] = assay.Score{State: assay.JudgeError, Upper: 1, Reason: "Unusable reply"}
	case seq%13 == 5:
		delete(r.Scores, "support")
	}
	if r.Answer == assay.AnswerWrong {
		stage := []string{"retrieve", "generate"}[seq%2]
		r.Attribution = &assay.Attribution{Failed: true, Stage: stage, Facts: []assay.Fact{{ID: "a", Lost: stage}}}
	}
	return r
}

// variedRun stores a finished run of varied records.
func variedRun(t *testing.T, s *store.Store, n int) assay.Header {
	t.Helper()
	half := 0.5
	h := assay.Header{ID: "varied", Started: time.Unix(1, 0).UTC(), Finished: time.Unix(2, 0).UTC(), State: "finished",
		Metrics: []assay.MetricInfo{
			{Name: "mrr", Better: "higher", Range: [2]float64{0, 1}, Documents: assay.ByDocuments, Threshold: &half},
			{Name: "support", Better: "higher", Range: [2]float64{0, 1}},
		}}
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for seq := range n {
		if err := s.Put(t.Context(), h.ID, varied(seq)); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// TestIndexSelects: an index selects and orders the cases as a look at every record does,
// also once its texts come from the store, and after stored texts were lost or spoilt.
func TestIndexSelects(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := variedRun(t, s, 150)
	read := map[string][]int{}
	for _, spoil := range []func(all []store.Column) []store.Column{
		nil,
		func(all []store.Column) []store.Column { return all },
		func([]store.Column) []store.Column { return nil },
		func(all []store.Column) []store.Column { all[0].N--; return all },
		func(all []store.Column) []store.Column { all[0].Name = "texts/0"; return all },
		func(all []store.Column) []store.Column { all[1].Body = all[1].Body[:9]; return all },
	} {
		if spoil != nil {
			all, err := s.Columns(t.Context(), h.ID, textColumns.name)
			if err != nil || len(all) != 2 {
				t.Fatalf("%d columns of texts, %v", len(all), err)
			}
			if err := s.PutColumns(t.Context(), h.ID, textColumns.name, spoil(all)); err != nil {
				t.Fatal(err)
			}
		}
		sameSelections(t, s, h, read)
	}
}

// sameSelections compares the selections of an index with those that the records give, which read
// keeps from one call to the next.
func sameSelections(t *testing.T, s *store.Store, h assay.Header, read map[string][]int) {
	t.Helper()
	index, err := IndexCases(t.Context(), s, h)
	if err != nil || index == nil {
		t.Fatalf("%v, %v: want an index", index, err)
	}
	seqs := func(index *CaseIndex, where, sort string) []int {
		q, err := query.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		order, err := query.ParseOrder(sort, CaseVocabulary(h))
		if err != nil {
			t.Fatal(err)
		}
		l, err := SelectCases(t.Context(), s, h, index, nil, q, order)
		if err != nil {
			t.Fatalf("%q: %v", where, err)
		}
		if l.Selected != len(l.seqs) && l.seqs != nil {
			t.Errorf("%q: %d selected, %d listed", where, l.Selected, len(l.seqs))
		}
		return l.seqs
	}
	selected := 0
	for _, where := range []string{
		"", "mrr<0.5", "mrr>=0.75 -status:error", "support:none", "support:judge-error", "status:failed", "status:ok", "answer:wrong,unknown",
		"stage:retrieve", "stage:none", "tag:hard", "tag:none", "group:travel", "critical:yes", "slow:yes", "latency>1s", "latency:none",
		"cost:none", "harbour", "ferry OR émile", "渡輪", `"case 14"`, "answer~nobody", "question~where", "failure~timeout", "failure~seconds",
		"reason~unusable", "nothing", "word:where", "begins:where", "script:han", "digits:no", "length>18",
	} {
		for _, sort := range []string{"", "-seq", "id", "status", "answer", "-stage", "latency", "-cost", "mrr", "-support"} {
			want, ok := read[where+"\n"+sort]
			if !ok {
				want = seqs(nil, where, sort)
				read[where+"\n"+sort] = want
			}
			got := seqs(index, where, sort)
			if !slices.Equal(got, want) {
				t.Errorf("%q by %q: %v, want %v", where, sort, got, want)
			}
			selected += len(got)
		}
	}
	if selected < 1000 {
		t.Errorf("%d cases selected in all: the queries select too few to compare", selected)
	}
	// Records in brief have no labels: the index has them, also where reasons are searched.
	for where, want := range map[string]int{"documents=1": 150, "documents:none": 0, `documents=1 -reason~"xyz"`: 150} {
		if got := seqs(index, where, ""); len(got) != want {
			t.Errorf("%q: %d cases, want %d", where, len(got), want)
		}
	}
	going := h
	going.State = "running"
	var invalid *query.Error
	q, _ := query.Parse("documents=1")
	if _, err := SelectCases(t.Context(), s, going, nil, nil, q, query.Order{}); !errors.As(err, &invalid) {
		t.Errorf("%v: want that documents are not counted yet", err)
	}
	q, _ = query.Parse("tag:hrad")
	_, err = SelectCases(t.Context(), s, h, index, nil, q, query.Order{})
	if !errors.As(err, &invalid) || !strings.Contains(err.Error(), `"hard"`) {
		t.Errorf("%v: want the tag that is meant", err)
	}
}

// TestIndexShows: where names of documents mean nothing, lists have the scores of the
// report, by which they are filtered.
func TestIndexShows(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := storedRun(t, s, 8)
	index, err := IndexCases(t.Context(), s, h)
	if err != nil {
		t.Fatal(err)
	}
	for where, want := range map[string]int{"recall@5:none": 8, "recall@5:n/a": 7, `recall@5:n/a -reason~"xyz"`: 7, "recall@5=0": 0} {
		q, err := query.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		l, err := SelectCases(t.Context(), s, h, index, nil, q, query.Order{})
		if err != nil || l.Selected != want {
			t.Errorf("%q: %d selected, %v: want %d", where, l.Selected, err, want)
			continue
		}
		for r, err := range l.Read(t.Context(), 0, 0, false) {
			if state := r.Scores["recall@5"].State; err != nil || state == assay.Scored {
				t.Errorf("%q: case %d is %v, %v", where, r.Seq, state, err)
			}
		}
	}
	for _, h.State = range []string{"running", "interrupted"} {
		so, err := IndexCases(t.Context(), s, h)
		if err != nil || so.about.Unnamed != index.about.Unnamed || so.cases.Len() != 8 {
			t.Errorf("%s: the index is %+v, %v: want that of the report", h.State, so, err)
		}
	}
}

// TestUnfinishedOutcomes: the lists of a run say of a case what its report says, whether the run
// is finished or not, and whether they are of its index.
func TestUnfinishedOutcomes(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := assay.Header{ID: "run", Started: time.Unix(1, 0).UTC(), Finished: time.Unix(2, 0).UTC(), State: "running",
		Dataset: assay.DatasetInfo{Name: "d", Cases: 5}, Config: map[string]string{"gate.rules": "m.min >= 0.9"},
		Metrics: []assay.MetricInfo{{Name: "m", Better: "higher", Range: [2]float64{0, 1}}}}
	if err := s.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	found := &assay.Retrieved{Of: 1, Found: 1, K: 3}
	answered := &assay.Response{Answer: "so", Passages: []assay.Passage{{Document: "a", Text: "t"}}}
	want := []assay.Correctness{assay.AnswerUnknown, assay.AnswerUnknown, assay.AnswerRight, assay.AnswerWrong, assay.AnswerUnknown}
	for i, r := range []assay.Record{
		{Case: assay.Case{Critical: true, Want: assay.Want{Documents: map[string]int{"a": 1}}}, Response: answered, Retrieved: found},
		{Case: assay.Case{Want: assay.Want{Passages: []string{"t"}}}, Response: answered, Retrieved: found},
		{Case: assay.Case{Want: assay.Want{Answers: []string{"so"}}}, Response: answered, Answer: assay.AnswerRight},
		{Case: assay.Case{Want: assay.Want{Answers: []string{"x"}}}, Response: answered, Scores: map[string]assay.Score{"m": assay.Value(0)}},
		{Case: assay.Case{Want: assay.Want{Answers: []string{"x"}}}, Response: answered},
	} {
		r.Seq, r.Attempts, r.Case.ID, r.Case.Question, r.Answer = i, 1, fmt.Sprint("case ", i), "q", cmp.Or(r.Answer, assay.AnswerUnknown)
		if r.Scores == nil {
			r.Scores = map[string]assay.Score{"m": assay.Value(1)}
		}
		if err := s.Put(t.Context(), h.ID, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, h.State = range []string{"running", "interrupted", "finished"} {
		rep, err := Kept(t.Context(), s, h)
		if err != nil {
			t.Fatal(err)
		}
		index, err := IndexCases(t.Context(), s, h)
		if err != nil {
			t.Fatal(err)
		}
		for _, index := range []*CaseIndex{nil, index} {
			for where, n := range map[string]int{"": 5, "answer:right": 1, "answer:unknown": 3, "answer:wrong": 1} {
				q, err := query.Parse(where)
				if err != nil {
					t.Fatal(err)
				}
				l, err := SelectCases(t.Context(), s, h, index, nil, q, query.Order{})
				if err != nil || l.Selected != n {
					t.Errorf("%s, %q: %v, %v: want %d cases", h.State, where, l.Seqs(), err, n)
					continue
				}
				for r, err := range l.Read(t.Context(), 0, 0, false) {
					if err != nil {
						t.Fatal(err)
					}
					got, whole := l.Check(r), rep.Check(rep.Cases.Record(r.Seq))
					if got.State != whole.State || got.Outcome() != want[r.Seq] {
						t.Errorf("%s, %q: case %d is %+v in the list and %+v in the report, want %s", h.State, where, r.Seq, got, whole, want[r.Seq])
					}
				}
			}
		}
	}
	// The next case may have the tag.
	h.State, h.Finished = "running", time.Time{}
	index, err := IndexCases(t.Context(), s, h)
	if err != nil {
		t.Fatal(err)
	}
	q, _ := query.Parse("-tag:late")
	if l, err := SelectCases(t.Context(), s, h, index, nil, q, query.Order{}); err != nil || l.Selected != 5 {
		t.Errorf("%v: want all cases of a run that goes on", err)
	}
}

// TestIndexKeeps: what was selected and read before is not selected and read again; what is
// kept is bounded.
func TestIndexKeeps(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h := variedRun(t, s, 60)
	index, err := IndexCases(t.Context(), s, h)
	if err != nil {
		t.Fatal(err)
	}
	list := func(where, by string) (seqs []int) {
		t.Helper()
		q, err := query.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		order, err := query.ParseOrder(by, CaseVocabulary(h))
		if err != nil {
			t.Fatal(err)
		}
		l, err := SelectCases(t.Context(), s, h, index, nil, q, order)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range l.Read(t.Context(), 10, 5, false) {
			if err != nil {
				t.Fatal(err)
			}
			seqs = append(seqs, r.Seq)
		}
		return seqs
	}
	first := list("", "-id")
	if again := list("", "-id"); len(index.briefs) != 10 || !slices.Equal(first, again) || len(index.chosen) != 1 {
		t.Errorf("%v, then %v; %d records kept, %d selections: want ten and one", first, again, len(index.briefs), len(index.chosen))
	}
	if other := list("", "id"); slices.Equal(first, other) || len(index.chosen) != 2 {
		t.Errorf("%v in another order, too", other)
	}
	if natural := list("", ""); len(natural) != 10 || natural[0] != index.cases.Seq(5) {
		t.Errorf("%v in the order of the run", natural)
	}
	for i := range 2 * maxRecent {
		list("latency<"+strconv.Itoa(100+i)+"s", "")
	}
	if n := len(index.chosen); n == 0 || n > maxRecent {
		t.Errorf("%d selections are kept, want at most %d", n, maxRecent)
	}
}
