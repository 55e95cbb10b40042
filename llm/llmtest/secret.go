package llmtest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
)

// key is the planted one: long, and with characters that JSON, HTML and URLs
// write in another way.
const key = `sk-planted+Key/7&3="x<y>'zz\q`

// traces are the key in the forms in which servers echo it.
func traces() []string {
	quoted, err := json.Marshal(key)
	if err != nil {
		panic(err)
	}
	all := []string{
		key, string(quoted[1 : len(quoted)-1]), fmt.Sprintf("%q", key), html.EscapeString(key), url.QueryEscape(key), url.PathEscape(key),
		hex.EncodeToString([]byte(key)), fmt.Sprintf("%X", key),
	}
	for _, before := range []string{"", "Bearer ", ":", "user:", "u:"} {
		all = append(all, base64.StdEncoding.EncodeToString([]byte(before+key)), base64.URLEncoding.EncodeToString([]byte(before+key+"\n")))
	}
	return all
}

// leak finds a piece of the key in a text and returns it with what is around
// it, else "". In every form but base64 and hexadecimal the word "planted"
// shows; of those, the middle is looked for.
func leak(text string) string {
	pieces := []string{"planted"}
	for _, form := range traces() {
		pieces = append(pieces, form[len(form)/3:2*len(form)/3])
	}
	for _, piece := range pieces {
		if i := strings.Index(text, piece); i >= 0 {
			return text[max(0, i-200):min(len(text), i+200)]
		}
	}
	return ""
}

// everything is all that fmt and JSON show of a value.
func everything(values ...any) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%v %+v %#v %s %q %x %d\n", v, v, v, v, v, v, v)
		data, err := json.Marshal(v)
		fmt.Fprintf(&b, "%s %v\n", data, err)
		if err, is := v.(error); is {
			for e := err; e != nil; e = errors.Unwrap(e) {
				fmt.Fprintf(&b, "%v %#v\n", e, e)
			}
		}
	}
	return b.String()
}

func secrecy(t *testing.T, p Wire) {
	for _, form := range traces() {
		if leak("x"+form) == "" {
			t.Fatalf("the test does not see a leak of %q", form)
		}
	}
	echo := strings.Join(traces(), " ")
	quoted, err := json.Marshal(echo)
	if err != nil {
		t.Fatal(err)
	}
	headers := func(r *http.Request) string {
		var b strings.Builder
		if err := r.Header.Write(&b); err != nil || !strings.Contains(b.String(), key) {
			t.Errorf("the request does not carry the key: %v", err)
		}
		return b.String()
	}
	for name, h := range map[string]http.HandlerFunc{
		"reply": func(w http.ResponseWriter, r *http.Request) {
			said := headers(r) + echo
			write(200, nil, p.Reply(llm.Reply{Text: said, Thinking: said, Model: echo, Stop: echo}))(w, r)
		},
		"escaped in reply": func(w http.ResponseWriter, r *http.Request) {
			body := p.Reply(llm.Reply{Text: "marked", Thinking: "marked", Model: "marked", Stop: "marked"})
			var escaped strings.Builder
			for _, c := range key {
				fmt.Fprintf(&escaped, `\u%04x`, c)
			}
			write(200, nil, []byte(strings.ReplaceAll(string(body), "marked", escaped.String())))(w, r)
		},
		"error": func(w http.ResponseWriter, r *http.Request) {
			write(400, map[string]string{"X-Request-Id": key}, p.Fail(headers(r)+echo))(w, r)
		},
		"plain error": func(w http.ResponseWriter, r *http.Request) { write(500, nil, []byte(headers(r)+echo))(w, r) },
		"error at the cut": func(w http.ResponseWriter, r *http.Request) {
			write(500, nil, []byte(strings.Repeat("a", 290)+" "+echo))(w, r)
		},
		"error at the bound": func(w http.ResponseWriter, r *http.Request) {
			write(500, nil, []byte(strings.Repeat(" ", 64<<10-12)+key+strings.Repeat(" ", 100)))(w, r)
		},
		"error with control characters": func(w http.ResponseWriter, r *http.Request) {
			write(500, nil, []byte(strings.ReplaceAll(key, "plan", "pl\x00an")))(w, r)
		},
		"page":               write(200, nil, []byte("<html><title>"+html.EscapeString(key)+"</title>"+echo)),
		"broken JSON":        write(200, nil, []byte(`{"content": "`+key)),
		"JSON of no reply":   write(200, nil, fmt.Appendf(nil, `{"a": %s}`, quoted)),
		"JSON of other type": write(200, nil, fields(p.Reply(llm.Reply{Text: "I"}), string(quoted))),
		"error as 200":       write(200, nil, fmt.Appendf(nil, `{"error": {"message": %s, "code": %[1]s}}`, quoted)),
		"redirect": write(302, map[string]string{
			"Location": "http://" + url.QueryEscape(key) + ".invalid/" + url.PathEscape(key),
		}, nil),
		"malformed redirect": write(302, map[string]string{"Location": "ht tp://%zz" + key}, nil),
		"malformed status":   closed([]byte("HTTP/1.1 " + key + "\r\n\r\n")),
		"malformed header":   closed([]byte("HTTP/1.1 200 OK\r\n" + key + "\r\n\r\n")),
		"malformed coding":   closed([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + key + "\r\n\r\n")),
		"malformed length":   closed([]byte("HTTP/1.1 200 OK\r\nContent-Length: " + key + "\r\n\r\n")),
	} {
		provider, s := p.open(t, h)
		got, err := provider.Complete(t.Context(), simple())
		if n := len(s.calls()); n == 0 {
			t.Errorf("%s: no call", name)
		}
		if piece := leak(everything(got, got.Warnings, err, provider)); piece != "" {
			t.Errorf("%s: the key shows in …%s…", name, piece)
		}
	}
}

func printed(t *testing.T, p Wire) {
	var request *http.Request
	provider, _ := p.open(t, func(w http.ResponseWriter, r *http.Request) {
		request = r
		write(200, nil, p.Reply(llm.Reply{Text: "I", Stop: "end"}))(w, r)
	})
	must(t, provider, simple())
	if leak(fmt.Sprint(request.Header)) == "" {
		t.Fatal("the request does not carry the key")
	}
	holder := struct {
		Provider llm.Provider
		hidden   llm.Provider
		Key      secret.Secret
	}{provider, provider, secret.New(key)}
	if piece := leak(everything(provider, holder, &holder, []any{holder.Key, &holder.Key, holder.hidden})); piece != "" {
		t.Errorf("the key shows in …%s…", piece)
	}
	func() {
		defer func() {
			if piece := leak(everything(recover())); piece != "" {
				t.Errorf("the key shows in a panic: …%s…", piece)
			}
		}()
		panic(fmt.Sprintf("%+v %#v", provider, holder))
	}()
}
