// Package trec reads the two TREC file formats: judgments (qrels) and rankings
// (runs). Files may be compressed with gzip or zstd, which is detected by
// content. Columns are separated by white space; empty lines and lines that start
// with "#" are skipped; errors name the line.
package trec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/assay-eval/assay"
)

// An Error is a problem in a file, with its position.
type Error struct {
	Origin  assay.Origin
	Problem string
	// Err is the cause, such as ErrUngrouped; it may be nil.
	Err error
}

// Error formats the error as "file:line: problem".
func (e *Error) Error() string {
	if s := e.Origin.String(); s != "" {
		return s + ": " + e.Problem
	}
	return e.Problem
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func problem(name string, line int, format string, args ...any) *Error {
	return &Error{Origin: assay.Origin{File: name, Line: line}, Problem: fmt.Sprintf(format, args...)}
}

// readError adds the position in the file to an error of the reader.
func readError(name string, line int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return problem(name, line, "%s", e.Problem)
	}
	return &Error{Origin: assay.Origin{File: name, Line: line}, Problem: err.Error(), Err: err}
}

// maxLine bounds a line, so that a file that is not text fails early.
const maxLine = 1 << 20

// spaces are the bytes that separate columns, and space is a table of them. Other
// Unicode white space is part of a name.
const spaces = " \t\n\v\f\r"

var space = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}

// eachLine calls fn with every line that has content, trimmed, and its number
// from 1. The text is valid until fn returns.
func eachLine(r io.Reader, name string, fn func(line int, text []byte) error) error {
	src, err := Decompress(r)
	if err != nil {
		return readError(name, 0, err)
	}
	defer src.Close()
	in := bufio.NewReaderSize(src, maxLine)
	for n := 1; ; n++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return tooLong(name, n)
		case err != nil && !errors.Is(err, io.EOF):
			return readError(name, n, err)
		}
		if text = bytes.Trim(text, spaces); len(text) > 0 && text[0] != '#' {
			if err := fn(n, text); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func tooLong(name string, line int) error {
	return problem(name, line, "the line is longer than %d bytes: expected a text file of columns", maxLine)
}

// column returns the first column of text and the text after it.
func column(text []byte) (first, rest []byte) {
	i := 0
	for i < len(text) && space[text[i]] {
		i++
	}
	start := i
	for i < len(text) && !space[text[i]] {
		i++
	}
	return text[start:i], text[i:]
}
