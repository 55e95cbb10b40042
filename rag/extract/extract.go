// Package extract converts files to documents: text, Markdown, HTML, PDF and Word. It
// reports everything that it cannot read and omits nothing silently.
//
// HTML and Word are converted to Markdown, so that the chunker sees their headings.
package extract

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// maxFile is the size of the largest file that is read. A book is 1 MB of text and the
// largest manuals are about 30 MB as PDF; a larger file is a mistake or not text.
const maxFile = 64 << 20

// maxText is the size of the largest text of one file, so that a small file that
// unpacks to a huge one is rejected before it fills the memory.
const maxText = 64 << 20

// A Format is a file format.
type Format struct {
	// Name is the format's name in messages.
	Name string
	// Extensions are its file extensions, in lower case with the dot.
	Extensions []string

	parse func(ctx context.Context, data []byte) (content, error)
}

// content is the result of a parser.
type content struct {
	// title is the file's own title, or "".
	title string
	text  string
}

// Formats lists the supported formats.
func Formats() []Format {
	return []Format{
		{"text", []string{".txt", ".text"}, parseText},
		{"Markdown", []string{".md", ".markdown"}, parseMarkdown},
		{"HTML", []string{".html", ".htm", ".xhtml"}, parseHTML},
		{"PDF", []string{".pdf"}, parsePDF},
		{"Word", []string{".docx"}, parseDOCX},
	}
}

// format returns the format of a file by its extension.
func format(name string) (Format, bool) {
	ext := strings.ToLower(path.Ext(name))
	for _, f := range Formats() {
		if slices.Contains(f.Extensions, ext) {
			return f, true
		}
	}
	return Format{}, false
}

// extensions lists the extensions of all formats.
func extensions() string {
	var all []string
	for _, f := range Formats() {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, " ")
}

// Parse parses a file's content. name is the document's id; its extension decides the
// format. The title is the file's own, or else the name without the extension. The text
// may be blank.
func Parse(ctx context.Context, name string, data []byte) (doc assay.Document, err error) {
	f, ok := format(name)
	if !ok {
		return doc, fmt.Errorf("extension %q: expected one of %s", path.Ext(name), extensions())
	}
	if len(data) > maxFile {
		return doc, tooLarge(int64(len(data)))
	}
	// Third-party parsers may panic on a malformed document, which must not end the
	// program.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("not a valid %s file: %v", f.Name, r)
		}
	}()
	if err := ctx.Err(); err != nil {
		return doc, err
	}
	c, err := f.parse(ctx, data)
	if err != nil {
		return doc, err
	}
	doc = assay.Document{ID: name, Title: strings.Join(strings.Fields(c.title), " "), Text: strings.TrimSpace(c.text)}
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	return doc, nil
}

func read(ctx context.Context, file, id string) (assay.Document, error) {
	f, err := os.Open(file)
	if err != nil {
		return assay.Document{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return assay.Document{}, err
	}
	if info.Size() > maxFile {
		return assay.Document{}, tooLarge(info.Size())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return assay.Document{}, err
	}
	doc, err := Parse(ctx, id, data)
	doc.Source = file
	return doc, err
}

func tooLarge(size int64) error {
	return fmt.Errorf("%.1f MB: expected %d MB at most; split the file", float64(size)/(1<<20), maxFile>>20)
}
