package storetest

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/google/go-cmp/cmp"
)

// answered returns the record of a case that is not scored yet.
func answered(seq int) assay.Record {
	r := Record(seq)
	r.Scores, r.Attribution, r.Judging = nil, nil, nil
	return r
}

func answersOf(t *testing.T, s Store, id string) (out []assay.Record) {
	t.Helper()
	for r, err := range s.Answers(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b assay.Record) int { return a.Seq - b.Seq })
	return out
}

// Answers stay until the records of their cases are there, and are no records.
func answers(t *testing.T, p Place) {
	s := open(t, p)
	id, other := create(t, s, 1), create(t, s, 2)
	unlock, err := s.Lock(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	keep := func(id string, recs ...assay.Record) {
		t.Helper()
		if err := s.PutAnswers(t.Context(), id, recs...); err != nil {
			t.Fatal(err)
		}
	}
	older := answered(2)
	older.Attempts += 7
	keep(id, answered(0), answered(1), older)
	keep(id, answered(2), answered(13))
	keep(other, answered(1))
	wantError(t, s.PutAnswers(t.Context(), "nobody", answered(0)), store.ErrNotFound)
	again := open(t, p)
	want := []assay.Record{answered(0), answered(1), answered(2), answered(13)}
	if d := cmp.Diff(want, answersOf(t, again, id)); d != "" {
		t.Errorf("answers (-want +got):\n%s", d)
	}
	var some []int
	for r, err := range again.AnswersTo(t.Context(), id, []int{13, 1, 5}) {
		if err != nil {
			t.Fatal(err)
		}
		some = append(some, r.Seq)
	}
	if slices.Sort(some); !slices.Equal(some, []int{1, 13}) {
		t.Errorf("answers to cases 1, 5 and 13: %v, want those to 1 and 13", some)
	}
	if got := all(t, again, id); len(got) != 0 {
		t.Errorf("%d records: want none", len(got))
	}

	put(t, s, id, Record(1), Record(3), Record(2))
	if d := cmp.Diff([]assay.Record{answered(0), answered(13)}, answersOf(t, again, id)); d != "" {
		t.Errorf("answers beside records (-want +got):\n%s", d)
	}
	wantError(t, s.Put(t.Context(), id, Record(13), Record(1)), store.ErrExists)
	if got := answersOf(t, again, id); len(got) != 2 {
		t.Errorf("%d answers after records that were refused: want 2", len(got))
	}
	if got := answersOf(t, again, other); len(got) != 1 {
		t.Errorf("the other run has %d answers: want 1", len(got))
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteRun(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := answersOf(t, again, id); len(got) != 0 {
		t.Errorf("%d answers of a deleted run", len(got))
	}
}

// Answers that are stored at once, to several runs, are all there; those to a run that
// does not exist are refused alone.
func answersConcurrent(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	runs := []string{create(t, s, 1), create(t, s, 2), "nobody"}
	const writers, each = 9, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				run := runs[(w+i)%len(runs)]
				err := []Store{s, other}[w%2].PutAnswers(t.Context(), run, answered(w*each+i))
				if missing := run == "nobody"; missing != errors.Is(err, store.ErrNotFound) || !missing && err != nil {
					t.Errorf("answer to run %s: %v", run, err)
				}
			}
		})
	}
	wg.Wait()
	for i, run := range runs[:2] {
		want := 0
		for n := range writers * each {
			if (n/each+n%each)%len(runs) == i {
				want++
			}
		}
		if got := answersOf(t, s, run); len(got) != want {
			t.Errorf("run %s has %d answers, want %d", run, len(got), want)
		}
	}
}
