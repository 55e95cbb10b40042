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
	// writeWait is how long a client may take to accept a piece of a reply.
	writeWait = 20 * time.Second
)

// A body is one of a request, read within its limits.
type body struct {
	io.ReadCloser
	limit, read int64
	deadline    func(time.Time) error
	began       time.Time
	// What went wrong, for the problem that comes of it.
	tooLarge, tooSlow, broken bool
}

type bodyKey struct{}

// limited puts a request's body within its limits.
func limited(w http.ResponseWriter, r *http.Request, limit int64) *http.Request {
	b := &body{ReadCloser: r.Body, limit: limit, deadline: http.NewResponseController(w).SetReadDeadline}
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
)

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
	_ = b.deadline(b.began.Add(bodyGrace + time.Duration(b.read)*time.Second/bodyRate))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	// What stays set would end the connection while the request is answered.
	_ = b.deadline(time.Time{})
	var net net.Error
	switch {
	case b.read > b.limit:
		b.tooLarge = true
		return n, errTooLarge
	case errors.As(err, &net) && net.Timeout():
		b.tooSlow = true
		return n, errTooSlow
	case err != nil && err != io.EOF:
		b.broken = true
	}
	return n, err
}
