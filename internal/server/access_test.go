package server

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/store"
)

// issue makes a token on the store of a bench.
func (b *bench) issue(scope Scope, expires time.Time) (Token, string) {
	b.t.Helper()
	t := Token{Scope: scope, Created: epoch, Expires: expires}
	var err error
	if t.ID, err = NewID(time.Now(), rand.Reader); err != nil {
		b.t.Fatal(err)
	}
	text, err := NewToken(b.t.Context(), b.store, t, rand.Reader)
	if err != nil {
		b.t.Fatal(err)
	}
	return t, text
}

func TestATokenIsGoodForItsScopeAndLess(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) { c.Tokens = true })
	tokens := map[Scope]string{ScopeNone: ""}
	for _, s := range Scopes {
		_, tokens[s] = b.issue(s, time.Time{})
	}
	for _, c := range []struct {
		need         Scope
		method, path string
		body         any
		ok           int
	}{
		{ScopeNone, "GET", "/healthz", nil, 200},
		{ScopeNone, "GET", "/readyz", nil, 200},
		{ScopeNone, "GET", "/docs", nil, 200},
		{ScopeNone, "GET", "/openapi.json", nil, 200},
		{ScopeRead, "GET", "/metrics", nil, 200},
		{ScopeRead, "GET", "/api/v1/runs", nil, 200},
		{ScopeRead, "GET", "/api/v1/datasets", nil, 200},
		{ScopeRead, "POST", "/api/v1/gate", `{"run_id":"none"}`, 404},
		{ScopeRun, "POST", "/api/v1/runs", `{"dataset":"none"}`, 400},
		{ScopeRun, "POST", "/api/v1/runs/none/cancel", nil, 404},
		{ScopeAdmin, "DELETE", "/api/v1/runs/none", nil, 404},
		{ScopeAdmin, "PUT", "/api/v1/baselines/none", `{"run_id":"none"}`, 404},
	} {
		for have, token := range tokens {
			want := c.ok
			switch {
			case have.Covers(c.need):
			case have == ScopeNone:
				want = 401
			default:
				want = 403
			}
			b.token = token
			g := b.do(c.method, c.path, c.body).want(t, want)
			if want == 401 && !strings.HasPrefix(g.Header.Get("WWW-Authenticate"), "Bearer ") {
				t.Errorf("%s %s: no challenge", c.method, c.path)
			}
		}
	}
	// With tokens a request may call the server by any name.
	b.token = tokens[ScopeRead]
	b.do("GET", "/api/v1/runs", nil, "Host", "assay.example").want(t, 200)
	if strings.Contains(b.log.String(), tokens[ScopeRead]) {
		t.Error("a token is in the log")
	}
}

func TestATokenThatIsNotGood(t *testing.T) {
	b := start(t)
	good, text := b.issue(ScopeAdmin, time.Time{})
	_, late := b.issue(ScopeAdmin, epoch)
	revoked, gone := b.issue(ScopeAdmin, time.Time{})
	if err := b.store.DeleteItem(t.Context(), store.KindToken, revoked.ID); err != nil {
		t.Fatal(err)
	}
	// On loopback no token is needed, but one that is sent must be good.
	b.do("GET", "/api/v1/runs", nil, "Authorization", "Bearer "+text).want(t, 200)
	for _, bad := range []string{
		"Basic " + text, "Bearer", "Bearer ", "Bearer x", "Bearer " + late,
		"Bearer " + gone, "Bearer " + text + "x", "Bearer " + text[:len(text)-1],
		"Bearer assay_" + strings.Repeat("0", 32) + "_x", "Bearer " + good.Hash,
	} {
		g := b.do("GET", "/api/v1/runs", nil, "Authorization", bad).want(t, 401)
		if strings.Contains(g.text, text) {
			t.Errorf("%s: repeats the token", g.text)
		}
	}
	it, err := b.store.Item(t.Context(), store.KindToken, good.ID)
	if err != nil || strings.Contains(string(it.Body), text) || strings.Contains(string(it.Body), text[len(text)-43:]) {
		t.Errorf("%s (%v): want nothing that the token could be made from", it.Body, err)
	}
}

func TestNewIDIsAUUIDOfVersion7ThatSortsByTime(t *testing.T) {
	a, err := NewID(epoch, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewID(epoch.Add(time.Millisecond), rand.Reader)
	if err != nil || a >= b || !isID(a) || !isID(b) {
		t.Errorf("%q, %q (%v): want two ids in the order of their times", a, b, err)
	}
	for _, no := range []string{"", "x", strings.ToUpper(a), "{" + a + "}", "urn:uuid:" + a, a + "0", "00000000-0000-4000-8000-000000000000"} {
		if isID(no) {
			t.Errorf("%q is taken for an id", no)
		}
	}
}
