package extract_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/extract"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// parse reads a file's content and fails the test when it cannot be read.
func parse(t *testing.T, name string, data []byte) assay.Document {
	t.Helper()
	d, err := extract.Parse(t.Context(), name, data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, want string }{
		{"UTF-8", "a\r\nb\rc\n", "a\nb\nc"},
		{"byte order mark", "\xef\xbb\xbfété", "été"},
		{"UTF-16 LE", "\xff\xfeh\x00i\x00\x22\x6f", "hi漢"},
		{"UTF-16 BE", "\xfe\xff\x00h\x00i\x6f\x22", "hi漢"},
		{"empty", "", ""},
		{"mark alone", "\xef\xbb\xbf", ""},
	} {
		d := parse(t, "dir/note.txt", []byte(c.data))
		if d.Text != c.want || d.Title != "note" || d.ID != "dir/note.txt" {
			t.Errorf("%s: id %q, title %q, text %q, want %q", c.name, d.ID, d.Title, d.Text, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(1 + i*7%31) // control characters, no zero
	}
	for _, c := range []struct{ file, data, want string }{
		{"a.txt", "ok\nbad \xff byte", "line 2: byte 5 of the line (0xff) is not UTF-8: must be text in UTF-8, or in UTF-16 with a byte order mark"},
		{"a.txt", "PK\x03\x04\x00", "not text: line 1: a zip archive"},
		{"a.md", string(noise), "not text: too many control characters"},
		{"a.html", "<p>\x00\x01", "not text: line 1: byte 4 of the line is 0"},
		{"a.xlsx", "PK", `extension ".xlsx": expected one of .txt .text .md`},
		{"a.txt", strings.Repeat("x", 64<<20+1), "64.0 MB: expected 64 MB at most"},
		{"a.docx", "hello", "not a Word file"},
		{"a.pdf", "hello", "not a PDF file: it does not begin with %PDF-"},
		{"a.html", strings.Repeat("<div>", 600), "512"},
	} {
		d, err := extract.Parse(t.Context(), c.file, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || d.Text != "" {
			t.Errorf("%s: error %v, text %.40q, want %q", c.file, err, d.Text, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, title, text string }{
		{"first heading", "text\n\n## The `rate` *limit*\n\n# Other\n", "The rate limit", "text\n\n## The `rate` *limit*\n\n# Other"},
		{"underlined", "Big\n===\nx", "Big", "Big\n===\nx"},
		{"code is no heading", "```\n# no\n```\n# yes", "yes", "```\n# no\n```\n# yes"},
		{"front matter", "---\ntitle: \"Guide: one\"\ntags:\n  - a\n---\n# H\nx", "Guide: one", "# H\nx"},
		{"rules are no front matter", "---\nSome prose\n---\nx", "Some prose", "---\nSome prose\n---\nx"},
		{"none", "plain", "m", "plain"},
		{"empty heading", "#\n\n# B", "B", "#\n\n# B"},
	} {
		d := parse(t, "m.md", []byte(c.data))
		if d.Title != c.title || d.Text != c.text {
			t.Errorf("%s: title %q, text %q", c.name, d.Title, d.Text)
		}
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html><head><title> The
 page </title><style>p{}</style><script>var x</script></head><body>
<nav><a href="/">Home</a></nav><h1>Limits</h1><p>Up to <b>100</b> a_b * <a href="https://example.org/x">requests</a> &amp; more. <img src="i.png" alt="chart"></p>
<ul><li>one</li><li>two</li></ul><pre><code>go run .</code></pre>
<table><tr><th>Plan</th><th>Price</th></tr><tr><td>A</td><td>5</td></tr></table><footer>All rights</footer></body></html>`
	d := parse(t, "p.html", []byte(page))
	if d.Title != "The page" {
		t.Errorf("title %q", d.Title)
	}
	want := "# Limits\n\nUp to 100 a_b * requests & more. chart\n\n- one\n- two\n\n```\ngo run .\n```\n\n| Plan | Price " +
		"|\n|------|-------|\n| A    | 5     |"
	if diff := cmp.Diff(want, d.Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	main := parse(t, "p.htm", []byte("<h1>T</h1><div>menu</div><main><p>body</p></main>"))
	if main.Text != "body" || main.Title != "T" {
		t.Errorf("main: title %q, text %q", main.Title, main.Text)
	}
	// 中文 in GB 2312, as the page declares.
	gbk := parse(t, "p.html", []byte("<meta charset=\"gb2312\"><p>\xd6\xd0\xce\xc4</p>"))
	if gbk.Text != "中文" {
		t.Errorf("declared charset: %q", gbk.Text)
	}
	if _, err := extract.Parse(t.Context(), "p.html", []byte("<p>\xd6\xd0\xce\xc4</p>")); err == nil ||
		!strings.Contains(err.Error(), "is not UTF-8") {
		t.Errorf("undeclared charset: %v", err)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"b.txt": "b", "a/z.md": "# Z\nz", "a.txt": "a", ".hidden.txt": "h", ".git/x.txt": "h", "pic.png": "p", "Q.TXT": "q",
		"empty.txt": " \n", "bad.txt": "\xff", "broken.pdf": "%PDF-1.4 nothing", "1.bin": "", "2.bin": "", "3.bin": "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "b.txt"), filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	big, err := os.Create(filepath.Join(dir, "huge.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// A sparse file of 1 GB: it is refused by its size, not read.
	if err := big.Truncate(1 << 30); err != nil {
		t.Fatal(err)
	}
	big.Close()
	docs, problems, err := extract.Folder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Document{
		{ID: "Q.TXT", Title: "Q", Text: "q", Source: filepath.Join(dir, "Q.TXT")},
		{ID: "a.txt", Title: "a", Text: "a", Source: filepath.Join(dir, "a.txt")},
		{ID: "a/z.md", Title: "Z", Text: "# Z\nz", Source: filepath.Join(dir, "a", "z.md")},
		{ID: "b.txt", Title: "b", Text: "b", Source: filepath.Join(dir, "b.txt")},
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	var lines []string
	for _, p := range problems {
		s := p.String()
		if p.Note {
			s = "note: " + s
		}
		lines = append(lines, s)
	}
	for i, prefix := range []string{
		"note: 2 files left out, hidden: .git, .hidden.txt",
		"note: 1 file left out, not regular (symbolic links are not followed): link.txt",
		"note: 4 files left out, of an unsupported format (supported are .txt .text .md .markdown .html .htm .xhtml .pdf .docx): 1.bin, 2.bin, " +
			"3.bin, …",
		"note: 1 file left out, without text: empty.txt",
		"bad.txt: not text: line 1: byte",
		"broken.pdf: ",
		"huge.txt: 1024.0 MB: expected 64 MB at most",
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], prefix) {
			t.Errorf("problem %d: want %q in\n%s", i, prefix, strings.Join(lines, "\n"))
		}
	}
	if len(lines) != 7 {
		t.Errorf("%d problems, want 7:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

func TestFolderErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, _, err := extract.Folder(t.Context(), filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there: no error")
	}
	file := filepath.Join(dir, "f.txt")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := extract.Folder(t.Context(), file); err == nil || !strings.Contains(err.Error(), "expected a folder") {
		t.Errorf("a file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := extract.Folder(ctx, dir); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func fuzzParse(f *testing.F, name string) {
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := extract.Parse(t.Context(), name, data)
		if err == nil && strings.TrimSpace(d.Text) != d.Text || err != nil && d.Text != "" {
			t.Errorf("text %q, error %v", d.Text, err)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00"))
	f.Add([]byte("a\r\nb"))
	fuzzParse(f, "a.txt")
}

func FuzzMarkdown(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n# *H*\n"))
	f.Add([]byte("---\n---"))
	fuzzParse(f, "a.md")
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte("<title>t</title><main><table><tr><td>x<p><a href=y>z<img alt=q>"))
	f.Add([]byte("<meta charset=gbk>\xd6"))
	fuzzParse(f, "a.html")
}
