package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// A form is an output form of a dataset.
type form struct {
	name string
	// extensions are the file extensions of the form.
	extensions []string
	// write is nil for a form that is a directory.
	write func(w io.Writer, d *Dataset) error
}

// forms are the output forms.
var forms = []form{
	{"assay", []string{".json"}, writeJSON},
	{"jsonl", []string{".jsonl", ".ndjson"}, writeJSONLines},
	{"yaml", []string{".yaml", ".yml"}, writeYAML},
	{name: "beir"},
}

// Forms lists the names of the output forms: assay's own format as JSON
// ("assay"), "jsonl" and "yaml", which store everything except recorded
// responses, and "beir", a directory that [WriteBEIR] writes.
func Forms() []string {
	var out []string
	for _, f := range forms {
		out = append(out, f.name)
	}
	return out
}

// FormOf returns the form for the extension of a file name, or "".
func FormOf(path string) string {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range forms {
		if slices.Contains(f.extensions, ext) {
			return f.name
		}
	}
	return ""
}

// Write writes the cases in a form of [Forms] that is one file. It describes, one
// item per line, what the form cannot store.
func Write(w io.Writer, d *Dataset, name string) (lost []string, err error) {
	i := slices.IndexFunc(forms, func(f form) bool { return f.name == name && f.write != nil })
	if i < 0 {
		known := Forms()
		return nil, fmt.Errorf("unknown form %q%s  (all: %s)", name, suggest(name, known), strings.Join(known, ", "))
	}
	return d.lost(nil), forms[i].write(w, d)
}

// A part of a case has the name of its field in assay's own format.
type part struct {
	name, says string
	has        func(c *assay.Case) bool
}

// lossy lists what a form may be unable to store.
var lossy = []part{
	{"ground_truth", "reference answers", func(c *assay.Case) bool { return c.Want.Answers != nil }},
	{"expected_contexts", "expected documents", func(c *assay.Case) bool { return c.Want.Documents != nil }},
	{"subtopics", "subtopics of documents", func(c *assay.Case) bool { return len(c.Want.Subtopics) > 0 }},
	{"reference_contexts", "reference texts", func(c *assay.Case) bool { return c.Want.Passages != nil }},
	{"expected_keywords", "keywords", func(c *assay.Case) bool { return c.Want.Keywords != nil }},
	{"sub_questions", "key questions", func(c *assay.Case) bool { return c.Want.SubQuestions != nil }},
	{"answerable", "marks of what is answerable", func(c *assay.Case) bool { return c.Want.Answerable != nil }},
	{"reference_transcript", "transcripts", func(c *assay.Case) bool { return c.Want.Transcript != nil }},
	{"ideal", "ideal answers", func(c *assay.Case) bool { return c.Want.Ideal != nil }},
	{"checks", "checks", func(c *assay.Case) bool { return c.Want.Checks != nil }},
	{"critical", "critical marks", func(c *assay.Case) bool { return c.Critical }},
	{"tags", "tags", func(c *assay.Case) bool { return len(c.Tags) > 0 }},
	{"group", "groups", func(c *assay.Case) bool { return c.Group != "" }},
	{"audio", "recordings", func(c *assay.Case) bool { return c.Audio != "" }},
	{"language", "languages", func(c *assay.Case) bool { return c.Language != "" }},
	{"metadata", "metadata", func(c *assay.Case) bool { return len(c.Metadata) > 0 }},
}

// partOf returns an entry of lossy.
func partOf(name string) part {
	return lossy[slices.IndexFunc(lossy, func(p part) bool { return p.name == name })]
}

// lost describes what a form without some parts cannot store.
func (d *Dataset) lost(parts []part) []string {
	var out []string
	responses := part{says: "recorded responses", has: func(c *assay.Case) bool { _, ok := d.Responses[c.ID]; return ok }}
	for _, l := range append(slices.Clip(parts), responses) {
		if n := d.Cases.Count(l.has); n > 0 {
			out = append(out, fmt.Sprintf("%s (%d of %s)", l.says, n, countCases(d.Cases.Len())))
		}
	}
	return out
}

// encode writes v as JSON without HTML escaping.
func encode(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}

// writtenCase is a case in assay's own format; its fields are in output order.
type writtenCase struct {
	ID           string         `json:"id"`
	Question     string         `json:"question"`
	Answers      any            `json:"ground_truth,omitempty"`
	Documents    any            `json:"expected_contexts,omitempty"`
	Passages     []string       `json:"reference_contexts,omitzero"`
	Keywords     []string       `json:"expected_keywords,omitzero"`
	SubQuestions []string       `json:"sub_questions,omitzero"`
	Answerable   *bool          `json:"answerable,omitempty"`
	Critical     bool           `json:"critical,omitempty"`
	Tags         []string       `json:"tags,omitempty"`
	Group        string         `json:"group,omitempty"`
	Language     string         `json:"language,omitempty"`
	Audio        string         `json:"audio,omitempty"`
	Transcript   *string        `json:"reference_transcript,omitempty"`
	Ideal        *writtenIdeal  `json:"ideal,omitempty"`
	Checks       []assay.Check  `json:"checks,omitzero"`
	Metadata     map[string]any `json:"metadata,omitempty"`
}

// writtenIdeal is an ideal answer that omits empty fields.
type writtenIdeal struct {
	Answer     string          `json:"answer,omitempty"`
	Points     []assay.Point   `json:"points,omitzero"`
	Passages   []assay.Passage `json:"passages,omitempty"`
	Model      string          `json:"model,omitempty"`
	PromptHash string          `json:"prompt_hash,omitempty"`
	Made       time.Time       `json:"made,omitzero"`
	Hash       string          `json:"hash,omitempty"`
}

// gradedDocument is an expected document with more than its name.
type gradedDocument struct {
	ID        string   `json:"id"`
	Grade     *int     `json:"grade,omitempty"`
	Subtopics []string `json:"subtopics,omitempty"`
}

func written(c assay.Case) writtenCase {
	out := writtenCase{
		ID: c.ID, Question: c.Question, Passages: c.Want.Passages, Keywords: c.Want.Keywords, SubQuestions: c.Want.SubQuestions,
		Answerable: c.Want.Answerable, Critical: c.Critical, Tags: c.Tags, Group: c.Group, Language: c.Language,
		Audio: c.Audio, Transcript: c.Want.Transcript,
		Ideal: (*writtenIdeal)(c.Want.Ideal), Checks: c.Want.Checks, Metadata: c.Metadata,
	}
	switch {
	case len(c.Want.Answers) == 1:
		out.Answers = c.Want.Answers[0]
	case c.Want.Answers != nil:
		out.Answers = c.Want.Answers
	}
	if c.Want.Documents != nil {
		documents := []any{}
		for _, id := range sortedKeys(c.Want.Documents) {
			one := gradedDocument{ID: id, Subtopics: c.Want.Subtopics[id]}
			if grade := c.Want.Documents[id]; grade != 1 {
				one.Grade = &grade
			}
			if one.Grade == nil && one.Subtopics == nil {
				documents = append(documents, id)
				continue
			}
			documents = append(documents, one)
		}
		out.Documents = documents
	}
	return out
}

// about returns the dataset's metadata, with its name.
func (d *Dataset) about() map[string]any {
	out := map[string]any{}
	if d.Info.Name != "" {
		out["name"] = d.Info.Name
	}
	for k, v := range d.Metadata {
		out[k] = v
	}
	return out
}

type writtenSet struct {
	Metadata map[string]any `json:"metadata,omitempty"`
	Cases    []writtenCase  `json:"test_cases"`
}

func (d *Dataset) written() writtenSet {
	out := writtenSet{Metadata: d.about(), Cases: []writtenCase{}}
	for _, c := range d.Cases.All() {
		out.Cases = append(out.Cases, written(c))
	}
	return out
}

func writeJSON(w io.Writer, d *Dataset) error { return encode(w, d.written(), "  ") }

func writeJSONLines(w io.Writer, d *Dataset) error {
	if about := d.about(); len(about) > 0 {
		if err := encode(w, map[string]any{"metadata": about}, ""); err != nil {
			return err
		}
	}
	for _, c := range d.Cases.All() {
		if err := encode(w, written(c), ""); err != nil {
			return err
		}
	}
	return nil
}

func writeYAML(w io.Writer, d *Dataset) error {
	var b bytes.Buffer
	if err := encode(&b, d.written(), ""); err != nil {
		return err
	}
	root, err := newJSONReader(b.Bytes(), d.Info.Name, 1).node()
	if err != nil {
		return err
	}
	return root.yaml(w)
}
