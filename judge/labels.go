package judge

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rows"
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
	l := &labelReader{chosen: columns, first: map[[2]string]int{}}
	l.Reader = rows.Reader{Name: name, Want: "a label", Header: l.header, Row: l.row}
	if err := l.Read(r); err != nil {
		return l.out, err
	}
	switch {
	case !l.found:
		return nil, fmt.Errorf(`%s:1: no line has a label: expected a field "label"`, name)
	case len(l.out) == 0:
		return nil, fmt.Errorf("%s: no rows below the header: expected a label in each", name)
	}
	return l.out, nil
}

type labelReader struct {
	rows.Reader
	chosen map[string]string
	// at has the columns of the row by what they are, found is set once the label is among them.
	at    map[string]string
	found bool
	// first is the line of each case of a run.
	first map[[2]string]int
	out   []Label
}

// header finds the columns of a table, or the fields of an object.
func (l *labelReader) header(line int, columns []string, table bool) (ok bool) {
	if l.at, ok = l.columns(columns, line); !ok {
		return false
	}
	l.found = l.found || table || l.at["label"] != ""
	if !table {
		return true
	}
	for _, c := range slices.Sorted(maps.Keys(l.chosen)) {
		if l.at[c] == "" && l.chosen[c] != "" {
			l.Fail(line, "no column %q among %q: expected one for the %s", l.chosen[c], columns, c)
		}
	}
	for _, need := range []string{"case", "label"} {
		if l.at[need] == "" && l.chosen[need] == "" {
			l.Fail(line, "no column %q among %q: expected one", need, columns)
		}
	}
	return l.Failed() == 0
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
				l.Fail(line, "columns %q and %q are both the %s: expected one", at[c.name], h, c.name)
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

// row reads one row.
func (l *labelReader) row(line int, value func(column string) any) {
	at := l.at
	get := func(name string) string {
		if at[name] == "" {
			return ""
		}
		s, ok := rows.Text(value(at[name]))
		if !ok {
			l.Fail(line, "%s: a list or an object: expected a plain value", at[name])
		}
		return strings.TrimSpace(s)
	}
	before := l.Failed()
	out := Label{Case: get("case"), Cluster: get("cluster"), Run: get("run"), Origin: assay.Origin{File: l.Name, Line: line}}
	if out.Case == "" {
		l.Fail(line, "no case: expected the id of one")
		return
	}
	key := [2]string{out.Run, out.Case}
	if seen, ok := l.first[key]; ok {
		l.Fail(line, "case %q is there twice, first on line %d: expected further annotators in columns label2, label3, "+
			"and the run of each answer in a column run", out.Case, seen)
		return
	}
	l.first[key] = line
	l.choice(line, get, &out)
	out.Labels = append(out.Labels, l.label(line, at["label"], get("label")))
	for i := 2; at[fmt.Sprint("label", i)] != ""; i++ {
		name := fmt.Sprint("label", i)
		out.Labels = append(out.Labels, l.label(line, at[name], get(name)))
	}
	if s := get("score"); s != "" {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			l.Fail(line, "%s %q: expected a number, or blank where the judge gave none", at["score"], s)
		}
		out.Score = &v
	}
	if l.Failed() == before {
		l.out = append(l.out, out)
	}
}

// choice reads how the case was chosen.
func (l *labelReader) choice(line int, get func(string) string, out *Label) {
	out.How = strings.ToLower(get("how"))
	if ways := []string{Random, Stratified, Unsure, Chosen}; out.How != "" && !slices.Contains(ways, out.How) {
		l.Fail(line, "%s %q: expected one of %s, or blank", l.at["how"], out.How, strings.Join(ways, ", "))
		return
	}
	stratum := get("stratum")
	if out.How != Stratified {
		return
	}
	n, err := strconv.Atoi(stratum)
	if err != nil || n < 1 {
		l.Fail(line, "stratum %q of a stratified case: expected its number from 1", stratum)
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
			l.Fail(line, "%s %q: expected 0 or 1, yes or no, or a grade", column, s)
			return nil
		}
	}
	return &v
}
