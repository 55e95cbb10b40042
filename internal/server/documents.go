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
	"net/http"
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

// The states of a document.
const (
	docWaiting  = "waiting"
	docReading  = "reading"
	docIndexing = "indexing"
	docReady    = "ready"
	docFailed   = "failed"
)

const (
	// kindDocumentText is the kind of what a document holds: the upload until it
	// is read, then its text. The documents themselves are small, for lists.
	kindDocumentText = "document_text"
	// maxFiles bounds the files of one upload.
	maxFiles = 50
)

// A DocumentView is a document of the built-in pipeline's corpus. It is kept as
// it is shown; its item's name is the hash, its parent the state.
type DocumentView struct {
	ID       string    `json:"document_id"`
	Filename string    `json:"filename"`
	Title    string    `json:"title,omitempty"`
	Hash     string    `json:"hash" doc:"sha256: and hexadecimal digits, of the file's content"`
	Size     int64     `json:"size_bytes" doc:"of the file"`
	Length   int       `json:"characters,omitempty" doc:"of its text"`
	Uploaded time.Time `json:"upload_date"`
	State    string    `json:"state" enum:"waiting,reading,indexing,ready,failed"`
	Error    string    `json:"error,omitempty" doc:"why it could not be read"`
	// Known is set in the reply to an upload of what was there already.
	Known bool `json:"already_there,omitempty" doc:"the same file was uploaded before, and is one document"`
}

// A documentText is what a document holds.
type documentText struct {
	Upload []byte `json:"upload,omitempty"`
	Title  string `json:"title,omitempty"`
	Text   string `json:"text,omitempty"`
}

type documentForm struct {
	Files []huma.FormFile `form:"files" required:"true" doc:"text, Markdown, HTML, PDF or Word, at most 50 files and 100 MiB together"`
}

// A documentChunk is a piece of a document, as it is found.
type documentChunk struct {
	ID    string `json:"chunk_id"`
	Index int    `json:"chunk_index"`
	Text  string `json:"text"`
}

// documentEvent tells how far documents are.
type documentEvent struct {
	Done  int `json:"done" doc:"how many of those in work are done"`
	Total int `json:"total"`
	DocumentView
}

// documentsDone is the last event.
type documentsDone struct {
	Ready  int `json:"ready"`
	Failed int `json:"failed"`
}

type DocumentPath struct {
	ID string `path:"document_id" maxLength:"128" doc:"id of a document"`
}

func (s *Server) documentRoutes(api huma.API) {
	huma.Register(api, operation("documents", http.MethodPost, "/documents", "upload-documents", "Add documents to the built-in pipeline's corpus", succeeds(http.StatusAccepted),
		says("They are read, split and indexed in the background; GET /api/v1/documents/events tells how far it is. Questions are answered from the documents of before until the new index takes its place. A file that was uploaded before is the same document.")),
		func(ctx context.Context, in *struct {
			RawBody huma.MultipartFormFiles[documentForm]
		}) (*one[documentList], error) {
			views, err := s.documents.add(ctx, in.RawBody.Data().Files, in.RawBody.Form)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return &one[documentList]{documentList{views}}, nil
		})
	huma.Register(api, operation("documents", http.MethodGet, "/documents", "list-documents", "The documents that were uploaded, the latest first"), func(ctx context.Context, in *Paging) (*list[DocumentView], error) {
		items, total, err := s.store.Items(ctx, store.KindDocument, store.ItemQuery{Limit: in.Limit, Offset: in.Offset})
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		views := make([]DocumentView, 0, len(items))
		for _, it := range items {
			v, err := s.documents.view(ctx, it.ID)
			switch {
			case errors.Is(err, store.ErrNotFound): // deleted meanwhile
			case err != nil:
				return nil, s.fail(ctx, err)
			default:
				views = append(views, v)
			}
		}
		return listed(views, total, *in), nil
	})
	op := operation("documents", http.MethodGet, "/documents/events", "follow-documents", "How far the documents in work are, as server-sent events",
		says("The stream ends with done when nothing is in work."))
	documentEvents(api, &op, map[string]any{"progress": documentEvent{}, "done": documentsDone{}})
	huma.Register(api, op, func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
		release, err := s.opened()
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			defer release()
			// The client is gone, or the server stops: there is nobody to tell.
			_ = s.documents.follow(c.Context(), newEventStream(c))
		}}, nil
	})
	huma.Register(api, operation("documents", http.MethodGet, "/documents/{document_id}", "get-document", "A document"), func(ctx context.Context, in *DocumentPath) (*one[DocumentView], error) {
		v, err := s.document1(ctx, in.ID)
		return &one[DocumentView]{v}, err
	})
	huma.Register(api, operation("documents", http.MethodGet, "/documents/{document_id}/chunks", "list-chunks", "The chunks of a document, in order"), func(ctx context.Context, in *struct {
		DocumentPath
		Paging
	}) (*list[documentChunk], error) {
		v, err := s.document1(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if v.State != docReady {
			return nil, conflict(fmt.Sprintf("the document is not indexed: its state is %q", v.State))
		}
		serving, release, err := s.servings.take(ctx, "")
		if err != nil {
			return nil, err
		}
		defer release()
		if serving.index() == nil {
			return nil, conflict("the server's own target is not the built-in pipeline, so that nothing is indexed")
		}
		chunks := []documentChunk{}
		for _, p := range serving.index().Chunks(in.ID) {
			chunks = append(chunks, documentChunk{p.ID, p.Index, p.Text})
		}
		return cut(chunks, in.Paging), nil
	})
	huma.Register(api, operation("documents", http.MethodDelete, "/documents/{document_id}", "delete-document", "Delete a document, and its chunks from every index",
		says("When it has answered, no question finds them any more. What was answered before keeps them.")), func(ctx context.Context, in *DocumentPath) (*deletion, error) {
		if _, err := s.document1(ctx, in.ID); err != nil {
			return nil, err
		}
		if err := s.documents.remove(detached(ctx), in.ID); err != nil {
			return nil, s.fail(ctx, err)
		}
		return deleted(in.ID), nil
	})
}

// A documentList is the reply to an upload.
type documentList struct {
	Items []DocumentView `json:"items" nullable:"false"`
}

// document1 gives one document. The error is a problem.
func (s *Server) document1(ctx context.Context, id string) (DocumentView, error) {
	if !isID(id) {
		return DocumentView{}, absent("document", id)
	}
	v, err := s.documents.view(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return v, absent("document", id)
	}
	return v, s.fail(ctx, err)
}

// documents are what the server was sent for the built-in pipeline to answer
// from. One goroutine at a time reads and indexes them.
type documents struct {
	s *Server

	// adding is held while it is looked whether a file is there already.
	adding sync.Mutex
	// indexing is held while the pipeline is opened anew.
	indexing sync.Mutex

	mu sync.Mutex
	// work are the documents in work, in the order of their uploads, and those
	// that became ready or failed since there was last nothing to do.
	work []DocumentView
	// changed is closed, and another made, whenever work is another.
	changed chan struct{}
	busy    bool
	dates   map[string]time.Time
	group   sync.WaitGroup
}

func newDocuments(s *Server) *documents {
	return &documents{s: s, changed: make(chan struct{}), dates: map[string]time.Time{}}
}

// start goes on with what an earlier server left.
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

// view gives a document.
func (d *documents) view(ctx context.Context, id string) (v DocumentView, err error) {
	it, err := d.s.store.Item(ctx, store.KindDocument, id)
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(it.Body, &v)
}

// put keeps a document.
func (d *documents) put(ctx context.Context, v DocumentView) error {
	v.Known = false
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return d.s.store.PutItem(ctx, store.Item{Kind: store.KindDocument, ID: v.ID, Name: v.Hash, Parent: v.State, Created: v.Uploaded, Updated: d.s.now(), Body: body})
}

func (d *documents) putText(ctx context.Context, v DocumentView, t documentText) error {
	body, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return d.s.store.PutItem(ctx, store.Item{Kind: kindDocumentText, ID: v.ID, Created: v.Uploaded, Updated: d.s.now(), Body: body})
}

// add takes in uploads. The error may be a problem; then none is kept.
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
			problems = append(problems, &huma.ErrorDetail{Location: at, Message: "want a file with one of the extensions " + strings.Join(extensions(), ", "), Value: name})
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
		views[i] = DocumentView{Filename: name, Hash: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(content)), Uploaded: d.s.now(), State: docWaiting}
	}
	if problems != nil {
		return nil, wrongs(problems...)
	}
	d.adding.Lock()
	defer d.adding.Unlock()
	// What is kept in part would be taken up by the next server.
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
		if err := d.putText(ctx, views[i], documentText{Upload: contents[i]}); err != nil {
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

// known finds the document of a content; again reports whether it is worth
// reading once more, because that failed.
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

// filename is an upload's name as it is shown: never a path.
func filename(given string) string {
	name := filepath.Base(filepath.FromSlash(strings.ReplaceAll(given, `\`, "/")))
	name = text.Visible(name)
	if n := []rune(name); len(n) > 200 {
		// The extension says what it is.
		ext := []rune(path.Ext(name))
		name = string(n[:max(0, 200-len(ext))]) + string(ext[:min(len(ext), 20)])
	}
	return name
}

// extensions lists those of documents that can be read.
func extensions() (out []string) {
	for _, f := range extract.Formats() {
		out = append(out, f.Extensions...)
	}
	return out
}

func readable(name string) bool {
	return slices.Contains(extensions(), strings.ToLower(path.Ext(name)))
}

// enqueue lets documents be read and indexed.
func (d *documents) enqueue(views []DocumentView) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.busy {
		d.work = nil
	}
	for _, v := range views {
		d.work = slices.DeleteFunc(d.work, func(w DocumentView) bool { return w.ID == v.ID })
	}
	d.work = append(d.work, views...)
	d.tell()
	if !d.busy {
		d.busy = true
		d.group.Go(d.run)
	}
}

// tell lets listeners look. The lock is held.
func (d *documents) tell() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// next gives the documents that wait, or says that there is nothing to do.
func (d *documents) next() []DocumentView {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []DocumentView
	for _, v := range d.work {
		if !ended(v.State) {
			out = append(out, v)
		}
	}
	if out == nil || d.s.stopped() {
		d.busy = false
		d.tell()
		return nil
	}
	return out
}

func ended(state string) bool { return state == docReady || state == docFailed }

// run reads and indexes until there is nothing to do or the server stops. What is
// not done then is taken up by the next server.
func (d *documents) run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-d.s.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		todo := d.next()
		if todo == nil {
			return
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

// to brings a document into a state. One that was deleted meanwhile is in none.
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
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.work {
		if d.work[i].ID == v.ID {
			d.work[i] = v
		}
	}
	d.tell()
	return v
}

// read makes text of an upload.
func (d *documents) read(ctx context.Context, v DocumentView) DocumentView {
	v.Error = ""
	if v = d.to(ctx, v, docReading); v.State != docReading {
		return v
	}
	var t documentText
	it, err := d.s.store.Item(ctx, kindDocumentText, v.ID)
	if err == nil {
		err = json.Unmarshal(it.Body, &t)
	}
	if err == nil && t.Upload != nil {
		var doc assay.Document
		if doc, err = extract.Parse(ctx, v.Filename, t.Upload); err == nil && strings.TrimSpace(doc.Text) == "" {
			err = errors.New("it has no text")
		}
		if err == nil {
			t = documentText{Title: strings.ToValidUTF8(doc.Title, "\ufffd"), Text: strings.ToValidUTF8(doc.Text, "\ufffd")}
			err = d.putText(ctx, v, t)
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

// index opens the pipeline over the documents of now. It takes the place of the
// one before when it is ready.
func (d *documents) index(ctx context.Context, read []DocumentView) {
	err := d.reopen(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		// They are there, and answered from as soon as the pipeline opens again.
		d.s.log.Error("the documents cannot be indexed", "error", d.s.cfg.Settings.Secrets().Scrub(err.Error()))
	}
	for _, v := range read {
		d.to(ctx, v, docReady)
	}
}

// reopen opens the pipeline anew.
func (d *documents) reopen(ctx context.Context) error {
	d.indexing.Lock()
	defer d.indexing.Unlock()
	return d.s.servings.replace(ctx)
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
		// The next question opens the pipeline without it.
		d.s.log.ErrorContext(ctx, "the documents that are left cannot be indexed", "error", d.s.cfg.Settings.Secrets().Scrub(err.Error()))
	}
	return nil
}

// uploaded gives the documents whose text is known.
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
	// The order of uploads, whatever became ready first.
	slices.SortFunc(out, func(a, b assay.Document) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

func (d *documents) load(ctx context.Context, id string) (assay.Document, error) {
	v, err := d.view(ctx, id)
	if err != nil {
		return assay.Document{}, err
	}
	it, err := d.s.store.Item(ctx, kindDocumentText, id)
	if err != nil {
		return assay.Document{}, err
	}
	var t documentText
	if err := json.Unmarshal(it.Body, &t); err != nil {
		return assay.Document{}, err
	}
	d.mu.Lock()
	d.dates[id] = v.Uploaded
	d.mu.Unlock()
	return assay.Document{ID: id, Title: t.Title, Text: t.Text, Source: v.Filename}, nil
}

// uploadedAt says when a document was uploaded.
func (d *documents) uploadedAt(id string) (time.Time, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.dates[id]
	return at, ok
}

// follow sends how far the documents are until nothing is in work.
func (d *documents) follow(ctx context.Context, out *eventStream) error {
	heart := time.NewTicker(d.s.cfg.Heartbeat)
	defer heart.Stop()
	told := map[string]string{}
	for {
		d.mu.Lock()
		work, busy, changed := slices.Clone(d.work), d.busy, d.changed
		d.mu.Unlock()
		last := documentsDone{}
		for _, v := range work {
			switch v.State {
			case docReady:
				last.Ready++
			case docFailed:
				last.Failed++
			}
		}
		for _, v := range work {
			if told[v.ID] == v.State {
				continue
			}
			told[v.ID] = v.State
			if err := out.add("progress", "", documentEvent{last.Ready + last.Failed, len(work), v}); err != nil {
				return err
			}
		}
		if !busy {
			if err := out.add("done", "", last); err != nil {
				return err
			}
			return out.send()
		}
		if err := out.send(); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-heart.C:
			out.beat()
		case <-ctx.Done():
			return ctx.Err()
		case <-d.s.stopping:
			return out.send()
		}
	}
}

// replace opens the server's own target anew and puts it in the place of the one
// that is open. Questions in flight are answered by that one to their end, and
// those that come meanwhile too. Without a document there is none.
func (v *servings) replace(ctx context.Context) error {
	r, err := v.s.settingsOf("")
	if err != nil || r.Adapter != "builtin" {
		v.changed()
		return err
	}
	next, err := v.begin(ctx, "")
	none := errors.Is(err, errNoDocuments)
	if err != nil && !none {
		// What is open is of other documents: the next question opens it anew.
		v.changed()
		return err
	}
	// Whoever is opening it meanwhile, perhaps of fewer documents, comes first.
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
