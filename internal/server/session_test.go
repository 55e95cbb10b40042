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
	"github.com/assay-eval/assay/store/storetest"
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

// A stream that was opened with a token or a session ends soon after it.
func TestOpenStreamsEndWithTheirToken(t *testing.T) {
	var ahead atomic.Int64
	b := start(t, func(c *Config) {
		c.Tokens, c.Look, c.Heartbeat = true, 20*time.Millisecond, 10*time.Millisecond
		c.World.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	h := storetest.Header(1)
	h.State = stateRunning
	if err := b.store.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	unlock, err := b.store.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unlock() })
	revoked, one := b.issue(ScopeRead, time.Time{})
	_, brief := b.issue(ScopeRead, time.Now().Add(time.Hour))
	last, other := b.issue(ScopeRead, time.Time{})
	_, third := b.issue(ScopeRead, time.Time{})
	cookie := b.signIn(third)
	open := map[string]chan struct{}{}
	follow := func(name, path, header, value string) {
		ended := make(chan struct{})
		open[name+path] = ended
		go func() { defer close(ended); b.do("GET", "/api/v1/runs/"+h.ID+path, nil, header, value) }()
	}
	for _, path := range []string{"/events", "/events?cases=false"} {
		follow("revoked", path, "Authorization", "Bearer "+one)
		follow("expired", path, "Authorization", "Bearer "+brief)
		follow("signed out", path, "Cookie", cookie)
		follow("valid", path, "Authorization", "Bearer "+other)
	}
	time.Sleep(300 * time.Millisecond)
	for name, ended := range open {
		select {
		case <-ended:
			t.Errorf("%s: ended before its token", name)
		default:
		}
	}
	if err := b.store.DeleteItem(t.Context(), store.KindToken, revoked.ID); err != nil {
		t.Fatal(err)
	}
	b.do("POST", "/signout", "", "Cookie", cookie, "Content-Type", "application/x-www-form-urlencoded").want(t, http.StatusSeeOther)
	ahead.Store(int64(2 * time.Hour))
	for name, ended := range open {
		if strings.HasPrefix(name, "valid") {
			continue
		}
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			t.Errorf("%s: the stream goes on", name)
		}
	}
	select {
	case <-open["valid/events"]:
		t.Error("the stream of a valid token ended")
	default:
	}
	if err := b.store.DeleteItem(t.Context(), store.KindToken, last.ID); err != nil {
		t.Fatal(err)
	}
	<-open["valid/events"]
	<-open["valid/events?cases=false"]
}
