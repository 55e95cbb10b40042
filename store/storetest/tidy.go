package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// DropCalls drops calls that are older than a time and belong to deleted runs,
// evaluations and results.
func tidied(t *testing.T, p Place) {
	s := open(t, p)
	ctx := t.Context()
	run := create(t, s, 1) // state "running"
	evaluation := store.Item{Kind: store.KindEvaluation, ID: "e1", Created: start, Updated: start, Body: []byte(`{}`)}
	putItem(t, s, evaluation, store.Item{Kind: store.KindResult, ID: "r1", Created: start, Updated: start, Body: []byte(`{}`)})
	call := func(n int, of string, made time.Time) assay.Call {
		c := Call(n)
		c.Run, c.Made = of, made
		return c
	}
	late := start.Add(time.Hour)
	putCall(t, s, call(1, run, start), call(2, "e1", start), call(3, "gone", start), call(4, "gone", late), call(5, "r1", start),
		call(6, "r0", start))

	stale, err := s.Stale(ctx, late)
	if err != nil {
		t.Fatal(err)
	}
	if stale.Calls != 2 || stale.Bytes <= 0 || len(stale.Unfinished) != 1 || stale.Unfinished[0].ID != run {
		t.Errorf("stale: %d calls of %d bytes, unfinished %v", stale.Calls, stale.Bytes, stale.Unfinished)
	}
	if n, err := s.DropCalls(ctx, late); n != 2 || err != nil {
		t.Errorf("dropped %d, %v", n, err)
	}
	if err := s.Vacuum(ctx); err != nil {
		t.Error(err)
	}
	var left []string
	for _, c := range ledger(t, s) {
		left = append(left, c.Key[len(c.Key)-1:])
	}
	if diff := cmp.Diff([]string{"1", "2", "4", "5"}, left); diff != "" {
		t.Error(diff)
	}

	// Calls of an operation share a text, which goes with the last of them.
	texts := func(want int) {
		t.Helper()
		c, err := s.Check(ctx, func(fault error) { t.Error(fault) })
		if i := slices.Index(c.Tables, "texts"); err != nil || i < 0 || c.Rows[i] != want {
			t.Errorf("%v of %v, %v: want %d texts", c.Rows, c.Tables, err, want)
		}
	}
	texts(2)
	if err := errors.Join(s.DeleteRun(ctx, run), s.DeleteItem(ctx, store.KindResult, "r1")); err != nil {
		t.Fatal(err)
	}
	if n, err := s.DropCalls(ctx, late.Add(time.Hour)); n != 3 || err != nil {
		t.Errorf("dropped %d, %v", n, err)
	}
	texts(1)
	putCall(t, s, call(1, "gone", start))
	texts(2)
}

// receivedSpans are stored in batches, listed by their ids after one and since a time, read one
// by one, and dropped by age.
func receivedSpans(t *testing.T, p Place) {
	s := open(t, p)
	ctx := t.Context()
	const batches = 1203 // more than two pages of a list
	for i := range batches {
		if err := s.PutSpans(ctx, fmt.Sprintf("b%04d", i), fmt.Appendf(nil, `[{"t":"%d"}]`, i), start.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	list := func(after string, since time.Time) (ids []string) {
		t.Helper()
		if err := s.Spans(ctx, after, since, func(b store.SpanBatch) error {
			body, err := b.Body(ctx)
			if n := len(ids); err == nil && n > 0 && ids[n-1] >= b.ID || string(body) != fmt.Sprintf(`[{"t":"%d"}]`, int(b.Received.Sub(start).Seconds())) {
				t.Errorf("batch %s of %v: %s", b.ID, b.Received, body)
			}
			ids = append(ids, b.ID)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	if n := len(list("", time.Time{})); n != batches {
		t.Errorf("%d batches, want %d", n, batches)
	}
	if ids := list("b1199", time.Time{}); len(ids) != 3 || ids[0] != "b1200" {
		t.Errorf("after b1199: %v", ids)
	}
	if ids := list("", start.Add(1201*time.Second)); len(ids) != 2 || ids[0] != "b1201" {
		t.Errorf("since b1201: %v", ids)
	}
	end := errors.New("enough")
	if err := s.Spans(ctx, "", time.Time{}, func(store.SpanBatch) error { return end }); !errors.Is(err, end) {
		t.Errorf("error %v, want that of the visitor", err)
	}
	// What waited for a watch of an earlier version is traffic, too.
	if err := s.PutItem(ctx, store.Item{Kind: "exchange", ID: "production/t-a", Created: start, Updated: start, Body: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.DropSpans(ctx, start.Add(1200*time.Second)); n != 1201 || err != nil {
		t.Errorf("%d dropped, %v", n, err)
	}
	if ids := list("", time.Time{}); len(ids) != 3 {
		t.Errorf("left: %v", ids)
	}
}
