package target

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Open opens a file of recorded responses; see [Read]. The responses are read from it
// until the target is closed.
func Open(path, name string) (*Recorded, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := Read(f, name)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if r.text == nil || r.text.copied != nil {
		return r, f.Close()
	}
	r.text.changed, r.text.closes = unchanged(f), append(r.text.closes, f.Close)
	return r, nil
}

// Read reads recorded responses in either format, detected by content: JSON lines begin
// with a brace ([ReadResponses]), everything else is a TREC run ([ReadRanking], with
// all of its documents). name is the file name in messages.
//
// If r can seek and is plain text, responses are read from it when they are asked for,
// so it must stay open and unchanged until then.
func Read(r io.Reader, name string) (*Recorded, error) {
	text, whole, err := openRecording(r, name)
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(whole, 1<<16)
	// A short file is not an error here: the reader below reports what is missing.
	head, _ := b.Peek(512)
	var out *Recorded
	switch head = bytes.TrimLeft(head, " \t\r\n"); {
	case len(head) == 0:
		err = fmt.Errorf("%s: no responses: want JSON lines or a TREC run", name)
	case head[0] == '{':
		out, err = readResponses(text, b)
	default:
		out, err = readRanking(text, b, 0)
	}
	if err != nil {
		return nil, errors.Join(err, text.close())
	}
	return out, nil
}
