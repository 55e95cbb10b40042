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

// pdfTimeout is the most time that one file may take. The largest manuals take
// a few seconds; what takes more goes in circles.
const pdfTimeout = 60 * time.Second

// parsePDF reads a PDF with the code of this package and, where that gives no
// readable text, with poppler's pdftotext if it is installed. There is no
// recognition of scanned pages.
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
	// What is no PDF, or asks for a password, is no better with another reader.
	if !bytes.Contains(data[:min(1024, len(data))], []byte("%PDF-")) {
		return content{}, errors.New("not a PDF file: it does not begin with %PDF-")
	}
	if errors.Is(err, pdf.ErrInvalidPassword) {
		return content{}, errors.New("encrypted: want a file without a password")
	}
	other, otherErr := pdftotext(ctx, data)
	if errors.Is(otherErr, exec.ErrNotFound) {
		return content{}, fmt.Errorf("%w; with pdftotext (poppler-utils) installed, that is tried too", err)
	}
	if otherErr == nil {
		otherErr = readable(other)
	}
	if otherErr != nil {
		return content{}, fmt.Errorf("%w; nor by pdftotext: %w", err, otherErr)
	}
	return content{title: c.title, text: other}, nil
}

// pdfContent reads the file in a goroutine of its own: the library underneath
// may go in circles on a damaged file without a way to stop it. It is stopped
// at its next read, which is where all the circles known of pass.
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

// guarded is a file that cannot be read once ctx is done.
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

// pdfTitle gives the title that the file's properties name, unless it is that
// of a program's file, as word processors write it.
func pdfTitle(s string) string {
	lower := strings.ToLower(s)
	for _, bad := range []string{"untitled", "microsoft word", ".doc", ".tex", ".dvi", ".indd", ".qxd", "\ufffd"} {
		if strings.Contains(lower, bad) {
			return ""
		}
	}
	return s
}

// The garbage check. The bounds are judgements on what was seen: text that is
// read rightly has under 1 % of characters without a meaning, is letters for two
// thirds (tables and dotted lines of contents: for half), and has words of 5
// characters; a font whose code is not known gives 30 % and more of the first,
// and a reader that misses the spaces gives words of 50.
const (
	maxMeaningless = 0.05
	minLetters     = 0.35
	maxWord        = 25
)

// readable returns an error that says what is wrong with a text.
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
		case r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || unicode.IsControl(r) || !unicode.IsPrint(r) && !unicode.Is(unicode.Cf, r):
			meaningless++
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			letters++
			// Only alphabets that write spaces have words to measure.
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
		return fmt.Errorf("unreadable: %d of %d characters have no meaning", meaningless, all)
	case float64(letters) < minLetters*float64(all):
		return fmt.Errorf("unreadable: only %d of %d characters are letters or digits", letters, all)
	case latin > maxWord*words:
		return fmt.Errorf("unreadable: no spaces: %d letters in %d words", latin, words)
	}
	return nil
}

// pdftotext asks poppler's program. The error is exec.ErrNotFound when it is
// not installed.
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

// limited is a buffer that refuses more than maxText.
type limited struct{ bytes.Buffer }

func (b *limited) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxText {
		return 0, fmt.Errorf("more than %d MB of text", maxText>>20)
	}
	return b.Buffer.Write(p)
}
