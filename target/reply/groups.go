package reply

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-eval/assay"
)

// A group is the result of a stage for one sub-question.
type group struct {
	// question is its text, number counts from 1; "" and 0 when the reply does
	// not say.
	question string
	number   int
	list     []any
}

// mostSubQuestions bounds the numbers of sub-questions.
const mostSubQuestions = 1000

// subQuestionOf returns the sub-question of an object: its number, from 1, and its
// text. before are the earlier stages, which map texts to numbers.
func (r *reader) subQuestionOf(o map[string]any, before []assay.Stage) (number int, question string) {
	question = textIn(o, names().SubQuestion...)
	if n, ok := count(o["sub_question_index"]); ok && n < mostSubQuestions {
		return n + 1, question
	}
	if _, isText := o["sub_question"].(string); !isText {
		if n, ok := count(o["sub_question"]); ok && n <= mostSubQuestions {
			if r.fromZero {
				n++
			}
			return n, question
		}
	}
	return r.remember(before).numbers[question], question
}

// memory indexes the earlier stages, to which later ones may refer.
type memory struct {
	// stages counts the stages that are indexed.
	stages int
	// ids maps ids to passages, numbers the sub-questions to numbers from 1; documents has one or two of the passages
	// that were retrieved of each document or source, and with each title.
	ids       map[string]assay.Passage
	numbers   map[string]int
	documents map[string][]assay.Passage
}

// remember indexes the stages that are new. Each is indexed once, so that the time is
// linear in the number of stages.
func (r *reader) remember(before []assay.Stage) *memory {
	k := &r.memory
	if k.ids == nil {
		k.ids, k.numbers, k.documents = map[string]assay.Passage{}, map[string]int{}, map[string][]assay.Passage{}
		for _, p := range r.out.Passages {
			k.ids[p.ID] = p
		}
	}
	for ; k.stages < len(before); k.stages++ {
		s := before[k.stages]
		switch s.Name {
		case assay.StageDecompose:
			var questions []string
			if len(k.numbers) == 0 && json.Unmarshal(s.Output, &questions) == nil {
				for i, q := range questions {
					k.numbers[q] = cmp.Or(k.numbers[q], i+1)
				}
			}
		case assay.StageRetrieve, assay.StageFilter:
			var passages []assay.Passage
			if json.Unmarshal(s.Output, &passages) == nil {
				for _, p := range passages {
					if k.ids[p.ID].Text == "" {
						k.ids[p.ID] = p
					}
					if s.Name == assay.StageRetrieve {
						for _, name := range []string{p.Document, p.Source, p.Title} {
							if of := k.documents[name]; name != "" && len(of) < 2 && !slices.ContainsFunc(of, p.Same) {
								k.documents[name] = append(of, p)
							}
						}
					}
				}
			}
		}
	}
	delete(k.ids, "")
	return k
}

// groupsOf reads lists of passages per sub-question: a list of objects with a
// sub-question and its passages, a list of lists, a list of pairs of a text and a list,
// an object of lists keyed by sub-question, or an object with one of these in
// per_sub_question.
func (r *reader) groupsOf(v any, before []assay.Stage) ([]group, bool) {
	switch v := v.(type) {
	case map[string]any:
		if inner, ok := v["per_sub_question"]; ok {
			return r.groupsOf(inner, before)
		}
		return r.groupsByText(v, before)
	case []any:
		if len(v) == 0 {
			return nil, false
		}
		var out []group
		for _, e := range v {
			g, ok := r.groupOf(e, before)
			if !ok {
				return nil, false
			}
			out = append(out, g)
		}
		return out, true
	}
	return nil, false
}

func (r *reader) groupOf(v any, before []assay.Stage) (g group, ok bool) {
	switch v := v.(type) {
	case map[string]any:
		g.number, g.question = r.subQuestionOf(v, before)
		g.question = cmp.Or(g.question, textIn(v, names().Question...))
		if g.number == 0 && g.question == "" {
			return g, false
		}
		for _, k := range names().Group {
			if g.list, ok = v[k].([]any); ok {
				return g, true
			}
		}
	case []any:
		if isTuple(v) {
			return g, false
		}
		if len(v) == 2 && isText(v[0]) && isList(v[1]) {
			return group{question: v[0].(string), list: v[1].([]any)}, true
		}
		for _, e := range v {
			if !isText(e) && !isPassage(e) && !isTuple(e) && !r.allKnown([]any{e}, before) {
				return g, false
			}
		}
		return group{list: v}, true
	}
	return g, false
}

// groupsByText reads an object whose keys are sub-questions.
func (r *reader) groupsByText(o map[string]any, before []assay.Stage) ([]group, bool) {
	numbers := r.remember(before).numbers
	var out []group
	for _, key := range slices.Sorted(maps.Keys(o)) {
		list, ok := o[key].([]any)
		if !ok || numbers[key] == 0 && (len(numbers) > 0 || !strings.ContainsAny(key, " ?？")) {
			return nil, false
		}
		out = append(out, group{question: key, number: numbers[key], list: list})
	}
	slices.SortStableFunc(out, func(a, b group) int { return a.number - b.number })
	return out, len(out) > 0
}

// isTuple reports whether a list stands for a passage: a text, its metadata, and
// optionally a score.
func isTuple(v any) bool {
	list, ok := v.([]any)
	if !ok || len(list) < 2 || len(list) > 3 || !isText(list[0]) || !isObject(list[1]) {
		return false
	}
	_, scored := number(list[len(list)-1])
	return len(list) == 2 || scored
}

// grouped makes one stage per group.
func (r *reader) grouped(at string, s assay.Stage, groups []group, before []assay.Stage) []assay.Stage {
	var out []assay.Stage
	for i, g := range groups {
		one := s
		if one.SubQuestion = g.number; g.number == 0 {
			one.SubQuestion = i + 1
		}
		// The reported time is the total of all groups.
		one.Latency /= time.Duration(len(groups))
		if i > 0 {
			one.Usage = assay.Usage{} // the tokens are those of all groups
		}
		if g.question != "" {
			one.Input = asJSON(g.question)
		}
		passages, ok := r.passageList(at, g.list, s.Name, before)
		if !ok {
			one.Output = r.stageValue(at, g.list)
		} else {
			one.Output = asJSON(passages)
		}
		out = append(out, one)
	}
	return out
}

// passageList reads a list of passages from a stage: objects, texts, ids of known
// passages, names of their documents, or tuples.
func (r *reader) passageList(at string, v any, stage string, before []assay.Stage) ([]assay.Passage, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	if len(list) == 0 {
		return []assay.Passage{}, true
	}
	known := r.remember(before).ids
	plain := make([]any, len(list))
	for i, e := range list {
		switch e := e.(type) {
		case string:
			plain[i] = map[string]any{"text": e}
			_, ok := known[e]
			switch of := r.remember(before).documents[e]; {
			case ok || len(of) == 0 && isID(e):
				plain[i] = map[string]any{"id": e}
			case len(of) == 1 && of[0].ID != "":
				plain[i] = map[string]any{"id": of[0].ID}
			case len(of) > 0 && (of[0].Document+of[0].Source == "" || of[len(of)-1].Document != of[0].Document):
				return nil, false // any with the title
			case len(of) > 0: // any chunks of the document
				plain[i] = map[string]any{"document": cmp.Or(of[0].Document, of[0].Source)}
			}
		case []any:
			if !isTuple(e) {
				return nil, false
			}
			o := map[string]any{"text": e[0], "metadata": e[1]}
			if len(e) == 3 {
				o["distance"] = e[2]
			}
			plain[i] = chunkFields(o, stage)
		case map[string]any:
			if !isPassage(e) {
				return nil, false
			}
			plain[i] = chunkFields(e, stage)
		default: // ids may be numbers
			id, ok := scalar(e)
			if _, isID := known[id]; !ok || !isID {
				return nil, false
			}
			plain[i] = map[string]any{"id": id}
		}
	}
	return passagesIn(at, plain)
}

// chunkFields returns a passage's fields. In a list, chunk_index may be the position in
// the list, and after a filter relevance is the score.
func chunkFields(o map[string]any, stage string) map[string]any {
	meta, _ := o["metadata"].(map[string]any)
	_, inner := count(meta["chunk_index"])
	var relevance any
	if stage == assay.StageFilter {
		for _, in := range []map[string]any{o, meta} {
			for _, k := range []string{"relevance_score", "relevance"} {
				if _, ok := number(in[k]); ok && relevance == nil {
					relevance = in[k]
				}
			}
		}
	}
	if !inner && relevance == nil {
		return o
	}
	o = maps.Clone(o)
	if inner {
		delete(o, "chunk_index")
	}
	if relevance != nil {
		o["score"] = relevance
	}
	return o
}

// prompted reads the passages in the generator's prompts, of all sub-questions.
func (r *reader) prompted(at string, v any, before []assay.Stage) ([]assay.Passage, bool) {
	groups, ok := r.groupsOf(v, before)
	if !ok {
		list, isList := v.([]any)
		if !isList || areTexts(list) && !r.allKnown(list, before) {
			return nil, false
		}
		groups = []group{{list: list}}
	}
	var lists [][]assay.Passage
	for _, g := range groups {
		passages, ok := r.passageList(at, g.list, assay.StageGenerate, before)
		if !ok {
			return nil, false
		}
		lists = append(lists, passages)
	}
	return interleaved(lists), true
}

// interleaved is [assay.Interleave] for lists of any length: a passage is identified by
// its id, else by its document and index, else by its text.
func interleaved(lists [][]assay.Passage) []assay.Passage {
	type key struct {
		id, document, text string
		index              int
	}
	seen := map[key]bool{}
	out := []assay.Passage{}
	for rank, left := 0, lists; len(left) > 0; rank++ {
		var longer [][]assay.Passage
		for _, l := range left {
			if rank >= len(l) {
				continue
			}
			longer = append(longer, l)
			p := l[rank]
			k := key{id: p.ID}
			switch {
			case p.ID != "":
			case p.Document != "":
				if k = (key{document: p.Document, index: p.Index}); p.Index == 0 {
					k.text = strings.TrimSpace(p.Text) // the index may be unknown
				}
			default:
				k = key{text: strings.TrimSpace(p.Text)}
			}
			if !seen[k] {
				seen[k] = true
				out = append(out, p)
			}
		}
		left = longer
	}
	return out
}

// isID reports whether a text names a passage: it has no white space, and a digit or a
// separator.
func isID(s string) bool {
	return len(s) <= 200 && strings.ContainsAny(s, "0123456789#_/:-") &&
		!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Han, r) })
}

// allKnown reports whether all elements of a list are ids of known passages, or names of their documents.
func (r *reader) allKnown(list []any, before []assay.Stage) bool {
	known := r.remember(before)
	return !slices.ContainsFunc(list, func(v any) bool { s, _ := scalar(v); _, ok := known.ids[s]; return !ok && known.documents[s] == nil })
}

// questionsOf reads a list of sub-questions: texts, objects with a text, or an object
// that holds such a list.
func questionsOf(v any) ([]string, bool) {
	if o, ok := v.(map[string]any); ok {
		for _, k := range names().Stages[assay.StageDecompose].Output {
			if questions, ok := questionsOf(o[k]); ok {
				return questions, true
			}
		}
		return nil, false
	}
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := []string{}
	for _, e := range list {
		s, ok := e.(string)
		if o, isObject := e.(map[string]any); isObject {
			for _, k := range slices.Concat(names().SubQuestion, names().Question, []string{"text", "content"}) {
				if s, ok = o[k].(string); ok {
					break
				}
			}
		}
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// asJSON encodes values that cannot fail: texts, and passages with finite scores.
func asJSON(v any) json.RawMessage {
	raw, _ := json.Marshal(v)
	return raw
}
