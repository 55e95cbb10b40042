package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/store"
)

// label returns a label of a run.
func label(id, run string) store.Item {
	return store.Item{
		Kind: store.KindLabel, ID: id, Name: "name " + id, Parent: run, Created: start, Updated: start.Add(time.Second),
		Body: json.RawMessage(`{"big":12345678901234567890,"nul":"\u0000 你好 \u2028"}`),
	}
}

func putItem(t *testing.T, s Store, items ...store.Item) {
	t.Helper()
	for _, it := range items {
		if err := s.PutItem(t.Context(), it); err != nil {
			t.Fatal(err)
		}
	}
}

func itemsRoundTrip(t *testing.T, p Place) {
	s := open(t, p)
	want := label("a", "run")
	if err := s.CreateItem(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.CreateItem(t.Context(), label("a", "other")), store.ErrExists)
	profile := label("a", "") // the same id of another kind
	profile.Kind = store.KindProfile
	putItem(t, s, profile)
	again := open(t, p)
	want.Size = int64(len(want.Body))
	got, err := again.Item(t.Context(), store.KindLabel, "a")
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v, item (-want +got):\n%s", err, d)
	}

	// A replacement keeps the time of the creation.
	next := label("a", "moved")
	next.Name, next.Created, next.Updated, next.Body = "new", start.Add(time.Hour), start.Add(2*time.Hour), json.RawMessage(`"短"`)
	putItem(t, s, next)
	next.Created, next.Size = start, 5 // two quotes and three bytes
	got, err = again.Item(t.Context(), store.KindLabel, "a")
	if d := cmp.Diff(next, got); err != nil || d != "" {
		t.Errorf("%v, replaced item (-want +got):\n%s", err, d)
	}
	if got, err = again.Item(t.Context(), store.KindProfile, "a"); err != nil || got.Parent != "" {
		t.Errorf("the item of another kind belongs to %q, %v", got.Parent, err)
	}

	if err := again.DeleteItem(t.Context(), store.KindLabel, "a"); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.DeleteItem(t.Context(), store.KindLabel, "a"), store.ErrNotFound)
	_, err = s.Item(t.Context(), store.KindLabel, "a")
	wantError(t, err, store.ErrNotFound)
	for _, body := range []string{"", "{", "hello", "\"\xff\""} {
		it := label("b", "")
		it.Body = json.RawMessage(body)
		if s.PutItem(t.Context(), it) == nil || s.CreateItem(t.Context(), it) == nil {
			t.Errorf("the body %q was taken", body)
		}
	}
}

func itemsListed(t *testing.T, p Place) {
	s := open(t, p)
	for n := range 6 {
		it := label(fmt.Sprint("id", n), []string{"odd", "even"}[n%2])
		it.Created = start.Add(time.Duration(n/2) * time.Second) // pairs are equal
		it.Name = []string{"x", "y", "z"}[n%3]
		putItem(t, s, it)
	}
	other := label("id9", "odd")
	other.Kind = store.KindToken
	putItem(t, s, other)
	for _, test := range []struct {
		q     store.ItemQuery
		ids   string
		total int
	}{
		{store.ItemQuery{}, "id5 id4 id3 id2 id1 id0", 6},
		{store.ItemQuery{Limit: 2, Offset: 1}, "id4 id3", 6},
		{store.ItemQuery{Offset: 9}, "", 6},
		{store.ItemQuery{Offset: -9, Limit: 1}, "id5", 6},
		{store.ItemQuery{Parent: "odd"}, "id4 id2 id0", 3},
		{store.ItemQuery{Parent: "odd", Name: "x"}, "id0", 1},
		{store.ItemQuery{Name: "y"}, "id4 id1", 2},
		{store.ItemQuery{Name: "%"}, "", 0},
		{store.ItemQuery{Names: []string{"y", "z", "none"}, Limit: 3}, "id5 id4 id2", 4},
		{store.ItemQuery{Names: []string{"x"}, Parent: "even"}, "id3", 1},
		{store.ItemQuery{Names: []string{}}, "", 0},
	} {
		items, total, err := s.Items(t.Context(), store.KindLabel, test.q)
		var ids []string
		for _, it := range items {
			ids = append(ids, it.ID)
			if it.Body != nil || it.Size == 0 || it.Updated.IsZero() {
				t.Errorf("%s is listed as %+v: want its size and no body", it.ID, it)
			}
		}
		if got := strings.Join(ids, " "); err != nil || got != test.ids || total != test.total {
			t.Errorf("%+v: %q of %d, %v: want %q of %d", test.q, got, total, err, test.ids, test.total)
		}
	}
	items, _, err := s.Items(t.Context(), store.KindLabel, store.ItemQuery{Name: "x", Bodies: true})
	if err != nil || len(items) != 2 || string(items[1].Body) != string(label("", "").Body) {
		t.Errorf("%+v, %v: want two labels with their bodies", items, err)
	}
	if _, _, err := s.Items(t.Context(), store.KindLabel, store.ItemQuery{Names: make([]string, 501)}); err == nil {
		t.Error("501 names were looked for")
	}
	if items, total, err := s.Items(t.Context(), store.KindBaseline, store.ItemQuery{}); err != nil || total != 0 || len(items) != 0 {
		t.Errorf("%d of %d baselines, %v: want none", len(items), total, err)
	}
}

// One of many that create an item wins, in whichever process.
func itemsConcurrent(t *testing.T, p Place) {
	s, other := open(t, p), open(t, p)
	var mu sync.Mutex
	won := 0
	var wg sync.WaitGroup
	for n := range 12 {
		wg.Go(func() {
			s := []Store{s, other}[n%2]
			err := s.CreateItem(t.Context(), label("same", fmt.Sprint(n)))
			if err != nil {
				wantError(t, err, store.ErrExists)
			} else {
				mu.Lock()
				won++
				mu.Unlock()
			}
			putItem(t, s, label("shared", fmt.Sprint(n)))
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d created the same item, want 1", won)
	}
}
