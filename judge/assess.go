package judge

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
)

// A Plan says what is asked about every case of a run.
type Plan struct {
	Asks Ask
	// Depth is how many passages of a response are judged, from the best;
	// 0 judges all.
	Depth int
	// Questions is how many questions are written for an answer; 0 means 3.
	Questions int
	Rubric    Rubric
}

// Assess asks the judge what the plan wants to know about one response. Parts
// that cannot be asked, for want of a label or of passages, are left unasked;
// parts that the judge left unanswered are failed. The error is a
// *[FatalError], or that of ctx.
func Assess(ctx context.Context, j Judge, p Plan, c *assay.Case, r *assay.Response) (*Assessment, error) {
	a := &assessor{
		judge: j, plan: p, c: c, r: r, asks: p.Asks.With(),
		subject: Subject{Question: c.Question, Language: LanguageOf(c.Question)},
		sources: sourcesOf(r.Passages, p.Depth),
		out:     &Assessment{Passages: len(r.Passages), Rubric: p.Rubric, Estimate: j.Info().Estimate},
	}
	if n := len(a.sources); n < len(r.Passages) {
		a.out.Passages = n
		a.out.Warnings = append(a.out.Warnings, fmt.Sprintf("the judge saw the first %d of %d passages", n, len(r.Passages)))
	}
	if err := a.run(ctx); err != nil {
		return nil, err
	}
	// What failed because the time was up says nothing about the judge.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return a.out, nil
}

type assessor struct {
	judge   Judge
	plan    Plan
	asks    Ask
	c       *assay.Case
	r       *assay.Response
	subject Subject
	sources []Source
	out     *Assessment
}

// run asks in two rounds: first what stands alone, with the readings of the
// texts; then what needs their claims. Within a round all is asked at once.
func (a *assessor) run(ctx context.Context) error {
	w := a.c.Want
	g, round := errgroup.WithContext(ctx)
	if a.asks&AskAnswer != 0 {
		ask(g, &a.out.Answer, func() (Reading, error) { return a.read(round, a.r.Answer) })
	}
	if a.asks&AskReference != 0 && len(w.Answers) > 0 {
		ask(g, &a.out.Reference, func() (Reading, error) { return a.read(round, w.Answers[0]) })
	}
	if a.asks&AskRelevance != 0 && a.r.Passages != nil {
		ask(g, &a.out.Relevance, func() ([]Grade, error) {
			if len(a.sources) == 0 {
				return nil, nil
			}
			grades, err := a.judge.Relevance(round, a.subject, a.sources)
			return each("relevance", len(a.sources), grades, err)
		})
	}
	if a.asks&AskCitations != 0 && a.r.Passages != nil {
		// Parted before anything runs at the same time: it adds warnings.
		cited := a.cited()
		ask(g, &a.out.Citations, func() ([]Cited, error) { return a.citations(round, cited) })
	}
	a.aboutAnswer(g, round)
	if err := g.Wait(); err != nil {
		return err
	}
	g, round = errgroup.WithContext(ctx)
	a.support(g, round)
	return g.Wait()
}

// aboutAnswer asks what is asked of the answer as a whole. A blank answer is
// not worth a question: what it says is known.
func (a *assessor) aboutAnswer(g *errgroup.Group, ctx context.Context) {
	w, answer := a.c.Want, a.r.Answer
	blank := strings.TrimSpace(answer) == ""
	if a.asks&AskEquivalence != 0 && len(w.Answers) > 0 {
		ask(g, &a.out.Equivalence, func() (Ruling, error) {
			if blank {
				return Ruling{Why: "the answer is empty"}, nil
			}
			return a.judge.Equivalent(ctx, a.subject, answer, w.Answers)
		})
	}
	if a.asks&AskQuestions != 0 {
		ask(g, &a.out.Questions, func() ([]Reversed, error) {
			if blank {
				return nil, nil
			}
			n := a.plan.Questions
			if n == 0 {
				n = 3
			}
			return a.judge.Questions(ctx, a.subject, answer, n)
		})
	}
	if a.asks&AskPoints != 0 && w.Ideal != nil {
		ask(g, &a.out.Points, func() ([]Assignment, error) {
			texts := make([]string, len(w.Ideal.Points))
			for i, p := range w.Ideal.Points {
				texts[i] = p.Text
			}
			if blank || len(texts) == 0 {
				return allMissed(len(texts)), nil
			}
			given, err := a.judge.Assign(ctx, a.subject, texts, answer)
			return each("assign", len(texts), given, err)
		})
	}
	if parts, ok := a.r.SubQuestions(); ok && a.asks&AskKeyQuestions != 0 {
		ask(g, &a.out.KeyQuestions, func() ([]Mark, error) {
			scheme := KeyQuestions(a.subject.Language)
			marks, err := a.judge.Mark(ctx, a.subject, scheme, Work{Answer: numbered(parts)})
			return each("mark", len(scheme.Dimensions), marks, err)
		})
	}
	if n := len(a.plan.Rubric.Dimensions); a.asks&AskMarks != 0 && n > 0 {
		ask(g, &a.out.Marks, func() ([]Mark, error) {
			marks, err := a.judge.Mark(ctx, a.subject, a.plan.Rubric, Work{Answer: answer, References: w.Answers, Passages: a.sources})
			return each("mark", n, marks, err)
		})
	}
}

// support holds claims against texts. The claims of the answer and of the
// reference go to the passages in one question: the passages are most of what
// it costs.
func (a *assessor) support(g *errgroup.Group, ctx context.Context) {
	said, saidErr := a.out.Answer.Get()
	meant, meantErr := a.out.Reference.Get()
	w := a.c.Want
	if a.r.Passages != nil {
		g.Go(func() error { return a.againstPassages(ctx) })
	}
	one := func(part *Part[[]Finding], q Ask, claims []Claim, err error, sources ...Source) {
		if a.asks&q != 0 {
			ask(g, part, func() ([]Finding, error) {
				if err != nil {
					return nil, err
				}
				return a.find(ctx, claims, sources)
			})
		}
	}
	if len(w.Answers) > 0 {
		one(&a.out.AnswerReference, AskAnswerReference, said.Claims, saidErr, Source{Name: "the reference", Text: w.Answers[0]})
		one(&a.out.ReferenceAnswer, AskReferenceAnswer, meant.Claims, meantErr, Source{Name: "the answer", Text: a.r.Answer})
	}
	if w.Ideal != nil {
		truth := append(sourcesOf(w.Ideal.Passages, 0), Source{Name: "the ideal answer", Text: w.Ideal.Answer})
		one(&a.out.Truth, AskTruth, said.Claims, saidErr, truth...)
	}
}

// againstPassages asks for both readings what can be asked: one that failed
// does not take the other with it.
func (a *assessor) againstPassages(ctx context.Context) error {
	type of struct {
		q       Ask
		reading *Part[Reading]
		part    *Part[[]Finding]
	}
	var claims []Claim
	var asked []of
	for _, o := range []of{
		{AskAnswerPassages, &a.out.Answer, &a.out.AnswerPassages},
		{AskReferencePassages, &a.out.Reference, &a.out.ReferencePassages},
	} {
		if a.asks&o.q == 0 || !o.reading.Asked() {
			continue
		}
		reading, err := o.reading.Get()
		if err != nil {
			*o.part = Failed[[]Finding](err)
			continue
		}
		claims = append(claims, reading.Claims...)
		asked = append(asked, o)
	}
	findings, err := a.find(ctx, claims, a.sources)
	if Fatal(err) {
		return err
	}
	for _, o := range asked {
		if err != nil {
			*o.part = Failed[[]Finding](err)
			continue
		}
		reading, _ := o.reading.Get()
		n := len(reading.Claims)
		*o.part = Known(findings[:n:n])
		findings = findings[n:]
	}
	return nil
}

// read reads a text; an empty one says nothing, and that is known. What one that
// declines says beside it is no claim to check.
func (a *assessor) read(ctx context.Context, text string) (Reading, error) {
	if strings.TrimSpace(text) == "" {
		return Reading{Kind: Empty}, nil
	}
	r, err := a.judge.Read(ctx, a.subject, text)
	if r.Kind.Declines() {
		r.Claims = nil
	}
	return r, err
}

// each makes sure that a judge kept its promise of one entry for each that was
// given, in whose order they are read.
func each[T any](operation string, n int, list []T, err error) ([]T, error) {
	if err == nil && len(list) != n {
		return nil, &Error{Operation: operation, Message: fmt.Sprintf("%d entries: want %d", len(list), n)}
	}
	return list, err
}

// find asks for the support of claims. Without claims there is nothing to ask,
// and without a text to look in nothing is found.
func (a *assessor) find(ctx context.Context, claims []Claim, sources []Source) ([]Finding, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	for _, s := range sources {
		if strings.TrimSpace(s.Text) != "" {
			findings, err := a.judge.Support(ctx, a.subject, claims, sources)
			return each("support", len(claims), findings, err)
		}
	}
	out := make([]Finding, len(claims))
	for i := range out {
		out[i] = Finding{Verdict: NotFound, Why: "there is no text to find it in"}
	}
	return out, nil
}

func allMissed(n int) []Assignment {
	out := make([]Assignment, n)
	for i := range out {
		out[i] = Assignment{Known: true, Why: "the answer is empty"}
	}
	return out
}

// ask answers a part in a goroutine of g. Only a fatal error ends the round.
func ask[T any](g *errgroup.Group, part *Part[T], answer func() (T, error)) {
	g.Go(func() error {
		v, err := answer()
		switch {
		case Fatal(err):
			return err
		case err != nil:
			*part = Failed[T](err)
		default:
			*part = Known(v)
		}
		return nil
	})
}
