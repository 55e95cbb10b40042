package trec

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
)

// ErrUngrouped is the cause of an error when the lines of a query do not stand
// together, which a scan cannot read: [Gather] can.
var ErrUngrouped = errors.New("the run is not grouped by query")

// Info is what a whole run tells.
type Info struct {
	// Tag is the name of the run: that of its last line.
	Tag string
	// Queries and Results count what was read.
	Queries, Results int
}

// A Visitor receives the queries of a run, one at a time for each worker, which
// is numbered from 0. Visitors of several workers run at the same time.
type Visitor func(worker int, q *Query) error

// batchSize is how much text a worker parses at a time: enough that taking it
// costs nothing, little enough to stay in the processor's cache.
const batchSize = 1 << 20

// Scan reads a run, query after query, with the given number of workers (1 when
// it is less). It holds a few megabytes for each worker, however large the run
// is, or more when a single query is larger. The lines of a query must stand
// together: otherwise the error is [ErrUngrouped], found after some queries
// have been visited. Of several errors the one in the earliest line is returned.
func Scan(r io.Reader, name string, workers int, visit Visitor) (Info, error) {
	src, err := Decompress(r)
	if err != nil {
		return Info{}, readError(name, 0, err)
	}
	defer src.Close()
	s := &scan{in: src, name: name, line: 1, seen: map[string]int{}, visit: visit, lastBatch: -1}
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() { s.work(w) })
	}
	wg.Wait()
	if s.err != nil {
		return Info{}, s.err
	}
	if s.info.Results == 0 {
		return Info{}, problem(name, 0, "no results: %s", runColumns)
	}
	return s.info, nil
}

type scan struct {
	name  string
	visit Visitor

	reading sync.Mutex // guards what follows
	in      io.Reader
	rest    []byte // read but not yet handed out
	line    int    // the number of the first line in rest
	batches int
	ended   bool

	telling   sync.Mutex // guards what follows
	seen      map[string]int
	info      Info
	lastBatch int
	err       error
	errLine   int
}

func (s *scan) work(worker int) {
	var buf []byte
	var q Query
	for {
		batch, line, number, err := s.take(buf)
		if err != nil {
			s.fail(line, err)
		}
		if len(batch) == 0 {
			return
		}
		buf = batch
		if !s.parse(worker, &parser{data: batch, line: line, name: s.name}, number, &q) {
			return
		}
	}
}

// parse visits the queries of one batch; it reports whether to go on.
func (s *scan) parse(worker int, p *parser, number int, q *Query) bool {
	var results int
	for p.skip() {
		line := p.line
		if err := p.group(q); err != nil {
			s.fail(p.line, err)
			return false
		}
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
	if results > 0 && number > s.lastBatch {
		s.lastBatch, s.info.Tag = number, string(q.Tag)
	}
	return s.err == nil
}

// meet notes that a query begins in a line. When it began elsewhere too, the
// later of the two lines is returned, whichever was met first, so that what is
// reported does not depend on which worker was faster; else 0.
func (s *scan) meet(id []byte, line int) int {
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

// fail keeps the error of the earliest line. Batches are handed out in order
// and finished once begun, so that every earlier error is found.
func (s *scan) fail(line int, err error) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.err == nil || line < s.errLine {
		s.err, s.errLine = err, line
	}
}

// take returns the next batch: whole queries, ending with a newline, in buf
// when it is large enough. At the end, or after an error, it is empty.
func (s *scan) take(buf []byte) (batch []byte, line, number int, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.ended {
		return nil, 0, 0, nil
	}
	line, number = s.line, s.batches
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
			return buf, line, number, nil
		case err != nil:
			s.ended = true
			return nil, line, number, readError(s.name, line+bytes.Count(buf, []byte{'\n'}), err)
		}
		if len(buf)-1-bytes.LastIndexByte(buf, '\n') > maxLine {
			s.ended = true
			at := line + bytes.Count(buf, []byte{'\n'})
			return nil, at, number, tooLong(s.name, at)
		}
		if end := lastQuery(buf); end > 0 {
			s.rest = append(s.rest[:0], buf[end:]...)
			s.line += bytes.Count(buf[:end], []byte{'\n'})
			s.batches++
			return buf[:end], line, number, nil
		}
		// One query fills the whole buffer.
		buf = slices.Grow(buf, cap(buf))
	}
}

// lastQuery gives the offset at which the last query with a complete line in
// data begins; 0 when there is no other before it.
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
