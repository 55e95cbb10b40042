package wire_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/store"
)

func TestProfiles(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := wire.Profiles{Store: s, Now: func() time.Time { return time.Unix(1700000000, 0) }}
	names := func() string {
		n, err := all.Names(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(n, " ")
	}
	a, err := all.Profile(ctx, "A")
	if err != nil || !a.IsDefault() || names() != "A B C" {
		t.Fatalf("%v, %v, %s", a.Name, err, names())
	}

	changed := a.With("filter", "other words")
	mine := a.With("generate", "mine {{sections}}")
	mine.Name = "mine"
	for _, p := range []profile.Profile{changed, mine} {
		if err := all.Save(ctx, p); err != nil {
			t.Fatal(err)
		}
		if got, err := all.Profile(ctx, p.Name); err != nil || !got.Equal(p) || got.Name != p.Name || got.IsDefault() {
			t.Errorf("%s: %+v, %v", p.Name, got, err)
		}
	}
	if names() != "A B C mine" {
		t.Error(names())
	}
	list, err := all.List(ctx)
	if err != nil || len(list) != 4 || !list[0].Equal(changed) || !list[3].Equal(mine) {
		t.Errorf("%v, %v", list, err)
	}

	// What is wrong is not kept.
	if err := all.Save(ctx, a.With("filter", "{{nothing}}")); err == nil || !strings.Contains(err.Error(), `unknown placeholder "nothing"`) {
		t.Error(err)
	}
	if got, _ := all.Profile(ctx, "A"); !got.Equal(changed) {
		t.Error("a profile that is wrong was kept")
	}

	for _, name := range []string{"A", "A", "mine"} {
		if err := all.Reset(ctx, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := all.Profile(ctx, "A"); err != nil || !got.IsDefault() || names() != "A B C" {
		t.Errorf("%v, %s", err, names())
	}
	for what, err := range map[string]error{
		"reset":  all.Reset(ctx, "mine"),
		"path":   second(all.Profile(ctx, "../A")),
		"kept":   second(all.Profile(ctx, "mine")),
		"before": second(wire.Profiles{}.Profile(ctx, "mine")),
		"none":   second(wire.Profiles{}.Profile(ctx, "mine")),
	} {
		if !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "unknown profile ") ||
			!strings.HasSuffix(err.Error(), "(all: A, B, C)") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n, err := (wire.Profiles{}).Names(ctx); err != nil || !slices.Equal(n, profile.Defaults()) {
		t.Errorf("%v, %v", n, err)
	}
}

func second(_ profile.Profile, err error) error { return err }
