package probe

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// The limits of a model that is able to judge.
const (
	// minRead is 1 minus the share of missing rulings that a gate tolerates.
	minRead = 0.95
	// minDetected is for each way to corrupt a statement. minAccepted is the same for
	// true statements, because a judge that refuses everything detects everything.
	minDetected = 0.9
	minAccepted = 0.9
	minQuoted   = 0.9
)

// draws is how often a question is repeated to measure how stable a judge is.
const draws = 5

// Probe tests whether a model is able to judge: whether its replies can be read and its
// quotes found, whether it detects corrupted statements and accepts true ones, and how
// often its ruling changes. draw returns the judge for the draw of that number, from 0;
// it must not vote, or the counts are wrong. The error is that of ctx, of the options,
// or a *[judge.FatalError].
func Probe(ctx context.Context, draw func(int) judge.Judge, o Options) (*Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	p := newAbility(draw, o)
	if err := o.perform(ctx, p.steps); err != nil {
		return nil, err
	}
	r := &Report{Judge: draw(0).Info(), Level: o.Level, Tests: p.tests()}
	r.conclude()
	return r, nil
}

// ability is the state of a probe. No two steps write to the same place.
type ability struct {
	o       Options
	draw    func(int) judge.Judge
	steps   []step
	asked   []*asked
	checks  []*check
	repeats []*repeat
}

// asked is a question of some operation, and how its reply was read.
type asked struct {
	operation string
	calls     int
	err       error
}

// check holds the findings on a corrupted and a true statement.
type check struct {
	corruption       int
	corrupted, valid judge.Finding
	err              error
}

// repeat is a question that was asked several times.
type repeat struct {
	replies []string
	err     error
}

func newAbility(draw func(int) judge.Judge, o Options) *ability {
	p := &ability{o: o, draw: draw}
	items := o.items()
	for i, it := range items {
		for c := range it.Corrupted {
			p.check(it, partner(items, i, 1), c, (i/2+c)%2 == 1)
		}
	}
	// Four items of each language are enough to show that a schema is not followed.
	for i, it := range items[:8] {
		p.operations(it, partner(items, i, 1), partner(items, i, 2))
	}
	for i, it := range items[:min(10, len(items))] {
		p.repeat(it, i%3)
	}
	return p
}

// able reports whether the judge answers a task; it is not asked what it does not answer.
func (p *ability) able(t judge.AnyTask) bool { return p.draw(0) == nil || judge.Able(p.draw(0), t) }

// ask adds a step that asks one question and counts its calls, if the judge answers it.
func (p *ability) ask(t judge.AnyTask, put func(context.Context, judge.Judge) error) {
	if !p.able(t) {
		return
	}
	a := &asked{operation: t.Operation()}
	p.asked = append(p.asked, a)
	p.steps = append(p.steps, func(ctx context.Context) error {
		var m judge.Meter
		a.err = put(judge.WithMeter(ctx, &m), p.draw(0))
		spent, _ := m.Total()
		a.calls = spent.Calls
		// The calls count for the caller's meter too.
		judge.Count(ctx, spent)
		return a.err
	})
}

func (p *ability) check(it, other Item, corruption int, turned bool) {
	c := &check{corruption: corruption}
	p.checks = append(p.checks, c)
	p.ask(question.Support, func(ctx context.Context, j judge.Judge) error {
		claims := order(turned, judge.Claim{Text: it.Corrupted[corruption]}, judge.Claim{Text: other.Statements[corruption]})
		found, err := question.Support.Ask(ctx, j, it.subject(), question.SupportInput{Claims: claims, Sources: sources(it, other)})
		if err == nil && len(found) != len(claims) {
			err = fmt.Errorf("%d findings for %d claims", len(found), len(claims))
		}
		if c.err = err; err != nil {
			return err
		}
		found = order(turned, found...)
		c.corrupted, c.valid = found[0], found[1]
		return nil
	})
}

func (it Item) subject() judge.Subject {
	return judge.Subject{Question: it.Question, Language: it.Language}
}

func sources(items ...Item) []judge.Source {
	out := make([]judge.Source, len(items))
	for i, it := range items {
		out[i] = judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: it.Passage}
	}
	return out
}

// operations asks one question of each other kind.
func (p *ability) operations(it, second, third Item) {
	s, answer := it.subject(), it.Answer(-1)
	p.ask(question.Read, func(ctx context.Context, j judge.Judge) error {
		_, err := question.Read.Ask(ctx, j, s, answer)
		return err
	})
	p.ask(question.Grade, func(ctx context.Context, j judge.Judge) error {
		_, err := question.Grade.Ask(ctx, j, s, sources(second, it, third))
		return err
	})
	p.ask(question.Compare, func(ctx context.Context, j judge.Judge) error {
		_, err := question.Compare.Ask(ctx, j, s, question.CompareInput{Answer: it.Answer(0), References: []string{answer}})
		return err
	})
	p.ask(question.Reverse, func(ctx context.Context, j judge.Judge) error {
		_, err := question.Reverse.Ask(ctx, j, s, question.ReverseInput{Answer: answer, Count: 3})
		return err
	})
	p.ask(question.Extract, func(ctx context.Context, j judge.Judge) error {
		_, err := question.Extract.Ask(ctx, j, s, sources(it, second))
		return err
	})
	p.ask(question.Assign, func(ctx context.Context, j judge.Judge) error {
		_, err := question.Assign.Ask(ctx, j, s, question.AssignInput{Points: it.Statements[:], Answer: it.Answer(1)})
		return err
	})
	p.ask(question.Mark, func(ctx context.Context, j judge.Judge) error {
		work := judge.Work{Answer: it.Answer(2), References: []string{answer}, Passages: sources(it)}
		_, err := question.Mark.Ask(ctx, j, s, question.MarkInput{Rubric: rubric, Work: work})
		return err
	})
}

// repeat asks two questions in several draws.
func (p *ability) repeat(it Item, corruption int) {
	for _, one := range []struct {
		task judge.AnyTask
		put  func(context.Context, judge.Judge) (string, error)
	}{
		{question.Support, func(ctx context.Context, j judge.Judge) (string, error) {
			claims := []judge.Claim{{Text: it.Statements[(corruption+1)%3]}, {Text: it.Corrupted[corruption]}}
			found, err := question.Support.Ask(ctx, j, it.subject(), question.SupportInput{Claims: claims, Sources: sources(it)})
			verdicts := ""
			for _, f := range found {
				verdicts += f.Verdict.String() + " "
			}
			return verdicts, err
		}},
		{question.Compare, func(ctx context.Context, j judge.Judge) (string, error) {
			in := question.CompareInput{Answer: it.Answer(corruption), References: []string{it.Answer(-1)}}
			r, err := question.Compare.Ask(ctx, j, it.subject(), in)
			return fmt.Sprint(r.Holds), err
		}},
	} {
		if !p.able(one.task) {
			continue
		}
		r := &repeat{replies: make([]string, draws)}
		p.repeats = append(p.repeats, r)
		p.steps = append(p.steps, func(ctx context.Context) error {
			for d := range draws {
				if r.replies[d], r.err = one.put(ctx, p.draw(d)); r.err != nil {
					return r.err
				}
			}
			return nil
		})
	}
}

// tests computes the tests from the replies.
func (p *ability) tests() []Test {
	out := []Test{p.schema(), p.quotes()}
	for c, name := range Corruptions() {
		var s share
		for _, k := range p.checks {
			switch {
			case k.corruption != c:
			case k.err != nil || k.corrupted.Verdict == judge.Unknown:
				s.unread++
			default:
				s.add(k.corrupted.Verdict != judge.Supported)
			}
		}
		out = append(out, s.test(Test{
			Name: "sensitivity: " + name, Doc: "statements with the " + name + " changed that are not ruled supported",
			Limit: fmt.Sprintf("≥ %.2g", minDetected),
		}, p.o.Level, s.rate() >= minDetected))
	}
	return append(out, p.acceptance(), p.determinism())
}

// schema tests how many replies could be read.
func (p *ability) schema() Test {
	var all, first share
	operations := map[string]*share{}
	var names []string
	for _, a := range p.asked {
		if operations[a.operation] == nil {
			operations[a.operation] = &share{}
			names = append(names, a.operation)
		}
		all.add(a.err == nil)
		first.add(a.err == nil && a.calls <= 1)
		operations[a.operation].add(a.err == nil)
	}
	t := all.test(Test{
		Name: "schema", Doc: "replies that could be read, at once or after one repair", Limit: fmt.Sprintf("≥ %.2g", minRead),
	}, p.o.Level, all.rate() >= minRead)
	t.Parts = append(t.Parts, first.part("at once", p.o.Level))
	for _, name := range names {
		t.Parts = append(t.Parts, operations[name].part(name, p.o.Level))
	}
	for _, a := range p.asked {
		if a.err != nil {
			t.Note = "first reply that could not be read: " + a.err.Error()
			break
		}
	}
	return t
}

// quotes tests how many verdicts on true statements have quotes that were found. A
// verdict without them is unknown.
func (p *ability) quotes() Test {
	var s share
	note := ""
	for _, k := range p.checks {
		switch {
		case k.err != nil:
			s.unread++
		case k.valid.Verdict == judge.Supported:
			s.add(len(k.valid.Quotes) > 0)
		case k.valid.Verdict == judge.Unknown:
			s.add(false)
			if note == "" {
				note = "first quote that was not found: " + k.valid.Why
			}
		}
	}
	t := s.test(Test{
		Name: "quotes", Doc: "verdicts on true statements with quotes that the passage holds word for word",
		Limit: fmt.Sprintf("≥ %.2g", minQuoted),
	}, p.o.Level, s.rate() >= minQuoted)
	if t.Note == "" {
		t.Note = note
	}
	return t
}

func (p *ability) acceptance() Test {
	var s share
	for _, k := range p.checks {
		if k.err != nil || k.valid.Verdict == judge.Unknown {
			s.unread++
			continue
		}
		s.add(k.valid.Verdict == judge.Supported)
	}
	return s.test(Test{
		Name: "acceptance", Doc: "true statements that are ruled supported", Limit: fmt.Sprintf("≥ %.2g", minAccepted),
	}, p.o.Level, s.rate() >= minAccepted)
}

// determinism has no limit: voting handles what changes from draw to draw.
func (p *ability) determinism() Test {
	var s share
	for _, r := range p.repeats {
		if r.err != nil {
			s.unread++
			continue
		}
		changed := false
		for _, reply := range r.replies {
			changed = changed || reply != r.replies[0]
		}
		s.add(changed)
	}
	t := s.test(Test{Name: "determinism", Doc: fmt.Sprintf("questions whose ruling changed in %d draws", draws)}, p.o.Level, true)
	t.Outcome = Noted
	if s.hits > 0 && t.Note == "" {
		t.Note = "several passes reduce such changes: --passes 3"
	}
	return t
}
