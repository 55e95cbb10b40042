package upload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A book is a journal that is being written. Lines that several goroutines add
// at the same time share one sync, so that a slow disk does not hold up a fast
// system.
type book struct {
	file *os.File
	path string

	mu      sync.Mutex
	waiting []line
	writing bool
	broken  error
}

type line struct {
	data []byte
	done chan error
}

// openBook opens the journal of a place, makes it when there is none, and takes
// a torn last line off. Another place's journal is an error, and so is one that
// another process is writing.
func openBook(path string, p Place, now time.Time) (b *book, j Journal, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, j, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, j, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	if err := lock(f); err != nil {
		return nil, j, fmt.Errorf("journal %s: another upload is writing it", path)
	}
	if j, err = ReadJournal(f, path); err != nil {
		return nil, j, err
	}
	if err := f.Truncate(j.good); err != nil {
		return nil, j, err
	}
	if _, err := f.Seek(j.good, 0); err != nil {
		return nil, j, err
	}
	b = &book{file: f, path: path}
	if j.good > 0 {
		return b, j, belongs(path, j.Place, p)
	}
	j.Place = p
	err = b.add(head{Format: journalFormat, Version: journalVersion, Kind: p.Kind, Endpoint: p.Endpoint, Into: p.Into, At: now})
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	return b, j, err
}

// belongs says that a journal is that of a place.
func belongs(path string, is, want Place) error {
	if is == want {
		return nil
	}
	return fmt.Errorf("journal %s belongs to %s: want another one for %s", path, is, want)
}

// syncDir makes the name of a new file durable, where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	// Not every system syncs folders; the file's own sync has told of a disk
	// that fails.
	_ = d.Sync()
	return nil
}

// add writes a value as a line. When it returns nil the line survives the death
// of the process and of the machine.
func (b *book) add(v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	l := line{buf.Bytes(), make(chan error, 1)}
	b.mu.Lock()
	b.waiting = append(b.waiting, l)
	if b.writing {
		b.mu.Unlock()
		return <-l.done
	}
	// This goroutine writes for all that come while it does.
	b.writing = true
	for len(b.waiting) > 0 {
		batch := b.waiting
		b.waiting = nil
		err := b.broken
		b.mu.Unlock()
		if err == nil {
			err = b.write(batch)
		}
		for _, l := range batch {
			l.done <- err
		}
		b.mu.Lock()
		b.broken = err
	}
	b.writing = false
	b.mu.Unlock()
	return <-l.done
}

func (b *book) write(batch []line) error {
	var buf []byte
	for _, l := range batch {
		buf = append(buf, l.data...)
	}
	if _, err := b.file.Write(buf); err != nil {
		return fmt.Errorf("journal %s: %w", b.path, err)
	}
	if err := b.file.Sync(); err != nil {
		return fmt.Errorf("journal %s: %w", b.path, err)
	}
	return nil
}

func (b *book) close() error { return b.file.Close() }
