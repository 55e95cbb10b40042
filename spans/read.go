package spans

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/trec"
	"github.com/assay-eval/assay/target/reply"
)

// A Format is a form of files of traces.
type Format struct {
	Name string
	// Doc says in a line what writes it, and in what version.
	Doc string
	// is reports whether an object is of the format, by its fields.
	is func(o map[string]json.RawMessage) bool
	// read reads the spans of an object.
	read func(o json.RawMessage) ([]Span, error)
}

// Formats lists the formats that are JSON; OTLP is read as protobuf too.
func Formats() []Format {
	return []Format{otlp, mlflowTrace, langSmithRun, langfuseObservation, trulensEvent, spanObject}
}

const wanted = "expected traces as JSON, or OTLP as protobuf"

// A ReadError is a problem in a file of traces.
type ReadError struct {
	Origin  assay.Origin
	Problem string
}

func (e *ReadError) Error() string { return e.Origin.String() + ": " + e.Problem }

// Read calls add with every span of a file: JSON objects one after the other (one a line, as
// most exporters write), lists of them, or a message of OTLP as protobuf; plain, or packed
// with gzip or zstd. Each object is in one of the [Formats]. name is the file's name in
// messages. The error is a *[ReadError], or that of add.
func Read(r io.Reader, name string, add func(Span) error) error {
	unpacked, err := trec.Decompress(r)
	if err != nil {
		return &ReadError{assay.Origin{File: name}, err.Error()}
	}
	defer unpacked.Close()
	in := bufio.NewReaderSize(unpacked, 1<<16)
	head, err := in.Peek(2)
	switch {
	case errors.Is(err, io.EOF):
		return &ReadError{assay.Origin{File: name}, "the file is empty: " + wanted}
	case err != nil:
		return &ReadError{assay.Origin{File: name}, err.Error()}
	case isProtobuf(head):
		return readProtobuf(in, name, add)
	}
	if !strings.ContainsRune("{[ \t\r\n", rune(head[0])) && head[0] != 0xef {
		return &ReadError{assay.Origin{File: name}, "neither JSON nor OTLP: " + wanted + `. Of a data frame of spans, such as Phoenix's, ` +
			`write df.to_json("spans.jsonl", orient="records", lines=True, date_format="iso")`}
	}
	return readJSON(&lines{in: in}, name, add)
}

// lines counts line ends as they are read, for messages.
type lines struct {
	in   io.Reader
	n    int64
	ends []int64
}

func (l *lines) Read(b []byte) (int, error) {
	n, err := l.in.Read(b)
	for i, c := range b[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.n+int64(i))
		}
	}
	l.n += int64(n)
	return n, err
}

// at returns the line of an offset, from 1, and forgets the lines before. passed is how many
// were forgotten.
func (l *lines) at(offset int64, passed *int) int {
	i := 0
	for i < len(l.ends) && l.ends[i] < offset {
		i++
	}
	*passed += i
	l.ends = l.ends[i:]
	return *passed + 1
}

func readJSON(in *lines, name string, add func(Span) error) error {
	d := json.NewDecoder(in)
	passed, line := 0, 1
	fail := func(err error) error {
		problem := err.Error()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			problem = "the file ends within an object: was it written to its end?"
		}
		return &ReadError{assay.Origin{File: name, Line: line}, problem}
	}
	some, good, bad := false, false, 0
	var first error
	one := func(raw json.RawMessage) error {
		list, err := readObject(raw)
		if err != nil {
			bad += countOfErrors(err)
			first = cmp.Or(first, fail(err))
		}
		some, good = some || err == nil, good || len(list) > 0
		for _, s := range list {
			if err := add(s); err != nil {
				return err
			}
		}
		return nil
	}
	each := func() error {
		var raw json.RawMessage
		line = in.at(d.InputOffset(), &passed)
		if err := d.Decode(&raw); err != nil {
			if good && errors.Is(err, io.ErrUnexpectedEOF) {
				return skipped(cmp.Or(first, fail(err)), bad+1, good) // an exporter was stopped
			}
			if first != nil && !good {
				return first
			}
			return fail(err)
		}
		return one(raw)
	}
	token := func() error {
		if _, err := d.Token(); err != nil {
			return fail(err)
		}
		return nil
	}
	for d.More() {
		// A list is read entry by entry, so that a long one needs no memory.
		first := make([]byte, 1)
		if _, err := d.Buffered().Read(first); err != nil || first[0] != '[' {
			if err := each(); err != nil {
				return err
			}
			continue
		}
		if err := token(); err != nil {
			return err
		}
		for d.More() {
			if err := each(); err != nil {
				return err
			}
		}
		if err := token(); err != nil {
			return err
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fail(err)
	}
	if bad > 0 {
		return skipped(first, bad, good)
	}
	if !some {
		return &ReadError{assay.Origin{File: name}, "no spans: " + wanted}
	}
	return nil
}

// A SkippedError says that some spans of a file could not be read. The others were added.
type SkippedError struct {
	First error
	Count int
}

func (e *SkippedError) Error() string {
	return fmt.Sprintf("only part of the file could be read (%d unread), the first: %v", e.Count, e.First)
}

func (e *SkippedError) Unwrap() error { return e.First }

// skipped returns the error about spans that could not be read.
func skipped(first error, n int, others bool) error {
	if !others {
		return first
	}
	return &SkippedError{first, n}
}

// countOfErrors counts joined errors.
func countOfErrors(err error) int {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return len(all.Unwrap())
	}
	return 1
}

// readObject reads the spans of an object in one of the formats.
func readObject(raw json.RawMessage) ([]Span, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("%s: expected an object: %s", kindOf(raw), known())
	}
	for _, f := range Formats() {
		if f.is(o) {
			return f.read(raw)
		}
	}
	for _, list := range []string{"data", "runs"} { // of the API of Langfuse or Phoenix, and of LangSmith
		var page []json.RawMessage
		if json.Unmarshal(o[list], &page) != nil || page == nil {
			continue
		}
		var out []Span
		var bad []error
		for _, entry := range page {
			list, err := readObject(entry)
			out, bad = append(out, list...), append(bad, err)
		}
		delete(o, list)
		beside, _ := json.Marshal(o)
		var answer map[string]any
		_ = json.Unmarshal(beside, &answer) // an object
		if more := reply.More(answer); more != "" {
			bad = append(bad, fmt.Errorf("%s; give the files of the others, too", more))
		}
		return out, errors.Join(bad...)
	}
	return nil, fmt.Errorf("an object with %s is no span of a known format: %s", fieldsOf(o), known())
}

func known() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return "expected one of " + strings.Join(names, ", ")
}

func fieldsOf(o map[string]json.RawMessage) string {
	const most = 8
	names := slices.Sorted(maps.Keys(o))
	if len(names) == 0 {
		return "no fields"
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "the fields " + strings.Join(names, ", ")
}

// kindOf describes a JSON value.
func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a text"
	case '[':
		return "a list in a list"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}
