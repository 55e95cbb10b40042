package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
)

// document is a line of corpus.jsonl. Its metadata is decoded when it is read.
type document struct {
	ID       looseID         `json:"_id"`
	Title    *string         `json:"title"`
	Text     *string         `json:"text"`
	Metadata json.RawMessage `json:"metadata"`
}

// corpus validates every document and returns the line of each id. The documents
// themselves are read on demand, so a target with its own copy costs no memory.
func (l *loader) corpus() (map[string]int, error) {
	lines := map[string]int{}
	empty := 0
	err := l.jsonLines(l.src.folder, corpusFile, func(line int, b []byte) *Error {
		var d document
		if e := decode(b, &d); e != nil {
			return e
		}
		id := string(d.ID)
		first, twice := lines[id]
		switch {
		case strings.TrimSpace(id) == "":
			return &Error{Field: "_id", Problem: "missing or empty", Want: "a document id"}
		case twice:
			return &Error{Field: "_id", Problem: fmt.Sprintf("duplicate id %q, first in line %d", clip(id), first), Want: "a unique id"}
		case d.Text == nil && d.Title == nil:
			return &Error{Field: "text", Problem: "missing", Want: "text"}
		}
		if strings.TrimSpace(textOf(d.Text)+textOf(d.Title)) == "" {
			if empty++; empty == 1 {
				l.remark(Warning{File: l.file(corpusFile), Line: line, Text: "documents without a title or text cannot be found"})
			}
		}
		if m := bytes.TrimSpace(d.Metadata); len(m) > 0 && m[0] != '{' && string(m) != "null" {
			return &Error{Field: "metadata", Problem: clip(string(m)), Want: "an object"}
		}
		lines[id] = line
		return nil
	})
	return lines, err
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// readCorpus reads the documents of a dataset that was validated before.
func readCorpus(ctx context.Context, path, name string) ([]assay.Document, error) {
	src, err := open(path, name, Options{})
	if err != nil {
		return nil, listOf(err)
	}
	defer src.close()
	if src.folder == nil {
		return nil, fmt.Errorf("%s: no longer a BEIR dataset", name)
	}
	var out []assay.Document
	shown := name + "/" + corpusFile
	err = eachLine(ctx, src.folder, corpusFile, shown, func(line int, b []byte) error {
		var d document
		if e := decode(b, &d); e != nil {
			e.File, e.Line, e.Index = shown, line, -1
			return e
		}
		doc := assay.Document{ID: string(d.ID), Title: textOf(d.Title), Text: textOf(d.Text)}
		if len(d.Metadata) > 0 {
			if e := decode(d.Metadata, &doc.Metadata); e != nil {
				e.File, e.Line, e.Index = shown, line, -1
				return e
			}
		}
		if len(doc.Metadata) == 0 {
			doc.Metadata = nil
		}
		out = append(out, doc)
		return nil
	})
	if err != nil {
		return nil, listOf(err)
	}
	return out, nil
}

// A judgment is a grade and its line.
type judgment struct{ grade, line int }

// judgments reads a file of BEIR judgments.
type judgments struct {
	l    *loader
	file string
	// byQuery holds the judged documents of each query, by the query's index.
	byQuery []map[string]judgment
	// documents maps document ids to lines, queries query ids to indexes.
	documents, queries map[string]int
	// query and doc are columns.
	query, doc int
}

func (j *judgments) read(name string) error {
	rows := 0
	return j.l.jsonLines(j.l.src.folder, name, func(line int, b []byte) *Error {
		rows++
		return j.row(rows == 1, line, string(b))
	})
}

// skip counts n judgments of something that the dataset lacks. If the dataset is read
// strictly, it records the problem instead.
func (l *loader) skip(e *Error, n int) error {
	if l.opts.Strict {
		return l.add(e)
	}
	what := "judgments of queries that the dataset lacks are skipped; --strict rejects them"
	if e.Field == "corpus-id" {
		what = "judgments of documents that the corpus lacks are skipped, so recall does not count them; --strict rejects them"
	}
	l.remark(Warning{File: e.File, Line: e.Line, Field: e.Field, Text: what}).Skipped += n
	return nil
}

const judgmentColumns = "query, document and grade, separated by tabs"

func (j *judgments) row(first bool, line int, s string) *Error {
	cols := strings.Split(s, "\t")
	if len(cols) != 3 {
		return &Error{Problem: fmt.Sprintf("%d columns", len(cols)), Want: judgmentColumns}
	}
	for i := range cols {
		cols[i] = strings.TrimSpace(cols[i])
	}
	cols = []string{cols[j.query], cols[j.doc], cols[3-j.query-j.doc]}
	grade, ok := trec.Grade(cols[2])
	at, known := j.queries[cols[0]]
	if !ok && first && !known {
		j.query, j.doc = trec.BEIRColumns(cols)
		return nil
	}
	if !ok {
		return &Error{Field: "score", Problem: fmt.Sprintf("%q", clip(cols[2])), Want: fmt.Sprintf("a whole number from %d to %d",
			-maxGrade, maxGrade)}
	}
	if !known {
		_ = j.l.skip(&Error{File: j.file, Line: line, Index: -1, Field: "query-id",
			Problem: fmt.Sprintf("no query %q in %s", clip(cols[0]), queriesFile), Want: "the id of a query"}, 1)
		return nil
	}
	if _, ok := j.documents[cols[1]]; !ok {
		_ = j.l.skip(&Error{File: j.file, Line: line, Index: -1, Case: cols[0], Field: "corpus-id",
			Problem: fmt.Sprintf("no document %q in %s", clip(cols[1]), corpusFile), Want: "the id of a document in the corpus"}, 1)
		return nil
	}
	if j.byQuery[at] == nil {
		j.byQuery[at] = map[string]judgment{}
	}
	if was, twice := j.byQuery[at][cols[1]]; twice {
		return &Error{Case: cols[0], Field: "corpus-id", Problem: fmt.Sprintf("document %q is judged twice, first in line %d",
			clip(cols[1]), was.line), Want: "one judgment"}
	}
	j.byQuery[at][cols[1]] = judgment{grade, line}
	return nil
}
