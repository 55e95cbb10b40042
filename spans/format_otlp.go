package spans

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/assay-eval/assay"
)

// otlp is what OpenTelemetry exports: ExportTraceServiceRequest of OTLP 1.x.
var otlp = Format{
	Name: "OTLP",
	Doc:  "OpenTelemetry's own: a request a line, as the Collector's file exporter writes",
	is:   isOTLP,
	read: readOTLP,
}

func isOTLP(o map[string]json.RawMessage) bool {
	return o["resourceSpans"] != nil || o["resource_spans"] != nil
}

// The messages of OTLP as JSON. Names are in lowerCamelCase; some exporters write
// snake_case, which encoding/json does not match, so that both are fields.
type otlpRequest struct {
	ResourceSpans  []otlpResource `json:"resourceSpans"`
	ResourceSpans2 []otlpResource `json:"resource_spans"`
}

type otlpResource struct {
	ScopeSpans  []otlpScope `json:"scopeSpans"`
	ScopeSpans2 []otlpScope `json:"scope_spans"`
}

type otlpScope struct {
	Spans []otlpSpan `json:"spans"`
}

type otlpSpan struct {
	TraceID       string          `json:"traceId"`
	TraceID2      string          `json:"trace_id"`
	SpanID        string          `json:"spanId"`
	SpanID2       string          `json:"span_id"`
	ParentSpanID  string          `json:"parentSpanId"`
	ParentSpanID2 string          `json:"parent_span_id"`
	Name          string          `json:"name"`
	Start         any             `json:"startTimeUnixNano"`
	Start2        any             `json:"start_time_unix_nano"`
	End           any             `json:"endTimeUnixNano"`
	End2          any             `json:"end_time_unix_nano"`
	Attributes    []otlpAttribute `json:"attributes"`
	Dropped       any             `json:"droppedAttributesCount"`
	Dropped2      any             `json:"dropped_attributes_count"`
	Events        []struct {
		Name       string          `json:"name"`
		Attributes []otlpAttribute `json:"attributes"`
	} `json:"events"`
	Status struct {
		Code    any    `json:"code"`
		Message string `json:"message"`
	} `json:"status"`
}

type otlpAttribute struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

type otlpValue struct {
	String  *string      `json:"stringValue"`
	String2 *string      `json:"string_value"`
	Bool    *bool        `json:"boolValue"`
	Bool2   *bool        `json:"bool_value"`
	Int     any          `json:"intValue"`
	Int2    any          `json:"int_value"`
	Double  any          `json:"doubleValue"`
	Double2 any          `json:"double_value"`
	Bytes   *string      `json:"bytesValue"`
	Array   *otlpArray   `json:"arrayValue"`
	Array2  *otlpArray   `json:"array_value"`
	List    *otlpEntries `json:"kvlistValue"`
	List2   *otlpEntries `json:"kvlist_value"`
}

type otlpArray struct {
	Values []otlpValue `json:"values"`
}

type otlpEntries struct {
	Values []otlpAttribute `json:"values"`
}

// value returns the value as JSON has it, numbers as [json.Number].
func (v otlpValue) value() any {
	switch {
	case v.String != nil:
		return *v.String
	case v.String2 != nil:
		return *v.String2
	case v.Bool != nil:
		return *v.Bool
	case v.Bool2 != nil:
		return *v.Bool2
	case v.Bytes != nil:
		return *v.Bytes
	}
	for _, number := range []any{v.Int, v.Int2, v.Double, v.Double2} {
		switch n := number.(type) {
		case json.Number:
			return n
		case string: // 64-bit integers are texts in the JSON of protobuf
			if _, err := strconv.ParseFloat(n, 64); err == nil {
				return json.Number(n)
			}
		}
	}
	for _, a := range []*otlpArray{v.Array, v.Array2} {
		if a != nil {
			out := make([]any, len(a.Values))
			for i, e := range a.Values {
				out[i] = e.value()
			}
			return out
		}
	}
	for _, l := range []*otlpEntries{v.List, v.List2} {
		if l != nil {
			out := map[string]any{}
			for _, e := range l.Values {
				out[e.Key] = e.Value.value()
			}
			return out
		}
	}
	return nil
}

func otlpAttributes(list []otlpAttribute) map[string]any {
	out := make(map[string]any, len(list))
	for _, a := range list {
		flatten(a.Key, a.Value.value(), out)
	}
	return out
}

// JSON reads the spans of an ExportTraceServiceRequest. One without spans is valid.
func JSON(b []byte) ([]Span, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil || len(fields) > 0 && !isOTLP(fields) {
		return nil, errors.New(`no message of OTLP: expected an ExportTraceServiceRequest, {"resourceSpans": …}`)
	}
	return readOTLP(b)
}

func readOTLP(raw json.RawMessage) ([]Span, error) {
	var request otlpRequest
	if err := unmarshal(raw, &request); err != nil {
		return nil, fmt.Errorf("OTLP: %w", err)
	}
	var out []Span
	var bad []error
	for _, r := range append(request.ResourceSpans, request.ResourceSpans2...) {
		for _, sc := range append(r.ScopeSpans, r.ScopeSpans2...) {
			for _, sp := range sc.Spans {
				s, err := sp.span()
				if err != nil {
					bad = append(bad, fmt.Errorf("OTLP: span %q: %w", sp.Name, err))
					continue
				}
				out = append(out, s)
			}
		}
	}
	return out, errors.Join(bad...)
}

func (o *otlpSpan) span() (Span, error) {
	s := Span{
		Trace: otlpID(o.TraceID + o.TraceID2), ID: otlpID(o.SpanID + o.SpanID2), Parent: otlpID(o.ParentSpanID + o.ParentSpanID2), Name: o.Name,
		Attributes: otlpAttributes(o.Attributes),
	}
	s.Dropped, _ = countOf(cmp.Or(o.Dropped, o.Dropped2))
	if s.Trace == "" || s.ID == "" {
		return Span{}, errors.New("traceId or spanId is missing: expected both")
	}
	var err error
	for _, at := range []struct {
		name string
		list [2]any
		to   *time.Time
	}{{"startTimeUnixNano", [2]any{o.Start, o.Start2}, &s.Start}, {"endTimeUnixNano", [2]any{o.End, o.End2}, &s.End}} {
		for _, v := range at.list {
			if v == nil {
				continue
			}
			if *at.to, err = unixNano(v); err != nil {
				return Span{}, fmt.Errorf("%s: %w", at.name, err)
			}
		}
	}
	switch code := o.Status.Code.(type) {
	case json.Number:
		s.Failed = code == "2"
	case string:
		s.Failed = code == "STATUS_CODE_ERROR"
	}
	s.Failure = o.Status.Message
	for _, e := range o.Events {
		s.Events = append(s.Events, Event{e.Name, otlpAttributes(e.Attributes)})
	}
	s.exception()
	return s, nil
}

// exception takes the reason of a failure from the event that has it.
func (s *Span) exception() {
	if !s.Failed || s.Failure != "" {
		return
	}
	for _, e := range s.Events {
		if e.Name == "exception" {
			s.Failure, _ = e.Attributes["exception.message"].(string)
		}
	}
}

// unixNano reads nanoseconds since 1970.
func unixNano(v any) (time.Time, error) {
	text := fmt.Sprint(v)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return time.Time{}, fmt.Errorf("%q: expected nanoseconds since 1970", text)
	}
	if n == 0 {
		return time.Time{}, nil
	}
	return time.Unix(0, n).UTC(), nil
}

// otlpID returns an id as hexadecimal digits. JSON of OTLP has them, that of plain protobuf
// has base64.
func otlpID(s string) string {
	if b, err := hex.DecodeString(s); err == nil {
		if len(strings.Trim(string(b), "\x00")) == 0 {
			return ""
		}
		return strings.ToLower(s)
	}
	if b, err := base64.StdEncoding.DecodeString(s); err == nil && (len(b) == 16 || len(b) == 8) {
		return hex.EncodeToString(b)
	}
	return s
}

// isProtobuf reports whether a file begins as a request of OTLP does: with its first field, a
// message. That is a line end too, which JSON may begin with, but then no length follows.
func isProtobuf(head []byte) bool {
	return head[0] == '\n' && len(head) > 1 && !strings.ContainsRune(" \t\r\n{[", rune(head[1]))
}

// mostProtobuf bounds a request: it is read as a whole.
const mostProtobuf = 256 << 20

func readProtobuf(r io.Reader, name string, add func(Span) error) error {
	b, err := io.ReadAll(io.LimitReader(r, mostProtobuf+1))
	if err == nil && len(b) > mostProtobuf {
		err = fmt.Errorf("a message of OTLP of more than %d MB: expected smaller ones, or JSON with a request a line", mostProtobuf>>20)
	}
	var list []Span
	if err == nil {
		list, err = Protobuf(b)
	}
	for _, s := range list {
		if err := add(s); err != nil {
			return err
		}
	}
	if err == nil {
		return nil
	}
	return skipped(&ReadError{assay.Origin{File: name}, err.Error()}, countOfErrors(err), len(list) > 0)
}

// Protobuf reads the spans of an ExportTraceServiceRequest, which has the form of TracesData.
func Protobuf(b []byte) ([]Span, error) {
	var request trace.TracesData
	if err := proto.Unmarshal(b, &request); err != nil {
		return nil, errors.New("no message of OTLP: expected an ExportTraceServiceRequest as protobuf")
	}
	var out []Span
	var bad []error
	for _, r := range request.GetResourceSpans() {
		for _, sc := range r.GetScopeSpans() {
			for _, sp := range sc.GetSpans() {
				s := ofProtobuf(sp)
				if s.Trace == "" || s.ID == "" {
					bad = append(bad, fmt.Errorf("OTLP: span %q: trace_id or span_id is missing: expected both", s.Name))
					continue
				}
				out = append(out, s)
			}
		}
	}
	return out, errors.Join(bad...)
}

func ofProtobuf(p *trace.Span) Span {
	s := Span{
		Trace: otlpID(hex.EncodeToString(p.GetTraceId())), ID: otlpID(hex.EncodeToString(p.GetSpanId())),
		Parent: otlpID(hex.EncodeToString(p.GetParentSpanId())), Name: p.GetName(), Attributes: ofPairs(p.GetAttributes()),
		Failed: p.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR, Failure: p.GetStatus().GetMessage(),
		Dropped: int(p.GetDroppedAttributesCount()),
	}
	for _, at := range []struct {
		nanos uint64
		to    *time.Time
	}{{p.GetStartTimeUnixNano(), &s.Start}, {p.GetEndTimeUnixNano(), &s.End}} {
		if at.nanos > 0 && at.nanos < 1<<63 {
			*at.to = time.Unix(0, int64(at.nanos)).UTC()
		}
	}
	for _, e := range p.GetEvents() {
		s.Events = append(s.Events, Event{e.GetName(), ofPairs(e.GetAttributes())})
	}
	s.exception()
	return s
}

func ofPairs(list []*common.KeyValue) map[string]any {
	out := make(map[string]any, len(list))
	for _, a := range list {
		flatten(a.GetKey(), ofAny(a.GetValue()), out)
	}
	return out
}

func ofAny(v *common.AnyValue) any {
	switch v := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_BoolValue:
		return v.BoolValue
	case *common.AnyValue_IntValue:
		return json.Number(strconv.FormatInt(v.IntValue, 10))
	case *common.AnyValue_DoubleValue:
		text := strconv.FormatFloat(v.DoubleValue, 'g', -1, 64)
		if !json.Valid([]byte(text)) { // NaN and infinity
			return nil
		}
		return json.Number(text)
	case *common.AnyValue_BytesValue:
		return base64.StdEncoding.EncodeToString(v.BytesValue)
	case *common.AnyValue_ArrayValue:
		out := make([]any, len(v.ArrayValue.GetValues()))
		for i, e := range v.ArrayValue.GetValues() {
			out[i] = ofAny(e)
		}
		return out
	case *common.AnyValue_KvlistValue:
		out := map[string]any{}
		for _, e := range v.KvlistValue.GetValues() {
			out[e.GetKey()] = ofAny(e.GetValue())
		}
		return out
	}
	return nil
}
