package server

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync"
)

const (
	// renderedSpace is the size limit of the kept reports, in bytes of disk.
	renderedSpace = 512 << 20
	// maxWaitingReports is the number of requests that may wait for the one that writes
	// a report.
	maxWaitingReports = 32
)

// rendered keeps the reports of finished runs as they were written, in files without a
// name. One report is written at a time, because a run is in memory meanwhile.
type rendered struct {
	// turn is held by the request that writes a report; waiting bounds the others.
	turn, waiting chan struct{}

	mu    sync.Mutex
	by    map[string]*renderedFile
	size  int64
	clock int64
	limit int64
}

// A renderedFile is a written report.
type renderedFile struct {
	file *os.File
	size int64
	used int64
	// readers counts the requests that read it; kept is set while it is in the table. It
	// is closed when it has neither.
	readers int
	kept    bool
	// name is what to remove when the file is closed, "" if it has lost its name.
	name string
}

func newRendered(limit int64) *rendered {
	return &rendered{
		turn: make(chan struct{}, 1), waiting: make(chan struct{}, maxWaitingReports), by: map[string]*renderedFile{}, limit: limit,
	}
}

// of returns the report with a key and the function that releases it. If it is not kept,
// write writes it. A report with the key "" is not kept. Concurrent callers wait for their
// turn; if too many do, the error is a problem.
func (c *rendered) of(ctx context.Context, key string, write func(io.Writer) error) (
	text io.Reader, size int64, release func(), err error,
) {
	if f := c.find(key); f != nil {
		return c.opened(f)
	}
	select {
	case c.waiting <- struct{}{}:
		defer func() { <-c.waiting }()
	default:
		return nil, 0, nil, unavailable("too many reports are being written: try again later")
	}
	done, err := take(ctx, c.turn)
	if err != nil {
		return nil, 0, nil, err
	}
	defer done()
	// Another request may have written it meanwhile.
	if f := c.find(key); f != nil {
		return c.opened(f)
	}
	f, err := spooled(write)
	if err != nil {
		return nil, 0, nil, err
	}
	c.keep(key, f)
	return c.opened(f)
}

// spooled writes a report into a new file that has lost its name where the system allows
// it, so that nothing is left of it however the server ends.
func spooled(write func(io.Writer) error) (*renderedFile, error) {
	f, err := os.CreateTemp("", "assay-report-")
	if err != nil {
		return nil, err
	}
	out := &renderedFile{file: f, readers: 1}
	// Windows does not remove a file that is open.
	if os.Remove(f.Name()) != nil {
		out.name = f.Name()
	}
	b := bufio.NewWriterSize(f, 1<<16)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if err == nil {
		out.size, err = f.Seek(0, io.SeekCurrent)
	}
	if err != nil {
		out.readers = 0
		out.close()
		return nil, err
	}
	return out, nil
}

// find returns the kept report with a key for one more reader, or nil.
func (c *rendered) find(key string) *renderedFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.by[key]
	if f == nil || key == "" {
		return nil
	}
	c.clock++
	f.used = c.clock
	f.readers++
	return f
}

// opened returns a reader of the whole report.
func (c *rendered) opened(f *renderedFile) (text io.Reader, size int64, release func(), err error) {
	return io.NewSectionReader(f.file, 0, f.size), f.size, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		f.readers--
		f.close()
	}, nil
}

// close closes the file if nobody needs it. The caller holds the lock.
func (f *renderedFile) close() {
	if f.kept || f.readers > 0 {
		return
	}
	_ = f.file.Close()
	if f.name != "" {
		_ = os.Remove(f.name)
	}
}

// keep puts a report into the table, which loses the least recently used ones until the
// rest fits.
func (c *rendered) keep(key string, f *renderedFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if key == "" || f.size > c.limit {
		return
	}
	c.clock++
	f.kept, f.used = true, c.clock
	c.by[key] = f
	c.size += f.size
	for c.size > c.limit {
		oldest := ""
		for k, o := range c.by {
			if oldest == "" || o.used < c.by[oldest].used {
				oldest = k
			}
		}
		c.drop(oldest)
	}
}

func (c *rendered) drop(key string) {
	f := c.by[key]
	delete(c.by, key)
	c.size -= f.size
	f.kept = false
	f.close()
}

// closeAll drops all reports.
func (c *rendered) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.by {
		c.drop(key)
	}
}
