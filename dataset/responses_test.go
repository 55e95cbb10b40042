package dataset_test

import (
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/dataset"
)

// What other tools wrote is read for the responses in it; what holds none is told, and
// what may be lines of responses or a TREC run is left alone.
func TestLoadResponses(t *testing.T) {
	t.Parallel()
	file := func(name string) string { return filepath.Join("testdata", filepath.FromSlash(name)) }
	write := func(name, content string) string {
		return filepath.Join(directory(t, map[string]string{name: content}), name)
	}
	const other = ": expected lines of JSON, a TREC run, or one of ragas, deepeval, promptfoo, promptfoo-results, langsmith, mlflow, trulens"
	for _, c := range []struct {
		what, path string
		isLines    bool
		responses  int
		format     string
		err        string
	}{
		{what: "Parquet of Ragas", path: file("parquet/ragas.parquet"), responses: 2, format: "ragas"},
		{what: "a table", path: write("x.csv", "question,answer\na,b\nc,d\n"), responses: 2, format: "ragas"},
		{what: "records of TruLens", path: file("trulens/records.csv"), responses: 2, format: "trulens"},
		{what: "records of TruLens as lines", path: file("trulens/records.jsonl"), responses: 2, format: "trulens"},
		{what: "a list", path: write("x.json", `[{"question": "a", "answer": "b"}]`), responses: 1, format: "ragas"},
		{what: "lines", path: write("x.jsonl", `{"question": "a", "answer": "b"}`), isLines: true},
		{
			what:    "a result with an answer",
			path:    write("x.jsonl", `{"testCase": {"vars": {"question": "a"}}, "promptIdx": 0, "id": "1", "response": {"output": "b"}}`),
			isLines: true, responses: 1, format: "promptfoo-results",
		},
		{what: "a TREC run", path: write("x.run", "1 Q0 d1 1 0.5 x\n2 Q0 d2 1 0.5 x\n")},
		{what: "a TREC run with tabs", path: write("x.run", "1\tQ0\td1\t1\t0.5\tx\n")},
		{
			what: "two columns", path: write("x.run", "1\ta\n"),
			err: `x: no responses: a table with columns "1", "a": expected the columns "question" and "answer", or a TREC run, which has 6 columns`,
		},
		{
			what: "columns in another language", path: write("x.csv", "\ufeffFrage;Antwort\r\na;b\r\n"),
			err: `x: no responses: a table with columns "frage", "antwort": expected the columns "question" and "answer", or a TREC run, which has 6 columns`,
		},
		{what: "a TREC run with a comment", path: write("x.run", "# a, b\n1 Q0 d1 1 0.5 x\n")},
		{what: "a TREC run with commas", path: write("x.run", "1,a Q0 d1 1 0.5 x\n")},
		{what: "lines without an answer", path: write("x.jsonl", `{"question": "a", "ground_truth": "b"}`)},
		{what: "nothing", path: write("x.jsonl", "")},
		{what: "no such file", path: "none.jsonl"},
		{
			what: "no response", path: write("x.csv", "question,contexts,reference\na,,b\n"),
			err: "x: format ragas, but no record holds a response: expected the field response",
		},
		{what: "labels alone", path: write("x.csv", "question,ground_truth\na,b\n"), err: "x: format csv holds no recorded responses" + other},
		{
			what: "Parquet with labels alone", path: file("parquet/native-none.parquet"),
			err: "x: format parquet holds no recorded responses" + other,
		},
		{what: "a folder", path: directory(t, small()), err: "x: format beir holds no recorded responses" + other},
		{
			what: "a damaged file", path: write("x.parquet", "PAR1"),
			err: "x: Parquet: the file is cut short: expected a whole file that another tool can read",
		},
		{
			what: "a PDF, packed", path: write("x.gz", gzipped(t, "%PDF-1.7\n")),
			err: "x: is a PDF; save its data as JSON Lines, or its table as CSV (UTF-8)",
		},
		{
			what: "a record that is wrong", path: write("x.csv", "question,answer,contexts\n,b,c\n"),
			err: "x:2: case 1: user_input: missing: expected a question",
		},
	} {
		d, err := dataset.LoadResponses(t.Context(), c.path, dataset.Options{Name: "x"}, c.isLines)
		switch {
		case c.err != "" || err != nil:
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: %v, want %s", c.what, err, c.err)
			}
		case d == nil:
			if c.format != "" {
				t.Errorf("%s: not read, want format %s", c.what, c.format)
			}
		case len(d.Responses) != c.responses || d.Info.Format != c.format:
			t.Errorf("%s: %d responses of format %s, want %d of %q", c.what, len(d.Responses), d.Info.Format, c.responses, c.format)
		case len(warnings(d)) > 0 && c.format != "trulens":
			t.Errorf("%s: %q, want no warning of labels", c.what, warnings(d))
		}
	}
}
