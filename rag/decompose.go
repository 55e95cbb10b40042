package rag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

// ModelDecomposer is a [Decomposer] that asks a model, with the decompose templates of
// the profile. A reply with no question, with more than [MaxSubQuestions], or with a
// blank one is sent back once; duplicate questions are dropped. A blank question is not
// sent.
type ModelDecomposer struct{ Model Model }

// Identity returns the model's identity.
func (d ModelDecomposer) Identity() string { return d.Model.Identity() }

var questionsSchema = json.RawMessage(
	`{"type":"object","additionalProperties":false,"required":["questions"],"properties":{"questions":{"type":"array",` +
		`"items":{"type":"string"}}}}`)

// Decompose asks the model.
func (d ModelDecomposer) Decompose(ctx context.Context, t Turn, question string) ([]string, Step, error) {
	if strings.TrimSpace(question) == "" {
		return []string{question}, Step{Note: "empty question, nothing to decompose"}, nil
	}
	p, err := t.Profile.Decompose(question, MaxSubQuestions)
	if err != nil {
		return nil, Step{}, &replyError{err}
	}
	var questions []string
	step, err := d.Model.ask(ctx, d.Model.request(opDecompose, t, p, questionsSchema), func(reply llm.Reply) (err error) {
		questions, err = readQuestions(reply.Text)
		return err
	})
	if err != nil {
		return nil, step, err
	}
	different := once(questions)
	if n := len(questions) - len(different); n > 0 {
		step.note(fmt.Sprintf("%d of %d questions were duplicates", n, len(questions)))
	}
	return different, step, nil
}

// readQuestions parses the reply to a decomposition.
func readQuestions(reply string) ([]string, error) {
	var r struct {
		Questions []string `json:"questions"`
	}
	if err := readObject(reply, &r); err != nil {
		return nil, err
	}
	if n := len(r.Questions); n == 0 || n > MaxSubQuestions {
		return nil, fmt.Errorf("it has %d questions: want 1 to %d", n, MaxSubQuestions)
	}
	for i, q := range r.Questions {
		if r.Questions[i] = text.Collapse(q); r.Questions[i] == "" {
			return nil, errors.New("it has a blank question: want each with text")
		}
	}
	return r.Questions, nil
}

// once removes duplicates, ignoring case and white space.
func once(questions []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, q := range questions {
		if k := strings.ToLower(text.Collapse(q)); !seen[k] {
			seen[k] = true
			out = append(out, q)
		}
	}
	return out
}

// Rule is a [Decomposer] without a model. It splits at question marks, and where a
// conjunction or a comma joins two questions, in English and Chinese: the second part
// must have a question word of its own, and both parts another word. A sentence that
// asks nothing stays with the question after it. Anything else is one question; beyond
// [MaxSubQuestions] the last question holds the rest.
type Rule struct{}

// Identity returns the rule's name with its version.
func (Rule) Identity() string { return "rule/1" }

// Decompose splits the question.
func (Rule) Decompose(_ context.Context, _ Turn, question string) ([]string, Step, error) {
	var parts []string
	before := ""
	for _, sentence := range sentences(question) {
		if !asks(sentence) {
			before = strings.TrimSpace(before + " " + sentence)
			continue
		}
		for i, q := range clauses(sentence) {
			if i == 0 && before != "" {
				q, before = before+" "+q, ""
			}
			parts = append(parts, q)
		}
	}
	switch {
	case len(parts) == 0:
		return []string{question}, Step{}, nil
	case before != "":
		parts[len(parts)-1] += " " + before
	}
	parts = once(parts)
	if len(parts) == 1 {
		return []string{question}, Step{}, nil
	}
	step := Step{}
	if n := len(parts); n > MaxSubQuestions {
		step.Note = fmt.Sprintf("%d questions; the last one combines %d", n, n-MaxSubQuestions+1)
		parts = append(parts[:MaxSubQuestions-1:MaxSubQuestions-1], strings.Join(parts[MaxSubQuestions-1:], " "))
	}
	return parts, step, nil
}

// sentences splits a question into sentences, which also end at each question mark.
func sentences(question string) []string {
	var out []string
	for _, span := range text.Sentences(question) {
		s := span.Of(question)
		for s != "" {
			end := strings.IndexAny(s, "?？")
			if end < 0 {
				break
			}
			for end < len(s) && strings.ContainsRune("?？!！", []rune(s[end:])[0]) {
				end += len(string([]rune(s[end:])[0]))
			}
			out = append(out, strings.TrimSpace(s[:end]))
			s = strings.TrimSpace(s[end:])
		}
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Words that make a clause a question.
const (
	askEnglish = `what|who|whom|whose|when|where|which|why|how`
	askSubject = `(?:is|are|was|were|do|does|did|can|could|should|will|would|may|must|has|have)\s+(?:i|we|you|they|it|he|she|the|a|an|` +
		`there|this|that|these|those|my|our|your|their|its)`
	askChinese = `什么|什麼|甚麼|哪|谁|誰|多少|多久|多长|多長|多大|多高|几|幾|如何|怎|为何|為何|为啥|` +
		`是否|能否|可否|有没有|有沒有|吗|嗎|呢|咩|乜|點樣|點解|邊度|邊個|邊啲|係咪|有冇`
)

var (
	isQuestion = lazyregexp.New(`(?i)\b(?:` + askEnglish + `|` + askSubject + `)\b|` + askChinese + `|[?？]\s*$`)
	hasWord    = lazyregexp.New(`(?i)\b(?:` + askEnglish + `|` + askSubject + `)\b|` + askChinese)
	// joint matches the place where one question may end and another begin; in English
	// the second group is the beginning of the second question.
	joint = lazyregexp.New(`(?i)(?:[,;]\s*|\s+)(?:and\s+also|and|also|plus|as\s+well\s+as)\s+((?:` + askEnglish + `|` + askSubject +
		`)\b)|;\s*((?:` + askEnglish + `|` + askSubject +
		`)\b)|[，；,` +
		`;]\s*(?:以及|並且|并且|還有|还有|另外|同時|同时|而且|此外|及|和|又)?\s*|(?:以及|並且|并且|還有|还有|` +
		`另外|同埋)`)
)

func asks(s string) bool { return isQuestion().MatchString(s) }

// clauses splits a sentence where it joins two questions.
func clauses(sentence string) []string {
	var out []string
	begin := 0
	for _, m := range joint().FindAllStringSubmatchIndex(sentence, -1) {
		next := m[1]
		for _, group := range []int{m[2], m[4]} {
			if group >= 0 {
				next = group
			}
		}
		left, right := sentence[begin:m[0]], sentence[next:]
		if !english(m) && text.ShareCJK(sentence) < 0.3 {
			continue
		}
		// The part of the right side up to the next joint must be a question.
		if end := joint().FindStringIndex(right); end != nil && !english(m) {
			right = right[:end[0]]
		}
		if m[0] < begin || !hasWord().MatchString(left) || !hasWord().MatchString(right) || len(content(left)) == 0 || len(content(right)) == 0 {
			continue
		}
		out = append(out, closed(left))
		begin = next
	}
	return append(out, closed(sentence[begin:]))
}

// english reports whether a joint includes a question word.
func english(m []int) bool { return m[2] >= 0 || m[4] >= 0 }

// closed adds the question mark to a question.
func closed(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), ",;，；")
	switch {
	case s == "", strings.HasSuffix(s, "?"), strings.HasSuffix(s, "？"), strings.HasSuffix(s, "!"), strings.HasSuffix(s, "！"):
		return s
	case text.ShareCJK(s) >= 0.3:
		return strings.TrimRight(s, "。.") + "？"
	}
	return strings.TrimRight(s, ".") + "?"
}
