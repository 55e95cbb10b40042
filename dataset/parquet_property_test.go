package dataset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// Rows in Parquet are the cases that they are in JSON Lines, whatever the compression,
// the version and the sizes of pages and row groups.
func TestParquetIsJSON(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-zéß在哪]{1,9}`)
	words := rapid.SliceOfN(word, 0, 4)
	codecs := rapid.SampledFrom([]compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd})
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]parquetRow, rapid.IntRange(1, 150).Draw(t, "rows"))
		var lines bytes.Buffer
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
			if err := json.NewEncoder(&lines).Encode(r); err != nil {
				t.Fatal(err)
			}
		}
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
		want, err := dataset.Load(t.Context(), save(t, dir, "x.jsonl", lines.Bytes()), dataset.Options{})
		got, gotErr := dataset.Load(t.Context(), save(t, dir, "x.parquet", b.Bytes()), dataset.Options{})
		if err != nil || gotErr != nil {
			t.Fatalf("JSON: %v; Parquet: %v", err, gotErr)
		}
		if d := cmp.Diff(noOrigin(want.Cases.List()), noOrigin(got.Cases.List())); d != "" {
			t.Fatalf("(-JSON +Parquet):\n%s", d)
		}
	})
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
		`x.parquet:3: case "y": question: missing: want a question`,
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
