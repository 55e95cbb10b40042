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

// A share limits how much of a common resource each token uses at a time. Requests
// without a token are of one machine's user and are not limited.
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

// take uses one and returns the function that gives it back. If the token of the request
// uses all of its share, the error is a problem.
func (s *share) take(ctx context.Context) (release func(), err error) {
	token := who(ctx)
	if token == "" {
		return func() {}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used[token] >= s.most {
		return nil, tooMany(fmt.Sprintf("this token has %d %s in progress: wait for one to end", s.used[token], s.what))
	}
	s.used[token]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.used[token]--; s.used[token] == 0 {
			delete(s.used, token)
		}
	}, nil
}

// tooMany is a 429.
func tooMany(message string) error {
	return huma.ErrorWithHeaders(huma.NewError(http.StatusTooManyRequests, message), map[string][]string{"Retry-After": {"5"}})
}
