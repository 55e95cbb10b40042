package assay

import (
	"fmt"
	"strings"
)

// A Case is one test item: a question and what is known about its answer.
type Case struct {
	// ID names the case within its dataset. It is never empty after loading.
	ID string `json:"id"`
	// Question is what the target is asked. It is never blank after loading.
	Question string `json:"question"`
	// Want holds the case's labels.
	Want Want `json:"want,omitzero"`
	// Critical marks a case whose failure fails the run (exit code 2).
	Critical bool `json:"critical,omitempty"`
	// Tags group cases in reports and select them with --tags.
	Tags []string `json:"tags,omitempty"`
	// Group names a cluster of dependent cases (the same source document,
	// conversation or paraphrase family). Empty means that the case is
	// independent. In the records of a run it is what the setting group-by made
	// of the group of the dataset and of the expected documents.
	Group string `json:"group,omitempty"`
	// Language is the language tag of the question, such as "zh-Hant"; "" if the dataset
	// does not give one. It selects the prompts of judges.
	Language string `json:"language,omitempty"`
	// Draw is the repetition index of a case within a run, from 0. Repetitions
	// after the first have their own ids, such as "q1#2"; see [Case.Base].
	Draw int `json:"draw,omitempty"`
	// Audio is the path of a recording of the question, relative to the
	// dataset's file.
	Audio string `json:"audio,omitempty"`
	// Metadata is passed through unchanged.
	Metadata map[string]any `json:"metadata,omitempty"`
	// Origin is the position that the case was read from.
	Origin Origin `json:"origin,omitzero"`
}

// Base returns the id that all draws of a case share: the id of the first.
func (c Case) Base() string {
	if c.Draw == 0 {
		return c.ID
	}
	return strings.TrimSuffix(c.ID, drawSuffix(c.Draw))
}

// Repeated returns the case for the given draw, counted from 0. The id
// distinguishes it from other draws; the group marks them as dependent.
func (c Case) Repeated(draw int) Case {
	if c.Group == "" {
		c.Group = c.ID
	}
	c.Draw = draw
	if draw > 0 {
		c.ID += drawSuffix(draw)
	}
	return c
}

func drawSuffix(draw int) string { return fmt.Sprintf("#%d", draw+1) }

// Want holds a case's labels. In every field nil means "not labelled", and a
// metric that needs the label does not apply; empty means "labelled: none".
type Want struct {
	// Answers are reference answers; any of them is correct.
	Answers []string `json:"answers,omitzero"`
	// Documents maps the ids (or file names) of judged documents to grades:
	// 1 and above is relevant, 0 is judged and not relevant, below 0 is
	// pooled but not judged. A document that is absent was never judged.
	Documents map[string]int `json:"documents,omitzero"`
	// OwnText says that a document with the id of the case is the question itself, as in
	// some datasets of BEIR. Document metrics leave it out of rankings.
	OwnText bool `json:"own_text,omitempty"`
	// Subtopics maps documents to the aspects of the question that each covers.
	Subtopics map[string][]string `json:"subtopics,omitzero"`
	// Passages are texts that should be retrieved, matched by their words.
	Passages []string `json:"passages,omitzero"`
	// Keywords should occur; one entry may hold alternatives as "a|b".
	Keywords []string `json:"keywords,omitzero"`
	// SubQuestions are the key questions that a decomposition should find.
	SubQuestions []string `json:"sub_questions,omitzero"`
	// Transcript is the correct transcript of the recording.
	Transcript *string `json:"transcript,omitzero"`
	// Answerable reports whether the corpus contains an answer.
	Answerable *bool `json:"answerable,omitzero"`
	// Ideal is the frozen ideal answer with its points.
	Ideal *Ideal `json:"ideal,omitzero"`
	// Checks are exact rules about the response.
	Checks []Check `json:"checks,omitzero"`
}

// Relevant returns the number of documents that are labelled relevant.
func (w Want) Relevant() (n int) {
	for _, grade := range w.Documents {
		if grade >= 1 {
			n++
		}
	}
	return n
}

// An Origin is a position in a file, for messages.
type Origin struct {
	File string `json:"file,omitempty"`
	// Line counts from 1; 0 means that the position is not a line.
	Line int `json:"line,omitempty"`
}

// String returns "file:line", or the file alone when there is no line.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.File
	}
	return fmt.Sprintf("%s:%d", o.File, o.Line)
}

// A Document is one item of a corpus, before it is split into passages.
type Document struct {
	// ID names the document; judgments refer to it. For a folder of files it
	// is the slash-separated path below the folder.
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text"`
	// Source is where the document came from: a file path or an address.
	Source   string         `json:"source,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}
