package reply

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// listed returns the list that a JSON text holds, or an object whose keys count its
// values from 0 or 1; another value as it is.
func listed(v any) any {
	switch d := Decoded(v).(type) {
	case []any:
		if readable(d) {
			return d
		}
	case map[string]any:
		for first := range 2 {
			var list []any
			for i := range len(d) {
				if e, ok := d[strconv.Itoa(first+i)]; ok {
					list = append(list, e)
				}
			}
			if len(list) > 0 && len(list) == len(d) && readable(list) {
				return list
			}
		}
	}
	return v
}

// longName is the length from which what may be the name of a document is its text.
const longName = 80

// apiece returns a passage for each text of sources that list their texts in document and what these
// are from in metadata, as Open WebUI does; other passages as they are.
func apiece(sources []any) []any {
	var out []any
	for _, v := range sources {
		o, _ := v.(map[string]any)
		texts, _ := o["document"].([]any)
		about, ok := o["metadata"].([]any)
		names := !ok && !slices.ContainsFunc(texts, func(v any) bool { s, _ := v.(string); return len(s) > longName })
		if names || ok && len(texts) != len(about) || !areTexts(texts) {
			return sources
		}
		for i, text := range texts {
			of, _ := o["source"].(map[string]any)
			if ok {
				of, _ = about[i].(map[string]any)
			}
			out = append(out, map[string]any{Text: text, Source: firstOf(of, "name", "source"), "metadata": of})
		}
	}
	return out
}

// warnOrder warns of passages that are listed in another order than they are numbered in.
// The position may be that in a document, unless the passages count from 0 or 1.
func (r *reader) warnOrder(values []any) {
next:
	for _, name := range []string{"rank", "position"} {
		var ranks []int
		for _, v := range values {
			o, _ := v.(map[string]any)
			n, ok := count(o[name])
			if meta, _ := o["metadata"].(map[string]any); !ok {
				n, ok = count(meta[name])
			}
			if !ok {
				continue next
			}
			ranks = append(ranks, n)
		}
		if slices.IsSorted(ranks) {
			continue
		}
		sorted := slices.Compact(slices.Sorted(slices.Values(ranks)))
		if name == "rank" || sorted[0] <= 1 && len(sorted) == len(ranks) && sorted[len(sorted)-1]-sorted[0] == len(ranks)-1 {
			r.out.Warnings = append(r.out.Warnings,
				fmt.Sprintf("the passages are not in the order of their %s: return them best first, they are ranked as listed", name))
			return
		}
	}
}

// inOrder puts the choices of a completion in the order of their indices, and the messages of a
// thread with the newest first. It joins the pieces of an output of Replicate, and decodes the body of AWS Lambda.
func inOrder(v any) any {
	o, _ := v.(map[string]any)
	if o["statusCode"] != nil && isText(o["body"]) {
		o = with(maps.Clone(o), "body", Decoded(o["body"]))
		v = o
	}
	if pieces, _ := o["output"].([]any); areTexts(pieces) && o["status"] == "succeeded" && isObject(o["input"]) {
		all := ""
		for _, s := range pieces {
			all += s.(string)
		}
		o = with(maps.Clone(o), "output", all)
		v = o
	}
	list, sign, name, field := o["choices"], 1, "choices", "index"
	if thread, _ := builtIn("data[0].object").one(v); thread == "thread.message" {
		list, sign, name, field = o["data"], -1, "data", "created_at"
	}
	all, _ := list.([]any)
	at := func(e any) int {
		n, _ := (Path{steps: []step{{kind: byKey, key: field, index: -1}}}).one(e)
		i, _ := count(n)
		return sign * i
	}
	by := func(a, b any) int { return cmp.Compare(at(a), at(b)) }
	if slices.IsSortedFunc(all, by) {
		return v
	}
	o = maps.Clone(o)
	o[name] = slices.SortedStableFunc(slices.Values(all), by)
	return o
}

// callback matches JSON in a call of JavaScript (JSONP).
var callback = lazyregexp.New(`^\s*(?:/\*\*/)?\s*[\w$.]+\((\{(?s:.*)\})\s*\)\s*;?\s*$`)

// unpadded returns the reply that is the argument of a call.
func unpadded(raw []byte, m Mapping) (any, bool) {
	found := callback().FindSubmatch(raw)
	if found == nil {
		return nil, false
	}
	v, err := decodeJSON(found[1])
	if err != nil {
		return nil, false
	}
	_, _, known := Detect(v)
	return v, known || !m.Empty()
}

// another reports in which field an object is another reply than the first of a stream: the
// pieces of one answer have the same question and begin with the same passage.
func another(first, o map[string]any) (name string, ok bool) {
	if first["answer"] == nil || o["answer"] == nil {
		return "", false
	}
	for _, name := range []string{"question", "query", "contexts", "documents", "source_documents"} {
		a, b := first[name], o[name]
		if list, ok := a.([]any); ok && len(list) > 0 {
			a = list[0]
		}
		if list, ok := b.([]any); ok && len(list) > 0 {
			b = list[0]
		}
		if a != nil && b != nil && reflect.TypeOf(a) == reflect.TypeOf(b) && !isList(a) && !reflect.DeepEqual(a, b) {
			return name, true
		}
	}
	return "", false
}
