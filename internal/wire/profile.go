package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/store"
)

// Profiles are the prompt profiles of a store, and those that come with the
// program where the store has none of that name.
type Profiles struct {
	// Store keeps them; nil keeps none, and then none can be saved.
	Store *store.Store
	Now   func() time.Time
}

// Profile gives the profile of a name. One that nobody has is
// [store.ErrNotFound].
func (p Profiles) Profile(ctx context.Context, name string) (profile.Profile, error) {
	if p.Store != nil && profile.CheckName(name) == nil {
		it, err := p.Store.Item(ctx, store.KindProfile, name)
		switch {
		case err == nil:
			return readProfile(it)
		case !errors.Is(err, store.ErrNotFound):
			return profile.Profile{}, err
		}
	}
	if d, ok := profile.Default(name); ok {
		return d, nil
	}
	names, err := p.Names(ctx)
	return profile.Profile{}, errors.Join(noProfile(name, names), err)
}

// BuiltInProfile gives a profile that comes with the program.
func BuiltInProfile(_ context.Context, name string) (profile.Profile, error) {
	if d, ok := profile.Default(name); ok {
		return d, nil
	}
	return profile.Profile{}, noProfile(name, profile.Defaults())
}

func noProfile(name string, names []string) error {
	hint := ""
	if near := text.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(": did you mean %q?", near)
	}
	return &missingProfile{fmt.Sprintf("unknown profile %q%s  (all: %s)", name, hint, strings.Join(names, ", "))}
}

type missingProfile struct{ message string }

func (e *missingProfile) Error() string        { return e.message }
func (e *missingProfile) Is(target error) bool { return target == store.ErrNotFound }

func readProfile(it store.Item) (profile.Profile, error) {
	var p profile.Profile
	if err := json.Unmarshal(it.Body, &p); err != nil {
		return p, fmt.Errorf("profile %q: %w: %w", it.ID, store.ErrNotStore, err)
	}
	return p, nil
}

// Names lists the names of all profiles: A, B and C, then the others of the
// store in the order of their letters.
func (p Profiles) Names(ctx context.Context) ([]string, error) {
	names := profile.Defaults()
	if p.Store == nil {
		return names, nil
	}
	items, _, err := p.Store.Items(ctx, store.KindProfile, store.ItemQuery{})
	if err != nil {
		return names, err
	}
	slices.SortFunc(items, func(a, b store.Item) int { return cmp.Compare(a.ID, b.ID) })
	for _, it := range items {
		if !slices.Contains(names, it.ID) {
			names = append(names, it.ID)
		}
	}
	return names, nil
}

// List gives all profiles in the order of their names.
func (p Profiles) List(ctx context.Context) ([]profile.Profile, error) {
	names, err := p.Names(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]profile.Profile, len(names))
	for i, name := range names {
		if out[i], err = p.Profile(ctx, name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Save checks a profile and keeps it, in the place of the one of that name.
func (p Profiles) Save(ctx context.Context, q profile.Profile) error {
	if err := q.Validate(); err != nil {
		return err
	}
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	now := p.Now().UTC()
	return p.Store.PutItem(ctx, store.Item{Kind: store.KindProfile, ID: q.Name, Name: q.Name, Created: now, Updated: now, Body: body})
}

// Reset takes a profile out of the store: A, B and C are again as they come with
// the program, another is gone. Without one of that name it is
// [store.ErrNotFound], but A, B and C there always are.
func (p Profiles) Reset(ctx context.Context, name string) error {
	err := p.Store.DeleteItem(ctx, store.KindProfile, name)
	if _, ok := profile.Default(name); ok && errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if errors.Is(err, store.ErrNotFound) {
		names, listed := p.Names(ctx)
		return errors.Join(noProfile(name, names), listed)
	}
	return err
}
