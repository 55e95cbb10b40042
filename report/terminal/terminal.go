// Package terminal renders documents for a person at a terminal, in its width.
// Colour never carries a meaning alone.
package terminal

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

// Options choose how a document is shown.
type Options struct {
	// Width is the number of columns; less than 40 counts as 40.
	Width int
	// Colour allows colours.
	Colour bool
}

// Write writes the glance of a document.
func Write(w io.Writer, d *document.Document, o Options) error {
	o.Width = max(o.Width, 40)
	t := &writer{o: o, colon: d.Colon, out: bufio.NewWriter(w)}
	t.head(d)
	sections := d.For(document.Glance)
	for i, s := range sections {
		if i > 0 || d.Headline != nil && !d.Tight {
			t.println("")
		}
		if !s.Bare.In(document.Glance) || s.Bare == 0 {
			t.title(document.LowerFirst(s.Title))
		}
		t.blocks(s.Blocks)
	}
	if d.Saved != "" {
		if n := len(sections); (n == 0 || sections[n-1].ID != "warnings") && !d.Tight {
			t.println("")
		}
		t.println(document.Line(d.Saved))
	}
	return t.out.Flush()
}

type writer struct {
	o     Options
	out   *bufio.Writer
	colon string
}

func (t *writer) println(s string) {
	// bufio keeps the first error until Flush.
	fmt.Fprintln(t.out, strings.TrimRight(s, " "))
}

func (t *writer) head(d *document.Document) {
	if d.Headline == nil {
		return
	}
	parts := make([]string, len(d.Headline))
	for i, p := range d.Headline {
		parts[i] = plain(p)
	}
	t.paragraph(t.bold(strings.Join(parts, " · ")), "  ")
	if s := plain(d.Status); s != "" {
		t.paragraph(s, "  ")
	}
}

// paragraph writes a text broken to the width of the terminal.
func (t *writer) paragraph(s, indent string) {
	for _, l := range wrap(s, t.o.Width, indent) {
		t.println(l)
	}
}

// title writes a line in bold, broken to the width of the terminal.
func (t *writer) title(s string) {
	for _, l := range wrap(document.Line(s), t.o.Width-1, "  ") {
		t.println(t.bold(" " + l))
	}
}

func (t *writer) bold(s string) string {
	if !t.o.Colour {
		return s
	}
	return "\x1b[1m" + strings.TrimRight(s, " ") + "\x1b[0m"
}

func (t *writer) blocks(blocks []document.Block) {
	for i, b := range blocks {
		switch b := b.(type) {
		case document.Paragraph:
			t.paragraph(plain(b.Text), "  ")
		case document.List:
			t.list(b)
		case document.Lines:
			for _, l := range b.Lines {
				t.println(Fit(l, t.o.Width))
			}
		case document.Facts:
			t.facts(b.Items)
		case document.Table:
			if i > 0 {
				t.println("")
			}
			t.table(b)
		case document.Fold:
			t.blocks(b.Blocks)
		}
	}
}

func (t *writer) list(l document.List) {
	for _, item := range l.Items {
		s := plain(item.Text)
		if l.Label != "" {
			s = l.Label + t.colon + s
		}
		t.paragraph(s, "  ")
	}
}

// facts writes named values with the names in a margin.
func (t *writer) facts(items []document.Fact) {
	const margin = 10
	for _, f := range items {
		name := document.LowerFirst(f.Name)
		for k, line := range f.Lines {
			// A line that continues the one before is indented.
			indent := ""
			if k > 0 || f.Hang {
				indent = "  "
			}
			for _, l := range wrap(plain(line), t.o.Width-margin, indent) {
				t.println(pad(" "+name, margin) + l)
				name = ""
			}
		}
	}
}

// plain returns a text as one line.
func plain(text document.Text) string {
	var b strings.Builder
	for _, s := range text {
		b.WriteString(document.Spaced(s.Text))
		if s.Style == document.Metric && s.Lower {
			b.WriteString(" ↓")
		}
		if s.Estimate {
			b.WriteString(" ≈")
		}
	}
	return b.String()
}
