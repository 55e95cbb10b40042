package certify

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rows"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// Formats are the endings of files of labelled items.
var Formats = []string{".jsonl", ".csv", ".tsv"}

// ReadFiles reads files of labelled items; of a folder it reads the files in it that end as
// [Formats] say. At returns where a path is; messages name it as it is given.
func ReadFiles(paths []string, at func(path string) string) (*Set, error) {
	s := &Set{Unfit: map[string]int{}}
	var problems []error
	for _, p := range paths {
		files, err := filesIn(p, at)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			data, err := os.ReadFile(at(f))
			if err != nil {
				return nil, err
			}
			if err := s.Read(bytes.NewReader(data), f); err != nil {
				problems = append(problems, err)
			}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return s, nil
}

// filesIn lists the files of a folder, or the file itself.
func filesIn(path string, at func(string) string) ([]string, error) {
	info, err := os.Stat(at(path))
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(at(path))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && slices.Contains(Formats, strings.ToLower(filepath.Ext(e.Name()))) {
			out = append(out, filepath.Join(path, e.Name()))
		}
	}
	if out == nil {
		return nil, fmt.Errorf("%s: no file of labelled items: expected one that ends in %s", path, strings.Join(Formats, ", "))
	}
	return out, nil
}

// Read adds the items of a file: JSON lines, or a table with a header whose columns are
// separated by comma, semicolon or tab. Name is that of the file in messages; the error has one
// problem a line, up to 20.
func (s *Set) Read(in io.Reader, name string) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	base := filepath.Base(name)
	r := &reader{set: s, seen: map[string]int{}, dataset: strings.TrimSuffix(base, filepath.Ext(base))}
	r.Reader = rows.Reader{Name: name, Want: "a labelled item", Header: r.header, Row: r.row}
	before := len(s.Items)
	if err := r.Read(bytes.NewReader(data)); err != nil {
		return err
	}
	if r.rows == 0 {
		return fmt.Errorf("%s: no rows below the header: expected a labelled item in each", name)
	}
	s.Files = append(s.Files, File{path: name, Data: assay.CertifiedData{
		Name: base, Hash: "sha256:" + hex.EncodeToString(sum[:]), Items: len(s.Items) - before,
	}})
	return nil
}

type reader struct {
	rows.Reader
	set     *Set
	dataset string
	columns []string
	rows    int
	// seen is the line of each id.
	seen map[string]int
}

func (r *reader) header(line int, columns []string, table bool) bool {
	r.columns = columns
	if !table {
		return true
	}
	if !slices.Contains(columns, "label") {
		r.Fail(line, "no column %q among %q: expected one", "label", columns)
	}
	if !slices.ContainsFunc([]string{"claim", "answer", "passage", "point"}, func(c string) bool { return slices.Contains(columns, c) }) {
		r.Fail(line, "none of the columns claim, answer, passage and point among %q: expected one", columns)
	}
	return r.Failed() == 0
}

// row reads one row.
func (r *reader) row(line int, value func(column string) any) {
	r.rows++
	before := r.Failed()
	one := func(names ...string) string {
		for _, n := range names {
			v, plain := rows.Text(value(n))
			if !plain {
				r.Fail(line, "%s: a list or an object: expected a plain value", n)
			}
			if strings.TrimSpace(v) != "" {
				return v
			}
		}
		return ""
	}
	x := Item{
		ID: one("id", "case", "case_id"), Dataset: cmp.Or(one("dataset"), r.dataset), Asked: one("question"),
		Origin: assay.Origin{File: r.Name, Line: line},
	}
	unfit := x.about(one, func(names ...string) []string { return r.texts(line, value, names...) })
	if x.ID == "" {
		r.Fail(line, "no id: expected one that no other row has")
	} else if first, ok := r.seen[x.ID]; ok {
		r.Fail(line, "id %q is there twice, first on line %d: expected each once", x.ID, first)
	} else {
		r.seen[x.ID] = line
	}
	if r.Failed() > before {
		return
	}
	if unfit != "" {
		r.set.Unfit[x.Dataset+": "+unfit]++
		return
	}
	var ok bool
	if x.Label, ok = r.label(line, "label", value("label")); !ok && r.Failed() == before {
		r.Fail(line, "no label: expected one of %s", wantedLabels)
	}
	x.People = r.people(line, x.Label, value)
	x.Cluster = x.cluster(one("group", "cluster"))
	if x.Language = judge.LanguageTagged(one("language")); x.Language == "" {
		x.Language = judge.LanguageOf(x.Asked + "\n" + x.Text)
	}
	x.Tags = tagsOf(x, r.texts(line, value, "phenomenon"))
	switch {
	case r.Failed() > before:
	case r.set.known(x):
		r.set.Unfit[repeated]++
	default:
		r.set.Items = append(r.set.Items, x)
	}
}

// about reads what an item is about; unfit is why no question can be asked about it.
func (x *Item) about(one func(...string) string, texts func(...string) []string) (unfit string) {
	point, passage, claim, answer := one("point"), one("passage"), one("claim"), one("answer")
	contexts, references := texts("contexts", "context"), texts("references", "reference")
	switch {
	case point != "":
		if x.Kind, x.Text, x.Sources = Point, point, []string{answer}; answer == "" {
			return "a point without an answer that may make it"
		}
	case passage != "":
		if x.Kind, x.Text = Passage, passage; x.Asked == "" {
			return "a passage without a question"
		}
	case claim != "":
		if x.Kind, x.Text, x.Sources = Claim, claim, contexts; contexts == nil {
			return "a claim without a context"
		}
	case answer != "":
		if x.Kind, x.Text, x.Sources = Answer, answer, references; references == nil {
			return "an answer without a reference"
		}
	default:
		return "no claim, answer, passage or point"
	}
	return ""
}

// cluster names the source that an item is from. Items about the same text are not independent.
func (x *Item) cluster(group string) string {
	if group == "" {
		if group = strings.Join(x.Sources, "\n"); x.Kind == Passage || x.Kind == Answer {
			group = x.Asked
		}
	}
	return shortHash(x.Dataset + " " + group)
}

// repeated is why an item of a further file is left out: counted twice it would narrow intervals.
const repeated = "the same item, with the same label, is in another file"

// known reports whether another file has an item, and remembers it.
func (s *Set) known(x Item) bool {
	key := shortHash(fmt.Sprintf("%s %q %q %q %v", x.Kind, x.Asked, x.Text, x.Sources, x.Label))
	if s.files == nil {
		s.files = map[string]string{}
	}
	file, ok := s.files[key]
	if !ok {
		s.files[key] = x.Origin.File
	}
	return ok && (file != x.Origin.File || slices.ContainsFunc(s.Files, func(f File) bool { return f.path == file }))
}

const wantedLabels = "yes, partly, no, contradicted, or what docs/judging.md lists"

// texts reads a list of texts, or one text.
func (r *reader) texts(line int, value func(string) any, names ...string) (out []string) {
	for _, n := range names {
		switch v := value(n).(type) {
		case []any:
			for _, e := range v {
				s, ok := e.(string)
				if !ok {
					r.Fail(line, "%s: expected a list of texts", n)
					return nil
				}
				out = append(out, s)
			}
		case string:
			if strings.TrimSpace(v) != "" {
				out = []string{v}
			}
		case nil:
		default:
			r.Fail(line, "%s: expected a text or a list of texts", n)
		}
		if out != nil {
			break
		}
	}
	return out
}

// label reads a label; ok is false for none and for one that is not known.
func (r *reader) label(line int, field string, v any) (l Label, ok bool) {
	s, plain := rows.Text(v)
	if plain && strings.TrimSpace(s) == "" {
		return "", false
	}
	if l, ok = labelOf(s); !plain {
		r.Fail(line, "%s: a list or an object: expected one of %s", field, wantedLabels)
	} else if !ok {
		r.Fail(line, "%s %q: expected one of %s", field, s, wantedLabels)
	}
	return l, ok
}

// people reads the labels of several people, from a list, and from columns label2, label3 and so
// on beside the first.
func (r *reader) people(line int, first Label, value func(string) any) (out []Label) {
	const field = "annotators"
	add := func(field string, v any) {
		if l, ok := r.label(line, field, v); ok {
			out = append(out, l)
		}
	}
	switch v := value(field).(type) {
	case []any:
		for _, e := range v {
			add(field, e)
		}
	case string:
		if strings.TrimSpace(v) != "" {
			r.Fail(line, "%s %q: expected a list; in a table, the columns label2, label3 and so on", field, v)
		}
	}
	listed := len(out)
	for _, c := range r.columns {
		number, numbered := strings.CutPrefix(c, "label")
		if n, err := strconv.Atoi(number); numbered && err == nil && n > 1 {
			add(c, value(c))
		}
	}
	if len(out) > listed {
		out = slices.Insert(out, listed, first)
	}
	return out
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(text.Collapse(s)))
	return hex.EncodeToString(sum[:6])
}

// Reasons lists why rows fit no question, the most frequent first.
func (s *Set) Reasons() []string {
	keys := slices.Sorted(maps.Keys(s.Unfit))
	slices.SortStableFunc(keys, func(a, b string) int { return s.Unfit[b] - s.Unfit[a] })
	return keys
}

// The parts of the data that are no phenomenon of it.
const (
	longContext = "long context"
	numbers     = "numbers"
	partial     = "labelled partly"
	conflict    = "contradicted or not found"
)

// longRunes is the length from which a context is long, in characters.
const longRunes = 2000

// tagsOf lists the parts of the data that an item belongs to.
func tagsOf(x Item, phenomena []string) []string {
	tags := []string{"data set " + x.Dataset}
	n := 0
	for _, s := range x.Sources {
		n += utf8.RuneCountInString(s)
	}
	if x.Kind == Passage {
		n = utf8.RuneCountInString(x.Text)
	}
	if n > longRunes {
		tags = append(tags, longContext)
	}
	if text.HasDigits(x.Text) {
		tags = append(tags, numbers)
	}
	if x.Label == Partly {
		tags = append(tags, partial)
	}
	tags = append(tags, phenomena...)
	slices.Sort(tags)
	return slices.Compact(tags)
}
