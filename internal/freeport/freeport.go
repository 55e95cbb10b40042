// Package freeport finds a port for a server that opens its port itself, or opens it again.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are drawn from first up to, but not including, last. Systems hand out higher ones (Linux
// from 32768, macOS and Windows from 49152) to each connection and to each listener that names no
// port, so one of those may be in use by the time the server opens it.
const first, last = 20000, 32000

// Find returns a TCP port of 127.0.0.1 that nothing listens on, as a decimal number.
func Find() (string, error) {
	var err error
	for range 100 {
		port := strconv.Itoa(first + rand.IntN(last-first)) //nolint:forbidigo // programs that look at once must not draw alike
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil { //nolint:noctx // it does not wait
			return port, l.Close()
		}
	}
	return "", fmt.Errorf("no free port among 100 from %d to %d: %w", first, last-1, err)
}
