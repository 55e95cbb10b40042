package server

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
)

// newID returns a new id.
func (s *Server) newID() (string, error) { return NewID(s.now(), s.cfg.World.Random) }

// NewID returns a UUID of version 7, which sorts by time to the millisecond.
func NewID(now time.Time, random io.Reader) (string, error) {
	var id uuid.UUID
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(now.UnixMilli()))
	copy(id[:6], ms[2:])
	if _, err := io.ReadFull(random, id[6:]); err != nil {
		return "", fmt.Errorf("new id: %w", err)
	}
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String(), nil
}

// isID reports whether a text has the form of an id of newID. Any other text in
// place of an id is treated as an id that does not exist.
func isID(text string) bool {
	id, err := uuid.Parse(text)
	return err == nil && id.String() == text && id.Version() == 7
}
