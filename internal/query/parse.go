package query

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/internal/scan"
)

// maxDepth bounds how deeply groups are nested.
const maxDepth = 100

// Parse reads a query. The error is an [*Error] with the place of what is wrong.
func Parse(text string) (Query, error) {
	p := &parser{scan.Scanner{Text: text}}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(r)) {
			return Query{}, wrong(text, literal{from: i, end: i + 1}, message.New("Filter.NotUTF8"))
		}
	}
	p.Space()
	if p.Rest() == "" {
		return Query{text: text}, nil
	}
	root, err := p.or(0)
	if err == nil && p.Rest() != "" {
		err = p.wrongAt(message.New("Filter.ClosesNothing"))
	}
	if err != nil {
		return Query{}, err
	}
	return Query{text, root}, nil
}

// A parser reads a query by recursive descent.
type parser struct{ scan.Scanner }

// wrongAt is an error about the next character.
func (p *parser) wrongAt(said *message.Message) error {
	_, n := utf8.DecodeRuneInString(p.Rest())
	return wrong(p.Text, literal{from: p.At, end: p.At + n}, said)
}

// endsWord reports whether a word ends before a text: it is empty, or begins with white space or
// one of some characters.
func endsWord(text, characters string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text == "" || unicode.IsSpace(r) || strings.ContainsRune(characters, r)
}

// keywords join terms. In quotes they are texts.
var keywords = []string{"OR", "AND", "NOT"}

// keyword takes a word in any case that stands alone.
func (p *parser) keyword(word string) bool {
	rest := p.Rest()
	if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) || !endsWord(rest[len(word):], "()") {
		return false
	}
	p.At += len(word)
	p.Space()
	return true
}

// joins takes a keyword: in capitals, or in any case if a condition stands on either side of it.
// Between words of a search, "and" is one of them.
func (p *parser) joins(word string, before node) bool {
	ahead := *p
	if !ahead.keyword(word) || !strings.HasPrefix(p.Rest(), word) && !isCondition(before) && !ahead.beforeCondition() {
		return false
	}
	*p = ahead
	return true
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
	for p.keyword("NOT") {
	}
	p.Take(func(r rune) bool { return r == '-' })
	if p.Next("(") {
		return true
	}
	if _, err := p.literal(false); err != nil {
		return false
	}
	if p.operator() != "" {
		return true
	}
	p.Space()
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
		if p.Rest() == "" || p.Text[p.At] == ')' {
			break
		}
		if ahead := *p; ahead.joins("OR", part) {
			break
		}
		// The word says what standing side by side says.
		if p.joins("AND", part) && p.Rest() == "" {
			return nil, p.wrongAt(message.New("Filter.TermAfter", "word", "AND"))
		}
	}
	return join(false, parts...), nil
}

// part reads a term or a group, or its reverse.
func (p *parser) part(depth int) (node, error) {
	switch rest := p.Rest(); {
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
			p.At++
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
		if after, is := strings.CutPrefix(p.Rest(), word); is && endsWord(after, "()") {
			return nil, wrong(p.Text, literal{from: p.At, end: p.At + len(word)}, message.New("Filter.TermBefore", "what", word))
		}
	}
	return p.term()
}

// dashes reports whether the next word consists of dashes alone, which reverse nothing.
func (p *parser) dashes() bool {
	after := strings.TrimLeft(p.Rest(), "-")
	return after != p.Rest() && endsWord(after, ")")
}

func (p *parser) group(depth int) (node, error) {
	open := literal{from: p.At, end: p.At + 1}
	p.At++
	p.Space()
	inner, err := p.or(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.Rest() == "" {
		return nil, wrong(p.Text, open, message.New("Filter.GroupOpen"))
	}
	p.At++
	p.Space()
	return inner, nil
}

// operators of terms; one that begins with another stands before it.
var operators = []string{"<=", ">=", "!=", "==", "<", ">", "=", "~", ":"}

// operator takes an operator, "" if there is none.
func (p *parser) operator() string {
	for _, op := range operators {
		if p.Next(op) {
			return strings.Replace(op, "==", "=", 1)
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
	ahead.Space()
	at := ahead.At
	op := ahead.operator()
	if op == "" || at > p.At && !compares(op) {
		p.Space()
		return word{name}, nil
	}
	*p = ahead
	if op == ":" {
		// "latency:>2s" is what other searches call it.
		op = cmp.Or(p.operator(), op)
	}
	if compares(op) {
		p.Space()
	}
	t := term{name: name, op: op}
	for {
		if next := p.Rest(); next == "" || strings.ContainsRune("),", rune(next[0])) || !compares(op) && endsWord(next, "") {
			where, after := literal{from: at, end: p.At}, p.Text[at:p.At]
			return nil, wrong(p.Text, where, message.New("Filter.ValueAfter", "text", after))
		}
		v, err := p.literal(true)
		if err != nil {
			return nil, err
		}
		t.values = append(t.values, v)
		if at = p.At; !p.Next(",") {
			break
		}
	}
	p.Space()
	return t, nil
}

// literal reads a phrase in quotes or a run of characters.
func (p *parser) literal(value bool) (literal, error) {
	if strings.HasPrefix(p.Rest(), `"`) {
		return p.quoted()
	}
	from := p.At
	text, err := p.run(value)
	if err == nil && text == "" {
		op := p.operator()
		p.At = from
		err = wrong(p.Text, literal{from: from, end: from + max(1, len(op))}, message.New("Filter.FieldBefore", "op", op))
	}
	return literal{text: text, from: from, end: p.At}, err
}

// run reads the characters of a word or, up to a comma, of a value. Parentheses within
// belong to it, as in "rbp(p=0.8)".
func (p *parser) run(value bool) (string, error) {
	from, depth, open := p.At, 0, 0
	for p.Rest() != "" {
		r, n := utf8.DecodeRuneInString(p.Rest())
		ends := r == ')' || value && r == ',' || !value && (strings.ContainsRune("<>=~:", r) || strings.HasPrefix(p.Rest(), "!="))
		if unicode.IsSpace(r) || depth == 0 && ends {
			break
		}
		switch r {
		case '"':
			return "", p.wrongAt(message.New("Filter.SpaceBeforeQuote"))
		case '(':
			if depth == 0 {
				open = p.At
			}
			depth++
		case ')':
			depth--
		}
		p.At += n
	}
	if depth > 0 {
		return "", wrong(p.Text, literal{from: open, end: open + 1}, message.New("Filter.ParenthesisOpen"))
	}
	return p.Text[from:p.At], nil
}

func (p *parser) quoted() (literal, error) {
	l := literal{quoted: true, from: p.At}
	var b strings.Builder
	for p.At++; p.Rest() != ""; p.At++ {
		switch c := p.Text[p.At]; {
		case c == '"':
			p.At++
			l.text, l.end = b.String(), p.At
			if l.text == "" {
				return l, wrong(p.Text, l, message.New("Filter.EmptyQuotes"))
			}
			if !endsWord(p.Rest(), `),<>=~:!`) {
				return l, p.wrongAt(message.New("Filter.SpaceAfterQuote"))
			}
			return l, nil
		case p.Next(`\"`) || p.Next(`\\`):
			p.At--
			b.WriteByte(p.Text[p.At])
		default:
			b.WriteByte(c)
		}
	}
	l.end = l.from + 1
	return l, wrong(p.Text, l, message.New("Filter.QuoteOpen"))
}
