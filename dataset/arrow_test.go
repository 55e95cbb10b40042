package dataset_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// The rows that pyarrow writes to Parquet are the same cases in every form and compression
// of Arrow.
func TestArrowOfPyarrow(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"native-none.arrow", "native-lz4.arrow", "native-zstd.arrow", "native-stream.arrow", "native.feather"} {
		d := written(t, "arrow/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "arrow")
		diff(t, file, d.Cases.List(), parquetCases(file))
		diff(t, file+" warnings", warnings(d), []string{
			file + ":1: image: bytes that are not text: taken as absent (1 of 3 cases)",
			file + ":3: ratio: an infinite number: taken as absent (1 of 3 cases)",
			file + ":2: expected_keywords: missing (1 of 3 cases)",
		})
	}
}

// Types that Parquet does not have, and those that are not read.
func TestArrowTypes(t *testing.T) {
	t.Parallel()
	d := written(t, "arrow/types.arrow", dataset.Options{})
	names := []any{"short", "and one that is longer than twelve"}
	var got []map[string]any
	for _, c := range d.Cases.All() {
		got = append(got, c.Metadata)
	}
	diff(t, "metadata", got, []map[string]any{
		{
			"fixed": []any{1.0, 2.0}, "large": names, "view": names, "coded": "x", "half": 0.5, "whole": jsonNumber("9007199254740993"),
			"wide": 123.45, "narrow": 1.5, "day": "2026-01-15", "of_day": "23:59:58", "moment": "2026-01-15T12:00:00Z", "span": 5000.0,
			"uuid": "00000000-0000-0000-0000-000000000001", "by_number": map[string]any{"1": "a"},
			"by_truth": []any{map[string]any{"key": true, "value": "a"}},
		},
		{"large": []any{}, "view": []any{}},
		{
			"fixed": []any{3.0, nil}, "coded": "y", "half": -2.0, "whole": -1.0, "wide": -0.001, "narrow": -2.5, "day": "1969-12-31",
			"by_number": map[string]any(nil), "by_truth": map[string]any(nil),
		},
	})
	diff(t, "question", d.Cases.At(1).Question, "a text that is longer than twelve bytes")
	diff(t, "warnings", warnings(d), []string{
		"types.arrow:1: either: values of type sparse_union: taken as absent (3 of 3 cases)",
		"types.arrow:1: runs: values of type run_end_encoded: taken as absent (3 of 3 cases)",
		"types.arrow:1: ground_truth: missing (3 of 3 cases)",
	})
	d = written(t, "arrow/delta.arrow", dataset.Options{})
	diff(t, "a dictionary that grows", questions(d), []string{"Who?", "When?", "Who?", "When?", "Why?"})
}

func questions(d *dataset.Dataset) (out []string) {
	for _, c := range d.Cases.All() {
		out = append(out, c.Question)
	}
	return out
}

// Folders that datasets of Hugging Face saved or cached, with their splits; a row is told
// by its file.
func TestArrowFolders(t *testing.T) {
	t.Parallel()
	d := written(t, "arrow/saved", dataset.Options{})
	diff(t, "format", d.Info.Format, "ragas")
	diff(t, "title", d.Info.Name, "saved")
	diff(t, "questions", questions(d), []string{"Who?", "When?", "Why?"})
	diff(t, "origin", d.Cases.At(2).Origin, assay.Origin{File: "saved/data-00001-of-00002.arrow", Line: 1})
	diff(t, "response", d.Responses[d.Cases.At(2).ID], assay.Response{
		Answer: "Why? It is so.", Passages: []assay.Passage{{Text: "About Why?"}},
	})
	for _, c := range []struct {
		path, split, want string
	}{
		{"splits", "train", "Who?"},
		{"splits", "", "Why?"},
		{"cache", "train", "Who? When? Why?"},
	} {
		d := written(t, "arrow/"+c.path, dataset.Options{Split: c.split})
		diff(t, c.path+" "+c.split, strings.Join(questions(d), " "), c.want)
	}
	for _, c := range []struct{ path, split, want string }{
		{"splits", "dev", `splits: no split "dev": want --split with one of "train", "test"`},
		{"cache", "", `cache: no split "test": want --split with one of "train", "validation"`},
	} {
		_, err := dataset.Load(t.Context(), filepath.Join("testdata", "arrow", c.path), dataset.Options{Name: c.path, Split: c.split})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}

func TestArrowFolderProblems(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join("testdata", "arrow", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one, other := read("saved/data-00000-of-00002.arrow"), read("cache/json-train.arrow")
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string
	}{
		{
			"no file", map[string]string{"state.json": `{"_data_files": []}`},
			"d/state.json: _data_files: no files: want the names of files of Arrow",
		},
		{
			"a file that is missing", map[string]string{"state.json": `{"_data_files": [{"filename": "a.arrow"}]}`},
			"d/a.arrow: no such file or directory",
		},
		{
			"another folder", map[string]string{"state.json": `{"_data_files": [{"filename": "../a.arrow"}]}`},
			`d/state.json: _data_files[0]: "../a.arrow": want the name of a file beside it`,
		},
		{
			"indices", map[string]string{"state.json": `{"_data_files": [], "_indices_data_files": [{"filename": "i.arrow"}]}`},
			"d/state.json: _indices_data_files: rows that a list of their numbers selects are not supported: want a dataset that was " +
				"saved after flatten_indices()",
		},
		{"no JSON", map[string]string{"state.json": `{`}, "d/state.json: unexpected end of JSON input: want the file that save_to_disk writes"},
		{
			"a split elsewhere", map[string]string{"dataset_dict.json": `{"splits": [".."]}`},
			`d/..: no files of Arrow: want those that save_to_disk writes`,
		},
		{
			"a split in another folder", map[string]string{"dataset_dict.json": `{"splits": ["a/b"]}`},
			`d/dataset_dict.json: splits: "a/b": want names of folders`,
		},
		{
			"a shard that is missing", map[string]string{"x-test-00000-of-00002.arrow": one, "cache-1.arrow": other},
			`d: 1 files of split "test", among them x-test-00000-of-00002.arrow: want each of its files once`,
		},
		{
			"other columns", map[string]string{"x-test-00000-of-00002.arrow": one, "x-test-00001-of-00002.arrow": other},
			`d/x-test-00001-of-00002.arrow: columns "question", "answers": want those of d/x-test-00000-of-00002.arrow: ` +
				`"user_input", "retrieved_contexts", "response", "reference"`,
		},
	} {
		_, err := dataset.Load(t.Context(), directory(t, c.files), dataset.Options{Name: "d"})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
	}
}

func TestArrowProblems(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("testdata", "arrow", name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	file, stream := read("native-none.arrow"), read("native-stream.arrow")
	change := func(from []byte, at int, b ...byte) string {
		out := []byte(string(from))
		copy(out[at:], b)
		return string(out)
	}
	schema := 8 + int(binary.LittleEndian.Uint32(stream[4:])) // where the first batch begins
	const whole = ": want a whole file that another tool can read"
	for _, c := range []struct{ what, content, want string }{
		{"short", string(file[:8]), "x.arrow: Arrow: the file is cut short"},
		{"cut", string(file[:len(file)-1]), "x.arrow: Arrow: the file is cut short: it does not end with ARROW1"},
		{"a stream that is cut", string(stream[:len(stream)-100]), "x.arrow:3: Arrow: message 4: the file is cut short"},
		{"a stream that is cut in its columns", string(stream[:100]), "x.arrow: Arrow: the file is cut short"},
		{
			"longer description", change(stream, 4, 0xff, 0xff, 0xff, 0x7f), "x.arrow: Arrow: the description is longer than 8 MB",
		},
		{"bad description", change(stream, 8, 0xff, 0xff), "x.arrow: Arrow: the file is damaged"},
		{"bad batch", change(stream, schema+8, 0xff, 0xff), "x.arrow:1: Arrow: message 2: the file is damaged"},
		{
			// The text of the second dictionary begins a gigabyte before its first byte.
			"a dictionary that grows by a gigabyte", strings.Replace(string(read("delta.arrow")), "\x00\x00\x00\x00\x04\x00\x00\x00Why?",
				"\x00\x00\x00\xc0\x04\x00\x00\x00Why?", 1),
			"x.arrow:3: Arrow: message 5: arrow/ipc: unknown error while reading: arrow/concat: the file is damaged",
		},
		{
			"Feather of version 1", string(read("version-1.feather")),
			"x.arrow: Arrow: version 1 of Feather is not supported: want version 2, as pyarrow.feather.write_feather writes",
		},
	} {
		got := refuse(t, "x.arrow", c.content, dataset.Options{})
		if len(got) != 1 || !strings.HasPrefix(got[0], c.want) || !strings.HasSuffix(got[0], whole) {
			t.Errorf("%s: %q, want %s", c.what, got, c.want+whole)
		}
	}
	d := load(t, "x.arrow", string(stream[:len(stream)-8]), dataset.Options{})
	if got := strings.Join(warnings(d), "\n"); !strings.Contains(got, "x.arrow: ends without the mark of its end: it may be cut short") {
		t.Errorf("a stream without a mark of its end: %s", got)
	}
	for _, c := range []struct {
		limits dataset.Limits
		want   string
	}{
		{dataset.Limits{Bytes: 100}, "MiB of text, unpacked"},
		{dataset.Limits{Marks: 10}, "more than 10 values"},
		{dataset.Limits{Cases: 2}, "more than 2 cases"},
		{dataset.Limits{Bytes: 1 << 20, Marks: 1000, Cases: 3}, ""},
	} {
		_, err := dataset.Load(t.Context(), filepath.Join("testdata", "arrow", "native-lz4.arrow"), dataset.Options{Limits: c.limits})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.limits, err, c.want)
		}
	}
}

func FuzzArrow(f *testing.F) {
	for _, pattern := range []string{"*.arrow", "*.feather", "*/*.arrow"} {
		files, err := filepath.Glob(filepath.Join("testdata", "arrow", pattern))
		if err != nil || len(files) == 0 {
			f.Fatal(files, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	path := filepath.Join(f.TempDir(), "x.arrow")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		check(t, path, dataset.Options{Name: "x.arrow"})
	})
}
