package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// layout is the physical structure of a file, independent of its content.
type layout uint8

const (
	layoutNone   layout = iota
	layoutList          // a JSON list of records
	layoutLines         // one JSON object per line
	layoutObject        // one JSON object for the whole file
	layoutYAML          // a YAML list of records, or one map for the whole file
	layoutTable         // columns of text
	layoutTop           // SGML topics
	layoutRows          // rows of values with types
)

// An excerpt is the beginning of a file, which formats use to recognize their
// own.
type excerpt struct {
	name   string
	folder bool
	opts   Options
	// responses is set if responses are wanted, not labels.
	responses bool
	layout    layout
	// rows is set for a file of layoutRows.
	rows *parquetFile
	// keys are the names in the first JSON record, the names of the columns of rows, or in the object around the
	// records. In YAML they are the names in the map, or in all items of the
	// list.
	keys []string
	// names are the keys before fields were mapped.
	names []string
	// spoken is set if the mapping is that of a dialect.
	spoken bool
	// broken is set when the first record is not valid JSON.
	broken bool
	head   []byte
	// header is the first row of a table, comma its column separator.
	header []string
	comma  rune
	// row is the first line, split at white space.
	row []string
}

// topTag starts a TREC topic in SGML.
var topTag = lazyregexp.New(`(?i)<top>`)

// newExcerpt examines the beginning of a source.
func newExcerpt(src *source, o Options, responses bool) *excerpt {
	s := &excerpt{name: src.name, folder: src.folder != nil, opts: o, responses: responses}
	if src.rows != nil {
		s.speak(src.rows.names)
		for field, column := range s.opts.Columns {
			src.rows.rename(field, column)
		}
		s.layout, s.rows, s.keys = layoutRows, src.rows, src.rows.columns
		return s
	}
	if src.text == nil {
		return s
	}
	s.head = src.text.head
	head := bytes.TrimSpace(withoutNaN(s.head))
	first, _, _ := bytes.Cut(head, []byte{'\n'})
	first = bytes.TrimSpace(first)
	switch {
	case head[0] == '[':
		s.layout = layoutList
		s.keys, s.broken = keysOf(head)
	case head[0] == '{':
		s.keys, s.broken = keysOf(head)
		s.keys = frameKeys(s.keys, head)
		s.layout = layoutObject
		// A record on one line ends on it; a record that spans several lines does
		// not.
		isLine := len(first) == len(head) || bytes.HasSuffix(first, []byte{'}'})
		if isLine && !slices.ContainsFunc(formats(), func(f *format) bool { return f.List != "" && s.has(f.List) }) {
			s.layout = layoutLines
			// The first line may be metadata of the file.
			if slices.Equal(s.keys, []string{"metadata"}) {
				_, rest, _ := bytes.Cut(head, []byte{'\n'})
				more, _ := keysOf(bytes.TrimSpace(rest))
				s.keys = append(s.keys, more...)
			}
		}
	case head[0] == '<' && topTag().Match(head):
		s.layout = layoutTop
	case isYAML(head):
		s.layout = layoutYAML
		s.keys = yamlKeys(head)
	default:
		s.layout = layoutTable
		s.row = strings.Fields(string(first))
		s.comma = separator(first)
		s.header = splitHeader(string(first), s.comma)
	}
	s.speak(s.keys)
	s.keys = renamed(append(slices.Clip(s.keys), paths(s.keys, s.opts.Columns)...), s.opts.Columns)
	return s
}

// speak maps the names of a dialect, if the user maps none.
func (s *excerpt) speak(names []string) {
	s.names, s.spoken, s.opts.Columns = names, len(s.opts.Columns) == 0, s.dialect(names)
}

// keysOf returns the names in the first object of a JSON text, which may be
// truncated, and whether the text is invalid before the first name. In a list it
// reads the first element.
func keysOf(head []byte) (keys []string, broken bool) {
	dec := json.NewDecoder(bytes.NewReader(head))
	t, err := dec.Token()
	if err == nil && t == json.Delim('[') {
		t, err = dec.Token()
	}
	if err != nil {
		return nil, isSyntax(err)
	}
	if t != json.Delim('{') {
		return nil, false
	}
	return memberNames(dec)
}

func isSyntax(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax)
}

// memberNames returns the names in an object whose brace has been read, up to the
// end of the text, and whether the text is invalid before the first name.
func memberNames(dec *json.Decoder) (names []string, broken bool) {
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return names, isSyntax(err) && names == nil
		}
		name, ok := t.(string)
		if !ok {
			return names, false
		}
		names = append(names, name)
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return names, false
		}
	}
	_, err := dec.Token()
	return names, isSyntax(err) && names == nil
}

// has reports whether the first record has one of the fields.
func (s *excerpt) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(s.keys, n) })
}

// isRecords reports whether the file is JSON with records, or holds rows that are read
// like them.
func (s *excerpt) isRecords() bool {
	return s.layout == layoutRows || s.layout == layoutList || s.layout == layoutLines || s.layout == layoutObject
}

// width reports whether the first line of a table has n columns.
func (s *excerpt) width(n int) bool { return s.layout == layoutTable && len(s.row) == n }

// separator guesses the column separator from the first line.
func separator(first []byte) rune {
	best, most := ',', 0
	for _, c := range []byte{'\t', ',', ';'} {
		if n := bytes.Count(first, []byte{c}); n > most {
			best, most = rune(c), n
		}
	}
	return best
}

// splitHeader returns the column names without quotes, in lower case.
func splitHeader(line string, comma rune) []string {
	var out []string
	for name := range strings.SplitSeq(line, string(comma)) {
		out = append(out, columnName(strings.Trim(strings.TrimSpace(name), `"`)))
	}
	return out
}

// columnName normalizes a column name for comparison.
func columnName(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

var (
	// yamlName matches a map entry at the start of a line, yamlItem one at the
	// start of a list item.
	yamlName = lazyregexp.New(`^["']?([\pL_$][\pL\pN_$.-]*)["']?[ \t]*:(?:\s|$)`)
	yamlItem = lazyregexp.New(`^(-[ \t]+)["']?([\pL_$][\pL\pN_$.-]*)["']?[ \t]*:(?:\s|$)`)
)

// isYAML reports whether the first line with content is a map entry or a list
// item that is a map.
func isYAML(head []byte) bool {
	for line := range bytes.Lines(head) {
		t := bytes.TrimSpace(line)
		if len(t) == 0 || t[0] == '#' || t[0] == '%' || string(t) == "---" {
			continue
		}
		return yamlName().Match(line) || line[0] == '-' && len(yamlKeys(head)) > 0
	}
	return false
}

// yamlKeys returns the names in the map at the start of a YAML text, or in all
// items of the list there.
func yamlKeys(head []byte) []string {
	var names []string
	add := func(name []byte) {
		if !slices.Contains(names, string(name)) {
			names = append(names, string(name))
		}
	}
	indent := 0
	for line := range bytes.Lines(head) {
		if m := yamlItem().FindSubmatch(line); m != nil && (indent > 0 || names == nil) {
			indent = len(m[1])
			add(m[2])
		} else if len(line) > indent && len(bytes.Trim(line[:indent], " ")) == 0 {
			if m := yamlName().FindSubmatch(line[indent:]); m != nil {
				add(m[1])
			}
		}
	}
	return names
}
