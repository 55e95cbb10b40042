package upload_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/upload"
)

// scripted answers calls with one value after the other.
type scripted struct {
	upload.Sink
	replies []any
	calls   []string
}

func (s *scripted) Do(_ context.Context, c upload.Call) (any, error) {
	s.calls = append(s.calls, c.String())
	r := s.replies[min(len(s.calls), len(s.replies))-1]
	if err, ok := r.(error); ok {
		return nil, err
	}
	return r, nil
}

func TestWait(t *testing.T) {
	t.Parallel()
	status := func(name string, n any) any { return map[string]any{"state": name, "n": n} }
	s := &scripted{replies: []any{
		target.Errorf(target.Refused, "dial tcp: key-key-key"), status("syncing", 0.0), map[string]any{}, status("idle", 4.0),
		status("idle", []any{1.0}), status("idle", "5"),
	}}
	p, err := upload.ParseProbe("tool:status state=idle n>={{documents}}", upload.KindMCP, 5)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	var waits []time.Duration
	var said []string
	w := upload.Waiting{
		Timeout: time.Minute, Now: func() time.Time { return now }, Secrets: secret.Set{secret.New("key-key-key")},
		Sleep:    func(_ context.Context, d time.Duration) error { now = now.Add(d); waits = append(waits, d); return nil },
		Progress: func(state string, _ time.Duration) { said = append(said, state) },
	}
	state, err := p.Wait(context.Background(), s, w)
	if err != nil || state != "state idle, n 5" {
		t.Errorf("%q, %v", state, err)
	}
	if d := cmp.Diff([]string{"dial tcp: [secret]", "state syncing, n 0", "state nothing, n nothing", "state idle, n 4", "state idle, n [1]"},
		said); d != "" {
		t.Errorf("states (-want +got):\n%s", d)
	}
	if got := fmt.Sprint(waits); got != "[1s 1.5s 2.25s 3.375s 5.0625s]" {
		t.Errorf("waits %s", got)
	}
	// The end of the time.
	s.replies, now, waits = []any{status("syncing", 3.0)}, time.Unix(0, 0), nil
	_, err = p.Wait(context.Background(), s, w)
	var late *upload.LateError
	if !errors.As(err, &late) || err.Error() != "tool:status state=idle n>=5 is not true after 1m0s: state syncing, n 3" {
		t.Errorf("error %v", err)
	}
	var sum, longest time.Duration
	for _, d := range waits {
		sum, longest = sum+d, max(longest, d)
	}
	if sum != time.Minute || longest > 15*time.Second {
		t.Errorf("waits %v", waits)
	}
	// What fails for good ends at once.
	s.replies, s.calls = []any{&upload.FatalError{Err: errors.New("status 404")}}, nil
	if _, err := p.Wait(context.Background(), s, w); err == nil || errors.As(err, &late) || len(s.calls) != 1 {
		t.Errorf("error %v after %d calls", err, len(s.calls))
	}
	s.replies, s.calls = []any{map[string]any{"state": "failed", "error": "disk full: key-key-key"}}, nil
	if _, err := p.Wait(context.Background(), s, w); err == nil || err.Error() != "tool:status: the system says that it failed: disk full: [secret]" {
		t.Errorf("error %v after %d calls", err, len(s.calls))
	}
}

func TestWaitHTTP(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	p, err := upload.ParseProbe("/status?x=1 state.name=ready indexed>2 parts[0]!=2", upload.KindHTTP, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := upload.Waiting{Call: time.Minute, Now: time.Now, Sleep: func(context.Context, time.Duration) error { return nil }}
	state, err := p.Wait(context.Background(), sinkTo(t, upload.HTTPConfig{Endpoint: e.URL + "/docs"}), w)
	if err != nil || state != "state.name ready, indexed 3, parts[0] 1" || len(e.calls) != 4 || e.calls[0] != "GET /status?x=1 " {
		t.Errorf("%q, %v after %q", state, err, e.calls)
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	v := map[string]any{"n": 10.0, "s": "idle", "t": true, "x": "9"}
	for cond, holds := range map[string]bool{
		"n=10": true, "n=10.0": true, "n!=10": false, "n>9": true, "n>10": false, "n>=10": true, "n<=10": true, "n<10": false, "n<10.5": true,
		"s=idle": true, "s!=idle": false, "s=": false, "s>1": false, "t=true": true, "t=false": false, "x<10": true, "none=": false,
		"none!=1": false,
	} {
		p, err := upload.ParseProbe("/s "+cond, upload.KindHTTP, 0)
		if err != nil {
			t.Errorf("%s: %v", cond, err)
			continue
		}
		w := upload.Waiting{Timeout: 1, Now: func() func() time.Time { n := int64(0); return func() time.Time { n++; return time.Unix(n, 0) } }()}
		_, err = p.Wait(context.Background(), &scripted{replies: []any{v}}, w)
		if (err == nil) != holds {
			t.Errorf("%s: %v, want %v", cond, err, holds)
		}
	}
}

func TestParseCalls(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"POST http://h/x": "POST http://h/x", "/x": "POST /x", "PUT https://h": "PUT https://h", " DELETE  /x ": "DELETE /x",
		"LIST /x": "", "POST x": "", "sync": "", "": "", "POST /x y": "", "tool:": "",
	} {
		c, err := upload.ParseTrigger(in, upload.KindHTTP)
		if got := c.String(); err == nil && got != want || err != nil && want != "" {
			t.Errorf("%q: %s, %v: want %s", in, got, err, want)
		}
	}
	for in, want := range map[string]string{"sync": "tool:sync", "tool:sync": "tool:sync", "POST /x": "POST /x", "tool:": "", "a b": ""} {
		c, err := upload.ParseTrigger(in, upload.KindMCP)
		if got := c.String(); err == nil && got != want || err != nil && want != "" {
			t.Errorf("%q for mcp: %s, %v: want %s", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"/status":       "and then a condition",
		"status a=b":    "expected an address, or tool:NAME for an MCP server, first",
		"tool:x a=b":    "http has no tools",
		"/status a":     `condition "a": expected PATH=VALUE, or another of >= <= != = > <`,
		"/status =b":    `condition "=b": expected PATH=VALUE`,
		"/status a>b":   `expected a number after ">"`,
		"/status a[=b":  `condition "a[=b": `,
		"/status a=b c": `condition "c"`,
	} {
		if _, err := upload.ParseProbe(in, upload.KindHTTP, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v: want %s", in, err, want)
		}
	}
}

func FuzzParseProbe(f *testing.F) {
	f.Add("/status a=b c>=3")
	f.Add("tool:x a.b[0]!={{documents}}")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := upload.ParseProbe(s, upload.KindMCP, 3)
		if err != nil {
			return
		}
		w := upload.Waiting{Timeout: 1, Now: func() func() time.Time { n := int64(0); return func() time.Time { n++; return time.Unix(n, 0) } }()}
		if _, err := p.Wait(context.Background(), &scripted{replies: []any{map[string]any{"a": 1.0}}}, w); err != nil &&
			!strings.Contains(err.Error(), "is not true") {
			t.Errorf("%q: %v", s, err)
		}
	})
}
