package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay/internal/text"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// most is the maximum number of opening braces tried in one reply, because prose may
// contain many.
const most = 200

// AnswerOf returns a reply without a byte order mark and without the reasoning that some
// servers leave in the text, because drafts in it are not answers.
func AnswerOf(reply string) string {
	answer, _ := modelreply.Split(reply)
	return strings.TrimSpace(strings.ToValidUTF8(strings.TrimPrefix(strings.TrimSpace(answer), "\ufeff"), "\ufffd"))
}

// Object returns the one JSON object in a reply, which may be surrounded by reasoning,
// prose or a code fence. Two different objects, or a duplicate field, are an error.
func Object(reply string) (json.RawMessage, error) {
	object, _, err := find(reply, func(*node) bool { return true })
	return object, err
}

// read returns the object of a reply that echoes the nonce. Objects without it are
// ignored if another one has it.
//
// With an error, part is what was readable: the object, or the complete fields and list
// items of a truncated one; nil if nothing contains the nonce.
func read(reply, nonce string) (object, part json.RawMessage, err error) {
	if nonce == "" {
		return nil, nil, errors.New("the call was made without a nonce, so no reply can be trusted: want a provider that draws one")
	}
	stray, others := "", 0
	object, broken, err := find(reply, func(n *node) bool {
		echo := n.at("nonce")
		switch {
		case echo == nil || echo.kind != 's':
			others++
		case !strings.EqualFold(strings.TrimSpace(echo.text), nonce):
			stray = echo.text
		default:
			return true
		}
		return false
	})
	switch {
	case object != nil || errors.Is(err, errSeveral):
		return object, nil, err
	case stray != "":
		return nil, nil, fmt.Errorf("its nonce is %q: want the one at the end of the message", text.Shorten(stray, 40))
	case broken != "":
		return nil, salvage(broken, nonce), err
	case others > 0 && errors.Is(err, errNone):
		return nil, nil, errors.New(`its JSON object has no field "nonce": want the nonce at the end of the message`)
	}
	return nil, nil, err
}

var (
	errSeveral = errors.New("it holds several JSON objects that differ: want one")
	errBroken  = errors.New("its JSON object breaks off: want a whole one")
	errNone    = errors.New("it holds no JSON object: want one")
)

// find gives the one object of a reply that is accepted. With an error, broken
// is the text from the first object on that breaks off; "" when none does.
func find(reply string, accept func(*node) bool) (object json.RawMessage, broken string, err error) {
	s := AnswerOf(reply)
	if s == "" {
		return nil, "", errors.New("it is empty: want one JSON object")
	}
	var found *node
	var invalid error
	for range most {
		i := strings.IndexByte(s, '{')
		if i < 0 {
			break
		}
		s = s[i:]
		end := objectEnd(s)
		if end < 0 {
			if broken == "" {
				broken = s
			}
			if breaksOff(s) {
				break // objects within it are not the reply
			}
			s = s[1:]
			continue
		}
		n, err := parse([]byte(s[:end]))
		if err != nil {
			if invalid == nil {
				invalid = fmt.Errorf("it is no JSON: %w", err)
			}
			skip := 1
			if errors.As(err, new(errTwice)) {
				skip = end // nothing in it can stand for the whole
			}
			s = s[skip:]
			continue
		}
		s = s[end:]
		switch {
		case !accept(n):
		case found == nil:
			found = n
		case found.string() != n.string():
			return nil, "", errSeveral
		}
	}
	switch {
	case found != nil:
		return json.RawMessage(found.string()), "", nil
	case broken != "":
		return nil, broken, errBroken
	case invalid != nil:
		return nil, "", invalid
	}
	return nil, "", errNone
}

// breaksOff reports whether s is the beginning of JSON, rather than prose with a brace.
func breaksOff(s string) bool {
	d := json.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}

// objectEnd returns the length of the object at the start of s, by counting braces
// outside strings, or -1 if it is not closed.
func objectEnd(s string) int {
	depth, inString := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// salvage returns the complete fields and list items of a truncated object, or nil if
// the nonce is not among them.
func salvage(s, nonce string) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader([]byte(s)))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	out := &node{kind: '{'}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok || out.at(key) != nil {
			break
		}
		var raw json.RawMessage
		begin := d.InputOffset()
		if err := d.Decode(&raw); err == nil {
			n, err := parse(raw)
			if err != nil {
				break
			}
			out.keys, out.items = append(out.keys, key), append(out.items, n)
			continue
		}
		if list := wholeItems(s[begin:]); list != nil {
			out.keys, out.items = append(out.keys, key), append(out.items, list)
		}
		break
	}
	if echo := out.at("nonce"); echo == nil || !strings.EqualFold(strings.TrimSpace(echo.text), nonce) {
		return nil
	}
	return json.RawMessage(out.string())
}

// wholeItems returns the complete objects of a truncated list; s starts before the
// list.
func wholeItems(s string) *node {
	i := strings.IndexByte(s, '[')
	if i < 0 || strings.Trim(s[:i], ": \t\r\n") != "" {
		return nil
	}
	list := &node{kind: '['}
	for s = s[i+1:]; ; {
		s = strings.TrimLeft(s, ", \t\r\n")
		end := objectEnd(s)
		if end < 0 || s[0] != '{' {
			return list
		}
		n, err := parse([]byte(s[:end]))
		if err != nil {
			return list
		}
		list.items = append(list.items, n)
		s = s[end:]
	}
}
