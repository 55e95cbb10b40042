package server

import (
	"context"
	"fmt"
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
	ID       string    `json:"document_id" doc:"id of the document" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Filename string    `json:"filename" doc:"name of the file" example:"rhine.md"`
	Title    string    `json:"title,omitempty" doc:"title in the text; absent if it has none" example:"Rhine"`
	Hash     string    `json:"hash" doc:"sha256: and hexadecimal digits, of the file's content" example:"sha256:9f86d081"`
	Size     int64     `json:"size_bytes" doc:"of the file" example:"18231"`
	Length   int       `json:"characters,omitempty" doc:"of its text" example:"17904"`
	Uploaded time.Time `json:"upload_date" doc:"time of the upload" example:"2026-03-02T09:30:00Z"`
	State    string    `json:"state" enum:"waiting,reading,indexing,ready,failed" doc:"how far the document is"`
	Error    string    `json:"error,omitempty" doc:"why it could not be read" example:"not a PDF file"`
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
	ID    string `json:"chunk_id" doc:"id of the chunk" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f#3"`
	Index int    `json:"chunk_index" doc:"position in the document, from 0" example:"3"`
	Text  string `json:"text" doc:"text of the chunk" example:"The Rhine."`
}

type DocumentPath struct {
	ID string `path:"document_id" maxLength:"128" doc:"id of a document"`
}

func (s *Server) documentRoutes() {
	registerOne(s, "upload-documents", func(ctx context.Context, in *struct {
		RawBody huma.MultipartFormFiles[documentForm]
	}) (documentList, error) {
		views, err := s.documents.add(ctx, in.RawBody.Data().Files, in.RawBody.Form)
		return documentList{views}, err
	})
	register(s, "list-documents", func(ctx context.Context, in *Paging) (*list[DocumentView], error) {
		return listItems(ctx, s, store.KindDocument, store.ItemQuery{}, *in, func(it store.Item) (DocumentView, error) {
			return s.documents.view(ctx, it.ID)
		})
	})
	registerOne(s, "get-document", func(ctx context.Context, in *DocumentPath) (DocumentView, error) { return s.document1(ctx, in.ID) })
	registerList(s, "list-chunks", func(ctx context.Context, in *struct {
		DocumentPath
		Paging
	}) (chunks []documentChunk, err error) {
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
		for _, p := range serving.index().Chunks(in.ID) {
			chunks = append(chunks, documentChunk{p.ID, p.Index, p.Text})
		}
		return chunks, nil
	})
	register(s, "delete-document", func(ctx context.Context, in *DocumentPath) (*deletion, error) {
		if _, err := s.document1(ctx, in.ID); err != nil {
			return nil, err
		}
		return deleted(in.ID), s.documents.remove(context.WithoutCancel(ctx), in.ID)
	})
}

// A documentList is the reply to an upload.
type documentList struct {
	Items []DocumentView `json:"items" nullable:"false" doc:"the documents of the upload"`
}

// document1 returns one document. The error is a problem.
func (s *Server) document1(ctx context.Context, id string) (DocumentView, error) {
	if !isID(id) {
		return DocumentView{}, absent("document", id)
	}
	v, err := s.documents.view(ctx, id)
	return v, s.orAbsent(ctx, err, "document", id)
}
