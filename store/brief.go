package store

import (
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// Limits of the texts in a brief, in bytes. Questions have a larger limit, since people
// search in them.
const (
	briefQuestion = 2000
	briefText     = 300
)

// Brief returns a record without its long parts, for lists and searches. It keeps the
// case's id, question, tags, group, draw and critical flag; the answer, the failure and
// the reasons of scores, each truncated; whether the answer is right; the states and values
// of the scores, the stage at which the answer was lost, latency and the costs of all attempts; how many labels of
// the answer and of the evidence there are, as empty reference answers and passages. Other labels, retrieved
// passages, traces and evidence are omitted.
func Brief(r assay.Record) assay.Record {
	want := r.Case.Want
	labels := len(want.Answers) + len(want.Keywords)
	if want.Ideal != nil {
		labels++
	}
	b := assay.Record{
		Seq: r.Seq, Attempts: r.Attempts, Answer: r.Answer, Retrieved: r.Retrieved, Judging: r.Judging, Started: r.Started, Slow: r.Slow,
		Case: assay.Case{
			ID: r.Case.ID, Question: cut(r.Case.Question, briefQuestion), Critical: r.Case.Critical,
			Tags: r.Case.Tags, Group: r.Case.Group, Draw: r.Case.Draw, Audio: r.Case.Audio,
			Want: assay.Want{
				Answers: make([]string, labels), Passages: make([]string, want.Relevant()+len(want.Passages)), Answerable: want.Answerable,
			},
		},
	}
	if r.Response != nil {
		b.Response = &assay.Response{
			Answer: cut(r.Response.Answer, briefText), NoAnswer: r.Response.NoAnswer,
			Usage: r.Usage(), Latency: r.Response.Latency,
		}
	} else if u := r.Usage(); u != (assay.Usage{}) {
		b.Tries = []assay.Try{{Usage: u}}
	}
	if r.Failure != nil {
		b.Failure = &assay.Failure{Kind: r.Failure.Kind, Message: cut(r.Failure.Message, briefText)}
	}
	if r.Scores != nil {
		b.Scores = make(map[string]assay.Score, len(r.Scores))
	}
	for name, s := range r.Scores {
		unproven := s.Unproven()
		if s.Evidence, s.Reason = nil, cut(s.Reason, briefText); unproven {
			s.Evidence = []assay.Evidence{{Kind: assay.KindUnproven}}
		}
		b.Scores[name] = s
	}
	if a := r.Attribution; a != nil {
		b.Attribution = &assay.Attribution{Failed: a.Failed, Stage: a.Stage, Outcome: a.Outcome}
	}
	return b
}

// cut truncates a text to at most n bytes and appends a mark.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimRight(text[:n], " \n\t") + "…"
}
