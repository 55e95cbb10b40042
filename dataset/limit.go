package dataset

import (
	"bytes"
	"fmt"
	"io"
)

// Limits bound what a data set of somebody else may cost to read. Zero fields are
// no limit.
type Limits struct {
	// Bytes is of the text of all files together, unpacked.
	Bytes int64
	// Marks is of the commas, brackets and line ends in it, which is what separates
	// values: a value takes a hundred times the room of its mark in memory, and a
	// text is mostly made of other characters.
	Marks int64
	// Cases is how many there may be.
	Cases int
}

// left is what is left of limits while a data set is read; nil is no limit.
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

// of counts what a reader reads.
func (l *left) of(r io.Reader, name string) io.Reader {
	if l == nil {
		return r
	}
	return &limited{r, l, name}
}

// full is the error of one case too many; nil as long as there is room.
func (l *loader) full(cases int) error {
	if most := l.opts.Limits.Cases; most > 0 && cases >= most {
		return &Error{File: l.src.name, Index: -1, Problem: fmt.Sprintf("more than %d cases", most), Want: "a smaller data set"}
	}
	return nil
}

// limited is text that counts.
type limited struct {
	io.Reader
	left *left
	name string
}

// Read counts what it reads.
func (r *limited) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	l := r.left
	l.bytes += int64(n)
	for _, mark := range []byte{',', '[', '\n'} {
		l.marks += int64(bytes.Count(p[:n], []byte{mark}))
	}
	switch {
	case l.Bytes > 0 && l.bytes > l.Bytes:
		return 0, &Error{File: r.name, Index: -1, Problem: fmt.Sprintf("more than %d MiB of text, unpacked", l.Bytes>>20),
			Want: "a smaller data set"}
	case l.Marks > 0 && l.marks > l.Marks:
		return 0, &Error{File: r.name, Index: -1, Problem: fmt.Sprintf("more than %d values", l.Marks), Want: "a smaller data set"}
	}
	return n, err
}
