package reply

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// maxSuggestions bounds the result; maxLooks and maxDeep bound how much of a reply is
// searched.
const (
	maxSuggestions = 5
	maxLooks       = 20_000
	maxDeep        = 12
)

// Suggest returns paths at which an answer or passages may be, for a user whose reply
// was not recognised, most likely first: at most five settings, such as "read.answer:
// data.output.msg".
func Suggest(v any) []string {
	s := &suggester{}
	s.look(inOrder(v), nil, 0)
	by := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
	}
	slices.SortStableFunc(s.answers, by)
	slices.SortStableFunc(s.passages, by)
	var out []string
	for i := 0; i < max(len(s.answers), len(s.passages)); i++ {
		if i < len(s.answers) {
			out = append(out, setting(Answer, s.answers[i].path))
		}
		if i < len(s.passages) {
			p := s.passages[i]
			out = append(out, setting(Passages, p.path))
			if p.text != "" {
				out = append(out, setting(Text, p.text))
			}
		}
	}
	return out[:min(len(out), maxSuggestions)]
}

// setting formats a setting; a path that YAML would not read as text is quoted.
func setting(field, path string) string {
	if strings.ContainsAny(path, `:#{}&*!|>'"%@,`+"`") || strings.HasPrefix(path, "[") || strings.HasPrefix(path, "-") ||
		strings.TrimSpace(path) != path {
		path = "'" + strings.ReplaceAll(path, "'", "''") + "'"
	}
	return fmt.Sprintf("read.%s: %s", field, path)
}

// A candidate is a path with its weight; text is the path of the text within a passage
// if it has no common name.
type candidate struct {
	path, text string
	weight     int
}

type suggester struct {
	looks             int
	answers, passages []candidate
	// failure is the path of what a code of a failure says, the first.
	failure string
}

// whyNamed and codeNamed match the names of what a server says of a failure, and of its code.
var (
	whyNamed  = lazyregexp.New(`(?i)^(?:(?:error|err|status|ret)?_?(?:message|msg)|status)$`)
	codeNamed = lazyregexp.New(`(?i)^(?:error|err|status|ret)?_?(?:code|no)$|^errorType$`)
)

// codeOf returns the code of success or failure of an object, nil if it has none.
func codeOf(o map[string]any) any {
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if s, ok := scalar(o[k]); ok && s != "" && codeNamed().MatchString(k) {
			return o[k]
		}
	}
	return nil
}

// coded returns the field with what the code of a failure means, "" if an object has none.
func coded(o map[string]any) string {
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if whyNamed().MatchString(k) && k != "status" && isText(o[k]) && failureText(o[k]) != "" && failureText(codeOf(o)) != "" {
			return k
		}
	}
	return ""
}

// look collects candidates; path is the position of v.
func (s *suggester) look(v any, path []step, depth int) {
	if s.looks++; s.looks > maxLooks || depth > maxDeep {
		return
	}
	switch v := v.(type) {
	case string:
		if w := answerWeight(v, path); w > 0 {
			s.answers = append(s.answers, candidate{path: written(path), weight: w})
		}
	case []any:
		if c, ok := passagesAt(v, path); ok {
			s.passages = append(s.passages, c)
			return // its contents belong to passages
		}
		for i, e := range v[:min(len(v), 3)] {
			s.look(e, append(slices.Clip(path), step{kind: byIndex, index: i}), depth+1)
		}
	case map[string]any:
		if k := coded(v); k != "" && s.failure == "" {
			s.failure = written(append(slices.Clip(path), step{kind: byKey, key: k, index: -1}))
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if whyNamed().MatchString(k) && (codeOf(v) != nil || firstOf(v, "status", "success") != nil) && isText(v[k]) {
				continue // what a status says
			}
			s.look(v[k], append(slices.Clip(path), step{kind: byKey, key: k, index: -1}), depth+1)
		}
	}
}

// written formats a path; the whole value is "$".
func written(path []step) string { return cmp.Or(write(path, true), "$") }

// answerWeight grows with the length of a text and is larger for typical names of
// answers; it is 0 for names, times and addresses rather than sentences.
func answerWeight(s string, path []step) int {
	words := len(strings.Fields(s[:min(len(s), 2000)]))
	usual := slices.Concat(names().Answer, names().AnswerText, []string{"msg", "value", "body", "summary"})
	named := len(path) > 0 && slices.Contains(usual, strings.ToLower(path[len(path)-1].key))
	if words < 2 && !named || words == 0 || isName(s) && words < 2 {
		return 0
	}
	w := min(utf8.RuneCountInString(s), 1000)
	if named {
		w += 1000
	}
	return w
}

// passagesAt reports whether a list may be passages: texts of several words, or objects
// with the fields of a passage or with a text of several words under another name.
func passagesAt(list []any, path []step) (candidate, bool) {
	if len(list) == 0 || !readable(list) {
		return candidate{}, false
	}
	c := candidate{path: written(path)}
	if len(path) > 0 && slices.Contains(names().Passages, strings.ToLower(path[len(path)-1].key)) {
		c.weight += 1000
	}
	sample := list[:min(len(list), 20)]
	if areTexts(sample) {
		for _, v := range sample {
			c.weight += min(len(strings.Fields(v.(string))), 20)
		}
		return c, c.weight > len(sample)
	}
	o, ok := sample[0].(map[string]any)
	if !ok {
		return candidate{}, false
	}
	in := places(o)
	if isSaid(o, in) {
		return candidate{}, false
	}
	if _, at := find(Text, in, documentIsName(sample)); at != nil {
		c.weight += 500
		return c, true
	}
	longest := 0
	texts(o, nil, 3, func(at []step, s string) {
		if n := len(strings.Fields(s)); n > max(longest, 2) || n == longest && n > 2 && written(at) < c.text {
			longest, c.text = n, written(at)
		}
	})
	if longest > 0 {
		c.weight += 100 + min(longest, 300)
		return c, true
	}
	if isPassage(o) {
		return c, true
	}
	return candidate{}, false
}

// texts visits the texts of an object, down to a depth.
func texts(o map[string]any, path []step, depth int, visit func([]step, string)) {
	for _, k := range slices.Sorted(maps.Keys(o)) {
		at := append(slices.Clip(path), step{kind: byKey, key: k, index: -1})
		switch v := o[k].(type) {
		case string:
			visit(at, v)
		case map[string]any:
			if depth > 1 {
				texts(v, at, depth-1, visit)
			}
		}
	}
}
