package query

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/assay-eval/assay"
)

// Sieve reports whether a record, whole or in brief, can be selected, from its JSON as
// encoding/json writes it. It errs on the side of yes: to decode a record takes ten times
// as long as to look through its text.
func (f *Filter) Sieve(record []byte) bool {
	return f.test.may == nil || f.test.may(&encoded{raw: record})
}

// encoded is a record as JSON.
type encoded struct {
	raw, lower []byte
}

// lowered returns the record in lower case. Escapes have no capitals.
func (e *encoded) lowered() []byte {
	if e.lower == nil {
		e.lower = bytes.ToLower(e.raw)
	}
	return e.lower
}

// quoted returns a text in its encoded form.
func quoted(text string) []byte {
	b, _ := json.Marshal(text) // a string can always be encoded
	return b
}

// mayContain looks for any of the parts, which are in lower case.
func mayContain(parts []string) func(e *encoded) bool {
	in := make([][]byte, len(parts))
	for i, part := range parts {
		in[i] = quoted(part)
		in[i] = in[i][1 : len(in[i])-1]
	}
	return func(e *encoded) bool {
		for _, part := range in {
			if bytes.Contains(e.lowered(), part) {
				return true
			}
		}
		return false
	}
}

// mayQuote looks for any of the texts as a whole string.
func mayQuote(texts []string) func(e *encoded) bool {
	in := make([][]byte, len(texts))
	for i, text := range texts {
		in[i] = quoted(text)
	}
	return func(e *encoded) bool {
		for _, text := range in {
			if bytes.Contains(e.raw, text) {
				return true
			}
		}
		return false
	}
}

// mayHold reads the value of a metric. The beginning of its encoded score is like
// nothing else in a record, since quotes within texts are escaped.
func mayHold(m assay.MetricInfo, is func(float64) bool) func(e *encoded) bool {
	score := append(quoted(m.Name), `:{"state":"`...)
	return func(e *encoded) bool {
		_, rest, ok := bytes.Cut(e.raw, score)
		if !ok {
			// The record may have an earlier name of the metric.
			return true
		}
		name, rest, _ := bytes.Cut(rest, []byte(`","value":`))
		digits, _, _ := bytes.Cut(rest, []byte(","))
		v, err := strconv.ParseFloat(string(digits), 64)
		var state assay.State
		if err != nil || state.UnmarshalText(name) != nil {
			return true
		}
		v, ok = Value(m, assay.Score{State: state, Value: v})
		return ok && is(v)
	}
}
