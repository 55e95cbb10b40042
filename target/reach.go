package target

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/assay-eval/assay/internal/backoff"
)

const (
	// reachPatience is the time in which a server must accept a connection before the
	// first case.
	reachPatience = 3 * time.Second
	// reachPause is the time between attempts to connect: the server may be starting.
	reachPause = 500 * time.Millisecond
)

// reach returns nil if the server at u accepts a connection within [reachPatience]. It
// sends nothing. What a proxy can reach is only known from a call.
func reach(ctx context.Context, t *http.Transport, u *url.URL) error {
	if t.Proxy != nil {
		if via, err := t.Proxy(&http.Request{URL: u}); via != nil || err != nil {
			return nil
		}
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, reachPatience)
	defer cancel()
	var last error
	for {
		conn, err := t.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
		if err == nil {
			conn.Close() //nolint:errcheck // nothing was sent
			return nil
		}
		var dns *net.DNSError
		var late net.Error
		switch {
		case errors.As(err, &dns) && dns.IsNotFound:
			return Errorf(Refused, "target unreachable: unknown host %q", dns.Name)
		case ctx.Err() == nil && (last == nil || !(errors.As(err, &late) && late.Timeout())):
			// A dial may end at the time limit before the context says so: what the dials before
			// it met is the reason.
			last = Errorf(Refused, "target unreachable: %s", dialReason(err, u))
		}
		if backoff.Sleep(ctx, reachPause) != nil {
			break
		}
	}
	switch gone := cancelled(outer); {
	case gone != nil:
		return gone
	case last == nil:
		last = Errorf(Refused, "target unreachable: no connection to %s within %v", u.Host, reachPatience)
	}
	return last
}

// Open returns an error if the server does not accept connections, which would fail every
// case. It sends nothing.
func (h *HTTP) Open(ctx context.Context) error {
	u, err := url.Parse(h.call.address.base)
	if err != nil {
		return err // NewHTTP has parsed it
	}
	return reach(ctx, h.transport, u)
}
