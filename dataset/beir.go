package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

func beirHint(s *excerpt) error {
	if s.has("_id") {
		return &Error{File: s.name, Index: -1, Problem: "looks like a part of a BEIR dataset", Want: "its directory"}
	}
	return nil
}

const (
	corpusFile  = "corpus.jsonl"
	queriesFile = "queries.jsonl"
)

// looseID is an id that some files write as a number.
type looseID string

// UnmarshalJSON reads a string or a whole number.
func (id *looseID) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(id))
	}
	if !isWhole(string(b)) {
		return fmt.Errorf("_id: %s: expected text", clip(string(b)))
	}
	*id = looseID(b)
	return nil
}

// query is a line of queries.jsonl.
type query struct {
	ID       looseID        `json:"_id"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata"`
	line     int
}

func loadBEIR(l *loader) error {
	f := l.src.folder
	for _, name := range []string{corpusFile, queriesFile} {
		if !f.has(name) {
			e := &Error{File: l.src.name, Index: -1, Problem: "no " + name, Want: "a BEIR dataset with corpus.jsonl, queries.jsonl and qrels/"}
			if len(f.names) == 1 && l.src.file != nil { // one that a browser packed
				e.Problem, e.Want = fmt.Sprintf("holds only %q, which is not read from an archive", clip(f.names[0])), "the unpacked file"
			}
			return e
		}
	}
	split, err := l.split()
	if err != nil {
		return err
	}
	documents, err := l.corpus()
	if err != nil {
		return err
	}
	queries, index, err := l.queries()
	if err != nil {
		return err
	}
	j := &judgments{l: l, file: l.file("qrels/" + split + ".tsv"), byQuery: make([]map[string]judgment, len(queries)),
		documents: documents, queries: index, doc: 1}
	if err := j.read("qrels/" + split + ".tsv"); err != nil {
		return err
	}
	wanted, err := l.wanted(index)
	if err != nil {
		return err
	}
	own := 0
	for i, q := range queries {
		if wanted != nil && !wanted[i] {
			continue
		}
		if err := l.full(l.cases.Len()); err != nil {
			return err
		}
		if j.byQuery[i] == nil {
			if wanted != nil {
				_ = l.add(&Error{File: l.file(queriesFile), Line: q.line, Index: -1, Field: string(q.ID),
					Problem: fmt.Sprintf("the query is not judged in split %q", split), Want: "one that is"})
			}
			continue
		}
		_, same := documents[string(q.ID)]
		same = same && !l.opts.KeepOwnIDs && j.byQuery[i][string(q.ID)].grade < 1
		if l.judged(q, j.byQuery[i], same); same {
			own++
		}
	}
	if own > 0 {
		l.remark(Warning{File: l.file(corpusFile), Text: fmt.Sprintf("the corpus has documents with the ids of %d of %d queries: "+
			"rankings leave a query's own out, as in BEIR's evaluation; --keep-own-ids counts them", own, l.cases.Len())})
	}
	path, name := l.src.path, l.src.name
	l.documents = func(ctx context.Context) ([]assay.Document, error) { return readCorpus(ctx, path, name) }
	return nil
}

// file names a file of the dataset in messages.
func (l *loader) file(name string) string { return l.src.name + "/" + name }

// split chooses the judgments.
func (l *loader) split() (string, error) {
	have := l.src.folder.splits()
	if len(have) == 0 {
		return "", &Error{File: l.src.name, Index: -1, Problem: "no judgments", Want: "qrels/SPLIT.tsv"}
	}
	return chooseSplit(l.src.name, l.opts.Split, have)
}

// chooseSplit returns the split that is asked for, of those that a folder has; by default
// the only one, or test.
func chooseSplit(name, asked string, have []string) (string, error) {
	switch {
	case asked == "" && len(have) == 1:
		return have[0], nil
	case asked == "":
		asked = "test"
	}
	if !slices.Contains(have, asked) {
		return "", &Error{File: name, Index: -1, Problem: fmt.Sprintf("no split %q", asked), Want: "--split with one of " + quoted(have)}
	}
	return asked, nil
}

// wanted tells which queries the user named; nil means all.
func (l *loader) wanted(index map[string]int) (map[int]bool, error) {
	if len(l.opts.Queries) == 0 {
		return nil, nil
	}
	out := map[int]bool{}
	for _, id := range l.opts.Queries {
		i, ok := index[id]
		if !ok {
			return nil, fmt.Errorf("%s: no query %q%s", l.file(queriesFile), id, suggest(id, sortedKeys(index)))
		}
		out[i] = true
	}
	return out, nil
}

// judged makes a case of a query and its judgments. ownText says that the document with
// the query's id is the query.
func (l *loader) judged(q query, of map[string]judgment, ownText bool) {
	c := assay.Case{ID: string(q.ID), Question: q.Text, Metadata: q.Metadata, Origin: assay.Origin{File: l.file(queriesFile), Line: q.line}}
	c.Want.OwnText = ownText
	if answers, ok := q.Metadata["answers"].([]any); ok {
		for _, a := range answers {
			if s, ok := a.(string); ok && strings.TrimSpace(s) != "" {
				c.Want.Answers = append(c.Want.Answers, s)
			}
		}
	}
	if len(c.Metadata) == 0 {
		c.Metadata = nil
	}
	grades := make(map[string]int, len(of))
	for id, j := range of {
		grades[id] = j.grade
	}
	l.addJudged(c, grades)
}

// addJudged adds a case with the grades of its documents, of which those below the lowest
// that counts as relevant become 0.
func (l *loader) addJudged(c assay.Case, grades map[string]int) {
	relevant := false
	for id, grade := range grades {
		if grade > 0 && grade < l.opts.MinRelevance {
			grades[id] = 0
		}
		relevant = relevant || grades[id] > 0
	}
	if !relevant {
		l.warn(c.Origin, "", "no relevant document, so that metrics which need one do not apply")
	}
	c.Want.Documents = grades
	l.keep(c)
}

// queries reads all queries and indexes them by id.
func (l *loader) queries() ([]query, map[string]int, error) {
	var out []query
	index := map[string]int{}
	err := l.jsonLines(l.src.folder, queriesFile, func(line int, b []byte) *Error {
		q := query{line: line}
		if e := decode(b, &q); e != nil {
			return e
		}
		first, twice := index[string(q.ID)]
		switch {
		case strings.TrimSpace(string(q.ID)) == "":
			return &Error{Field: "_id", Problem: "missing or empty", Want: "a query id"}
		case twice:
			return &Error{Field: "_id", Problem: fmt.Sprintf("duplicate id %q, first in line %d", clip(string(q.ID)), out[first].line),
				Want: "a unique id"}
		case strings.TrimSpace(q.Text) == "":
			return &Error{Case: string(q.ID), Field: "text", Problem: "missing or empty", Want: "a question"}
		}
		index[string(q.ID)] = len(out)
		out = append(out, q)
		return nil
	})
	return out, index, err
}

// jsonLines calls fn with every line of a file in a folder and records the
// problems that fn returns, with their position.
func (l *loader) jsonLines(f *folder, name string, fn func(line int, b []byte) *Error) error {
	return eachLine(l.ctx, f, name, l.file(name), func(line int, b []byte) error {
		e := fn(line, b)
		if e == nil {
			return nil
		}
		e.File, e.Line, e.Index = l.file(name), line, -1
		return l.add(e)
	})
}

// eachLine opens a file of a folder and reads its lines.
func eachLine(ctx context.Context, f *folder, name, shown string, fn func(line int, b []byte) error) error {
	r, err := f.open(name)
	if err != nil {
		return pathError(shown, err)
	}
	defer r.Close()
	t, err := newText(r, shown, 0, f.left)
	if err != nil {
		return err
	}
	defer t.free()
	if err := t.lines(ctx, fn); !errors.Is(err, errTooMany) {
		return err
	}
	return nil
}

// decode reads a line of JSON into a struct.
func decode(b []byte, into any) *Error {
	err := json.Unmarshal(b, into)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind) && kind.Field == "":
		return &Error{Problem: "a JSON " + kind.Value, Want: "an object"}
	case errors.As(err, &kind):
		want := "text"
		if kind.Type.Kind().String() == "map" {
			want = "an object"
		}
		return &Error{Field: kind.Field, Problem: kind.Value, Want: want}
	case errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "unexpected end of JSON"):
		return &Error{Problem: "the line ends in the middle of a value", Want: "one JSON object a line"}
	}
	return &Error{Problem: err.Error(), Want: "one JSON object a line"}
}
