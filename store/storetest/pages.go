package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

func pageIDs(hs []assay.Header) string {
	var ids []string
	for _, h := range hs {
		ids = append(ids, strings.TrimLeft(h.ID[len(h.ID)-8:], "0"))
	}
	return strings.Join(ids, " ")
}

func runPages(t *testing.T, p Place) {
	s := open(t, p)
	if hs, total, err := s.RunPage(t.Context(), store.RunQuery{Limit: 5}); len(hs) != 0 || total != 0 || err != nil {
		t.Errorf("an empty store has a page of %d, %d in all, %v", len(hs), total, err)
	}
	for _, n := range []int{3, 1, 5, 2, 4} {
		h := Header(n)
		h.Name, h.State = []string{"even", "odd"}[n%2], "finished"
		if n == 5 {
			h.State = "running"
		}
		if err := s.CreateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		q     store.RunQuery
		ids   string
		total int
	}{
		{store.RunQuery{}, "5 4 3 2 1", 5},
		{store.RunQuery{Limit: 2}, "5 4", 5},
		{store.RunQuery{Limit: 2, Offset: 3}, "2 1", 5},
		{store.RunQuery{Limit: 2, Offset: 9}, "", 5},
		{store.RunQuery{Offset: -1}, "5 4 3 2 1", 5},
		{store.RunQuery{Name: "odd"}, "5 3 1", 3},
		{store.RunQuery{Name: "odd", State: "finished", Limit: 1}, "3", 2},
		{store.RunQuery{State: "running"}, "5", 1},
		{store.RunQuery{Name: "%"}, "", 0},
		{store.RunQuery{Text: "OD", State: "finished"}, "3 1", 2},
		{store.RunQuery{Text: "odd", Limit: 1, Offset: 1}, "3", 3},
		{store.RunQuery{Text: "%"}, "", 0},
		{store.RunQuery{Text: "state"}, "", 0},
	} {
		hs, total, err := s.RunPage(t.Context(), test.q)
		if got := pageIDs(hs); err != nil || got != test.ids || total != test.total {
			t.Errorf("%+v: %s of %d, %v: want %s of %d", test.q, got, total, err, test.ids, test.total)
		}
	}
	sums, err := s.RunSums(t.Context(), "finished")
	var ids []string
	for _, sum := range sums {
		ids = append(ids, sum.ID)
	}
	hs, wrong := s.RunsAt(t.Context(), append([]string{"none", ids[1]}, ids[0]))
	if got := pageIDs(hs); len(ids) != 4 || wrong != nil || err != nil || got != "4 3" {
		t.Errorf("%v: runs %v, %s, %v", ids, err, got, wrong)
	}
	renamed := hs[0]
	renamed.Name = "renamed"
	if err := s.UpdateRun(t.Context(), renamed); err != nil {
		t.Fatal(err)
	}
	if again, err := s.RunSums(t.Context(), "finished"); err != nil || len(again) != 4 || again[0].Sum == sums[0].Sum || again[1] != sums[1] {
		t.Errorf("%v: sums %v, before %v", err, again, sums)
	}
	if none, err := s.RunsAt(t.Context(), nil); err != nil || none != nil {
		t.Errorf("of no ids: %v, %v", none, err)
	}
	h, _, err := s.RunPage(t.Context(), store.RunQuery{Name: "odd", Limit: 1})
	want := Header(5)
	want.Name = "odd"
	if d := cmp.Diff([]assay.Header{want}, h); err != nil || d != "" {
		t.Errorf("%v, header (-want +got):\n%s", err, d)
	}
}

func oneRecord(t *testing.T, p Place) {
	s := open(t, p)
	id, other := create(t, s, 1), create(t, s, 2)
	put(t, s, id, Record(0), failed(1))
	put(t, s, other, Record(2))
	for _, want := range []assay.Record{Record(0), failed(1)} {
		got, err := s.Record(t.Context(), id, want.Case.ID)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%v, record (-want +got):\n%s", err, d)
		}
	}
	for _, c := range []string{Record(2).Case.ID, "", "case", "%"} {
		if _, err := s.Record(t.Context(), id, c); !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), fmt.Sprintf("%q", c)) {
			t.Errorf("case %q: %v, want %v and the case", c, err, store.ErrNotFound)
		}
	}
	_, err := s.Record(t.Context(), "nobody", Record(0).Case.ID)
	wantError(t, err, store.ErrNotFound)
}

func since(t *testing.T, p Place) {
	s := open(t, p)
	id, other := create(t, s, 1), create(t, s, 2)
	put(t, s, id, Record(7), Record(2))
	put(t, s, other, Record(1))
	put(t, s, id, failed(5))
	again := open(t, p)
	put(t, again, id, Record(0))
	wantError(t, s.Put(t.Context(), id, Record(9), Record(0)), store.ErrExists) // takes no position
	put(t, s, id, Record(1))

	for _, test := range []struct {
		after int64
		limit int
		want  string
	}{
		{0, 0, "1:7 2:2 3:5 4:0 5:1"}, {0, 2, "1:7 2:2"}, {2, 2, "3:5 4:0"}, {4, 9, "5:1"}, {5, 9, ""}, {99, 0, ""}, {-1, 1, "1:7"},
	} {
		kept, err := again.RecordsSince(t.Context(), id, test.after, test.limit)
		var got []string
		for _, k := range kept {
			got = append(got, fmt.Sprintf("%d:%d", k.Position, k.Record.Seq))
		}
		if g := strings.Join(got, " "); err != nil || g != test.want {
			t.Errorf("after %d, %d at most: %q, %v: want %q", test.after, test.limit, g, err, test.want)
		}
	}
	kept, err := s.RecordsSince(t.Context(), id, 2, 1)
	if d := cmp.Diff([]store.Kept{{Position: 3, Record: store.Brief(failed(5))}}, kept); err != nil || d != "" {
		t.Errorf("%v, records (-want +got):\n%s", err, d)
	}
	_, err = s.RecordsSince(t.Context(), "nobody", 0, 1)
	wantError(t, err, store.ErrNotFound)
	if kept, err := s.RecordsSince(t.Context(), create(t, s, 3), 0, 1); err != nil || len(kept) != 0 {
		t.Errorf("a new run has %d records, %v", len(kept), err)
	}
}

// A reader that follows a run while several processes write to it sees each record
// once, in one order.
func follow(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	id := create(t, s, 1)
	const writers, each = 6, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				n := 1 + i%2
				if err := []Store{s, other}[w%2].Put(t.Context(), id, Records(1000*w+2*i, n)...); err != nil {
					t.Error(err)
				}
			}
		})
	}
	written := make(chan struct{})
	go func() { wg.Wait(); close(written) }()
	seen := map[int]bool{}
	next := int64(0)
	for over := false; ; {
		kept, err := other.RecordsSince(t.Context(), id, next, 7)
		if err != nil {
			t.Error(err)
			break
		}
		for _, k := range kept {
			next++
			if k.Position != next || seen[k.Record.Seq] {
				t.Errorf("position %d holds %d, seen %v: want position %d, unseen", k.Position, k.Record.Seq, seen[k.Record.Seq], next)
			}
			seen[k.Record.Seq] = true
		}
		if len(kept) == 0 && over {
			break
		}
		select {
		case <-written:
			over = true
		default:
		}
	}
	wg.Wait()
	if want := writers * (each + each/2); len(seen) != want {
		t.Errorf("%d records were seen, want %d", len(seen), want)
	}
}

// scored returns a record for queries.
func scored(seq int, question, answer string, latency time.Duration, scores map[string]assay.Score, tags ...string) assay.Record {
	return assay.Record{
		Seq: seq, Case: assay.Case{ID: fmt.Sprintf("c%d", seq), Question: question, Tags: tags}, Attempts: 1, Scores: scores, Started: start,
		Response: &assay.Response{Answer: answer, Latency: latency, Passages: []assay.Passage{{ID: "p", Text: "long"}}},
	}
}

func casePages(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	value := func(v float64) map[string]assay.Score { return map[string]assay.Score{"mrr": assay.Value(v)} }
	recs := []assay.Record{
		scored(0, "Who wrote ÉMILE?", "Rousseau.", 30, value(1), "easy", "fr"),
		scored(1, "What is 100%?", "All <of> it & \"more\"\u2028.", 10, value(0.25), "hard"),
		scored(2, "一加一等於幾？", "二", 20, map[string]assay.Score{"mrr": assay.None("no label")}, "easy"),
		scored(3, "Why?", "", 20, value(0), "hard", "easy"),
		{Seq: 4, Case: assay.Case{ID: "c4", Question: "When?", Tags: []string{"hard"}}, Attempts: 3, Failure: &assay.Failure{Kind: "timeout",
			Message: "m"}, Scores: map[string]assay.Score{"mrr": {State: assay.TargetError}}, Started: start},
		scored(5, "Where?", "", 5, map[string]assay.Score{"mrr": {State: assay.JudgeError}}),
	}
	put(t, s, id, recs[3], recs[5])
	put(t, s, id, recs[0], recs[1], recs[2], recs[4])
	all := func(limit, offset int) (out []assay.Record) {
		t.Helper()
		for r, err := range s.Briefs(t.Context(), id, limit, offset) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, r)
		}
		return out
	}
	seqs := func(records []assay.Record) string {
		var out []string
		for _, r := range records {
			out = append(out, fmt.Sprint(r.Seq))
		}
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		limit, offset int
		seqs          string
	}{
		{0, 0, "0 1 2 3 4 5"}, {2, 3, "3 4"}, {2, 7, ""}, {1, -4, "0"}, {0, 4, "4 5"},
	} {
		if got := seqs(all(test.limit, test.offset)); got != test.seqs {
			t.Errorf("limit %d, offset %d: %q, want %q", test.limit, test.offset, got, test.seqs)
		}
	}
	var want []assay.Record
	for _, r := range recs {
		want = append(want, store.Brief(r))
	}
	if d := cmp.Diff(want, all(0, 0)); d != "" {
		t.Errorf("cases (-want +got):\n%s", d)
	}
	for _, err := range s.Briefs(t.Context(), id, 0, 0) {
		if err != nil {
			t.Error(err)
		}
		break // a reader may stop
	}
	at, err := s.BriefsAt(t.Context(), id, []int{4, 0, 2})
	if d := cmp.Diff([]assay.Record{want[4], want[0], want[2]}, at); d != "" || err != nil {
		t.Errorf("%v, cases (-want +got):\n%s", err, d)
	}
	at, err = s.RecordsAt(t.Context(), id, []int{5, 1})
	if d := cmp.Diff([]assay.Record{recs[5], recs[1]}, at); d != "" || err != nil {
		t.Errorf("%v, records (-want +got):\n%s", err, d)
	}
	if at, err = s.BriefsAt(t.Context(), id, nil); err != nil || len(at) != 0 {
		t.Errorf("%d records, %v: want none", len(at), err)
	}
	_, err = s.RecordsAt(t.Context(), id, []int{0, 6})
	wantError(t, err, store.ErrNotFound)
	for _, err = range s.Briefs(t.Context(), "nobody", 0, 0) {
	}
	wantError(t, err, store.ErrNotFound)
}

func deleteRun(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	id, stays := create(t, s, 1), create(t, s, 2)
	put(t, s, id, Records(0, 3)...)
	put(t, s, stays, Record(0))
	putCall(t, s, Call(1)) // of the run that goes
	for _, it := range []store.Item{label("a", id), label("b", stays), {Kind: store.KindEvaluation, ID: "c", Parent: id, Body: []byte("{}"),
		Created: start, Updated: start}, {Kind: store.OfRun + "x", ID: "d", Parent: id, Body: []byte("{}"), Created: start, Updated: start}} {
		if err := s.PutItem(t.Context(), it); err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := other.Lock(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, s.DeleteRun(t.Context(), id), store.ErrLocked)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if got := seqs(t, s, id); len(got) != 3 {
		t.Errorf("a run that is worked on has %d records left", len(got))
	}
	if err := s.DeleteRun(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	_, err = other.Run(t.Context(), id)
	wantError(t, err, store.ErrNotFound)
	wantError(t, s.DeleteRun(t.Context(), id), store.ErrNotFound)
	wantError(t, s.Put(t.Context(), id, Record(9)), store.ErrNotFound)
	if got := seqs(t, s, stays); !slices.Equal(got, []int{0}) {
		t.Errorf("the other run holds %v, want 0", got)
	}
	if got := ledger(t, s, id); len(got) != 1 {
		t.Errorf("%d calls of the run are left, want 1: they are paid for", len(got))
	}
	for kind, want := range map[string]int{store.KindLabel: 2, store.KindEvaluation: 1, store.OfRun + "x": 0} {
		if _, n, err := s.Items(t.Context(), kind, store.ItemQuery{}); err != nil || n != want {
			t.Errorf("%d items of kind %s are left, %v: want %d", n, kind, err, want)
		}
	}
	// The id is free again, for a new run.
	put(t, s, create(t, s, 1), Record(5))
	kept, err := s.RecordsSince(t.Context(), id, 0, 0)
	if err != nil || len(kept) != 1 || kept[0].Position != 1 {
		t.Errorf("the new run of that id has %d records, %v: want one, at position 1", len(kept), err)
	}
}

// No database stores a NUL byte in a text column, and not all of them store invalid
// UTF-8; in JSON it is escaped.
func unwritable(t *testing.T, p Place) {
	s := open(t, p)
	id := create(t, s, 1)
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		named, renamed := Header(2), Header(1)
		named.Name, renamed.Name = bad, bad
		r, c := Record(1), Call(1)
		r.Case.ID, c.Model = bad, bad
		it := label("x", bad)
		for what, err := range map[string]error{
			"run": s.CreateRun(t.Context(), named), "update": s.UpdateRun(t.Context(), renamed),
			"record": s.Put(t.Context(), id, Record(0), r), "call": s.PutCall(t.Context(), c),
			"item": s.PutItem(t.Context(), it), "new item": s.CreateItem(t.Context(), it),
		} {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", bad)) || !strings.Contains(err.Error(), "NUL byte") &&
				!strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("%s %q: %v: want an error that says what is wrong", what, bad, err)
			}
		}
	}
	if got := seqs(t, s, id); len(got) != 0 {
		t.Errorf("the run holds %v, want nothing", got)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}
