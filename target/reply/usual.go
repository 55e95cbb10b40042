package reply

import (
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// usual lists the common names of a passage's fields, used if there is no path, tried
// in this order: in the passage itself, then in each of its holders. A list that holds
// one text counts as that text: search engines return fields that way.
var usual = map[string][]string{
	Text: {
		"text", "content", "page_content", "pageContent", "chunk", "chunk_text", "passage", "passage_text", "snippet", "excerpt", "body",
		"content_with_weight", "document",
	},
	ID:       {"id", "chunk_id", "chunkId", "_id", "id_", "node_id", "segment_id", "passage_id"},
	Document: {"document_id", "documentId", "doc_id", "docId", "ref_doc_id", "document"},
	Source: {
		"source", "file_name", "fileName", "filename", "file_path", "filepath", "path", "url", "uri", "link", "document_name", "document_keyword",
	},
	Title: {"title", "document_title", "document_name", "docnm_kwd", "name"},
	Index: {"index", "chunk_index", "chunkIndex"},
	Score: {"score", "_score", "similarity", "similarity_score", "relevance_score", "relevance"},
}

// columnFields are the fields of a passage in the order in which they are read and
// shown.
var columnFields = []string{Text, ID, Document, Source, Title, Index, Score}

// holders are the objects within a passage that may hold its fields, outermost first:
// the document of a scored document, the node of LlamaIndex, the payload of Qdrant, the
// _source of OpenSearch, the fields of Vespa, the properties of Weaviate, the entity of
// Milvus, the arguments of a serialised LangChain Document, the content and location of
// Bedrock, the two kinds of Gemini; then metadata.
var holders = [][]string{
	{"document"}, {"node"}, {"payload"}, {"_source"}, {"fields"}, {"properties"}, {"entity"}, {"kwargs"}, {"content"}, {"_additional"},
	{"retrievedContext"}, {"retrieved_context"}, {"web"},
	{"metadata"}, {"meta"},
	{"document", "metadata"}, {"document", "meta"}, {"node", "metadata"}, {"payload", "metadata"}, {"_source", "metadata"},
	{"kwargs", "metadata"},
	{"location", "s3Location"}, {"location", "webLocation"},
	{"node", "relationships", "1"}, // in a node, 1 is its document
}

// details returns what a passage reports besides its fields; nil for nothing. A distance
// is no score: lower is better.
func details(in []place) *assay.Details {
	first := func(names ...string) any {
		for _, at := range in {
			if v := firstOf(at.object, names...); v != nil {
				return v
			}
		}
		return nil
	}
	var d assay.Details
	if v, ok := number(first("distance", "_distance")); ok {
		d.Distance = &v
	}
	d.Page, _ = count(first("page_number"))
	d.Summary, _ = first("content_summary").(string)
	d.Strategy, _ = first("strategy_type").(string)
	d.File, _ = first("chunk_file_path").(string)
	if day, ok := first("upload_date").(string); ok {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
			if t, err := time.Parse(layout, day); err == nil {
				d.Uploaded = &t
			}
		}
	}
	if d == (assay.Details{}) {
		return nil
	}
	return &d
}

// A place is an object in which the fields of a passage are searched, with its path
// within the passage.
type place struct {
	path   []string
	object map[string]any
}

// places returns the passage itself and its holders.
func places(passage map[string]any) []place {
	out := []place{{object: passage}}
	for _, h := range holders {
		o := passage
		for _, k := range h {
			if o, _ = o[k].(map[string]any); o == nil {
				break
			}
		}
		if len(o) > 0 {
			out = append(out, place{h, o})
		}
	}
	return out
}

// find looks up a field under its common names; path is relative to the passage.
func find(field string, in []place) (v any, path []string) {
	for _, at := range in {
		// A relationship refers to another node: only its id is used, as the document's
		// id.
		names := usual[field]
		if len(at.path) == 3 {
			if field != Document {
				continue
			}
			names = []string{"node_id"}
		}
		for _, name := range names {
			v := at.object[name]
			if list, ok := v.([]any); ok && len(list) == 1 {
				v = list[0]
			}
			if v != nil && fits(field, name, v) {
				return v, append(at.path[:len(at.path):len(at.path)], name)
			}
		}
	}
	return nil, nil
}

// fits reports whether a value can be the field that its name suggests. "document" is a
// text in some replies and an id in others: a text contains white space.
func fits(field, name string, v any) bool {
	s, isText := v.(string)
	switch field {
	case Text:
		return isText && (name != "document" || strings.ContainsAny(strings.TrimSpace(s), " \n\t"))
	case Index:
		_, ok := count(v)
		return ok && !isText
	case Score:
		_, ok := number(v)
		return ok
	}
	if name == "document" && strings.ContainsAny(s, " \n\t") {
		return false
	}
	s, ok := scalar(v)
	return ok && s != ""
}
