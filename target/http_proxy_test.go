package target_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

// httpProxy is a forward proxy: it passes requests on, and opens tunnels. It
// wants the user ann, when that is set.
func httpProxy(t *testing.T, password string, calls *atomic.Int64) string {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if user, pass, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth(); password != "" &&
			(user != "ann" || pass != password) {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		if r.Method == http.MethodConnect {
			to, err := net.Dial("tcp", r.Host)
			if err != nil {
				http.Error(w, "no way", http.StatusBadGateway)
				return
			}
			from, rest, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(from, "HTTP/1.1 200 Connection established\r\n\r\n")
			var both sync.WaitGroup
			both.Go(func() { io.Copy(to, rest); to.Close() })
			both.Go(func() { io.Copy(from, to); from.Close() })
			both.Wait()
			return
		}
		if r.URL.Host == "" {
			t.Errorf("%s is no request to a proxy", r.URL)
			return
		}
		out := r.Clone(r.Context())
		out.RequestURI = ""
		out.Header.Del("Proxy-Authorization")
		resp, err := transport.RoundTrip(out)
		if err != nil {
			http.Error(w, "no way", http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	}).URL
}

func TestHTTPProxy(t *testing.T) {
	t.Parallel()
	const password = "proxy-password"
	var calls atomic.Int64
	ca := newHTTPCA(t, "assay test")
	trust := target.TLS{CA: httpFile(t, "ca.pem", ca.pem)}
	plain := httpServe(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"answer": "plain"}`) })
	secure := ca.serve(t, "127.0.0.1", time.Hour, nil)
	open := httpProxy(t, "", &calls)
	closed := httpProxy(t, password, &calls)
	closed = strings.Replace(closed, "http://", "http://ann:"+password+"@", 1)
	for _, test := range []struct {
		name, address, proxy string
		calls                int64
		kind                 target.Kind
		says                 string
	}{
		{"plain", plain.URL, open, 1, "", "plain"},
		{"a tunnel", secure.URL, open, 1, "", "HTTP/2.0"},
		{"with a password", plain.URL, closed, 1, "", "plain"},
		{"a tunnel with a password", secure.URL, closed, 1, "", "HTTP/2.0"},
		{"none", plain.URL, "none", 0, "", "plain"},
		{"the environment's, which leaves this machine out", plain.URL, "", 0, "", "plain"},
		{"the wrong password", plain.URL, strings.Replace(closed, password, "wrong-password", 1), 1, target.Status,
			"status 407 Proxy Authentication Required; put the user and the password of the proxy"},
		{"a tunnel with the wrong password", secure.URL, strings.Replace(closed, password, "wrong-password", 1), 1, target.Refused,
			"Proxy Authentication Required"},
		{"a proxy that is down", plain.URL, nobody, 0, target.Refused, "no proxy listens at 127.0.0.1:1"},
		{"a tunnel through a proxy that is down", secure.URL, nobody, 0, target.Refused, "no proxy listens at 127.0.0.1:1"},
		{"a target that is down", nobody, open, 1, target.Status, "status 502 Bad Gateway: no way"},
	} {
		calls.Store(0)
		resp, err := httpTarget(t, target.HTTPConfig{Endpoint: test.address, Proxy: test.proxy, TLS: trust}).Ask(t.Context(),
			&assay.Case{ID: "1", Question: "?"})
		if calls.Load() != test.calls {
			t.Errorf("%s: %d calls of the proxy, want %d", test.name, calls.Load(), test.calls)
		}
		if test.kind == "" {
			if err != nil || resp.Answer != test.says {
				t.Errorf("%s: %q, %v", test.name, resp.Answer, err)
			}
			continue
		}
		if kind, _ := httpKind(err); kind != test.kind || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "-password") {
			t.Errorf("%s: %v, kind %q\nwant %s", test.name, err, kind, test.says)
		}
	}
}
