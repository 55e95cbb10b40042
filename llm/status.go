package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/text"
)

// maxShown bounds how many characters of a foreign text a message quotes.
const maxShown = 300

// shown makes one line of a foreign text: without what could act on a terminal
// and without the key, and cut last, for a piece of a key would not be found.
func (t *transport) shown(s string) string {
	s = text.Collapse(t.key.Scrub(text.Visible(s)))
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}

// refused is the error for a reply whose status is not a success.
func (t *transport) refused(model string, resp *http.Response, body []byte) *Error {
	said, code := complaint(body)
	e := t.fail(model, kindOf(resp.StatusCode, said, code), "")
	e.Status = resp.StatusCode
	if strings.TrimSpace(said) == "" {
		said = cmp.Or(strings.ToLower(http.StatusText(resp.StatusCode)), "no explanation")
	}
	// What was said is cut before the hints are added, which are to be seen.
	e.Message = t.shown(said)
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		e.Message = fmt.Sprintf("the redirect to %q was not followed: want the final base URL",
			t.shown(resp.Header.Get("Location")))
	case e.Kind == KindAuth && t.key.Empty():
		e.Message += "; no key was sent: want the name of the environment variable that holds it"
	case e.Kind == KindAuth && plainVariable.MatchString(t.keyEnv):
		e.Message += "; the key came from " + t.keyEnv
	}
	e.Message += t.requestID(resp.Header)
	if e.Kind == KindRate || e.Kind == KindServer {
		e.After = waitFor(resp.Header, body)
	}
	return e
}

// kindOf tells what a status means. What the server said decides where servers
// disagree on the status: requests that are too long, models that do not exist,
// and accounts that are empty, which no waiting fills.
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
		// Ollama answers so when an input is longer than its window.
		if saysKind(KindTooLong, text) {
			return KindTooLong
		}
		return KindServer
	}
	switch {
	case status >= 500:
		return KindServer
	case status < 400:
		return KindModel // a redirect: the address is another
	case saysKind(KindAuth, text):
		return KindAuth
	case saysKind(KindTooLong, text):
		return KindTooLong
	case saysKind(KindModel, text):
		return KindModel
	}
	return KindRequest
}

// complaint finds the message of an error body and its code. Servers send
// {"error": {"message", "type", "code", "param"}}, {"error": "…"}, a list with
// one of these, {"message": "…"}, {"detail": …}, a page, or plain text.
func complaint(body []byte) (said, code string) {
	var v any
	if json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &v) != nil {
		if p := page(body); p != "" {
			return p, ""
		}
		return string(body), ""
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

// plain gives a JSON value as text, "" when there is none.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// hasError reports whether the body of a success is that of an error, as
// gateways send when they learn of it too late: it has an error and no payload.
func hasError(body []byte, payload string) bool {
	var v map[string]json.RawMessage
	return json.Unmarshal(body, &v) == nil && present(v["error"]) && !present(v[payload])
}

func present(v json.RawMessage) bool { return len(v) > 0 && string(v) != "null" }

// statusIn reads a code that is an HTTP status of an error, else 0.
func statusIn(code string) int {
	n, err := strconv.Atoi(code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

var title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// page describes a body that is a web page, such as that of a proxy; "" when it
// is none.
func page(body []byte) string {
	head := strings.ToLower(strings.TrimSpace(string(body[:min(len(body), 512)])))
	if !strings.HasPrefix(head, "<!doctype html") && !strings.HasPrefix(head, "<html") && !strings.HasPrefix(head, "<head") {
		return ""
	}
	if m := title.FindSubmatch(body); m != nil {
		return fmt.Sprintf("a web page, %q", text.Collapse(html.UnescapeString(string(m[1]))))
	}
	return "a web page"
}

// requestID gives the vendor's name of the call, for messages.
func (t *transport) requestID(h http.Header) string {
	for _, name := range []string{"Request-Id", "X-Request-Id"} {
		if id := h.Get(name); id != "" {
			return " (request " + t.shown(id) + ")"
		}
	}
	return ""
}

// maxWait keeps a number of seconds far from overflow: a year.
const maxWait = 365 * 24 * time.Hour

// waitFor reads how long a server asks to wait: retry-after-ms, Retry-After in
// seconds or as a date, else what the protocols read. Dates are compared with
// the server's own, so that no clock is needed and a wrong one does no harm. 0
// when it does not ask.
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

// seconds reads a number of units, whole or not; negative ones are 0.
func seconds(s string, unit time.Duration) (time.Duration, error) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || n != n {
		return 0, fmt.Errorf("%q: want a number", s)
	}
	return time.Duration(min(max(n, 0), float64(maxWait/unit)) * float64(unit)), nil
}
