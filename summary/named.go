package summary

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric/retrieval"
)

// fewNamed is the number of cases below which documents that no label names may just
// be the wrong ones.
const fewNamed = 5

// Unnamed returns why the names of documents mean nothing in a run, where no passage of the
// whole run names a document that any case labels; "" if they mean something. Recall would
// then be 0 whatever was retrieved. records, which may be read several times, are all those
// of the run; an error among them is returned.
//
// Passages that have only ids must name one labelled document at least. Other names are
// compared from five cases on, or if one of them would be an expected document but for its
// form, and not if corpus is set: the target then answers from documents of the dataset.
func Unnamed(records iter.Seq2[assay.Record, error], corpus bool) (why string, err error) {
	why = unnamed(func(yield func(*assay.Record) bool) {
		for r, failed := range records {
			if err = failed; err != nil || !yield(&r) {
				return
			}
		}
	}, corpus)
	return why, err
}

// Unname returns a record in which the scores that depend on the names of documents are
// not applicable, and which counts no documents as evidence, because of [Unnamed]. What is lost is not said of facts that are
// documents. The given record is not changed.
func Unname(metrics []assay.MetricInfo, r assay.Record, why string) assay.Record {
	named := labelled(&r)
	if nothing := r.Response == nil || blank(r.Response); !named && (r.Case.Want.Documents == nil || !nothing) {
		return r
	}
	byName := byDocument(r.Attribution)
	if e := r.Retrieved; e != nil && named {
		// All its documents are missed; the others are passages, which have texts.
		if r.Retrieved = nil; e.Of > e.Missed {
			r.Retrieved = &assay.Retrieved{K: e.K, Found: e.Found, Of: e.Of - e.Missed}
		}
	}
	scores, weighted := maps.Clone(r.Scores), false
	for _, m := range metrics {
		s, ok := scores[m.Name]
		switch {
		case !ok || s.State != assay.Scored && s.State != assay.TargetError:
			continue
		case m.Documents == assay.ByDocuments,
			m.Documents == assay.ByPassages && r.Case.Want.Passages == nil,
			m.Documents == assay.ByFacts && byName:
			scores[m.Name] = assay.None(why)
			weighted = weighted || m.Weight > 0
		}
	}
	if _, ok := scores[assay.CompositeName]; ok && weighted {
		scores[assay.CompositeName] = assay.None("a part of it is not applicable: " + why)
	}
	r.Scores = scores
	if byName {
		r.Attribution = withoutFacts(r.Attribution)
	}
	return r
}

// labelled reports whether a record has names to compare.
func labelled(r *assay.Record) bool {
	return r.Case.Want.Documents != nil && r.Response != nil && len(r.Response.Passages) > 0
}

// Names reports whether a passage of a record, at any of its stages, names a document that its case labels.
func Names(r *assay.Record) bool {
	if r.Case.Want.Documents == nil || r.Response == nil {
		return false
	}
	for p := range passagesOf(r.Response) {
		if _, ok := assay.Label(r.Case.Want.Documents, p.ID, p.Document, p.Source); ok {
			return true
		}
	}
	return false
}

// Alike returns a remark if a document that a case expects is not found, and a passage of
// another document would be it but for the form of its name.
func Alike(r *assay.Record) []string {
	if name, label := alike(r); name != "" {
		return []string{fmt.Sprintf("the passage %q does not count as the expected document %q. Write it in the same way in both: case, Unicode form, folder, address, file extension, zeros; or use --set document-map.", name, label)}
	}
	return nil
}

// alike returns the name of a passage and the label that it would have but for its form.
func alike(r *assay.Record) (name, label string) {
	if labelled(r) {
		for label, name := range retrieval.Alike(r.Case.Want.Documents, r.Response.Passages) {
			return name, label
		}
	}
	return "", ""
}

// passagesOf yields the passages of a response, then those of its stages: a filter may drop
// all that are labelled.
func passagesOf(r *assay.Response) iter.Seq[assay.Passage] {
	return func(yield func(assay.Passage) bool) {
		lists := 0
		if r.Trace != nil {
			lists = len(r.Trace.Stages)
		}
		for i := -1; i < lists; i++ {
			list := r.Passages
			if i >= 0 {
				list = r.PassagesAt(i, false)
			}
			for _, p := range list {
				if !yield(p) {
					return
				}
			}
		}
	}
}

func unnamed(records iter.Seq[*assay.Record], corpus bool) string {
	cases, ids, named := 0, false, false
	all := map[string]int{}
	for r := range records {
		for label, grade := range r.Case.Want.Documents {
			all[label] = grade
		}
		if Names(r) {
			return ""
		}
		if !labelled(r) {
			continue
		}
		cases++
		for _, p := range r.Response.Passages {
			ids, named = ids || p.ID != "", named || p.Document != "" || p.Source != ""
		}
	}
	if !ids && !named || named && corpus {
		return ""
	}
	example, title, name, label := "", "", "", ""
	for r := range records {
		if name == "" {
			name, label = alike(r)
		}
	}
	if named && cases < fewNamed && name == "" {
		return ""
	}
	for r := range records {
		if labelled(r) {
			for p := range passagesOf(r.Response) {
				name = cmp.Or(name, p.Document, p.Source, p.ID)
				if _, ok := assay.Label(all, p.ID, p.Document, p.Source); ok {
					return ""
				}
				example, title = cmp.Or(example, begins(all, p.ID, p.Document, p.Source)), cmp.Or(title, begins(all, p.Title))
			}
		}
	}
	why := "no passage of the run names a document that any case expects: "
	if example != "" {
		return why + fmt.Sprintf("names such as %q begin with labels, and --set document-map=FILE maps them to those", example)
	}
	if title != "" {
		return why + fmt.Sprintf("titles such as %q begin with labels, and names do not: --set document-map=FILE maps titles to labels", title)
	}
	if name != "" && len(all) > 0 {
		label = cmp.Or(label, slices.Min(slices.Collect(maps.Keys(all))))
		why += fmt.Sprintf("passages have names such as %q, and labels are such as %q; ", text.Shorten(name, 60), text.Shorten(label, 60))
	}
	return why + "use the dataset's ids in read.document, or --set document-map=FILE, which maps the target's names to them"
}

// begins returns the first name that begins with a label and goes on with another word.
func begins(labels map[string]int, names ...string) string {
	for _, name := range names {
		for i, r := range name {
			if _, ok := labels[name[:i]]; ok && i > 0 && strings.ContainsRune(" \t_-.:,;|/\\#@()[]–—", r) {
				return name
			}
		}
		if _, ok := labels[name]; ok && name != "" {
			return name
		}
	}
	return ""
}

// byDocument reports whether all facts are documents, which are followed by name.
func byDocument(a *assay.Attribution) bool {
	return a != nil && len(a.Facts) > 0 && !slices.ContainsFunc(a.Facts, func(f assay.Fact) bool { return f.Text != "" })
}

// withoutFacts returns what an attribution says apart from its facts: the verdict of the
// ladder; nil if there is none.
func withoutFacts(a *assay.Attribution) *assay.Attribution {
	if a.Ladder == nil {
		return nil
	}
	out := *a
	out.Facts, out.Merged, out.RetrievalDelta = nil, nil, nil
	return &out
}
