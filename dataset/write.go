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
	// holds lists the labels that the form can store, by the names of [lossy];
	// nil means all.
	holds []string
	// needs is a label that every case must have, and has reports whether a case
	// has it.
	needs string
	has   func(c *assay.Case) bool
	// write is nil for a form that is a directory.
	write func(w io.Writer, d *Dataset) error
}

// forms lists the output forms.
func forms() []form {
	return []form{
		{name: "assay", extensions: []string{".json"}, write: writeJSON, holds: everything},
		{name: "jsonl", extensions: []string{".jsonl", ".ndjson"}, write: writeJSONLines, holds: everything},
		{name: "yaml", extensions: []string{".yaml", ".yml"}, write: writeYAML, holds: everything},
		{
			name: "contexts", write: writeContexts, holds: []string{"ground_truth", "reference_contexts"}, needs: "reference_contexts",
			has: func(c *assay.Case) bool { return len(c.Want.Passages) > 0 },
		},
		{
			name: "gold", write: writeGold, holds: []string{"expected_contexts", "expected_keywords"}, needs: "expected_contexts",
			has: func(c *assay.Case) bool { return c.Want.Documents != nil },
		},
		beirForm,
	}
}

// Forms lists the names of the output forms: assay's own format as JSON
// ("assay"), "jsonl" and "yaml", which store everything except recorded
// responses, and others, which store some labels. [Write] writes all that are one
// file; "beir" is a directory, which [WriteBEIR] writes.
func Forms() []string {
	var out []string
	for _, f := range forms() {
		out = append(out, f.name)
	}
	return out
}

// FormOf returns the form for the extension of a file name, or "".
func FormOf(path string) string {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range forms() {
		if slices.Contains(f.extensions, ext) {
			return f.name
		}
	}
	return ""
}

// Write writes the cases in a form of [Forms] that is one file. It describes, one
// item per line, what the form cannot store. If the form requires a label that a
// case lacks, it returns an error and writes nothing.
func Write(w io.Writer, d *Dataset, name string) (lost []string, err error) {
	all := forms()
	i := slices.IndexFunc(all, func(f form) bool { return f.name == name && f.write != nil })
	if i < 0 {
		known := Forms()
		return nil, fmt.Errorf("unknown form %q%s  (all: %s)", name, suggest(name, known), strings.Join(known, ", "))
	}
	if err := d.need(all[i]); err != nil {
		return nil, err
	}
	return d.lost(all[i].holds), all[i].write(w, d)
}

// need checks that every case has the required label.
func (d *Dataset) need(f form) error {
	if f.needs == "" {
		return nil
	}
	var lacking []string
	for _, c := range d.Cases.All() {
		if !f.has(&c) {
			lacking = append(lacking, c.ID)
		}
	}
	if lacking != nil {
		have := "have"
		if len(lacking) == 1 {
			have = "has"
		}
		return fmt.Errorf("form %s: %d of %s %s no %s: %s", f.name, len(lacking), countCases(d.Cases.Len()), have, f.needs, quoted(lacking))
	}
	return nil
}

// everything names all parts of a case.
var everything = func() []string {
	var out []string
	for _, l := range lossy {
		out = append(out, l.name)
	}
	return out
}()

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

// lost describes what a form cannot store.
func (d *Dataset) lost(holds []string) []string {
	var out []string
	say := func(what string, n int) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%s (%d of %s)", what, n, countCases(d.Cases.Len())))
		}
	}
	for _, l := range lossy {
		if !slices.Contains(holds, l.name) {
			say(l.says, d.Cases.Count(l.has))
		}
	}
	if !slices.Contains(holds, "metadata") {
		if slices.Contains(holds, "expected_contexts") {
			say("grades other than 1, and documents that are not relevant", d.Cases.Count(hasGrades))
		}
		if slices.Contains(holds, "ground_truth") {
			say("all but the first reference answer", d.Cases.Count(func(c *assay.Case) bool { return len(c.Want.Answers) > 1 }))
		}
	}
	say("recorded responses", d.Cases.Count(func(c *assay.Case) bool { _, ok := d.Responses[c.ID]; return ok }))
	return out
}

func hasGrades(c *assay.Case) bool {
	for _, g := range c.Want.Documents {
		if g != 1 {
			return true
		}
	}
	return false
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

func writeContexts(w io.Writer, d *Dataset) error {
	type item struct {
		ID       string   `json:"id"`
		Question string   `json:"question"`
		Passages []string `json:"ground_truth_contexts"`
		Answer   string   `json:"expected_answer,omitempty"`
	}
	out := []item{}
	for _, c := range d.Cases.All() {
		one := item{ID: c.ID, Question: c.Question, Passages: c.Want.Passages}
		if len(c.Want.Answers) > 0 {
			one.Answer = c.Want.Answers[0]
		}
		out = append(out, one)
	}
	return encode(w, out, "  ")
}

func writeGold(w io.Writer, d *Dataset) error {
	type item struct {
		ID       string   `json:"id"`
		Question string   `json:"question"`
		Sources  []string `json:"expected_sources"`
		Keywords []string `json:"expected_answer_contains,omitzero"`
	}
	for _, c := range d.Cases.All() {
		one := item{ID: c.ID, Question: c.Question, Sources: []string{}, Keywords: c.Want.Keywords}
		for _, id := range sortedKeys(c.Want.Documents) {
			if c.Want.Documents[id] > 0 {
				one.Sources = append(one.Sources, id)
			}
		}
		if err := encode(w, one, ""); err != nil {
			return err
		}
	}
	return nil
}
