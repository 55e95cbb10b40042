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

	"github.com/assay-eval/assay/internal/filelock"
)

// A journalWriter appends to a journal. Lines that several goroutines add at the same
// time share one sync, so that a slow disk does not slow down a fast system.
type journalWriter struct {
	file *os.File
	path string

	mu      sync.Mutex
	waiting []pendingLine
	writing bool
	broken  error
}

type pendingLine struct {
	data []byte
	done chan error
}

// openJournal opens the journal of a place, creates it if there is none, and truncates
// a torn last line. A journal of another place is an error, and so is one that another
// process is writing.
func openJournal(path string, p Destination, now time.Time) (b *journalWriter, j Journal, err error) {
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
	if ok, err := filelock.Try(f); err != nil {
		return nil, j, fmt.Errorf("journal %s: locking it: %w", path, err)
	} else if !ok {
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
	b = &journalWriter{file: f, path: path}
	if j.good > 0 {
		return b, j, belongs(path, j.Destination, p)
	}
	j.Destination = p
	err = b.add(head{Format: journalFormat, Version: journalVersion, Kind: p.Kind, Endpoint: p.Endpoint, Into: p.Into, At: now})
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	return b, j, err
}

// belongs returns an error if a journal is not the one of a place.
func belongs(path string, is, want Destination) error {
	if is == want {
		return nil
	}
	return fmt.Errorf("journal %s belongs to %s: want another one for %s", path, is, want)
}

// syncDir makes the name of a new file durable where the system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	// Not every system can sync folders; the file's own sync has reported any disk
	// failure.
	_ = d.Sync()
	return nil
}

// add appends a value as one line. After it returns nil the line survives a crash of
// the process and of the machine.
func (b *journalWriter) add(v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	l := pendingLine{buf.Bytes(), make(chan error, 1)}
	b.mu.Lock()
	b.waiting = append(b.waiting, l)
	if b.writing {
		b.mu.Unlock()
		return <-l.done
	}
	// This goroutine also writes the lines that others add in the meantime.
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

func (b *journalWriter) write(batch []pendingLine) error {
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

func (b *journalWriter) close() error { return errors.Join(filelock.Unlock(b.file), b.file.Close()) }
