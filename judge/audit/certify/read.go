package certify

import (
	"bytes"
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

// A row is one row of a file by the names of its fields.
type row struct {
	id, dataset, language, question string
	contexts, references            []string
	claim, answer, passage, point   string
	label, group                    string
	people                          []said
	phenomena                       []string
	// passages are several with one label.
	passages []string
	// value is any other field.
	value func(field string) any
}

// said is what one of several people says of a row, in a field.
type said struct{ field, label string }

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
	x := row{
		id: one("id", "case", "case_id"), dataset: one("dataset"), language: one("language"), question: one("question"),
		contexts: r.texts(line, value, "contexts", "context"), references: r.texts(line, value, "references", "reference"),
		claim: one("claim"), answer: one("answer"), passage: one("passage"), point: one("point"),
		label: one("label"), group: one("group", "cluster"), value: value,
	}
	if text, is := value(annotators).(string); is && strings.TrimSpace(text) != "" {
		r.Fail(line, "%s %q: expected a list; in a table, the columns label2, label3 and so on", annotators, text)
	}
	x.people = people(annotators, value(annotators))
	x.phenomena = slices.Concat(strs(value("phenomenon")), x.meta("phenomenon"), x.meta("edit_types"), x.meta("removed_type"))
	if x.group == "" {
		x.group = strings.Join(x.meta("group"), " ")
	}
	x.people = append(x.people, r.further(line, x.label, value)...)
	if x.dataset == "" {
		x.dataset = r.dataset
	}
	if x.id == "" {
		r.Fail(line, "no id: expected one that no other row has")
		return
	}
	if first, ok := r.seen[x.id]; ok {
		r.Fail(line, "id %q is there twice, first on line %d: expected each once", x.id, first)
		return
	}
	r.seen[x.id] = line
	if r.Failed() > before {
		return
	}
	parts, unfit := fit(x)
	if unfit != "" {
		r.set.Unfit[unfit]++
		return
	}
	for _, p := range parts {
		item, ok := r.item(line, p)
		switch {
		case !ok:
		case r.set.known(item):
			r.set.Unfit[repeated]++
		default:
			r.set.Items = append(r.set.Items, item)
		}
	}
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

// item makes an item of a row that has been brought to the common form.
func (r *reader) item(line int, x row) (Item, bool) {
	item := Item{
		ID: x.id, Dataset: x.dataset, Asked: x.question, Cluster: x.dataset + " " + x.group,
		Origin: assay.Origin{File: r.Name, Line: line},
	}
	switch {
	case x.point != "":
		item.Kind, item.Text, item.Sources = Point, x.point, []string{x.answer}
	case x.passage != "":
		item.Kind, item.Text = Passage, x.passage
	case x.claim != "":
		item.Kind, item.Text, item.Sources = Claim, x.claim, x.contexts
	default:
		item.Kind, item.Text, item.Sources = Answer, x.answer, x.references
	}
	if x.group == "" {
		// Items about the same text are not independent.
		item.Cluster = x.dataset + " " + strings.Join(item.Sources, "\n")
		if item.Kind == Passage || item.Kind == Answer {
			item.Cluster = x.dataset + " " + item.Asked
		}
	}
	item.Cluster = shortHash(item.Cluster)
	var ok bool
	if item.Label, ok = labelOf(x.label); !ok {
		if x.label == "" {
			r.Fail(line, "no label: expected one of %s", wantedLabels)
		} else {
			r.Fail(line, "label %q: expected one of %s", x.label, wantedLabels)
		}
		return item, false
	}
	for _, p := range x.people {
		l, ok := labelOf(p.label)
		if !ok {
			r.Fail(line, "%s %q: expected one of %s", p.field, p.label, wantedLabels)
			return item, false
		}
		item.People = append(item.People, l)
	}
	if item.Language = judge.LanguageTagged(x.language); item.Language == "" {
		item.Language = judge.LanguageOf(item.Asked + "\n" + item.Text)
	}
	item.Tags = tagsOf(item, x.phenomena)
	return item, true
}

const annotators = "annotators"

const wantedLabels = "yes, partly, no, contradicted, or what docs/judging.md lists"

// texts reads a list of texts, or one text.
func (r *reader) texts(line int, value func(string) any, names ...string) []string {
	for _, n := range names {
		switch v := value(n).(type) {
		case []any:
			out := strs(v)
			if len(out) != len(v) {
				r.Fail(line, "%s: expected a list of texts", n)
			}
			if out != nil {
				return out
			}
		case string:
			if strings.TrimSpace(v) != "" {
				return []string{v}
			}
		case nil:
		default:
			r.Fail(line, "%s: expected a text or a list of texts", n)
		}
	}
	return nil
}

// further reads the labels of further people, label2, label3 and so on, after the first.
func (r *reader) further(line int, first string, value func(string) any) []said {
	out := []said{{"label", first}}
	for _, c := range r.columns {
		number, numbered := strings.CutPrefix(c, "label")
		if n, err := strconv.Atoi(number); !numbered || err != nil || n < 2 {
			continue
		}
		switch v := value(c).(type) {
		case []any, map[string]any:
			r.Fail(line, "%s: a list or an object: expected one of %s", c, wantedLabels)
		default:
			out = append(out, people(c, []any{v})...)
		}
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// people reads a list of labels; what is not a list holds none, nor does an empty text.
func people(field string, v any) (out []said) {
	list, _ := v.([]any)
	for _, e := range list {
		switch e := e.(type) {
		case nil:
		case string:
			if strings.TrimSpace(e) != "" {
				out = append(out, said{field, e})
			}
		default:
			out = append(out, said{field, fmt.Sprint(e)})
		}
	}
	return out
}

// strs reads texts of a list, or one text.
func strs(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
	default:
		if text, _ := rows.Text(v); text != "" {
			out = []string{text}
		}
	}
	return out
}

// meta reads texts of the object meta.
func (x row) meta(field string) []string { return x.within("meta", field) }

// within reads texts of an object.
func (x row) within(object, field string) []string {
	m, _ := x.value(object).(map[string]any)
	return strs(m[field])
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
