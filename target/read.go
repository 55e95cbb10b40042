package target

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/assay-eval/assay/dataset/trec"
)

// Read reads recorded responses in either format, detected by content: JSON lines begin
// with a brace ([ReadResponses]), everything else is a TREC run ([ReadRanking], with
// all of its documents). name is the file name in messages.
func Read(r io.Reader, name string) (*Recorded, error) {
	plain, err := trec.Decompress(r)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	b := bufio.NewReader(plain)
	// A short file is not an error here: the reader below reports what is missing.
	head, _ := b.Peek(512)
	if len(bytes.TrimLeft(head, "\ufeff \t\r\n")) == 0 {
		return nil, fmt.Errorf("%s: no responses: want JSON lines or a TREC run", name)
	}
	if bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("{")) {
		return ReadResponses(b, name)
	}
	return ReadRanking(b, name, 0)
}

// ReportsAnswers reports whether any response has an answer. Otherwise answer metrics
// do not apply, as for the output of a search engine.
func (r *Recorded) ReportsAnswers() bool {
	return slices.ContainsFunc(r.entries, func(e *entry) bool { return e.response.Answer != "" })
}
