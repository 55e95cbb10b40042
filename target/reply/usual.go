package reply

import (
	"cmp"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// columnFields are the fields of a passage in the order in which they are read and
// shown.
var columnFields = []string{Text, ID, Document, Source, Title, Index, Score}

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
	for _, h := range names().Holders {
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

// documentIsName reports whether "document" names the document of the passages of a list: one that
// has it has its text elsewhere, or all that have it look like names. Else it is their text.
func documentIsName(list []any) bool {
	looks := true
	for _, v := range list {
		o, _ := v.(map[string]any)
		in := places(o)
		said := ""
		for _, at := range in {
			said = cmp.Or(said, textIn(at.object, "document"))
		}
		if _, path := find(Text, in, true); said != "" && path != nil {
			return true
		}
		looks = looks && (isName(said) || one().MatchString(strings.TrimSpace(said)))
	}
	return looks
}

// one matches a word of a script that puts spaces between words.
var one = lazyregexp.New("^" + pathPart + "$")

// find looks up a field under its common names; path is relative to the passage. A list that
// holds one text counts as that text: search engines return fields that way. named says that
// "document" is a name, and no text.
func find(field string, in []place, named bool) (v any, path []string) {
	for _, at := range in {
		// A relationship refers to another node: only its id is used, as the document's
		// id.
		usual := names().Fields[field]
		if len(at.path) == 3 {
			if field != Document {
				continue
			}
			usual = []string{"node_id"}
		}
		for _, name := range usual {
			v := at.object[name]
			if list, ok := v.([]any); ok && len(list) > 0 && field == Text && !areTexts(list) && areBlocks(list) {
				v, _ = TextOf(list) // OpenAI's vector stores
			} else if ok && len(list) == 1 {
				v = list[0]
			}
			if v != nil && (name != "document" || (field == Document) == named) && fits(field, v) {
				return v, append(at.path[:len(at.path):len(at.path)], name)
			}
		}
	}
	return nil, nil
}

// fits reports whether a value can be the field.
func fits(field string, v any) bool {
	switch field {
	case Text:
		return isText(v)
	case Index:
		_, ok := count(v)
		return ok && !isText(v)
	case Score:
		_, ok := number(v)
		return ok
	}
	s, ok := scalar(v)
	return ok && s != ""
}
