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
// with a brace, as do predictions in one object, a list of records with a bracket, and everything else is a TREC run. name is the file name in
// messages.
//
// If r can seek and is plain text, responses are read from it when they are asked for,
// so it must stay open and unchanged until then.
func Read(r io.Reader, name string) (*Recorded, error) {
	file, whole, err := openRecording(r, name)
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(whole, 1<<16)
	// A short file is not an error here: the readers below report what is missing.
	head, _ := b.Peek(headSize)
	var out *Recorded
	switch head = bytes.TrimLeft(head, "\ufeff \t\r\n"); {
	case len(head) == 0:
		err = fmt.Errorf("%s: no responses: expected JSON lines or a TREC run", name)
	case responseFields[cmp.Or(trec.FirstInObject(head), "id")] == "":
		out, err = gatherRanking(b, name)
	case head[0] == '{':
		out, err = readResponses(file, b)
	default:
		out, err = readRanking(file, b)
	}
	if err != nil || out.file == nil { // it holds all responses
		err = errors.Join(err, file.close())
	}
	return out, err
}

// IsLines reports whether a file begins with a line of recorded responses.
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
	lines := bufio.NewReaderSize(whole, 1<<16)
	for {
		line, err := boundedLine(lines, maxLine)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return isResponse(line)
		}
		if err != nil {
			return false
		}
	}
}

// isResponse reports whether a line names a case and says something about it.
func isResponse(line []byte) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil {
		return false
	}
	var names, says bool
	for name, value := range object {
		switch responseFields[name] {
		case "id", "question":
			names = true
		case "answer", "error":
			says = says || value[0] == '"'
		case "contexts":
			says = says || value[0] == '['
		case "stages":
			says = true
		}
	}
	return names && says || bytes.Contains(line, resultMark)
}
