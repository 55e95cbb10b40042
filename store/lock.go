package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/filelock"
)

// Lock acquires the exclusive right to work on a run, so that no two processes evaluate
// its cases at the same time. [ErrLocked] names the process that has it. The lock ends
// with unlock or with the process.
//
// On PostgreSQL it is bound to a connection, and this store's writes to the run use
// that connection: after losing the connection, and with it the lock, it can write
// nothing more.
func (s *Store) Lock(ctx context.Context, runID string) (unlock func() error, err error) {
	if _, err := s.Counts(ctx, runID); err != nil {
		return nil, err
	}
	return s.lock(ctx, runID)
}

// CreateLocked is [Store.CreateRun] and [Store.Lock] in one step: no other process finds
// the run without its lock.
func (s *Store) CreateLocked(ctx context.Context, h assay.Header) (unlock func() error, err error) {
	if err := checkID(h.ID); err != nil {
		return nil, err
	}
	if unlock, err = s.lock(ctx, h.ID); err != nil {
		return nil, err
	}
	if err := s.CreateRun(ctx, h); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

func (s *Store) lock(ctx context.Context, runID string) (unlock func() error, err error) {
	h, err := s.hold(ctx, runID)
	switch {
	case errors.Is(err, ErrLocked):
		return nil, fmt.Errorf("run %q: %w: it must end first", runID, err)
	case err != nil:
		return nil, err
	}
	held := &holding{holder: h}
	s.mu.Lock()
	s.held[runID] = held
	s.mu.Unlock()
	return func() error {
		s.mu.Lock()
		delete(s.held, runID)
		s.mu.Unlock()
		held.mu.Lock()
		defer held.mu.Unlock()
		return held.release()
	}, nil
}

// IfAlive returns the header of a run as it is now. A run that is running without its lock
// was left by a process that has ended: it is stored as interrupted, or as cancelled if its server
// had accepted that. Without space to store it, the next call finds the same. Where no lock
// is available nothing is known, and the error says why.
func (s *Store) IfAlive(ctx context.Context, h assay.Header, now time.Time) (_ assay.Header, err error) {
	if h.State != "running" {
		return h, nil
	}
	unlock, err := s.Lock(ctx, h.ID)
	if errors.Is(err, ErrLocked) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	// It may have just ended.
	if h, err = s.Run(ctx, h.ID); err != nil || h.State != "running" {
		return h, err
	}
	it, err := s.Item(ctx, KindRequest, h.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return h, err
	}
	if h.State, h.Finished = "interrupted", now; it.Name == RequestCancelled {
		h.State, it.Name, it.Updated = "cancelled", RequestEnded, now
	}
	if s.UpdateRun(ctx, h) == nil && h.State == "cancelled" {
		return h, s.PutItem(ctx, it)
	}
	return h, nil
}

// Claim acquires the exclusive right to a piece of work among all processes on the
// store. name is not the id of a run: for these there is [Store.Lock]. [ErrLocked] means
// that another has it. The claim ends with release or with the process.
func (s *Store) Claim(ctx context.Context, name string) (release func() error, err error) {
	h, err := s.hold(ctx, name)
	if err != nil {
		return nil, err
	}
	return h.release, nil
}

// hold takes the lock of a name. The error is explained; it may be [ErrLocked].
func (s *Store) hold(ctx context.Context, name string) (h holder, err error) {
	err = s.try(ctx, func(ctx context.Context, _ bool) (err error) {
		h, err = s.db.lock(ctx, name)
		return err
	})
	if err != nil && !errors.Is(err, ErrLocked) {
		err = s.explain(err)
	}
	return h, err
}

// lockPoll is how often a waiting process checks the lock. A migration takes
// milliseconds.
const lockPoll = 10 * time.Millisecond

// waitLock waits for the lock on path until ctx is done.
func waitLock(ctx context.Context, path string) (unlock func() error, err error) {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		unlock, err := tryLock(path)
		if !errors.Is(err, ErrLocked) {
			return unlock, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", err, ctx.Err())
		}
	}
}

// tryLock locks the file at path, which it creates.
func tryLock(path string) (unlock func() error, err error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		ok, err := filelock.Try(f)
		if err != nil || !ok {
			owner, _ := os.ReadFile(path) // only for the message
			f.Close()
			if err == nil {
				return nil, fmt.Errorf("%w by process %s", ErrLocked, strings.TrimSpace(string(owner)))
			}
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		// The previous owner may have removed the file between the two steps; then this
		// lock is on a file that no other process can find.
		mine, errMine := f.Stat()
		there, errThere := os.Stat(path)
		if errMine != nil || errThere != nil || !os.SameFile(mine, there) {
			f.Close()
			continue
		}
		if err := errors.Join(f.Truncate(0), writeOwner(f)); err != nil {
			f.Close()
			return nil, err
		}
		return func() error { return filelock.Remove(f) }, nil
	}
}

func writeOwner(f *os.File) error {
	_, err := fmt.Fprintln(f, os.Getpid())
	return err
}
