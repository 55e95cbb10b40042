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

// Profiles are the prompt profiles of a store, together with the built-in ones
// that the store does not override.
type Profiles struct {
	// Store holds the saved profiles. If it is nil, there are none, and none
	// can be saved.
	Store *store.Store
	Now   func() time.Time
}

// Profile returns the profile with the name. If there is none, the error is
// [store.ErrNotFound].
func (p Profiles) Profile(ctx context.Context, name string) (profile.Profile, error) {
	if p.Store != nil && profile.CheckName(name) == nil {
		it, err := p.Store.Item(ctx, store.KindProfile, name)
		switch {
		case err == nil:
			var p profile.Profile
			if err := json.Unmarshal(it.Body, &p); err != nil {
				return p, fmt.Errorf("profile %q: %w: %w", it.ID, store.ErrNotStore, err)
			}
			return p, nil
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

func noProfile(name string, names []string) error {
	return NotFound(fmt.Sprintf("unknown profile %q%s  (all: %s)", name, text.DidYouMean(name, names), strings.Join(names, ", ")))
}

// NotFound is a [store.ErrNotFound] with a message.
type NotFound string

// Error returns the message.
func (n NotFound) Error() string { return string(n) }

// Is makes it an ErrNotFound.
func (n NotFound) Is(target error) bool { return target == store.ErrNotFound }

// Names returns the names of all profiles: A, B and C, then the others of the
// store in alphabetical order.
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

// List returns all profiles in the order of their names.
func (p Profiles) List(ctx context.Context) ([]profile.Profile, error) {
	names, err := p.Names(ctx)
	if err != nil {
		return nil, err
	}
	var out []profile.Profile
	for _, name := range names {
		one, err := p.Profile(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// Save checks a profile and stores it. It replaces the profile of the same
// name.
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

// Reset deletes a profile from the store. The built-in profiles A, B and C
// return to their original text; any other is gone. If there is no profile with
// the name, which cannot happen for A, B and C, the error is
// [store.ErrNotFound].
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
