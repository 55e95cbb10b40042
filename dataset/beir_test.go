package dataset_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// small is a BEIR dataset of three documents, three queries and two splits.
func small() map[string]string {
	return map[string]string{
		"corpus.jsonl": `{"_id": "d1", "title": "One", "text": "The first.", "metadata": {"url": "http://example.org/1"}}
{"_id": "d2", "title": "", "text": "The second.", "metadata": {}}
{"_id": 3, "text": "The third."}
`,
		"queries.jsonl": `{"_id": "q2", "text": "Second?", "metadata": {"answers": ["two", "deux", ""]}}
{"_id": "q1", "text": "First?"}
{"_id": "q3", "text": "Third?", "metadata": {}}
`,
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t3\t1\nq2\td2\t1\nq1\td2\t0\n",
		"qrels/dev.tsv":  "q3\t3\t1\n",
	}
}

func directory(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// archive packs files below a prefix, in a fixed order.
func archive(t testing.TB, prefix string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range sorted(files) {
		f, err := w.Create(prefix + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func smallCases() []assay.Case {
	return []assay.Case{
		{
			ID: "q2", Question: "Second?", Want: assay.Want{Documents: map[string]int{"d2": 1}, Answers: []string{"two", "deux"}},
			Metadata: map[string]any{"answers": []any{"two", "deux", ""}}, Origin: assay.Origin{File: "small/queries.jsonl", Line: 1},
		},
		{
			ID:       "q1",
			Question: "First?",
			Want:     assay.Want{Documents: map[string]int{"d1": 2, "3": 1, "d2": 0}},
			Origin:   assay.Origin{File: "small/queries.jsonl", Line: 2},
		},
	}
}

func TestBEIR(t *testing.T) {
	t.Parallel()
	documents := []assay.Document{
		{ID: "d1", Title: "One", Text: "The first.", Metadata: map[string]any{"url": "http://example.org/1"}},
		{ID: "d2", Text: "The second."},
		{ID: "3", Text: "The third."},
	}
	for name, path := range map[string]string{
		"directory":     directory(t, small()),
		"zip":           put(t, "small.zip", string(archive(t, "", small()))),
		"zip in folder": put(t, "small.zip", string(archive(t, "small/", small()))),
		"zip of a Mac":  put(t, "small.zip", string(archive(t, "", withFile(small(), "__MACOSX/queries.jsonl", "x")))),
	} {
		d, err := dataset.Load(context.Background(), path, dataset.Options{Name: "small"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		diff(t, name, d.Cases.List(), smallCases())
		diff(t, name, []string{d.Info.Format, d.Info.Name}, []string{"beir", "small"})
		got, err := d.Documents(context.Background())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		diff(t, name, got, documents)
	}
}

func withFile(files map[string]string, name, content string) map[string]string {
	files[name] = content
	return files
}

func TestBEIRChoices(t *testing.T) {
	t.Parallel()
	dir := directory(t, small())
	ids := func(o dataset.Options) string {
		o.Name = "small"
		d, err := dataset.Load(context.Background(), dir, o)
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, c := range d.Cases.All() {
			out = append(out, c.ID)
		}
		return strings.Join(out, " ")
	}
	diff(t, "split", ids(dataset.Options{Split: "dev"}), "q3")
	diff(t, "queries", ids(dataset.Options{Queries: []string{"q1"}}), "q1")
	diff(t, "order of the file", ids(dataset.Options{Queries: []string{"q1", "q2"}}), "q2 q1")
	diff(t, "unknown split", ids(dataset.Options{Split: "train"}), `small: no split "train"; use --split with one of "dev", "test"`)
	diff(t, "unknown query", ids(dataset.Options{Queries: []string{"query-9"}}), `small/queries.jsonl: no query "query-9"`)
	diff(t, "not judged", ids(dataset.Options{Queries: []string{"q3"}}),
		`small/queries.jsonl:3: q3: the query is not judged in split "test": expected one that is`)

	d, err := dataset.Load(context.Background(), dir, dataset.Options{Name: "small", MinRelevance: 2})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "grades", d.Cases.At(1).Want.Documents, map[string]int{"d1": 2, "3": 0, "d2": 0})
	diff(t, "warnings", warnings(d),
		[]string{"small/queries.jsonl:1: no relevant document, so that metrics which need one do not apply (1 of 2 cases)"})

	// The header gives the order of the columns.
	d, err = dataset.Load(context.Background(), directory(t, withFile(small(), "qrels/test.tsv", "query-id\tscore\tcorpus-id\nq1\t2\t3\n")),
		dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "another order", d.Cases.At(0).Want.Documents, map[string]int{"3": 2})

	// The only split needs no name.
	files := small()
	files["qrels/en.tsv"] = files["qrels/dev.tsv"]
	delete(files, "qrels/dev.tsv")
	delete(files, "qrels/test.tsv")
	d, err = dataset.Load(context.Background(), directory(t, files), dataset.Options{})
	if err != nil || d.Cases.Len() != 1 {
		t.Errorf("error %v, want one case of the only split", err)
	}
}

const absentJudgments = "query-id\tcorpus-id\tscore\nq1\td1\t1.0\nq9\td1\t1\nq1\td9\t1\nq2\td9\t1\n"

func TestBEIRSkipsJudgmentsOfWhatItLacks(t *testing.T) {
	t.Parallel()
	d, err := dataset.Load(context.Background(), directory(t, withFile(small(), "qrels/test.tsv", absentJudgments)), dataset.Options{Name: "small"})
	if err != nil {
		t.Fatal(err)
	}
	if d.Cases.Len() != 1 {
		t.Fatalf("%d cases, want that of q1", d.Cases.Len())
	}
	diff(t, "labels", d.Cases.At(0).Want.Documents, map[string]int{"d1": 1})
	diff(t, "warnings", warnings(d), []string{
		"small/qrels/test.tsv:3: query-id: judgments of queries that the dataset lacks are skipped; --strict rejects them (judgments: 1)",
		"small/qrels/test.tsv:4: corpus-id: judgments of documents that the corpus lacks are skipped, " +
			"so recall does not count them; --strict rejects them (judgments: 2)",
	})
}

func TestBEIRMarksQueriesThatAreDocuments(t *testing.T) {
	t.Parallel()
	files := small()
	files["corpus.jsonl"] += `{"_id": "q1", "text": "First?"}` + "\n" + `{"_id": "q2", "text": "Second?"}` + "\n"
	files["qrels/test.tsv"] += "q2\tq2\t1\n"
	for _, keep := range []bool{false, true} {
		d, err := dataset.Load(context.Background(), directory(t, files), dataset.Options{Name: "small", KeepOwnIDs: keep})
		if err != nil {
			t.Fatal(err)
		}
		own := map[string]bool{}
		for _, c := range d.Cases.All() {
			own[c.ID] = c.Want.OwnText
		}
		// That of q2 is judged relevant, so it is not the question itself.
		diff(t, "own text", own, map[string]bool{"q1": !keep, "q2": false})
		want := []string{"small/corpus.jsonl: the corpus has documents with the ids of 1 of 2 queries: " +
			"rankings leave a query's own out, as in BEIR's evaluation; --keep-own-ids counts them"}
		if keep {
			want = nil
		}
		diff(t, "warnings", warnings(d), want)
	}
}

func TestBEIRProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, file, content string
		want                []string
	}{
		{"unknown ids, read strictly", "qrels/test.tsv", absentJudgments, []string{
			`small/qrels/test.tsv:3: query-id: no query "q9" in queries.jsonl: expected the id of a query`,
			`small/qrels/test.tsv:4: case "q1": corpus-id: no document "d9" in corpus.jsonl: expected the id of a document in the corpus`,
			`small/qrels/test.tsv:5: case "q2": corpus-id: no document "d9" in corpus.jsonl: expected the id of a document in the corpus`,
		}},
		{"rows", "qrels/test.tsv", "q1\td1\t1\nq1\td1\t0\nq1\td2\t1.5\nq1 0 d2 1\nq1\td2\t5000\n", []string{
			`small/qrels/test.tsv:2: case "q1": corpus-id: document "d1" is judged twice, first in line 1: expected one judgment`,
			`small/qrels/test.tsv:3: score: "1.5": expected a whole number from -1000 to 1000`,
			`small/qrels/test.tsv:4: 1 columns: expected query, document and grade, separated by tabs`,
			`small/qrels/test.tsv:5: score: "5000": expected a whole number from -1000 to 1000`,
		}},
		{"no header", "qrels/test.tsv", "q1\td1\tx\n", []string{`small/qrels/test.tsv:1: score: "x": expected a whole number from -1000 to 1000`}},
		{"empty judgments", "qrels/test.tsv", "", []string{`small/qrels/test.tsv: empty file: expected at least one case`}},
		{"only a header", "qrels/test.tsv", "query-id\tcorpus-id\tscore\n", []string{`small: no cases: expected at least one question`}},
		{"queries", "queries.jsonl", `{"_id": "q1", "text": ""}
{"_id": "q2", "text": "x"}
{"_id": "q2", "text": "y"}
{"_id": "", "text": "y"}
{"_id": "q4", "text": 1}
{"_id": "q5", "text": "x"
[]
{"_id": "q1", "text": "x", "metadata": []}
{"_id": 1.5, "text": "x"}
{"_id": "q1", "text": "x"}
`, []string{
			`small/queries.jsonl:1: case "q1": text: missing or empty: expected a question`,
			`small/queries.jsonl:3: _id: duplicate id "q2", first in line 2: expected a unique id`,
			`small/queries.jsonl:4: _id: missing or empty: expected a query id`,
			`small/queries.jsonl:5: text: number: expected text`,
			`small/queries.jsonl:6: the line ends in the middle of a value: expected one JSON object a line`,
			`small/queries.jsonl:7: a JSON array: expected an object`,
			`small/queries.jsonl:8: metadata: array: expected an object`,
			`small/queries.jsonl:9: _id: 1.5: expected text: expected one JSON object a line`,
		}},
		{"corpus", "corpus.jsonl", `{"_id": "d1", "text": "x"}
{"_id": "d1", "text": "x"}
{"text": "x"}
{"_id": "d3"}
{"_id": "d4", "text": "x", "metadata": "m"}
{"_id": "d5", "text": "x"} x
{"_id": "d2", "text": "x"}
{"_id": "3", "text": "x"}
`, []string{
			`small/corpus.jsonl:2: _id: duplicate id "d1", first in line 1: expected a unique id`,
			`small/corpus.jsonl:3: _id: missing or empty: expected a document id`,
			`small/corpus.jsonl:4: text: missing: expected text`,
			`small/corpus.jsonl:5: metadata: "m": expected an object`,
			`small/corpus.jsonl:6: invalid character 'x' after top-level value: expected one JSON object a line`,
		}},
	} {
		_, err := dataset.Load(context.Background(), directory(t, withFile(small(), c.file, c.content)), dataset.Options{Name: "small", Strict: true})
		if err == nil {
			t.Errorf("%s: no error", c.what)
			continue
		}
		diff(t, c.what, strings.Split(err.Error(), "\n"), c.want)
	}
	_, err := dataset.Load(context.Background(), directory(t, map[string]string{"README.md": "# BEIR"}), dataset.Options{Name: "hf"})
	diff(t, "a folder with one file", fmt.Sprint(err), "hf: no corpus.jsonl: expected a BEIR dataset with corpus.jsonl, queries.jsonl and qrels/")
	for _, c := range []struct{ gone, want string }{
		{"corpus.jsonl", "small: no corpus.jsonl: expected a BEIR dataset with corpus.jsonl, queries.jsonl and qrels/"},
		{"queries.jsonl", "small: no queries.jsonl: expected a BEIR dataset with corpus.jsonl, queries.jsonl and qrels/"},
		{"qrels/", "small: no judgments: expected qrels/SPLIT.tsv"},
	} {
		files := small()
		for name := range files {
			if strings.HasPrefix(name, c.gone) {
				delete(files, name)
			}
		}
		for what, path := range map[string]string{"directory": directory(t, files), "zip": put(t, "x.zip", string(archive(t, "", files)))} {
			_, err := dataset.Load(context.Background(), path, dataset.Options{Name: "small"})
			if err == nil || err.Error() != c.want {
				t.Errorf("%s without %s: error %v, want %s", what, c.gone, err, c.want)
			}
		}
	}
}

func TestBEIRWarnings(t *testing.T) {
	t.Parallel()
	files := small()
	files["qrels/test.tsv"] += "q2\tgone\t0\nq2\tgone2\t0\n"
	files["corpus.jsonl"] += `{"_id": "e", "title": " ", "text": ""}` + "\n"
	d, err := dataset.Load(context.Background(), directory(t, files), dataset.Options{Name: "small"})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "warnings", warnings(d), []string{
		"small/corpus.jsonl:4: documents without a title or text cannot be found",
		"small/qrels/test.tsv:6: corpus-id: judgments of documents that the corpus lacks are skipped, " +
			"so recall does not count them; --strict rejects them (judgments: 2)",
	})
}

func TestZipTricks(t *testing.T) {
	t.Parallel()
	two := archiveOf(t, [][2]string{{"a/queries.jsonl", "{}"}, {"b/queries.jsonl", "{}"}})
	twice := archiveOf(t, [][2]string{{"queries.jsonl", "{}"}, {"queries.jsonl", "{}"}})
	bomb := withFile(small(), "corpus.jsonl", `{"_id": "d1", "text": "x"}`+"\n"+strings.Repeat(" ", 18<<20))
	whole := archive(t, "", small())
	// The first entry is corpus.jsonl, whose text begins behind its header of
	// 30 bytes and its name.
	damaged := bytes.Clone(archiveStored(t, small()))
	damaged[30+len("corpus.jsonl")+10] ^= 1
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"cut", whole[:len(whole)-10], "x.zip: the zip archive is cut short or damaged: expected a whole one"},
		{"two sets", two, "x.zip: the archive holds more than one dataset: expected one queries.jsonl"},
		{"twice", twice, `x.zip: entry "queries.jsonl" is there twice: expected one of them`},
		{
			"up",
			archiveOf(t, [][2]string{{"../corpus.jsonl", "{}"}}),
			`x.zip: entry "../corpus.jsonl" points outside the archive: expected plain relative names`,
		},
		{
			"absolute",
			archiveOf(t, [][2]string{{"/etc/passwd", "{}"}}),
			`x.zip: entry "/etc/passwd" points outside the archive: expected plain relative names`,
		},
		{
			"backslash",
			archiveOf(t, [][2]string{{`..\corpus.jsonl`, "{}"}}),
			`x.zip: entry "..\\corpus.jsonl" points outside the archive: expected plain relative names`,
		},
		{"bomb", archive(t, "", bomb), "the entry unpacks to more than 200 times its size: expected a smaller ratio"},
		{"bomb of lines", archive(t, "", withFile(small(), "corpus.jsonl", `{"_id": "d1", "text": "x"}`+strings.Repeat("\n", 18<<20))),
			"the entry unpacks to more than 200 times its size: expected a smaller ratio"},
		{"damaged", damaged, "the entry is damaged: its checksum is wrong"},
	} {
		_, err := dataset.Load(context.Background(), put(t, "x.zip", string(c.data)), dataset.Options{Name: "x.zip"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.what, err, c.want)
		}
		var list dataset.Errors
		if !errors.As(err, &list) {
			t.Errorf("%s: error %T, want dataset.Errors", c.what, err)
		}
	}
}

// archiveOf packs files in the given order, whatever their names.
func archiveOf(t testing.TB, files [][2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		entry, err := w.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// archiveStored packs files without compressing them.
func archiveStored(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range sorted(files) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
