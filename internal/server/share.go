package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// maxRenders is the number of reports, comparisons and calibrations that one token may
// have in progress or waiting. They take turns on the whole server, so that one client
// with many would keep the others waiting.
const maxRenders = 2

// A share limits how much of a common resource each token, or each address, uses at a time.
type share struct {
	// most is the limit, what names the resource in the plural.
	most int
	what string

	mu   sync.Mutex
	used map[string]int
}

func newShare(most int, what string) *share {
	return &share{most: most, what: what, used: map[string]int{}}
}

// enter uses one for a token or an address, and returns the function that gives it back; nil if all
// of its share is used.
func (s *share) enter(who string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used[who] >= s.most {
		return nil
	}
	s.used[who]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.used[who]--; s.used[who] == 0 {
			delete(s.used, who)
		}
	})
}

// take uses one for the token of a request, and returns the function that gives it back. If the
// token uses all of its share, the error is a problem. Requests without a token are of one
// machine's user and are not limited.
func (s *share) take(ctx context.Context) (release func(), err error) {
	token := who(ctx)
	if token == "" {
		return func() {}, nil
	}
	if release = s.enter(token); release == nil {
		return nil, tooMany(fmt.Sprintf("this token has %d %s in progress: wait for one to end", s.most, s.what))
	}
	return release, nil
}

// tooMany is a 429.
func tooMany(message string) error {
	return huma.ErrorWithHeaders(huma.NewError(http.StatusTooManyRequests, message), map[string][]string{"Retry-After": {"5"}})
}
