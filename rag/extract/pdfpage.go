package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"

	"github.com/assay-eval/assay/internal/text"
)

// Limits on the structure of a PDF, each far above that of real documents.
const (
	maxPages    = 20_000
	maxTree     = 64 // depth of the page tree
	maxForms    = 8  // depth of nested forms
	maxContent  = 32 << 20
	maxOperands = 1 << 16
)

// pdfDocument extracts the text of all pages.
type pdfDocument struct {
	ctx   context.Context
	fonts map[string]*pdfFont
	pages []string
	size  int
	nodes int
}

// walk visits the pages below a node of the tree, in order. resources are inherited by
// the node.
func (d *pdfDocument) walk(node, resources pdf.Value, depth int) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	// A damaged tree may contain itself.
	if d.nodes++; d.nodes > 4*maxPages {
		return errors.New("not a valid PDF file: the page tree is endless")
	}
	if r := node.Key("Resources"); r.Kind() == pdf.Dict {
		resources = r
	}
	kids := node.Key("Kids")
	if kids.Kind() == pdf.Array {
		if depth > maxTree {
			return errors.New("not a valid PDF file: the page tree is too deep")
		}
		for i := range kids.Len() {
			if err := d.walk(kids.Index(i), resources, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if len(d.pages) == maxPages {
		return fmt.Errorf("more than %d pages: split the file", maxPages)
	}
	p := &pdfPage{doc: d, state: pdfState{ctm: identity, scale: 1}}
	data, err := streams(node.Key("Contents"))
	if err == nil {
		err = p.run(data, resources, 0)
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", len(d.pages)+1, err)
	}
	d.size += p.out.Len()
	if d.size > maxText {
		return fmt.Errorf("more than %d MB of text", maxText>>20)
	}
	d.pages = append(d.pages, p.out.String())
	return nil
}

// streams reads a stream, or concatenates an array of streams.
func streams(v pdf.Value) ([]byte, error) {
	var all bytes.Buffer
	each := []pdf.Value{v}
	if v.Kind() == pdf.Array {
		each = nil
		for i := range v.Len() {
			each = append(each, v.Index(i))
		}
	}
	for _, s := range each {
		if s.Kind() != pdf.Stream {
			continue
		}
		// A truncated stream is read as far as possible, as viewers do.
		_, _ = io.Copy(&all, io.LimitReader(s.Reader(), int64(maxContent-all.Len())+1))
		if all.Len() > maxContent {
			return nil, fmt.Errorf("more than %d MB of content", maxContent>>20)
		}
		all.WriteByte('\n')
	}
	return all.Bytes(), nil
}

// matrix is a, b, c, d, e, f of [a b 0; c d 0; e f 1].
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// pdfState is the part of the graphics state that affects text.
type pdfState struct {
	ctm                        matrix
	font                       *pdfFont
	size, charSpace, wordSpace float64
	scale, leading, rise       float64
}

// pdfPage converts the operators of a page to text: the position of each string is
// compared with the end of the previous one; a gap becomes a space, a vertical step a
// line break.
type pdfPage struct {
	doc      *pdfDocument
	state    pdfState
	stack    []pdfState
	tm, line matrix
	out      strings.Builder

	started    bool
	endX, endY float64 // end of the last string, in page coordinates
	dirX, dirY float64 // the direction of its line, of length 1
	last       rune
}

// run executes a content stream.
func (p *pdfPage) run(data []byte, resources pdf.Value, depth int) error {
	base := len(p.stack)
	lex := &pdfLexer{data: data}
	fonts := map[string]*pdfFont{}
	for n := 0; ; n++ {
		if n%1024 == 0 && p.doc.ctx.Err() != nil {
			return p.doc.ctx.Err()
		}
		op, args, ok := lex.next()
		if !ok {
			p.stack = p.stack[:min(base, len(p.stack))]
			return nil
		}
		if op == "Do" && len(args) == 1 {
			if err := p.form(resources.Key("XObject").Key(args[0].str), resources, depth); err != nil {
				return err
			}
			continue
		}
		if op == "Tf" && len(args) == 2 {
			name := args[0].str
			if fonts[name] == nil {
				fonts[name] = p.doc.font(resources.Key("Font").Key(name))
			}
			p.state.font = fonts[name]
			p.state.size = args[1].num
			continue
		}
		p.do(op, args, base)
		if p.out.Len() > maxText {
			return fmt.Errorf("more than %d MB of text", maxText>>20)
		}
	}
}

// form runs a form: content that pages share.
func (p *pdfPage) form(form, resources pdf.Value, depth int) error {
	if form.Kind() != pdf.Stream || form.Key("Subtype").Name() != "Form" || depth >= maxForms {
		return nil
	}
	data, err := streams(form)
	if err != nil {
		return err
	}
	if r := form.Key("Resources"); r.Kind() == pdf.Dict {
		resources = r
	}
	saved := p.state
	if m := form.Key("Matrix"); m.Len() == 6 {
		var f matrix
		for i := range f {
			f[i] = m.Index(i).Float64()
		}
		p.state.ctm = f.mul(p.state.ctm)
	}
	err = p.run(data, resources, depth+1)
	p.state = saved
	return err
}

// do executes an operator; one with too few operands is ignored.
func (p *pdfPage) do(op string, args []pdfOperand, base int) {
	s := &p.state
	num := func(i int) float64 { return args[i].num }
	if want, ok := pdfOperators[op]; !ok || len(args) < want {
		return
	}
	switch op {
	case "q":
		if len(p.stack) < maxOperands {
			p.stack = append(p.stack, *s)
		}
	case "Q":
		if len(p.stack) > base {
			*s = p.stack[len(p.stack)-1]
			p.stack = p.stack[:len(p.stack)-1]
		}
	case "cm":
		s.ctm = matrix{num(0), num(1), num(2), num(3), num(4), num(5)}.mul(s.ctm)
	case "BT":
		p.tm, p.line = identity, identity
	case "Tc":
		s.charSpace = num(0)
	case "Tw":
		s.wordSpace = num(0)
	case "Tz":
		s.scale = num(0) / 100
	case "TL":
		s.leading = num(0)
	case "Ts":
		s.rise = num(0)
	case "Td":
		p.move(num(0), num(1))
	case "TD":
		s.leading = -num(1)
		p.move(num(0), num(1))
	case "T*":
		p.move(0, -s.leading)
	case "Tm":
		p.tm = matrix{num(0), num(1), num(2), num(3), num(4), num(5)}
		p.line = p.tm
	case "Tj":
		p.show(args[0].str)
	case "'":
		p.move(0, -s.leading)
		p.show(args[0].str)
	case "\"":
		s.wordSpace, s.charSpace = num(0), num(1)
		p.move(0, -s.leading)
		p.show(args[2].str)
	case "TJ":
		for _, a := range args[0].list {
			if a.kind == pdfString {
				p.show(a.str)
			} else {
				p.advance(-a.num / 1000 * s.size * s.scale)
			}
		}
	}
}

// pdfOperators are the operators that move or show text, with their operand counts.
var pdfOperators = map[string]int{
	"q": 0, "Q": 0, "cm": 6, "BT": 0, "Tc": 1, "Tw": 1, "Tz": 1, "TL": 1, "Ts": 1,
	"Td": 2, "TD": 2, "T*": 0, "Tm": 6, "Tj": 1, "'": 1, "\"": 3, "TJ": 1,
}

func (p *pdfPage) move(x, y float64) {
	p.line = matrix{1, 0, 0, 1, x, y}.mul(p.line)
	p.tm = p.line
}

func (p *pdfPage) advance(x float64) { p.tm = matrix{1, 0, 0, 1, x, 0}.mul(p.tm) }

// show writes a string, after the space or the line break that its position implies.
func (p *pdfPage) show(raw string) {
	s := &p.state
	if raw == "" || s.font == nil {
		return
	}
	first := true
	for raw != "" {
		g := s.font.next(raw)
		raw = raw[g.bytes:]
		if first && g.text != "" {
			r, _ := utf8.DecodeRuneInString(g.text)
			p.place(r)
			first = false
		}
		p.out.WriteString(g.text)
		if g.text != "" {
			p.last, _ = utf8.DecodeLastRuneInString(g.text)
		}
		step := g.width/1000*s.size + s.charSpace
		if g.space {
			step += s.wordSpace
		}
		p.advance(step * s.scale)
	}
	m := p.tm.mul(s.ctm)
	p.endX, p.endY = m[4], m[5]
}

// Gaps that separate words and lines, relative to the type size. Kerning moves letters
// by at most a tenth, a narrow space is a fifth; lines are 1.2 apart, with extra space
// 1.5.
const (
	gapSpace     = 0.15
	gapBack      = 0.5
	gapLine      = 0.5
	gapParagraph = 1.8
)

// place compares the current position with the end of the last string.
func (p *pdfPage) place(next rune) {
	m := matrix{1, 0, 0, 1, 0, p.state.rise}.mul(p.tm).mul(p.state.ctm)
	length := math.Hypot(m[0], m[1])
	size := math.Abs(p.state.size) * math.Hypot(m[2], m[3])
	if !(length > 0 && size > 0) || math.IsInf(length, 0) || math.IsInf(size, 0) {
		return
	}
	dirX, dirY := m[0]/length, m[1]/length
	dx, dy := m[4]-p.endX, m[5]-p.endY
	along, across := dx*dirX+dy*dirY, math.Abs(dx*dirY-dy*dirX)
	up := dx*-dirY+dy*dirX > 0
	turned := dirX*p.dirX+dirY*p.dirY < 0.9
	started := p.started
	p.started, p.dirX, p.dirY = true, dirX, dirY
	switch {
	case !started:
	case turned || across > gapParagraph*size || up && across > gapLine*size:
		p.out.WriteString("\n\n")
	case across > gapLine*size || along < -gapBack*size:
		p.out.WriteString("\n")
	case along > gapSpace*size && p.last != ' ' && next != ' ' && !(text.IsCJK(p.last) && text.IsCJK(next)):
		p.out.WriteByte(' ')
	}
}
