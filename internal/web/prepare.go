package web

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/progress"
	"github.com/assay-eval/assay/report/words"
)

const (
	// patience is how long a reader waits for a page before a page says that it is being
	// prepared.
	patience = 700 * time.Millisecond
	// keptPrepared is how long a page that nobody asked for again is kept.
	keptPrepared = 10 * time.Second
	// maxPreparations is the number of pages in preparation. Readers of more wait for theirs.
	maxPreparations = 16
	// waitPart is the part of the page that says that another is being prepared.
	waitPart = "wait"
)

// preparations are the pages whose work goes on without a request.
type preparations struct {
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu sync.Mutex
	by map[preparedKey]*preparation
}

// A preparedKey is the sum of all of a request that a page depends on.
type preparedKey [sha256.Size]byte

// A preparation is the work on a page for a reader.
type preparation struct {
	progress progress.Progress
	began    time.Time
	// ready is closed once view and err are set.
	ready chan struct{}
	view  view
	err   error
}

func newPreparations() *preparations {
	p := &preparations{by: map[preparedKey]*preparation{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Stop ends the work on pages that nobody waits for.
func (p *Pages) Stop() { p.preparing.stop() }

// Wait waits until the work on pages has ended after [Pages.Stop].
func (p *Pages) Wait() { p.preparing.work.Wait() }

// prepared returns what a handler shows, or that it is being prepared if that takes longer than
// the reader should wait. The work goes on meanwhile, and the next request of the reader gets its
// result. Only whole pages are prepared so: a script that asks for a part shows by itself that it
// waits.
func (p *Pages) prepared(r *request, show func(*request) (view, error)) (view, error) {
	part := r.Header.Get(partHeader)
	if r.Method != http.MethodGet || part != "" && part != waitPart {
		return show(r)
	}
	key := keyOf(r)
	one := p.preparing.of(key, r, show, p.cfg.Now)
	if one == nil {
		return show(r)
	}
	wait := time.NewTimer(p.cfg.Patience)
	defer wait.Stop()
	select {
	case <-one.ready:
	case <-wait.C:
		return p.waiting(r, one), nil
	case <-r.Context().Done(): // the reader has gone
		return p.waiting(r, one), nil
	}
	if part == waitPart {
		// Left for the request that the script makes when this reply has no such part.
		return view{Template: "wait"}, nil
	}
	p.preparing.drop(key, one)
	return one.view, one.err
}

// keyOf returns what tells a reader's request for a page from others.
func keyOf(r *request) preparedKey {
	sum := sha256.New()
	for _, s := range []string{r.Host, r.URL.RequestURI(), r.Header.Get("Cookie"), r.Header.Get("Authorization"), r.Header.Get("Accept-Language")} {
		fmt.Fprintf(sum, "%d:%s", len(s), s)
	}
	return preparedKey(sum.Sum(nil))
}

// of returns the preparation of a page, which it begins unless it goes on. It is nil if too many
// go on, or the server stops.
func (a *preparations) of(key preparedKey, r *request, show func(*request) (view, error), now func() time.Time) *preparation {
	a.mu.Lock()
	defer a.mu.Unlock()
	if one := a.by[key]; one != nil {
		return one
	}
	if len(a.by) >= maxPreparations || a.ctx.Err() != nil {
		return nil
	}
	one := &preparation{ready: make(chan struct{}), began: now()}
	a.by[key] = one
	ctx, cancel := context.WithCancel(progress.With(context.WithoutCancel(r.Context()), &one.progress))
	stop := context.AfterFunc(a.ctx, cancel)
	mine := *r
	mine.Request = r.WithContext(ctx)
	a.work.Go(func() {
		defer stop()
		defer cancel()
		defer time.AfterFunc(keptPrepared, func() { a.drop(key, one) })
		defer close(one.ready)
		defer func() {
			if broke := recover(); broke != nil {
				one.err = fmt.Errorf("panic: %v\n%s", broke, debug.Stack())
			}
		}()
		one.view, one.err = show(&mine)
	})
	return one
}

// drop forgets a preparation.
func (a *preparations) drop(key preparedKey, one *preparation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by[key] == one {
		delete(a.by, key)
	}
}

// A waitingData is what the page shows that says that another is being prepared.
type waitingData struct {
	// Text says how far it is. Done of Total is known unless Total is 0.
	Text        string
	Done, Total int
	// For says how long it has taken so far.
	For string
}

// waiting is the page that says that another is being prepared.
func (p *Pages) waiting(r *request, one *preparation) view {
	n := r.w.Names().ShellNames
	data := waitingData{Text: n.Calculating, For: r.w.Say("TakenSoFar", words.V{"seconds": int(p.cfg.Now().Sub(one.began).Seconds())})}
	if done, total := one.progress.At(); done < total {
		data.Done, data.Total, data.Text = done, total, r.w.Say("CasesRead", words.V{"done": done, "total": total})
	}
	return view{Template: "wait", Title: n.Preparing, Status: http.StatusAccepted, Data: data}
}
