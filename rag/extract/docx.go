package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

const (
	// maxStyles bounds the list of styles in bytes, since it is read into memory: a
	// large template has 100 KB. maxElements bounds the nesting of elements; Word
	// itself writes up to about 100.
	maxStyles   = 4 << 20
	maxElements = 10_000
)

// parseDOCX reads the body of a Word document as Markdown: headings by their style,
// tables row by row, list items with a dash. Deleted text, field codes, comments,
// notes, headers and footers are omitted.
func parseDOCX(ctx context.Context, data []byte) (content, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return content{}, fmt.Errorf("not a Word file: %w", err)
	}
	body, err := member(z, "word/document.xml", maxText)
	if errors.Is(err, fs.ErrNotExist) {
		return content{}, errors.New("not a Word file: the archive has no word/document.xml")
	}
	if err != nil {
		return content{}, err
	}
	styles, err := member(z, "word/styles.xml", maxStyles)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return content{}, err
	}
	w := &word{levels: headingStyles(styles)}
	if err := w.read(ctx, body); err != nil {
		return content{}, fmt.Errorf("word/document.xml: %w", err)
	}
	return content{title: w.title, text: w.out.String()}, nil
}

// member reads a file of the archive; unpacking more than most bytes is an error.
func member(z *zip.Reader, name string, most int64) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("more than %d MB unpacked", most>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// headingStyles maps the ids of styles to heading levels. The id may be in the author's
// language or a number, but the name "heading 2" is fixed. Without a readable list of
// styles, only the ids are used.
func headingStyles(data []byte) map[string]int {
	levels := map[string]int{"Title": 1}
	for i := range 6 {
		levels["Heading"+strconv.Itoa(i+1)] = i + 1
	}
	var list struct {
		Styles []struct {
			ID   string `xml:"styleId,attr"`
			Name struct {
				Val string `xml:"val,attr"`
			} `xml:"name"`
		} `xml:"style"`
	}
	if xml.Unmarshal(data, &list) != nil {
		return levels
	}
	for _, s := range list.Styles {
		name := strings.ToLower(s.Name.Val)
		if n, ok := strings.CutPrefix(name, "heading "); ok && len(n) == 1 && n[0] >= '1' && n[0] <= '6' {
			levels[s.ID] = int(n[0] - '0')
		} else if name == "title" {
			levels[s.ID] = 1
		}
	}
	return levels
}

// word is the state of the parser of a document's body.
type word struct {
	levels map[string]int
	title  string
	out    strings.Builder

	paragraph strings.Builder
	level     int  // of the paragraph as a heading, 0 for none
	item      bool // the paragraph is a list item
	inList    bool // the previous paragraph was
	inText    bool
	tables    int // number of open tables
	cells     []string
	cell      strings.Builder
}

// read processes the tokens of the body. It builds no tree; the decoder keeps only the
// open elements.
func (w *word) read(ctx context.Context, data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for n, depth := 0, 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			w.endParagraph()
			return nil
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "Fallback" {
				// An older rendering of the same text as the Choice before it.
				if err := d.Skip(); err != nil {
					return err
				}
				continue
			}
			if depth++; depth > maxElements {
				return fmt.Errorf("elements are nested more than %d deep", maxElements)
			}
			w.start(t)
		case xml.EndElement:
			depth--
			w.end(t.Name.Local)
		case xml.CharData:
			if w.inText {
				w.paragraph.Write(t)
			}
		}
	}
}

func (w *word) start(e xml.StartElement) {
	switch e.Name.Local {
	case "t":
		w.inText = true
	case "tab":
		w.paragraph.WriteByte('\t')
	case "br", "cr":
		w.paragraph.WriteByte('\n')
	case "noBreakHyphen":
		w.paragraph.WriteByte('-')
	case "numPr":
		w.item = true
	case "pStyle":
		for _, a := range e.Attr {
			if a.Name.Local == "val" {
				w.level = w.levels[a.Value]
			}
		}
	case "p":
		w.endParagraph()
	case "tbl":
		w.endParagraph()
		w.tables++
	}
}

func (w *word) end(name string) {
	switch name {
	case "t":
		w.inText = false
	case "p":
		w.endParagraph()
	case "tc":
		if w.tables == 1 {
			w.cells = append(w.cells, strings.Join(strings.Fields(w.cell.String()), " "))
			w.cell.Reset()
		}
	case "tr":
		if w.tables == 1 && strings.TrimSpace(strings.Join(w.cells, "")) != "" {
			w.out.WriteString("| " + strings.Join(w.cells, " | ") + " |\n")
		}
		if w.tables == 1 {
			w.cells = nil
		}
	case "tbl":
		w.tables = max(0, w.tables-1)
		if w.tables == 0 {
			w.cells = nil
			w.cell.Reset()
			w.out.WriteByte('\n')
		}
	}
}

// endParagraph writes the text read since the last paragraph. In a table it is added to
// the cell; a table within a cell becomes part of that cell's text.
func (w *word) endParagraph() {
	p, level, item := strings.TrimSpace(w.paragraph.String()), w.level, w.item
	w.paragraph.Reset()
	w.level, w.item = 0, false
	if p != "" && w.inList && !item {
		w.out.WriteByte('\n')
	}
	w.inList = item || p == "" && w.inList
	switch {
	case p == "":
	case w.tables > 0:
		w.cell.WriteString(p + " ")
	case level > 0:
		p = strings.Join(strings.Fields(p), " ")
		if w.title == "" {
			w.title = p
		}
		w.out.WriteString(strings.Repeat("#", level) + " " + p + "\n\n")
	case item:
		w.out.WriteString("- " + p + "\n")
	default:
		w.out.WriteString(p + "\n\n")
	}
}
