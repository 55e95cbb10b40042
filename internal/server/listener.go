package server

import (
	"net"
)

// Listener returns a listener that accepts at most most connections at a time from one
// address and closes further ones at once, so that a client that opens many and reads
// nothing cannot use up what serves the others. Below 1 means no limit.
func Listener(ln net.Listener, most int) net.Listener {
	if most < 1 {
		return ln
	}
	return &perClient{ln, newShare(most, "connections")}
}

type perClient struct {
	net.Listener
	open *share
}

// Accept waits for a connection of a client that is below its limit.
func (l *perClient) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(c.RemoteAddr().String())
		if err != nil {
			host = c.RemoteAddr().String()
		}
		if leave := l.open.enter(host); leave != nil {
			return &connection{c, leave}, nil
		}
		// The client sees a closed connection, as from a full machine.
		_ = c.Close()
	}
}

// A connection counts until it is closed.
type connection struct {
	net.Conn
	leave func()
}

// Close closes the connection, which then counts no more.
func (c *connection) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
