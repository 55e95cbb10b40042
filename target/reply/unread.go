package reply

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// besides matches the names of texts that a search server returns beside its passages: the question, or what describes
// the reply. said matches names of an answer, of which a single word counts.
var (
	besides = lazyregexp.New(`(?i)^(query|question|search|prompt|instruction|request|user|error|debug|log|usage|meta|trace|stages|took)s?(_|$)|` +
		`(^|_)(question|query|questions|queries|q|input|inputs|history|context|contexts|conversation|ids?|names?|title|model|index|collection|` +
		`namespace|database|dataset|version|status|state|code|type|mode|kind|method|strategy|lang|language|locale|time|date|timestamp|at|ms|` +
		`elapsed|duration|latency|cursor|page|next|url|uri|link|path|file|error|warning|notice|metadata|filters?|sort|order|region|source|` +
		`license|unit|hash|etag|session|thread|key|host|server|engine|provider|format|reason|role|suggestion|mean|correction|expression|` +
		`spelling|keywords?|terms?|config|settings|params|info|stats|user|category|topic|intent|score|tokens?)$`)
	said  = lazyregexp.New(`(?i)(^|_)(answer|response|reply|output|summary|completion|generation|text|verdict|final|data)$`)
	fine  = lazyregexp.New(`(?i)\b(success\w*|ok|found|returned|complete\w*|done|hits?|results?)\b`) // of a status
	camel = lazyregexp.New(`([a-z0-9])([A-Z])`)
)

// Unread marks a response without an answer whose generator wrote a text: it was not read as the answer.
func Unread(r *assay.Response) {
	for _, stage := range r.Stages(assay.StageGenerate) {
		if bytes.HasPrefix(stage.Output, []byte(`"`)) && len(stage.Output) > len(`""`) && r.NoAnswer && r.Unread == "" {
			r.Unread = "the stage " + assay.StageGenerate
			warn(r, "the reply has no answer, but its stage generate has a text: whether cases are right is unknown. Set read.answer to the "+
				"field of the answer (--read answer=FIELD), or read.passages if there is none")
		}
	}
}

// unread marks a response without an answer if a text beside its passages may be one. What a graph had until an interrupt
// is no answer, unless a person gave its path.
func (r *reader) unread() {
	top, _ := r.root.(map[string]any)
	if stopped := top["__interrupt__"] != nil; stopped && r.m.given { // the list of a breakpoint is empty
		warn(&r.out, "the graph stopped at an interrupt: its answer is what read.answer finds in its state until then")
	} else if stopped {
		r.problems = append(r.problems, fmt.Errorf("%w: the graph stopped at an interrupt. Evaluate a graph without interrupts, "+
			"or a function that resumes it, or set read.answer to the part of its state that counts", ErrNoAnswer))
	}
	if !r.out.NoAnswer || r.m.given {
		return
	}
	if path := r.sayingIn(top, ""); path != "" && r.out.Passages != nil && r.out.Unread == "" {
		r.out.Unread = path
		warn(&r.out, fmt.Sprintf("no field is known to be the answer, and %[1]s may be: whether cases are right is unknown. Set read.answer: %[1]s "+
			"(--read answer=%[1]s), or read.passages if it is no answer", path))
	}
	Unread(&r.out)
}

// sayingIn returns the path of a text in an object, or in an object in it, that may be an answer under a name that assay
// does not know; "" if there is none.
func (r *reader) sayingIn(o map[string]any, before string) string {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		inner, isObject := o[name].(map[string]any)
		switch known := snake(name); {
		case besides().MatchString(known) || before+name == r.m.paths[Passages].text:
		case isObject && before == "":
			if path := r.sayingIn(inner, name+"."); path != "" {
				return path
			}
		case maySay(known, o[name], o):
			return before + name
		}
	}
	return ""
}

func snake(name string) string {
	return strings.ReplaceAll(camel().ReplaceAllString(name, "${1}_$2"), "-", "_")
}

// maySay reports whether a field of an object may be an answer: a text that is neither a question, nor a status, nor a
// single word, unless its name or its script says so.
func maySay(name string, v any, of map[string]any) bool {
	s, _ := v.(string)
	if s = strings.TrimSpace(s); s == "" || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") ||
		whyNamed().MatchString(name) && (codeOf(of) != nil || firstOf(of, "status", "success") != nil || fine().MatchString(s)) {
		return false
	}
	words := strings.ContainsFunc(s, unicode.IsSpace) || strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
	return words && !isName(s) || said().MatchString(name)
}
