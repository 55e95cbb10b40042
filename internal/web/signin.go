package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// ErrToken means that there is no such token.
var ErrToken = errors.New("no such token")

// The names of the cookie of a reader who signed in: browsers send the second only to the
// host that set it, and only encrypted.
const (
	SessionCookie       = "assay-session"
	SecureSessionCookie = "__Host-assay-session"
)

// Session returns the session of a browser, "" without one.
func Session(r *http.Request) string {
	for _, name := range []string{SecureSessionCookie, SessionCookie} {
		if c, err := r.Cookie(name); err == nil {
			return c.Value
		}
	}
	return ""
}

// SignInAddress is where a reader signs in, who then comes back to the page of a request.
func SignInAddress(r *http.Request) string {
	if r.Method != http.MethodGet {
		return "/signin"
	}
	return "/signin?" + url.Values{"next": {r.URL.RequestURI()}}.Encode()
}

// signIn is the page where a reader pastes a token.
func (p *Pages) signIn(r *request) (view, error) {
	data := struct {
		Next  string
		Wrong bool
	}{local(r.values.Get("next")), r.values.Get("wrong") != ""}
	return view{Template: "signin", Title: r.w.Names().WebNames.SignIn, Place: placeSignIn, Data: data}, nil
}

// signedIn exchanges a token for a session.
func (p *Pages) signedIn(w http.ResponseWriter, r *http.Request) {
	next := local(r.PostFormValue("next"))
	session, end, err := p.cfg.Backend.SignIn(r.Context(), r.PostFormValue("token"))
	switch {
	case errors.Is(err, ErrToken):
		http.Redirect(w, r, "/signin?"+url.Values{"next": {next}, "wrong": {"1"}}.Encode(), http.StatusSeeOther)
		return
	case err != nil:
		p.Refuse(w, r, err)
		return
	}
	http.SetCookie(w, sessionCookie(r, session, end))
	http.Redirect(w, r, cmp.Or(next, "/"), http.StatusSeeOther)
}

// signOut ends the session of a browser, on the server too.
func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) {
	if err := p.cfg.Backend.SignOut(r.Context(), Session(r)); err != nil {
		p.Refuse(w, r, err)
		return
	}
	http.SetCookie(w, sessionCookie(r, "", time.Unix(1, 0)))
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
}

// sessionCookie is Lax, so that a link from elsewhere opens signed in: what a page changes
// is sent by POST, which other origins cannot do.
func sessionCookie(r *http.Request, session string, end time.Time) *http.Cookie {
	c := &http.Cookie{Name: SessionCookie, Value: session, Path: "/", Expires: end, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		c.Name, c.Secure = SecureSessionCookie, true
	}
	return c
}
