package stage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A view is what a response reports about its stages.
type view struct {
	r        *assay.Response
	question string
	// known is set if there are any passages.
	known bool
	// decomposed and filtered say which stages there were; unread is set if a filter does not show what it kept, which
	// then counts with the prompt.
	decomposed, filtered, unread bool
	// kept is the input of the generator, prompt the part in its prompt; traced is set
	// if the trace reports the latter.
	kept, prompt []assay.Passage
	traced       bool
	// exact is set if the texts of the prompt are known, relayed if earlier calls read some of them.
	exact, relayed bool
	// built is the text of the prompt, and frame what it has beside the passages and the question, in match form; entire
	// are the passages that the text has as a whole. What it has of others may be words of an earlier turn, or of an example.
	built, frame string
	entire       []assay.Passage
	// found is what the retrieve stages put out, once it is read from the trace.
	found []assay.Passage
	read  bool
}

// newView reads a response. The passages of one may have the texts of earlier stages, and the prompt parts of them,
// unless uncut is set.
func newView(r *assay.Response, question string, uncut bool) view {
	v := view{r: r, question: question}
	if r.Trace != nil {
		for _, s := range r.Trace.Stages {
			switch s.Name {
			case assay.StageDecompose:
				v.decomposed = true
			case assay.StageFilter:
				v.filtered = true
			}
		}
	}
	v.kept = r.Used()
	if v.unread = v.unreads(assay.StageFilter); v.unread {
		v.filtered = false
	}
	if ps, ok := r.StagePassages(assay.StageFilter); ok && !v.unread {
		v.kept = ps
	}
	// The text of a prompt shows what a list of the passages that it has whole does not.
	if v.prompt, v.traced = v.written(); !v.traced || len(v.prompt) == 0 || len(v.prompt) == 1 && nameless(v.prompt[0]) {
		if given, ok := r.Given(); ok && v.asks(given) == "" {
			v.prompt, v.traced, v.frame = given, true, ""
		}
	}
	if !v.traced {
		v.prompt = v.kept
	}
	v.exact = v.traced && slices.ContainsFunc(r.Stages(assay.StageGenerate), func(s assay.Stage) bool {
		var ids []assay.Passage
		return uncut || s.Prompt != "" || json.Unmarshal(s.Input, &ids) != nil || slices.ContainsFunc(ids, hasText) || !slices.ContainsFunc(ids, hasName)
	})
	v.known = v.kept != nil || v.traced
	if !v.known {
		_, v.known = v.retrieved()
	}
	return v
}

// unreads reports whether the output of a stage with that name shows no passages, or none with a name or a text. A search without an output found none.
func (v *view) unreads(name string) bool {
	if v.r.Trace == nil {
		return false
	}
	for i, s := range v.r.Trace.Stages {
		none := len(s.Output) == 0 || string(s.Output) == "null"
		if s.Name != name || none && name != assay.StageFilter {
			continue
		}
		ps := v.r.PassagesAt(i, false)
		if ps == nil || len(ps) > 0 && !slices.ContainsFunc(ps, func(p assay.Passage) bool { return hasName(p) || hasText(p) }) {
			return true
		}
	}
	return false
}

func hasText(p assay.Passage) bool { return p.Text != "" }

func hasName(p assay.Passage) bool { return !nameless(p) }

// written returns the passages of which a stretch is in the text of the prompt, each with what
// that text has of it, if the trace of the generator has one: passages may be cut or left out
// there. The rest is no evidence: it is the frame. Where no text of a passage is known, a prompt with
// the question, or an input with more than it if nothing else is known, is its own passage without the
// question; another text is no whole prompt, and ok is false.
func (v *view) written() (passages []assay.Passage, ok bool) {
	var prompts, inputs []string
	if v.r.Trace != nil {
		for _, s := range v.r.Trace.Stages {
			var built string
			var o struct{ Prompt string }
			if strings.Contains(strings.ToLower(s.Name), "prompt") && (json.Unmarshal(s.Output, &built) == nil || json.Unmarshal(s.Output, &o) == nil) {
				prompts = append(prompts, built+o.Prompt)
			}
		}
	}
	for _, s := range v.r.Stages(assay.StageGenerate) {
		var one string
		var given []assay.Passage
		var input any
		switch {
		case json.Unmarshal(s.Input, &one) == nil:
			inputs = append(inputs, one)
			if v.kept == nil && len(formOf(one)) > 2*len(formOf(v.question)) {
				prompts = append(prompts, one)
			}
		case json.Unmarshal(s.Input, &given) == nil && slices.ContainsFunc(given, func(p assay.Passage) bool { return hasName(p) || hasText(p) }):
			prompts = append(prompts, v.asks(given))
		case json.Unmarshal(s.Input, &input) == nil: // variables, or messages
			inputs = append(inputs, text.Within(input)...)
		}
		prompts = append(prompts, s.Prompt)
	}
	found, _ := v.r.StagePassages(assay.StageRetrieve)
	whole := strings.Join(append(inputs, prompts...), "\n")
	if formOf(whole) == "" {
		return nil, false
	}
	known := slices.Concat(v.kept, found)
	v.built = formOf(strings.Join(v.withRead(whole, known), "\n"))
	asked := formOf(v.question)
	first := v.kept
	if slices.ContainsFunc(first, func(p assay.Passage) bool { return !hasText(p) }) {
		first = known // a document, of which the prompt may have any chunk
	}
	for _, list := range [][]assay.Passage{first, found} {
		v.frame = without(v.built, list)
		if asked != "" {
			v.frame = strings.ReplaceAll(v.frame, asked, "\n")
		}
		for _, p := range list {
			form := formOf(p.Text)
			entire := len(form) >= text.MatchLength/2 && strings.Contains(v.built, form)
			if !entire {
				p.Text = text.Covered(form, []string{v.frame}, text.MatchLengthFor(form))
				entire = float64(len(p.Text)) >= nearlyAll*float64(len(form))
			}
			if p.Text == "" {
				continue
			}
			if passages = append(passages, p); entire {
				v.entire = append(v.entire, p)
			}
		}
		if passages != nil {
			return passages, true
		}
	}
	if !slices.ContainsFunc(known, hasText) {
		passages = []assay.Passage{{Text: v.frame}}
		v.frame = ""
	}
	return passages, strings.Contains(formOf(strings.Join(prompts, "\n")), asked)
}

// asks returns what a list of texts without names says together if it has the question, or if the texts of passages
// are known: it may be one of messages.
func (v *view) asks(given []assay.Passage) (all string) {
	for _, p := range given {
		if !nameless(p) {
			return ""
		}
		all += p.Text + "\n"
	}
	asked := formOf(v.question)
	if found, _ := v.retrieved(); !slices.ContainsFunc(found, hasText) && (asked == "" || !strings.Contains(formOf(all), asked)) {
		return ""
	}
	return all
}

// without returns a prompt, in match form, without passages.
func without(prompt string, passages []assay.Passage) string {
	for _, q := range passages {
		if form := formOf(q.Text); len(form) >= text.MatchLength/2 {
			prompt = strings.ReplaceAll(prompt, form, "\n")
		}
	}
	return prompt
}

// withRead returns a prompt and those of the calls whose output is in it: it has what they read in their
// words. An output that their instructions offer, such as the yes of a grader, may be in it by chance, unless
// the prompt has it once more.
func (v *view) withRead(prompt string, passages []assay.Passage) []string {
	all, stages := []string{prompt}, v.r.Trace.Stages
	said := func(i int) (out string) {
		if stages[i].Name != assay.StageGenerate && json.Unmarshal(stages[i].Output, &out) != nil {
			return ""
		}
		return out
	}
	for i := range slices.Backward(stages) {
		out := said(i)
		in := func(one string) bool { return text.HasKeyword(one, out) }
		if out == "" || !slices.ContainsFunc(all, in) {
			continue
		}
		times := func(read string) int {
			all := strings.Join(words(without(formOf(read), passages)), "  ")
			return strings.Count(" "+all+" ", " "+strings.Join(words(formOf(out)), "  ")+" ")
		}
		read := v.reads(i)
		offered := times(read)
		for j := range i {
			if said(j) == out {
				offered = min(offered, times(v.reads(j)))
			}
		}
		if !in(without(formOf(read), passages)) || slices.ContainsFunc(all, func(one string) bool { return times(one) > offered }) {
			all, v.relayed = append(all, read), true
		}
	}
	return all
}

// reads returns what the call at index i read: its prompt, and its input as a text, as passages or as messages.
func (v *view) reads(i int) string {
	s := v.r.Trace.Stages[i]
	all := []string{s.Prompt}
	var input any
	if ps := v.r.PassagesAt(i, true); slices.ContainsFunc(ps, hasText) {
		for _, p := range ps {
			all = append(all, p.Text)
		}
	} else if json.Unmarshal(s.Input, &input) == nil {
		all = append(all, text.Within(input)...)
	}
	return strings.Join(all, "\n")
}

// retrieved returns the output of the retriever, if it is known. Reading it from the trace
// is slow and not needed if all facts are kept. Without a filter the passages of the
// response are what was retrieved.
func (v *view) retrieved() (passages []assay.Passage, ok bool) {
	if !v.filtered && !v.decomposed && v.kept != nil && v.sameCount() {
		return v.kept, true
	}
	if !v.read {
		v.read = true
		v.found, _ = v.r.StagePassages(assay.StageRetrieve)
	}
	if v.found != nil {
		return v.found, true
	}
	return v.kept, !v.filtered && !v.unread && v.kept != nil
}

// sameCount reports whether the only retrieve stage seems to have as many passages as the
// response, so that they are the same. It counts braces: a passage is a flat object, and a
// brace in a text only makes the caller read the trace.
func (v *view) sameCount() bool {
	stages := v.r.Stages(assay.StageRetrieve)
	return len(stages) == 0 || len(stages) == 1 && bytes.Count(stages[0].Output, []byte("{")) == len(v.kept)
}

// recounts reports whether a stage after the retriever may number its passages anew: the ids of both count from 0 or 1,
// those of the later stage are fewer, and it shows no texts.
func (v *view) recounts() bool {
	count := func(ps []assay.Passage) bool {
		for i, p := range ps {
			if p.ID != strconv.Itoa(i) && p.ID != strconv.Itoa(i+1) || (p.ID == strconv.Itoa(i)) != (ps[0].ID == "0") {
				return false
			}
		}
		return len(ps) > 0
	}
	found, _ := v.r.StagePassages(assay.StageRetrieve)
	return count(found) && slices.ContainsFunc(v.r.Trace.Stages, func(s assay.Stage) bool {
		raw, later := s.Output, []assay.Passage(nil)
		if s.Name == assay.StageGenerate {
			raw = s.Input
		}
		return (s.Name == assay.StageGenerate || s.Name == assay.StageFilter) && json.Unmarshal(raw, &later) == nil &&
			count(later) && len(later) < len(found) && !slices.ContainsFunc(later, hasText)
	})
}

// generated returns the output of the generate stages; ok is false if the trace does not
// report it.
func (v *view) generated() (written string, ok bool) {
	var parts []string
	for _, s := range v.r.Stages(assay.StageGenerate) {
		var one string
		var many []string
		switch {
		case json.Unmarshal(s.Output, &one) == nil && string(s.Output) != "null":
			parts = append(parts, one)
		case json.Unmarshal(s.Output, &many) == nil && many != nil:
			parts = append(parts, many...)
		}
	}
	return strings.Join(parts, "\n"), parts != nil
}

// names names passages as they are named in the trace.
func names(passages []assay.Passage) string {
	var out []string
	for _, p := range passages {
		if name := cmp.Or(p.ID, p.Document, p.Source); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	const shown = 3
	if len(out) > shown {
		return strings.Join(out[:shown], ", ") + ", …"
	}
	return strings.Join(out, ", ")
}
