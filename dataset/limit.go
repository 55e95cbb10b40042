package dataset

import (
	"bytes"
	"fmt"
	"io"
)

// Limits bounds the cost of reading an untrusted dataset. Zero fields are
// unlimited.
type Limits struct {
	// Bytes bounds the text of all files together, uncompressed.
	Bytes int64
	// Marks bounds the number of commas, brackets and line ends, which separate
	// values. In memory a value takes about a hundred times the space of its
	// separator, while most of an ordinary text is other characters.
	Marks int64
	// Cases bounds the number of cases.
	Cases int
}

// left is the remainder of the limits while a dataset is read; nil is unlimited.
type left struct {
	Limits
	bytes, marks int64
}

func (o Options) left() *left {
	if o.Limits == (Limits{}) {
		return nil
	}
	return &left{Limits: o.Limits}
}

// of returns a reader that counts what r reads.
func (l *left) of(r io.Reader, name string) io.Reader {
	if l == nil {
		return r
	}
	return &limited{r, l, name}
}

// full returns an error if the limit of cases is reached.
func (l *loader) full(cases int) error {
	if most := l.opts.Limits.Cases; most > 0 && cases >= most {
		return &Error{File: l.src.name, Index: -1, Problem: fmt.Sprintf("more than %d cases", most), Want: "a smaller dataset"}
	}
	return nil
}

// limited is a reader that counts.
type limited struct {
	io.Reader
	left *left
	name string
}

// Read implements [io.Reader].
func (r *limited) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	l := r.left
	l.bytes += int64(n)
	for _, mark := range []byte{',', '[', '\n'} {
		l.marks += int64(bytes.Count(p[:n], []byte{mark}))
	}
	if err := l.exceeded(l.bytes, l.marks, r.name); err != nil {
		return 0, err
	}
	return n, err
}

// exceeded returns an error if so many bytes or marks of a file are too many.
func (l Limits) exceeded(bytes, marks int64, name string) error {
	switch {
	case l.Bytes > 0 && bytes > l.Bytes:
		return &Error{File: name, Index: -1, Problem: fmt.Sprintf("more than %d MiB of text, unpacked", l.Bytes>>20), Want: "a smaller dataset"}
	case l.Marks > 0 && marks > l.Marks:
		return &Error{File: name, Index: -1, Problem: fmt.Sprintf("more than %d values", l.Marks), Want: "a smaller dataset"}
	}
	return nil
}
