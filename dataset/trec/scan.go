package trec

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
)

// ErrUngrouped means that the lines of a query are not adjacent, as [Scan]
// requires; [Gather] does not.
var ErrUngrouped = errors.New("the run is not grouped by query")

// Info describes a whole run.
type Info struct {
	// Tag is the name of the run, from its last line.
	Tag string
	// Queries and Results are counts.
	Queries, Results int
}

// A Visitor receives the queries of a run, one at a time for each worker. Workers
// are numbered from 0 and run concurrently.
type Visitor func(worker int, q *Query) error

// batchSize is how much text a worker parses at a time: large enough to make
// synchronization cheap, small enough for the processor's cache.
const batchSize = 1 << 20

// Scan reads a run query by query, with the given number of workers (at least 1).
// Memory is a few megabytes for each worker, whatever the size of the run, or
// more if a single query is larger. The lines of a query must be adjacent;
// otherwise the error is [ErrUngrouped], after some queries have been visited. Of
// several errors it returns the one with the lowest line.
func Scan(r io.Reader, name string, workers int, visit Visitor) (Info, error) {
	return (&scan{name: name, seen: map[string]int{}, visit: visit}).read(r, workers)
}

type scan struct {
	name  string
	visit Visitor

	reading sync.Mutex // guards the following fields
	in      io.Reader
	rest    []byte // read but not yet handed out
	line    int    // the number of the first line in rest
	offset  int64  // the offset of rest in the text
	batches int
	ended   bool

	telling sync.Mutex // guards the following fields
	// seen are the first lines of the queries; nil if a query may come again.
	seen      map[string]int
	info      Info
	lastBatch int
	err       error
	errLine   int
}

// read reads the whole run.
func (s *scan) read(r io.Reader, workers int) (Info, error) {
	src, err := Decompress(r)
	if err != nil {
		return Info{}, readError(s.name, 0, err)
	}
	defer src.Close()
	s.line, s.lastBatch = 1, -1
	if s.in, err = resultLines(src, s.name); err != nil {
		return Info{}, err
	}
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() { s.work(w) })
	}
	wg.Wait()
	if s.err != nil {
		return Info{}, s.err
	}
	if s.info.Results == 0 {
		return Info{}, problem(s.name, 0, "no results: %s", runColumns)
	}
	return s.info, nil
}

func (s *scan) work(worker int) {
	var buf []byte
	var q Query
	for {
		batch, at, err := s.take(buf)
		if err != nil {
			s.fail(at.line, err)
		}
		if len(batch) == 0 {
			return
		}
		buf = batch
		if !s.parse(worker, &parser{data: batch, line: at.line, name: s.name}, at, &q) {
			return
		}
	}
}

// parse visits the queries of one batch and reports whether to continue.
func (s *scan) parse(worker int, p *parser, at place, q *Query) bool {
	var results int
	for p.skip() {
		line, start := p.line, p.at
		if err := p.group(q); err != nil {
			s.fail(p.line, err)
			return false
		}
		q.Offset, q.Size = at.offset+int64(start), p.at-start
		if again := s.meet(q.ID, line); again > 0 {
			e := problem(s.name, again, "query %q comes again after others: sort the run by query, or give it as a file", clip(q.ID))
			e.Err = ErrUngrouped
			s.fail(again, e)
			return false
		}
		if err := s.visit(worker, q); err != nil {
			s.fail(line, err)
			return false
		}
		results += len(q.Scores)
	}
	s.telling.Lock()
	defer s.telling.Unlock()
	s.info.Results += results
	if results > 0 && at.number > s.lastBatch {
		s.lastBatch, s.info.Tag = at.number, string(q.Tag)
	}
	return s.err == nil
}

// meet records that a query starts at a line. If it also starts elsewhere, meet
// returns the later of the two lines, so that the error does not depend on
// timing; else 0.
func (s *scan) meet(id []byte, line int) int {
	if s.seen == nil {
		return 0
	}
	s.telling.Lock()
	defer s.telling.Unlock()
	other, seen := s.seen[string(id)]
	if !seen {
		s.seen[string(id)] = line
		s.info.Queries++
		return 0
	}
	s.seen[string(id)] = min(other, line)
	return max(other, line)
}

// fail keeps the error with the lowest line. Batches are handed out in order and
// always finished, so every earlier error is found.
func (s *scan) fail(line int, err error) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.err == nil || line < s.errLine {
		s.err, s.errLine = err, line
	}
}

// place is where a batch begins: its first line, its number, its offset in the text.
type place struct {
	line, number int
	offset       int64
}

// take returns the next batch: complete queries, ending with a newline, in buf if
// it is large enough. At the end, or after an error, it is empty.
func (s *scan) take(buf []byte) (batch []byte, at place, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.ended {
		return nil, place{}, nil
	}
	at = place{s.line, s.batches, s.offset}
	buf = append(slices.Grow(buf[:0], batchSize), s.rest...)
	for {
		filled := len(buf)
		n, err := io.ReadFull(s.in, buf[filled:cap(buf)])
		buf = buf[:filled+n]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			s.ended = true
			if len(buf) > 0 && buf[len(buf)-1] != '\n' {
				buf = append(buf, '\n')
			}
			return buf, at, nil
		case err != nil:
			s.ended = true
			return nil, at, readError(s.name, at.line+bytes.Count(buf, []byte{'\n'}), err)
		}
		if len(buf)-1-bytes.LastIndexByte(buf, '\n') > maxLine {
			s.ended = true
			at.line += bytes.Count(buf, []byte{'\n'})
			return nil, at, tooLong(s.name, at.line)
		}
		if end := lastQuery(buf); end > 0 {
			s.rest = append(s.rest[:0], buf[end:]...)
			s.line += bytes.Count(buf[:end], []byte{'\n'})
			s.batches++
			s.offset += int64(end)
			return buf[:end], at, nil
		}
		// One query fills the whole buffer.
		buf = slices.Grow(buf, cap(buf))
	}
}

// lastQuery returns the offset of the last query with a complete line in data; 0
// if there is no other query before it.
func lastQuery(data []byte) int {
	var id []byte
	start := bytes.LastIndexByte(data, '\n') + 1
	for end := start; end > 0; {
		begin := bytes.LastIndexByte(data[:end-1], '\n') + 1
		first, _ := column(data[begin:end])
		switch {
		case len(first) == 0 || first[0] == '#':
		case id == nil:
			id, start = first, begin
		case !bytes.Equal(first, id):
			return start
		default:
			start = begin
		}
		end = begin
	}
	return 0
}
