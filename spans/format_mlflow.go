package spans

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// mlflowTrace is a trace of MLflow, as Trace.to_json of version 3 writes it.
var mlflowTrace = Format{
	Name: "MLflow",
	Doc:  "a trace an object, as Trace.to_json() of MLflow 3 writes it, or a row of search_traces() as JSON",
	is: func(o map[string]json.RawMessage) bool {
		return o["info"] != nil && o["data"] != nil || o["trace"] != nil && o["spans"] != nil
	},
	read: readMLflow,
}

func readMLflow(raw json.RawMessage) ([]Span, error) {
	var t struct {
		Info struct {
			TraceID   string `json:"trace_id"`
			RequestID string `json:"request_id"`
			State     string `json:"state"`
			Metadata  struct {
				Session string `json:"mlflow.trace.session"`
			} `json:"trace_metadata"`
		} `json:"info"`
		Data struct {
			Spans []struct {
				Name       string         `json:"name"`
				SpanID     string         `json:"span_id"`
				Parent     string         `json:"parent_span_id"`
				Parent2    string         `json:"parent_id"`
				Start      any            `json:"start_time_unix_nano"`
				Start2     any            `json:"start_time"`
				End        any            `json:"end_time_unix_nano"`
				End2       any            `json:"end_time"`
				Status     any            `json:"status"`
				Code2      string         `json:"status_code"`
				Message2   string         `json:"status_message"`
				Attributes map[string]any `json:"attributes"`
				Context    struct {
					SpanID string `json:"span_id"`
				} `json:"context"`
			} `json:"spans"`
		} `json:"data"`
	}
	var row struct {
		Trace string `json:"trace"` // a row has the trace as text
	}
	if json.Unmarshal(raw, &row) == nil && row.Trace != "" {
		raw = json.RawMessage(row.Trace)
	}
	if err := unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("trace of MLflow: %w", err)
	}
	id := cmp.Or(t.Info.TraceID, t.Info.RequestID)
	if id == "" {
		return nil, errors.New("trace of MLflow: info.trace_id is missing")
	}
	var out []Span
	var bad []error
	for _, sp := range t.Data.Spans {
		s := Span{Trace: id, ID: mlflowID(cmp.Or(sp.SpanID, sp.Context.SpanID)), Name: sp.Name, Attributes: sp.Attributes}
		s.Parent = mlflowID(cmp.Or(sp.Parent, sp.Parent2))
		if s.ID == "" {
			bad = append(bad, fmt.Errorf("trace of MLflow: span %q: span_id is missing", s.Name))
			continue
		}
		if err := s.took(cmp.Or(sp.Start, sp.Start2), cmp.Or(sp.End, sp.End2)); err != nil {
			bad = append(bad, fmt.Errorf("trace of MLflow: span %q: %w", s.Name, err))
			continue
		}
		status, _ := sp.Status.(map[string]any)
		code := cmp.Or(textIn(status, "code", "status_code"), sp.Code2)
		// A program may set the state of the trace alone.
		s.Failed = code == "STATUS_CODE_ERROR" || code == "ERROR" || s.Parent == "" && t.Info.State == "ERROR"
		s.Failure = cmp.Or(textIn(status, "message", "description"), sp.Message2)
		if s.Attributes == nil {
			s.Attributes = map[string]any{}
		}
		if t.Info.Metadata.Session != "" && s.Parent == "" {
			s.Attributes["mlflow.trace.session"] = t.Info.Metadata.Session
		}
		out = append(out, s)
	}
	return out, errors.Join(bad...)
}

// mlflowID returns an id as hexadecimal digits; newer versions write base64.
func mlflowID(s string) string {
	if _, err := hex.DecodeString(s); err == nil {
		return s
	}
	if b, err := base64.StdEncoding.DecodeString(s); err == nil && len(b) == 8 {
		return hex.EncodeToString(b)
	}
	return s
}
