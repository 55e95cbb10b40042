// Package checksum computes the checksums of stored rows and of lines in files.
package checksum

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// Castagnoli is the table of CRC-32C, which processors compute.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// mark begins the last member of a JSON object that has its checksum.
const mark = `,"crc32c":"`

// Line encodes v, which must be a JSON object with a member, as one line whose last member
// is the CRC-32C of all before it.
func Line(v any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	line.Truncate(line.Len() - len("}\n"))
	fmt.Fprintf(&line, "%s%08x\"}\n", mark, crc32.Checksum(line.Bytes(), Castagnoli))
	return line.Bytes(), nil
}

// Cut verifies the checksum of a line and returns the object without it. A line without a
// checksum, as earlier versions wrote it, is returned as it is. An error leaves open what
// was altered, the object or the checksum.
func Cut(line []byte) ([]byte, error) {
	text := bytes.TrimRight(line, "\r\n")
	at := len(text) - len(mark) - len(`01234567"}`)
	if at < 0 || !bytes.HasPrefix(text[at:], []byte(mark)) {
		return line, nil
	}
	want := fmt.Sprintf("%08x\"}", crc32.Checksum(text[:at], Castagnoli))
	if got := text[at+len(mark):]; string(got) != want {
		return nil, fmt.Errorf("the line does not match its checksum, so it was altered after it was written: expected an unaltered file")
	}
	return append(text[:at:at], '}'), nil
}
