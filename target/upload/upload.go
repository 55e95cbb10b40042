package upload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/internal/secret"
)

// Config describes an upload. Start from [Defaults].
type Config struct {
	Sink      Sink
	Documents []assay.Document
	// Title is the template of titles; "" is the system's default.
	Title string
	// Journal is the path of the journal; it is required.
	Journal string
	// Force replaces documents that the system has with different content.
	Force bool

	// Concurrency is how many documents are sent at once; below 1 means 1.
	Concurrency int
	// Rate is the maximum number of requests per second; 0 means unlimited.
	Rate float64
	// Timeout bounds one request; 0 means unlimited.
	Timeout time.Duration
	// Retries is how often a request is repeated if its error allows that.
	Retries int
	// MaxWait bounds the wait that a system may request (Retry-After).
	MaxWait time.Duration
	// Breaker is the number of consecutive failed documents that end the upload; 0
	// disables it.
	Breaker int
	// Seed drives the jitter of waits.
	Seed uint64

	// Stop, when closed, starts nothing new; requests in flight are finished.
	Stop <-chan struct{}
	// Progress is called for each step, never concurrently. May be nil.
	Progress func(what string, done, total int)
	Secrets  secret.Set
	// Now is the clock; it is required.
	Now func() time.Time
	// Sleep waits for d or until ctx is done, and then returns ctx's error; nil
	// uses a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Defaults returns the default settings: 4 documents at once, 60 s per request (a
// document may be large), 3 retries, waits of up to 5 minutes, and an end after 5
// consecutive failures.
func Defaults() Config {
	return Config{Concurrency: 4, Timeout: time.Minute, Retries: 3, MaxWait: 5 * time.Minute, Breaker: 5}
}

// A Note is a remark about one document.
type Note struct{ Document, Reason string }

// Result counts the outcomes. Every document is counted once, unless the upload ended
// early.
type Result struct {
	Destination Destination
	Documents   int
	// Known were in the journal; Found were in the system, with the same content.
	Known, Found int
	// Unlisted is set if the system cannot list its documents: Known rests on the journal
	// alone.
	Unlisted bool
	// Added were sent, Replaced existed with different content or without content.
	Added, Replaced int
	// Different exist with different content and were not changed.
	Different []Note
	// Refused are documents that the system rejects, or rejected after all retries.
	Refused []Note
	// Warnings concern documents that may exist twice, or under a title other than the
	// one that was sent.
	Warnings []string
}

// Done counts the documents that are in the system.
func (r Result) Done() int { return r.Known + r.Found + r.Added + r.Replaced + len(r.Different) }

// ErrStopped ends an upload that was stopped before its last document.
var ErrStopped = errors.New("upload stopped")

// Upload puts documents into a system, each once: a document that is in the journal or
// in the system is not sent again. A document counts once its line in the journal is
// durable.
//
// The result is valid even with an error: a mistake in the configuration, a journal of
// another place or one that cannot be written, a *[FatalError], [ErrStopped], or the
// end of ctx. In each case a repeated upload continues where this one ended. Refused
// documents are not an error.
func Upload(ctx context.Context, cfg Config) (Result, error) {
	place := cfg.Sink.Destination()
	_, lists := cfg.Sink.(Library)
	res := Result{Destination: place, Documents: len(cfg.Documents), Unlisted: !lists}
	items, err := prepare(cfg.Documents, cfg.Sink, cfg.Title)
	if err != nil {
		return res, err
	}
	b, j, err := openJournal(cfg.Journal, place, cfg.Now().UTC())
	if err != nil {
		return res, err
	}
	u := newUpload(ctx, cfg)
	u.journal, u.res = b, res
	err = u.run(ctx, items, j)
	return u.res, errors.Join(err, b.close())
}

// An Outlook says what an upload would do.
type Outlook struct {
	Destination Destination
	// Known are in the journal unchanged; Changed are in it with different content;
	// Edited have another tag or title in the system than in the journal and would be
	// read; Listed are in the system under their titles. New would be sent.
	Documents, Known, Changed, Edited, Listed, New int
	// Request shows the request for the first document that would be sent, or for the
	// first of all.
	Request string
}

// Preview says what [Upload] would do. It lists the system's documents if it can, and
// changes nothing.
func Preview(ctx context.Context, cfg Config) (Outlook, error) {
	o := Outlook{Destination: cfg.Sink.Destination(), Documents: len(cfg.Documents)}
	items, err := prepare(cfg.Documents, cfg.Sink, cfg.Title)
	if err != nil {
		return o, err
	}
	data, err := os.ReadFile(cfg.Journal)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return o, err
	}
	j, err := ReadJournal(bytes.NewReader(data), cfg.Journal)
	if err == nil && j.good > 0 {
		err = belongs(cfg.Journal, j.Destination, o.Destination)
	}
	if err != nil {
		return o, err
	}
	u := newUpload(ctx, cfg)
	there, err := u.list(ctx)
	if err != nil {
		return o, err
	}
	first := -1
	for i, t := range plan(items, j, there, cfg.Secrets.Scrub) {
		switch t.kind {
		case taskNone:
			o.Known++
		case taskChanged:
			o.Changed++
		case taskEdited, taskMoved:
			o.Edited++
		case taskListed:
			o.Listed++
		case taskPut:
			o.New++
			if first < 0 {
				first = i
			}
		}
	}
	if len(items) > 0 {
		o.Request, err = cfg.Sink.Show(items[max(first, 0)])
	}
	return o, err
}

// A task is the action for an item.
type task struct {
	kind taskKind
	item Item
	// remote is the document in the system or in the journal.
	remote Remote
}

type taskKind uint8

const (
	taskNone    taskKind = iota // up to date
	taskPut                     // to be sent
	taskListed                  // a document with its title exists
	taskChanged                 // the document changed since it was sent
	taskEdited                  // the system's tag of it changed since it was sent
	taskMoved                   // its id belongs to a document with another title
)

// listing is the content of a system.
type listing struct {
	// known is false if the system cannot list documents.
	known  bool
	byID   map[string]Remote
	byName map[string]Remote
}

func newListing(all []Remote) listing {
	l := listing{true, make(map[string]Remote, len(all)), make(map[string]Remote, len(all))}
	for _, r := range all {
		l.byID[r.ID] = r
		if _, ok := l.byName[r.Name]; !ok {
			l.byName[r.Name] = r
		}
	}
	return l
}

// plan decides the action for each item. The system takes precedence over the journal:
// a document that was deleted there is sent again, and so is one whose id the system gave
// to another document since. An entry without a tag does not say whether the document
// was edited there, so it is read.
func plan(items []Item, j Journal, there listing, scrub func(string) string) []task {
	last := j.last()
	ours := make(map[string]bool, len(items))
	for _, it := range items {
		ours[it.Name] = true
	}
	out := make([]task, len(items))
	for i, it := range items {
		e, written := last[it.ID]
		t := task{kind: taskPut, item: it}
		if !there.known {
			if written {
				t.kind, t.remote = taskChanged, Remote{ID: e.Remote, Name: e.Title}
				if e.Hash == it.Hash {
					t.kind = taskNone
				}
			}
			out[i] = t
			continue
		}
		at, listed := there.byID[e.Remote]
		named, titled := there.byName[it.Name]
		switch known := written && listed; {
		case known && scrub(at.Name) == e.Title && e.Hash != it.Hash:
			t.kind, t.remote = taskChanged, at
		case known && scrub(at.Name) == e.Title && (at.Tag == "" || at.Tag != e.Tag):
			t.kind, t.remote = taskEdited, at
		case known && scrub(at.Name) == e.Title:
			t.kind, t.remote = taskNone, at
		case titled:
			t.kind, t.remote = taskListed, named
		case known && !ours[at.Name]:
			t.kind, t.remote = taskMoved, at
		}
		out[i] = t
	}
	return out
}

// upload is an upload in progress.
type upload struct {
	cfg     Config
	journal *journalWriter
	limit   *rate.Limiter
	// startCtx ends when nothing new is to be started.
	startCtx context.Context

	mu  sync.Mutex
	res Result
	// row counts consecutive failures.
	row   int
	fatal error
	// doubtful is set if a request may have been executed although its reply was lost;
	// own are the ids of our documents.
	doubtful bool
	own      map[string]string
	// reused counts the documents whose ids belong to other documents now.
	reused int
	// shared is set once the warning about equal ids was given.
	shared bool
}

func newUpload(ctx context.Context, cfg Config) *upload {
	u := &upload{cfg: cfg, startCtx: ctx}
	if cfg.Sleep == nil {
		u.cfg.Sleep = backoff.Sleep
	}
	if cfg.Rate > 0 {
		u.limit = rate.NewLimiter(rate.Limit(cfg.Rate), 1)
	}
	return u
}

func (u *upload) run(ctx context.Context, items []Item, j Journal) error {
	startCtx, stopStarting := context.WithCancel(ctx)
	defer stopStarting()
	u.startCtx = startCtx
	go func() {
		select {
		case <-u.cfg.Stop:
			stopStarting()
		case <-startCtx.Done():
		}
	}()
	there, err := u.list(ctx)
	if err != nil {
		if ctx.Err() == nil && startCtx.Err() != nil {
			return ErrStopped
		}
		return err
	}
	tasks := plan(items, j, there, u.cfg.Secrets.Scrub)
	u.own = map[string]string{}
	var todo []task
	for _, t := range tasks {
		if t.kind == taskNone {
			u.res.Known++
			u.own[t.remote.ID] = t.item.ID
			continue
		}
		todo = append(todo, t)
	}
	u.progress()
	u.work(ctx, todo, stopStarting)
	if u.reused > 0 {
		u.res.Warnings = append(u.res.Warnings, fmt.Sprintf(
			"%d documents were sent again: their ids in the journal belong to other documents now", u.reused))
	}
	switch {
	case u.fatal != nil:
		return u.fatal
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case u.res.Done()+len(u.res.Refused) < u.res.Documents:
		return ErrStopped
	}
	return u.lookForDoubles(ctx, items)
}

// list returns the content of the system.
func (u *upload) list(ctx context.Context) (listing, error) {
	lib, ok := u.cfg.Sink.(Library)
	if !ok {
		return listing{}, nil
	}
	if u.cfg.Progress != nil {
		u.cfg.Progress("listing", 0, 1)
	}
	var all []Remote
	err := u.try(ctx, 0, func(ctx context.Context, _ bool) (err error) {
		all, err = lib.List(ctx)
		return err
	})
	if err != nil {
		return listing{}, fmt.Errorf("listing the existing documents: %w", err)
	}
	if u.cfg.Progress != nil {
		u.cfg.Progress("listing", 1, 1)
	}
	return newListing(all), nil
}

// progress reports the progress; the caller holds the lock, or is the only goroutine.
func (u *upload) progress() {
	if u.cfg.Progress != nil && u.res.Documents > 0 {
		u.cfg.Progress("uploading", u.res.Done()+len(u.res.Refused), u.res.Documents)
	}
}
