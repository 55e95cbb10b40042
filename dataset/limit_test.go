package dataset_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/dataset"
)

// Two cases are 52 bytes, with 4 marks: a comma and a line end each.
const twoCases = `{"id":"a","question":"?"}` + "\n" + `{"id":"b","question":"?"}` + "\n"

func TestLimits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(twoCases), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limits dataset.Limits
		want   string
	}{
		{dataset.Limits{}, ""},
		{dataset.Limits{Bytes: 52, Marks: 4, Cases: 2}, ""},
		{dataset.Limits{Bytes: 51}, "MiB of text, unpacked"},
		{dataset.Limits{Marks: 3}, "more than 3 values"},
		{dataset.Limits{Cases: 1}, "more than 1 cases"},
	} {
		d, err := dataset.Load(t.Context(), path, dataset.Options{Limits: c.limits})
		var problems dataset.Errors
		switch {
		case c.want == "" && (err != nil || d.Cases.Len() != 2):
			t.Errorf("%+v: %v, want two cases", c.limits, err)
		case c.want != "" && (!errors.As(err, &problems) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want %q", c.limits, err, c.want)
		}
	}
}
