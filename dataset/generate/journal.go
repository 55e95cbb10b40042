package generate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// A Journal stores results as soon as they are written, one per line, so that
// interrupted work can continue. It is safe for concurrent use.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	path string
}

// entry is a line of a journal: the head on the first line, then items.
type entry struct {
	Head string          `json:"head,omitempty"`
	ID   string          `json:"id,omitempty"`
	Item json.RawMessage `json:"item,omitempty"`
}

// OpenJournal opens or creates the journal at path and returns its items by id.
// head identifies the work: everything that the items depend on. If the journal
// has another head, OpenJournal returns an error. It drops a truncated last line,
// as after a loss of power.
func OpenJournal(path, head string) (*Journal, map[string]json.RawMessage, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	j := &Journal{file: f, path: path}
	items, end, err := readJournal(f, path, head)
	if err == nil {
		err = j.begin(end, head)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return j, items, nil
}

// begin positions the file after the last complete line, and writes the head of
// an empty file.
func (j *Journal) begin(end int64, head string) error {
	if err := j.file.Truncate(end); err != nil {
		return err
	}
	if _, err := j.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if end == 0 {
		return j.append(entry{Head: head})
	}
	return nil
}

// readJournal returns the items and the offset after the last complete line.
func readJournal(r io.Reader, path, head string) (items map[string]json.RawMessage, end int64, err error) {
	items = map[string]json.RawMessage{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return items, end, nil
		}
		if err != nil {
			return nil, 0, err
		}
		var e entry
		if err := json.Unmarshal(bytes.TrimSpace(line), &e); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w: want a line of a journal, or remove the file", path, n, err)
		}
		switch {
		case n == 1 && e.Head != head:
			return nil, 0, fmt.Errorf("%s: belongs to other work (%s): want the same dataset, model and settings, or remove the file", path, e.Head)
		case n > 1 && e.ID != "":
			items[e.ID] = e.Item
		}
		end += int64(len(line))
	}
}

// Put stores an item. It survives the death of the process once Put has returned.
func (j *Journal) Put(id string, item any) error {
	raw, err := json.Marshal(item)
	if err != nil {
		return err
	}
	return j.append(entry{ID: id, Item: raw})
}

func (j *Journal) append(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

// Close closes the file and keeps it for a later attempt.
func (j *Journal) Close() error { return j.file.Close() }

// Remove closes and removes the file when the work is done and its results are
// stored elsewhere.
func (j *Journal) Remove() error { return errors.Join(j.file.Close(), os.Remove(j.path)) }
