package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/rag/extract"
	"github.com/assay-eval/assay/store"
)

// documents manages the uploaded documents of the built-in pipeline. One goroutine
// at a time reads and indexes them.
type documents struct {
	s *Server

	// adding is held while an upload is checked for duplicates and stored.
	adding sync.Mutex
	// indexing is held while the pipeline is reopened.
	indexing sync.Mutex

	mu sync.Mutex
	// work lists the documents in progress, in upload order.
	work  []DocumentView
	busy  bool
	dates map[string]time.Time
	group sync.WaitGroup
}

// start continues the work that an earlier server left.
func (d *documents) start(ctx context.Context) error {
	var left []DocumentView
	for _, state := range []string{docWaiting, docReading, docIndexing} {
		items, _, err := d.s.store.Items(ctx, store.KindDocument, store.ItemQuery{Parent: state})
		if err != nil {
			return err
		}
		for _, it := range items {
			v, err := d.view(ctx, it.ID)
			if err != nil {
				return err
			}
			left = append(left, v)
		}
	}
	slices.SortFunc(left, func(a, b DocumentView) int { return cmp.Compare(a.ID, b.ID) })
	if len(left) > 0 {
		d.enqueue(left)
	}
	return nil
}

func (d *documents) wait() { d.group.Wait() }

// view loads a document.
func (d *documents) view(ctx context.Context, id string) (v DocumentView, err error) {
	return v, d.s.readItem(ctx, store.KindDocument, id, &v)
}

// put stores a document.
func (d *documents) put(ctx context.Context, v DocumentView) error {
	v.Known = false
	return d.s.keep(ctx, store.KindDocument, v.ID, v.Hash, v.State, v)
}

func (d *documents) putText(ctx context.Context, id string, t documentText) error {
	return d.s.keep(ctx, kindDocumentText, id, "", "", t)
}

// add stores uploads. The error may be a problem; then nothing is stored.
func (d *documents) add(ctx context.Context, files []huma.FormFile, form *multipart.Form) ([]DocumentView, error) {
	if d.s.stopped() {
		return nil, unavailable("the server is stopping")
	}
	if len(files) == 0 && form != nil {
		return nil, wrong("form.files", "no file: want one or more", nil)
	}
	if len(files) > maxFiles {
		return nil, wrong("form.files", fmt.Sprintf("%d files: want at most %d", len(files), maxFiles), nil)
	}
	release, err := take(ctx, d.s.filing)
	if err != nil {
		return nil, err
	}
	defer release()
	var problems []*huma.ErrorDetail
	contents, views := make([][]byte, len(files)), make([]DocumentView, len(files))
	for i, f := range files {
		at := fmt.Sprintf("form.files[%d]", i)
		name := filename(f.Filename)
		if !readable(name) {
			problems = append(
				problems,
				&huma.ErrorDetail{Location: at, Message: "want a file with one of the extensions " + strings.Join(extensions(), ", "), Value: name},
			)
			continue
		}
		content, err := io.ReadAll(io.LimitReader(f, maxUpload+1))
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		if len(content) == 0 {
			problems = append(problems, &huma.ErrorDetail{Location: at, Message: "the file is empty", Value: name})
			continue
		}
		sum := sha256.Sum256(content)
		contents[i] = content
		views[i] = DocumentView{
			Filename: name, Hash: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(content)), Uploaded: d.s.now(), State: docWaiting,
		}
	}
	if problems != nil {
		return nil, wrongs(problems...)
	}
	d.adding.Lock()
	defer d.adding.Unlock()
	// A partial upload would be continued by the next server.
	ctx = detached(ctx)
	var fresh []DocumentView
	for i := range views {
		known, again, err := d.known(ctx, views[i].Hash)
		if err != nil {
			return nil, err
		}
		if known.ID != "" && !again {
			known.Known = true
			views[i] = known
			continue
		}
		if views[i].ID = known.ID; known.ID == "" {
			if views[i].ID, err = d.s.newID(); err != nil {
				return nil, err
			}
		}
		if err := d.putText(ctx, views[i].ID, documentText{Upload: contents[i]}); err != nil {
			return nil, err
		}
		if err := d.put(ctx, views[i]); err != nil {
			return nil, err
		}
		fresh = append(fresh, views[i])
	}
	if fresh != nil {
		d.enqueue(fresh)
	}
	return views, nil
}

// known finds a document by the hash of its content. again reports that reading
// it failed before, so that another attempt is worthwhile.
func (d *documents) known(ctx context.Context, hash string) (v DocumentView, again bool, err error) {
	items, _, err := d.s.store.Items(ctx, store.KindDocument, store.ItemQuery{Name: hash, Limit: 1})
	if err != nil || len(items) == 0 {
		return v, false, err
	}
	v, err = d.view(ctx, items[0].ID)
	if errors.Is(err, store.ErrNotFound) {
		return DocumentView{}, false, nil
	}
	return v, v.State == docFailed, err
}

// filename returns an upload's name for display, never a path.
func filename(given string) string {
	name := filepath.Base(filepath.FromSlash(strings.ReplaceAll(given, `\`, "/")))
	name = text.Visible(name)
	if n := []rune(name); len(n) > 200 {
		// Keep the extension, which gives the format.
		ext := []rune(path.Ext(name))
		name = string(n[:max(0, 200-len(ext))]) + string(ext[:min(len(ext), 20)])
	}
	return name
}

// extensions lists the supported file extensions.
func extensions() (out []string) {
	for _, f := range extract.Formats() {
		out = append(out, f.Extensions...)
	}
	return out
}

func readable(name string) bool {
	return slices.Contains(extensions(), strings.ToLower(path.Ext(name)))
}

// remove deletes a document from the store and from every index.
func (d *documents) remove(ctx context.Context, id string) error {
	d.adding.Lock()
	err := d.s.store.DeleteItem(ctx, store.KindDocument, id)
	if err == nil {
		if err = d.s.store.DeleteItem(ctx, kindDocumentText, id); errors.Is(err, store.ErrNotFound) {
			err = nil
		}
	}
	d.adding.Unlock()
	if err != nil {
		return err
	}
	if err := d.reopen(ctx); err != nil {
		// The next question reopens the pipeline without it.
		d.s.log.ErrorContext(ctx, "the documents that are left cannot be indexed", "error", d.s.cfg.Settings.Secrets().Scrub(err.Error()))
	}
	return nil
}

// uploaded returns the documents whose text was extracted.
func (d *documents) uploaded(ctx context.Context) ([]assay.Document, error) {
	var out []assay.Document
	for _, state := range []string{docIndexing, docReady} {
		items, _, err := d.s.store.Items(ctx, store.KindDocument, store.ItemQuery{Parent: state})
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			doc, err := d.load(ctx, it.ID)
			if errors.Is(err, store.ErrNotFound) {
				continue // deleted meanwhile
			}
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(out, func(o assay.Document) bool { return o.ID == doc.ID }) {
				out = append(out, doc)
			}
		}
	}
	// Upload order, whichever became ready first.
	slices.SortFunc(out, func(a, b assay.Document) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

func (d *documents) load(ctx context.Context, id string) (assay.Document, error) {
	v, err := d.view(ctx, id)
	if err != nil {
		return assay.Document{}, err
	}
	var t documentText
	if err := d.s.readItem(ctx, kindDocumentText, id, &t); err != nil {
		return assay.Document{}, err
	}
	d.mu.Lock()
	d.dates[id] = v.Uploaded
	d.mu.Unlock()
	return assay.Document{ID: id, Title: t.Title, Text: t.Text, Source: v.Filename}, nil
}

// uploadedAt returns the upload time of a document.
func (d *documents) uploadedAt(id string) (time.Time, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.dates[id]
	return at, ok
}

// replace reopens the server's own target and swaps it in. Questions that arrive
// before the swap are answered by the old one. Without a document there is none.
func (v *servings) replace(ctx context.Context) error {
	r, err := v.s.settingsOf("")
	if err != nil || !r.Pipelined() {
		v.changed()
		return err
	}
	next, err := v.begin(ctx, "")
	none := errors.Is(err, errNoDocuments)
	if err != nil && !none {
		// The open target has outdated documents: the next question reopens it.
		v.changed()
		return err
	}
	// Wait for a concurrent open, which may have fewer documents.
	lock := v.lock("")
	lock.Lock()
	defer lock.Unlock()
	v.mu.Lock()
	v.documents++
	before := v.open[""]
	delete(v.open, "")
	if !none {
		next.of = v.documents
		v.open[""] = next
	}
	v.mu.Unlock()
	if before != nil {
		v.retire(before)
	}
	return nil
}
