package server

import (
	"net"
	"testing"
)

// TestListener lets one address have two connections and closes the third; when one of
// the two ends, another may come.
func TestListener(t *testing.T) {
	t.Parallel()
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln := Listener(inner, 2)
	t.Cleanup(func() { _ = ln.Close() })
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	dial()
	first := <-accepted
	dial()
	second := <-accepted
	defer second.Close()
	if _, err := dial().Read(make([]byte, 1)); err == nil {
		t.Error("a third connection is open")
	}
	_ = first.Close()
	_ = first.Close() // counts once
	dial()
	(<-accepted).Close()
	if Listener(inner, 0) != inner {
		t.Error("0 is a limit")
	}
}
