package judge_test

import (
	"context"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// script is a judge that says what a test wrote down, and notes what it was
// asked.
type script struct {
	info        assay.JudgeInfo
	read        func() (judge.Reading, error)
	support     func(claim string) judge.Finding
	relevance   func(passage string) judge.Grade
	equivalent  func() (judge.Ruling, error)
	assign      func(point string) judge.Assignment
	mark        func() ([]judge.Mark, error)
	fail        error
	wrongLength bool

	mu    sync.Mutex
	asked [][]string
}

func (s *script) note(items ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, items)
}

func (s *script) Info() assay.JudgeInfo { return s.info }

func (j *script) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(
		question.Support.By(j.Support), question.Compare.By(j.Equivalent), question.Assign.By(j.Assign),
		question.Mark.By(j.Mark), question.Read.By(j.Read), question.Grade.By(j.Relevance),
	).Ask(ctx, t, s, given)
}

func (s *script) Read(context.Context, judge.Subject, string) (judge.Reading, error) {
	s.note("read")
	return s.read()
}

func (s *script) Support(_ context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	claims := in.Claims
	var out []judge.Finding
	var names []string
	for _, c := range claims {
		names = append(names, c.Text)
		if s.support != nil {
			out = append(out, s.support(c.Text))
		}
	}
	s.note(names...)
	if s.wrongLength {
		out = out[1:]
	}
	return out, s.fail
}

func (s *script) Relevance(_ context.Context, _ judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	var out []judge.Grade
	for _, p := range passages {
		s.note(p.Text)
		out = append(out, s.relevance(p.Text))
	}
	return out, s.fail
}

func (s *script) Equivalent(_ context.Context, _ judge.Subject, _ question.CompareInput) (judge.Ruling, error) {
	s.note("equivalent")
	return s.equivalent()
}

func (s *script) Assign(_ context.Context, _ judge.Subject, in question.AssignInput) ([]judge.Assignment, error) {
	points := in.Points
	var out []judge.Assignment
	for _, p := range points {
		out = append(out, s.assign(p))
	}
	s.note(points...)
	return out, s.fail
}

func (s *script) Mark(_ context.Context, _ judge.Subject, _ question.MarkInput) ([]judge.Mark, error) {
	s.note("mark")
	return s.mark()
}

// draws makes the draws of a voting judge and remembers which were used.
type draws struct {
	make func(draw int) *script
	mu   sync.Mutex
	made map[int]*script
}

func (d *draws) at(draw int) judge.Judge {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.made == nil {
		d.made = map[int]*script{}
	}
	if d.made[draw] == nil {
		d.made[draw] = d.make(draw)
	}
	return d.made[draw]
}

// used lists the draws that were asked something.
func (d *draws) used() []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []int
	for n, s := range d.made {
		if len(s.asked) > 0 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

func finding(v judge.Verdict, why string) judge.Finding {
	f := judge.Finding{Verdict: v, Why: why}
	if v == judge.Supported {
		f.Degree = 1
		f.Quotes = []judge.Quote{{Text: why}}
	}
	return f
}

func claims(texts ...string) []judge.Claim {
	out := make([]judge.Claim, len(texts))
	for i, t := range texts {
		out[i].Text = t
	}
	return out
}
