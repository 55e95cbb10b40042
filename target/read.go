package target

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/assay-eval/assay/dataset/trec"
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
	if r.file == nil || r.file.copied != nil {
		return r, f.Close()
	}
	r.file.changed, r.file.closes = unchanged(f), append(r.file.closes, f.Close)
	return r, nil
}

// Read reads recorded responses in either format, detected by content: JSON lines begin
// with a brace ([ReadResponses]), everything else is a TREC run ([ReadRanking], with
// all of its documents). name is the file name in messages.
//
// If r can seek and is plain text, responses are read from it when they are asked for,
// so it must stay open and unchanged until then.
func Read(r io.Reader, name string) (*Recorded, error) {
	_, _, head := plain(r)
	if head == nil {
		whole, err := trec.Decompress(r)
		if err != nil {
			return nil, err
		}
		defer whole.Close()
		b := bufio.NewReaderSize(whole, 1<<16)
		// A short file is not an error here: the readers below report what is missing.
		head, _ = b.Peek(headSize)
		r = b
	}
	switch head = bytes.TrimLeft(head, "\ufeff \t\r\n"); {
	case len(head) == 0:
		return nil, fmt.Errorf("%s: no responses: want JSON lines or a TREC run", name)
	case responseFields[cmp.Or(trec.FirstInObject(head), "id")] == "":
		return gatherRanking(r, name, 0)
	case head[0] == '{':
		return ReadResponses(r, name)
	}
	return ReadRanking(r, name, 0)
}

// IsLines reports whether a file begins with a line that [ReadResponses] reads.
func IsLines(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	whole, err := trec.Decompress(f)
	if err != nil {
		return false
	}
	defer whole.Close()
	return beginsWithResponse(bufio.NewReader(io.LimitReader(whole, maxLine)))
}

// beginsWithResponse reads no further than it must: a line can have its long passages before
// its id.
func beginsWithResponse(b *bufio.Reader) bool {
	for {
		r, _, err := b.ReadRune()
		if err != nil {
			return false
		}
		if !strings.ContainsRune("\ufeff \t\r\n", r) {
			break
		}
	}
	if b.UnreadRune() != nil { // never after a rune that was read
		return false
	}
	var read bytes.Buffer
	dec := json.NewDecoder(io.TeeReader(b, &read))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	var names, says bool
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			break // the line is longer than one may be, or no JSON
		}
		switch field, _ := name.(string); responseFields[field] {
		case "id", "question":
			names = true
		case "answer", "error":
			says = says || value[0] == '"'
		case "contexts":
			says = says || value[0] == '['
		case "stages":
			says = true
		}
		if names && says {
			return true
		}
	}
	first, _, _ := bytes.Cut(read.Bytes(), []byte{'\n'})
	return bytes.Contains(first, resultMark)
}
