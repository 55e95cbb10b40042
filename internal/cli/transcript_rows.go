package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/rows"
)

// A tableRow is an utterance with its line, counted from 0. The id is empty for a line that is
// not yet parsed.
type tableRow struct {
	line     int
	id, text string
}

// Names of the columns of tables, and of the fields of manifests, in lower case. A text is
// looked for by the names of its side first.
var (
	idNames = []string{"audio_filepath", "audio", "id", "utterance_id", "utt_id", "utterance", "utt", "segment_id", "file", "filename",
		"file_name", "path", "wav", "key"}
	textNames = []string{"text", "transcript", "transcription", "sentence"}
	refTexts  = append([]string{"reference", "ref"}, textNames...)
	hypTexts  = append([]string{"hypothesis", "hyp", "pred_text", "prediction"}, textNames...)
)

// isTable reports whether a line is the header of a table of transcripts.
func isTable(line string) bool {
	var names []string
	header := rows.Reader{Header: func(_ int, columns []string, table bool) bool {
		if table {
			names = columns
		}
		return false
	}}
	if header.Read(strings.NewReader(line)) != nil || len(names) < 2 {
		return false
	}
	return columnFor(idNames, names) != "" && (columnFor(refTexts, names) != "" || columnFor(hypTexts, names) != "")
}

// columnFor returns the column that has the first of the names, "" if none has one.
func columnFor(names, columns []string) string {
	for _, name := range names {
		if i := slices.IndexFunc(columns, func(c string) bool { return strings.ToLower(c) == name }); i >= 0 {
			return columns[i]
		}
	}
	return ""
}

// tableRows reads a table with a header, or a manifest of NeMo with an object per line.
func tableRows(lines []string, name string, texts []string) ([]tableRow, error) {
	var out []tableRow
	id, text := "", "" // the same columns in all rows
	r := &rows.Reader{Name: name, Want: "a transcript"}
	r.Header = func(line int, columns []string, _ bool) bool {
		if text == "" {
			if id, text = columnFor(idNames, columns), columnFor(texts, columns); text == "" {
				r.Fail(line, "the columns are %s: name that of the texts %s, and that of the ids id", strings.Join(columns, ", "), texts[0])
			}
		}
		return text != ""
	}
	r.Row = func(line int, value func(string) any) {
		said, ok := value(text).(string)
		row := tableRow{line - 1, fmt.Sprintf("row %d", len(out)+1), strings.TrimSpace(said)}
		if id != "" {
			row.id, _ = rows.Text(value(id))
		}
		switch {
		case !ok:
			r.Fail(line, "no %s: every row must have a text", text)
		case row.id == "":
			r.Fail(line, "%s is empty: every row must have an id", id)
		}
		// Segments of one recording differ in where they begin.
		if at, ok := value("offset").(json.Number); ok {
			if seconds, err := at.Float64(); err == nil && seconds > 0 {
				row.id = fmt.Sprintf("%s@%v", row.id, seconds)
			}
		}
		out = append(out, row)
	}
	return out, r.Read(strings.NewReader(strings.Join(lines, "\n")))
}
