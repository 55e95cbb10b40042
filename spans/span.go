package spans

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/target/reply"
)

// A Span is one operation of a system, as it was recorded.
type Span struct {
	// Trace, ID and Parent identify the span. They are opaque: hexadecimal digits in
	// OpenTelemetry, UUIDs elsewhere. Parent is empty for the first span of a trace.
	Trace  string `json:"t"`
	ID     string `json:"i"`
	Parent string `json:"p,omitempty"`
	Name   string `json:"n,omitempty"`
	// Start and End are zero if they were not recorded.
	Start time.Time `json:"s,omitzero"`
	End   time.Time `json:"e,omitzero"`
	// Attributes have dotted names. A value is a string, a bool, a [json.Number], a list,
	// or an object where the format has one under that name.
	Attributes map[string]any `json:"a,omitempty"`
	// Dropped counts the attributes that the exporter left out at its limit of their number.
	Dropped int     `json:"d,omitempty"`
	Events  []Event `json:"v,omitempty"`
	// Failure says why the operation failed; "" if it did not, or if the status has no
	// message and Failed is set.
	Failure string `json:"f,omitempty"`
	Failed  bool   `json:"x,omitempty"`
}

// An Event is something that happened during a span.
type Event struct {
	Name       string         `json:"n"`
	Attributes map[string]any `json:"a,omitempty"`
}

// text returns an attribute that is a text; "" if it is missing or something else.
func (s *Span) text(name string) string {
	v, _ := s.Attributes[name].(string)
	return v
}

// first returns the first of several attributes that is a text with something in it.
func (s *Span) first(names ...string) string {
	for _, name := range names {
		if v := s.text(name); v != "" {
			return v
		}
	}
	return ""
}

// count returns the first of several attributes that is a whole number, 0 or more.
func (s *Span) count(names ...string) int {
	for _, name := range names {
		if n, ok := countOf(s.Attributes[name]); ok {
			return n
		}
	}
	return 0
}

// countOf reads a whole number from 0 to a billion: tokens of a call.
func countOf(v any) (int, bool) {
	const most = 1_000_000_000
	var f float64
	switch v := v.(type) {
	case json.Number:
		var err error
		if f, err = v.Float64(); err != nil {
			return 0, false
		}
	case float64:
		f = v
	case string:
		var err error
		if f, err = strconv.ParseFloat(v, 64); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	if !(f >= 0 && f <= most) || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

// has reports whether an attribute has the prefix.
func (s *Span) has(prefix string) bool {
	for name := range s.Attributes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// value returns an attribute; a text that is JSON of an object or a list is decoded.
func (s *Span) value(name string) any { return decoded(s.Attributes[name]) }

func decoded(v any) any { return reply.Decoded(v) }

// nested returns the attributes below a prefix as objects and lists: "a.0.b" is the field b of
// the first entry of the list a. nil if there are none.
func (s *Span) nested(prefix string) any {
	if v, ok := s.Attributes[prefix]; ok {
		return decoded(v)
	}
	root := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
		rest, ok := strings.CutPrefix(name, prefix+".")
		if !ok {
			continue
		}
		at := root
		parts := strings.Split(rest, ".")
		for _, part := range parts[:len(parts)-1] {
			next, ok := at[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[part] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = s.Attributes[name]
	}
	if len(root) == 0 {
		return nil
	}
	return listed(root)
}

// listed makes lists of objects whose names are all numbers, in the order of the numbers.
func listed(v any) any {
	o, ok := v.(map[string]any)
	if !ok {
		return v
	}
	type entry struct {
		at    int
		value any
	}
	var entries []entry
	for name, value := range o {
		o[name] = listed(value)
		if at, err := strconv.Atoi(name); err == nil && at >= 0 {
			entries = append(entries, entry{at, o[name]})
		}
	}
	if len(entries) < len(o) || len(o) == 0 {
		return o
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.at - b.at })
	out := make([]any, len(entries))
	for i, e := range entries {
		out[i] = e.value
	}
	return out
}

// flatten adds a value under dotted names: objects and lists of objects are taken apart, as
// OpenTelemetry has attributes.
func flatten(name string, v any, into map[string]any) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for k, value := range v {
			at := k
			if name != "" {
				at = name + "." + k
			}
			flatten(at, value, into)
		}
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(map[string]any); ok {
				for i, value := range v {
					flatten(name+"."+strconv.Itoa(i), value, into)
				}
				return
			}
		}
		into[name] = v
	default:
		into[name] = v
	}
}

// numbered matches an attribute of an entry of a list, such as "retrieval.documents.3.document.id".
var numbered = lazyregexp.New(`\.\d+\.`)

// incomplete returns what a span has of a list that lost attributes; "" if all of it is there.
func (s *Span) incomplete() string {
	for name := range s.Attributes {
		if s.Dropped > 0 && numbered().MatchString(name) {
			return fmt.Sprintf("%d attributes were dropped at the exporter's limit (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT)", s.Dropped)
		}
	}
	return ""
}

// cut reports whether an exporter may have cut texts at its limit: JSON does not end, or three texts or more are of one
// length, which none exceeds, and one has no end of a sentence; or whether it dropped attributes.
func (s *Span) cut() bool {
	if s.incomplete() != "" {
		return true
	}
	longest, within, texts := 0, false, map[string]bool{}
	for _, v := range s.Attributes {
		text, _ := v.(string)
		if strings.HasPrefix(text, `{"`) || strings.HasPrefix(text, `[{"`) {
			if err := json.NewDecoder(strings.NewReader(text)).Decode(&json.RawMessage{}); errors.Is(err, io.ErrUnexpectedEOF) {
				return true
			}
		}
		n := utf8.RuneCountInString(text)
		if n > longest {
			longest, within = n, false
			clear(texts)
		}
		if n == longest && strings.Contains(text, " ") {
			texts[text] = true
			within = within || strings.TrimRight(text, ".!?。！？") == text
		}
	}
	return within && len(texts) > 2
}
