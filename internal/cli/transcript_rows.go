package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/rows"
	"github.com/assay-eval/assay/metric/speech"
)

// A tableRow is an utterance with its line, counted from 0. The id is empty for a line that is
// not yet parsed. others are the values of the other columns.
type tableRow struct {
	line     int
	id, text string
	others   map[string]string
}

// Names of the columns of tables, and of the fields of manifests, in lower case; one that ends
// in "_" is the beginning of names. A text is looked for by the names of its side first.
var (
	idNames = []string{"audio_filepath", "audio", "id", "utterance_id", "utt_id", "utterance", "utt", "segment_id", "file", "filename",
		"file_name", "path", "wav", "key"}
	textNames = []string{"text", "transcript", "transcription", "sentence"}
	sureHyps  = []string{"hypothesis", "hyp", "pred_text", "prediction"}
	otherHyps = []string{"predicted_text", "predicted", "pred", "hyp_text", "asr_output", "asr_text", "model_output", "recognized", "decoded", "pred_text_"}
	sureRefs  = []string{"reference", "ref"}
	refTexts  = slices.Concat(sureRefs, textNames)
	hypTexts  = slices.Concat(sureHyps, otherHyps, textNames)
	allTexts  = slices.Concat(refTexts, hypTexts)
)

// idName matches further names of columns of ids, which are ids if they agree.
var idName = lazyregexp.New(`(?i)^(?:.*[_ -])?(?:id|key|path|file|name|filename|index|clip|audio|wav)$|^(?:utt|u|gu|uu)id$`)

// isTable reports whether a line is the header of a table of transcripts: it has a known name of a text, and all names are known or
// one is that of an id. Between tabs one known name is enough, unless the line begins with an id that has a digit.
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
	isText := func(name string) bool { return columnFor(allTexts, []string{name}) != "" }
	notText := func(name string) bool { return !isText(name) }
	isID := func(name string) bool { return columnFor(idNames, []string{name}) != "" || idName().MatchString(name) }
	text := slices.ContainsFunc(names, isText)
	if strings.Contains(line, "\t") && !(notText(names[0]) && strings.ContainsAny(names[0], "0123456789")) {
		return text || isID(names[0]) && !strings.Contains(names[0], " ")
	}
	return text && (slices.ContainsFunc(names, isID) || !slices.ContainsFunc(names, notText))
}

// columnFor returns the column that has the first of the names, "" if none has one.
func columnFor(names, columns []string) string {
	for _, name := range names {
		if i := slices.IndexFunc(columns, func(c string) bool {
			c = strings.ToLower(c)
			return c == name || strings.HasSuffix(name, "_") && strings.HasPrefix(c, name)
		}); i >= 0 {
			return columns[i]
		}
	}
	return ""
}

// tableRows reads a table with a header, or a manifest of NeMo with an object per line, into the file.
func (f *transcriptFile) tableRows(lines []string, texts []string) ([]tableRow, error) {
	var out []tableRow
	var columns []string
	id, text := "", "" // the same columns in all rows
	r := &rows.Reader{Name: f.Name, Want: "a transcript"}
	r.Header = func(line int, fields []string, _ bool) bool {
		columns = fields
		if text == "" {
			if id, text = columnFor(idNames, columns), columnFor(texts, columns); text == "" {
				r.Fail(line, "the columns are %s: name that of the texts %s, and that of the ids id", strings.Join(columns, ", "), texts[0])
			}
		}
		return text != ""
	}
	r.Row = func(line int, value func(string) any) {
		said, ok := value(text).(string)
		row := tableRow{line - 1, fmt.Sprintf("row %d", len(out)+1), strings.TrimSpace(said), map[string]string{}}
		for _, c := range columns {
			if v, ok := rows.Text(value(c)); ok && c != id && c != text {
				row.others[c] = v
			}
		}
		if id != "" {
			row.id, _ = rows.Text(value(id))
		}
		switch {
		case !ok:
			r.Fail(line, `no %s: every row must have one, "" for no words`, text)
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
	err := r.Read(strings.NewReader(strings.Join(lines, "\n")))
	f.id, f.text, f.rows = id, text, out
	if err != nil || texts[0] != hypTexts[0] {
		return out, err
	}
	if rival := f.rival(); rival != "" {
		err = fmt.Errorf("%s: the columns %s and %s may both be the hypothesis: rename that of the hypothesis to %s", f.Name, text, rival, texts[0])
	}
	return out, err
}

// commonIDs takes the ids of rows that have none from a column that both tables have. Rows stay paired in order if no such column
// says otherwise. A column that shows that the orders differ, and cannot be the id, is an error.
func commonIDs(ref, hyp *transcriptFile) error {
	if ref.id+hyp.id != "" || len(ref.rows) == 0 || len(hyp.rows) == 0 {
		return nil
	}
	best, rank, differs := "", 0, ""
	ours := ref.unshared(hyp)
	for _, name := range slices.Sorted(maps.Keys(ref.rows[0].others)) {
		if columnFor(allTexts, []string{name}) != "" || slices.Contains(ours, name) {
			continue
		}
		a, b := ref.column(name), hyp.column(name)
		sortedA, sortedB := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
		uniqueA, uniqueB := slices.Compact(slices.Clone(sortedA)), slices.Compact(slices.Clone(sortedB))
		unique := len(uniqueA) == len(a) && len(uniqueB) == len(b) && sortedA[0] != "" && sortedB[0] != ""
		shared := 0
		for _, v := range uniqueA {
			if _, found := slices.BinarySearch(uniqueB, v); found {
				shared++
			}
		}
		same, ordered := slices.Equal(sortedA, sortedB), slices.Equal(a, b)
		_, err := strconv.ParseFloat(a[0], 64)
		// Names say more than numbers, which may count rows or words, and another order more than the same.
		r := 1
		if err != nil {
			r += 2
		}
		if !ordered {
			r++
		}
		switch {
		case unique && (same || err != nil && 2*shared >= min(len(a), len(b))):
			if r > rank {
				best, rank = name, r
			}
		case !ordered && len(a) == len(b) && (same && err != nil || unique && idName().MatchString(name)):
			differs = name
		}
	}
	switch {
	case rank%2 == 0 && best != "":
		for _, f := range []*transcriptFile{ref, hyp} {
			f.id = best
			for i, v := range f.column(best) {
				f.Utterances[i].ID = v
			}
		}
	case best == "" && differs != "":
		return fmt.Errorf("%s, %s: the rows have no id, and the column %s is not the same in each row: name the column of the ids id", ref.Name,
			hyp.Name, differs)
	case best == "" && len(ours) > 0 && len(hyp.unshared(ref)) > 0:
		hyp.warning = "has no column of ids with the name of one in " + ref.Name + ", so rows are paired in order: name that of the ids id in both"
	}
	return nil
}

// unshared lists the columns that another table lacks, and that are not named as texts.
func (f *transcriptFile) unshared(other *transcriptFile) (names []string) {
	for name := range f.rows[0].others {
		if _, both := other.rows[0].others[name]; !both && columnFor(allTexts, []string{name}) == "" {
			names = append(names, name)
		}
	}
	return names
}

// column returns the values of a column that is neither the id nor the text.
func (f *transcriptFile) column(name string) []string {
	values := make([]string, len(f.rows))
	for i, row := range f.rows {
		values[i] = row.others[name]
	}
	return values
}

// columns says which columns were read of a table.
func (f *transcriptFile) columns() string {
	if f.text == "" {
		return ""
	}
	return fmt.Sprintf(", %s of %s (id: %s)", f.text, f.Name, cmp.Or(f.id, "none, rows in order"))
}

// sharedByRivals is the share of the words of a text that another transcript of the same speech has at least.
const sharedByRivals = 0.25

// rival returns a column that may be the hypothesis as well as the one that was chosen, "" if none may.
func (f *transcriptFile) rival() string {
	chosen := []string{f.text}
	if len(f.rows) == 0 || columnFor(sureHyps, chosen) != "" {
		return ""
	}
	said, shared := 0, map[string]int{}
	for _, row := range f.rows[:min(len(f.rows), 1000)] {
		words := speech.Mixed.Tokens(speech.Profile{}.Normalise(row.text))
		said += len(words)
		for c, v := range row.others {
			other := speech.Mixed.Tokens(speech.Profile{}.Normalise(v))
			for _, w := range words {
				if slices.Contains(other, w) {
					shared[c]++
				}
			}
		}
	}
	for _, c := range slices.Sorted(maps.Keys(shared)) {
		column := []string{c}
		known := columnFor(sureRefs, column) != "" || columnFor(otherHyps, chosen) != "" && columnFor(otherHyps, column) == ""
		if !known && float64(shared[c]) >= sharedByRivals*float64(said) {
			return c
		}
	}
	return ""
}
