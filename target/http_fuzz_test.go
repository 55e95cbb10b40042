package target

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay/target/reply"
)

// Whatever a question holds, the call goes to the host of the endpoint, and the
// question arrives as it is, in the path or in the query.
func FuzzHTTPAddress(f *testing.F) {
	for _, s := range []string{"http://127.0.0.1:8000/q?x={{question}}", "https://h/{{question}}/b", "http://u:p@h?{{question}}",
		"http://[::1]:1/#{{question}}", "http://h/{{x|a?b}}{{question}}", "HTTP://H"} {
		f.Add(s, "a/b?c#d @host")
		f.Add(s, "..")
		f.Add(s, "\x00\r\n{{}}%zz")
	}
	f.Fuzz(func(t *testing.T, endpoint, question string) {
		a, err := newHTTPAddress(endpoint)
		if err != nil {
			return
		}
		values := map[string]any{}
		for _, name := range a.tail.Names() {
			values[name] = question
		}
		text, err := a.fill(values)
		if err != nil && strings.Contains(err.Error(), "leads to another address") {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", endpoint, err)
		}
		base, err := url.Parse(a.base)
		if err != nil {
			t.Fatalf("base %q: %v", a.base, err)
		}
		u, err := url.Parse(text)
		if err != nil {
			t.Fatalf("%q with %q: %v", endpoint, question, err)
		}
		if u.Host != base.Host || u.User != nil || u.Fragment != "" || strings.ContainsAny(text, " \r\n\x00") {
			t.Fatalf("%q with %q calls %q", endpoint, question, text)
		}
	})
}

// What an error says of a body is text that can be shown, whatever the body is.
func FuzzHTTPComplaint(f *testing.F) {
	for _, s := range []string{
		"", "no", `{"error": {"message": "a"}}`, `{"detail": [{"loc": ["body", 1], "msg": "b"}, {}]}`, `{"errors": ["x", {"reason": "y"}]}`,
		`[[[[[["deep"]]]]]]`,
		"<!-- c --><html><TITLE lang=x>A &amp; B</TITLE>", "\ufeff<!doctype html>", "<!--", `{"error": null}`, "\x1b[31mred\xff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		said := complaint(body)
		if !utf8.ValidString(said) || strings.ContainsRune(said, '\x1b') {
			t.Fatalf("%q says %q", body, said)
		}
		if reply.Page(body) != "" && !strings.HasPrefix(said, "a web page") {
			t.Fatalf("%q is a web page and says %q", body, said)
		}
	})
}

func TestComplaint(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ body, want string }{
		{`{"error": "a"}`, "a"},
		{`{"error": {"message": "a", "code": 1}}`, "a"},
		{`{"message": "a", "error": "Not Found"}`, "a"},
		{`{"detail": "a"}`, "a"},
		{`{"detail": [{"loc": ["body", "q", 0], "msg": "a"}, {"msg": "b"}]}`, "body.q.0: a; b"},
		{`{"type": "about:blank", "title": "T", "detail": "a"}`, "a"},
		{`{"errors": [{"message": "a"}, "b"]}`, "a; b"},
		{`{"error": {"root_cause": [{"reason": "r"}], "reason": "a"}, "status": 400}`, "a"}, // OpenSearch
		{`{"status": {"error": "a"}, "time": 0.1}`, "a"},                                    // Qdrant
		{`{"code": 7}`, `{"code": 7}`},
		{`"a"`, "a"},
		{"plain", "plain"},
		{"<html><title> </title>", "a web page"},
	} {
		if got := complaint([]byte(test.body)); got != test.want {
			t.Errorf("%s: %q, want %q", test.body, got, test.want)
		}
	}
}
