package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// fewNamed is the number of cases below which documents that no label names may just
// be the wrong ones.
const fewNamed = 5

// Named returns the records of a run with the scores that depend on the names of
// documents, or not applicable where these names mean nothing: where no passage of the
// whole run names a document that any case labels. Recall would then be 0 whatever was
// retrieved. What is lost is not said of facts that are documents. Named does not
// change the given records.
//
// Passages that have only ids must name one labelled document at least. Other names are
// compared from five cases on, and not if corpus is set: the target then answers from
// documents of the dataset.
func Named(metrics []assay.MetricInfo, records []assay.Record, corpus bool) []assay.Record {
	if !slices.ContainsFunc(metrics, func(m assay.MetricInfo) bool { return m.Documents != "" }) {
		return records
	}
	why := unnamed(records, corpus)
	if why == "" {
		return records
	}
	out := slices.Clone(records)
	for i := range out {
		if labelled(&out[i]) {
			unname(metrics, &out[i], why)
		}
	}
	return out
}

// labelled reports whether a record has names to compare.
func labelled(r *assay.Record) bool {
	return r.Case.Want.Documents != nil && r.Response != nil && len(r.Response.Passages) > 0
}

// unnamed says why the names of documents mean nothing; "" if they mean something.
func unnamed(records []assay.Record, corpus bool) string {
	cases, ids, named := 0, false, false
	for i := range records {
		r := &records[i]
		if !labelled(r) {
			continue
		}
		cases++
		for _, p := range r.Response.Passages {
			if _, ok := assay.Label(r.Case.Want.Documents, p.ID, p.Document, p.Source); ok {
				return ""
			}
			ids, named = ids || p.ID != "", named || p.Document != "" || p.Source != ""
		}
	}
	if !ids && !named || named && (corpus || cases < fewNamed) {
		return ""
	}
	all := map[string]int{}
	for i := range records {
		for label, grade := range records[i].Case.Want.Documents {
			all[label] = grade
		}
	}
	example := ""
	for i := range records {
		if r := &records[i]; labelled(r) {
			for _, p := range r.Response.Passages {
				if _, ok := assay.Label(all, p.ID, p.Document, p.Source); ok {
					return ""
				}
				if example == "" {
					example = begins(all, p.Title, p.ID, p.Document, p.Source)
				}
			}
		}
	}
	why := "no passage of the run names a document that any case expects: "
	if example != "" {
		return why + fmt.Sprintf("names such as %q begin with labels, and --document-map FILE maps them to those", example)
	}
	return why + "want the dataset's ids in read.document, or --document-map FILE, which maps the target's names to them"
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

// unname takes the scores that depend on names from a record.
func unname(metrics []assay.MetricInfo, r *assay.Record, why string) {
	byName := byDocument(r.Attribution)
	scores := make(map[string]assay.Score, len(r.Scores))
	for name, s := range r.Scores {
		scores[name] = s
	}
	weighted := false
	for _, m := range metrics {
		s, ok := scores[m.Name]
		switch {
		case !ok || s.State != assay.Scored:
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
