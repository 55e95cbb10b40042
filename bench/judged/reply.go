//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge/standin"
)

// because is the reason of each ruling, of the length that models give.
const because = "The passages state this in the same terms, with the same names and dates, and nothing in them contradicts it."

// reply returns what a model might say to a prompt of a peer: all claims are supported, and
// there are as many of them as the text has sentences. A prompt that no peer is known to
// send is an error.
func reply(c chat) (string, error) {
	last := ""
	if n := len(c.Messages); n > 0 {
		last = string(c.Messages[n-1].Content)
	}
	s, err := schemaOf(c)
	if err != nil {
		return "", err
	}
	if s == nil {
		return plain(last, c)
	}
	items, err := material(s.Title, last)
	if err != nil {
		return "", err
	}
	f := filler{defs: s.Defs, items: items}
	said, err := f.fill("", *s, "")
	if err != nil {
		return "", fmt.Errorf("schema %q: %w", s.Title, err)
	}
	data, err := json.Marshal(said)
	return string(data), err
}

// A schema is the part of JSON Schema that the peers use.
type schema struct {
	Title, Type string
	Ref         string `json:"$ref"`
	Enum        []string
	AnyOf       []schema
	Items       *schema
	Properties  map[string]schema
	Defs        map[string]schema `json:"$defs"`
}

// mark is what the client of ragas writes before the schema of a reply, in a message.
const mark = "json_schema:"

// schemaOf returns the schema of the reply that a request wants, nil if it names none.
func schemaOf(c chat) (*schema, error) {
	var format struct {
		Schema *struct {
			Name   string
			Schema schema
		} `json:"json_schema"`
	}
	if len(c.Format) > 0 {
		if err := json.Unmarshal(c.Format, &format); err != nil {
			return nil, err
		}
	}
	if format.Schema != nil {
		if format.Schema.Schema.Title == "" {
			format.Schema.Schema.Title = format.Schema.Name
		}
		return &format.Schema.Schema, nil
	}
	for _, m := range c.Messages {
		if _, after, ok := strings.Cut(string(m.Content), mark); ok && m.Role == "system" {
			var s schema
			return &s, json.NewDecoder(strings.NewReader(after)).Decode(&s)
		}
	}
	return nil, nil
}

// material returns the items that the lists of a reply are made of, by the name of the list:
// the claims or passages of the prompt. The title is that of the schema.
func material(title, prompt string) (func(list string) []string, error) {
	all := func(items []string) (func(string) []string, error) {
		if len(items) == 0 {
			return nil, fmt.Errorf("a prompt for %q has no items: %.2000s", title, prompt)
		}
		return func(string) []string { return items }, nil
	}
	// ragas: the last input of the prompt is JSON.
	var input struct {
		Question, Context string
		Answer, Response  texts
		Statements        texts
		Truth             texts `json:"ground_truth"`
	}
	if at := strings.LastIndex(prompt, "\ninput: "); at >= 0 {
		if err := json.NewDecoder(strings.NewReader(prompt[at+len("\ninput: "):])).Decode(&input); err != nil {
			return nil, fmt.Errorf("the input of a prompt for %q: %w", title, err)
		}
	}
	switch title {
	case "StatementGeneratorOutput", "ContextRecallOutput":
		return all(input.Answer.sentences())
	case "NLIStatementOutput":
		return all(input.Statements)
	case "ClassificationWithReason":
		if len(input.Answer) == 0 || len(input.Truth) == 0 {
			return all(nil)
		}
		half := (len(input.Answer) + 1) / 2
		return func(list string) []string {
			switch list {
			case "TP":
				return input.Answer[:half]
			case "FP":
				return input.Answer[half:]
			}
			return input.Truth[len(input.Truth)/2:]
		}, nil
	case "AnswerRelevanceOutput":
		return all(input.Response)
	case "ContextPrecisionOutput":
		return nil, nil
	// deepeval: the material stands below its heading, a list as Python shows it.
	case "Truths":
		return all(sentences(under(prompt, "Text:")))
	case "Claims":
		return all(sentences(under(prompt, "AI Output:")))
	case "Statements":
		return all(sentences(under(prompt, "Text:")))
	case "Verdicts":
		for _, heading := range []string{"Claims:", "Statements:"} {
			if text := under(prompt, heading); text != "" {
				return all(pythonList(text))
			}
		}
		// Of contextual recall the expected output comes first, of precision the input does.
		if strings.HasPrefix(prompt, "For EACH sentence") {
			return all(sentences(under(prompt, "Expected Output:")))
		}
		for heading := range strings.Lines(prompt) {
			if strings.HasPrefix(heading, "Retrieval Context ") {
				return all(pythonList(under(prompt, strings.TrimSpace(heading))))
			}
		}
		return all(nil)
	case "FaithfulnessScoreReason", "AnswerRelevancyScoreReason", "ContextualPrecisionScoreReason", "ContextualRecallScoreReason":
		return nil, nil
	}
	return nil, fmt.Errorf("a prompt for %q, which is none of those known: %.2000s", title, prompt)
}

// under returns the text below the last such heading of a prompt of deepeval, up to the next
// one or to the end, which says "JSON:"; "" if it has no such heading.
func under(prompt, heading string) string {
	at := strings.LastIndex(prompt, "\n"+heading+"\n")
	if at < 0 {
		return ""
	}
	text := prompt[at+len(heading)+2:]
	for _, next := range []string{"\n\nRetrieval Context", "\n\nClaims:\n", "\n\nJSON:"} {
		text, _, _ = strings.Cut(text, next)
	}
	return text
}

// sentences returns the sentences of a text.
func sentences(text string) []string {
	var out []string
	for _, s := range standin.Sentences(text) {
		out = append(out, s.Text)
	}
	return out
}

// texts is a text or a list of texts.
type texts []string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

func (t texts) sentences() []string { return sentences(strings.Join(t, "\n")) }

// pythonList reads a list of texts as Python shows it, with the escapes left as they are.
func pythonList(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		quote := text[i]
		if quote != '\'' && quote != '"' {
			continue
		}
		from := i + 1
		for i = from; i < len(text) && text[i] != quote; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		out = append(out, text[from:min(i, len(text))])
	}
	return out
}

// A filler makes a value of a schema.
type filler struct {
	defs  map[string]schema
	items func(list string) []string
}

// fill returns a value of the schema of a field; item is what the field is about.
func (f filler) fill(name string, s schema, item string) (any, error) {
	if at := strings.LastIndexByte(s.Ref, '/'); at >= 0 {
		def, ok := f.defs[s.Ref[at+1:]]
		if !ok {
			return nil, fmt.Errorf("no definition of %s", s.Ref)
		}
		return f.fill(name, def, item)
	}
	if len(s.Enum) > 0 {
		if slices.Contains(s.Enum, "yes") {
			return "yes", nil
		}
		return s.Enum[0], nil
	}
	if slices.ContainsFunc(s.AnyOf, func(one schema) bool { return one.Type == "null" }) {
		return nil, nil
	}
	switch s.Type {
	case "object":
		out := map[string]any{}
		for field, of := range s.Properties {
			v, err := f.fill(field, of, item)
			if err != nil {
				return nil, err
			}
			out[field] = v
		}
		return out, nil
	case "array":
		if s.Items == nil || f.items == nil {
			return nil, fmt.Errorf("nothing to fill the list %s with", name)
		}
		out := []any{}
		for _, one := range f.items(name) {
			v, err := f.fill(name, *s.Items, one)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case "string":
		switch {
		case name == "reason":
			return because, nil
		case name == "question" && f.items != nil:
			return standin.QuestionAbout(0, strings.Join(f.items(name), " ")), nil
		case item == "":
			return nil, fmt.Errorf("nothing to fill the text %s with", name)
		}
		return item, nil
	case "integer", "number":
		if name == "noncommittal" {
			return 0, nil
		}
		return 1, nil
	}
	return nil, fmt.Errorf("the field %q is of no known type: %q", name, s.Type)
}

// between returns the text from the last such mark to the end that follows it.
func between(prompt, from, to string) string {
	_, text, _ := strings.Cut(prompt[max(0, strings.LastIndex(prompt, from)):], from)
	text, _, _ = strings.Cut(text, to)
	return strings.TrimSpace(text)
}

// plain returns the reply to a prompt whose format stands in its words alone: those of
// promptfoo, and the grade of deepeval's GEval.
func plain(prompt string, c chat) (string, error) {
	var b strings.Builder
	first := string(c.Messages[0].Content)
	switch {
	case strings.HasPrefix(prompt, "You are an evaluator.") && c.LogProbs:
		return `{"reason": "` + because + `", "score": 8}`, nil
	case strings.HasPrefix(first, "You are a precise factuality evaluator"):
		return `{"category": "C", "reason": "` + because + `"}`, nil
	case strings.HasPrefix(prompt, "Generate question for the given answer."):
		return standin.QuestionAbout(0, between(prompt, "\nAnswer:", "\nQuestion:")), nil
	case strings.HasPrefix(prompt, "Given a question and answer, create one or more statements"):
		return strings.Join(lines(sentences(between(prompt, "\nanswer: ", "\nstatements:"))), "\n"), nil
	case strings.HasPrefix(prompt, "Prompt: Natural language inference"):
		stated := strings.Split(between(prompt, "\nstatements:\n", "\nAnswer:"), "\n")
		for i, s := range stated {
			fmt.Fprintf(&b, "%d. %s\nExplanation: %s Verdict: Yes.\n", i+1, s, because)
		}
		fmt.Fprintf(&b, "Final verdict for each statement in order:%s", strings.Repeat(" Yes.", len(stated)))
		return b.String(), nil
	case strings.HasPrefix(prompt, "Given a context, and an answer, analyze each sentence"):
		for i, s := range lines(sentences(between(prompt, "\nanswer:", "\nclassification:"))) {
			fmt.Fprintf(&b, "%d. %s %s So [Attributed]\n", i+1, s, because)
		}
		return b.String(), nil
	case strings.HasPrefix(prompt, "Please extract relevant sentences from the provided context"):
		said := sentences(between(prompt, "\ncontext: ", "\ncandidate sentences:"))
		if len(said) == 0 {
			return "", errors.New("a prompt for relevant sentences has no context")
		}
		return strings.Join(lines(said[:min(3, len(said))]), "\n"), nil
	}
	return "", fmt.Errorf("a prompt that is none of those known: %.2000s", prompt)
}

// lines makes each text one line.
func lines(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = strings.Join(strings.Fields(s), " ")
	}
	return out
}
