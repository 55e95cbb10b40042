package trec

import "bytes"

// A Query is the result of a run for one query, in file order. Its slices are
// valid until the visitor returns.
type Query struct {
	ID []byte
	// Documents, Scores and Lines are parallel.
	Documents [][]byte
	Scores    []float64
	// Lines holds the line of every result, from 1.
	Lines []int
	// Tag is the name of the run, from the query's last line.
	Tag []byte
	// Offset and Size are the position of the query's lines in the text, in bytes, as
	// [Scan] knows it. Lines that follow and are ignored may belong to it; the line end
	// of the last line may be missing in the text.
	Offset int64
	Size   int
}

// ParseQuery parses the lines of one query, which begin at a line of a run. text is
// changed where it does not end with a line end.
func ParseQuery(text []byte, name string, line int) (*Query, error) {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	p := &parser{data: text, line: line, name: name}
	if !p.skip() {
		return nil, problem(name, line, "no results: %s", runColumns)
	}
	q := &Query{Size: len(text)}
	return q, p.group(q)
}

func (q *Query) reset() {
	q.Documents, q.Scores, q.Lines = q.Documents[:0], q.Scores[:0], q.Lines[:0]
}

// runColumns describes a line of a run in errors.
const runColumns = "must have 6 columns: query, Q0, document, rank, score, tag"

// A parser reads the lines of a run. Its data ends with a newline.
type parser struct {
	data []byte
	at   int
	// line is the number of the current line, from 1.
	line int
	name string
}

// skip skips blank lines, comments and leading white space; it reports whether
// there is a line to parse.
func (p *parser) skip() bool {
	data, i := p.data, p.at
	for i < len(data) {
		switch c := data[i]; {
		case c == '\n':
			p.line++
			i++
		case space[c]:
			i++
		case c == '#':
			for data[i] != '\n' {
				i++
			}
		default:
			p.at = i
			return true
		}
	}
	p.at = i
	return false
}

// group parses the following lines of one query into q. The parser must be at a
// line, as after skip.
func (p *parser) group(q *Query) error {
	q.reset()
	q.ID, _ = column(p.data[p.at:])
	for {
		if err := p.result(q); err != nil {
			return err
		}
		if !p.skip() || !p.isOf(q.ID) {
			return nil
		}
	}
}

// isOf reports whether the current line belongs to the query.
func (p *parser) isOf(id []byte) bool {
	rest := p.data[p.at:]
	return len(rest) > len(id) && space[rest[len(id)]] && string(rest[:len(id)]) == string(id)
}

// result parses one line of a known query.
func (p *parser) result(q *Query) error {
	data, i := p.data, p.at+len(q.ID)
	var from, to [5]int
	for f := range from {
		for data[i] != '\n' && space[data[i]] {
			i++
		}
		from[f] = i
		for !space[data[i]] {
			i++
		}
		to[f] = i
	}
	if from[4] == to[4] {
		return problem(p.name, p.line, "%q: %s", clip(bytes.TrimSpace(p.text())), runColumns)
	}
	score := data[from[3]:to[3]]
	v, ok := parseFloat(score)
	if !ok || v != v {
		return problem(p.name, p.line, "score %q: expected a number", clip(score))
	}
	q.Documents = append(q.Documents, data[from[1]:to[1]])
	q.Scores = append(q.Scores, v)
	q.Lines = append(q.Lines, p.line)
	q.Tag = data[from[4]:to[4]]
	// As in trec_eval, text after the tag is ignored.
	for data[i] != '\n' {
		i++
	}
	p.at, p.line = i+1, p.line+1
	return nil
}

// text returns the current line.
func (p *parser) text() []byte {
	end := p.at
	for end < len(p.data) && p.data[end] != '\n' {
		end++
	}
	return p.data[p.at:end]
}
