package upload

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/filelock"
	"github.com/assay-eval/assay/target/template"
)

// A journalWriter appends to a journal.
type journalWriter struct {
	file *os.File
	path string

	mu     sync.Mutex
	broken error
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
	err = b.add(head{journalFormat, journalVersion, p, now})
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
	return fmt.Errorf("journal %s belongs to %s; use another one for %s", path, is, want)
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
	line, err := template.Marshal(v)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken != nil {
		return b.broken
	}
	if _, err = b.file.Write(append(line, '\n')); err == nil {
		err = b.file.Sync()
	}
	if err != nil {
		b.broken = fmt.Errorf("journal %s: %w", b.path, err)
	}
	return b.broken
}

func (b *journalWriter) close() error { return errors.Join(filelock.Unlock(b.file), b.file.Close()) }
