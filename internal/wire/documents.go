package wire

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/upload"
)

// readDocumentMap reads the mapping of the target's document names to those of
// the dataset: a journal of assay corpus upload, or two columns separated by a
// tab or a comma, the target's name first.
func readDocumentMap(r io.Reader, name string) (target.DocumentMap, error) {
	in := bufio.NewReader(r)
	// The next read returns the same error.
	head, _ := in.Peek(4096)
	first, _, _ := strings.Cut(strings.TrimPrefix(string(head), "\ufeff"), "\n")
	if strings.HasPrefix(strings.TrimSpace(first), "{") {
		j, err := upload.ReadJournal(in, name)
		if err != nil {
			return nil, err
		}
		return j.DocumentMap(), nil
	}
	rows := csv.NewReader(in)
	rows.FieldsPerRecord = 2
	if strings.Contains(first, "\t") {
		rows.Comma = '\t'
	}
	out := target.DocumentMap{}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var place *csv.ParseError
		if errors.As(err, &place) {
			return nil, fmt.Errorf("%s:%d: %w: expected two columns, the target's name of a document and the dataset's", name, place.Line, place.Err)
		}
		if err != nil {
			return nil, err
		}
		line, _ := rows.FieldPos(0)
		theirs, ours := strings.TrimSpace(strings.TrimPrefix(row[0], "\ufeff")), strings.TrimSpace(row[1])
		switch before, twice := out[theirs]; {
		case theirs == "" || ours == "":
			return nil, fmt.Errorf("%s:%d: an empty name: expected the target's name of a document and the dataset's", name, line)
		case twice && before != ours:
			return nil, fmt.Errorf("%s:%d: %q maps to both %q and %q: expected one", name, line, theirs, ours, before)
		}
		out[theirs] = ours
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: empty: expected a journal of assay corpus upload, or lines of two names", name)
	}
	return out, nil
}
