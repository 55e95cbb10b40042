package run

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// clean makes a response safe to store and score: text becomes valid UTF-8, JSON
// values become valid JSON, numbers become finite. The response's warnings
// describe the changes. Everything else stays as it is: duplicates, empty texts,
// missing passages. clean does not write to the target's own slices.
func clean(r assay.Response) assay.Response {
	w := &washer{}
	r.Answer = w.text("answer", r.Answer)
	copied := false
	for i, p := range r.Passages {
		// NaN differs from itself, so this also detects a NaN score.
		if (&washer{}).passage("", p) == p {
			continue
		}
		if !copied {
			r.Passages, copied = slices.Clone(r.Passages), true
		}
		r.Passages[i] = w.passage(fmt.Sprintf("passages[%d].", i), p)
	}
	if r.Trace != nil {
		stages := slices.Clone(r.Trace.Stages)
		for i, s := range stages {
			at := fmt.Sprintf("trace.stages[%d].", i)
			s.Name, s.Model = w.text(at+"name", s.Name), w.text(at+"model", s.Model)
			s.Prompt, s.Note = w.text(at+"prompt", s.Prompt), w.text(at+"note", s.Note)
			s.Input, s.Output = w.json(at+"input", s.Input), w.json(at+"output", s.Output)
			stages[i] = s
		}
		r.Trace = &assay.Trace{Stages: stages, Latency: max(0, r.Trace.Latency)}
	}
	if r.Latency < 0 {
		w.note("latency", fmt.Sprintf("%v replaced by 0", r.Latency))
		r.Latency = 0
	}
	warnings := make([]string, 0, len(r.Warnings)+len(w.notes))
	for _, s := range r.Warnings {
		warnings = append(warnings, strings.ToValidUTF8(s, "\uFFFD"))
	}
	if r.Warnings = append(warnings, w.notes...); len(r.Warnings) == 0 {
		r.Warnings = nil
	}
	return r
}

// A washer cleans values and collects warnings.
type washer struct{ notes []string }

func (w *washer) note(field, what string) { w.notes = append(w.notes, field+": "+what) }

func (w *washer) text(field, s string) string {
	if utf8.ValidString(s) {
		return s
	}
	w.note(field, "invalid UTF-8 replaced")
	return strings.ToValidUTF8(s, "\uFFFD")
}

func (w *washer) passage(at string, p assay.Passage) assay.Passage {
	p.ID, p.Document = w.text(at+"id", p.ID), w.text(at+"document", p.Document)
	p.Source, p.Title = w.text(at+"source", p.Source), w.text(at+"title", p.Title)
	p.Text = w.text(at+"text", p.Text)
	if math.IsNaN(p.Score) || math.IsInf(p.Score, 0) {
		w.note(at+"score", fmt.Sprintf("%v replaced by 0", p.Score))
		p.Score = 0
	}
	return p
}

// json keeps a valid value and turns anything else into a string.
func (w *washer) json(field string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	s := w.text(field, string(raw))
	if json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	w.note(field, "not JSON, kept as text")
	quoted, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return nil
	}
	return quoted
}
