package query

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/message"
)

// maxDepth bounds how deeply groups are nested.
const maxDepth = 100

// Parse reads a query. The error is an [*Error] with the place of what is wrong.
func Parse(text string) (Query, error) {
	for i, r := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && n == 1 {
			return Query{}, wrong(text, literal{from: i, end: i + 1}, message.New("Filter.NotUTF8"))
		}
	}
	p := &parser{text: text}
	p.space()
	if p.at == len(text) {
		return Query{text: text}, nil
	}
	root, err := p.or(0)
	if err == nil && p.at < len(text) {
		err = p.wrongAt(message.New("Filter.ClosesNothing"))
	}
	if err != nil {
		return Query{}, err
	}
	return Query{text, root}, nil
}

// A parser reads a query by recursive descent.
type parser struct {
	text string
	at   int
}

func (p *parser) space() {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += n
	}
}

func (p *parser) rest() string { return p.text[p.at:] }

// wrongAt is an error about the next character.
func (p *parser) wrongAt(said *message.Message) error {
	end := min(p.at+1, len(p.text))
	if p.at < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.rest())
		end = p.at + n
	}
	return wrong(p.text, literal{from: p.at, end: end}, said)
}

// keyword takes a word in capitals that stands alone.
func (p *parser) keyword(word string) bool {
	after, ok := strings.CutPrefix(p.rest(), word)
	next, _ := utf8.DecodeRuneInString(after)
	if !ok || after != "" && !unicode.IsSpace(next) && next != '(' && next != ')' {
		return false
	}
	p.at += len(word)
	p.space()
	return true
}

// keywords join terms. In quotes they are texts.
var keywords = []string{"OR", "AND", "NOT"}

// joins takes a keyword, in any case if a condition stands on either side of it. Between words of
// a search, "and" is one of them.
func (p *parser) joins(word string, before node) bool {
	if p.keyword(word) {
		return true
	}
	ahead := *p
	if ahead.folded(word) && (isCondition(before) || ahead.beforeCondition()) {
		*p = ahead
		return true
	}
	return false
}

// folded takes a keyword in any case.
func (p *parser) folded(word string) bool {
	rest := p.rest()
	return len(rest) >= len(word) && strings.EqualFold(rest[:len(word)], word) && p.keyword(rest[:len(word)])
}

// isCondition reports whether a node is more than a word to search for.
func isCondition(n node) bool {
	switch n := n.(type) {
	case nil, word:
		return false
	case not:
		return isCondition(n.part)
	case joined:
		return n.any || isCondition(n.parts[len(n.parts)-1])
	}
	return true
}

// beforeCondition reports whether a condition or a group comes next.
func (p parser) beforeCondition() bool {
	for p.folded("NOT") {
	}
	p.at += len(p.rest()) - len(strings.TrimLeft(p.rest(), "-"))
	if strings.HasPrefix(p.rest(), "(") {
		return true
	}
	if _, err := p.literal(false); err != nil {
		return false
	}
	if p.operator() != "" {
		return true
	}
	p.space()
	return compares(p.operator())
}

// or reads alternatives up to a closing parenthesis or the end.
func (p *parser) or(depth int) (node, error) {
	var parts []node
	for {
		part, err := p.and(depth)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, part); !p.joins("OR", part) {
			return join(true, parts...), nil
		}
	}
}

// and reads terms that stand side by side.
func (p *parser) and(depth int) (node, error) {
	var parts []node
	for {
		part, err := p.part(depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if p.at == len(p.text) || p.text[p.at] == ')' {
			break
		}
		if ahead := *p; ahead.joins("OR", part) {
			break
		}
		// The word says what standing side by side says.
		if p.joins("AND", part) && p.at == len(p.text) {
			return nil, p.wrongAt(message.New("Filter.TermAfter", "word", "AND"))
		}
	}
	return join(false, parts...), nil
}

// part reads a term or a group, or its reverse.
func (p *parser) part(depth int) (node, error) {
	switch rest := p.rest(); {
	case depth > maxDepth:
		return nil, p.wrongAt(message.New("Filter.TooDeep", "most", maxDepth))
	case rest == "":
		return nil, p.wrongAt(message.New("Filter.WantTerm"))
	case rest[0] == ')':
		return nil, p.wrongAt(message.New("Filter.TermBefore", "what", `")"`))
	case rest[0] == '(':
		return p.group(depth)
	case p.dashes():
		return p.term()
	case rest[0] == '-' || p.joins("NOT", nil):
		if rest[0] == '-' {
			p.at++
		}
		inner, err := p.part(depth + 1)
		if err != nil {
			return nil, err
		}
		if twice, ok := inner.(not); ok {
			return twice.part, nil
		}
		return not{inner}, nil
	}
	for _, word := range []string{"OR", "AND"} {
		if from := p.at; p.keyword(word) {
			return nil, wrong(p.text, literal{from: from, end: from + len(word)},
				message.New("Filter.TermBefore", "what", word))
		}
	}
	return p.term()
}

// dashes reports whether the next word consists of dashes alone, which reverse nothing.
func (p *parser) dashes() bool {
	after := strings.TrimLeft(p.rest(), "-")
	next, _ := utf8.DecodeRuneInString(after)
	return len(after) < len(p.rest()) && (after == "" || unicode.IsSpace(next) || next == ')')
}

func (p *parser) group(depth int) (node, error) {
	open := literal{from: p.at, end: p.at + 1}
	p.at++
	p.space()
	inner, err := p.or(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.at == len(p.text) {
		return nil, wrong(p.text, open, message.New("Filter.GroupOpen"))
	}
	p.at++
	p.space()
	return inner, nil
}

// operators of terms; one that begins with another stands before it.
var operators = []string{"<=", ">=", "!=", "==", "<", ">", "=", "~", ":"}

// operator takes an operator, "" if there is none.
func (p *parser) operator() string {
	for _, op := range operators {
		if strings.HasPrefix(p.rest(), op) {
			p.at += len(op)
			if op == "==" {
				return "="
			}
			return op
		}
	}
	return ""
}

// compares reports whether an operator compares, so that spaces may stand around it.
func compares(op string) bool { return op != "" && op != ":" && op != "~" }

// term reads a word, or a name with its operator and values.
func (p *parser) term() (node, error) {
	name, err := p.literal(false)
	if err != nil {
		return nil, err
	}
	ahead := *p
	ahead.space()
	spaced := ahead.at > p.at
	at := ahead.at
	op := ahead.operator()
	if op == "" || spaced && !compares(op) {
		p.space()
		return word{name}, nil
	}
	*p = ahead
	if op == ":" {
		// "latency:>2s" is what other searches call it.
		if after := p.operator(); after != "" {
			op = after
		}
	}
	if compares(op) {
		p.space()
	}
	t := term{name: name, op: op}
	for {
		if next := p.rest(); next == "" || strings.ContainsRune("),", rune(next[0])) || !compares(op) && startsWithSpace(next) {
			where, after := literal{from: at, end: p.at}, p.text[at:p.at]
			return nil, wrong(p.text, where, message.New("Filter.ValueAfter", "text", after))
		}
		v, err := p.literal(true)
		if err != nil {
			return nil, err
		}
		t.values = append(t.values, v)
		if !strings.HasPrefix(p.rest(), ",") {
			break
		}
		at = p.at
		p.at++
	}
	p.space()
	return t, nil
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// literal reads a phrase in quotes or a run of characters.
func (p *parser) literal(value bool) (literal, error) {
	if strings.HasPrefix(p.rest(), `"`) {
		return p.quoted()
	}
	from := p.at
	text, err := p.run(value)
	if err == nil && text == "" {
		op := p.operator()
		p.at = from
		err = wrong(p.text, literal{from: from, end: from + max(1, len(op))},
			message.New("Filter.FieldBefore", "op", op))
	}
	return literal{text: text, from: from, end: p.at}, err
}

// run reads the characters of a word or, up to a comma, of a value. Parentheses within
// belong to it, as in "rbp(p=0.8)".
func (p *parser) run(value bool) (string, error) {
	from, depth, open := p.at, 0, 0
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.rest())
		switch {
		case unicode.IsSpace(r):
			if depth > 0 {
				return "", p.unclosed(open)
			}
			return p.text[from:p.at], nil
		case r == '"':
			return "", p.wrongAt(message.New("Filter.SpaceBeforeQuote"))
		case r == '(':
			if depth == 0 {
				open = p.at
			}
			depth++
		case r == ')':
			if depth == 0 {
				return p.text[from:p.at], nil
			}
			depth--
		case depth > 0:
		case value && r == ',', !value && (strings.ContainsRune("<>=~:", r) || strings.HasPrefix(p.rest(), "!=")):
			return p.text[from:p.at], nil
		}
		p.at += n
	}
	if depth > 0 {
		return "", p.unclosed(open)
	}
	return p.text[from:p.at], nil
}

func (p *parser) unclosed(open int) error {
	return wrong(p.text, literal{from: open, end: open + 1},
		message.New("Filter.ParenthesisOpen"))
}

func (p *parser) quoted() (literal, error) {
	l := literal{quoted: true, from: p.at}
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			l.text, l.end = b.String(), p.at
			if l.text == "" {
				return l, wrong(p.text, l, message.New("Filter.EmptyQuotes"))
			}
			if next := p.rest(); next != "" && !startsWithSpace(next) && !strings.ContainsRune(`),<>=~:!`, rune(next[0])) {
				return l, p.wrongAt(message.New("Filter.SpaceAfterQuote"))
			}
			return l, nil
		case c == '\\' && p.at+1 < len(p.text) && (p.text[p.at+1] == '"' || p.text[p.at+1] == '\\'):
			p.at++
			b.WriteByte(p.text[p.at])
		default:
			b.WriteByte(c)
		}
	}
	l.end = l.from + 1
	return l, wrong(p.text, l, message.New("Filter.QuoteOpen"))
}
