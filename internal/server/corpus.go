package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	// busy is set while a goroutine works, and more when documents were added since it looked.
	busy, more bool
	group      sync.WaitGroup
	// dates has the times of the uploads by the ids of the documents.
	dates sync.Map
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
		return nil, wrong("form.files", "no file: expected one or more", nil)
	}
	if len(files) > maxFiles {
		return nil, wrong("form.files", fmt.Sprintf("%d files: expected at most %d", len(files), maxFiles), nil)
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
				&huma.ErrorDetail{Location: at, Message: "expected a file with one of the extensions " + strings.Join(extensions(), ", "), Value: name},
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
	ctx = context.WithoutCancel(ctx)
	defer d.enqueue()
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

// in returns the documents in one of some states, in upload order.
func (d *documents) in(ctx context.Context, states ...string) (views []DocumentView, err error) {
	for _, state := range states {
		items, _, err := d.s.store.Items(ctx, store.KindDocument, store.ItemQuery{Parent: state, Bodies: true})
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			var v DocumentView
			if err := json.Unmarshal(it.Body, &v); err != nil {
				return nil, err
			}
			views = append(views, v)
		}
	}
	slices.SortFunc(views, func(a, b DocumentView) int { return cmp.Compare(a.ID, b.ID) })
	// One can be in two lists if its state changed in between.
	return slices.CompactFunc(views, func(a, b DocumentView) bool { return a.ID == b.ID }), nil
}

// uploaded returns the documents whose text was extracted.
func (d *documents) uploaded(ctx context.Context) (docs []assay.Document, err error) {
	views, err := d.in(ctx, docIndexing, docReady)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		var t documentText
		err := d.s.readItem(ctx, kindDocumentText, v.ID, &t)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		d.dates.Store(v.ID, v.Uploaded)
		docs = append(docs, assay.Document{ID: v.ID, Title: t.Title, Text: t.Text, Source: v.Filename})
	}
	return docs, nil
}

// uploadedAt returns the upload time of a document.
func (d *documents) uploadedAt(id string) (time.Time, bool) {
	at, ok := d.dates.Load(id)
	if !ok {
		return time.Time{}, false
	}
	return at.(time.Time), true
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
