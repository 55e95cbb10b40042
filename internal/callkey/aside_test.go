package callkey_test

import (
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/callkey"
)

// A replaced call has a key of its own, which is that of its text. Every payment has another, and
// the same payment the same.
func TestAside(t *testing.T) {
	t.Parallel()
	first := assay.Call{Key: "k", Run: "a", Request: []byte(`{"b":1.50,"a":[12345678901234567890]}`), Reply: []byte("{}"),
		Made: time.Date(2026, 11, 27, 9, 0, 0, 5, time.FixedZone("", 3600)), Usage: assay.Usage{Cost: 7}}
	aside, err := callkey.Aside(first)
	if err != nil {
		t.Fatal(err)
	}
	// The fields are sorted, and the numbers are those of the request.
	const want = `{"a":[12345678901234567890],"b":1.5,"replaced":{"made":"2026-11-27T08:00:00.000000005Z","run":"a"}}`
	if string(aside.Request) != want || aside.Key != callkey.Of([]byte(want)) || aside.Run != "a" || aside.Usage.Cost != 7 {
		t.Errorf("got %+v with the request %s, want %s", aside, aside.Request, want)
	}
	if string(first.Request) != `{"b":1.50,"a":[12345678901234567890]}` {
		t.Errorf("the request of the call itself became %s", first.Request)
	}
	for name, change := range map[string]func(*assay.Call){
		"run": func(c *assay.Call) { c.Run = "b" }, "time": func(c *assay.Call) { c.Made = c.Made.Add(1) },
	} {
		other := first
		change(&other)
		if got, err := callkey.Aside(other); err != nil || got.Key == aside.Key {
			t.Errorf("another %s: %v, key %s: want a key of its own", name, err, got.Key)
		}
	}
	for request, want := range map[string]string{
		`[1]`: `{"replaced":{"made":"0001-01-01T00:00:00Z","run":""},"request":"[1]"}`,
		``:    `{"replaced":{"made":"0001-01-01T00:00:00Z","run":""},"request":""}`,
	} {
		if got, err := callkey.Aside(assay.Call{Request: []byte(request)}); err != nil || string(got.Request) != want {
			t.Errorf("request %q: %v, %s: want %s", request, err, got.Request, want)
		}
	}
}

func TestSamePayment(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	c := assay.Call{Key: "k", Run: "a", Made: made, Latency: 1, Usage: assay.Usage{Cost: 7}, Reply: []byte("{}")}
	marked := c
	marked.Reply, marked.Made = []byte(`{"unusable":"no JSON"}`), made.In(time.FixedZone("", 3600))
	if !callkey.SamePayment(c, marked) {
		t.Error("a reply that was marked: want the same payment")
	}
	for name, change := range map[string]func(*assay.Call){
		"run": func(c *assay.Call) { c.Run = "b" }, "time": func(c *assay.Call) { c.Made = made.Add(1) },
		"latency": func(c *assay.Call) { c.Latency = 2 }, "cost": func(c *assay.Call) { c.Usage.Cost = 8 },
	} {
		other := c
		change(&other)
		if callkey.SamePayment(c, other) {
			t.Errorf("another %s: want another payment", name)
		}
	}
}
