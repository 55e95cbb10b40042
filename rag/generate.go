package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Parameters of the extractive generator, chosen by judgement.
const (
	// readPassages is how many passages it reads: the answer to a factual question is
	// usually in the first five or in none.
	readPassages = 5
	// maxSentences is the maximum length of an answer; a fourth sentence is seldom part
	// of the answer.
	maxSentences = 3
	// nearBest is the share of the best sentence's support that a further sentence
	// needs, so that a right answer is not followed by sentences that merely share its
	// words.
	nearBest = 0.8
	// sameWords is the share of common terms from which two sentences count as
	// duplicates.
	sameWords = 0.7
	// maxSentenceBytes excludes what is not a sentence, such as a table or a program.
	maxSentenceBytes = 1000
)

// A candidate is a sentence that may be part of the answer.
type candidate struct {
	number int // of its passage, as in citations
	place  int // position among all candidates
	text   string
	// context is the title, the headings above the sentence and the sentence before it.
	context string
	support float64
	terms   map[string]bool
}

// extract answers each question with the sentences of the first passages that support
// it best, each cited by its passage's number in merged, or declines. Of several
// questions, those that it declines are omitted from the answer.
func (w *work) extract(ctx context.Context, questions []string, lists [][]found, merged []found) (string, error) {
	var answers []string
	for i, question := range questions {
		begun := w.now()
		read := lists[i][:min(readPassages, len(lists[i]))]
		numbers := make([]int, len(read))
		for j, f := range read {
			numbers[j] = j + 1
			if len(lists) > 1 {
				numbers[j] = placeIn(merged, f)
			}
		}
		all := w.candidates(read, numbers)
		if err := w.support(ctx, question, all); err != nil {
			return "", err
		}
		chosen := choose(all, w.config.MinSupport)
		answer := Decline(question)
		var sentences []string
		if len(chosen) > 0 {
			for _, c := range chosen {
				sentences = append(sentences, cite(c.text, c.number))
			}
			answer = join(sentences)
			answers = append(answers, answer)
		}
		output := raw(answer)
		if len(sentences) > 0 {
			output = raw(sentences)
		}
		w.add(stage{in: read, Stage: assay.Stage{
			Name: assay.StageGenerate, SubQuestion: w.number(i), Model: w.generatorModel(), Latency: w.since(begun),
			Output: output, Note: w.explain(all, chosen, len(read)),
		}})
	}
	if len(answers) == 0 {
		return Decline(w.turn.Question), nil
	}
	return join(answers), nil
}

// explain describes the basis of the choice of sentences.
func (p *Pipeline) explain(all, chosen []candidate, read int) string {
	s := fmt.Sprintf("%d of %d sentences of %d passages", len(chosen), len(all), read)
	if len(chosen) > 0 {
		var parts []string
		for _, c := range chosen {
			parts = append(parts, fmt.Sprintf("%.2f [%d]", c.support, c.number))
		}
		s += "; support " + strings.Join(parts, ", ")
	} else if len(all) > 0 {
		best := slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(a.support, b.support) })
		s += fmt.Sprintf("; declined: the best support is %.2f [%d]", best.support, best.number)
	}
	return s + fmt.Sprintf("; the minimum is %s", number(p.config.MinSupport))
}

// generatorModel returns the generator's name with its measure of support.
func (p *Pipeline) generatorModel() string {
	if p.config.Embedder != nil {
		return "extractive(" + p.config.Embedder.Identity() + ")"
	}
	return "extractive(terms)"
}

// candidates returns the sentences of passages, without headings, questions and code.
func (p *Pipeline) candidates(passages []found, numbers []int) []candidate {
	var out []candidate
	for i, a := range passages {
		above := []string{a.Title}
		if a.at >= 0 {
			above = append(above, p.passages[a.at].headings...)
		}
		before := ""
		for _, span := range text.Sentences(a.Text) {
			s := span.Of(a.Text)
			if title, ok := heading(s); ok {
				above, before = append(above, title), ""
				continue
			}
			s = bare(s)
			if len(s) <= maxSentenceBytes && answers(s) {
				out = append(out, candidate{number: numbers[i], place: len(out), text: s, context: strings.Join(append(slices.Clone(above), before),
					"\n")})
			}
			before = s
		}
	}
	return out
}

// heading returns the title of a Markdown heading.
func heading(s string) (string, bool) {
	title := strings.TrimLeft(s, "#")
	if n := len(s) - len(title); n < 1 || n > 6 || !strings.HasPrefix(title, " ") {
		return "", false
	}
	return strings.TrimSpace(title), true
}

// bare removes the marks of lists, quotations and emphasis from a sentence, and puts it
// on one line.
func bare(s string) string {
	s = strings.TrimLeft(text.Collapse(s), "-*+>|•· ")
	return strings.TrimSpace(strings.ReplaceAll(s, "**", ""))
}

// answers reports whether a sentence can be an answer: it is not a question and at
// least half of it are letters or digits.
func answers(s string) bool {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return false
	}
	letters, all := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			letters++
		}
		if !unicode.IsSpace(r) {
			all++
		}
	}
	return all > 0 && 2*letters >= all
}

// choose returns the sentences with enough support: the best one, then those that are
// nearly as good and differ from it, in the order of the passages.
func choose(all []candidate, least float64) []candidate {
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b candidate) int { return cmp.Compare(b.support, a.support) })
	var out []candidate
	for _, c := range ranked {
		if len(out) == maxSentences || c.support < least || len(out) > 0 && c.support < nearBest*out[0].support {
			break
		}
		repeats := slices.ContainsFunc(out, func(o candidate) bool { return overlap(o.terms, c.terms) >= sameWords })
		if !repeats {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Compare(a.place, b.place) })
	return out
}

// overlap is the number of common terms divided by the size of the smaller set.
func overlap(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	common := 0
	for t := range a {
		if b[t] {
			common++
		}
	}
	return float64(common) / float64(min(len(a), len(b)))
}

// cite puts the number before the sentence's full stop, so that splitting the answer
// into sentences keeps it in the right one.
func cite(s string, n int) string {
	body := strings.TrimRight(s, ".!。！;；:：,，、")
	end := s[len(body):]
	if body == "" {
		body, end = s, ""
	}
	if end == "" || strings.ContainsAny(end, ";；:：,，、") {
		end = "."
		if r, _ := utf8.DecodeLastRuneInString(body); text.IsCJK(r) {
			end = "。"
		}
	}
	return fmt.Sprintf("%s [%d]%s", body, n, end)
}

// join concatenates sentences, without a space after "。".
func join(sentences []string) string {
	var b strings.Builder
	for i, s := range sentences {
		if i > 0 && !strings.HasSuffix(sentences[i-1], "。") && !strings.HasSuffix(sentences[i-1], "！") {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}
