package upload

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// work does the tasks. hurry ends the beginning of new ones.
func (u *upload) work(ctx context.Context, todo []task, hurry func()) {
	queue := make(chan int)
	var workers sync.WaitGroup
	for range min(max(u.cfg.Concurrency, 1), len(todo)) {
		workers.Go(func() {
			for i := range queue {
				if !u.one(ctx, todo[i], uint64(i)+1) {
					hurry()
				}
			}
		})
	}
	for i := range todo {
		// A select alone would choose at random between a task and a stop that
		// came before it.
		if u.patience.Err() != nil {
			break
		}
		select {
		case queue <- i:
		case <-u.patience.Done():
		}
	}
	close(queue)
	workers.Wait()
}

// done is what became of a document.
type done uint8

const (
	added done = iota
	found
	replaced
	different
)

// one does a task and counts it. It reports whether the upload may go on.
func (u *upload) one(ctx context.Context, t task, stream uint64) bool {
	var how done
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
	case errors.As(err, &refused), isTransient(err):
		u.res.Refused = append(u.res.Refused, Note{t.item.ID, err.Error()})
		u.row++
		// What refuses one document may take the next; what has taken none of
		// the first is told the wrong way.
		if u.cfg.Breaker > 0 && u.row >= u.cfg.Breaker && (u.res.Done() == 0 || refused == nil) && u.fatal == nil {
			u.fatal = &FatalError{Err: fmt.Errorf("%d documents failed in a row, the last with: %w", u.row, err)}
		}
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		// It ended in the middle: nothing is known.
	case u.fatal == nil:
		u.fatal = err
	}
	u.progress()
	return u.fatal == nil
}

// keep writes the line of a document that is there.
func (u *upload) keep(it Item, at Remote, how done) error {
	e := Entry{Document: it.ID, Remote: u.cfg.Secrets.Scrub(at.ID), Title: u.cfg.Secrets.Scrub(at.Name), At: u.cfg.Now().UTC()}
	if e.Remote == "" {
		e.Remote = it.ID
	}
	if how != different {
		e.Hash = it.Hash
	}
	return u.book.add(e)
}

func (u *upload) count(it Item, at Remote, how done) {
	if other, ok := u.own[at.ID]; ok && other != it.ID && !u.shared {
		u.shared = true
		u.res.Warnings = append(u.res.Warnings, fmt.Sprintf("documents %q and %q got the same id %q: want the path of another (--read-id)", other, it.ID, u.cfg.Secrets.Scrub(at.ID)))
	}
	u.own[at.ID] = it.ID
	switch how {
	case added:
		u.res.Added++
	case found:
		u.res.Found++
	case replaced:
		u.res.Replaced++
	case different:
		u.res.Different = append(u.res.Different, Note{it.ID, fmt.Sprintf("%q (%s) has another content", u.cfg.Secrets.Scrub(at.Name), u.cfg.Secrets.Scrub(at.ID))})
	}
	if how != different && at.Name != it.Name {
		u.res.Warnings = append(u.res.Warnings, fmt.Sprintf("document %q is listed as %q instead of %q", it.ID, u.cfg.Secrets.Scrub(at.Name), it.Name))
	}
}

// attempt makes one attempt at a task. doubtful says that an earlier one may
// have done something.
func (u *upload) attempt(ctx context.Context, t task, doubtful bool) (done, Remote, error) {
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
	if t.kind != taskPut {
		how, at, err := u.compare(ctx, lib, t.item, r)
		if !errors.Is(err, ErrGone) {
			return how, at, err
		}
	}
	at, err := lib.Put(ctx, t.item)
	return added, at, err
}

// send puts a document into a system that cannot be listed.
func (u *upload) send(ctx context.Context, t task) (done, Remote, error) {
	if t.kind == taskChanged && !u.cfg.Force {
		return different, t.remote, nil
	}
	at, err := u.cfg.Sink.Put(ctx, t.item)
	switch {
	case errors.Is(err, ErrPresent):
		// With which content it does not say.
		return different, at, nil
	case t.kind == taskChanged:
		return replaced, at, err
	}
	return added, at, err
}

// look looks for an item among what changed lately.
func (u *upload) look(ctx context.Context, lib Library, it Item) (Remote, bool, error) {
	all, err := lib.Recent(ctx)
	if err != nil {
		return Remote{}, false, err
	}
	r, ok := newListing(all).byName[it.Name]
	return r, ok, nil
}

// compare reads what is there in place of an item, and replaces it where it is
// empty, as what a server leaves behind that dies between making a note and
// filling it, or where the user wants that.
func (u *upload) compare(ctx context.Context, lib Library, it Item, r Remote) (done, Remote, error) {
	at, content, err := lib.Read(ctx, r.ID)
	if err != nil {
		return 0, Remote{}, err
	}
	// Line ends may be changed on the way.
	same := strings.ReplaceAll(content, "\r\n", "\n") == strings.ReplaceAll(it.Text, "\r\n", "\n")
	switch {
	case same && (at.Name == it.Name || !u.cfg.Force):
		return found, at, nil
	case !u.cfg.Force && content != "":
		return different, at, nil
	}
	at, err = lib.Replace(ctx, at, it)
	return replaced, at, err
}

// numbered is how Notes tells two notes of the same title apart.
var numbered = regexp.MustCompile(` \(\d+\)$`)

// lookForDoubles warns of documents that may be there twice: a request whose
// reply was lost may have been carried out after its repetition.
func (u *upload) lookForDoubles(ctx context.Context, items []Item) error {
	if !u.doubtful {
		return nil
	}
	lib, ok := u.cfg.Sink.(Library)
	if !ok {
		warning := "replies were lost: documents whose request was repeated may be there twice"
		if u.res.Place.Kind == KindHTTP {
			warning += ", unless the system knows an Idempotency-Key"
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
				id, ours = names[numbered.ReplaceAllString(r.Name, "")]
			}
			if _, known := u.own[r.ID]; ours && !known {
				u.res.Warnings = append(u.res.Warnings, fmt.Sprintf("document %q is there twice: %q (%s) may be deleted", id, u.cfg.Secrets.Scrub(r.Name), u.cfg.Secrets.Scrub(r.ID)))
			}
		}
		return nil
	})
}
