package dataset_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// written loads a file that another tool wrote (scripts/formats).
func written(t testing.TB, name string, o dataset.Options) *dataset.Dataset {
	t.Helper()
	o.Name = filepath.Base(name)
	d, err := dataset.Load(context.Background(), filepath.Join("testdata", filepath.FromSlash(name)), o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// parquetCases are the rows that scripts/formats/parquet.py writes.
func parquetCases(file string) []assay.Case {
	return []assay.Case{
		{
			ID: "a", Question: "Who wrote it?", Tags: []string{"x", "y"},
			Want: assay.Want{
				Answers: []string{"Kim", "Kim Lee"}, Documents: map[string]int{"a.md": 2}, Keywords: []string{"Kim"}, Answerable: ptr(true),
			},
			Metadata: map[string]any{
				"author": "kim", "n": 1.0, "day": "2026-01-15", "moment": "2026-01-15T12:30:00.25Z", "price": 12.5, "count": 1.0, "ratio": 0.5,
				"small": 0.1, "nested": []any{[]any{"p", nil}, []any{}}, "of_day": "23:59:58", "pairs": map[string]any{"k": 1.0, "l": 2.0},
			},
			Origin: assay.Origin{File: file, Line: 1},
		},
		{
			ID: "b", Question: "When?", Critical: true,
			Want: assay.Want{Answers: []string{"1999"}, Documents: map[string]int{}},
			Metadata: map[string]any{
				"author": nil, "n": 2.0, "price": -0.05, "count": jsonNumber("18446744073709551615"), "small": -2.5, "pairs": map[string]any(nil),
			},
			Origin: assay.Origin{File: file, Line: 2},
		},
		{
			ID: "c", Question: "Où est-ce? 在哪裡？", Tags: []string{"x"},
			Want:     assay.Want{Keywords: []string{"là|ici"}, Answerable: ptr(false)},
			Metadata: map[string]any{"day": "1969-12-31", "nested": []any{[]any{}}, "image": "plain"},
			Origin:   assay.Origin{File: file, Line: 3},
		},
	}
}

// Every compression and version of pages that is read gives the same cases, with lists,
// structs, maps and every type of value that pyarrow writes.
func TestParquetOfPyarrow(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"native-none.parquet", "native-snappy.parquet", "native-gzip.parquet", "native-zstd.parquet",
		"native-v2.parquet", "native-plain.parquet",
	} {
		d := written(t, "parquet/"+file, dataset.Options{})
		diff(t, file+" format", d.Info.Format, "parquet")
		diff(t, file, d.Cases.List(), parquetCases(file))
		diff(t, file+" warnings", warnings(d), []string{
			file + ":1: image: bytes that are not text: taken as absent (1 of 3 cases)",
			file + ":3: ratio: an infinite number: taken as absent (1 of 3 cases)",
			file + ":2: expected_keywords: missing (1 of 3 cases)",
		})
	}
	d := written(t, "parquet/delta.parquet", dataset.Options{})
	diff(t, "delta", []any{d.Cases.Len(), d.Cases.At(2).Question, d.Cases.At(1).Metadata}, []any{
		3, "Où est-ce? 在哪裡？", map[string]any{"count": jsonNumber("18446744073709551615")},
	})
}

// DuckDB fills up the levels of a short page to 256 values.
func TestParquetOfDuckDB(t *testing.T) {
	t.Parallel()
	d := written(t, "parquet/duckdb.parquet", dataset.Options{})
	diff(t, "cases", []any{d.Cases.At(0).Question, d.Cases.At(0).Want.Answers, d.Cases.At(1).Question, d.Cases.At(1).Want.Answers},
		[]any{"Who?", []string{"Kim", "Lee"}, "When?", []string(nil)})
}

// A data frame writes lists as text and a missing number as NaN; a column of another
// name is mapped.
func TestParquetOfPandas(t *testing.T) {
	t.Parallel()
	d := written(t, "parquet/frame.parquet", dataset.Options{Columns: map[string]string{"question": "query"}})
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{
			ID: d.Cases.At(0).ID, Question: "Who?", Want: assay.Want{Answers: []string{"Kim"}, Documents: map[string]int{"a.md": 1, "b.md": 1}},
			Metadata: map[string]any{"score": 0.5, "year": 1999.0},
		},
		{
			ID: d.Cases.At(1).ID, Question: "When?", Want: assay.Want{Documents: map[string]int{"c.md": 1, "d.md": 1}},
			Metadata: map[string]any{"year": 2001.0},
		},
	})
	path := filepath.Join("testdata", "parquet", "frame.parquet")
	for _, c := range []struct {
		o    dataset.Options
		want string
	}{
		{dataset.Options{}, `frame.parquet: unknown format: Parquet with fields "Query", "ground_truth", "expected_contexts", "score", "year": ` +
			`expected a "question" in every case, or --map question=COLUMN`},
		{dataset.Options{Columns: map[string]string{"question": "Qery"}}, `frame.parquet: question: no column "Qery": did you mean "Query"?: ` +
			`expected one of "Query", "ground_truth", "expected_contexts", "score", "year"`},
		{dataset.Options{Format: "tsv"}, `frame.parquet: is a Parquet file: expected a file of text for format tsv`},
		{dataset.Options{Format: "trec", Qrels: path}, `frame.parquet: is a Parquet file: expected a file of text for format trec`},
		{dataset.Options{Format: "beir"}, `frame.parquet: is not a directory or zip archive: expected a directory or zip for format beir`},
	} {
		c.o.Name = "frame.parquet"
		_, err := dataset.Load(t.Context(), path, c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	diff(t, "not Parquet", refuse(t, "x.json", `[{"question": "a"}]`, dataset.Options{Format: "parquet"}), []string{
		"x.json: is not a Parquet file: expected one for format parquet",
	})
}

func TestParquetOfRagas(t *testing.T) {
	t.Parallel()
	d := written(t, "parquet/ragas.parquet", dataset.Options{})
	diff(t, "format", d.Info.Format, "ragas")
	diff(t, "answers", d.Cases.At(0).Want.Answers, []string{"Kim"})
	diff(t, "responses", d.Responses, map[string]assay.Response{
		d.Cases.At(0).ID: {Answer: "Kim.", Passages: []assay.Passage{{Text: "one"}, {Text: "two"}}},
		d.Cases.At(1).ID: {Passages: []assay.Passage{}},
	})
}

func TestParquetProblems(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(filepath.Join("testdata", "parquet", "native-snappy.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	n := len(whole)
	footer := n - 8 - int(binary.LittleEndian.Uint32(whole[n-8:]))
	change := func(at int, b ...byte) string {
		out := []byte(string(whole))
		copy(out[at:], b)
		return string(out)
	}
	for _, c := range []struct{ what, content, want string }{
		{"short", "PAR1", "Parquet: the file is cut short"},
		{"cut", string(whole[:n-1]), "Parquet: the file is cut short: it does not end with its metadata"},
		{"encrypted", change(n-4, 'P', 'A', 'R', 'E'), "Parquet: the file is encrypted"},
		{"longer metadata", change(n-8, 0xff, 0xff, 0xff, 0x7f), "Parquet: the file is cut short: its metadata is longer than the file"},
		{"bad metadata", change(footer, 0xff), "Parquet: the metadata is damaged"},
	} {
		got := refuse(t, "x.parquet", c.content, dataset.Options{})
		diff(t, c.what, got, []string{"x.parquet: " + c.want + ": expected a whole file that another tool can read"})
	}
	_, err = dataset.Load(t.Context(), filepath.Join("testdata", "parquet", "lz4.parquet"), dataset.Options{Name: "x"})
	const lz4 = "x: Parquet: row group 1, column 1: compression LZ4_RAW is not supported: use none, snappy, gzip or zstd"
	if err == nil || !strings.HasPrefix(err.Error(), lz4) {
		t.Errorf("%v, want %s", err, lz4)
	}
	limits := dataset.Limits{Bytes: 1 << 20}
	_, err = dataset.Load(t.Context(), filepath.Join("testdata", "parquet", "delta.parquet"), dataset.Options{Name: "x", Limits: limits})
	const differences = "x: Parquet: row group 1, column 1: texts in the encoding of differences (DELTA_BYTE_ARRAY): expected plain or dictionary"
	if want := differences; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
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
		_, err := dataset.Load(t.Context(), filepath.Join("testdata", "parquet", "native-none.parquet"), dataset.Options{Limits: c.limits})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.limits, err, c.want)
		}
	}
}

func FuzzParquet(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "parquet", "*.parquet"))
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
	path := filepath.Join(f.TempDir(), "x.parquet")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, append([]byte("PAR1"), data[min(4, len(data)):]...), 0o644); err != nil {
			t.Fatal(err)
		}
		check(t, path, dataset.Options{Name: "x.parquet"})
	})
}
