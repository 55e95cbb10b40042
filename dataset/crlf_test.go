package dataset_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// TestCRLF reads each text that other tools wrote once more with the line ends of Windows,
// as git may check it out there, and of old Macs: the cases and their ids are the same.
func TestCRLF(t *testing.T) {
	t.Parallel()
	read := 0
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "versions.txt" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || bytes.IndexByte(data, 0) >= 0 || bytes.Contains(data, []byte("\r\n")) {
			return err
		}
		want, err := dataset.Load(t.Context(), path, dataset.Options{})
		if err != nil {
			return nil //nolint:nilerr // other tests say what is wrong with it
		}
		// The name of the folder is the name of a dataset in places.
		folder := filepath.Join(t.TempDir(), filepath.Base(filepath.Dir(path)))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		other := filepath.Join(folder, d.Name())
		for _, end := range []string{"\r\n", "\r"} {
			if err := os.WriteFile(other, bytes.ReplaceAll(data, []byte("\n"), []byte(end)), 0o666); err != nil {
				return err
			}
			got, err := dataset.Load(t.Context(), other, dataset.Options{})
			if err != nil {
				t.Errorf("%s: %q: %v", path, end, err)
				continue
			}
			if diff := cmp.Diff(all(want), all(got)); diff != "" {
				t.Errorf("%s: LF -, %q +:\n%s", path, end, diff)
			}
		}
		read++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 12 {
		t.Errorf("%d files were compared: want all texts of testdata", read)
	}
}

// all lists the cases without the folder of their file.
func all(d *dataset.Dataset) []assay.Case {
	cases := d.Cases.List()
	for i := range cases {
		cases[i].Origin.File = filepath.Base(cases[i].Origin.File)
	}
	return cases
}
