package servertest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports of servers that open theirs themselves, or open it again, are drawn from firstPort up to, but not including, lastPort. Systems hand out higher ones (Linux
// from 32768, macOS and Windows from 49152) to each connection and to each listener that names no
// port, so one of those may be in use by the time the server opens it.
const firstPort, lastPort = 20000, 32000

// FreePort returns a TCP port of 127.0.0.1 that nothing listens on, as a decimal number.
func FreePort() (string, error) {
	var err error
	for range 100 {
		port := strconv.Itoa(firstPort + rand.IntN(lastPort-firstPort))
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			return port, l.Close()
		}
	}
	return "", fmt.Errorf("no free port among 100 from %d to %d: %w", firstPort, lastPort-1, err)
}
