package judge

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/assay-eval/assay"
)

// A Label holds the labels of one case by people, and possibly the score of a judge.
type Label struct {
	Case string
	// Labels are those of the annotators, in the order of their columns; nil for a missing
	// one. The judge is compared with the first.
	Labels []*float64
	// Score is the judge's score in the same file; nil if there is none.
	Score *float64
	// Cluster groups items that are not independent; "" means none.
	Cluster string
	// Run is the id or the name of the run whose answer was labelled; "" if the file does not say.
	Run string
	// How says how the case was chosen: one of the constants, or "" if the file does not say. Stratum is that from which
	// a [Stratified] case was drawn.
	How     string
	Stratum int
	Origin  assay.Origin
}

// How a case was chosen to be labelled.
const (
	// Random cases were drawn at random from all.
	Random = "random"
	// Stratified cases were drawn at random from the strata of a comparison, from some more than from others.
	Stratified = "stratified"
	// Unsure cases were chosen because the judge is unsure, Chosen ones for another reason: neither are a sample.
	Unsure = "unsure"
	Chosen = "chosen"
)

// labelColumns lists the columns of a file of labels with their names. Further annotators
// are label2, label3 and so on.
var labelColumns = []struct {
	name  string
	known []string
}{
	{"case", []string{"case", "case_id", "id"}},
	{"label", []string{"label", "label1", "human"}},
	{"score", []string{"score", "judge", "judge_score"}},
	{"cluster", []string{"cluster", "group"}},
	{"run", []string{"run", "run_id"}},
	{"how", []string{"how"}},
	{"stratum", []string{"stratum"}},
}

// LabelColumns are the names of the columns of a file of labels, without those of further annotators.
func LabelColumns() []string {
	var out []string
	for _, c := range labelColumns {
		out = append(out, c.name)
	}
	return out
}

const (
	// maxLabelFile limits a file: a million labels are about 50 MB.
	maxLabelFile = 256 << 20
	// shownLabelErrors limits the length of a message.
	shownLabelErrors = 20
)

// labelWords are labels in words.
var labelWords = map[string]float64{
	"yes": 1, "y": 1, "true": 1, "t": 1, "pass": 1, "good": 1, "correct": 1,
	"no": 0, "n": 0, "false": 0, "f": 0, "fail": 0, "bad": 0, "incorrect": 0,
}

// ReadLabels reads labels as a table with a header, columns separated by comma,
// semicolon or tab, or as JSON lines. Columns are case (or case_id, id), label
// (or human), further annotators label2, label3 …, score (the judge's), cluster
// (or group), run (or run_id), whose answer was labelled, how, with stratum, the
// case was chosen; others are ignored. A case is there once, or once a run. Columns maps these names to those
// of the file, or to "" for a column that is not to be read. A label is a number
// or a word such as yes, no, true, false, pass, fail; blank is none. Text is
// UTF-8, or UTF-16 with a byte order mark. Name is that of the file in messages,
// of which the error has one a line, up to 20.
func ReadLabels(r io.Reader, name string, columns map[string]string) ([]Label, error) {
	return readTable(r, name, columns, "label")
}

// ReadScores reads a file like [ReadLabels], with required scores instead of labels.
func ReadScores(r io.Reader, name string, columns map[string]string) ([]Label, error) {
	return readTable(r, name, columns, "score")
}

// readTable reads a file that must have cases and one other column.
func readTable(r io.Reader, name string, columns map[string]string, need string) ([]Label, error) {
	in := io.LimitReader(transform.NewReader(r, unicode.BOMOverride(unicode.UTF8.NewDecoder())), maxLabelFile+1)
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(b) > maxLabelFile {
		return nil, fmt.Errorf("%s: larger than %d MB: want a table of %ss", name, maxLabelFile>>20, need)
	}
	l := &labelReader{name: name, need: need, chosen: columns, first: map[[2]string]int{}}
	switch start := bytes.TrimSpace(b); {
	case len(start) == 0:
		return nil, fmt.Errorf("%s: empty file: want a header and a %s in each row", name, need)
	case start[0] == '{':
		l.lines(b)
	case start[0] == '[':
		return nil, fmt.Errorf("%s:1: a JSON list: want one JSON object a line, or a table with a header", name)
	default:
		l.table(b)
	}
	if len(l.errs) > 0 {
		if n := len(l.errs) - shownLabelErrors; n > 0 {
			l.errs = append(l.errs[:shownLabelErrors], fmt.Errorf("%s: %d more problems", name, n))
		}
		return nil, errors.Join(l.errs...)
	}
	if len(l.out) == 0 {
		return nil, fmt.Errorf("%s: no rows below the header: want a %s in each", name, need)
	}
	return l.out, nil
}

type labelReader struct {
	name string
	// need is the required column besides the case.
	need   string
	chosen map[string]string
	// first is the line of each case of a run.
	first map[[2]string]int
	out   []Label
	errs  []error
}

func (l *labelReader) fail(line int, format string, args ...any) {
	l.errs = append(l.errs, fmt.Errorf("%s:%d: %s", l.name, line, fmt.Sprintf(format, args...)))
}

// table reads rows below a header.
func (l *labelReader) table(b []byte) {
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma = separator(b)
	r.FieldsPerRecord = -1
	// A tab counts as space, and may be the separator.
	r.TrimLeadingSpace = r.Comma != '\t'
	header, err := r.Read()
	if err != nil {
		l.broken(err)
		return
	}
	for i, h := range header {
		header[i] = strings.TrimSpace(h)
	}
	at, ok := l.columns(header, 1)
	if !ok {
		return
	}
	for _, c := range slices.Sorted(maps.Keys(l.chosen)) {
		if at[c] == "" && l.chosen[c] != "" {
			l.fail(1, "no column %q among %q: want one for the %s", l.chosen[c], header, c)
		}
	}
	for _, need := range []string{"case", l.need} {
		if at[need] == "" && l.chosen[need] == "" {
			l.fail(1, "no column %q among %q: want one", need, header)
		}
	}
	if len(l.errs) > 0 {
		return
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			l.broken(err)
			return
		}
		line, _ := r.FieldPos(0)
		if len(row) != len(header) {
			l.fail(line, "%d columns: want %d as in the header", len(row), len(header))
			continue
		}
		l.add(line, at, func(column string) (string, bool) {
			i := slices.Index(header, column)
			return strings.TrimSpace(row[i]), true
		})
	}
}

// broken reports a malformed row.
func (l *labelReader) broken(err error) {
	var p *csv.ParseError
	if errors.As(err, &p) {
		l.fail(p.Line, "column %d: %v: want a table with quotes in pairs", p.Column, p.Err)
		return
	}
	l.errs = append(l.errs, fmt.Errorf("%s: %w", l.name, err))
}

// separator is the most frequent separator of the first line.
func separator(b []byte) rune {
	first, _, _ := bytes.Cut(bytes.TrimLeft(b, "\r\n"), []byte{'\n'})
	best, most := ',', 0
	for _, c := range ",;\t" {
		if n := bytes.Count(first, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

// lines reads a JSON object a line.
func (l *labelReader) lines(b []byte) {
	s := bufio.NewScanner(bytes.NewReader(b))
	s.Buffer(nil, maxLabelFile+1)
	found := false
	for line := 1; s.Scan(); line++ {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(s.Bytes()))
		d.UseNumber()
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			l.fail(line, "%v: want a JSON object", err)
			continue
		}
		if _, err := d.Token(); err != io.EOF {
			l.fail(line, "text after the JSON object: want one object a line")
			continue
		}
		// Objects need not all have the same keys.
		keys := make([]string, 0, len(row))
		for k := range row {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		at, ok := l.columns(keys, line)
		if !ok {
			return
		}
		found = found || at[l.need] != ""
		l.add(line, at, func(column string) (string, bool) {
			switch v := row[column].(type) {
			case nil:
				return "", true
			case string:
				return strings.TrimSpace(v), true
			case json.Number:
				return v.String(), true
			case bool:
				return strconv.FormatBool(v), true
			}
			return "", false
		})
	}
	switch err := s.Err(); {
	case err != nil:
		l.errs = append(l.errs, fmt.Errorf("%s: %w", l.name, err))
	case !found && len(l.errs) == 0:
		l.fail(1, "no line has a %s: want a field %q", l.need, l.need)
	}
}

// columns finds the known columns of the file.
func (l *labelReader) columns(header []string, line int) (at map[string]string, ok bool) {
	at = map[string]string{}
	for _, c := range labelColumns {
		names := c.known
		if chosen, ok := l.chosen[c.name]; ok {
			names = []string{chosen}
		}
		for _, h := range header {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, h) }) {
				continue
			}
			if at[c.name] != "" {
				l.fail(line, "columns %q and %q are both the %s: want one", at[c.name], h, c.name)
				return nil, false
			}
			at[c.name] = h
		}
	}
	for i := 2; ; i++ {
		name := fmt.Sprint("label", i)
		want := name
		if chosen, ok := l.chosen[name]; ok {
			want = chosen
		}
		found := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(want, h) })
		if found < 0 {
			return at, true
		}
		at[name] = header[found]
	}
}

// add reads one row; value returns false if a column is not a plain value.
func (l *labelReader) add(line int, at map[string]string, value func(column string) (string, bool)) {
	get := func(name string) string {
		if at[name] == "" {
			return ""
		}
		s, ok := value(at[name])
		if !ok {
			l.fail(line, "%s: a list or an object: want a plain value", at[name])
		}
		return s
	}
	before := len(l.errs)
	out := Label{Case: get("case"), Cluster: get("cluster"), Run: get("run"), Origin: assay.Origin{File: l.name, Line: line}}
	if out.Case == "" {
		l.fail(line, "no case: want the id of one")
		return
	}
	key := [2]string{out.Run, out.Case}
	if seen, ok := l.first[key]; ok {
		l.fail(line, "case %q is there twice, first on line %d: want further annotators in columns label2, label3, "+
			"and the run of each answer in a column run", out.Case, seen)
		return
	}
	l.first[key] = line
	l.choice(line, at, get, &out)
	out.Labels = append(out.Labels, l.label(line, at["label"], get("label")))
	for i := 2; at[fmt.Sprint("label", i)] != ""; i++ {
		name := fmt.Sprint("label", i)
		out.Labels = append(out.Labels, l.label(line, at[name], get(name)))
	}
	if s := get("score"); s != "" {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			l.fail(line, "%s %q: want a number, or blank where the judge gave none", at["score"], s)
		}
		out.Score = &v
	}
	if len(l.errs) == before {
		l.out = append(l.out, out)
	}
}

// choice reads how the case was chosen.
func (l *labelReader) choice(line int, at map[string]string, get func(string) string, out *Label) {
	out.How = strings.ToLower(get("how"))
	if ways := []string{Random, Stratified, Unsure, Chosen}; out.How != "" && !slices.Contains(ways, out.How) {
		l.fail(line, "%s %q: want one of %s, or blank", at["how"], out.How, strings.Join(ways, ", "))
		return
	}
	stratum := get("stratum")
	if out.How != Stratified {
		return
	}
	n, err := strconv.Atoi(stratum)
	if err != nil || n < 1 {
		l.fail(line, "stratum %q of a stratified case: want its number from 1, as --label-next wrote it", stratum)
		return
	}
	out.Stratum = n
}

func (l *labelReader) label(line int, column, s string) *float64 {
	if s == "" {
		return nil
	}
	v, ok := labelWords[strings.ToLower(s)]
	if !ok {
		var err error
		if v, err = strconv.ParseFloat(s, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			l.fail(line, "%s %q: want 0 or 1, yes or no, or a grade", column, s)
			return nil
		}
	}
	return &v
}
