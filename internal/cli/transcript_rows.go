package cli

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
	names := columnsOf(line)
	return len(names) > 1 && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(idNames, n) }) &&
		slices.ContainsFunc(names, func(n string) bool { return slices.Contains(refTexts, n) || slices.Contains(hypTexts, n) })
}

// columnsOf returns the names in a header.
func columnsOf(header string) []string {
	r := csv.NewReader(strings.NewReader(strings.ToLower(header)))
	r.Comma, r.TrimLeadingSpace = commaOf(header), true
	names, err := r.Read()
	if err != nil {
		return nil
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// commaOf returns what separates the columns of a header.
func commaOf(header string) rune {
	for _, c := range "\t;" {
		if strings.ContainsRune(header, c) {
			return c
		}
	}
	return ','
}

// firstNamed returns the first of the names that is had, "" if none is.
func firstNamed(names []string, had func(string) bool) string {
	if i := slices.IndexFunc(names, had); i >= 0 {
		return names[i]
	}
	return ""
}

// tableRows reads a table with a header, or a manifest of NeMo with an object per line.
func tableRows(lines []string, name, format string, texts []string) ([]tableRow, error) {
	if format == "nemo" {
		return manifestRows(lines, name, texts)
	}
	names := columnsOf(lines[0])
	has := func(n string) bool { return slices.Contains(names, n) }
	id, text := slices.Index(names, firstNamed(idNames, has)), slices.Index(names, firstNamed(texts, has))
	if text < 0 {
		return nil, fmt.Errorf("%s:1: the columns are %s: name that of the texts %s, and that of the ids id", name,
			strings.Join(names, ", "), texts[0])
	}
	r := csv.NewReader(strings.NewReader(strings.Join(lines, "\n")))
	r.Comma, r.FieldsPerRecord = commaOf(lines[0]), len(names)
	var rows []tableRow
	for n := 0; ; n++ {
		cells, err := r.Read()
		switch line, _ := r.FieldPos(0); {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case n == 0:
		case id < 0:
			rows = append(rows, tableRow{line - 1, fmt.Sprintf("row %d", n), strings.TrimSpace(cells[text])})
		case strings.TrimSpace(cells[id]) == "":
			return nil, fmt.Errorf("%s:%d: %s is empty: every row must have an id", name, line, names[id])
		default:
			rows = append(rows, tableRow{line - 1, strings.TrimSpace(cells[id]), strings.TrimSpace(cells[text])})
		}
	}
}

func manifestRows(lines []string, name string, texts []string) ([]tableRow, error) {
	var rows []tableRow
	// text is the field of the texts, the same in all lines.
	id, text := "", ""
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, fmt.Errorf("%s:%d: must be a JSON object with audio_filepath and text: %w", name, i+1, err)
		}
		has := func(n string) bool { _, ok := v[n]; return ok }
		if rows == nil {
			id, text = firstNamed(idNames, has), firstNamed(texts, has)
		}
		said, ok := v[text].(string)
		if !ok {
			return nil, fmt.Errorf("%s:%d: no text: the object must have %s", name, i+1, strings.Join(texts, ", or "))
		}
		row := tableRow{i, fmt.Sprintf("row %d", len(rows)+1), strings.TrimSpace(said)}
		if id != "" {
			if row.id = fmt.Sprint(v[id]); !has(id) || row.id == "" {
				return nil, fmt.Errorf("%s:%d: no %s: every line must have an id", name, i+1, id)
			}
		}
		// Segments of one recording differ in where they begin.
		if at, ok := v["offset"].(float64); ok && at > 0 {
			row.id = fmt.Sprintf("%s@%v", row.id, at)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
