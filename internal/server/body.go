package server

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	// bodyGrace is how long a body may take before its rate counts. bodyRate is
	// the minimum rate from then on, in bytes a second: a tenth of the slowest
	// mobile network, so that only an attack is slower.
	bodyGrace = 10 * time.Second
	bodyRate  = 4 << 10
	// smallBody is the size in bytes above which a JSON body counts as large, and
	// maxLarge the number of large bodies at a time. A decoded body takes up to
	// forty times its size in memory.
	smallBody = 1 << 20
	maxLarge  = 2
	// writeWait bounds the time that a client takes to accept a piece of a reply.
	writeWait = 20 * time.Second
)

// A body reads a request's body within its limits.
type body struct {
	io.ReadCloser
	limit, read int64
	grace       time.Duration
	// writer is told when the body is read; may be nil.
	writer   *writer
	deadline func(time.Time) error
	began    time.Time
	// places holds an element for each large body in memory; nil for bodies that
	// go to files. taken is set when this body holds one.
	places chan struct{}
	taken  bool
	// What went wrong, for the problem.
	tooLarge, tooSlow, refused, broken bool
}

// release frees the place of a large body.
func (b *body) release() {
	if b.taken {
		<-b.places
	}
}

// grown takes a place once the body is large; false when none is free.
func (b *body) grown() bool {
	if b.places == nil || b.taken || b.read <= smallBody {
		return true
	}
	select {
	case b.places <- struct{}{}:
		b.taken = true
	default:
		b.refused = true
	}
	return b.taken
}

type bodyKey struct{}

// limited limits a request's body. The caller releases the body at the end.
func limited(w *writer, r *http.Request, limit int64, places chan struct{}, grace time.Duration) *http.Request {
	b := &body{ReadCloser: r.Body, limit: limit, places: places, grace: grace, writer: w, deadline: w.control.SetReadDeadline}
	r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, b))
	r.Body = b
	b.tooLarge = r.ContentLength > limit
	return r
}

// bodyOf is the body of the request, nil where there is none.
func bodyOf(ctx context.Context) *body {
	b, _ := ctx.Value(bodyKey{}).(*body)
	return b
}

var (
	errTooLarge = errors.New("the body is too large")
	errTooSlow  = errors.New("the body came too slowly")
	errRefused  = errors.New("too many large requests at once")
)

// Close discards the unread rest. It reads some of it so that the connection can
// be reused, within the same time limit as Read.
func (b *body) Close() error {
	until := b.began.Add(b.grace + time.Duration(b.read)*time.Second/bodyRate)
	if b.began.IsZero() {
		until = time.Now().Add(b.grace) //nolint:forbidigo // deadlines use the kernel's clock
	}
	_ = b.deadline(until)
	err := b.ReadCloser.Close()
	_ = b.deadline(time.Time{})
	b.writer.whole()
	return err
}

// Read enforces the minimum rate and the size limit.
func (b *body) Read(p []byte) (int, error) {
	if b.tooLarge {
		return 0, errTooLarge
	}
	// A deadline uses the kernel's clock, not the injected one.
	if b.began.IsZero() {
		b.began = time.Now() //nolint:forbidigo // deadlines use the kernel's clock
	}
	// Test servers may lack deadlines; the size limit still holds.
	_ = b.deadline(b.began.Add(b.grace + time.Duration(b.read)*time.Second/bodyRate))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	// A deadline that stays set would end the connection during the reply.
	_ = b.deadline(time.Time{})
	var net net.Error
	switch {
	case b.read > b.limit:
		b.tooLarge = true
		return n, errTooLarge
	case !b.grown():
		return n, errRefused
	case errors.As(err, &net) && net.Timeout():
		// The time is up.
		b.tooSlow = true
		b.writer.waitNot()
		return n, errTooSlow
	case errors.Is(err, io.EOF):
		b.writer.whole()
	case err != nil:
		b.broken = true
	}
	return n, err
}
