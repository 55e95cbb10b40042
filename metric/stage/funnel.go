package stage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/rag/index"
)

// A funnel follows the facts of one case through the stages of one response.
type funnel struct {
	a     *Attributor
	c     *assay.Case
	r     *assay.Response
	view  view
	facts []fact
	read  reader

	// seek is what is sought of each document, seen are its passages, forms holds the match forms of texts.
	seek  []seek
	seen  [][]assay.Passage
	forms map[string]string
	// prompt, kept and found are what the prompt, the output of the filter and that of
	// the retriever carry of each fact; match says how.
	prompt, kept, found []load
	match               []string
	// lost is where each fact was lost, left what was left of it there; self is set if
	// the answer has it nevertheless.
	lost, left []string
	self       []bool
	// unknown says why it is not known where each fact was lost, "" if it is; absent are
	// the facts that were not retrieved.
	unknown []string
	absent  []int
	// chunks is above 0 if passages are chunks of documents, below if not, 0 if unread.
	chunks int
	// from are the passages that show what an answer with each fact says.
	from [][]assay.Passage
	// rival says which stage it is if a passage has a weaker label by chance, and which if it is enough.
	rival  string
	merged map[string]string
	delta  *float64
}

// funnel starts to follow the facts of a response, without an assessment.
func (a *Attributor) funnel(c *assay.Case, r *assay.Response, facts []fact) *funnel {
	f := &funnel{
		a: a, c: a.worded(c), r: r, view: newView(r, c.Question, a.library.index != nil), facts: facts,
		read: reader{c: c, answer: r.Answer, facts: facts}, merged: map[string]string{},
	}
	if len(c.Want.Documents) > 1 {
		retrieved, _ := f.view.retrieved()
		f.c = narrowed(f.c, slices.Concat(retrieved, f.view.kept))
	}
	return f
}

// choose follows the facts of the strongest label that shows where each of them was lost:
// ids of chunks, then points, passages, documents, keywords, reference answers. If none
// does, or a weaker one may be in a passage by chance, it is the first that there is. by is the assessment, nil if there is none; wrong is set if
// the answer is known to be wrong.
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
			if open[0].rival = stronger.chance(&f); open[0].rival != "" {
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
// the labelled documents or passages, of which none was retrieved. It says "" where they have not, or lack it too.
func (f *funnel) chance(short *funnel) string {
	open := func(i int) bool {
		return !f.facts[i].short() && f.unknown[i] == assay.UnknownWords && len(f.found[i].whole) == 0
	}
	for i := range short.facts {
		with, lost := short.found[i].whole, cmp.Or(short.lost[i], assay.StageGenerate)
		if !short.facts[i].short() || len(with) == 0 || lost == assay.StageRetrieve {
			continue
		}
		for j := range f.facts {
			if open(j) && !slices.ContainsFunc(with, func(p assay.Passage) bool { return f.akin(&f.facts[j], p) }) {
				return fmt.Sprintf("%s if only %q is enough for the answer; %s if %s is, which has %q too", assay.StageRetrieve, f.facts[j].name(),
					lost, cmp.Or(names(with), "the passage"), short.facts[i].name())
			}
		}
	}
	return ""
}

// akin reports whether a passage may be the labelled one or of the labelled document: one name has all words of the
// other, or it has all names of the question, or words of the text that neither the question nor the other labels have.
func (f *funnel) akin(fa *fact, p assay.Passage) bool {
	if fa.kind == document {
		return slices.ContainsFunc([]string{p.ID, p.Document, p.Source}, func(name string) bool {
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

// follow finds where each fact was lost.
func (f *funnel) follow(ctx context.Context) error {
	if len(f.absent) > 0 {
		f.absent = f.search(f.absent)
	}
	return f.upstream(ctx, f.absent)
}

// place follows the facts from the retriever to the answer.
func (f *funnel) place() {
	v := &f.view
	f.unknown, f.absent = make([]string, len(f.facts)), nil
	f.lost, f.left, f.self = make([]string, len(f.facts)), make([]string, len(f.facts)), make([]bool, len(f.facts))
	f.match = make([]string, len(f.facts))
	f.seek = f.seeks()
	f.prompt = f.carriers(v.prompt)
	if v.frame != "" {
		f.unframe()
	}
	f.kept = f.prompt
	if v.traced {
		f.kept = f.carriers(v.kept)
	}
	f.found = f.kept
	known := true
	if slices.ContainsFunc(f.found, func(l load) bool { return len(l.whole) == 0 }) {
		var passages []assay.Passage
		if passages, known = v.retrieved(); known {
			f.found = f.carriers(passages)
		}
	}
	f.renamed()
	if !v.exact && !f.r.NoAnswer {
		f.merged[assay.LostPack] = assay.StageGenerate
	}
	switch {
	case !known && !v.filtered:
		// Nothing is known before the prompt, and whether there is a filter.
		f.merged[assay.StageFilter], f.merged[assay.LostPack] = assay.StageRetrieve, assay.StageRetrieve
	case !known:
		// The input of the filter is unknown.
		for _, s := range []string{assay.LostNotInIndex, assay.StageTranscribe, assay.StageDecompose, assay.StageRetrieve} {
			f.merged[s] = assay.StageFilter
		}
	}
	has, by := f.answered(f.read)
	for i := range f.facts {
		inPrompt := len(f.prompt[i].whole) > 0
		inKept, inFound := len(f.kept[i].whole) > 0, len(f.found[i].whole) > 0
		switch {
		case inFound && v.unread && !v.traced && f.unchanged():
			f.unknown[i] = assay.UnknownOutput
		case inFound && !(inPrompt && v.exact) && v.recounts():
			f.unknown[i] = assay.UnknownNames
		case inPrompt:
		case f.prompt[i].unknown != "":
			f.unknown[i] = f.prompt[i].unknown
		case !inKept && f.kept[i].unknown != "":
			f.unknown[i] = f.kept[i].unknown
		case !inKept && !inFound:
			if f.unknown[i] = f.found[i].unknown; v.unreads(assay.StageRetrieve) && known {
				f.unknown[i] = assay.UnknownOutput
			}
			if f.unknown[i] == "" && f.clipped(&f.facts[i]) {
				f.unknown[i] = assay.UnknownTexts
			}
			if f.unknown[i] == "" && (f.reworded(&f.facts[i], f.found[i].part) || f.facts[i].kind == document && f.elsewhere()) {
				f.unknown[i] = assay.UnknownWords
			}
			if f.unknown[i] == "" && f.facts[i].kind != document {
				f.unknown[i] = f.veiled(&f.facts[i])
			}
		}
		if f.unknown[i] == "" && inPrompt && !has[i] && f.read.unsure(&f.facts[i], f.from[i]) {
			f.unknown[i] = assay.UnknownAnswer
		}
		if f.unknown[i] != "" {
			continue
		}
		if has[i] && len(f.prompt[i].part) > 0 && (f.prompt[i].match == byID || f.prompt[i].match == byDocument) {
			// What was cut from a passage was not the answer.
			inPrompt = true
		}
		here := f.found[i]
		switch {
		case inPrompt && (f.r.NoAnswer || has[i]):
			if by[i] == byJudge {
				f.match[i] = byJudge
			}
		case inPrompt:
			f.lost[i], here = f.lostInAnswer(i), load{}
		case inKept || inFound && !v.filtered:
			f.lost[i], here = assay.LostPack, f.prompt[i]
		case inFound || !known && v.filtered:
			f.lost[i], here = assay.StageFilter, f.kept[i]
		default:
			f.lost[i] = assay.StageRetrieve
			f.absent = append(f.absent, i)
		}
		if f.left[i] = assay.FactAbsent; len(here.part) > 0 {
			f.left[i] = assay.FactPartly
		}
		f.self[i] = !inPrompt && !f.r.NoAnswer && has[i] && f.read.fromMemory(&f.facts[i], f.c.Want, f.from[i], v.prompt)
	}
	if slices.Contains(f.lost, assay.LostPack) {
		delete(f.merged, assay.LostPack)
		if v.unread {
			f.merged[assay.StageFilter] = assay.LostPack
		}
	}
}

// unchanged reports whether what the answer was made from is what was retrieved, as far as the response shows.
func (f *funnel) unchanged() bool {
	retrieved, _ := f.view.retrieved()
	return len(f.view.kept) == 0 || len(f.view.kept) == len(retrieved)
}

// renamed leaves open what a stage has of labelled ids if it names a passage otherwise than the stages before it, and
// shows no text of these in it: it may be any of them.
func (f *funnel) renamed() {
	v := &f.view
	retrieved, _ := v.retrieved()
	for i := range f.facts {
		fa := &f.facts[i]
		for _, at := range []struct {
			load         *load
			list, before []assay.Passage
		}{{&f.prompt[i], v.prompt, slices.Concat(v.kept, retrieved)}, {&f.kept[i], v.kept, retrieved}} {
			if len(at.load.whole) > 0 || at.load.unknown != "" || at.before == nil || fa.kind != document && fa.source.ID == "" {
				continue
			}
			if slices.ContainsFunc(at.list, func(p assay.Passage) bool { return f.strange(fa, p, at.before) }) {
				at.load.unknown = assay.UnknownNames
			}
		}
	}
}

// strange reports whether a passage may be any of some others: it is none of them by its name or its text, and is not
// of another document than that with a fact's id.
func (f *funnel) strange(fa *fact, p assay.Passage, before []assay.Passage) bool {
	document := cmp.Or(p.Document, p.Source, p.ID)
	of := func(q assay.Passage) bool { return document != "" && (document == q.Document || document == q.Source) }
	known := func(q assay.Passage) bool {
		return q.Same(p) || q.Text != "" && strings.Contains(f.form(p.Text), f.form(q.Text))
	}
	return !slices.ContainsFunc(before, known) && (!slices.ContainsFunc(before, of) ||
		slices.ContainsFunc(before, func(q assay.Passage) bool { return q.ID == fa.id && of(q) }))
}

// unframe leaves open what the prompt has of facts outside the passages that were retrieved, in an
// earlier turn, an example, an option, or a text that the trace does not show.
func (f *funnel) unframe() {
	entire, context := f.carry(f.view.entire), assay.Passage{Text: f.view.built}
	if asked := f.form(f.c.Question); asked != "" {
		context.Text = strings.ReplaceAll(context.Text, asked, "\n")
	}
	for i := range f.facts {
		l := &f.prompt[i]
		fa := &f.facts[i]
		if f.view.traced && len(l.whole) > 0 && len(entire[i].whole) == 0 {
			*l = load{part: l.whole, unknown: assay.UnknownWords}
		}
		has := fa.kind == document && len(l.part) > 0 && f.seek != nil && f.seek[i].some(f.view.frame) ||
			fa.kind != document && len(f.in(fa, []assay.Passage{{Text: f.view.frame}}).whole) > 0 ||
			fa.kind == passage && fa.contained(context.Text) || fa.mentionedIn(f.view.frame) && len(f.in(fa, []assay.Passage{context}).whole) > 0 ||
			fa.short() && !fa.valued && len(fa.form) > 3 && strings.Contains(f.view.frame, fa.form) // in a longer word
		if len(l.whole) == 0 && l.unknown == "" && has {
			l.unknown = assay.UnknownWords
		}
	}
}

// clipped reports whether the retriever named its passages by id alone, and a later stage has
// some of a labelled text in one of them: the retriever may have had all of it.
func (f *funnel) clipped(fa *fact) bool {
	stages := f.r.Stages(assay.StageRetrieve)
	texts := func(s assay.Stage) bool { return bytes.Contains(s.Output, []byte(`"text":`)) }
	if len(stages) == 0 || fa.kind != passage || slices.ContainsFunc(stages, texts) {
		return false
	}
	retrieved, _ := f.view.retrieved()
	return slices.ContainsFunc(retrieved, func(p assay.Passage) bool { return fa.touches(f.form(p.Text)) })
}

// reworded reports whether what retrieved texts say may have a fact in other words, or be what it is computed
// from. They have not if the index has it elsewhere, or if part is what they have of a labelled text. A passage of a
// labelled document that has no word of the question may have other words for the answer too, but for a number, and
// one that is all of it for a number too.
func (f *funnel) reworded(fa *fact, part []assay.Passage) bool {
	retrieved, _ := f.view.retrieved()
	in, _ := f.a.library.lookup(fa)
	return fa.kind != document && len(in) == 0 && (fa.kind != passage || len(part) == 0) && slices.ContainsFunc(retrieved, func(p assay.Passage) bool {
		form := f.form(p.Text)
		return !f.ofAnother(fa, form) && (fa.wordedIn(form) || fa.asked.about(form) || fa.short() && f.labels(p) && (!fa.valued && !fa.asked.touches(form) || sole(p, retrieved)))
	})
}

// sole reports whether a passage is all of its document, as far as what was retrieved shows: no document has two
// passages, and its id does not number it.
func sole(p assay.Passage, retrieved []assay.Passage) bool {
	seen := map[string]bool{}
	for _, q := range retrieved {
		seen[cmp.Or(q.Document, q.Source, q.ID)] = true
	}
	_, numbered := assay.Stem(p.ID, len(p.ID))
	return len(seen) > 2 && len(seen) == len(retrieved) && p.Index == 0 && (!numbered || p.ID == p.Document)
}

// ofAnother reports whether a text is another labelled passage.
func (f *funnel) ofAnother(fa *fact, form string) bool {
	return slices.ContainsFunc(f.facts, func(o fact) bool { return fa.kind == passage && o.at != fa.at && o.contained(form) })
}

// elsewhere reports whether what the other labels say is in a passage of no labelled document, or in the
// prompt beside the passages: by chance, in a copy, or in the document under another name.
func (f *funnel) elsewhere() bool {
	retrieved, _ := f.view.retrieved()
	others := slices.DeleteFunc(slices.Concat(retrieved, f.view.kept, f.view.prompt), f.labels)
	others = append(others, assay.Passage{Text: f.view.frame})
	for _, k := range []kind{passage, keyword, answer} {
		for _, fa := range f.a.factsBy(k, f.c) {
			sure := func(p assay.Passage) bool { return k == passage || fa.asked.about(f.form(p.Text)) }
			if slices.ContainsFunc(f.in(&fa, others).whole, sure) {
				return true // other texts have a keyword or a short answer by chance
			}
		}
	}
	return false
}

// veiled says why a retrieved text may have a fact and not show it: it is cut where it is
// reported, is JSON that is about the question, or is in another language or script than the
// question or the label; "" if none is.
func (f *funnel) veiled(fa *fact) string {
	retrieved, _ := f.view.retrieved()
	asked, label := text.Tongue(f.c.Question), text.Tongue(fa.text)
	for _, p := range retrieved {
		s := strings.TrimSpace(p.Text)
		in := text.Tongue(s)
		switch {
		case cutOff().MatchString(s), slices.ContainsFunc(retrieved, func(q assay.Passage) bool { return cutAlike(p, q) }):
			return assay.UnknownCut
		case strings.HasPrefix(s, "{") && json.Valid([]byte(s)) && fa.asked.in(f.form(s)):
			return assay.UnknownWords
		case s != "" && scriptOf(s) != scriptOf(f.c.Question+fa.text), in != "" && (asked != "" && in != asked || label != "" && in != label):
			return assay.UnknownLanguage
		}
	}
	return ""
}

// cutOff matches the end of a text that says that there is more: "…", "[truncated]", "(+137 chars)".
var cutOff = lazyregexp.New(`(?i)(?:…|\.\.\.)[\])]?$|[\[(<][^\[(<]{0,12}(?:truncated|omitted|gekürzt|tronqué|\d (?:more )?(?:char|word|token)|省略|截斷|截断)[^\[(<]{0,12}[\])>]$`)

// cutAlike reports whether two passages are cut to one length: both end in a word.
func cutAlike(p, q assay.Passage) bool {
	inWord := func(s string) bool {
		last, _ := utf8.DecodeLastRuneInString(s)
		return unicode.IsLetter(last) || unicode.IsDigit(last)
	}
	n := utf8.RuneCountInString(p.Text)
	return !p.Same(q) && n >= 2*text.MatchLength && n == utf8.RuneCountInString(q.Text) && inWord(p.Text) && inWord(q.Text)
}

func scriptOf(s string) string {
	if text.ShareCJK(s) > 0.5 {
		return "cjk"
	}
	return text.Script(s)
}

// carriers returns what passages carry of each fact, and completes match.
func (f *funnel) carriers(passages []assay.Passage) []load {
	out := f.carry(passages)
	for i := range out {
		if len(out[i].whole) > 0 {
			f.match[i] = cmp.Or(f.match[i], out[i].match)
		}
	}
	return out
}

// answered returns which facts an answer has, and how they matched.
func (f *funnel) answered(by reader) ([]bool, []string) {
	if f.from == nil {
		f.from = make([][]assay.Passage, len(f.facts))
		for i := range f.from {
			f.from[i] = slices.Concat(f.prompt[i].whole, f.prompt[i].part)
			if !by.needsOwn() || len(f.prompt[i].whole) > 0 {
				continue
			}
			if f.from[i] = f.found[i].whole; len(f.from[i]) == 0 {
				f.from[i], _ = f.a.library.lookup(&f.facts[i])
			}
		}
	}
	return by.has(f.from, f.r.Passages)
}

// needsOwn reports whether the text of a passage is needed to know what an answer that
// uses it says.
func (r reader) needsOwn() bool {
	return len(r.facts) > 1 && len(r.c.Want.Keywords) > 0 && (r.facts[0].kind == document || r.facts[0].kind == passage)
}

// lostInAnswer returns where a fact was lost that was in the prompt and is not in the
// answer.
func (f *funnel) lostInAnswer(i int) string {
	written, ok := f.view.generated()
	if !ok || text.MatchForm(written) == text.MatchForm(f.r.Answer) {
		return assay.StageGenerate
	}
	// The assessment is of the shown answer.
	by := f.read
	by.answer, by.by = written, nil
	if has, _ := f.answered(by); has[i] {
		return assay.LostPresent
	}
	return assay.StageGenerate
}

// search returns which of the facts that were not retrieved are in the index.
func (f *funnel) search(absent []int) (findable []int) {
	for _, i := range absent {
		switch passages, ok := f.a.library.lookup(&f.facts[i]); {
		case !ok:
			f.merged[assay.LostNotInIndex] = assay.StageRetrieve
			findable = append(findable, i)
		case len(passages) == 0:
			f.lost[i] = assay.LostNotInIndex
		default:
			findable = append(findable, i)
		}
	}
	return findable
}

// upstream tests whether the right transcript, and then the right sub-questions, would
// have saved the lost facts: whether those that were not retrieved would have been, and
// whether the answer would have the others. A wrong transcript may find the right
// passages by chance, and the filter and the generator then look for something else.
func (f *funnel) upstream(ctx context.Context, absent []int) error {
	open := slices.Clone(absent)
	for i, l := range f.lost {
		if l == assay.StageFilter || l == assay.LostPack || l == assay.StageGenerate {
			open = append(open, i)
		}
	}
	slices.Sort(open)
	var given assay.Given
	open, err := f.transcribed(ctx, &given, open)
	if err != nil {
		return err
	}
	return f.decomposed(ctx, given, open)
}

// canAsk reports whether the target may be asked with another output of a stage.
func (f *funnel) canAsk(stage string) bool {
	return f.a.o.Again && f.a.o.Staged != nil && f.a.o.Staged.HasStage(stage)
}

// transcribed asks with the right transcript, and returns the facts that are still
// lost.
func (f *funnel) transcribed(ctx context.Context, given *assay.Given, open []int) ([]int, error) {
	heard, ok := f.r.Transcript()
	if !ok {
		return open, nil
	}
	into := assay.StageRetrieve
	if f.view.decomposed {
		into = assay.StageDecompose
	}
	gold := f.c.Want.Transcript
	switch {
	case gold == nil:
		f.merge(assay.StageTranscribe, into)
		return open, nil
	case sameWords(*gold, heard):
		none := 0.0
		f.delta = &none
		return open, nil
	case !f.canAsk(assay.StageTranscribe):
		rest, some := f.unheard(open)
		if !some {
			f.merge(assay.StageTranscribe, into)
		}
		return rest, nil
	}
	given.Transcript = gold
	with, err := f.replay(ctx, *given)
	if with == nil {
		f.merge(assay.StageTranscribe, into)
		return open, err
	}
	d := float64(covered(with.found)-covered(f.found)) / float64(len(f.facts))
	f.delta = &d
	return f.attribute(open, with, assay.StageTranscribe), nil
}

// decomposed asks with the right sub-questions.
func (f *funnel) decomposed(ctx context.Context, given assay.Given, open []int) error {
	made, ok := f.r.SubQuestions()
	if !ok {
		return nil
	}
	gold := f.c.Want.SubQuestions
	switch {
	case len(gold) == 0 || !f.canAsk(assay.StageDecompose):
		f.merge(assay.StageDecompose, assay.StageRetrieve)
		return nil
	case len(open) == 0 || sameTexts(gold, made):
		return nil
	}
	if heard, ok := f.r.Transcript(); ok && given.Transcript == nil {
		// The target need not transcribe again.
		given.Transcript = &heard
	}
	given.SubQuestions = gold
	with, err := f.replay(ctx, given)
	if with == nil {
		f.merge(assay.StageDecompose, assay.StageRetrieve)
		return err
	}
	f.attribute(open, with, assay.StageDecompose)
	return nil
}

// merge records that a stage cannot be separated from a later one.
func (f *funnel) merge(stage, into string) {
	if f.merged[stage] == "" {
		f.merged[stage] = into
	}
}

// attribute attributes to a stage the facts that its right output saves, and returns the
// others.
func (f *funnel) attribute(open []int, with *funnel, stage string) (rest []int) {
	for _, i := range open {
		was, is := len(f.found[i].whole) > 0, len(with.found[i].whole) > 0
		if !was && is || was && !f.r.NoAnswer && with.lost[i] == "" {
			f.lost[i] = stage
		} else {
			rest = append(rest, i)
		}
	}
	return rest
}

// replay asks the target with replaced outputs of stages and follows the facts through
// its response; nil if the response does not report what was retrieved. The error is
// that of ctx.
func (f *funnel) replay(ctx context.Context, g assay.Given) (*funnel, error) {
	r, err := f.a.ask(ctx, f.c, g)
	if err != nil {
		return nil, ctx.Err()
	}
	with := f.a.funnel(f.c, &r, f.facts)
	if _, ok := with.view.retrieved(); !ok {
		return nil, nil
	}
	with.place()
	return with, nil
}

// covered counts the facts that some passage carries.
func covered(of []load) int {
	n := 0
	for _, l := range of {
		if len(l.whole) > 0 {
			n++
		}
	}
	return n
}

// attribution is the result as a record keeps it.
func (f *funnel) attribution() *assay.Attribution {
	out := &assay.Attribution{RetrievalDelta: f.delta}
	for i := range f.facts {
		fa := &f.facts[i]
		if f.unknown[i] != "" {
			out.Unknown = cmp.Or(out.Unknown, f.unknown[i])
			continue
		}
		if f.byDocument(i) {
			out.Unknown = cmp.Or(out.Unknown, assay.UnknownChunk)
			if f.lost[i] != "" {
				continue // the chunk that is needed may have been lost at an earlier stage
			}
		}
		left := f.left[i]
		if f.lost[i] == "" {
			left = assay.FactWhole
		}
		out.Facts = append(out.Facts, assay.Fact{
			ID: fa.id, Text: fa.excerpt(), Lost: f.lost[i], Left: left,
			SelfKnowledge: f.self[i], Match: f.match[i],
		})
	}
	if len(f.merged) > 0 && len(out.Facts) > 0 {
		out.Merged = f.merged
	}
	return out
}

// sameWords reports whether two texts are equal except for case, white space and
// punctuation.
func sameWords(a, b string) bool {
	return slices.Equal(words(text.MatchForm(a)), words(text.MatchForm(b)))
}

// sameTexts reports whether two lists hold the same texts in any order.
func sameTexts(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return sameWords(x, y) }) {
			return false
		}
	}
	return true
}
