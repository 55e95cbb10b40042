package server

import (
	"net"
	"sync"
)

// Listener returns a listener that accepts at most most connections at a time from one
// address and closes further ones at once, so that a client that opens many and reads
// nothing cannot use up what serves the others. Below 1 means no limit.
func Listener(ln net.Listener, most int) net.Listener {
	if most < 1 {
		return ln
	}
	return &perClient{Listener: ln, most: most, open: map[string]int{}}
}

type perClient struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int
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
		if l.enter(host) {
			return &connection{Conn: c, leave: sync.OnceFunc(func() { l.leave(host) })}, nil
		}
		// The client sees a closed connection, as from a full machine.
		_ = c.Close()
	}
}

func (l *perClient) enter(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[host] >= l.most {
		return false
	}
	l.open[host]++
	return true
}

func (l *perClient) leave(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[host]--; l.open[host] == 0 {
		delete(l.open, host)
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
