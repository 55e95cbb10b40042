package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// sessionTime is how long a browser stays signed in.
const sessionTime = 12 * time.Hour

// A session is what the store keeps of a browser that is signed in. Its id is the hash of the
// secret that the browser has, so that a reader of the store cannot sign in. Its parent is the id
// of its token, with which it ends.
type session struct {
	Expires time.Time `json:"expires"`
}

// newSession stores a session of a token and returns its secret and its end. It deletes those
// that have expired.
func newSession(ctx context.Context, s *store.Store, t Token, now time.Time) (secret string, end time.Time, err error) {
	old, _, err := s.Items(ctx, store.KindSession, store.ItemQuery{})
	if err != nil {
		return "", end, err
	}
	for _, it := range old {
		if now.Sub(it.Created) < sessionTime {
			continue
		}
		if err := endSession(ctx, s, it.ID); err != nil {
			return "", end, err
		}
	}
	end = now.Add(sessionTime)
	if !t.Expires.IsZero() && t.Expires.Before(end) {
		end = t.Expires
	}
	body, err := json.Marshal(session{end})
	if err != nil {
		return "", end, err
	}
	secret = rand.Text()
	return secret, end, s.CreateItem(ctx, store.Item{
		Kind: store.KindSession, ID: hashed(secret), Parent: t.ID, Created: now, Updated: now, Body: body,
	})
}

// resume returns the token of a session. The error is errToken if the session has ended, or
// never was.
func resume(ctx context.Context, s *store.Store, secret string, now time.Time) (Token, error) {
	it, err := s.Item(ctx, store.KindSession, hashed(secret))
	var kept session
	var t Token
	if err == nil {
		err = json.Unmarshal(it.Body, &kept)
	}
	if err == nil {
		t, err = readToken(ctx, s, it.Parent)
	}
	if errors.Is(err, store.ErrNotFound) || err == nil && !now.Before(kept.Expires) {
		return Token{}, errToken
	}
	return t, err
}

// endSession deletes a session, if it is there.
func endSession(ctx context.Context, s *store.Store, id string) error {
	if err := s.DeleteItem(ctx, store.KindSession, id); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// SignIn implements [web.Backend].
func (b pageBackend) SignIn(ctx context.Context, token string) (session string, end time.Time, err error) {
	t, err := verify(ctx, b.s.store, strings.TrimSpace(token), b.s.now())
	if errors.Is(err, errToken) {
		return "", time.Time{}, web.ErrToken
	}
	if err == nil {
		session, end, err = newSession(ctx, b.s.store, t, b.s.now())
	}
	return session, end, err
}

// SignOut implements [web.Backend].
func (b pageBackend) SignOut(ctx context.Context, session string) error {
	return endSession(ctx, b.s.store, hashed(session))
}

// denied answers a reader who may not see a page: one who is not signed in signs in, and
// comes back.
func (s *Server) denied(w http.ResponseWriter, r *http.Request, err error) {
	var refused *refusal
	if errors.As(err, &refused) && refused.status == http.StatusUnauthorized {
		http.Redirect(w, r, web.SignInAddress(r), http.StatusSeeOther)
		return
	}
	s.screen.Refuse(w, r, err)
}
