package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// sessionTime is how long a browser stays signed in.
const sessionTime = 12 * time.Hour

// newSession returns what a browser keeps in place of its token: the public half of the
// token, the end of the session, and a code that only the stored token gives. It ends with
// the token.
func newSession(t Token, now time.Time) (text string, end time.Time) {
	end = now.Add(sessionTime)
	if !t.Expires.IsZero() && t.Expires.Before(end) {
		end = t.Expires
	}
	said := t.ID + "." + strconv.FormatInt(end.Unix(), 10)
	return said + "." + sessionCode(t, said), end
}

// sessionCode returns the code of the first parts of a session.
func sessionCode(t Token, said string) string {
	code := hmac.New(sha256.New, []byte("session "+t.Hash))
	code.Write([]byte(said))
	return hex.EncodeToString(code.Sum(nil))
}

// resume returns the token of a session. The error is errToken if the session has ended, or
// never was.
func resume(ctx context.Context, s *store.Store, text string, now time.Time) (Token, error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 || !isID(parts[0]) {
		return Token{}, errToken
	}
	end, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return Token{}, errToken
	}
	t, err := readToken(ctx, s, parts[0])
	if errors.Is(err, store.ErrNotFound) {
		return Token{}, errToken
	}
	if err != nil {
		return Token{}, err
	}
	same := hmac.Equal([]byte(sessionCode(t, parts[0]+"."+parts[1])), []byte(parts[2]))
	if !same || now.Unix() >= end || !t.Expires.IsZero() && now.After(t.Expires) {
		return Token{}, errToken
	}
	return t, nil
}

// sessionOf returns the session of a browser, "" without one.
func sessionOf(r *http.Request) string {
	for _, name := range []string{web.SecureSessionCookie, web.SessionCookie} {
		if c, err := r.Cookie(name); err == nil {
			return c.Value
		}
	}
	return ""
}

// SignIn implements [web.Backend].
func (b pageBackend) SignIn(ctx context.Context, token string) (session string, end time.Time, err error) {
	t, err := verify(ctx, b.s.store, strings.TrimSpace(token), b.s.now())
	if errors.Is(err, errToken) {
		return "", time.Time{}, web.ErrToken
	}
	if err != nil {
		return "", time.Time{}, b.s.fail(ctx, err)
	}
	session, end = newSession(t, b.s.now())
	return session, end, nil
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
