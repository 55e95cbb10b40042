package target

import (
	"bufio"
	"errors"
	"io"
)

// ReadResponses reads JSON lines, whatever the text begins with.
func ReadResponses(r io.Reader, name string) (*Recorded, error) {
	file, whole, err := openRecording(r, name)
	if err != nil {
		return nil, err
	}
	out, err := readResponses(file, bufio.NewReader(whole))
	if err != nil {
		return nil, errors.Join(err, file.close())
	}
	return out, nil
}
