package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"github.com/ledongthuc/pdf"

	"github.com/assay-eval/assay/internal/process"
)

// pdfTimeout bounds the time for one file. The largest manuals take a few seconds; a
// longer time means an endless loop.
const pdfTimeout = 60 * time.Second

// maxContent bounds what a page unpacks to, far above real pages.
const maxContent = 8 << 20

// parsePDF reads a PDF with poppler's pdftotext if it is installed, else with the
// library, which cannot read every file. Scanned pages are not recognised.
func parsePDF(ctx context.Context, data []byte) (content, error) {
	if !bytes.Contains(data[:min(1024, len(data))], []byte("%PDF-")) {
		return content{}, errors.New("not a PDF file: it does not begin with %PDF-")
	}
	ctx, cancel := context.WithTimeout(ctx, pdfTimeout)
	defer cancel()
	program, missing := exec.LookPath("pdftotext")
	c, err := pdfContent(ctx, data, missing != nil)
	if errors.Is(err, pdf.ErrInvalidPassword) {
		return content{}, errors.New("encrypted: expected a file without a password")
	}
	if missing == nil {
		c.text, err = pdftotext(ctx, program, data)
	}
	if err == nil {
		err = readable(c.text)
	}
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return content{}, fmt.Errorf("not read within %v: %w", pdfTimeout, err)
	case missing != nil:
		return content{}, fmt.Errorf("%w; install pdftotext (poppler-utils), which reads more files", err)
	}
	return content{}, err
}

// pdfContent reads the title, and the text if it is wanted, in its own goroutine: the
// library may loop endlessly on a damaged file and cannot be interrupted. It stops at its
// next read, which all known loops reach.
func pdfContent(ctx context.Context, data []byte, text bool) (content, error) {
	type result struct {
		c   content
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: fmt.Errorf("not a valid PDF file: %v", p)}
			}
			done <- r
		}()
		r.c, r.err = readPDF(ctx, data, text)
	}()
	select {
	case r := <-done:
		return r.c, r.err
	case <-ctx.Done():
		return content{}, ctx.Err()
	}
}

// guarded is a file whose reads fail once ctx is done.
type guarded struct {
	ctx  context.Context
	data *bytes.Reader
}

func (g guarded) ReadAt(p []byte, off int64) (int, error) {
	if err := g.ctx.Err(); err != nil {
		return 0, err
	}
	return g.data.ReadAt(p, off)
}

func readPDF(ctx context.Context, data []byte, text bool) (c content, err error) {
	r, err := pdf.NewReader(guarded{ctx, bytes.NewReader(data)}, int64(len(data)))
	if err != nil {
		return c, err
	}
	c.title = pdfTitle(r.Trailer().Key("Info").Key("Title").Text())
	var pages []string
	size := 0
	for n := 1; text && n <= r.NumPage(); n++ {
		page := r.Page(n)
		if page.V.IsNull() {
			return c, fmt.Errorf("not a valid PDF file: page %d is missing", n)
		}
		s, err := pageText(page)
		if err != nil {
			return c, fmt.Errorf("page %d: %w", n, err)
		}
		if size += len(s); size > maxText {
			return c, fmt.Errorf("more than %d MB of text", maxText>>20)
		}
		pages = append(pages, s)
	}
	c.text = pdfText(pages)
	return c, ctx.Err()
}

// pageText returns the text of a page, unless the library would miss some or misread it.
func pageText(p pdf.Page) (string, error) {
	if err := bounded(p.V.Key("Contents")); err != nil {
		return "", err
	}
	shared := p.Resources().Key("XObject")
	for _, name := range shared.Keys() {
		if shared.Key(name).Key("Subtype").Name() == "Form" {
			return "", errors.New("it shares content with other pages, which is not read")
		}
	}
	for _, name := range p.Fonts() {
		font := p.Font(name).V
		characters, encoding := font.Key("ToUnicode"), font.Key("Encoding").Name()
		if err := bounded(characters); err != nil {
			return "", err
		}
		if font.Key("Subtype").Name() == "Type0" && encoding != "UniGB-UCS2-H" && (encoding != "Identity-H" || characters.Kind() != pdf.Stream) {
			return "", fmt.Errorf("the characters of font %s are unknown", name)
		}
	}
	return p.GetPlainText(nil)
}

// bounded returns an error if a stream, or an array of streams, unpacks to more than a
// page can hold.
func bounded(v pdf.Value) error {
	streams := []pdf.Value{v}
	for i := range v.Len() {
		streams = append(streams, v.Index(i))
	}
	left := int64(maxContent)
	for _, s := range streams {
		if s.Kind() != pdf.Stream {
			continue
		}
		// What is damaged ends early, for the library too.
		n, _ := io.Copy(io.Discard, io.LimitReader(s.Reader(), left+1))
		if left -= n; left < 0 {
			return fmt.Errorf("more than %d MB of content", maxContent>>20)
		}
	}
	return nil
}

// pdfTitle returns the title in the file's properties, unless it is a generated one
// such as a file name, as word processors write.
func pdfTitle(s string) string {
	lower := strings.ToLower(s)
	for _, bad := range []string{"untitled", "microsoft word", ".doc", ".tex", ".dvi", ".indd", ".qxd", "\ufffd"} {
		if strings.Contains(lower, bad) {
			return ""
		}
	}
	return s
}

// Limits of the readability check, chosen from observed files: correctly extracted text
// has less than 1 % of meaningless characters, two thirds letters (half in tables and
// dotted tables of contents), and words of 5 characters, 8 in Chinese manuals full of
// addresses. A font with an unknown encoding gives 30 % and more meaningless characters,
// and missing spaces give words of 14 to 1,000 characters.
const (
	maxMeaningless = 0.05
	minLetters     = 0.35
	maxWord        = 12
)

// readable returns an error that describes why a text is unreadable.
func readable(s string) error {
	var letters, meaningless, all, words, latin int
	inWord := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			inWord = false
			continue
		}
		all++
		switch {
		case r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || unicode.IsControl(r) || !unicode.IsPrint(r) &&
			!unicode.Is(unicode.Cf, r):
			meaningless++
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			letters++
			// Word lengths apply only to scripts with spaces. A Korean syllable is two or
			// three letters.
			if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hangul) {
				latin++
				if unicode.Is(unicode.Hangul, r) {
					latin++
				}
				if !inWord {
					words++
				}
				inWord = true
			}
		}
	}
	switch {
	case all == 0:
		return errors.New("no text: a scan must be recognised first (OCR)")
	case float64(meaningless) > maxMeaningless*float64(all):
		return fmt.Errorf("unreadable: %d of %d characters are meaningless", meaningless, all)
	case float64(letters) < minLetters*float64(all):
		return fmt.Errorf("unreadable: only %d of %d characters are letters or digits", letters, all)
	case latin > maxWord*words:
		return fmt.Errorf("unreadable: no spaces: %d letters in %d words", latin, words)
	}
	return nil
}

// pdftotext runs poppler's program.
func pdftotext(ctx context.Context, program string, data []byte) (string, error) {
	out, err := process.Once{
		// In the order of the content, columns and tables keep together.
		Args: []string{program, "-raw", "-enc", "UTF-8", "-", "-"}, Stdin: bytes.NewReader(data), Most: maxText,
	}.Run(ctx)
	if over := (*process.OnceError)(nil); errors.As(err, &over) && over.Why == process.Overflow {
		return "", fmt.Errorf("more than %d MB of text", maxText>>20)
	}
	return pdfText(strings.Split(out, "\f")), err
}
