package rag

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
	"github.com/assay-eval/assay/rag/profile"
)

// ModelAnswerer is an [Answerer] that asks a model, with the generate templates of the
// profile, in one call for all sub-questions. Passages that do not fit the window are
// omitted: the first ranks of all sub-questions come before the second ranks, and if
// one passage does not fit, the next is tried. An empty reply is sent back once, unless the model's server withheld it.
// Without any passage the answer declines and no model is asked.
type ModelAnswerer struct{ Model Model }

// Identity returns the model's identity.
func (a ModelAnswerer) Identity() string { return a.Model.Identity() }

// Answer asks the model.
func (a ModelAnswerer) Answer(ctx context.Context, t Turn, sections []Section) (Answered, Step, error) {
	if !slices.ContainsFunc(sections, func(s Section) bool { return len(s.Passages) > 0 }) {
		return Answered{Text: Decline(t.Question), Given: []int{}}, Step{Note: "declined without asking the model: there are no passages"}, nil
	}
	packed, given, note, err := a.pack(t, sections)
	if err != nil {
		return Answered{}, Step{}, err
	}
	p, err := t.Profile.Generate(t.Question, packed)
	if err != nil {
		return Answered{}, Step{}, &replyError{err}
	}
	answer, stop := "", ""
	step, err := a.Model.ask(ctx, a.Model.request(opGenerate, t, p, nil), func(reply llm.Reply) error {
		stop, answer = reply.Stop, prompt.AnswerOf(reply.Text)
		if answer == "" && stop != "refusal" {
			return errors.New("it is empty: it must be an answer")
		}
		return nil
	})
	if err != nil {
		return Answered{}, step, err
	}
	if note != "" {
		step.note(note)
	}
	if strange := citesNothing(answer, given); len(strange) > 0 {
		step.note("cites passages that it was not given: " + strings.Join(strange, ", "))
	}
	return Answered{Text: answer, Given: given, Stop: stop}, step, nil
}

// pack chooses the passages that fit the window.
func (a ModelAnswerer) pack(t Turn, sections []Section) (packed []profile.Section, given []int, note string, err error) {
	for _, s := range sections {
		packed = append(packed, profile.Section{Question: s.Question})
	}
	empty, err := t.Profile.Generate(t.Question, packed)
	if err != nil {
		return nil, nil, "", &replyError{err}
	}
	left := a.Model.room() - llm.EstimateTokens(empty.System) - llm.EstimateTokens(empty.User)
	given = []int{}
	var all []int
	for rank, more := 0, true; more; rank++ {
		more = false
		for i, s := range sections {
			if rank >= len(s.Passages) {
				continue
			}
			more = true
			p := s.Passages[rank]
			if !slices.Contains(all, p.N) {
				all = append(all, p.N)
			}
			c := chunkOf(p.N, p.Passage)
			n := tokensOf(c)
			if n > left {
				continue
			}
			left -= n
			packed[i].Chunks = append(packed[i].Chunks, c)
			if !slices.Contains(given, p.N) {
				given = append(given, p.N)
			}
		}
	}
	if len(given) == 0 {
		return nil, nil, "", lasting("none of %d passages fits the model's window of %d tokens: want a larger window, or smaller chunks",
			len(all), a.Model.room())
	}
	slices.Sort(given)
	if n := len(all) - len(given); n > 0 {
		note = fmt.Sprintf("%d of %d passages did not fit the window of %d tokens", n, len(all), a.Model.room())
	}
	return packed, given, note, nil
}

var citation = lazyregexp.New(`\[(\d{1,4})\]`)

// citesNothing returns the citations of passages that were not given.
func citesNothing(answer string, given []int) (out []string) {
	for _, m := range citation().FindAllStringSubmatch(answer, -1) {
		n, err := strconv.Atoi(m[1])
		if (err != nil || !slices.Contains(given, n)) && !slices.Contains(out, m[0]) {
			out = append(out, m[0])
		}
	}
	return out
}
