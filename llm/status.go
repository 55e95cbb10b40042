package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/text"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// maxShown is the maximum number of characters that a message quotes from a server.
const maxShown = 300

// shown returns an untrusted text as one line, without terminal control characters and
// without the key. It truncates last, because a truncated key would not be recognized.
func (t *transport) shown(s string) string {
	s = text.Collapse(t.key.Scrub(text.Visible(s)))
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}

// refused returns the error for a response with an error status.
func (t *transport) refused(model string, resp *http.Response, body []byte) *Error {
	said, code := complaint(body)
	e := t.fail(model, kindOf(resp.StatusCode, said, code), "")
	e.Status = resp.StatusCode
	if strings.TrimSpace(said) == "" {
		said = cmp.Or(strings.ToLower(http.StatusText(resp.StatusCode)), "no explanation")
	}
	// The server's text is truncated before the hints are added, to keep them visible.
	e.Message = t.shown(said)
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		e.Message = fmt.Sprintf("the redirect to %q was not followed; use the final base URL",
			t.shown(resp.Header.Get("Location")))
	case e.Kind == KindAuth && t.key.Empty():
		e.Message += "; no key was sent; name the environment variable that holds it"
	case e.Kind == KindAuth && plainVariable().MatchString(t.keyEnv):
		e.Message += "; the key came from " + t.keyEnv
	}
	e.Message += t.requestID(resp.Header)
	if e.Kind == KindRate || e.Kind == KindServer {
		e.After = waitFor(resp.Header, body)
	}
	return e
}

// kindOf returns the kind of an error. The server's text decides where servers use
// different statuses: for requests that are too long, unknown models, and accounts
// without credit, for which waiting does not help.
func kindOf(status int, said, code string) Kind {
	text := said + " " + code
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired:
		return KindAuth
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return KindModel
	case http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong:
		return KindTooLong
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return KindTimeout
	case http.StatusTooEarly, http.StatusConflict:
		return KindServer
	case http.StatusTooManyRequests:
		if saysKind(KindAuth, text) {
			return KindAuth
		}
		return KindRate
	case http.StatusNotImplemented:
		return KindRequest
	case http.StatusInternalServerError:
		// Ollama returns this status if the input exceeds its window.
		if saysKind(KindTooLong, text) {
			return KindTooLong
		}
		return KindServer
	}
	switch {
	case status >= 500:
		return KindServer
	case status < 400:
		return KindModel // a redirect: the address is wrong
	case saysKind(KindAuth, text):
		return KindAuth
	case saysKind(KindTooLong, text):
		return KindTooLong
	case saysKind(KindModel, text):
		return KindModel
	}
	return KindRequest
}

// complaint returns the message and the code in an error body. Servers send {"error":
// {"message", "type", "code", "param"}}, {"error": "…"}, a list with one of these,
// {"message": "…"}, {"detail": …}, a page, or plain text.
func complaint(body []byte) (said, code string) {
	var v any
	if json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &v) != nil {
		return cmp.Or(modelreply.Page(body), string(body)), ""
	}
	if list, is := v.([]any); is && len(list) > 0 {
		v = list[0]
	}
	object, is := v.(map[string]any)
	if !is {
		return string(body), ""
	}
	if inner, is := object["error"].(map[string]any); is {
		object = inner
	}
	for _, name := range []string{"message", "error", "detail", "msg"} {
		if said = plain(object[name]); said != "" {
			break
		}
	}
	if said == "" {
		said = string(body)
	}
	for _, name := range []string{"code", "type"} {
		if code = plain(object[name]); code != "" {
			break
		}
	}
	if p := plain(object["param"]); p != "" && !strings.Contains(said, p) {
		said += " (" + p + ")"
	}
	return said, code
}

// plain returns a JSON value as text, "" for nil.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// requestID returns the vendor's id of the request, formatted for messages.
func (t *transport) requestID(h http.Header) string {
	for _, name := range []string{"Request-Id", "X-Request-Id"} {
		if id := h.Get(name); id != "" {
			return " (request " + t.shown(id) + ")"
		}
	}
	return ""
}

// maxWait is a year; it prevents overflow of a time.Duration.
const maxWait = 365 * 24 * time.Hour

// waitFor returns the wait that a server requests: retry-after-ms, Retry-After in
// seconds or as a date, otherwise the longest that any protocol finds. Dates are
// compared with the server's Date header, so the local clock does not matter. It
// returns 0 if the server requests none.
func waitFor(h http.Header, body []byte) time.Duration {
	now, dated := http.ParseTime(h.Get("Date"))
	since := func(at time.Time) time.Duration {
		if dated != nil {
			return 0
		}
		return min(max(at.Sub(now), 0), maxWait)
	}
	if d, err := seconds(h.Get("Retry-After-Ms"), time.Millisecond); err == nil {
		return d
	}
	if s := strings.TrimSpace(h.Get("Retry-After")); s != "" {
		if d, err := seconds(s, time.Second); err == nil {
			return d
		}
		if at, err := http.ParseTime(s); err == nil {
			return since(at)
		}
	}
	var wait time.Duration
	for _, p := range Protocols {
		if p.wait != nil {
			wait = max(wait, min(p.wait(h, body, since), maxWait))
		}
	}
	return wait
}

// seconds parses a number of units, which may have a fraction. Negative numbers yield
// 0.
func seconds(s string, unit time.Duration) (time.Duration, error) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || n != n {
		return 0, fmt.Errorf("%q: expected a number", s)
	}
	return time.Duration(min(max(n, 0), float64(maxWait/unit)) * float64(unit)), nil
}
