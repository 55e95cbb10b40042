package extract_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/requiretest"
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

// eachReader runs a test with pdftotext, where it is installed, and without.
func eachReader(t *testing.T, test func(t *testing.T, installed bool)) {
	t.Run("pdftotext", func(t *testing.T) {
		requiretest.Command(t, "pdftotext")
		test(t, true)
	})
	t.Run("library", func(t *testing.T) {
		t.Setenv("PATH", "")
		test(t, false)
	})
}

func TestPDF(t *testing.T) {
	eachReader(t, func(t *testing.T, _ bool) {
		for _, c := range []struct{ name, content, want string }{
			{"a string", "BT /F1 10 Tf 72 700 Td (Hello \\(old\\) w\\157rld) Tj ET", "Hello (old) world"},
			{"lines", "BT /F1 10 Tf 12 TL 72 700 Td (One.) Tj T* (Two, three.) Tj ET", "One.\nTwo, three."},
			{"Chinese by map", "BT /F2 10 Tf 72 700 Td <000100020003> Tj ET", "漢字存"},
			{"ligature", "BT /F2 10 Tf 72 700 Td <00050004> Tj ET", "effi"},
			{"a hyphen", "BT /F1 10 Tf 12 TL 72 700 Td (a long line of re-) Tj T* (trieval) Tj ET", "a long line of retrieval"},
		} {
			m := hanMap + " 2 beginbfchar <0004> <FB03> <0005> <0065> endbfchar"
			d, err := extract.Parse(t.Context(), "p.pdf", pagePDF("The title", noFont, m, c.content))
			if err != nil || d.Text != c.want && strings.ReplaceAll(d.Text, "ﬃ", "ffi") != c.want || d.Title != "The title" {
				t.Errorf("%s: title %q, text %q, error %v, want %q", c.name, d.Title, d.Text, err, c.want)
			}
		}
	})
}

func TestPDFPages(t *testing.T) {
	eachReader(t, func(t *testing.T, _ bool) {
		var pages []string
		for i := range 4 {
			pages = append(pages, fmt.Sprintf("BT /F1 10 Tf 72 700 Td (The Manual) Tj ET BT /F1 10 Tf 72 660 Td (Body %d begins) Tj ET "+
				"BT /F1 10 Tf 72 620 Td (%d) Tj ET", i, 17*i))
		}
		d := parse(t, "manual.pdf", pagePDF("untitled.doc", noFont, "", pages...))
		got := strings.Fields(d.Text)
		want := strings.Fields("The Manual Body 0 begins Body 1 begins Body 2 begins Body 3 begins")
		if diff := cmp.Diff(want, got); diff != "" || d.Title != "manual" {
			t.Errorf("title %q (-want +got):\n%s", d.Title, diff)
		}
	})
}

func TestPDFUnreadable(t *testing.T) {
	form := stream("/Subtype /Form /Resources << /Font << /F1 4 0 R >> >>", "BT /F1 10 Tf 72 700 Td (shared) Tj ET")
	shared := makePDF("<< /Pages 3 0 R >>", "<< >>", "<< /Type /Pages /Kids [5 0 R] /Count 1 >>", helvetica+strings.Repeat("500 ", 95)+"] >>",
		"<< /Type /Page /Contents 7 0 R /Resources << /XObject << /X 6 0 R >> >> >>", form, stream("", "/X Do"))
	show := "BT /F2 10 Tf 72 700 Td <00010002> Tj ET"
	good := pagePDF("t", noFont, hanMap, "BT /F1 10 Tf 72 700 Td (x) Tj ET")
	eachReader(t, func(t *testing.T, installed bool) {
		for _, c := range []struct {
			name string
			data []byte
			want string
			// library is set if pdftotext reads the file.
			library bool
		}{
			{"no PDF", []byte("hello"), "not a PDF file: it does not begin with %PDF-", false},
			{"scan", pagePDF("t", noFont, "", "q 10 0 0 10 0 0 cm Q"), "no text: a scan must be recognised first (OCR)", false},
			{"no spaces", pagePDF("t", noFont, hanMap, "BT /F1 10 Tf 72 700 Td (Thequickbrownfoxjumpsoverthelazydog) Tj ET"),
				"unreadable: no spaces: 35 letters in 1 words", false},
			{"Korean without spaces", pagePDF("t", noFont, "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <ac00> endbfchar",
				"BT /F2 10 Tf 72 700 Td <"+strings.Repeat("0001", 9)+"> Tj ET"), "unreadable: no spaces: 18 letters in 1 words", false},
			{"cut off", good[:len(good)/2], "", false},
			{"shared content", shared, "page 1: it shares content with other pages, which is not read", true},
			{"encoding of the library's own", pagePDF("t", strings.Replace(noFont, "Identity-H", "UniCNS-UCS2-H", 1), hanMap, show),
				"page 1: the characters of font F2 are unknown", true},
			{"codes without a meaning", pagePDF("t", strings.Replace(noFont, "/ToUnicode 6 0 R", "", 1), hanMap, show),
				"page 1: the characters of font F2 are unknown", true},
			{"bomb", pagePDF("t", noFont, hanMap, "BT /F1 10 Tf 72 700 Td (x) Tj ET"+strings.Repeat(" ", 9<<20)), "page 1: more than 8 MB of content", true},
		} {
			d, err := extract.Parse(t.Context(), "a.pdf", c.data)
			if installed && c.library {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || d.Text != "" {
				t.Errorf("%s: text %q, error %v, want %q", c.name, d.Text, err, c.want)
			}
			if hint := "install pdftotext (poppler-utils)"; err != nil && c.name != "no PDF" && strings.Contains(err.Error(), hint) == installed {
				t.Errorf("%s: %v: want %q where it is not installed", c.name, err, hint)
			}
		}
	})
}

// TestPDFRebuilt reads a file that points to its table of objects wrongly: the library
// cannot open it, pdftotext rebuilds the table.
func TestPDFRebuilt(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "pdftotext")
	whole := pagePDF("", noFont, "", "BT /F1 10 Tf 72 700 Td (The ferry leaves at eight in the morning.) Tj ET")
	at := bytes.LastIndex(whole, []byte("startxref\n")) + len("startxref\n")
	d := parse(t, "astray.pdf", append(bytes.Clone(whole[:at]), "7\n%%EOF\n"...))
	if want := "The ferry leaves at eight in the morning."; d.Text != want {
		t.Errorf("got %q, want %q", d.Text, want)
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

func FuzzPDFFile(f *testing.F) {
	f.Setenv("PATH", "")
	f.Add(pagePDF("t", noFont, hanMap, "BT /F1 10 Tf 72 700 Td (Hello) Tj ET"))
	fuzzParse(f, "a.pdf")
}
