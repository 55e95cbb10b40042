package upload

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/target"
)

// work executes the tasks. stopStarting stops the start of new ones.
func (u *upload) work(ctx context.Context, todo []task, stopStarting func()) {
	var workers errgroup.Group
	workers.SetLimit(max(u.cfg.Concurrency, 1))
	for i, t := range todo {
		workers.Go(func() error {
			if u.startCtx.Err() == nil && !u.one(ctx, t, uint64(i)+1) {
				stopStarting()
			}
			return nil
		})
	}
	_ = workers.Wait() // outcomes are counted, and no error is returned
}

// outcome is what happened to a document.
type outcome uint8

const (
	added outcome = iota
	found
	replaced
	different
	anew // added, because the id in the journal belongs to another document now
)

// one executes a task and counts it. It reports whether the upload may continue.
func (u *upload) one(ctx context.Context, t task, stream uint64) bool {
	var how outcome
	var at Remote
	err := u.try(ctx, stream, func(ctx context.Context, doubtful bool) (err error) {
		how, at, err = u.attempt(ctx, t, doubtful)
		return err
	})
	if err == nil {
		err = u.keep(t.item, at, how)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var refused *RefusedError
	switch {
	case err == nil:
		u.count(t.item, at, how)
		u.row = 0
	case errors.As(err, &refused), isTransient(err, new(*target.Error)):
		u.res.Refused = append(u.res.Refused, Note{t.item.ID, err.Error()})
		u.row++
		// A rejected document says nothing about the next one, but if none of the first
		// documents was accepted the request itself is wrong.
		if u.cfg.Breaker > 0 && u.row >= u.cfg.Breaker && (u.res.Done() == 0 || refused == nil) && u.fatal == nil {
			u.fatal = &FatalError{Err: fmt.Errorf("%d documents failed in a row, the last with: %w", u.row, err)}
		}
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		// interrupted: the outcome is unknown
	case u.fatal == nil:
		u.fatal = err
	}
	u.progress()
	return u.fatal == nil
}

// keep writes the journal line of a document that is in the system.
func (u *upload) keep(it Item, at Remote, how outcome) error {
	e := Entry{
		Document: it.ID, Remote: u.cfg.Secrets.Scrub(at.ID), Title: u.cfg.Secrets.Scrub(at.Name), Tag: u.cfg.Secrets.Scrub(at.Tag),
		At: u.cfg.Now().UTC(),
	}
	if e.Remote == "" {
		e.Remote = it.ID
	}
	if how != different {
		e.Hash = it.Hash
	}
	return u.journal.add(e)
}

func (u *upload) count(it Item, at Remote, how outcome) {
	if other, ok := u.own[at.ID]; ok && other != it.ID && !u.shared {
		u.shared = true
		u.res.Warnings = append(u.res.Warnings, fmt.Sprintf("documents %q and %q got the same id %q; give the path of a unique id (--read-id)",
			other, it.ID, u.cfg.Secrets.Scrub(at.ID)))
	}
	u.own[at.ID] = it.ID
	switch how {
	case added:
		u.res.Added++
	case anew:
		u.res.Added++
		u.reused++
	case found:
		u.res.Found++
	case replaced:
		u.res.Replaced++
	case different:
		u.res.Different = append(u.res.Different, Note{it.ID, fmt.Sprintf("%q (%s) has another content", u.cfg.Secrets.Scrub(at.Name),
			u.cfg.Secrets.Scrub(at.ID))})
	}
	if how != different && at.Name != it.Name {
		u.res.Warnings = append(u.res.Warnings, fmt.Sprintf("document %q is listed as %q instead of %q", it.ID, u.cfg.Secrets.Scrub(at.Name),
			it.Name))
	}
}

// attempt makes one attempt at a task. doubtful says that an earlier one may have
// succeeded.
func (u *upload) attempt(ctx context.Context, t task, doubtful bool) (outcome, Remote, error) {
	lib, ok := u.cfg.Sink.(Library)
	if !ok {
		return u.send(ctx, t)
	}
	r := t.remote
	if t.kind == taskPut && doubtful {
		var there bool
		var err error
		if r, there, err = u.look(ctx, lib, t.item); err != nil {
			return 0, Remote{}, err
		}
		if there {
			t.kind = taskListed
		}
	}
	if t.kind == taskMoved {
		// A document that is not ours is never replaced.
		at, content, err := lib.Read(ctx, r.ID)
		switch {
		case err == nil && sameText(content, t.item.Text):
			return found, at, nil
		case err != nil && !errors.Is(err, ErrGone):
			return 0, Remote{}, err
		}
		at, err = lib.Put(ctx, t.item)
		return anew, at, err
	}
	if t.kind != taskPut {
		how, at, err := u.compare(ctx, lib, t.item, r)
		if !errors.Is(err, ErrGone) {
			return how, at, err
		}
	}
	at, err := lib.Put(ctx, t.item)
	return added, at, err
}

// send puts a document into a system that cannot list documents.
func (u *upload) send(ctx context.Context, t task) (outcome, Remote, error) {
	if t.kind == taskChanged && !u.cfg.Force {
		return different, t.remote, nil
	}
	at, err := u.cfg.Sink.Put(ctx, t.item)
	switch {
	case errors.Is(err, ErrPresent):
		// the content is unknown
		return different, at, nil
	case t.kind == taskChanged:
		return replaced, at, err
	}
	return added, at, err
}

// look searches the recent changes for an item.
func (u *upload) look(ctx context.Context, lib Library, it Item) (Remote, bool, error) {
	all, err := lib.Recent(ctx)
	if err != nil {
		return Remote{}, false, err
	}
	r, ok := newListing(all).byName[it.Name]
	return r, ok, nil
}

// compare reads the document that exists in place of an item, and replaces it if the
// user wants that, or if it is empty: a server that dies between creating and filling a
// note leaves an empty one.
func (u *upload) compare(ctx context.Context, lib Library, it Item, r Remote) (outcome, Remote, error) {
	at, content, err := lib.Read(ctx, r.ID)
	if err != nil {
		return 0, Remote{}, err
	}
	same := sameText(content, it.Text)
	switch {
	case same && (at.Name == it.Name || !u.cfg.Force):
		return found, at, nil
	case !u.cfg.Force && content != "":
		return different, at, nil
	}
	at, err = lib.Replace(ctx, at, it)
	return replaced, at, err
}

// sameText compares texts whose line ends may have changed in transit.
func sameText(a, b string) bool {
	return strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
}

// numbered matches the suffix by which Notes distinguishes equal titles.
var numbered = lazyregexp.New(` \(\d+\)$`)

// lookForDoubles warns of documents that may exist twice: a request whose reply was
// lost may have been executed after its repetition.
func (u *upload) lookForDoubles(ctx context.Context, items []Item) error {
	if !u.doubtful {
		return nil
	}
	lib, ok := u.cfg.Sink.(Library)
	if !ok {
		warning := "requests failed that may have been executed: documents whose request was repeated may exist twice"
		if u.res.Destination.Kind == KindHTTP {
			warning += ", unless the system supports the Idempotency-Key header"
		}
		u.res.Warnings = append(u.res.Warnings, warning)
		return nil
	}
	names := make(map[string]string, len(items))
	for _, it := range items {
		names[it.Name] = it.ID
	}
	return u.try(ctx, 0, func(ctx context.Context, _ bool) error {
		all, err := lib.Recent(ctx)
		if err != nil {
			return err
		}
		for _, r := range all {
			id, ours := names[r.Name]
			if !ours {
				id, ours = names[numbered().ReplaceAllString(r.Name, "")]
			}
			if _, known := u.own[r.ID]; ours && !known {
				u.res.Warnings = append(u.res.Warnings, fmt.Sprintf("document %q exists twice: %q (%s) may be deleted", id, u.cfg.Secrets.Scrub(r.Name),
					u.cfg.Secrets.Scrub(r.ID)))
			}
		}
		return nil
	})
}
