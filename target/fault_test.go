package target_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/target"
)

// nobody is an address where nothing listens. The address of a server that was closed
// would not do: another test may get its port.
const nobody = "http://127.0.0.1:1"

// httpWire serves one call a connection by hand, with what no HTTP library would
// send. reply gets the connection after the request was read.
func httpWire(t testing.TB, reply func(conn net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	// A call that was given up may leave a handshake that still waits.
	over := make(chan struct{})
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			ended := make(chan struct{})
			serving.Go(func() {
				select {
				case <-over:
				case <-ended:
				}
				conn.Close()
			})
			serving.Go(func() {
				defer close(ended)
				req, err := http.ReadRequest(bufio.NewReader(conn))
				if err == nil {
					io.Copy(io.Discard, req.Body)
				}
				reply(conn)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		close(over)
		serving.Wait()
	})
	return "http://" + l.Addr().String()
}

// untilClosed waits until the other side has closed the connection.
func untilClosed(conn net.Conn) { io.Copy(io.Discard, conn) }

// faultRun asks one case through the engine. Waits are not waited for, but
// listed.
func faultRun(t *testing.T, c target.HTTPConfig, timeout time.Duration) (assay.Record, []time.Duration) {
	t.Helper()
	var waits []time.Duration
	cfg := run.Defaults()
	cfg.Cases = assay.CasesOf(assay.Case{ID: "1", Question: "?"})
	cfg.Target, cfg.Timeout, cfg.Breaker = httpTarget(t, c), timeout, 0
	cfg.Now = func() time.Time { return faultNow }
	cfg.Sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d.Round(time.Millisecond))
		return nil
	}
	for rec, err := range run.Run(t.Context(), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		return rec, waits
	}
	t.Fatal("no record")
	return assay.Record{}, nil
}

var faultNow = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// onCall counts the calls of a handler, from 1.
func onCall(f func(w http.ResponseWriter, r *http.Request, call int64)) http.HandlerFunc {
	var calls atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		f(w, r, calls.Add(1))
	}
}

// Each fault and what becomes of it: the kind of failure, the attempts that the
// engine makes and what a person reads; or an answer in the end.
func TestFaults(t *testing.T) {
	t.Parallel()
	const short, long = 80 * time.Millisecond, 30 * time.Second
	fine := func(w http.ResponseWriter) { io.WriteString(w, httpAnswer) }
	elsewhere := httpServe(t, func(w http.ResponseWriter, r *http.Request) { t.Error("another server was called") })
	for _, test := range []struct {
		name    string
		serve   http.HandlerFunc
		wire    func(conn net.Conn)
		address string
		timeout time.Duration

		kind     string // "" when there is an answer in the end
		attempts int
		says     string
		// least are the waits that the target asked for, if it did.
		least []time.Duration
	}{
		{name: "slow, but in time", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			for i := range len(httpAnswer) {
				io.WriteString(w, httpAnswer[i:i+1])
				w.(http.Flusher).Flush()
			}
		}), attempts: 1},
		{name: "hanging", timeout: short, serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) { <-r.Context().Done() }),
			kind: "timeout", attempts: 4, says: "no response within 80ms"},
		{name: "hanging once", timeout: 700 * time.Millisecond, serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call == 1 {
				<-r.Context().Done()
			}
			fine(w)
		}), attempts: 2},
		{name: "slow-loris: a body that never ends", timeout: short, serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			io.WriteString(w, `{"answer": "`)
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(5 * time.Millisecond):
				}
			}
		}), kind: "timeout", attempts: 4, says: "no response within 80ms"},
		{name: "headers that never end", timeout: short, wire: func(conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-A: ")
			untilClosed(conn)
		}, kind: "timeout", attempts: 4, says: "no response within 80ms"},
		{name: "closed without a word", wire: func(net.Conn) {}, kind: "crash", attempts: 4, says: "the connection broke: the target"},
		{name: "closed without a word, once", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call == 1 {
				panic(http.ErrAbortHandler)
			}
			fine(w)
		}), attempts: 2},
		{name: "half-closed: the body is shorter than announced", wire: func(conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"answer\": \"Pa")
			conn.(*net.TCPConn).CloseWrite()
			untilClosed(conn)
		}, kind: "crash", attempts: 4, says: "the connection broke: the target closed it in the middle of the reply"},
		{name: "cut in the middle of a chunked transfer", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			io.WriteString(w, `{"answer": "Pa`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}), kind: "crash", attempts: 4, says: "in the middle of the reply"},
		{name: "reset in the middle", wire: func(conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
			conn.(*net.TCPConn).SetLinger(0) // a reset instead of an end
		}, kind: "crash", attempts: 4, says: "the connection broke: the target"},
		{name: "5xx, then fine", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call <= 2 {
				http.Error(w, "warming up", http.StatusServiceUnavailable)
				return
			}
			fine(w)
		}), attempts: 3},
		{name: "5xx for good", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Error(w, `{"detail": "no GPU"}`, http.StatusInternalServerError)
		}), kind: "status", attempts: 4, says: "status 500 Internal Server Error: no GPU"},
		{name: "429 with seconds, then fine", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call == 1 {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fine(w)
		}), attempts: 2, least: []time.Duration{7 * time.Second}},
		{name: "429 with a date, then fine", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call == 1 {
				w.Header().Set("Retry-After", faultNow.Add(90*time.Second).Format(http.TimeFormat))
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fine(w)
		}), attempts: 2, least: []time.Duration{90 * time.Second}},
		{name: "429 for an hour", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.Header().Set("Retry-After", "3600")
			http.Error(w, `{"error": {"message": "quota"}}`, http.StatusTooManyRequests)
		}), kind: "status", attempts: 1, says: "status 429 Too Many Requests: quota (not retried: the target requests a wait of 1h0m0s"},
		{name: "404", serve: http.NotFound, kind: "status", attempts: 1, says: "status 404 Not Found: 404 page not found; the call was POST " +
			"http://"},
		{name: "401", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Error(w, `{"message": "who are you?"}`, http.StatusUnauthorized)
		}), kind: "status", attempts: 1, says: "status 401 Unauthorized: who are you?; no Authorization header was sent"},
		{name: "422 of a validator", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Error(w, `{"detail": [{"loc": ["body", "query"], "msg": "Field required", "type": "missing"}]}`, http.StatusUnprocessableEntity)
		}), kind: "status", attempts: 1, says: `status 422 Unprocessable Entity: body.query: Field required; the body had only "question"; choose another ` +
			`with --send '{"query":"{{question}}"}'`},
		{name: "400 without a field", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Error(w, `{"error": "bad request"}`, http.StatusBadRequest)
		}), kind: "status", attempts: 1, says: `status 400 Bad Request: bad request; the body had only "question"; choose another ` +
			`with --send '{"FIELD":"{{question}}"}'`},
		{name: "a web page as an error", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Error(w, "<!-- x --><!DOCTYPE html><html><head><title>Bad\n Gateway &amp; more</title>", http.StatusBadGateway)
		}), kind: "status", attempts: 4, says: `status 502 Bad Gateway: a web page, "Bad Gateway & more"`},
		{name: "a web page as the reply", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			io.WriteString(w, " <!doctype HTML>\n<title>Sign in</title>")
		}), kind: "reply", attempts: 1, says: `the reply is a web page, "Sign in", not JSON: is http://`},
		{name: "a part of a web page", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<div>The service starts</div>")
		}), kind: "reply", attempts: 1, says: "the reply is a web page, not JSON: is http://"},
		{name: "no content", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) { w.WriteHeader(http.StatusNoContent) }),
			kind: "reply", attempts: 4, says: "the reply is empty (status 204 No Content)"},
		{name: "white space only", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) { io.WriteString(w, " \n ") }),
			kind: "reply", attempts: 4, says: "the reply is empty (status 200 OK)"},
		{name: "JSON that breaks off", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			io.WriteString(w, `{"answer": "Par`)
		}),
			kind: "reply", attempts: 4, says: "the reply cannot be read: "},
		{name: "JSON that breaks off once", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call == 1 {
				io.WriteString(w, `{"answer": "Par`)
				return
			}
			fine(w)
		}), attempts: 2},
		{name: "wrong shape", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			io.WriteString(w, `{"outcome": {"words": {"deep": "Paris is the capital of France."}}, "n": 3}`)
		}), kind: "reply", attempts: 1, says: "expected read.answer or read.passages with a path, such as "},
		{name: "the target says that it failed", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			io.WriteString(w, `{"error": "no index"}`)
		}), kind: "error", attempts: 4, says: "the target reports: no index"},
		{name: "redirect loop", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		}), kind: "status", attempts: 1, says: "/again after 5 others; use the address that answers itself"},
		{name: "redirect to itself and back, with the question", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call < 6 {
				http.Redirect(w, r, "/"+strings.Repeat("x", int(call)), http.StatusPermanentRedirect)
				return
			}
			fine(w)
		}), attempts: 1},
		{name: "one redirect too many", serve: onCall(func(w http.ResponseWriter, r *http.Request, call int64) {
			if call < 7 {
				http.Redirect(w, r, "/"+strings.Repeat("x", int(call)), http.StatusPermanentRedirect)
				return
			}
			fine(w)
		}), kind: "status", attempts: 1, says: "/xxxxxx after 5 others"},
		{name: "redirect to another server", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Redirect(w, r, elsewhere.URL+"/q", http.StatusTemporaryRedirect)
		}), kind: "status", attempts: 1, says: "status 307 Temporary Redirect: redirects to " + elsewhere.URL +
			"/q, another server, and is not followed"},
		{name: "redirect that drops the question", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Redirect(w, r, "/q/", http.StatusMovedPermanently)
		}), kind: "status", attempts: 1, says: "/q/, which would drop the question; use that address as the endpoint"},
		{name: "redirect to a result", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			if r.Method == "POST" {
				http.Redirect(w, r, "/result", http.StatusSeeOther)
				return
			}
			fine(w)
		}), attempts: 1},
		{name: "redirect without a place", serve: onCall(func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.WriteHeader(http.StatusFound)
		}),
			kind: "status", attempts: 1, says: "302"},
		{name: "header flood", wire: func(conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			line := "X-Flood: " + strings.Repeat("x", 1000) + "\r\n"
			for {
				if _, err := io.WriteString(conn, line); err != nil {
					return
				}
			}
		}, kind: "reply", attempts: 1, says: "the headers of the reply are longer than 1 MiB"},
		{name: "no HTTP", wire: func(conn net.Conn) { io.WriteString(conn, "SSH-2.0-OpenSSH_9.9\r\n") },
			kind: "reply", attempts: 1, says: "does not speak HTTP"},
		{name: "nobody listens", address: nobody, kind: "refused", attempts: 4,
			says: "nothing listens at 127.0.0.1:1 (connection refused)"},
		{name: "a name that is not known", address: "http://nowhere.invalid/q", kind: "refused", attempts: 4,
			says: "unknown host \"nowhere.invalid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address := test.address
			switch {
			case test.serve != nil:
				address = httpServe(t, test.serve).URL
			case test.wire != nil:
				address = httpWire(t, test.wire)
			}
			if test.timeout == 0 {
				test.timeout = long
			}
			rec, waits := faultRun(t, target.HTTPConfig{Endpoint: address, Now: func() time.Time { return faultNow }, Proxy: "none"}, test.timeout)
			if rec.Attempts != test.attempts || len(waits) != test.attempts-1 {
				t.Errorf("%d attempts, waits %v: want %d attempts", rec.Attempts, waits, test.attempts)
			}
			for i, least := range test.least {
				if waits[i] < least || waits[i] > 2*least {
					t.Errorf("waits %v: want at least %v", waits, test.least)
				}
			}
			switch {
			case test.kind == "" && (rec.Response == nil || rec.Response.Answer != "Paris."):
				t.Errorf("failure %+v, response %+v: want an answer", rec.Failure, rec.Response)
			case test.kind == "":
			case rec.Failure == nil:
				t.Errorf("answered %q: want a failure of kind %q", rec.Response.Answer, test.kind)
			case rec.Failure.Kind != test.kind || !strings.Contains(rec.Failure.Message, test.says):
				t.Errorf("kind %q, %q\nwant %q, %q", rec.Failure.Kind, rec.Failure.Message, test.kind, test.says)
			}
		})
	}
}

// A target that is plainly down ends the run after five cases.
func TestFaultBreaker(t *testing.T) {
	t.Parallel()
	cfg := run.Defaults()
	for i := range 100 {
		cfg.Cases.Add(&assay.Case{ID: fmt.Sprint(i), Question: "?"})
	}
	cfg.Target, cfg.Now = httpTarget(t, target.HTTPConfig{Endpoint: nobody}), func() time.Time { return faultNow }
	cfg.Sleep = func(context.Context, time.Duration) error { return nil }
	var last error
	for _, err := range run.Run(t.Context(), cfg) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "target unreachable: the first 5 cases all failed, the last with: nothing listens at") {
		t.Errorf("error %v", last)
	}
}

// The engine's context ends while there is no connection yet: the target was
// never reached. The server accepts and never speaks, which TLS needs.
func TestFaultNoConnectionInTime(t *testing.T) {
	t.Parallel()
	address := httpWire(t, untilClosed)
	rec, _ := faultRun(t, target.HTTPConfig{Endpoint: strings.Replace(address, "http://", "https://", 1)}, 80*time.Millisecond)
	if rec.Failure == nil || rec.Failure.Kind != "refused" || !strings.Contains(rec.Failure.Message, "no connection to 127.0.0.1:") {
		t.Errorf("%+v", rec.Failure)
	}
}

// memory calls f and returns the most heap that was in use meanwhile, and the
// most memory that the process held from the system, in MiB.
func memory(t *testing.T, f func()) (heap, system uint64) {
	t.Helper()
	debug.FreeOSMemory() // what other tests needed
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			runtime.ReadMemStats(&m)
			heap, system = max(heap, m.HeapAlloc), max(system, m.Sys-m.HeapReleased)
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(stop)
	<-done
	return heap >> 20, system >> 20
}

// Replies that are far too long end at the bound, whatever they are made of; the
// connection is closed, and the memory stays small.
func TestFaultLongReplies(t *testing.T) {
	const reply = 100 << 20
	zeros := bytes.Repeat([]byte("0"), 1<<20)
	pack := func(text []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(text)
		z.Close()
		return b.Bytes()
	}
	// 100 MiB in 100 KiB: packed pieces make a packed whole.
	bomb := append(pack([]byte(`{"answer": "`)), bytes.Repeat(pack(zeros), 100)...)
	chunk := []byte(strings.Repeat(`{"text": "a passage", "score": 0.5}, `, 1000))
	// flood writes the chunk until the reply is complete or the other side is gone.
	flood := func(w io.Writer, chunk []byte, written *atomic.Int64) {
		for written.Load() < reply {
			n, err := w.Write(chunk)
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
	for _, test := range []struct {
		name, contentType, begin string
		chunk                    []byte
		announced, packed        bool
	}{
		{name: "one long text in JSON", contentType: "application/json", begin: `{"answer": "`, chunk: zeros},
		{name: "a long list in JSON", contentType: "application/json", begin: `{"answer": "a", "contexts": [`, chunk: chunk},
		{name: "announced", contentType: "application/json", begin: `{"answer": "`, chunk: zeros, announced: true},
		{name: "plain text", contentType: "text/plain", chunk: zeros},
		{name: "events", contentType: "text/event-stream", chunk: bytes.Repeat([]byte("data: {\"answer\": \""+strings.Repeat("word ", 1000)+
			"\"}\n\n"), 100)},
		{name: "one long event", contentType: "text/event-stream", begin: "data: ", chunk: zeros},
		{name: "lines", contentType: "application/x-ndjson", chunk: bytes.Repeat([]byte("{\"answer\": \""+strings.Repeat("word ", 1000)+"\"}\n"),
			100)},
		{name: "gzip bomb", contentType: "application/json", packed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var written atomic.Int64
			ended := make(chan struct{}, 10)
			server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", test.contentType)
				switch {
				case test.packed:
					w.Header().Set("Content-Encoding", "gzip")
					w.Write(bomb)
				default:
					if test.announced {
						w.Header().Set("Content-Length", fmt.Sprint(reply))
					}
					io.WriteString(w, test.begin)
					flood(w, test.chunk, &written)
				}
				ended <- struct{}{}
			})
			h := httpTarget(t, target.HTTPConfig{Endpoint: server.URL})
			var err error
			heap, system := memory(t, func() { _, err = h.Ask(t.Context(), &assay.Case{ID: "1", Question: "?"}) })
			t.Logf("heap at most %d MiB, from the system %d MiB", heap, system)
			if kind, again := httpKind(err); kind != target.Reply || again || !strings.Contains(err.Error(), "longer than 16 MiB") {
				t.Errorf("%v of kind %q, again %v", err, kind, again)
			}
			if system >= 200 {
				t.Errorf("%d MiB of memory: want less than 200", system)
			}
			<-ended
			most := int64(reply / 2)
			if test.announced {
				most = 16 << 20 // it is not even begun to be read
			}
			if n := written.Load(); n > most {
				t.Errorf("the server wrote %d bytes: want a connection that was closed before", n)
			}
		})
	}
}

// Secrets that a target sends back are in no message.
func TestFaultSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-abcdefgh12345678"
	for name, serve := range map[string]http.HandlerFunc{
		"a status": func(w http.ResponseWriter, r *http.Request) { http.Error(w, "bad "+r.Header.Get("Authorization"), 400) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://h.invalid/?k="+key, http.StatusTemporaryRedirect)
		},
		"a page": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "<html><title>%s</title>", r.Header.Get("Authorization"))
		},
		"no JSON":   func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{%q`, key) },
		"a failure": func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"error": %q}`, "no "+key) },
		"a shape": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{%q: {"x": "a text of some words"}}`, key)
		},
		"an end": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
	} {
		server := httptest.NewServer(serve)
		h := httpTarget(t, target.HTTPConfig{Endpoint: server.URL + "/" + key, Header: http.Header{"Authorization": {"Bearer " + key}},
			Values: nil})
		ctx, exchange := target.Watch(t.Context())
		_, err := h.Ask(ctx, &assay.Case{ID: "1", Question: "?"})
		if err := (secret.Set{secret.New(key)}).Hide(exchange); err != nil {
			t.Fatal(err)
		}
		shown := fmt.Sprintf("%v %+v", err, *exchange)
		if err == nil || strings.Contains(shown, key) || exchange.Sent == "" {
			t.Errorf("%s: %s", name, shown)
		}
		h.Close()
		server.Close()
	}
}

// Connections are used again, after errors and after streams whose last event
// is not the end of the reply; a stream that stays open is not waited for.
func TestFaultConnectionsAreKept(t *testing.T) {
	t.Parallel()
	const stream = "data: {\"answer\": \"Paris.\"}\n\ndata: [DONE]\n\n"
	for _, test := range []struct {
		name        string
		serve       func(w http.ResponseWriter, r *http.Request, call int64)
		connections int64
	}{
		{"replies and errors", func(w http.ResponseWriter, r *http.Request, call int64) {
			if call%3 == 0 {
				http.Error(w, strings.Repeat("no ", 5000), http.StatusBadRequest)
				return
			}
			io.WriteString(w, httpAnswer)
		}, 1},
		{"streams", func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, stream)
			w.(http.Flusher).Flush()
		}, 1},
		{"streams that stay open", func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			io.WriteString(w, stream)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var connections atomic.Int64
			server := httptest.NewUnstartedServer(onCall(test.serve))
			server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
				if s == http.StateNew {
					connections.Add(1)
				}
			}
			server.Start()
			t.Cleanup(server.Close)
			h := httpTarget(t, target.HTTPConfig{Endpoint: server.URL})
			for range 10 {
				if resp, err := h.Ask(t.Context(), &assay.Case{ID: "1", Question: "?"}); err == nil && resp.Answer != "Paris." {
					t.Errorf("answer %q", resp.Answer)
				} else if kind, _ := httpKind(err); err != nil && kind != target.Status {
					t.Error(err)
				}
			}
			if n := connections.Load(); n != test.connections {
				t.Errorf("%d connections for ten questions, one after the other: want %d", n, test.connections)
			}
		})
	}
}
