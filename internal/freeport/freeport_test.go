package freeport_test

import (
	"net"
	"strconv"
	"testing"

	"github.com/assay-eval/assay/internal/freeport"
)

// TestFind: a port that was found can be opened, and is not found again while it is open.
func TestFind(t *testing.T) {
	open := map[string]bool{}
	for range 500 {
		port, err := freeport.Find()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := strconv.Atoi(port); err != nil || open[port] || n < 20000 || n > 31999 {
			t.Fatalf("port %s is open already, or one that systems hand out", port)
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		open[port] = true
	}
}
