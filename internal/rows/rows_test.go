package rows_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/rows"
)

func read(text string) (string, error) {
	var out []string
	var columns []string
	r := rows.Reader{Name: "x", Want: "a row"}
	r.Header = func(_ int, names []string, _ bool) bool { columns = names; return true }
	r.Row = func(line int, value func(string) any) {
		for _, c := range columns {
			out = append(out, fmt.Sprintf("%d %s=%v", line, c, value(c)))
		}
	}
	err := r.Read(strings.NewReader(text))
	return strings.Join(out, "; "), err
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a,b\n1,2\n":                        "2 a=1; 2 b=2",
		"a;b\n\"x;y\";2\n":                  "2 a=x;y; 2 b=2",
		"a\tb\n\t2\n":                       "2 a=; 2 b=2",
		"a\tb\n1\t\"2\n\n3\t4\"\n":          `2 a=1; 2 b="2; 4 a=3; 4 b=4"`,
		"a\tb\n1\t\"2\n3\"\n":               "2 a=1; 2 b=2\n3",
		"\ufeffa,b\n1,2\n":                  "2 a=1; 2 b=2",
		"{\"b\":1.50,\"a\":null}":           "1 a=<nil>; 1 b=1.50",
		"{\"a\":1}\n\n{\"b\":[]}":           "1 a=1; 3 b=[]",
		"\xff\xfea\x00\n\x00\xb0\x65\n\x00": "2 a=新",
		"\xfe\xff\x00a\x00\n\x65\xb0\x00\n": "2 a=新",
		"a\n\ufffd\n":                       "2 a=\ufffd",
	} {
		if got, err := read(text); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

// Text in another encoding is an error, with the place of its first byte.
func TestReadWantsUnicode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a,b\n1,\xb4\xe4\n":                "x:2: byte 3 of the line (0xb4) is not UTF-8",
		"\ufeffa,b\n1,2\n\xe9\n":           "x:3: byte 1 of the line (0xe9) is not UTF-8",
		"{\"a\":\"caf\xe9\"}\n":            "x:1: byte 10 of the line (0xe9) is not UTF-8",
		"a\x00,\x00b\x00\n\x001\x00\n\x00": "x: looks like UTF-16 without a byte order mark (iconv -f UTF-16LE -t UTF-8 converts it)",
	} {
		want += ": expected text in UTF-8, or in UTF-16 with a byte order mark"
		if got, err := read(text); err == nil || err.Error() != want || got != "" {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a,b\n1,2\n")
	f.Add(`{"a":[1,{"b":"c"}]}`)
	f.Add("\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00")
	f.Fuzz(func(_ *testing.T, text string) { _, _ = read(text) })
}
