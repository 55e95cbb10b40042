// Package upload puts documents into a system: which are there, which are
// missing, each one sent once, and the wait until the system has indexed them.
package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
)

// An Item is a document as it is sent to a system.
type Item struct {
	assay.Document
	// Name is the title that the system lists it under.
	Name string
	// Hash is "sha256:" and the hash in hexadecimal of what is sent. It changes
	// when the document does, and when the way in which it is sent does.
	Hash string
}

// A Remote is a document as a system lists it.
type Remote struct {
	ID, Name string
	// Tag changes when the document does; "" when the system tells none.
	Tag string
}

// A Place is where documents go: a journal belongs to one.
type Place struct {
	// Kind is the kind of system: "nextcloud", "http", "mcp".
	Kind string
	// Endpoint is its address, or the command that starts it.
	Endpoint string
	// Into says where in the system, such as the user and the category.
	Into string
}

func (p Place) String() string {
	s := p.Kind + " " + p.Endpoint
	if p.Into != "" {
		s += " (" + p.Into + ")"
	}
	return s
}

// A Sink is a system that takes documents. Its methods make one attempt each,
// may be called concurrently, and return a *[target.Error] that says whether
// another attempt may help, a *[FatalError] when none of any document would, or
// a *[RefusedError] when it would for others.
type Sink interface {
	Place() Place
	// Naming says how titles are made when the user says nothing, and whether
	// the system makes files of them.
	Naming() (template string, files bool)
	// Body is what is sent for a document, as a JSON value.
	Body(it Item) (any, error)
	// Show is the request for a document as a person reads it, without secrets.
	Show(it Item) (string, error)
	// Put adds a document. The error is ErrPresent when the system says that it
	// has it already.
	Put(ctx context.Context, it Item) (Remote, error)
	// Do makes a call that is about no document and returns the decoded reply.
	Do(ctx context.Context, c Call) (any, error)
	Close() error
}

// A Library is a system whose documents can be listed, read and replaced.
type Library interface {
	Sink
	// List gives all documents in the place.
	List(ctx context.Context) ([]Remote, error)
	// Recent gives those that changed since List was called first, and maybe more.
	Recent(ctx context.Context) ([]Remote, error)
	// Read gives a document and its text; ErrGone when it is not there.
	Read(ctx context.Context, id string) (Remote, string, error)
	// Replace changes a document as long as it still is what r says; ErrGone when
	// it is not there.
	Replace(ctx context.Context, r Remote, it Item) (Remote, error)
}

// ErrPresent means that a system has a document already.
var ErrPresent = errors.New("is there already")

// ErrGone means that a document is not in the system any more.
var ErrGone = errors.New("is not there any more")

// A FatalError ends an upload: no document would be taken.
type FatalError struct {
	// Status is that of the HTTP response, 0 when there was none.
	Status int
	Err    error
}

func (e *FatalError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *FatalError) Unwrap() error { return e.Err }

// A RefusedError is about one document: the system does not take it, however
// often it is sent.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// prepare makes items of documents. An id that is missing or there twice is an
// error, and so is a document that the templates do not fit.
func prepare(docs []assay.Document, s Sink, title string) ([]Item, error) {
	seen := make(map[string]bool, len(docs))
	for i, d := range docs {
		switch {
		case d.ID == "":
			return nil, fmt.Errorf("document %d: no id", i+1)
		case seen[d.ID]:
			return nil, fmt.Errorf("document %q is there twice: want every id once", d.ID)
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

// values are those of the placeholders.
func values(it Item, more map[string]any) map[string]any {
	v := map[string]any{"id": it.ID, "title": it.Title, "name": it.Name, "text": it.Text, "source": it.Source, "metadata": metadata(it.Document)}
	for k, x := range more {
		v[k] = x
	}
	return v
}

// metadata is never nil: a template may look into it.
func metadata(d assay.Document) map[string]any {
	if d.Metadata == nil {
		return map[string]any{}
	}
	return d.Metadata
}
