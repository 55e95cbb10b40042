package server

import (
	"context"
	"errors"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag/extract"
	"github.com/assay-eval/assay/store"
)

// enqueue has the documents in the store that are not ready read and indexed: new ones, and those
// that an earlier server left.
func (d *documents) enqueue() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.more = true
	if !d.busy {
		d.busy = true
		d.group.Go(d.run)
	}
}

// again reports whether there may be documents to read. If not, the work ends.
func (d *documents) again() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = d.more && !d.s.stopped()
	d.more = false
	return d.busy
}

// run reads and indexes documents until none is left or the server stops.
// The next server continues with the rest.
func (d *documents) run() {
	ctx, cancel := wire.UntilStopped(context.Background(), d.s.stopping, nil)
	defer cancel()
	for d.again() {
		todo, err := d.in(ctx, docWaiting, docReading, docIndexing)
		if err != nil && ctx.Err() == nil {
			d.s.log.Error("the documents to index cannot be listed", "error", err)
		}
		var read []DocumentView
		for _, v := range todo {
			v = d.read(ctx, v)
			if ctx.Err() != nil {
				break
			}
			if v.State == docIndexing {
				read = append(read, v)
			}
		}
		if len(read) > 0 && ctx.Err() == nil {
			d.index(ctx, read)
		}
	}
}

// to sets the state of a document, unless it was deleted meanwhile.
func (d *documents) to(ctx context.Context, v DocumentView, state string) DocumentView {
	v.State = state
	d.adding.Lock()
	_, err := d.view(ctx, v.ID)
	if err == nil {
		err = d.put(ctx, v)
	}
	d.adding.Unlock()
	if errors.Is(err, store.ErrNotFound) {
		v.State, v.Error = docFailed, "it was deleted"
	} else if err != nil && ctx.Err() == nil {
		d.s.log.Error("the state of a document cannot be kept", "document", v.ID, "error", err)
		v.State, v.Error = docFailed, "its state could not be kept"
	}
	return v
}

// read extracts the text of an upload.
func (d *documents) read(ctx context.Context, v DocumentView) DocumentView {
	v.Error = ""
	if v = d.to(ctx, v, docReading); v.State != docReading {
		return v
	}
	var t documentText
	err := d.s.readItem(ctx, kindDocumentText, v.ID, &t)
	if err == nil && t.Upload != nil {
		var doc assay.Document
		if doc, err = extract.Parse(ctx, v.Filename, t.Upload); err == nil && strings.TrimSpace(doc.Text) == "" {
			err = errors.New("it has no text")
		}
		if err == nil {
			t = documentText{Title: strings.ToValidUTF8(doc.Title, "\ufffd"), Text: strings.ToValidUTF8(doc.Text, "\ufffd")}
			err = d.putText(ctx, v.ID, t)
		}
	}
	if ctx.Err() != nil {
		return v
	}
	if err != nil {
		v.Error = text.Shorten(text.Visible(err.Error()), 500)
		return d.to(ctx, v, docFailed)
	}
	v.Title, v.Length = t.Title, len([]rune(t.Text))
	return d.to(ctx, v, docIndexing)
}

// index opens a pipeline over the current documents. It replaces the previous
// one when it is ready.
func (d *documents) index(ctx context.Context, read []DocumentView) {
	err := d.reopen(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		// They are stored, and are searched as soon as the pipeline opens
		// again.
		d.s.log.Error("the documents cannot be indexed", "error", d.s.cfg.Settings.Secrets().Scrub(err.Error()))
	}
	for _, v := range read {
		d.to(ctx, v, docReady)
	}
}

// reopen opens the pipeline again.
func (d *documents) reopen(ctx context.Context) error {
	d.indexing.Lock()
	defer d.indexing.Unlock()
	return d.s.servings.replace(ctx)
}
