package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

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
	// kindDocumentText is the kind of a document's content: the upload until
	// its text is extracted, then the text. It is stored apart so that lists of
	// documents read little.
	kindDocumentText = "document_text"
	// maxFiles bounds the files of one upload.
	maxFiles = 50
)

// A DocumentView is a document of the built-in pipeline's corpus, stored as
// shown. The name of its item is the hash, its parent the state.
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
	// Known is set in the reply to an upload of a document that is already
	// stored.
	Known bool `json:"already_there,omitempty" doc:"the same file was uploaded before, and is one document"`
}

// A documentText is the content of a document.
type documentText struct {
	Upload []byte `json:"upload,omitempty"`
	Title  string `json:"title,omitempty"`
	Text   string `json:"text,omitempty"`
}

type documentForm struct {
	Files []huma.FormFile `form:"files" required:"true" doc:"text, Markdown, HTML, PDF or Word, at most 50 files and 100 MiB together"`
}

// A documentChunk is a chunk of a document, as retrieved.
type documentChunk struct {
	ID    string `json:"chunk_id"`
	Index int    `json:"chunk_index"`
	Text  string `json:"text"`
}

// documentEvent is the progress of documents.
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
	huma.Register(api,
		operation("documents", http.MethodPost, "/documents", "upload-documents", "Add documents to the built-in pipeline's corpus",
			succeeds(http.StatusAccepted),
			says("They are read, split and indexed in the background; GET /api/v1/documents/events tells how far it is. "+
				"Questions are answered from the documents of before until the new index takes its place. A file that was "+
				"uploaded before is the same document.")),
		func(ctx context.Context, in *struct {
			RawBody huma.MultipartFormFiles[documentForm]
		}) (*one[documentList], error) {
			views, err := s.documents.add(ctx, in.RawBody.Data().Files, in.RawBody.Form)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return &one[documentList]{documentList{views}}, nil
		})
	huma.Register(api, operation("documents", http.MethodGet, "/documents", "list-documents", "List the uploaded documents, latest first"),
		func(ctx context.Context, in *Paging) (*list[DocumentView], error) {
			return listItems(ctx, s, store.KindDocument, store.ItemQuery{}, *in, func(it store.Item) (DocumentView, error) {
				return s.documents.view(ctx, it.ID)
			})
		})
	op := operation("documents", http.MethodGet, "/documents/events", "follow-documents", "Follow indexing as server-sent events",
		says("The stream ends with done when nothing is in work."))
	documentEvents(api, &op, map[string]any{"progress": documentEvent{}, "done": documentsDone{}})
	huma.Register(api, op, func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
		release, err := s.opened()
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			defer release()
			// The client is gone or the server is stopping, so there is nobody
			// to reply to.
			_ = s.documents.follow(c.Context(), newEventStream(c))
		}}, nil
	})
	huma.Register(api, operation("documents", http.MethodGet, "/documents/{document_id}", "get-document", "Get a document"),
		func(ctx context.Context, in *DocumentPath) (*one[DocumentView], error) {
			v, err := s.document1(ctx, in.ID)
			return &one[DocumentView]{v}, err
		})
	huma.Register(api,
		operation("documents", http.MethodGet, "/documents/{document_id}/chunks", "list-chunks", "List the chunks of a document"),
		func(ctx context.Context, in *struct {
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
	huma.Register(api,
		operation("documents", http.MethodDelete, "/documents/{document_id}", "delete-document",
			"Delete a document and its chunks from every index",
			says("Once the request returns, no question finds the chunks. Earlier answers keep them.")),
		func(ctx context.Context, in *DocumentPath) (*deletion, error) {
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

// document1 returns one document. The error is a problem.
func (s *Server) document1(ctx context.Context, id string) (DocumentView, error) {
	if !isID(id) {
		return DocumentView{}, absent("document", id)
	}
	v, err := s.documents.view(ctx, id)
	return v, s.orAbsent(ctx, err, "document", id)
}
