package spans

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// spanObject is a span as an object of its own: as Phoenix exports it, and as the console
// exporter of OpenTelemetry's SDK for Python prints it.
var spanObject = Format{
	Name: "spans",
	Doc:  "a span an object: Phoenix's client and REST API, and the console exporter of OpenTelemetry's SDK for Python",
	is: func(o map[string]json.RawMessage) bool {
		return (o["context"] != nil || o["context.trace_id"] != nil || o["trace_id"] != nil) &&
			(o["start_time"] != nil || o["attributes"] != nil)
	},
	read: readSpanObject,
}

func readSpanObject(raw json.RawMessage) ([]Span, error) {
	var o map[string]any
	if err := unmarshal(raw, &o); err != nil {
		return nil, err
	}
	context, _ := o["context"].(map[string]any)
	s := Span{
		Trace: spanID(textIn(context, "trace_id") + textIn(o, "context.trace_id", "trace_id")), Parent: spanID(textIn(o, "parent_id")),
		ID:   spanID(cmp.Or(textIn(context, "span_id"), textIn(o, "context.span_id", "span_id"))),
		Name: textIn(o, "name"), Attributes: map[string]any{},
	}
	if s.Trace == "" || s.ID == "" {
		return nil, fmt.Errorf("span %q: trace_id or span_id is missing: expected both", s.Name)
	}
	for name, v := range o {
		// A data frame has a column for each attribute.
		if rest, ok := strings.CutPrefix(name, "attributes."); ok {
			flatten(rest, v, s.Attributes)
		}
	}
	if nested, ok := o["attributes"].(map[string]any); ok {
		flatten("", nested, s.Attributes)
	}
	if kind := textIn(o, "span_kind"); kind != "" && s.Attributes["openinference.span.kind"] == nil {
		s.Attributes["openinference.span.kind"] = strings.ToUpper(kind)
	}
	if err := s.took(o["start_time"], o["end_time"]); err != nil {
		return nil, fmt.Errorf("span %q: %w", s.Name, err)
	}
	status, _ := o["status"].(map[string]any)
	s.Failed = strings.EqualFold(textIn(o, "status_code")+textIn(status, "status_code"), "ERROR")
	s.Failure = cmp.Or(textIn(o, "status_message"), textIn(status, "description"))
	events, _ := decoded(o["events"]).([]any)
	for _, v := range events {
		e, ok := v.(map[string]any)
		if !ok {
			continue
		}
		attributes := map[string]any{}
		if nested, ok := e["attributes"].(map[string]any); ok {
			flatten("", nested, attributes)
		}
		s.Events = append(s.Events, Event{textIn(e, "name"), attributes})
	}
	s.exception()
	return []Span{s}, nil
}

// spanID drops the 0x that Python prints.
func spanID(s string) string { return strings.TrimPrefix(s, "0x") }

// timeLayouts are tried in this order; times without a zone are UTC.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
}

// took sets when the span started and ended.
func (s *Span) took(start, end any) error {
	var errStart, errEnd error
	s.Start, errStart = timeOf(start)
	s.End, errEnd = timeOf(end)
	return errors.Join(errStart, errEnd)
}

// timeOf reads a time as text, or as milliseconds, microseconds or nanoseconds since 1970, of
// which its size tells. Null is no time.
func timeOf(v any) (time.Time, error) {
	switch v := v.(type) {
	case nil:
		return time.Time{}, nil
	case string:
		if v == "" {
			return time.Time{}, nil
		}
		for _, layout := range timeLayouts {
			if t, err := time.Parse(layout, v); err == nil {
				return t.UTC(), nil
			}
		}
		return time.Time{}, fmt.Errorf("time %q: expected one as 2026-01-15T12:00:00Z", v)
	case json.Number:
		const milli, micro = 1e14, 1e17 // beyond the year 5000 in the smaller unit
		n, err := v.Int64()
		switch {
		case err != nil || n < 0:
			return time.Time{}, fmt.Errorf("time %s: expected milliseconds since 1970", v)
		case n < milli:
			return time.UnixMilli(n).UTC(), nil
		case n < micro:
			return time.UnixMicro(n).UTC(), nil
		}
		return time.Unix(0, n).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("time %v: expected one as 2026-01-15T12:00:00Z", v)
}
