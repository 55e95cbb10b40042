// Package markdown renders documents as Markdown for a pull request or a wiki,
// as CommonMark and GitHub read it. Texts are escaped: nothing in them acts as
// markup.
package markdown

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
)

// mostCases bounds the ids in a cell of a table, plotColumns is the width of a
// plot of characters.
const (
	mostCases   = 10
	plotColumns = 20
)

// Write writes the reading of a document.
func Write(w io.Writer, d *document.Document) error {
	m := &writer{out: bufio.NewWriter(w), more: d.More, colon: strings.TrimSpace(d.Colon)}
	m.printf("# %s\n", Inline(d.Title))
	for _, f := range d.Facts {
		m.fact(f)
	}
	level, fresh := "##", d.Facts == nil
	for _, s := range d.For(document.Reading) {
		if !fresh {
			m.printf("")
		}
		fresh = false
		if s.Bare == 0 || !s.Bare.In(document.Reading) {
			m.printf("%s %s\n", level, Inline(s.Title))
		}
		m.blocks(s.Blocks)
	}
	return m.out.Flush()
}

type writer struct {
	out  *bufio.Writer
	more func(int) string
	// colon stands between a name and its value.
	colon string
}

// printf writes a line; bufio keeps the first error until Flush.
func (m *writer) printf(format string, args ...any) { fmt.Fprintf(m.out, format+"\n", args...) }

// blocks writes blocks with an empty line between them.
func (m *writer) blocks(blocks []document.Block) {
	for i, b := range blocks {
		if i > 0 {
			m.printf("")
		}
		m.block(b)
	}
}

func (m *writer) block(b document.Block) {
	switch b := b.(type) {
	case document.Paragraph:
		if b.Kind == document.Finding {
			m.printf("**%s**", spans(b.Text, true))
			return
		}
		m.printf("%s", spans(b.Text, true))
	case document.List:
		m.list(b)
	case document.Facts:
		for _, f := range b.Items {
			m.fact(f)
		}
	case document.Table:
		m.table(b)
	case document.Fold:
		m.printf("<details><summary>%s</summary>\n", Inline(b.Title))
		m.blocks(b.Blocks)
		m.printf("\n</details>")
	case document.Labelled:
		m.labelled(b)
	case document.Quote:
		m.printf("%s", Quote(b.Text))
	case document.Passages:
		m.passages(b)
	case document.Transcript:
		m.printf("> %s", heard(b.Pieces))
	case document.Cases:
		first := true
		for c := range b.All {
			if !first {
				m.printf("")
			}
			first = false
			m.printf("### %s\n", spans(c.Heading, true))
			m.blocks(document.Visible(c.Blocks, document.Reading))
		}
	}
}

func (m *writer) labelled(b document.Labelled) {
	s := "**" + Escape(b.Label) + "**"
	if !strings.HasSuffix(b.Label, ".") {
		s = "**" + Escape(b.Label) + m.colon + "**"
	}
	if b.Text != nil {
		s += " " + spans(b.Text, false)
	}
	m.printf("%s", s)
	for _, inner := range b.Blocks {
		m.printf("")
		m.block(inner)
	}
}

// passages writes a list of excerpts, numbered if an answer cites them by rank.
func (m *writer) passages(p document.Passages) {
	var items []document.Item
	for _, x := range p.Items {
		s := ""
		if x.Score != "" {
			s = x.Score + m.colon + " "
		}
		if x.Text != "" {
			s += "“" + x.Text + "” "
		}
		if x.Name != "" {
			s += "(" + x.Name + ")"
		}
		for _, remark := range []string{x.Relevance, x.Note} {
			if remark != "" {
				s += " – " + remark
			}
		}
		items = append(items, document.Items(s)...)
	}
	if p.Left > 0 {
		items = append(items, document.Items(m.more(p.Left))...)
	}
	m.list(document.List{Items: items, Ordered: p.Cited})
}

func (m *writer) list(l document.List) {
	for i, item := range l.Items {
		mark := "-"
		if l.Ordered {
			mark = fmt.Sprintf("%d.", i+1)
		}
		m.printf("%s %s", mark, spans(item.Text, true))
		for _, s := range item.Sub {
			m.printf("  - %s", spans(s, true))
		}
	}
}

func (m *writer) fact(f document.Fact) {
	name := "**" + Escape(document.Line(f.Name)) + m.colon + "**"
	if f.Verdict != nil {
		name += " **" + Escape(document.Spaced(f.Verdict.Text)) + "**"
	}
	switch {
	case len(f.Lines) == 1 && f.Verdict != nil:
		m.printf("- %s – %s", name, spans(f.Lines[0], true))
	case len(f.Lines) == 1:
		m.printf("- %s %s", name, spans(f.Lines[0], true))
	default:
		m.printf("- %s", name)
		for _, l := range f.Lines {
			m.printf("  - %s", spans(l, true))
		}
	}
}

// spans writes a text; opening is set if the text begins a line or an item.
func spans(t document.Text, opening bool) string {
	var b strings.Builder
	for i, s := range t {
		text := Escape(document.Spaced(s.Text))
		if i == 0 && opening {
			text = Inline(s.Text)
			if strings.HasSuffix(s.Text, " ") {
				text += " "
			}
		}
		switch s.Style {
		case document.Code, document.CaseID:
			text = Code(s.Text)
		case document.Strong:
			text = "**" + text + "**"
		case document.Verdict:
			if s.Mark == document.Bad || s.Mark == document.Unsure {
				text = "**" + text + "**"
			}
		case document.Metric:
			text = Code(s.Text)
			if s.Estimate {
				text += " ≈"
			}
			if len(s.Notes) > 0 && s.Lower {
				text += " (" + Escape(s.Notes[0]) + ")"
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

func (m *writer) table(t document.Table) {
	var n document.Notes
	head, rule := "|", "|"
	for _, c := range t.Columns {
		name := Escape(document.Line(c.Head))
		if c.Code {
			name = Code(c.Head)
		}
		head += " " + name + " |"
		if c.Words || c.Plot > 0 {
			rule += "---|"
		} else {
			rule += "---:|"
		}
	}
	m.printf("%s\n%s", head, rule)
	for _, r := range t.Rows {
		line := "|"
		for k, c := range r.Cells {
			s := m.cell(c, r.Rank, k)
			if k == 0 {
				if marks := n.Mark(r.Remarks()); marks != "" {
					s += " " + marks
				}
			}
			line += " " + s + " |"
		}
		m.printf("%s", line)
	}
	texts := n.Texts()
	if texts != nil {
		m.printf("")
	}
	for _, s := range texts {
		m.printf("%s  ", Inline(s))
	}
}

func (m *writer) cell(c document.Cell, rank document.Rank, column int) string {
	if p, ok := c.Plot.(draw.TextPlot); ok {
		return p.Text(plotColumns)
	}
	if c.Cases != nil {
		var ids []string
		for _, id := range c.Cases[:min(mostCases, len(c.Cases))] {
			ids = append(ids, Code(id))
		}
		if n := len(c.Cases) - mostCases; n > 0 {
			ids = append(ids, m.more(n))
		}
		return strings.Join(ids, ", ")
	}
	s := spans(c.Text, false)
	if c.Below != "" {
		s += " [" + Escape(document.Line(c.Below)) + "]"
	}
	if s != "" && (rank == document.Whole && column < 2 || rank == document.End && column == 0) {
		s = "**" + s + "**"
	}
	return s
}

// heard shows a transcript with its errors: words of the reference that are missing are struck
// out, words that were added are bold.
func heard(pieces []document.Heard) string {
	var out []string
	for _, p := range pieces {
		if p.Same {
			out = append(out, Escape(document.Line(p.Hyp)))
			continue
		}
		if s := Escape(document.Line(p.Ref)); s != "" {
			out = append(out, "~~"+s+"~~")
		}
		if s := Escape(document.Line(p.Hyp)); s != "" {
			out = append(out, "**"+s+"**")
		}
	}
	return strings.Join(out, " ")
}
