package target

import (
	"context"
	"errors"
	"time"
)

// mcpPatience is how long a server may take to exit normally, mcpImpatience after a
// hang. Each is spent at most twice: before the request to terminate and before the
// kill.
const (
	mcpPatience   = 2 * time.Second
	mcpImpatience = 250 * time.Millisecond
)

// mcpUse runs use with an exclusive session, which is opened if there is none. A
// session that use leaves broken is closed.
func mcpUse[T any](ctx context.Context, m *MCP, use func(*mcpSession) (T, error)) (T, error) {
	var none T
	if err := cancelled(ctx); err != nil {
		return none, err
	}
	closed := &Error{Kind: Refused, Err: errors.New("mcp: the target is closed")}
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return none, cancelled(ctx)
	case <-m.life.Done():
		return none, closed
	}
	defer func() { <-m.slots }()
	s, err := m.session(ctx)
	if err != nil {
		if m.life.Err() != nil {
			return none, closed
		}
		return none, err
	}
	v, err := use(s)
	m.giveBack(s, ctx.Err() != nil || m.life.Err() != nil)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = s.late(ctx, false)
	case m.life.Err() != nil:
		err = closed
	}
	return v, err
}

// session returns a connected session for exclusive use.
func (m *MCP) session(ctx context.Context) (*mcpSession, error) {
	for {
		m.mu.Lock()
		if m.closed {
			m.mu.Unlock()
			return nil, m.life.Err()
		}
		n := len(m.idle)
		if n == 0 {
			m.mu.Unlock()
			return m.connect(ctx)
		}
		s := m.idle[n-1]
		m.idle = m.idle[:n-1]
		m.mu.Unlock()
		if !s.ended() {
			return s, nil
		}
		// The server ended while the session was idle.
		m.drop(s)
	}
}

// giveBack keeps a session for the next call. A session with an abandoned call is
// closed: a late sampling request would be assigned to the next case, and a server that
// hangs would delay it too.
func (m *MCP) giveBack(s *mcpSession, givenUp bool) {
	if s.givenUp = givenUp; givenUp || s.broken || s.ended() {
		m.drop(s)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idle = append(m.idle, s)
}

// drop closes a session in the background.
func (m *MCP) drop(s *mcpSession) {
	m.ending.Go(func() { s.close(mcpImpatience) })
}
