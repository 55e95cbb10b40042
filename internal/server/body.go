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
	// bodyGrace is how long a body may take before its rate counts, bodyRate the
	// least of it from then on, in bytes a second: a tenth of the slowest mobile
	// network, so that only who means harm is slower.
	bodyGrace = 10 * time.Second
	bodyRate  = 4 << 10
	// smallBody is the most of a JSON body that any request may bring, in bytes;
	// maxLarge is how many may be larger at once. What is read of one takes up to
	// forty times its size.
	smallBody = 1 << 20
	maxLarge  = 2
	// writeWait is how long a client may take to accept a piece of a reply.
	writeWait = 20 * time.Second
)

// A body is one of a request, read within its limits.
type body struct {
	io.ReadCloser
	limit, read int64
	grace       time.Duration
	// writer hears how far the body is; nil is none.
	writer   *writer
	deadline func(time.Time) error
	began    time.Time
	// places has one for each large body that is in memory; nil is for those that
	// are put into files. taken is set when this one has a place.
	places chan struct{}
	taken  bool
	// What went wrong, for the problem that comes of it.
	tooLarge, tooSlow, refused, broken bool
}

// release gives back the place of a large body.
func (b *body) release() {
	if b.taken {
		<-b.places
	}
}

// grown takes a place when the body has become large; false when there is none.
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

// limited puts a request's body within its limits. Who calls it releases the body
// at the end.
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
	errRefused  = errors.New("too many large bodies are read at once")
)

// Close leaves what was not read. It reads some of it, so that the connection can
// go on, and waits no longer for that than Read does.
func (b *body) Close() error {
	until := b.began.Add(b.grace + time.Duration(b.read)*time.Second/bodyRate)
	if b.began.IsZero() {
		until = time.Now().Add(b.grace) //nolint:forbidigo // the kernel's clock is meant
	}
	_ = b.deadline(until)
	err := b.ReadCloser.Close()
	_ = b.deadline(time.Time{})
	b.writer.whole()
	return err
}

// Read reads as fast as the client must be, and no more than the limit.
func (b *body) Read(p []byte) (int, error) {
	if b.tooLarge {
		return 0, errTooLarge
	}
	// A deadline is of the kernel's clock, not of the one that was handed in.
	if b.began.IsZero() {
		b.began = time.Now() //nolint:forbidigo // the kernel's clock is meant
	}
	// Servers of tests may have no deadlines; the limit holds all the same.
	_ = b.deadline(b.began.Add(b.grace + time.Duration(b.read)*time.Second/bodyRate))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	// What stays set would end the connection while the request is answered.
	_ = b.deadline(time.Time{})
	var net net.Error
	switch {
	case b.read > b.limit:
		b.tooLarge = true
		return n, errTooLarge
	case !b.grown():
		return n, errRefused
	case errors.As(err, &net) && net.Timeout():
		// It had its time.
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
