package stage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/rag/index"
)

// choose follows the facts of the strongest label that shows where each of them was lost:
// ids of chunks, then points, passages, documents, keywords, reference answers. If none
// does, or a weaker one may be in a passage by chance, it is the first label. by is the
// assessment, nil if there is none; wrong is set if the answer is known to be wrong.
func (a *Attributor) choose(c *assay.Case, r *assay.Response, by *judge.Assessment, wrong bool) *funnel {
	var open []*funnel
	base := a.funnel(c, r, nil)
	for n, k := range []kind{document, point, passage, document, keyword, answer} {
		facts := a.factsBy(k, base.c)
		if len(facts) == 0 {
			continue
		}
		f := *base
		f.facts, f.read.facts, f.read.by, f.read.wrong, f.merged = facts, facts, by, wrong, map[string]string{}
		if n == 0 && !f.ofChunks() {
			continue
		}
		if open = append(open, &f); !f.view.known {
			break
		}
		if f.place(); f.unsure() {
			continue
		}
		for _, stronger := range open {
			if open[0].rival = stronger.chance(&f); open[0].rival != "" || stronger.foreign(&f) {
				return open[0]
			}
		}
		return &f
	}
	if open == nil {
		return nil
	}
	return open[0]
}

// chance says which stage it is if passages have a reference answer or a keyword by chance: those that are like none of
// the labelled documents or passages, which an earlier stage lost. It says "" where they have not, or lack it too.
func (f *funnel) chance(short *funnel) string {
	for j := range f.facts {
		if f.facts[j].short() || f.unknown[j] != assay.UnknownWords || len(f.prompt[j].whole) > 0 {
			continue
		}
		lost, after := assay.StageRetrieve, func(s *funnel) []load { return s.found }
		switch {
		case len(f.kept[j].whole) > 0 || len(f.found[j].whole) > 0 && !f.view.filtered:
			lost, after = assay.LostPack, func(s *funnel) []load { return s.prompt }
		case len(f.found[j].whole) > 0:
			lost, after = assay.StageFilter, func(s *funnel) []load { return s.kept }
		}
		for i := range short.facts {
			with, at := after(short)[i].whole, cmp.Or(short.lost[i], assay.StageGenerate)
			if short.facts[i].short() && len(with) > 0 && at != lost &&
				!slices.ContainsFunc(with, func(p assay.Passage) bool { return f.akin(&f.facts[j], p) }) {
				return fmt.Sprintf("%s if only %q is enough for the answer; %s if %s is, which has %q too", lost, f.facts[j].name(),
					at, cmp.Or(names(with), "the passage"), short.facts[i].name())
			}
		}
	}
	return ""
}

// foreign reports whether only passages that name other documents than the labelled ones have a short label.
func (f *funnel) foreign(short *funnel) bool {
	if f.facts[0].kind != document {
		return false
	}
	for i := range short.facts {
		with := slices.Concat(short.found[i].whole, short.kept[i].whole, short.prompt[i].whole)
		if short.facts[i].short() && len(with) > 0 && !slices.ContainsFunc(with, func(p assay.Passage) bool {
			return nameless(p) || f.labels(p) || slices.ContainsFunc(f.facts, func(fa fact) bool { return f.akin(&fa, p) })
		}) {
			return true
		}
	}
	return false
}

// akin reports whether a passage may be the labelled one or of the labelled document: one name has all words of the
// other, but for that of a document of which both are chunks, or it has all names of the question, or words of the text
// that neither the question nor the other labels have.
func (f *funnel) akin(fa *fact, p assay.Passage) bool {
	if fa.kind == document {
		chunk := func(id, of string) bool { // "returns.md#2" of "returns.md"
			_, number, ok := strings.Cut(id, of)
			return ok && of != "" && strings.ContainsFunc(number, func(r rune) bool { return !between(r) })
		}
		return slices.ContainsFunc([]string{p.ID, p.Document, p.Source}, func(name string) bool {
			if chunk(fa.id, name) && chunk(p.ID, name) {
				return false
			}
			a, b := strings.FieldsFunc(formOf(name), between), strings.FieldsFunc(formOf(fa.id), between)
			lacks := func(of []string) func(string) bool { return func(w string) bool { return !slices.Contains(of, w) } }
			return len(a) > 0 && (!slices.ContainsFunc(a, lacks(b)) || !slices.ContainsFunc(b, lacks(a)))
		})
	}
	known := termSet(f.c.Question + "\n" + strings.Join(slices.Concat(f.c.Want.Answers, f.c.Want.Keywords), "\n"))
	own := slices.DeleteFunc(index.Terms(fa.form), func(t string) bool { return known[t] })
	return len(fa.asked.names) > 0 && fa.asked.named(f.form(p.Text)) || len(own) > 0 && share(own, termSet(f.form(p.Text))) >= leastAlike
}

// ofChunks reports whether the labels name chunks, not documents.
func (f *funnel) ofChunks() bool {
	retrieved, _ := f.view.retrieved()
	passages := slices.Concat(retrieved, f.view.kept)
	return slices.ContainsFunc(f.facts, func(fa fact) bool {
		return slices.ContainsFunc(passages, func(p assay.Passage) bool { return p.ID == fa.id && p.Document != fa.id })
	})
}

// unsure reports whether it is not known where some fact was lost.
func (f *funnel) unsure() bool {
	for i := range f.facts {
		if f.unknown[i] != "" || f.byDocument(i) {
			return true
		}
	}
	return false
}

// byDocument reports whether only a document's id says that a fact got further than the
// retriever.
func (f *funnel) byDocument(i int) bool {
	return f.match[i] == byDocument && f.lost[i] != assay.StageRetrieve
}
