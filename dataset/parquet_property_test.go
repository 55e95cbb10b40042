package dataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// parquetRow is a row with each kind of nesting.
type parquetRow struct {
	ID       string   `parquet:"id" json:"id"`
	Question string   `parquet:"question" json:"question"`
	Answers  []string `parquet:"ground_truth,list" json:"ground_truth"`
	Metadata struct {
		Maybe *int64            `parquet:"maybe,optional" json:"maybe"`
		Parts []parquetPart     `parquet:"parts,list" json:"parts"`
		Pairs map[string]string `parquet:"pairs" json:"pairs"`
		Ratio float64           `parquet:"ratio" json:"ratio"`
	} `parquet:"metadata" json:"metadata"`
}

type parquetPart struct {
	Texts []string `parquet:"texts,list" json:"texts"`
	Yes   *bool    `parquet:"yes,optional" json:"yes"`
}

// drawRows draws rows, and writes them as lines of JSON.
func drawRows(t *rapid.T) (rows []parquetRow, lines []byte) {
	word := rapid.StringMatching(`[a-zéß在哪]{1,9}`)
	words := rapid.SliceOfN(word, 0, 4)
	rows = make([]parquetRow, rapid.IntRange(1, 150).Draw(t, "rows"))
	var b bytes.Buffer
	for i := range rows {
		r := &rows[i]
		r.ID, r.Question, r.Answers = fmt.Sprint(i), word.Draw(t, "question"), words.Draw(t, "answers")
		if rapid.Bool().Draw(t, "has") {
			n := rapid.Int64().Draw(t, "maybe")
			r.Metadata.Maybe = &n
		}
		r.Metadata.Parts = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) parquetPart {
			p := parquetPart{Texts: words.Draw(t, "texts")}
			if rapid.Bool().Draw(t, "known") {
				yes := rapid.Bool().Draw(t, "yes")
				p.Yes = &yes
			}
			return p
		}), 0, 3).Draw(t, "parts")
		r.Metadata.Pairs = rapid.MapOfN(word, word, 0, 3).Draw(t, "pairs")
		r.Metadata.Ratio = rapid.Float64Range(-1e9, 1e9).Draw(t, "ratio")
		if err := json.NewEncoder(&b).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	return rows, b.Bytes()
}

// sameCases checks that two files hold the same cases.
func sameCases(t *rapid.T, dir string, lines []byte, name string, other []byte) {
	want, err := dataset.Load(t.Context(), save(t, dir, "x.jsonl", lines), dataset.Options{})
	got, gotErr := dataset.Load(t.Context(), save(t, dir, name, other), dataset.Options{})
	if err != nil || gotErr != nil {
		t.Fatalf("JSON: %v; %s: %v", err, name, gotErr)
	}
	if d := cmp.Diff(noOrigin(want.Cases.List()), noOrigin(got.Cases.List())); d != "" {
		t.Fatalf("(-JSON +%s):\n%s", name, d)
	}
}

// Rows in Parquet are the cases that they are in JSON Lines, whatever the compression,
// the version and the sizes of pages and row groups.
func TestParquetIsJSON(t *testing.T) {
	t.Parallel()
	codecs := rapid.SampledFrom([]compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd})
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rows, lines := drawRows(t)
		var b bytes.Buffer
		w := parquet.NewGenericWriter[parquetRow](&b,
			parquet.Compression(codecs.Draw(t, "codec")), parquet.DataPageVersion(rapid.IntRange(1, 2).Draw(t, "version")),
			parquet.PageBufferSize(rapid.SampledFrom([]int{64, 1 << 20}).Draw(t, "page")),
			parquet.MaxRowsPerRowGroup(rapid.SampledFrom([]int64{7, 1000}).Draw(t, "group")))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		sameCases(t, dir, lines, "x.parquet", b.Bytes())
	})
}

// Arrow is named in the error, as a file, a stream and a folder that was saved.
func TestArrowIsNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.arrow": "\xff\xff\xff\xff", "b.feather": "x", "c.bin": "ARROW1\x00\x00", "saved/state.json": "{}"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "saved") {
			path = filepath.Dir(path)
		}
		_, err := dataset.Load(t.Context(), path, dataset.Options{})
		if err == nil || !strings.Contains(err.Error(), "assay does not read Arrow files. Save it as Parquet or JSON Lines") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file of some kilobytes takes no hundreds of megabytes of memory.
func TestParquetThatRepeats(t *testing.T) {
	t.Parallel()
	type numbers struct {
		Question string  `parquet:"question"`
		Values   []int64 `parquet:"values,list,dict"`
	}
	type text struct {
		Question string `parquet:"question,dict"`
	}
	for want, rows := range map[string]any{
		"more than 1000000 values, too many for a file of": []numbers{{"Which?", make([]int64, 3_000_000)}},
		"the texts up to this row are longer than 64 MB":   slices.Repeat([]text{{strings.Repeat("Which? ", 1000)}}, 12_000),
	} {
		var b bytes.Buffer
		var err error
		switch rows := rows.(type) {
		case []numbers:
			err = parquet.Write(&b, rows, parquet.Compression(&parquet.Zstd))
		case []text:
			err = parquet.Write(&b, rows, parquet.Compression(&parquet.Zstd))
		}
		if err != nil || b.Len() > 64<<10 {
			t.Fatalf("%d bytes, %v: want a small file", b.Len(), err)
		}
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := dataset.Load(t.Context(), path, dataset.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %.300v, want %q", b.Len(), err, want)
		}
	}
}

// An empty text is an absent field, and a number in a column of texts is text.
func TestParquetEmptyTexts(t *testing.T) {
	t.Parallel()
	type row struct {
		ID       string `parquet:"id"`
		Question string `parquet:"question"`
		Answer   int64  `parquet:"ground_truth"`
		Group    string `parquet:"group"`
		Note     string `parquet:"note"`
		Tags     string `parquet:"tags"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{{Question: "a", Answer: 24, Tags: " "}, {ID: "x", Question: "b", Answer: 7, Tags: "p; q"}, {ID: "y"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	diff(t, "no question", refuse(t, "x.parquet", b.String(), dataset.Options{}), []string{
		`x.parquet:3: case "y": question: missing: expected a question`,
	})
	b.Reset()
	w = parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{{Question: "a", Answer: 24, Tags: " "}, {ID: "x", Question: "b", Answer: 7, Tags: "p; q"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d := load(t, "x.parquet", b.String(), dataset.Options{})
	diff(t, "cases", noOrigin(d.Cases.List()), []assay.Case{
		{ID: d.Cases.At(0).ID, Question: "a", Want: assay.Want{Answers: []string{"24"}}},
		{ID: "x", Question: "b", Tags: []string{"p", "q"}, Want: assay.Want{Answers: []string{"7"}}},
	})
}

// save writes a file into a folder and returns its path.
func save(t *rapid.T, dir, name string, b []byte) string {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
