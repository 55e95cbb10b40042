package servertest_test

import (
	"net"
	"strconv"
	"testing"

	"github.com/assay-eval/assay/internal/servertest"
)

// TestFreePort: a port that was found can be opened, and is not found again while it is open.
func TestFreePort(t *testing.T) {
	open := map[string]bool{}
	for range 500 {
		port, err := servertest.FreePort()
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
