package spans

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
)

// A Collector brings the spans of each trace together, whatever their order. Spans are kept in
// a temporary file, and only their places in memory, some 40 bytes a span. It is not safe for
// concurrent use.
type Collector struct {
	file *os.File
	out  *bufio.Writer
	size int64
	// byTrace are indexes into traces.
	byTrace map[string]int
	traces  [][]place
	spans   int
}

// A place is where a span is in the file.
type place struct {
	offset int64
	size   int32
}

// NewCollector makes a Collector. [Collector.Close] removes its file.
func NewCollector() (*Collector, error) {
	f, err := os.CreateTemp("", "assay-spans-*")
	if err != nil {
		return nil, err
	}
	return &Collector{file: f, out: bufio.NewWriterSize(f, 1<<18), byTrace: map[string]int{}}, nil
}

// Add adds a span.
func (c *Collector) Add(s Span) error {
	b, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("span %q: %w", s.ID, err)
	}
	at, ok := c.byTrace[s.Trace]
	if !ok {
		at = len(c.traces)
		c.byTrace[s.Trace] = at
		c.traces = append(c.traces, nil)
	}
	c.traces[at] = append(c.traces[at], place{c.size, int32(len(b))})
	c.size += int64(len(b))
	c.spans++
	_, err = c.out.Write(b)
	return err
}

// Spans returns how many spans were added, or, after All, how many it yielded; Traces of how
// many traces they are.
func (c *Collector) Spans() int  { return c.spans }
func (c *Collector) Traces() int { return len(c.traces) }

// All yields the spans of each trace, in the order in which the traces began to arrive, and one
// that came twice once. No span may be added afterwards. After an error it yields nothing more.
func (c *Collector) All() iter.Seq2[[]Span, error] {
	return func(yield func([]Span, error) bool) {
		if err := c.out.Flush(); err != nil {
			yield(nil, err)
			return
		}
		c.spans = 0
		for _, places := range c.traces {
			list := make([]Span, len(places))
			seen := map[string]bool{}
			for i, p := range places {
				b := make([]byte, p.size)
				_, err := io.ReadFull(io.NewSectionReader(c.file, p.offset, int64(p.size)), b)
				if err == nil {
					err = unmarshal(b, &list[i])
				}
				if err != nil {
					yield(nil, err)
					return
				}
			}
			list = slices.DeleteFunc(list, func(s Span) bool {
				again := seen[s.ID]
				seen[s.ID] = true
				return again
			})
			c.spans += len(list)
			if !yield(list, nil) {
				return
			}
		}
	}
}

// Close removes the temporary file.
func (c *Collector) Close() error { return errors.Join(c.file.Close(), os.Remove(c.file.Name())) }

// Batch reads spans that were written as a JSON list of [Span].
func Batch(b []byte) (list []Span, err error) {
	return list, unmarshal(b, &list)
}
