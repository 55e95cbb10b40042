package spans

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// langfuseObservation is an observation of Langfuse's API, or a trace with its observations.
var langfuseObservation = Format{
	Name: "Langfuse",
	Doc:  "an observation an object, or a trace with its observations, as the public API of Langfuse 3 returns them",
	is: func(o map[string]json.RawMessage) bool {
		return o["traceId"] != nil && o["type"] != nil || o["observations"] != nil
	},
	read: readLangfuse,
}

type langfuseEntry struct {
	ID           string          `json:"id"`
	Trace        string          `json:"traceId"`
	Parent       string          `json:"parentObservationId"`
	Type         string          `json:"type"`
	Name         string          `json:"name"`
	Start        any             `json:"startTime"`
	End          any             `json:"endTime"`
	Input        any             `json:"input"`
	Output       any             `json:"output"`
	Model        any             `json:"model"`
	Usage        map[string]any  `json:"usage"`
	UsageDetails map[string]any  `json:"usageDetails"`
	Level        string          `json:"level"`
	Message      string          `json:"statusMessage"`
	Session      any             `json:"sessionId"`
	Timestamp    any             `json:"timestamp"`
	Observations []langfuseEntry `json:"observations"`
}

func readLangfuse(raw json.RawMessage) ([]Span, error) {
	var e langfuseEntry
	if err := unmarshal(raw, &e); err != nil {
		if typed := new(json.UnmarshalTypeError); errors.As(err, &typed) && typed.Field == "observations" {
			return nil, errors.New("the observations of this Langfuse trace are ids: export each trace with GET /api/public/traces/ID, " +
				"or the observations with GET /api/public/observations")
		}
		return nil, fmt.Errorf("observation of Langfuse: %w", err)
	}
	if e.Observations == nil {
		s, err := e.span()
		return []Span{s}, err
	}
	// The trace is the parent of its observations.
	root := e
	root.Trace, root.Type, root.Start = e.ID, "SPAN", e.Timestamp
	s, err := root.span()
	if err != nil {
		return nil, err
	}
	out := []Span{s}
	var bad []error
	topmost := 0
	for _, o := range e.Observations {
		o.Trace = cmp.Or(o.Trace, e.ID)
		if o.Parent == "" || o.Parent == e.ID {
			topmost++
			out[0].Failed, out[0].Failure = topmost == 1 && o.Level == "ERROR", o.Message // a trace has no level
		}
		o.Parent = cmp.Or(o.Parent, e.ID)
		s, err := o.span()
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if out[0].End.Before(s.End) {
			out[0].End = s.End
		}
		out = append(out, s)
	}
	return out, errors.Join(bad...)
}

func (e *langfuseEntry) span() (Span, error) {
	s := Span{
		Trace: e.Trace, ID: e.ID, Parent: e.Parent, Name: e.Name, Failed: e.Level == "ERROR", Failure: e.Message,
		Attributes: map[string]any{"langfuse.observation.type": e.Type},
	}
	if s.Trace == "" || s.ID == "" {
		return Span{}, fmt.Errorf("observation %q of Langfuse: id or traceId is missing: expected both", e.Name)
	}
	for name, v := range map[string]any{
		"langfuse.observation.input": e.Input, "langfuse.observation.output": e.Output,
		"langfuse.observation.usage_details": oneOfMaps(e.UsageDetails, e.Usage),
		"langfuse.observation.model.name":    e.Model, "session.id": e.Session,
	} {
		if v != nil {
			s.Attributes[name] = v
		}
	}
	if err := s.took(e.Start, e.End); err != nil {
		return Span{}, fmt.Errorf("observation %q of Langfuse: %w", e.Name, err)
	}
	return s, nil
}

func oneOfMaps(list ...map[string]any) any {
	for _, m := range list {
		if len(m) > 0 {
			return m
		}
	}
	return nil
}
