package server

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store/storetest"
)

// dial opens a connection to the server.
func (b *bench) dial() net.Conn {
	b.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = c.Close() })
	return c
}

// A body that comes too slowly is given up, and the connection with it; one that
// comes in pieces within its time is taken.
func TestABodyThatComesTooSlowlyIsGivenUp(t *testing.T) {
	b := start(t, func(c *Config) { c.BodyGrace = 50 * time.Millisecond })
	for _, path := range []string{"/api/v1/gate", "/api/v1/documents"} {
		kind := "application/json"
		if path == "/api/v1/documents" {
			kind = "multipart/form-data; boundary=x"
		}
		c := b.dial()
		// Ten of a hundred bytes, and then nothing.
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 100\r\n\r\n{\"run_id\":", path, kind)
		in := bufio.NewReader(c)
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("%s: %v: want a reply", path, err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusRequestTimeout {
			t.Errorf("%s: status %d, want %d", path, res.StatusCode, http.StatusRequestTimeout)
		}
		if _, err := in.ReadByte(); err == nil {
			t.Errorf("%s: the connection goes on", path)
		}
	}
	// What needs no body waits for none that was promised.
	for _, path := range []string{"/api/v1/metrics", "/docs", "/nowhere"} {
		c := b.dial()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n", path)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%s: %v: want a reply", path, err)
		}
		res.Body.Close()
	}
	c := b.dial()
	body := `{"run_id":"none","rules":["hit@1 >= 0"]}`
	fmt.Fprintf(
		c, "POST /api/v1/gate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body),
		body[:10],
	)
	fmt.Fprint(c, body[10:])
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, want %d", res.StatusCode, http.StatusNotFound)
	}
}

// A logWait tells when something was logged.
type logWait struct {
	text string
	once sync.Once
	seen chan struct{}
}

func (l *logWait) Write(p []byte) (int, error) {
	if strings.Contains(string(p), l.text) {
		l.once.Do(func() { close(l.seen) })
	}
	return len(p), nil
}

// A client that takes nothing of its stream is dropped, and holds up nobody.
func TestAClientThatTakesNothingIsDropped(t *testing.T) {
	ended := &logWait{text: `"/api/v1/runs/{run_id}/events"`, seen: make(chan struct{})}
	b := start(t, func(c *Config) {
		c.WriteWait = 50 * time.Millisecond
		c.Log = slog.New(slog.NewJSONHandler(ended, nil))
	})
	h := storetest.Header(1)
	h.State = stateFinished
	if err := b.store.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	// More than fits into what lies between the two.
	const cases = 5000
	records := make([]assay.Record, cases)
	for i := range records {
		records[i] = assay.Record{
			Seq: i, Case: assay.Case{ID: fmt.Sprintf("%d-%s", i, strings.Repeat("x", 3000))}, Attempts: 1, Started: epoch,
			Scores: map[string]assay.Score{},
		}
	}
	if err := b.store.Put(t.Context(), h.ID, records...); err != nil {
		t.Fatal(err)
	}
	c := b.dial()
	fmt.Fprintf(c, "GET /api/v1/runs/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n", h.ID)
	// It reads nothing: the server gives up.
	<-ended.seen
	// Another one gets all of it.
	var n int
	for _, e := range b.follow(h.ID, "", "done") {
		if e.name == "case" {
			n++
		}
	}
	if n != cases {
		t.Errorf("%d cases, want %d", n, cases)
	}
	// What the first one finds at last is not the whole.
	in := bufio.NewScanner(c)
	in.Buffer(nil, 1<<20)
	n = 0
	for in.Scan() {
		if strings.HasPrefix(in.Text(), "event: done") {
			t.Error("the stream of the client that took nothing was sent to its end")
		}
		if strings.HasPrefix(in.Text(), "event: case") {
			n++
		}
	}
	if n >= cases {
		t.Errorf("%d cases, want less than %d", n, cases)
	}
}
