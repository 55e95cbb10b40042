package accuracy

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/question"
)

// responses compares the answer to each sub-question with an ideal one.
func (e *evaluator) responses(ctx context.Context, k truth) *ResponseEvaluation {
	out := &ResponseEvaluation{Status: Completed, PerSubQuestion: make([]ResponseTruth, len(k.evaluation.PerSubQuestion))}
	parts := sectionsOf(e.result)
	failed := make([]error, len(out.PerSubQuestion))
	var g errgroup.Group
	g.SetLimit(e.Concurrency)
	for i, t := range k.evaluation.PerSubQuestion {
		g.Go(func() error {
			out.PerSubQuestion[i], failed[i] = e.response(ctx, t, parts[i], k)
			return nil
		})
	}
	_ = g.Wait() // what failed is in failed
	if ctx.Err() != nil {
		return nil
	}
	scored, skipped := 0, 0
	var complete, accurate []*float64
	for i, q := range out.PerSubQuestion {
		complete, accurate = append(complete, q.CompletenessScore), append(accurate, q.FactualAccuracyScore)
		switch {
		case failed[i] != nil:
			e.failed(Response, fmt.Errorf("sub-question %d: %w", i, failed[i]))
			out.Status = Partial
		case q.Skipped != "":
			skipped++
		default:
			scored++
		}
	}
	if out.Status == Partial && scored+skipped == 0 {
		out.Status = Failed
	}
	out.OverallCompleteness, out.OverallFactualAccuracy = mean(complete), mean(accurate)
	return out
}

// response writes the ideal answer to a sub-question, and compares.
func (e *evaluator) response(ctx context.Context, t ChunkTruth, section string, k truth) (ResponseTruth, error) {
	out := ResponseTruth{SubQuestionIndex: t.SubQuestionIndex, SubQuestionText: t.SubQuestionText, PipelineResponseSection: section}
	var chunks []question.Chunk
	for _, r := range t.GroundTruth.RelevantChunks {
		if at, ok := k.corpus.places[r]; ok && strings.TrimSpace(k.corpus.chunks[at].text) != "" {
			c := k.corpus.chunks[at]
			// The answer cites documents by their names.
			chunks = append(chunks, question.Chunk{Document: c.name, Text: c.text, Page: c.page})
		}
	}
	if len(chunks) == 0 {
		out.Skipped = "no chunk is relevant"
		switch g := t.GroundTruth; {
		case g.TotalRelevantChunks > 0:
			out.Skipped = "the relevant chunks are not in the corpus"
		case g.Source == byJudge && g.Judged == 0:
			out.Skipped = "the relevant chunks are not known"
		}
		out.Comments = "skipped: " + out.Skipped
		return out, nil
	}
	m := e.Options.Response
	j, err := e.judge(m, batchWaits)
	if err != nil {
		return out, err
	}
	began, about := e.Now(), e.about(t.SubQuestionText)
	out.GroundTruthResponse, err = question.IdealResponse.Ask(ctx, j, about, chunks)
	out.GroundTruthGenerationTimeMS = e.since(began)
	if err != nil {
		return out, fmt.Errorf("ideal answer: %w", m.explained(err))
	}
	began = e.Now()
	c, err := question.CompareResponses.Ask(ctx, j, about, question.Responses{Standard: out.GroundTruthResponse, Answer: section})
	out.ComparisonTimeMS = e.since(began)
	if err != nil {
		return out, fmt.Errorf("comparison: %w", m.explained(err))
	}
	out.CompletenessScore, out.FactualAccuracyScore, out.Comments = &c.Completeness, &c.FactualAccuracy, c.Comments
	return out, nil
}

var (
	headingLine = regexp.MustCompile(`(?m)^\s{0,3}(?:#{1,6}\s+(.+?)|\*\*(.+?)\*\*:?)\s*$`)
	sectionName = regexp.MustCompile(`(?i)^(?:sub-?question|key question|question|子問題|子问题|` +
		`關鍵問題|关键问题|問題|问题)?` +
		`\s*(\d+)\s*(?:[:：.、)）-]|$)`)
)

// sectionsOf gives the part of the answer that is each sub-question's: what the
// pipeline tells, else what stands below the heading that has its text or, when
// no heading has, its number from 0 or from 1; else the whole answer.
func sectionsOf(r *Result) []string {
	n := len(r.Retrieval.PerSubQuestion)
	out := make([]string, n)
	for i := range out {
		out[i] = r.Response.FinalAnswer
	}
	if n < 2 {
		return out
	}
	told := func(i int) string {
		if i < len(r.Response.SubQuestionSources) {
			return r.Response.SubQuestionSources[i].Answer
		}
		return ""
	}
	answer := r.Response.FinalAnswer
	places := headingLine.FindAllStringSubmatchIndex(answer, -1)
	var titles []string
	for _, m := range places {
		title := ""
		for _, group := range []int{2, 4} {
			if m[group] >= 0 {
				title = answer[m[group]:m[group+1]]
			}
		}
		titles = append(titles, title)
	}
	first := firstNumber(titles, n)
	for i, q := range r.Retrieval.PerSubQuestion {
		if t := told(i); t != "" {
			out[i] = t
			continue
		}
		at := slices.IndexFunc(titles, func(t string) bool {
			return strings.Contains(text.Normalize(t), strings.TrimRight(text.Normalize(q.SubQuestionText), "?"))
		})
		if at < 0 && first >= 0 {
			at = slices.IndexFunc(titles, func(t string) bool { return numberOf(t) == first+i })
		}
		if at < 0 {
			continue
		}
		end := len(answer)
		for _, m := range places[at+1:] {
			// A heading that is of no sub-question is part of the section.
			if isSection(answer[m[0]:m[1]], r, first) {
				end = m[0]
				break
			}
		}
		out[i] = strings.TrimSpace(answer[places[at][1]:end])
	}
	return out
}

// isSection reports whether a heading line begins a sub-question's section.
func isSection(line string, r *Result, first int) bool {
	title := strings.Trim(strings.TrimSpace(line), "#* :")
	for i, q := range r.Retrieval.PerSubQuestion {
		if strings.Contains(text.Normalize(title), strings.TrimRight(text.Normalize(q.SubQuestionText), "?")) ||
			first >= 0 && numberOf(title) == first+i {
			return true
		}
	}
	return false
}

// firstNumber says from where numbered headings count: 0 or 1, -1 when they do
// not number n sections.
func firstNumber(titles []string, n int) int {
	for _, first := range []int{0, 1} {
		all := true
		for i := range n {
			all = all && slices.ContainsFunc(titles, func(t string) bool { return numberOf(t) == first+i })
		}
		if all {
			return first
		}
	}
	return -1
}

// numberOf is the number of a numbered heading; -1 when it has none.
func numberOf(title string) int {
	m := sectionName.FindStringSubmatch(strings.TrimSpace(title))
	if m == nil {
		return -1
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return -1
	}
	return n
}
