package reply

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A Kind is the format of a body.
type Kind uint8

// The formats of bodies.
const (
	Value  Kind = iota // one JSON value
	Events             // server-sent events
	Lines              // one JSON value per line
	Plain              // text
)

// KindOf detects the format by content type, and by the beginning of the body if the
// type is missing or wrong: servers label events as plain text.
func KindOf(contentType string, head []byte) Kind {
	if !utf8.Valid(head) || bytes.HasPrefix(head, []byte("\ufeff")) {
		// An error means that the head ends within a character.
		head, _, _ = transform.Bytes(decoder(), head)
	}
	head = withoutEnd(bytes.TrimLeft(head, " \t\r\n"))
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(strings.ToLower(contentType), ";")
		media = strings.TrimSpace(media)
	}
	bracket := len(head) > 0 && (head[0] == '{' || head[0] == '[')
	// Evaluated only where it matters, since it is the most expensive check.
	object := func() bool { return bracket && isJSON(head) }
	switch {
	case isEvents(head):
		return Events
	case isParts(head):
		return Lines
	case bracket && isLines(head) && object():
		return Lines
	case media == "text/event-stream" && !object():
		return Events
	case slices.Contains(names().LineTypes, media) && (len(head) == 0 || object()):
		return Lines
	case media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json") || object():
		return Value
	case slices.Contains(names().LineTypes, media):
		return Lines
	case media == "" && len(head) == 0:
		return Value
	}
	return Plain
}

// partTypes are the parts of a data stream of the AI SDK 4, a code and JSON on each line, as events
// of its later versions: the type, and the field of the value ("" for an object's own).
var partTypes = map[byte][2]string{'0': {"text-delta", "delta"}, '2': {"data", "data"}, '3': {"error", "errorText"}, 'd': {"finish", ""},
	'f': {"start-step", ""},
	'h': {"source", "source"}}

// partOf reads a line of such a stream. Parts without a meaning here, such as reasoning, are empty.
func partOf(line []byte) (map[string]any, bool) {
	if !isPart(line) {
		return nil, false
	}
	v, err := decodeJSON(line[2:])
	kind := partTypes[line[0]]
	out := map[string]any{"type": cmp.Or(kind[0], "part")}
	if o, ok := v.(map[string]any); ok && kind[0] != "" && kind[1] == "" {
		mergeInto(out, o, "type")
	} else if kind[1] != "" {
		out[kind[1]] = v
	}
	return out, err == nil
}

func isPart(line []byte) bool {
	return len(line) > 3 && line[1] == ':' && strings.IndexByte("0123456789abcdefghijk", line[0]) >= 0 && strings.IndexByte(`"[{`, line[2]) >= 0
}

// isParts reports whether a body begins like a data stream of the AI SDK 4.
func isParts(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	if _, ok := partOf(line); whole {
		return ok
	}
	return isPart(line)
}

// isEvents reports whether a body begins like server-sent events.
func isEvents(head []byte) bool {
	if bytes.HasPrefix(head, []byte(":")) && bytes.ContainsAny(head, "\r\n") { // a comment that keeps the connection open
		_, rest, _ := bytes.Cut(head, []byte("\n"))
		return isEvents(bytes.TrimLeft(rest, " \r\n"))
	}
	for _, field := range []string{"data:", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(head, []byte(field)) {
			return field == "data:" || bytes.Contains(head, []byte("\ndata:")) || bytes.Contains(head, []byte("\rdata:")) ||
				bytes.HasPrefix(head, []byte("event: ping"))
		}
	}
	return false
}

// isJSON reports whether the head of a body is valid JSON so far.
func isJSON(head []byte) bool {
	d := json.NewDecoder(bytes.NewReader(head))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return true
		}
		if err != nil {
			// The head may end within a literal or a string.
			var syntax *json.SyntaxError
			return errors.As(err, &syntax) && syntax.Offset >= int64(len(head))
		}
	}
}

// withoutEnd returns a body without the event that ends a stream, which some servers send after
// a JSON value too.
func withoutEnd(raw []byte) []byte {
	if rest, found := bytes.CutSuffix(bytes.TrimRight(raw, " \t\r\n"), []byte("data: [DONE]")); found && len(rest) > 0 && rest[0] == '{' {
		return rest
	}
	return raw
}

// isLines reports whether a head has a complete JSON value on its first line and
// another after it.
func isLines(head []byte) bool {
	first, rest, more := bytes.Cut(head, []byte("\n"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return more && len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') && json.Valid(first)
}

// decoder decodes UTF-8, or UTF-16 with a byte order mark, and removes the mark;
// invalid bytes become U+FFFD.
func decoder() transform.Transformer {
	return transform.Chain(unicode.BOMOverride(encoding.Nop.NewDecoder()), unicode.UTF8.NewDecoder())
}

// ReadBody reads a whole body of a format into one decoded JSON value for a mapping or
// a known shape: the value itself; the assembled events of a stream, with the pieces of
// the answer joined and every other field with its last value; or plain text as a
// string. Invalid UTF-8 becomes U+FFFD. The error says what cannot be read and where;
// an interrupted stream is an error. An event that reports a failure of the system is a
// *[FailureError].
//
// An assembled stream has the form of the same server's reply without streaming if that
// is known: an OpenAI chat completion, the replies of LangServe, Dify, RAGFlow and
// Ollama. Otherwise the joined text is under "answer", or at m's path of the answer.
func ReadBody(r io.Reader, kind Kind, m Mapping) (any, error) {
	switch kind {
	case Events:
		return readEvents(transform.NewReader(r, decoder()), m)
	case Lines:
		return readLines(transform.NewReader(r, decoder()), m)
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("the reply was interrupted after %d bytes: %w", len(raw), err)
	}
	if raw, err = utf8Text(raw); err != nil {
		return nil, err
	}
	if kind == Plain {
		if v, ok := unpadded(raw, m); ok {
			return v, nil
		}
		return string(raw), nil
	}
	v, err := decodeJSON(withoutEnd(raw))
	if twice, ok := Decoded(v).(map[string]any); ok && isText(v) && m.Empty() {
		// Frameworks encode what is JSON already once more.
		if _, _, known := Detect(twice); known {
			return twice, nil
		}
	}
	return v, err
}

// Body reads a text as the body of a reply over HTTP whose content type is unknown.
func Body(text string, m Mapping) (any, error) {
	return ReadBody(strings.NewReader(text), KindOf("", []byte(text)), m)
}

// onlyEvents matches server-sent events and nothing else.
var onlyEvents = lazyregexp.New(`^(?:(?:(?:data|event|id|retry)?:.*|[ \t\r]*)\n)+$`)

// Returned reads a text that a program returns, or yields in pieces, as over HTTP: server-sent events,
// JSON lines, and JSON of a known shape (a list if it has an answer), are a reply. Another text is the answer as it is.
func Returned(text string, m Mapping) (any, error) {
	kind := KindOf("", []byte(text))
	blank := strings.Contains(strings.ReplaceAll(text, "\r", ""), "\n\n")
	if kind == Plain || kind == Events && !(blank && onlyEvents().MatchString(text+"\n")) || kind == Lines && areRecords(text) {
		return text, nil
	}
	v, err := ReadBody(strings.NewReader(text), kind, m)
	if kind == Events || errors.As(err, new(*FailureError)) {
		return v, err
	}
	found, _, known := Detect(v)
	said := found.paths[Answer].text
	if err == nil && (isObject(v) || isList(v) && said != "" && said != "$") && (known || !m.Empty() && m.paths[Answer].text != "$") {
		return v, nil
	}
	return text, nil
}

// areRecords reports whether JSON lines are an answer rather than pieces of one: a text beside the
// possible piece differs.
func areRecords(text string) bool {
	first := map[string]any{}
	for line := range strings.Lines(text) {
		o, _ := Decoded(line).(map[string]any)
		piece, _ := pieceOf(o)
		if o["done"] != nil || piece == "token" || piece == "delta" || piece == "chunk" {
			return false
		}
		for name, v := range o {
			if was := first[name]; piece != "" && name != piece && name != "type" && name != "event" && isText(was) && isText(v) && was != v {
				return true
			}
			first[name] = v
		}
	}
	return false
}

// utf8Text decodes a text, which nearly always is valid already.
func utf8Text(raw []byte) ([]byte, error) {
	if utf8.Valid(raw) && !bytes.HasPrefix(raw, []byte("\ufeff")) {
		return raw, nil
	}
	return io.ReadAll(transform.NewReader(bytes.NewReader(raw), decoder()))
}

// beginning shortens a body for a message.
func beginning(raw []byte) string {
	const runes = 40
	return text.Shorten(strings.ToValidUTF8(string(raw[:min(len(raw), 4*runes)]), ""), runes)
}

// readEvents parses server-sent events according to the HTML standard (section 9.2.6
// "Interpreting an event stream"), with three extensions: an event "end" needs no data,
// as LangServe sends it, the last event needs no empty line after it, and lines are
// events of their own where no line is empty, where each is a JSON object, and before [DONE].
func readEvents(in io.Reader, m Mapping) (any, error) {
	lines := newLineReader(in)
	a := newAssembly(m)
	var name string
	var data []byte
	some, apart := false, false // apart is set once an empty line has ended an event
	dispatch := func(each bool) error {
		if some || name == "end" {
			all := [][]byte{data}
			if each && !apart && !bytes.HasPrefix(data, []byte("{")) && !json.Valid(data) {
				all = bytes.Split(data, []byte("\n"))
			}
			for _, one := range all {
				if err := a.event(name, one); err != nil {
					return err
				}
			}
			name, data, some = "", data[:0], false
			return nil
		}
		name = ""
		return nil
	}
	for !a.ended {
		line, err := lines.next()
		if err == nil && len(line) == 0 {
			apart = apart || some
			if err := dispatch(false); err != nil {
				return nil, err
			}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		last := string(value) == "[DONE]"
		object := string(field) == "data" && bytes.HasPrefix(value, []byte("{")) && bytes.HasPrefix(data, []byte("{")) && json.Valid(data)
		if some && (last || object || string(field) == "event" && name != "") {
			if wrong := dispatch(last); wrong != nil {
				return nil, wrong
			}
		}
		switch string(field) {
		case "event":
			name = string(value)
		case "data":
			if some {
				data = append(data, '\n')
			}
			data, some = append(data, value...), true
		}
		// id and retry only matter for reconnecting; a comment has no field.
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) {
			if wrong := dispatch(len(line) == 0); wrong != nil {
				return nil, wrong
			}
		}
		return a.close(err)
	}
	return a.value()
}

// readLines reads one JSON value per line.
func readLines(in io.Reader, m Mapping) (any, error) {
	lines := newLineReader(in)
	a := newAssembly(m)
	for n := 1; !a.ended; n++ {
		line, err := lines.next()
		if line = bytes.Trim(line, " \t\x1e"); len(line) > 0 { // JSON text sequences begin with RS
			if err != nil && !errors.Is(err, io.EOF) {
				return a.close(err)
			}
			var v any
			var wrong error
			if part, ok := partOf(line); ok {
				v = part
			} else {
				v, wrong = decodeJSON(line)
			}
			if wrong != nil {
				return nil, fmt.Errorf("line %d: %w", n, wrong)
			}
			if wrong := a.add("", v, line); wrong != nil {
				return nil, wrong
			}
		}
		if err != nil {
			return a.close(err)
		}
	}
	return a.value()
}

// A lineReader reads lines that end in CR, LF or both.
type lineReader struct {
	in   *bufio.Reader
	line []byte
	// cr is set after a CR: a following LF belongs to it.
	cr bool
}

func newLineReader(in io.Reader) *lineReader { return &lineReader{in: bufio.NewReaderSize(in, 1<<16)} }

// next returns a line without its end, valid until the next call. At the end of the
// input it returns the rest, with the error.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for {
		if l.in.Buffered() == 0 {
			if _, err := l.in.Peek(1); err != nil {
				return l.line, err
			}
		}
		part, _ := l.in.Peek(l.in.Buffered())
		if l.cr && part[0] == '\n' {
			l.cr = false
			_, _ = l.in.Discard(1)
			continue
		}
		l.cr = false
		i := bytes.IndexAny(part, "\r\n")
		if i < 0 {
			l.line = append(l.line, part...)
			_, _ = l.in.Discard(len(part))
			continue
		}
		l.line = append(l.line, part[:i]...)
		l.cr = part[i] == '\r'
		_, _ = l.in.Discard(i + 1)
		return l.line, nil
	}
}
