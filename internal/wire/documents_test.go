package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/target"
)

func TestReadDocumentMap(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"tabs":              "137\tMED-10\n138\tMED-14\n",
		"commas and quotes": "\ufeff137,MED-10\r\n\"138\", MED-14\r\n",
		"given twice":       "137,MED-10\n138,MED-14\n137,MED-10\n",
	} {
		got, err := readDocumentMap(strings.NewReader(in), "map")
		if d := cmp.Diff(target.DocumentMap{"137": "MED-10", "138": "MED-14"}, got); err != nil || d != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
	for in, want := range map[string]string{
		"":                        "map: empty",
		"137,a\n138\n":            "map:2: ",
		"137,a\n\"138,b\n":        "map:",
		"137,a\n,b\n":             "map:2: an empty name",
		"137,a\n137,b\n":          `map:2: "137" maps to both "b" and "a"`,
		"{\"no\": \"journal\"}\n": "map:1: not a journal",
	} {
		if got, err := readDocumentMap(strings.NewReader(in), "map"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", in, got, err, want)
		}
	}
}
