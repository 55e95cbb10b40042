package stage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

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

// strange reports whether a passage may be any of some others: it is none of them by its name or its text, or names only
// its document, and is not of another document than that with a fact's id.
func (f *funnel) strange(fa *fact, p assay.Passage, before []assay.Passage) bool {
	document := cmp.Or(p.Document, p.Source, p.ID)
	of := func(q assay.Passage) bool { return document != "" && (document == q.Document || document == q.Source) }
	known := func(q assay.Passage) bool {
		return p.ID+p.Text != "" && q.Same(p) || q.Text != "" && strings.Contains(f.form(p.Text), f.form(q.Text))
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
		has := f.rewritten(i) ||
			fa.kind != document && len(f.in(fa, []assay.Passage{{Text: f.view.frame}}).whole) > 0 ||
			fa.kind == passage && fa.contained(context.Text) || fa.mentionedIn(f.view.frame) && len(f.in(fa, []assay.Passage{context}).whole) > 0 ||
			fa.short() && !fa.valued && len(fa.form) > 3 && strings.Contains(f.view.frame, fa.form) // in a longer word
		if len(l.whole) == 0 && l.unknown == "" && has {
			l.unknown = assay.UnknownWords
		}
	}
}

// rewritten reports whether the prompt may have what came to it of a fact in a summary, or in a table in another form: outside
// the passages it has the answer, or the values of a text without one.
func (f *funnel) rewritten(i int) bool {
	fa, before, frame := &f.facts[i], f.view.kept, f.view.frame
	if before == nil {
		before, _ = f.view.retrieved()
	}
	came := f.carry(before)[i].whole
	if len(came) == 0 || fa.short() {
		return len(came) > 0 && fa.mentionedIn(frame)
	}
	if s := seekIn(f.formsOf(came), f.c.Want); !s.none() {
		return s.some(frame)
	}
	return slices.ContainsFunc(came, func(p assay.Passage) bool {
		q := newFact(passage, 0, p.Text).of(f.c.Question)
		return q.valued && q.asked.touches(frame) && q.restates(frame)
	})
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

// besides reports whether passages of no labelled document have what a labelled one has of the answer, and the prompt has
// them: they may answer the question if they have as many of its words as the passages that were lost.
func (f *funnel) besides(i int) bool {
	asked := newAsked(f.c.Question)
	words := func(p assay.Passage) float64 { return share(asked.terms, termSet(f.form(p.Text))) }
	least := 0.0
	for _, p := range f.found[i].whole {
		least = max(least, words(p))
	}
	others := slices.DeleteFunc(slices.Clone(f.view.prompt), func(p assay.Passage) bool {
		return f.labels(p) || !asked.about(f.form(p.Text)) || words(p) < least
	})
	return f.seek != nil && !f.seek[i].none() && f.seek[i].all(f.formsOf(others))
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

// logCut reports whether some texts, of which one may be a prompt, are cut where they are reported: what was retrieved does
// not end so. A prompt that is cut without a mark may be the system's.
func (v *view) logCut(texts []string) bool {
	retrieved, _ := v.retrieved()
	all, asked := formOf(strings.Join(texts, "\n")), formOf(v.question)
	found := func(is func(p assay.Passage) bool) bool { return slices.ContainsFunc(retrieved, is) }
	return !found(func(p assay.Passage) bool { return marked(p.Text) }) && slices.ContainsFunc(texts, func(s string) bool {
		some := found(func(p assay.Passage) bool { return text.Coverage(p.Text, []string{s}, text.MatchLengthFor(p.Text)) > 0 })
		return counted(s) || marked(s) && !strings.Contains(formOf(s), asked) && (some || !strings.Contains(all, asked))
	})
}

func marked(s string) bool { return cutOff().MatchString(strings.TrimSpace(s)) }

// counted reports whether the mark is in brackets, as no system ends a passage.
func counted(s string) bool {
	s = strings.TrimSpace(s)
	return marked(s) && strings.ContainsAny(s[len(s)-1:], "])>")
}

// prompts returns the texts that the trace reports of the input of the generator. A passage of a list may be clipped by the
// system, with "…", so only those that a log cut for sure count.
func (v *view) prompts() (texts []string) {
	for _, s := range v.r.Stages(assay.StageGenerate) {
		var list []assay.Passage
		if json.Unmarshal(s.Input, &list) == nil && slices.ContainsFunc(list, func(p assay.Passage) bool { return p.Text != "" }) {
			texts = append(texts, slices.DeleteFunc(textsOf(list), func(s string) bool { return !counted(s) })...)
			continue
		}
		var input any
		_ = json.Unmarshal(s.Input, &input)
		texts = append(append(texts, s.Prompt), text.Within(input)...)
	}
	return texts
}

func textsOf(passages []assay.Passage) (texts []string) {
	for _, p := range passages {
		texts = append(texts, p.Text)
	}
	return texts
}

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
