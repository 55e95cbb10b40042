package profile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/llm/prompt"
)

// A Prompt is what a model is sent: a system text, "" when there is none, and a
// message.
type Prompt struct {
	System, User string
}

// A Section is a sub-question with its passages.
type Section struct {
	Question string
	Chunks   []Chunk
}

// A Chunk is a passage as it stands in a prompt.
type Chunk struct {
	// Number is what the model calls it by, in its reply or its citation.
	Number int
	// Document is the document's id or name.
	Document string
	// Page counts from 1; 0 when it is not known.
	Page int
	Text string
}

// Decompose is the prompt that asks for the key questions of a question, max of
// them at most.
func (p Profile) Decompose(question string, most int) (Prompt, error) {
	values := Values{phQuestion: prompt.EscapeTags(question), phMax: strconv.Itoa(most), phLanguage: Language(question)}
	message, err := p.joined([]string{Decompose, DecomposeFormat}, values)
	return Prompt{User: message}, err
}

// Filter is the prompt that asks how relevant passages are. Chunks need numbers
// that differ over all sections.
func (p Profile) Filter(question string, sections []Section) (Prompt, error) {
	values := common(question, sections)
	system, err := p.Render(Filter, values)
	if err != nil {
		return Prompt{}, err
	}
	intro, err := p.Render(FilterIntro, values)
	if err != nil {
		return Prompt{}, err
	}
	each, err := p.each(FilterSection, question, sections)
	if err != nil {
		return Prompt{}, err
	}
	outro, err := p.Render(FilterOutro, values)
	return Prompt{System: system, User: paragraphs(intro, each, outro)}, err
}

// Generate is the prompt that asks for the answer. Chunks have the numbers that
// citations are to have; one that serves two sections has the same in both.
func (p Profile) Generate(question string, sections []Section) (Prompt, error) {
	each, err := p.each(GeneratePerSubq, question, sections)
	if err != nil {
		return Prompt{}, err
	}
	values := common(question, sections)
	values[phSections] = each
	message, err := p.Render(Generate, values)
	return Prompt{User: message}, err
}

// common gives the values that do not depend on the section.
func common(question string, sections []Section) Values {
	var list []string
	for i, s := range sections {
		list = append(list, fmt.Sprintf("%d. %s", i+1, prompt.EscapeTags(s.Question)))
	}
	return Values{phQuestion: prompt.EscapeTags(question), phSubQuestions: strings.Join(list, "\n"), phLanguage: Language(question)}
}

// each renders a step for every section.
func (p Profile) each(step, question string, sections []Section) (string, error) {
	var out []string
	for i, s := range sections {
		text, err := p.Render(step, Values{
			phQuestion: prompt.EscapeTags(question), phLanguage: Language(question), phNumber: strconv.Itoa(i + 1),
			phSubQuestion: prompt.EscapeTags(s.Question), phChunks: Chunks(s.Chunks),
		})
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return paragraphs(out...), nil
}

// joined renders steps with the same values.
func (p Profile) joined(steps []string, values Values) (string, error) {
	var out []string
	for _, step := range steps {
		text, err := p.Render(step, values)
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return paragraphs(out...), nil
}

// paragraphs puts blank lines between texts.
func paragraphs(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t = strings.Trim(t, "\n"); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}

// Chunks writes passages as elements, one a paragraph. The texts are escaped, so
// that none can end its element or begin another.
func Chunks(chunks []Chunk) string {
	var out []string
	for _, c := range chunks {
		attributes := []string{"doc", strings.Join(strings.Fields(c.Document), " ")}
		if c.Page > 0 {
			attributes = append(attributes, "page", strconv.Itoa(c.Page))
		}
		out = append(out, prompt.Element("chunk_"+strconv.Itoa(c.Number), prompt.EscapeTags(strings.TrimSpace(c.Text)), attributes...))
	}
	return strings.Join(out, "\n\n")
}

// Language names the language of a text for a prompt where its script tells:
// "Japanese" with kana, "Korean" with hangul, "Chinese" when at least a fifth of
// the letters are Chinese characters; else "the language of the question".
func Language(s string) string {
	var letters, han, kana, hangul int
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Han, r):
			han++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters == 0:
	case 5*kana >= letters:
		return "Japanese"
	case 5*hangul >= letters:
		return "Korean"
	case 5*han >= letters:
		return "Chinese"
	}
	return "the language of the question"
}
