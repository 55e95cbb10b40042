// Package upload puts documents into a system: it finds out which are missing, sends
// each of them once, and waits until the system has indexed them.
package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
)

// An Item is a document as it is sent to a system.
type Item struct {
	assay.Document
	// Name is the title under which the system lists it.
	Name string
	// Hash is "sha256:" and the hexadecimal hash of what is sent. It changes when the
	// document or the request format changes.
	Hash string
}

// A Remote is a document as a system lists it.
type Remote struct {
	ID, Name string
	// Tag changes with the document; "" if the system has none.
	Tag string
}

// A Destination is the destination of documents; a journal belongs to one.
type Destination struct {
	// Kind is the kind of system: "nextcloud", "http", "mcp".
	Kind string `json:"kind"`
	// Endpoint is its address, or the command that starts it.
	Endpoint string `json:"endpoint"`
	// Into is the location in the system, such as the user and the category.
	Into string `json:"into,omitempty"`
}

func (p Destination) String() string {
	s := p.Kind + " " + p.Endpoint
	if p.Into != "" {
		s += " (" + p.Into + ")"
	}
	return s
}

// A Sink is a system that accepts documents. Its methods make one attempt each and may
// be called concurrently. They return a *[target.Error] that says whether a retry may
// help, a *[FatalError] if no document would be accepted, or a *[RefusedError] if only
// this one is not.
type Sink interface {
	Destination() Destination
	// Naming returns the default template of titles, and whether the system stores
	// documents as files.
	Naming() (template string, files bool)
	// Body returns what is sent for a document, as a JSON value.
	Body(it Item) (any, error)
	// Show formats the request for a document for a person, without secrets.
	Show(it Item) (string, error)
	// Put adds a document. The error is ErrPresent if the system reports that it
	// already has it.
	Put(ctx context.Context, it Item) (Remote, error)
	// Do makes a call that is independent of documents and returns the decoded reply.
	Do(ctx context.Context, c Call) (any, error)
	Close() error
}

// A Library is a system whose documents can be listed, read and replaced.
type Library interface {
	Sink
	// List returns all documents in the place.
	List(ctx context.Context) ([]Remote, error)
	// Recent returns the documents that changed since the first call of List, and
	// possibly more.
	Recent(ctx context.Context) ([]Remote, error)
	// Read returns a document and its text; ErrGone if it does not exist.
	Read(ctx context.Context, id string) (Remote, string, error)
	// Replace changes a document unless it has changed since r was read; ErrGone if it
	// does not exist.
	Replace(ctx context.Context, r Remote, it Item) (Remote, error)
}

// ErrPresent means that a system already has a document.
var ErrPresent = errors.New("already exists")

// ErrGone means that a document is no longer in the system.
var ErrGone = errors.New("no longer exists")

// A FatalError ends an upload: no document would be accepted.
type FatalError struct{ Err error }

func (e *FatalError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *FatalError) Unwrap() error { return e.Err }

// Status is the HTTP status, 0 if there was no response.
func (e *FatalError) Status() int { return statusOf(e) }

// statusOf returns the HTTP status in an error; 0 if it has none.
func statusOf(err error) int {
	if known := (*target.Error)(nil); errors.As(err, &known) {
		return known.Status
	}
	return 0
}

// A RefusedError concerns one document, which the system does not accept even if it is
// sent again.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// prepare converts documents to items. A missing or duplicate id is an error, and so is
// a document that does not fit the templates.
func prepare(docs []assay.Document, s Sink, title string) ([]Item, error) {
	seen := make(map[string]bool, len(docs))
	for i, d := range docs {
		switch {
		case d.ID == "":
			return nil, fmt.Errorf("document %d: no id", i+1)
		case seen[d.ID]:
			return nil, fmt.Errorf("document %q occurs twice: expected unique ids", d.ID)
		}
		seen[d.ID] = true
	}
	standard, files := s.Naming()
	if title == "" {
		title = standard
	}
	names, err := names(docs, title, files)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(docs))
	for i, d := range docs {
		items[i] = Item{Document: d, Name: names[i]}
		body, err := s.Body(items[i])
		if err != nil {
			return nil, fmt.Errorf("document %q: %w", d.ID, err)
		}
		data, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("document %q: %w", d.ID, err)
		}
		sum := sha256.Sum256(data)
		items[i].Hash = hashPrefix + hex.EncodeToString(sum[:])
	}
	return items, nil
}

const hashPrefix = "sha256:"

// values returns the placeholder values of an item.
func values(it Item, more map[string]any) map[string]any {
	v := map[string]any{"id": it.ID, "title": it.Title, "name": it.Name, "text": it.Text, "source": it.Source,
		"metadata": metadata(it.Document)}
	maps.Copy(v, more)
	return v
}

// metadata is never nil, since a template may refer to it.
func metadata(d assay.Document) map[string]any {
	if d.Metadata == nil {
		return map[string]any{}
	}
	return d.Metadata
}
