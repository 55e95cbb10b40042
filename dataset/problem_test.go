package dataset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-eval/assay/dataset"
)

// Every problem is listed, each with its place and what would be right.
func TestProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content string
		o             dataset.Options
		want          []string
	}{
		{name: "turns.jsonl", content: `{"id": "a", "question": ["hi", "and?"], "ground_truth": "g"}`, want: []string{
			`turns.jsonl:1: case "a": question: a list: expected the last question as a text; turns before it may be in the metadata, as history`,
		}},
		{name: "native.json", content: `{"test_cases": [
  {"id": "tc_012", "question": "ok", "expected_contexts": ["a.md",
     ""]},
  {"id": "tc_013", "question": 5},
  {"id": "tc_014", "question": " "},
  {"id": "tc_015"},
  {"question": "q", "ground_truth": "", "critical": "yes", "tags": "billing", "expected_keywords": ["a||b", 1]},
  "text",
  {"id": {}, "question": "q", "expected_contexts": [{"id": "a", "grade": 1.5}, {"grade": 1}, {"id": "b", "grade": 1001}, 1.5]},
  {"id": "g", "question": "q", "expected_contexts": ["a", {"id": "a", "grade": 2}], "metadata": [], "reference_transcript": 1}
]}`, want: []string{
			`native.json:3: case "tc_012": expected_contexts[1]: empty string: expected a document id`,
			`native.json:4: case "tc_013": question: number 5: expected a question`,
			`native.json:5: case "tc_014": question: empty string: expected a question`,
			`native.json:6: case "tc_015": question: missing: expected a question`,
			`native.json:7: case 5: ground_truth: empty string: expected an answer, or no field`,
			`native.json:7: case 5: expected_keywords[1]: number 1: expected a word, or several as in "color|colour"`,
			`native.json:7: case 5: expected_keywords[0]: "a||b" has an empty alternative: expected a word, or several as in "color|colour"`,
			`native.json:7: case 5: critical: string "yes": expected true or false`,
			`native.json:7: case 5: tags: string "billing": expected a list, each entry a name`,
			`native.json:8: case 6: string "text": expected an object with the fields of a case`,
			`native.json:9: case 7: id: an object: expected a name that is not empty, or no field`,
			`native.json:9: case 7: expected_contexts[0].grade: number 1.5: expected a whole number from -1000 to 1000`,
			`native.json:9: case 7: expected_contexts[1].id: missing: expected a document id`,
			`native.json:9: case 7: expected_contexts[2].grade: number 1001: expected a whole number from -1000 to 1000`,
			`native.json:9: case 7: expected_contexts[3]: number 1.5: expected a document id`,
			`native.json:10: case "g": expected_contexts[1].id: document "a" has grade 2, and 1 before: expected one grade`,
			`native.json:10: case "g": reference_transcript: number 1: expected text`,
			`native.json:10: case "g": metadata: a list: expected an object`,
		}},
		{name: "twice.json", content: `[{"id": "a", "question": "x"},
{"id": "b", "question": "x"},

{"id": "a", "question": "y"}, {"id": "a", "question": "z"}]`, want: []string{
			`twice.json:4: case "a": id: given twice, first in line 1: expected a unique id`,
			`twice.json:4: case "a": id: given twice, first in line 1: expected a unique id`,
		}},
		{name: "flat.json", content: `[{"id": "a", "question": "x"}, {"id": "a", "question": "y"}]`, want: []string{
			`flat.json:1: case "a": id: given twice, by an earlier case: expected a unique id`,
		}},
		{name: "contexts.json", content: `[{"question": "a", "ground_truth_contexts": []},
{"question": "b"},
{"question": "c", "ground_truth_contexts": ["nineteen characters", "   ", "二型糖尿病編碼是E"], "expected_answer": ""},
{"question": "d", "ground_truth_contexts": "This is a passage of twenty."}]`, o: dataset.Options{Format: "contexts"}, want: []string{
			`contexts.json:1: case 1: ground_truth_contexts: empty list: expected at least one text that should be retrieved`,
			`contexts.json:2: case 2: ground_truth_contexts: missing: expected a list of texts that should be retrieved`,
			`contexts.json:3: case 3: ground_truth_contexts[1]: empty string: expected a text that should be retrieved`,
			`contexts.json:3: case 3: expected_answer: empty string: expected an answer, or no field`,
			`contexts.json:4: case 4: ground_truth_contexts: string "This is a passage of twenty.": expected a list, each entry a text that should be retrieved`,
		}},
		{name: "gold.jsonl", content: `{"id": "a", "question": "x", "expected_sources": ["f.txt"]}
{"id": "b", "question": "x"}
{"id": "c", "question": "x", "expected_sources": ["f.txt"
{"id": "d", "question": "x", "expected_sources": [""]} {}
{"id": "e", "question": "x", "expected_sources": [""]}
`, want: []string{
			`gold.jsonl:2: case "b": expected_sources: missing: expected a list of file names`,
			`gold.jsonl:3: the text ends in the middle of a value: expected whole JSON`,
			`gold.jsonl:4: { after the end of the value: expected nothing there`,
			`gold.jsonl:5: case "e": expected_sources[0]: empty string: expected a file name`,
		}},
		{name: "ragas.jsonl", content: `{"user_input": ["hi"], "response": 5, "retrieved_contexts": "one"}
{"question": "a", "user_input": "b", "response": "r"}
{"response": "r", "retrieved_contexts": ["a", 1], "retrieved_context_ids": ["x", "y", "z"], "query": "q"}
`, want: []string{
			`ragas.jsonl:1: case 1: user_input: a list: expected one question as text; multi-turn samples are not supported`,
			`ragas.jsonl:1: case 1: response: number 5: expected text`,
			`ragas.jsonl:1: case 1: retrieved_contexts: string "one": expected a list, each entry text`,
			`ragas.jsonl:2: case 2: question: differs from "user_input", which has the same meaning: expected only one of them`,
			`ragas.jsonl:3: case 3: user_input: missing: expected a question`,
			`ragas.jsonl:3: case 3: retrieved_contexts[1]: number 1: expected text`,
			`ragas.jsonl:3: case 3: retrieved_context_ids: 3 entries for 2 texts: expected one for each`,
		}},
		{name: "cut.json", content: "{\"test_cases\": [\n{\"question\": \"a\"},\n{\"question\": \"b\"\n", want: []string{
			`cut.json:3: the text ends in the middle of a value: expected whole JSON`,
		}},
		{name: "syntax.json", content: "{\"test_cases\": [\n{\"question\": \"\"},\n{\"question\": 'b'}]}", want: []string{
			`syntax.json:2: case 1: question: empty string: expected a question`,
			`syntax.json:3: invalid character '\'' looking for beginning of value: expected JSON`,
		}},
		{name: "first.json", content: "[\n  {question: \"x\"}]", want: []string{
			`first.json:2: invalid character 'q': expected JSON`,
		}},
		{name: "tail.json", content: "[{\"question\": \"x\"}]\n]", want: []string{
			`tail.json:2: invalid character ']' looking for beginning of value: expected JSON`,
		}},
		{name: "key.json", content: "[{\"question\": \"x\",\n\"question\": \"y\"}]", want: []string{
			`key.json:2: question: duplicate name in an object: expected one of them`,
		}},
		{name: "none.json", content: `{"metadata": {"name": "x"}}`, want: []string{`none.json: no cases: expected at least one question`}},
		{
			name:    "nolist.json",
			content: "{\"metadata\": {},\n\"test_cases\": {}}",
			want:    []string{`nolist.json:2: test_cases: an object: expected a list of cases`},
		},
		{name: "created.json", content: "{\"metadata\": {\"name\": 1, \"created\": \"yesterday\"},\n\"test_cases\": [{\"question\": \"x\"}]}", want: []string{
			`created.json:1: metadata.name: number 1: expected text`,
			`created.json:1: metadata.created: string "yesterday": expected a date such as "2026-01-15"`,
		}},
		{name: "cases.yaml", content: "test_cases:\n  - question: 5\n  - question: a\n    tags:\n      - b\n      - ''\n    metadata: {x: .nan}\n", want: []string{
			`cases.yaml:7: number .nan: expected a finite number`,
		}},
		{name: "cases.yaml", content: "test_cases:\n  - question: 5\n  - question: a\n    tags:\n      - b\n      - ''\n", want: []string{
			`cases.yaml:2: case 1: question: number 5: expected a question`,
			`cases.yaml:6: case 2: tags[1]: empty string: expected a name`,
		}},
		{
			name:    "two.yaml",
			content: "test_cases: []\n---\ntest_cases: []\n",
			want:    []string{`two.yaml:3: a second document: expected one document per file`},
		},
		{
			name:    "merge.yaml",
			content: "metadata: &m {name: x}\ntest_cases:\n - <<: *m\n",
			want:    []string{`merge.yaml:3: key "<<": expected a plain name`},
		},
		{
			name:    "cycle.yaml",
			content: "test_cases: &all\n - question: a\n   metadata:\n    x: *all\n",
			want:    []string{`cycle.yaml:4: alias "all" contains itself: expected an anchor that ends above it`},
		},
		{name: "alias.yaml", content: "test_cases:\n - question: *none\n", want: []string{`alias.yaml:2: alias "none": expected an anchor above it`}},
		{
			name:    "dup.yaml",
			content: "test_cases:\n - question: a\n   question: b\n",
			want:    []string{`dup.yaml:3: mapping key "question" already defined at [2:4]: expected YAML`},
		},
		{name: "topics.json", content: `[{"question": "a", "expected_contexts": [
{"id": "d", "grade": 0, "subtopics": ["x"]}, {"id": "e", "subtopics": "x"}]}]`,
			want: []string{
				`topics.json:2: case 1: expected_contexts[0].subtopics: a document of grade 0 covers no subtopic: expected a grade from 1, or no subtopics`,
				`topics.json:2: case 1: expected_contexts[1].subtopics: string "x": ` +
					`expected a list, each entry an aspect of the question that the document covers`,
			}},
		{
			name:    "other.json",
			content: `[{"foo": 1, "bar": 2}]`,
			want:    []string{`other.json: unknown format: JSON with fields "foo", "bar": expected a "question" in every case, --map question=FIELD, or --format`},
		},
		{
			name: "squad.json",
			content: `{"version": "1.1", "data": [{"title": "t", "paragraphs": [{"context": "c", "qas": [{"id": "1", "question": "q", ` +
				`"answers": [{"text": "a", "answer_start": 0}]}]}]}]}`,
			want: []string{`squad.json: SQuAD's own JSON, whose questions are in paragraphs: expected a line for each question: ` +
				`jq -c '.data[].paragraphs[] | .context as $c | .qas[] | {id, question, answers: [.answers[].text], context: $c}' ` +
				`squad.json > cases.jsonl`},
		},
		{
			name:    "queries.jsonl",
			content: `{"_id": "1", "text": "x", "metadata": {}}`,
			want:    []string{`queries.jsonl: looks like a part of a BEIR dataset: expected its directory`},
		},
		{
			name:    "qrels.txt",
			content: "301 0 D1 1\n",
			want:    []string{`qrels.txt: looks like TREC judgments: expected topics as the dataset, and this file as --qrels`},
		},
		{
			name:    "run.txt",
			content: "301 Q0 D1 1 2.5 tag\n",
			want:    []string{`run.txt: looks like a TREC run: expected topics or another dataset, and this file as recorded responses`},
		},
		{
			name:    "prose.txt",
			content: "Dear all,\nhere is it.\n",
			want:    []string{`prose.txt: unknown format: a table with columns "dear all", "": expected a column "question", or --map question=COLUMN`},
		},
		{name: "other.yaml", content: "# x\nfoo: 1\nbar:\n  baz: 2\n", want: []string{
			`other.yaml: unknown format: YAML with fields "foo", "bar": expected a "question" in every case, --map question=FIELD, or --format`,
		}},
		{name: "two.json", content: `[{"question": "a", "ground_truth_contexts": ["x"], "expected_sources": ["y"]}]`, want: []string{
			`two.json: matches several formats: contexts (field "ground_truth_contexts"), gold (field "expected_sources")` +
				`; use --format with one of them`,
		}},
		{name: "numbers.json", content: "[1, 2]", want: []string{`numbers.json: a JSON list without objects: expected a list of cases`}},
	} {
		diff(t, c.name, refuse(t, c.name, c.content, c.o), c.want)
	}
}

func TestUnknownFieldsAreNotSilent(t *testing.T) {
	t.Parallel()
	d := load(t, "x.json", `{"metdata": {}, "test_cases": [
{"question": "a", "ground_truth": "b", "expected_context": ["x"]},
{"question": "c", "ground_truth": "b", "expected_context": ["x"], "notes": 1, "answer": "x", "expected_contexts": [{"id": "a", "weight": 1}]}]}`, dataset.Options{})
	diff(t, "warnings", warnings(d), []string{
		`x.json:2: expected_context: unknown field, ignored: did you mean "expected_contexts"? (2 of 2 cases)`,
		`x.json:3: expected_contexts[].weight: unknown field, ignored (1 of 2 cases)`,
		`x.json:3: notes: unknown field, ignored (1 of 2 cases)`,
		`x.json:3: answer: unknown field, ignored: did you mean "ground_truth"? (1 of 2 cases)`,
		`x.json:1: metdata: unknown field, ignored: did you mean "metadata"?`,
		`x.json:2: expected_contexts: missing (1 of 2 cases)`,
	})
}

func TestManyProblems(t *testing.T) {
	t.Parallel()
	lines := refuse(t, "x.jsonl", strings.Repeat(`{"question": ""}`+"\n", 60), dataset.Options{})
	if len(lines) != 51 || lines[50] != "… and 10 more problems" {
		t.Errorf("%d lines, the last %q, want 50 problems and a count of 10", len(lines), lines[len(lines)-1])
	}
	// What is wrong throughout is not read to its end.
	_, err := dataset.Load(context.Background(), put(t, "x.jsonl", `{"question": ""}`+strings.Repeat("\nx", 30_000)),
		dataset.Options{Name: "x.jsonl"})
	var list dataset.Errors
	if !errors.As(err, &list) || len(list) != 10_001 || list[10_000].Error() != "x.jsonl:10001: reading stopped after 10000 problems" {
		t.Errorf("%d problems, want 10000 and the end", len(list))
	}
}

func TestPositionsAsData(t *testing.T) {
	t.Parallel()
	_, err := dataset.Load(context.Background(),
		put(t, "x.json", "[\n{\"id\": \"a\", \"question\": \"x\", \"tags\": [\"\"]}]"), dataset.Options{Name: "x.json"})
	var one *dataset.Error
	if !errors.As(err, &one) {
		t.Fatalf("error %v, want a *dataset.Error", err)
	}
	diff(t, "error", *one, dataset.Error{
		File:    "x.json",
		Line:    2,
		Index:   0,
		Case:    "a",
		Field:   "tags[0]",
		Problem: "empty string",
		Want:    "a name",
	})
}

// Files that are no dataset at all.
func TestEdgeFiles(t *testing.T) {
	t.Parallel()
	latin := `[{"question": "a question in Latin letters"}]`
	withoutMark, bigWithoutMark := utf16Text(latin, false)[2:], utf16Text(latin, true)[2:]
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, c := range []struct {
		name, content string
		o             dataset.Options
		want          string
	}{
		{name: "empty.json", want: "empty.json: empty file: expected at least one case"},
		{name: "blank.json", content: " \n\t\n", want: "blank.json: empty file: expected at least one case"},
		{name: "mark.json", content: "\ufeff", want: "mark.json: empty file: expected at least one case"},
		{
			name:    "blanks.json",
			content: strings.Repeat("\n", 1<<17),
			want:    "blanks.json: nothing but white space in the first 65536 bytes: expected a dataset",
		},
		{
			name:    "utf16.json",
			content: withoutMark,
			want:    "utf16.json: looks like UTF-16 without a byte order mark (iconv -f UTF-16LE -t UTF-8 converts it): expected text in UTF-8, or in UTF-16 with a byte order mark",
		},
		{
			name:    "utf16be.json",
			content: bigWithoutMark,
			want:    "utf16be.json: looks like UTF-16 without a byte order mark (iconv -f UTF-16BE -t UTF-8 converts it): expected text in UTF-8, or in UTF-16 with a byte order mark",
		},
		{
			name:    "zero.json",
			content: "[\n1\x00",
			want:    "zero.json:2: byte 2 of the line is 0, so this is not text: expected text in UTF-8, or in UTF-16 with a byte order mark",
		},
		{
			name:    "latin.json",
			content: "[{\n\"question\": \"caf\xe9\"}]",
			want:    "latin.json:2: byte 17 of the line (0xe9) is not UTF-8: expected text in UTF-8, or in UTF-16 with a byte order mark",
		},
		{
			name:    "late.json",
			content: "[{\"question\": \"" + strings.Repeat("é\n", 40_000) + "\xff\"}]",
			o:       dataset.Options{Format: "assay"},
			want:    "late.json:40001: byte 1 of the line (0xff) is not UTF-8: expected text in UTF-8",
		},
		{
			name:    "late.jsonl",
			content: strings.Repeat("{\"question\": \"é\"}\n", 10_000) + "{\"question\": \"\xff\"}",
			want:    "late.jsonl:10001: byte 15 of the line (0xff) is not UTF-8: expected text in UTF-8",
		},
		{
			name:    "noise.bin",
			content: "\x8f\x02\x99" + strings.Repeat("x", 1000),
			want:    "noise.bin:1: byte 1 of the line (0x8f) is not UTF-8: expected text in UTF-8, or in UTF-16 with a byte order mark",
		},
		{
			name:    "long.jsonl",
			content: `{"question": "` + strings.Repeat("x", 17<<20) + `"}`,
			want:    "long.jsonl:1: the line is longer than 16 MB: expected one record per line",
		},
		{name: "deep.json", content: `[{"question": "a", "metadata": ` + deep + "}]", want: "deep.json:1: values nested more than 100 deep"},
		{
			name:    "deep.yaml",
			content: "metadata: " + deep,
			want:    "deep.yaml:1: values nested more than 100 deep: expected JSON or JSON Lines for such data",
		},
		{
			name:    "blocks.yaml",
			content: "test_cases:\n" + strings.Repeat("- ", 100_000),
			want:    "blocks.yaml:2: values nested more than 100 deep: expected JSON or JSON Lines for such data",
		},
		{
			name:    "brackets.yaml",
			content: "test_cases: " + strings.Repeat("[", 100_000),
			want:    "brackets.yaml:1: values nested more than 100 deep: expected JSON or JSON Lines for such data",
		},
		{
			name:    "names.yaml",
			content: "metadata:\n" + strings.Repeat("  a: b\n", 100_000),
			want:    "names.yaml:1002: more than 1000 names in one map: expected JSON or JSON Lines for such data",
		},
		{
			name:    "line.yaml",
			content: "metadata: " + strings.Repeat("&a ", 100_000),
			want:    "line.yaml:1: more than 20000 values in one line: expected JSON or JSON Lines for such data",
		},
		{
			name:    "cut.gz",
			content: gzipped(t, strings.Repeat(support, 100))[:200],
			want:    "cut.gz: the compressed data ends too early: expected a complete file",
		},
		{name: "x.xlsx", content: string(archive(t, "", map[string]string{"[Content_Types].xml": "", "xl/workbook.xml": ""})), want: "x.xlsx: is an Excel workbook; save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.ods", content: string(archive(t, "", map[string]string{"mimetype": "", "content.xml": ""})), want: "x.ods: is an OpenDocument file; save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.docx", content: string(archive(t, "", map[string]string{"word/document.xml": ""})), want: "x.docx: is a Word document; save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.xls", content: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", want: "x.xls: is a file of an older Office (.xls, .doc); save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.jsonl.bz2", content: "BZh91AY&SY\x97\xee", want: "x.jsonl.bz2: is compressed with bzip2; unpack it, or pack its file with gzip or zstd"},
		{name: "x.jsonl.xz", content: "\xfd7zXZ\x00\x00", want: "x.jsonl.xz: is compressed with xz; unpack it, or pack its file with gzip or zstd"},
		{name: "x.pkl", content: "\x80\x04\x954\x00", want: "x.pkl: is a pickle of Python; save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.toml", content: "[[cases]]\nquestion = \"q\"\n", want: "x.toml: is TOML; save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.pdf", content: "%PDF-1.7\n", want: "x.pdf: is a PDF; save its data as JSON Lines, or its table as CSV (UTF-8)"},
		{name: "x.csv.gz", content: gzipped(t, string(archive(t, "", map[string]string{"xl/workbook.xml": ""}))), want: "x.csv.gz: is a zip archive; unpack it, or pack its file with gzip or zstd"},
		{name: "x.tar.gz", content: gzipped(t, "q.csv"+strings.Repeat("\x00", 252)+"ustar"), want: "x.tar.gz: is a tar archive; unpack it, or pack its file with gzip or zstd"},
		{name: "cut.zip", content: "PK\x03\x04 and no more", want: "cut.zip: the zip archive is cut short or damaged: expected a whole one"},
		{
			name:    "x.json",
			content: "[]",
			o:       dataset.Options{Format: "beir"},
			want:    "x.json: is not a directory or zip archive: expected a directory or zip for format beir",
		},
		{
			name:    "x.csv",
			content: "question\na",
			o:       dataset.Options{Format: "gold"},
			want:    "x.csv: is not JSON: expected a list of objects, or one object a line",
		},
	} {
		got := refuse(t, c.name, c.content, c.o)
		diff(t, c.name, got[0], c.want)
	}
}

// A file of a gigabyte fails by its beginning: reading it would take seconds.
func TestHugeNoise(t *testing.T) {
	for _, c := range []struct{ head, format, want string }{
		{"", "", "noise:1: byte 1 of the line is 0, so this is not text"},
		{"[{\"question\": \"x\"}", "assay", "noise: longer than 256 MB: expected one JSON object per line for data of this size"},
	} {
		path := put(t, "noise", c.head)
		if err := os.Truncate(path, 1<<30); err != nil {
			t.Fatal(err)
		}
		if c.head != "" {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			// The head is text, so that the noise behind it is not seen.
			if _, err := f.WriteAt([]byte(c.head+strings.Repeat(" ", 70_000)), 0); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		dataset.Formats() // they are read once
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := dataset.Load(context.Background(), path, dataset.Options{Name: "noise", Format: c.format})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
			t.Errorf("%d bytes allocated, want no more than the beginning needs", n)
		}
	}
}

// Names in a file are shown, not obeyed: neither by a terminal nor by a reader
// of lines.
func TestNamesInMessagesAreHarmless(t *testing.T) {
	t.Parallel()
	const hostile = `q\u001b[31m\nassay: all is well\u202e`
	d := load(t, "x.json", `[{"question": "a", "ground_truth": "b", "expected_contexts": [], "`+hostile+`": 1}]`, dataset.Options{})
	diff(t, "warnings", warnings(d), []string{"x.json:1: q[31m assay: all is well: unknown field, ignored (1 of 1 case)"})
	got := refuse(t, "x.csv", "question,\"a\x1b[31m\nb\u202e\",\"a\x1b[31m\nb\u202e\"\nq,1,2\n", dataset.Options{})
	diff(t, "problem", got, []string{"x.csv:1: a[31m b: columns 2 and 3 have the same name: expected one of them"})
}

func TestNoSuchFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, want string }{{"gone.json", "gone.json: no such file or directory"}} {
		_, err := dataset.Load(context.Background(), filepath.Join(t.TempDir(), c.name), dataset.Options{Name: c.name})
		if !errors.Is(err, os.ErrNotExist) || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	_, err := dataset.Load(context.Background(), put(t, "x.json", "[]"), dataset.Options{Format: "ragsa"})
	want := `unknown format "ragsa": did you mean "ragas"?  (all: ` + strings.Join(dataset.FormatNames(), ", ") + ")"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := put(t, "x.jsonl", strings.Repeat(`{"question": "a", "ground_truth": "b"}`+"\n", 5))
	if _, err := dataset.Load(ctx, path, dataset.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// A reference answer is missed even when no case has one; other labels only
// when some cases have them.
func TestMissingLabels(t *testing.T) {
	t.Parallel()
	d := load(t, "x.json",
		`[{"question": "a"}, {"question": "b", "answerable": false}, {"question": "c", "expected_contexts": ["d"]}]`, dataset.Options{})
	diff(t, "warnings", warnings(d), []string{
		"x.json:1: ground_truth: missing (2 of 3 cases)",
		"x.json:1: expected_contexts: missing (1 of 3 cases)",
	})
}
