package extract_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/rag/extract"
)

// docx makes a Word file of the members given by name.
func docx(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func document(body string) string {
	return `<?xml version="1.0"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>` + body + `</w:body></w:document>`
}

const wordBody = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The </w:t></w:r><w:r><w:t>plan</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">One </w:t><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText><w:t>two</w:t><w:tab/><w:t>three</w:t><w:br/><w:t>four &amp; 五</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="2"/></w:pPr><w:r><w:t>Teil</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item</w:t></w:r></w:p><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item 2</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>A</w:t></w:r></w:p><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr>
<w:tr><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:tc><w:tc><w:p><w:r><w:t>B</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>box</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>box</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>`

const wordStyles = `<w:styles xmlns:w="w"><w:style w:styleId="2"><w:name w:val="heading 2"/></w:style></w:styles>`

func TestDOCX(t *testing.T) {
	t.Parallel()
	d := parse(t, "plan.docx", docx(t, "word/document.xml", document(wordBody), "word/styles.xml", wordStyles))
	want := "# The plan\n\nOne two\tthree\nfour & 五\n\n## Teil\n\n- item\n- item 2\n\n| A a |  |\n| in | B |\n\nbox"
	if diff := cmp.Diff(want, d.Text); diff != "" || d.Title != "The plan" {
		t.Errorf("title %q (-want +got):\n%s", d.Title, diff)
	}
}

func TestDOCXRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"another archive", docx(t, "x.txt", "x"), "the archive has no word/document.xml"},
		{"broken XML", docx(t, "word/document.xml", "<w:p><w:t>x</w:p>"), "word/document.xml: XML syntax error"},
		{"bomb", docx(t, "word/document.xml", document(strings.Repeat(" ", 64<<20))), "word/document.xml: more than 64 MB unpacked"},
		{"bomb of styles", docx(t, "word/document.xml", document(wordBody), "word/styles.xml", strings.Repeat(" ", 4<<20+1)),
			"word/styles.xml: more than 4 MB unpacked"},
		{"depth", docx(t, "word/document.xml", strings.Repeat("<w:p>", 10_001)), "more than 10000 deep"},
	} {
		if _, err := extract.Parse(t.Context(), "a.docx", c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzDOCX(f *testing.F) {
	f.Add([]byte(wordBody), []byte(wordStyles))
	f.Fuzz(func(t *testing.T, body, styles []byte) {
		data := docx(t, "word/document.xml", document(string(body)), "word/styles.xml", string(styles))
		d, err := extract.Parse(t.Context(), "a.docx", data)
		if err == nil && strings.TrimSpace(d.Text) != d.Text {
			t.Errorf("text %q", d.Text)
		}
	})
}
