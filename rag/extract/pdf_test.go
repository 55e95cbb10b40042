package extract_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/rag/extract"
)

// makePDF writes objects, numbered from 1, with their table of offsets.
func makePDF(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var table strings.Builder
	for i, o := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R /Info 2 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, table.String(), len(objects)+1, start)
	return b.Bytes()
}

func stream(dict, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
}

func deflated(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return stream("/Filter /FlateDecode", b.String())
}

// 500 each
const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths ["

// pagePDF makes a file of pages with one simple font F1, each letter half the
// type size wide, and the font of the last two arguments as F2.
func pagePDF(title, font2, cmap string, contents ...string) []byte {
	objects := []string{
		"<< /Type /Catalog /Pages 3 0 R >>", "<< /Title (" + title + ") >>", "",
		helvetica + strings.Repeat("500 ", 95) + "] >>", font2, stream("", cmap),
	}
	var kids []string
	for _, c := range contents {
		n := len(objects)
		kids = append(kids, fmt.Sprintf("%d 0 R", n+1))
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 3 0 R /Contents %d 0 R >>", n+2), deflated(c))
	}
	objects[2] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>", len(kids),
		strings.Join(kids, " "))
	return makePDF(objects...)
}

const noFont = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /DW 1000 >>] >>"

// hanMap gives code 1 the text 漢 and codes 2 and 3 字 and its successor, 存.
const hanMap = "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <6f22> endbfchar 1 beginbfrange <0002> " +
	"<0003> <5b57> endbfrange"

func TestPDF(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, content, want string }{
		{"a string", "BT /F1 10 Tf 72 700 Td (Hello \\(old\\) w\\157rld) Tj ET", "Hello (old) world"},
		{"lines", "BT /F1 10 Tf 12 TL 72 700 Td (One.) Tj T* (Two.) Tj (Three.) ' ET", "One.\nTwo.\nThree."},
		// Of size 10 a letter is 5 wide. -50 is a half of one tenth of an em;
		// -300 is three tenths, a space; no space is in the strings.
		{"kerning and spaces", "BT /F1 10 Tf 72 700 Td [(T) 70 (o) -300 (b) -50 (e) ] TJ ET", "To be"},
		// The second string begins 3 behind the end of the first, 72 + 10.
		{"a gap", "BT /F1 10 Tf 72 700 Td (ab) Tj 13 0 Td (cd) Tj ET", "ab cd"},
		{"no gap", "BT /F1 10 Tf 72 700 Td (ab) Tj 10 0 Td (cd) Tj ET", "abcd"},
		{"a paragraph", "BT /F1 10 Tf 72 700 Td (one) Tj 0 -25 Td (two) Tj ET", "one\n\ntwo"},
		{"a hyphen", "BT /F1 10 Tf 72 700 Td (a long line of re-) Tj 0 -12 Td (trieval) Tj ET", "a long line of retrieval"},
		{"scaled by cm", "q 10 0 0 10 0 0 cm BT /F1 1 Tf 7 70 Td (ab) Tj 1.3 0 Td (cd) Tj ET Q", "ab cd"},
		{"hexadecimal and name", "BT /F#31 10 Tf 1 0 0 1 72 700 Tm <48 69> Tj ET % (no)", "Hi"},
		{"Chinese by map", "BT /F2 10 Tf 72 700 Td [<0001> -400 <00020003>] TJ ET", "漢字存"},
		{"ligature", "BT /F1 10 Tf 72 700 Td (e) Tj /F2 10 Tf <0004> Tj /F1 10 Tf (cient) Tj ET", "efficient"},
		{"image data", "BI /W 1 ID (\x00 ET EI BT /F1 10 Tf 72 700 Td (x1) Tj ET", "x1"},
		{"too few operands", "BT /F1 10 Tf Td Tj 1 Tm 72 700 Td (still) Tj Q Q ET", "still"},
	} {
		d, err := extract.Parse(t.Context(), "p.pdf", pagePDF("The title", noFont, hanMap+" 1 beginbfchar <0004> <FB03> endbfchar", c.content))
		if err != nil || d.Text != c.want || d.Title != "The title" {
			t.Errorf("%s: title %q, text %q, error %v, want %q", c.name, d.Title, d.Text, err, c.want)
		}
	}
}

func TestPDFPages(t *testing.T) {
	t.Parallel()
	var pages []string
	for i := range 4 {
		pages = append(pages, fmt.Sprintf("BT /F1 10 Tf 72 700 Td (The Manual) Tj 0 -30 Td (Body %d begins) Tj 0 -30 Td (%d) Tj ET", i, 17*i))
	}
	d := parse(t, "manual.pdf", pagePDF("untitled.doc", noFont, "", pages...))
	want := "The Manual\n\nBody 0 begins\n\nBody 1 begins\n\nBody 2 begins\n\nBody 3 begins"
	if diff := cmp.Diff(want, d.Text); diff != "" || d.Title != "manual" {
		t.Errorf("title %q (-want +got):\n%s", d.Title, diff)
	}
}

func TestPDFForm(t *testing.T) {
	t.Parallel()
	form := "/Subtype /Form /Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >>"
	data := makePDF("<< /Pages 3 0 R >>", "<< >>", "<< /Kids [5 0 R] /Count 1 >>", helvetica+strings.Repeat("500 ", 95)+"] >>",
		"<< /Type /Page /Contents 7 0 R /Resources << /XObject << /X 6 0 R >> >> >>",
		// The form draws itself once more, which must end.
		stream(form, "BT /F1 10 Tf 72 700 Td (shared) Tj ET 1 0 0 1 0 -40 cm /X Do"), stream("", "/X Do"))
	d := parse(t, "f.pdf", data)
	if n := strings.Count(d.Text, "shared"); n != 8 {
		t.Errorf("a form within itself is drawn %d times, want 8, the limit: %q", n, d.Text)
	}
}

func TestPDFRefused(t *testing.T) {
	t.Parallel()
	show := "BT /F2 10 Tf 72 700 Td <00100011001200130014> Tj ET"
	cyclic := makePDF("<< /Pages 3 0 R >>", "<< >>", "<< /Kids [3 0 R 3 0 R] /Count 2 >>")
	good := pagePDF("t", noFont, hanMap, "BT /F1 10 Tf 72 700 Td (x) Tj ET")
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"scan", pagePDF("t", noFont, "", "q 10 0 0 10 0 0 cm Q"), "no text: a scan must be recognised first (OCR)"},
		{"codes without a meaning", pagePDF("t", noFont, hanMap, show), "unreadable: 5 of 5 characters are meaningless"},
		{"no spaces", pagePDF("t", noFont, hanMap, "BT /F1 10 Tf (Thequickbrownfoxjumpsoverthelazydog) Tj ET"),
			"unreadable: no spaces: 35 letters in 1 words"},
		{"tree that holds itself", cyclic, "the page tree"},
		{"cut off", good[:len(good)/2], ""},
		{"bomb", pagePDF("t", noFont, hanMap, strings.Repeat(" ", 33<<20)), "page 1: more than 32 MB of content"},
	} {
		d, err := extract.Parse(t.Context(), "a.pdf", c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || d.Text != "" {
			t.Errorf("%s: text %q, error %v, want %q", c.name, d.Text, err, c.want)
		}
	}
}

func TestPDFCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := extract.Parse(ctx, "a.pdf", pagePDF("t", noFont, "", "BT (x) Tj ET")); err == nil {
		t.Error("no error")
	}
}

func FuzzPDF(f *testing.F) {
	f.Add([]byte("BT /F1 10 Tf 72 700 Td [(T) 70 (o) -300 (b)] TJ T* (x\\051) ' ET"), []byte(hanMap))
	f.Add([]byte("q /F2 1 Tf BI ID EI <0001> Tj Q [<< /a (b) >> ["), []byte("1 beginbfrange <00> <ff> [<0041> <0042>] endbfrange"))
	f.Fuzz(func(t *testing.T, content, cmap []byte) {
		// Errors are as good as text; what must not be is a panic or a hang.
		d, err := extract.Parse(t.Context(), "a.pdf", pagePDF("t", noFont, string(cmap), string(content)))
		if err != nil && (d.Text != "" || strings.Contains(err.Error(), "runtime error")) {
			t.Errorf("text %q, error %v", d.Text, err)
		}
	})
}

func FuzzPDFFile(f *testing.F) {
	f.Add(pagePDF("t", noFont, hanMap, "BT /F1 10 Tf 72 700 Td (Hello) Tj ET"))
	fuzzParse(f, "a.pdf")
}
