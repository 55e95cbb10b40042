package index

import (
	"encoding/binary"
	"fmt"
)

// readHeader decodes the header h of the given length at the start of a file; the magic
// in it identifies the kind of file and its version.
func readHeader(data []byte, length int, magic string, h any) error {
	if len(data) < length {
		return fmt.Errorf("%d bytes: expected a header of %d", len(data), length)
	}
	if got := string(data[:len(magic)]); got != magic {
		return fmt.Errorf("begins with %q: expected %q", got, magic)
	}
	_, err := binary.Decode(data, binary.LittleEndian, h)
	return err
}
