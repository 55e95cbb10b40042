package reply

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

const (
	// turnEnd ends a turn: what follows it is the next one.
	turnEnd = `(?:<\|(?:eot_id|eom_id|im_end|end_of_text|endoftext)\|>|<end_of_turn>)`
	// token is a special token of a chat template that a server left in the text.
	token = `(?:<\|\w+\|>|<[|｜](?:begin|end)▁of▁sentence[|｜]>|</?s>|<sep>|<(?:start|end)_of_turn>|<[be]os>|\[/?INST\])`
)

var (
	opening, closing, tags = mark("opening"), mark("closing"), mark("opening", "closing")
	asides, drafts, around = mark("asides"), mark("drafts"), mark("around")
	// ending are the tokens right after the last word or sentence; tokens finds them anywhere.
	ending = lazyregexp.New("(?:[^\\s`'\"(]|[.!?。]\\s)(?:(?:" + token + `)+\s*$|` + turnEnd + `)`)
	tokens = lazyregexp.New(token)
	// channel is a message of the harmony format of gpt-oss: its channel and its text.
	channel = lazyregexp.New(`(?s)<\|channel\|>\s*(\w*).*?<\|message\|>(.*?)(?:<\|(?:end|return|call|start)\|>|$)`)
)

// mark returns the expression of kinds of marks. One of the second kind has an empty group.
func mark(kinds ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		var all []string
		for _, k := range kinds {
			all = append(all, "(?:"+strings.Join(names().Marks[k], "|")+")")
		}
		return regexp.MustCompile("(?is)" + strings.Join(all, "|()"))
	})
}

// Split parts what a model wrote into the answer and the reasoning that servers leave in the
// text: between tags at the beginning, before a lone closing tag that ends a line or is attached to
// words on both sides (the template of the prompt had the opening one), and in the channels of the harmony format.
// Reasoning that breaks off leaves no answer. Tags further on are part of the answer. A text
// without reasoning is returned as it is, but for the tokens that end a turn and the marks around an
// answer, unless it is about such tokens.
func Split(text string) (answer, reasoning string) {
	answer, reasoning = parted(text)
	if !strings.Contains(answer, "<") {
		return answer, reasoning
	}
	bare := strings.TrimSpace(answer)
	s := ended(strings.TrimSpace(around().ReplaceAllString(bare, "$1$2$3")))
	if reasoning != "" {
		s = strings.TrimSuffix(s, " <sep>") // Reka, which always thinks
	}
	if s != bare {
		answer = s
	}
	return answer, reasoning
}

// ended returns a text without the tokens at its end.
func ended(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	if at := ending().FindStringIndex(s); at != nil && (s[0] != '{' || strings.HasSuffix(s, ">")) {
		if end := at[0] + tokens().FindStringIndex(s[at[0]:])[0]; !tokens().MatchString(s[:end]) {
			return strings.TrimSpace(s[:end])
		}
	}
	return s
}

func parted(text string) (answer, reasoning string) {
	s := strings.ToValidUTF8(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\ufeff")), "\ufffd")
	if strings.HasPrefix(s, "<|channel|>") || strings.HasPrefix(s, "<|start|>") {
		for _, m := range channel().FindAllStringSubmatch(s, -1) {
			if m[1] == "final" {
				answer += m[2]
			} else {
				reasoning += m[2]
			}
		}
		if answer == "" && WritesCall(s) {
			return s, ""
		}
		return strings.TrimSpace(answer), strings.TrimSpace(reasoning)
	}
	// A server that drops the special tokens leaves the names of the channels.
	if thought, final, ok := strings.Cut(s, "assistantfinal"); ok && strings.HasPrefix(s, "analysis") {
		return strings.TrimSpace(final), strings.TrimSpace(thought[len("analysis"):])
	}
	if bare := ended(s); bare != s {
		s, text = bare, bare
	}
	for _, at := range asides().FindAllStringSubmatchIndex(s, -1) {
		if strings.Count(s[:at[0]], "```")%2 == 0 {
			reasoning += s[at[2]:at[3]] + "\n"
		}
	}
	if reasoning != "" {
		s = strings.TrimSpace(asides().ReplaceAllString(s, ""))
		text = s
	}
	for answer = text; strings.ContainsAny(s, "<[◁") || drafts().MatchString(s); answer = s {
		s = drafts().ReplaceAllString(s, "<think>$1$2$3$4</think>")
		open, end := opening().FindStringIndex(s), closing().FindStringIndex(s)
		begins := open != nil && open[0] == 0
		if begins {
			end = closes(s)
		}
		switch {
		case begins && end == nil:
			return "", strings.TrimSpace(reasoning + s[open[1]:])
		case begins:
		case end == nil || open != nil && open[0] < end[0] || !(endsLine(s, end[1]) || attached(s, end)) || strings.Count(s[:end[0]], "```")%2 == 1:
			return answer, strings.TrimSpace(reasoning)
		default:
			open = []int{0, 0}
		}
		reasoning += s[open[1]:end[0]] + "\n"
		s = strings.TrimSpace(s[end[1]:])
	}
	return answer, strings.TrimSpace(reasoning)
}

// mostTags bounds how many tags are paired.
const mostTags = 40

// closes returns the place of the tag that closes the one at the beginning, past pairs within it;
// that of the first closing tag if they do not pair.
func closes(s string) (first []int) {
	depth := 0
	for _, at := range tags().FindAllStringSubmatchIndex(s, mostTags) {
		if at[2] < 0 {
			depth++
			continue
		}
		if depth--; depth == 0 {
			return at[:2]
		}
		if first == nil {
			first = at[:2]
		}
	}
	return first
}

// endsLine reports whether nothing but white space follows on the line.
func endsLine(s string, at int) bool {
	line, _, _ := strings.Cut(s[at:], "\n")
	return strings.TrimSpace(line) == ""
}

// attached reports whether text stands right before and after the tag, as DeepSeek V3.1 writes; a
// text about tags has spaces or quotes there.
func attached(s string, tag []int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:tag[0]])
	after, _ := utf8.DecodeRuneInString(s[tag[1]:])
	return !strings.ContainsAny(string([]rune{before, after}), " \t\n\"'`()“”‘’「」*\ufffd")
}

// Clean takes the reasoning out of the answer of a response. A response without anything else
// gets a warning, and so does what reads like the call of a tool. A response that is such a call
// and nothing else is an [ErrNoAnswer].
func Clean(r *assay.Response) error {
	var reasoning string
	if r.Answer, reasoning = Split(r.Answer); r.Answer == "" && reasoning != "" {
		warn(r, "the answer has only reasoning, which counts as an empty answer: turn reasoning off, or raise the target's limit of tokens if it cut the reply")
	}
	warn(r, prefixed("the answer is ", Page([]byte(r.Answer))))
	switch bare := frames[0]().ReplaceAllString(strings.TrimSpace(r.Answer), "$1"); {
	case WritesCall(r.Answer):
		return called(r)
	case WritesCall(bare), likelyCall().MatchString(bare):
		warn(r, "the answer reads like the call of a tool: if it is one, serve the model without tools")
	}
	return nil
}
