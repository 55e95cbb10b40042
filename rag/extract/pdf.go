package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"github.com/ledongthuc/pdf"
)

// pdfTimeout bounds the time for one file. The largest manuals take a few seconds; a
// longer time means an endless loop.
const pdfTimeout = 60 * time.Second

// parsePDF reads a PDF with the code of this package and, if that gives no readable
// text, with poppler's pdftotext if it is installed. Scanned pages are not recognised.
func parsePDF(ctx context.Context, data []byte) (content, error) {
	ctx, cancel := context.WithTimeout(ctx, pdfTimeout)
	defer cancel()
	c, err := pdfContent(ctx, data)
	if err == nil {
		err = readable(c.text)
	}
	if err == nil {
		return c, nil
	}
	if ctx.Err() != nil {
		return content{}, fmt.Errorf("not read within %v: %w", pdfTimeout, err)
	}
	// Another reader would not help for a file that is not a PDF, or that needs a
	// password.
	if !bytes.Contains(data[:min(1024, len(data))], []byte("%PDF-")) {
		return content{}, errors.New("not a PDF file: it does not begin with %PDF-")
	}
	if errors.Is(err, pdf.ErrInvalidPassword) {
		return content{}, errors.New("encrypted: want a file without a password")
	}
	other, otherErr := pdftotext(ctx, data)
	if errors.Is(otherErr, exec.ErrNotFound) {
		return content{}, fmt.Errorf("%w; if pdftotext (poppler-utils) is installed, it is tried too", err)
	}
	if otherErr == nil {
		otherErr = readable(other)
	}
	if otherErr != nil {
		return content{}, fmt.Errorf("%w; pdftotext failed too: %w", err, otherErr)
	}
	return content{title: c.title, text: other}, nil
}

// pdfContent reads the file in its own goroutine: the library may loop endlessly on a
// damaged file and cannot be interrupted. It stops at its next read, which all known
// loops reach.
func pdfContent(ctx context.Context, data []byte) (content, error) {
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
		r.c, r.err = readPDF(ctx, data)
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

func readPDF(ctx context.Context, data []byte) (content, error) {
	r, err := pdf.NewReader(guarded{ctx, bytes.NewReader(data)}, int64(len(data)))
	if err != nil {
		return content{}, err
	}
	root := r.Trailer().Key("Root").Key("Pages")
	d := &pdfDocument{ctx: ctx, fonts: map[string]*pdfFont{}}
	if err := d.walk(root, pdf.Value{}, 0); err != nil {
		return content{}, err
	}
	return content{title: pdfTitle(r.Trailer().Key("Info").Key("Title").Text()), text: pdfText(d.pages)}, ctx.Err()
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
// dotted tables of contents), and words of 5 characters. A font with an unknown
// encoding gives 30 % and more meaningless characters, and missing spaces give words of
// 50 characters.
const (
	maxMeaningless = 0.05
	minLetters     = 0.35
	maxWord        = 25
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
			// Word lengths apply only to alphabets with spaces.
			if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
				latin++
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

// pdftotext runs poppler's program. The error is exec.ErrNotFound if it is not
// installed.
func pdftotext(ctx context.Context, data []byte) (string, error) {
	name, err := exec.LookPath("pdftotext")
	if err != nil {
		return "", exec.ErrNotFound
	}
	cmd := exec.CommandContext(ctx, name, "-enc", "UTF-8", "-nopgbrk", "-", "-")
	cmd.Stdin = bytes.NewReader(data)
	var out, diag limited
	cmd.Stdout, cmd.Stderr = &out, &diag
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(diag.String(), "\n")
		return "", fmt.Errorf("%w: %s", err, first)
	}
	return tidyPDF(out.String()), nil
}

// limited is a buffer of at most maxText bytes.
type limited struct{ bytes.Buffer }

func (b *limited) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxText {
		return 0, fmt.Errorf("more than %d MB of text", maxText>>20)
	}
	return b.Buffer.Write(p)
}
