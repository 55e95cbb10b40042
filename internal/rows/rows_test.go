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
		"a,b\n1,2\n":              "2 a=1; 2 b=2",
		"a;b\n\"x;y\";2\n":        "2 a=x;y; 2 b=2",
		"a\tb\n\t2\n":             "2 a=; 2 b=2",
		"\ufeffa,b\n1,2\n":        "2 a=1; 2 b=2",
		"{\"b\":1.50,\"a\":null}": "1 a=<nil>; 1 b=1.50",
		"{\"a\":1}\n\n{\"b\":[]}": "1 a=1; 3 b=[]",
	} {
		if got, err := read(text); err != nil || got != want {
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
