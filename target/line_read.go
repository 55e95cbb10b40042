package target

import (
	"bufio"
	"errors"
)

var errLongLine = errors.New("line too long")

// boundedLine returns the next line with its end, valid until the next call. A line of more
// than most bytes is errLongLine.
func boundedLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, errLongLine
		}
		if line == nil && err == nil {
			return part, nil
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
