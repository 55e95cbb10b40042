package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// A column of answers with semicolons, as in TruthfulQA, is one answer each, with a warning.
func TestJoinedAnswers(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][]string{
		"Correct Answers": {`x.csv:2: Correct Answers: a text with semicolons is one reference answer: write several as a JSON list (1 of 2 cases)`},
		"Best Answer":     nil,
	} {
		d := load(t, "x.csv", "question,"+header+"\nWhy?,It is so; nobody knows\nWhen?,1999\n",
			dataset.Options{Columns: map[string]string{"ground_truth": header}})
		diff(t, header, warnings(d), want)
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	const content = "Id,Question,Ground_Truth,expected_contexts,reference_contexts,expected_keywords,critical,answerable,tags,note\n" +
		"a,\"First, and\nonly?\",\"[\"\"x\"\", \"\"y\"\"]\",\"d1; d2\",\"A text; with semicolon, long enough.\",a|b;c,yes,,billing;policy,hello\n" +
		"b,Second?,[sic] it is,\"[{\"\"id\"\": \"\"d3\"\", \"\"grade\"\": 2}, 4]\",,,0,FALSE,,\n"
	want := []assay.Case{
		{
			ID: "a", Question: "First, and\nonly?", Critical: true, Tags: []string{"billing", "policy"}, Metadata: map[string]any{"note": "hello"},
			Want: assay.Want{
				Answers: []string{"x", "y"}, Documents: map[string]int{"d1": 1, "d2": 1}, Passages: []string{"A text; with semicolon, long enough."},
				Keywords: []string{"a|b", "c"},
			},
			Origin: assay.Origin{File: "x", Line: 2},
		},
		{
			ID: "b", Question: "Second?", Want: assay.Want{
				Answers:    []string{"[sic] it is"},
				Documents:  map[string]int{"d3": 2, "4": 1},
				Answerable: ptr(false),
			},
			Origin: assay.Origin{File: "x", Line: 4},
		},
	}
	d := load(t, "x", content, dataset.Options{})
	diff(t, "cases", d.Cases.List(), want)
	diff(t, "format", d.Info.Format, "csv")
	tabs := "question\tground_truth\nWhat; is, it?\tThis.\n"
	d = load(t, "x", tabs, dataset.Options{})
	diff(t, "tabs", []string{d.Info.Format, d.Cases.At(0).Question, d.Cases.At(0).Want.Answers[0]}, []string{"tsv", "What; is, it?", "This."})
	semicolons := "question;ground_truth\nWhat, is it?;This.\n"
	d = load(t, "x", semicolons, dataset.Options{})
	c := d.Cases.At(0)
	diff(t, "semicolons", []string{d.Info.Format, c.Question, c.Want.Answers[0]}, []string{"csv", "What, is it?", "This."})
	d = load(t, "x", "\ufeff\"question\",\"ground_truth\"\r\n\"a\",\"b\"\r\n", dataset.Options{})
	diff(t, "quoted header behind a mark", d.Cases.At(0).Want.Answers, []string{"b"})
}

// A word that programs write for a missing value is a text, with a warning, in every format.
func TestWordsOfNone(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"x.csv":   "user_input,reference,retrieved_contexts\nWhy?,nan,nan\nWho?,None of us,\n",
		"x.jsonl": `{"user_input": "Why?", "reference": "nan", "retrieved_contexts": ["a", "nan"]}` + "\n" + `{"user_input": "Who?", "reference": "None of us"}`,
	} {
		d := load(t, name, content, dataset.Options{})
		var got []string
		for _, w := range d.Warnings {
			if strings.Contains(w.Text, "the word") {
				got = append(got, fmt.Sprint(w.Line, w.Field, w.Count, w.Text))
			}
		}
		line := map[string]string{"x.csv": "2", "x.jsonl": "1"}[name]
		text := `1the word "nan" is read as a text: leave it empty if it stands for nothing`
		diff(t, name, got, []string{line + "reference" + text, line + "retrieved_contexts" + text})
	}
}

// Text with tabs that was written without quoting keeps its quotes and its rows. Quotes in pairs are those of the file.
func TestTabsWithoutQuoting(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"say \"no\"\ta\r\n": `say "no"`, "\"Fast\ta\n\nWhere?\tb\nSay \"go\"\tc\n": `"Fast Where? Say "go"`,
		"\"Fast\ta\nWhere?\tb\"\n": `"Fast Where?`, "\"Fast\"\ta\n": "Fast", "\"Fast\nboats\"\ta\n": "Fast\nboats",
	} {
		d := load(t, "x.tsv", "question\tground_truth\n"+content, dataset.Options{})
		var got []string
		for _, c := range d.Cases.List() {
			got = append(got, c.Question)
		}
		diff(t, content, strings.Join(got, " "), want)
		diff(t, content+": warned", len(warnings(d)) > 0, strings.Contains(want, `"`))
	}
}

func TestDocumentsBetweenBars(t *testing.T) {
	t.Parallel()
	d := load(t, "x.csv", "question,file\na,a.md | docs/z.pdf\nb,sp|P1\nc,b.md;c.md\n", dataset.Options{})
	diff(t, "files", d.Cases.At(0).Want.Documents, map[string]int{"a.md": 1, "docs/z.pdf": 1})
	diff(t, "one id", d.Cases.At(1).Want.Documents, map[string]int{"sp|P1": 1})
	diff(t, "warned", strings.Contains(strings.Join(warnings(d), "\n"), `an id with "|" is one document: several are a list (1 of 3 cases)`), true)
}

func TestCSVMap(t *testing.T) {
	t.Parallel()
	const content = "Query,Truth,question\nWhy?,Because.,old\n"
	o := dataset.Options{Columns: map[string]string{"question": "query", "ground_truth": "Truth"}}
	d := load(t, "x.csv", content, o)
	diff(t, "case", noOrigin(d.Cases.List()), []assay.Case{{
		ID: d.Cases.At(0).ID, Question: "Why?", Want: assay.Want{Answers: []string{"Because."}},
		Metadata: map[string]any{"question (column)": "old"},
	}})
	d = load(t, "x.csv", "Query\nWhy?\n", dataset.Options{Columns: map[string]string{"question": "Query"}})
	diff(t, "one column", d.Cases.At(0).Question, "Why?")
}

func TestCSVProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, content string
		o             dataset.Options
		want          []string
	}{
		{what: "rows", content: "question,ground_truth,critical,expected_contexts,tags\nq,a,maybe,,\nq,a\n,a,,,\nq,,,\"['a', 5]\",\n", want: []string{
			`x.csv:2: case 1: critical: "maybe": expected true or false`,
			`x.csv:3: case 2: 2 columns: expected 5, as in the header`,
			`x.csv:4: case 3: question: missing: expected a question`,
			`x.csv:5: case 4: expected_contexts: list entry "5": expected a text in quotes`,
		}},
		{
			what:    "quotes",
			content: "question,tags\nok,\n\"never\nclosed,\n",
			want:    []string{`x.csv:4: column 9: extraneous or missing " in quoted-field (the record begins in line 3): expected fields that hold quotes in quotes, and quotes doubled`},
		},
		{
			what:    "bare quote",
			content: "question,tags\nsay \"no\",\n",
			want:    []string{`x.csv:2: column 5: bare " in non-quoted-field: expected fields that hold quotes in quotes, and quotes doubled`},
		},
		{
			what:    "twice",
			content: "question,Question\na,b\n",
			want:    []string{`x.csv:1: question: columns 1 and 2 have the same name: expected one of them`},
		},
		{
			what:    "no question",
			content: "topic,tags\na,b\n",
			o:       dataset.Options{Format: "csv"},
			want:    []string{`x.csv:1: question: no such column; there are "topic", "tags": expected a column "question", or --map question=COLUMN`},
		},
		{
			what:    "no column",
			content: "question,tags\na,b\n",
			o:       dataset.Options{Columns: map[string]string{"tags": "tag"}},
			want:    []string{`x.csv:1: tags: no column "tag": did you mean "tags"?: expected one of "question", "tags"`},
		},
		{what: "only a header", content: "question,tags\n", want: []string{`x.csv: no cases: expected at least one question`}},
	} {
		diff(t, c.what, refuse(t, "x.csv", c.content, c.o), c.want)
	}
	// The column of questions decides what the file is, and a wrong one is told
	// all the same.
	diff(t, "no column of questions", refuse(t, "x.csv", "Query,tags\na,b\n", dataset.Options{Columns: map[string]string{"question": "Nope"}}),
		[]string{`x.csv:1: question: no column "Nope": expected one of "query", "tags"`})
	diff(t, "one column", refuse(t, "x.csv", "Query\na\n", dataset.Options{Columns: map[string]string{"question": "Qery"}}),
		[]string{`x.csv:1: question: no column "Qery": did you mean "query"?: expected one of "query"`})
	_, err := dataset.Load(t.Context(), put(t, "x.csv", "Query,tags\na,b\n"), dataset.Options{Columns: map[string]string{"foo": "Query"}})
	if want := `map foo=Query: unknown field "foo"  (all: answerable, audio, critical, expected_contexts, `; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	_, err = dataset.Load(t.Context(), put(t, "x.csv", "question\na\n"), dataset.Options{Columns: map[string]string{"qestion": "question"}})
	if err == nil || !strings.HasPrefix(err.Error(), `map qestion=question: unknown field "qestion": did you mean "question"?`) {
		t.Errorf("error %v, want one about the field", err)
	}
	diff(t, "a column of grades", warnings(load(t, "x.csv", "question,ground_truth,expected_contexts,grade\na,x,b.md,0\nc,y,d.md,2\n", dataset.Options{})), []string{
		`x.csv:2: grade: does not count, so that documents of grade 0 are expected: remove these rows, or write [{"id": "a.md", "grade": 0}] (1 of 2 cases)`})
	diff(t, "near column", warnings(load(t, "x.csv", "question,ground_truth,expected_contxt\na,b,c\n", dataset.Options{})), []string{
		`x.csv:1: expected_contxt: unknown column, kept as metadata: did you mean "expected_contexts"?`,
	})
}

// A column with a usual name of a field is read as it, and reported.
func TestCSVUsualColumns(t *testing.T) {
	t.Parallel()
	const read = " read as %s; --map %s=COLUMN takes another column"
	note := func(column, field string) string {
		return "x.csv:1: " + column + ":" + strings.ReplaceAll(read, "%s", field)
	}
	want := assay.Want{Answers: []string{"Yes."}, Documents: map[string]int{"a.md": 1, "b.md": 1}}
	for _, c := range []struct {
		what, content string
		o             dataset.Options
		want          assay.Want
		metadata      map[string]any
		notes         []string
	}{
		{
			what: "names of people", content: "Question,Answer,Source file\nWhy?,Yes.,a.md;b.md\n", want: want,
			notes: []string{note("Source file", "expected_contexts"), note("Answer", "ground_truth")},
		},
		{
			what: "another name of the question", content: "query,Ground Truth,relevant-doc\nWhy?,Yes.,a.md;b.md\n", want: want,
			notes: []string{note("relevant-doc", "expected_contexts"), note("Ground Truth", "ground_truth"), note("query", "question")},
		},
		{
			what:    "the name itself comes first",
			content: "question,ground_truth,answer,expected_contexts,source\nWhy?,Yes.,No.,a.md;b.md,intranet\n",
			o:       dataset.Options{Format: "csv"}, want: want, metadata: map[string]any{"answer": "No.", "source": "intranet"},
			notes: []string{
				`x.csv:1: answer: unknown column, kept as metadata: did you mean "ground_truth"?`,
				`x.csv:1: source: unknown column, kept as metadata: did you mean "expected_contexts"?`,
			},
		},
		{
			what: "two names", content: "question,ground_truth,source,file\nWhy?,Yes.,intranet,a.md\n", want: assay.Want{Answers: []string{"Yes."}},
			metadata: map[string]any{"source": "intranet", "file": "a.md"},
			notes: []string{
				`x.csv:1: expected_contexts: any of the columns "source", "file" may hold it, so none is read; use --map expected_contexts=COLUMN`,
				`x.csv:1: source: unknown column, kept as metadata: did you mean "expected_contexts"?`,
				`x.csv:1: file: unknown column, kept as metadata: did you mean "expected_contexts"?`,
			},
		},
		{
			what: "mapped", content: "question,ground_truth,source,page\nWhy?,Yes.,intranet,a.md;b.md\n", want: want,
			o: dataset.Options{Columns: map[string]string{"expected_contexts": "page"}}, metadata: map[string]any{"source": "intranet"},
			notes: []string{`x.csv:1: source: unknown column, kept as metadata: did you mean "expected_contexts"?`},
		},
		{
			what: "names with commas", content: "question,ground_truth,expected_contexts\nWhy?,Yes.,\"a.md, b.md\"\n",
			want:  assay.Want{Answers: []string{"Yes."}, Documents: map[string]int{"a.md, b.md": 1}},
			notes: []string{`x.csv:2: expected_contexts: a cell with commas or "and" is one name: separate several by semicolons (1 of 1 case)`},
		},
		{
			what: "names in words", content: "question,ground_truth,expected_contexts\nWhy?,Yes.,a.md、b.md and c.md\n",
			want:  assay.Want{Answers: []string{"Yes."}, Documents: map[string]int{"a.md、b.md and c.md": 1}},
			notes: []string{`x.csv:2: expected_contexts: a cell with commas or "and" is one name: separate several by semicolons (1 of 1 case)`},
		},
		{
			what: "lists of one", content: "question,ground_truth,expected_contexts\nWhy?,Yes.,\"[\"\"a.md\"\",]\"\n",
			want: assay.Want{Answers: []string{"Yes."}, Documents: map[string]int{"a.md": 1}},
		},
		{
			what: "no labels", content: "question,Zielseite\nWhy?,a.md\n", metadata: map[string]any{"Zielseite": "a.md"},
			notes: []string{
				`x.csv:1: no column of labels is read, and "Zielseite" is kept as metadata; use --map expected_contexts=COLUMN if one names ` +
					`documents, --map ground_truth=COLUMN if one is the answer`,
				"x.csv:2: ground_truth: missing (1 of 1 case)",
			},
		},
		{
			what: "a vague name", content: "question,ground_truth,text\nWhy?,Yes.,words\n", want: assay.Want{Answers: []string{"Yes."}},
			metadata: map[string]any{"text": "words"}, notes: []string{`x.csv:1: text: unknown column, kept as metadata: did you mean "question"?`},
		},
		{
			what: "a history", content: "question,ground_truth,history\nWhy?,Yes.,\"[[\"\"hi\"\", \"\"hello\"\"]]\"\n", want: assay.Want{Answers: []string{"Yes."}},
			metadata: map[string]any{"history": []any{[]any{"hi", "hello"}}},
		},
	} {
		d := load(t, "x.csv", c.content, c.o)
		got := d.Cases.At(0)
		diff(t, c.what, []any{d.Info.Format, got.Question, got.Want, got.Metadata}, []any{"csv", "Why?", c.want, c.metadata})
		diff(t, c.what+": warnings", warnings(d), c.notes)
	}
	// What Ragas writes is that still.
	for content, format := range map[string]string{
		"question,answer,contexts\nWhy?,Yes.,c\n": "ragas", "question,answer,ground_truth\nWhy?,Yes.,Yes.\n": "ragas",
		"user_input,answer\nWhy?,Yes.\n": "ragas", "question,answer\nWhy?,Yes.\n": "csv",
	} {
		diff(t, content, load(t, "x.csv", content, dataset.Options{}).Info.Format, format)
	}
}
