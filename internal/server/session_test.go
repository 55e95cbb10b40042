package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// signIn returns the cookie of a browser that signs in with a token.
func (b *bench) signIn(token string) string {
	b.t.Helper()
	g := b.do("POST", "/signin", "token="+token, "Content-Type", "application/x-www-form-urlencoded").want(b.t, http.StatusSeeOther)
	for _, c := range g.Cookies() {
		if c.Value != "" {
			return c.Name + "=" + c.Value
		}
	}
	b.t.Fatalf("no session: %v", g.Header)
	return ""
}

func TestAReaderOfTheStoreCannotForgeASession(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	issued, token := b.issue(ScopeAdmin, time.Time{})
	kept, err := readToken(t.Context(), b.store, issued.ID)
	if err != nil || kept.Hash == "" {
		t.Fatalf("%+v (%v): want the hash of a token", kept, err)
	}
	cookie := b.signIn(token)
	b.do("GET", "/api/v1/runs", nil, "Cookie", cookie).want(t, http.StatusOK)
	said := fmt.Sprintf("%s.%d", kept.ID, time.Now().Add(10*365*24*time.Hour).Unix())
	guesses := []string{kept.ID, kept.Hash, token}
	for _, key := range []string{"session " + kept.Hash, kept.Hash} {
		code := hmac.New(sha256.New, []byte(key))
		code.Write([]byte(said))
		guesses = append(guesses, said+"."+hex.EncodeToString(code.Sum(nil)))
	}
	sessions, n, err := b.store.Items(t.Context(), "session", store.ItemQuery{Bodies: true})
	if err != nil || n != 1 {
		t.Errorf("%d sessions in the store (%v), want one", n, err)
	}
	for _, it := range sessions {
		guesses = append(guesses, it.ID, it.Parent, string(it.Body))
		if secret := cookie[strings.Index(cookie, "=")+1:]; strings.Contains(fmt.Sprint(it, string(it.Body)), secret) {
			t.Error("the store has the secret of a session")
		}
	}
	for _, guess := range guesses {
		b.do("GET", "/api/v1/runs", nil, "Cookie", web.SessionCookie+"="+guess).want(t, http.StatusUnauthorized)
	}
}

func TestSignOutEndsTheSessionOnTheServer(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	_, token := b.issue(ScopeRead, time.Time{})
	one, two := b.signIn(token), b.signIn(token)
	b.do("POST", "/signout", "", "Cookie", one, "Content-Type", "application/x-www-form-urlencoded").want(t, http.StatusSeeOther)
	b.do("GET", "/api/v1/runs", nil, "Cookie", one).want(t, http.StatusUnauthorized)
	b.do("GET", "/api/v1/runs", nil, "Cookie", two).want(t, http.StatusOK)
	// Signing out twice, or without a session, changes nothing.
	for _, cookie := range []string{one, "a=b"} {
		b.do("POST", "/signout", "", "Cookie", cookie, "Content-Type", "application/x-www-form-urlencoded").want(t, http.StatusSeeOther)
	}
}

func TestASessionEndsOnTheServer(t *testing.T) {
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	b := start(t, func(c *Config) { c.Tokens, c.World.Now = true, now })
	_, token := b.issue(ScopeRead, time.Time{})
	_, short := b.issue(ScopeRead, now().Add(time.Hour))
	long, brief := b.signIn(token), b.signIn(short)
	// A browser may keep a cookie for as long as it likes.
	for _, at := range []struct {
		after       time.Duration
		long, brief int
	}{{0, 200, 200}, {61 * time.Minute, 200, 401}, {12*time.Hour - time.Minute, 200, 401}, {12 * time.Hour, 401, 401}} {
		ahead.Store(int64(at.after))
		b.do("GET", "/api/v1/runs", nil, "Cookie", long).want(t, at.long)
		b.do("GET", "/api/v1/runs", nil, "Cookie", brief).want(t, at.brief)
	}
	b.signIn(token)
	left, n, err := b.store.Items(t.Context(), "session", store.ItemQuery{Bodies: true})
	if err != nil || n != 1 {
		t.Fatalf("%d sessions (%v), want the new one alone", n, err)
	}
	var kept struct{ Expires time.Time }
	if err := json.Unmarshal(left[0].Body, &kept); err != nil || kept.Expires.Sub(now()) > 12*time.Hour {
		t.Errorf("a session that ends at %v (%v)", kept.Expires, err)
	}
}
