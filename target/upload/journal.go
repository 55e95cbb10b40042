package upload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// A Journal records what is in a system, as JSON lines: the first names the place, each
// other line a document that is there. A later line about a document replaces an
// earlier one.
type Journal struct {
	Destination Destination
	Entries     []Entry

	// good is the length of the complete lines in bytes; the rest was torn when the
	// writing process died.
	good int64
}

// An Entry says that a document is in the system.
type Entry struct {
	Document string `json:"document"`
	// Remote is the id that the system assigned; its title if there is none.
	Remote string `json:"remote"`
	Title  string `json:"title,omitempty"`
	// Tag is the system's version of the document; "" if the system has none.
	Tag string `json:"tag,omitempty"`
	// Hash is the hash of what was sent; "" if the document under that title is not the
	// one that was sent.
	Hash string    `json:"hash,omitempty"`
	At   time.Time `json:"at"`
}

// head is the first line of a journal.
type head struct {
	Format  string `json:"assay"`
	Version int    `json:"version"`
	Destination
	At time.Time `json:"at"`
}

const (
	journalFormat  = "corpus journal"
	journalVersion = 1
)

// ReadJournal reads a journal. A last line without a line end was torn and is ignored;
// any other damage is an error that names the line. An empty journal has no place and
// no entries.
func ReadJournal(r io.Reader, name string) (Journal, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Journal{}, err
	}
	var j Journal
	n := 0
	for line := range bytes.Lines(data) {
		if n++; !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if n == 1 {
			err = j.begin(line)
		} else {
			err = j.add(line)
		}
		if err != nil {
			return Journal{}, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		j.good += int64(len(line))
	}
	return j, nil
}

func (j *Journal) begin(line []byte) error {
	var h head
	switch err := json.Unmarshal(line, &h); {
	case err != nil || h.Format != journalFormat:
		return errors.New("not a journal of assay corpus upload")
	case h.Version != journalVersion:
		return fmt.Errorf("version %d: expected %d", h.Version, journalVersion)
	case h.Kind == "":
		return errors.New("kind: missing")
	}
	j.Destination = h.Destination
	return nil
}

func (j *Journal) add(line []byte) error {
	var e Entry
	switch err := json.Unmarshal(line, &e); {
	case err != nil:
		return err
	case e.Document == "":
		return errors.New("document: missing: expected the id of a document")
	case e.Remote == "":
		return fmt.Errorf("document %q: remote: missing: expected the id that the system gave it", e.Document)
	case e.Hash != "" && (!strings.HasPrefix(e.Hash, hashPrefix) || len(e.Hash) != len(hashPrefix)+64):
		return fmt.Errorf("document %q: hash %q: expected %q and 64 digits", e.Document, e.Hash, hashPrefix)
	}
	j.Entries = append(j.Entries, e)
	return nil
}

// DocumentMap maps the names by which a system may refer to a document, its own ids and
// the titles, to the dataset's ids. Ambiguous names are omitted; a name that is an id
// of one document and a title of another is the id. Ids that a document had before it
// was sent again still count, since the system may still use them.
func (j Journal) DocumentMap() map[string]string {
	out := make(map[string]string, 2*len(j.Entries))
	shared := map[string]bool{}
	for _, e := range j.Entries {
		if e.Title == "" {
			continue
		}
		if d, ok := out[e.Title]; ok && d != e.Document {
			shared[e.Title] = true
		}
		out[e.Title] = e.Document
	}
	for title := range shared {
		delete(out, title)
	}
	for _, e := range j.Entries {
		out[e.Remote] = e.Document
	}
	owner := map[string]string{}
	for _, e := range j.last() {
		if d, ok := owner[e.Remote]; ok && d != e.Document {
			delete(out, e.Remote)
		}
		owner[e.Remote] = e.Document
	}
	return out
}

// last returns the last entry of each document.
func (j Journal) last() map[string]Entry {
	out := make(map[string]Entry, len(j.Entries))
	for _, e := range j.Entries {
		out[e.Document] = e
	}
	return out
}
