package oserror_test

import (
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/oserror"
)

// TestSockets gets each error from the system itself.
func TestSockets(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := ln.Addr().String()
	if _, err := net.Listen("tcp", address); !oserror.AddressInUse(err) {
		t.Errorf("the address is in use: %v", err)
	}
	from, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	// Without lingering, a connection that is closed is reset.
	if err := to.(*net.TCPConn).SetLinger(0); err != nil {
		t.Fatal(err)
	}
	to.Close()
	from.SetDeadline(time.Now().Add(time.Minute))
	if _, err := from.Read(make([]byte, 1)); !oserror.Reset(fmt.Errorf("reading: %w", err)) {
		t.Errorf("the connection is reset: %v", err)
	}
	ln.Close()
	if _, err := net.Dial("tcp", address); !oserror.Refused(err) || oserror.Reset(err) || oserror.TooManyFiles(err) {
		t.Errorf("the connection is refused: %v", err)
	}
}

func TestPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	if _, err := w.WriteString("x"); !oserror.BrokenPipe(err) || oserror.Refused(err) {
		t.Errorf("the pipe has no reader: %v", err)
	}
	if oserror.BrokenPipe(nil) {
		t.Error("no error is none")
	}
}
