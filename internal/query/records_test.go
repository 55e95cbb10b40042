package query

import (
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Records are the Source of a list of records, whole or in brief.
type Records struct {
	List []assay.Record
	// StatusOf, AnswerOf and StageOf give the status of a case, whether it is right, and the
	// stage that its wrong answer is attributed to.
	StatusOf func(assay.Record) assay.Status
	AnswerOf func(assay.Record) assay.Correctness
	StageOf  func(assay.Record) string
	// RelevantOf counts the documents that are labelled relevant, of which a record in brief
	// has none; nil counts those of the record.
	RelevantOf func(assay.Record) (n int, ok bool)
}

// Len is the number of records.
func (s *Records) Len() int { return len(s.List) }

// ID returns the id of a case.
func (s *Records) ID(row int) string { return s.List[row].Case.ID }

// Status returns the status of a case.
func (s *Records) Status(row int) assay.Status { return s.StatusOf(s.List[row]) }

// Answer says whether the case is right.
func (s *Records) Answer(row int) assay.Correctness { return s.AnswerOf(s.List[row]) }

// Stage returns the stage that a wrong answer is attributed to.
func (s *Records) Stage(row int) string { return s.StageOf(s.List[row]) }

// Tags returns the tags of a case.
func (s *Records) Tags(row int) []string { return s.List[row].Case.Tags }

// Group returns the group of a case.
func (s *Records) Group(row int) string { return s.List[row].Case.Group }

// Critical reports whether a case is critical.
func (s *Records) Critical(row int) bool { return s.List[row].Case.Critical }

// Slow reports whether the response took longer than the slow threshold.
func (s *Records) Slow(row int) bool { return s.List[row].Slow }

// Latency returns the time that the response took.
func (s *Records) Latency(row int) time.Duration {
	if r := s.List[row].Response; r != nil {
		return r.Latency
	}
	return 0
}

// Cost returns the cost of the response.
func (s *Records) Cost(row int) int64 {
	if r := s.List[row].Response; r != nil {
		return r.Usage.Cost
	}
	return 0
}

// Score returns a metric's score.
func (s *Records) Score(row int, metric string) assay.Score { return s.List[row].Scores[metric] }

// Question returns the question in lower case.
func (s *Records) Question(row int) string { return strings.ToLower(s.List[row].Case.Question) }

// Relevant returns how many documents are labelled relevant.
func (s *Records) Relevant(row int) (n int, ok bool) {
	if s.RelevantOf != nil {
		return s.RelevantOf(s.List[row])
	}
	want := s.List[row].Case.Want.Documents
	for _, grade := range want {
		if grade > 0 {
			n++
		}
	}
	return n, want != nil
}

// Contains searches the texts of a case.
func (s *Records) Contains(row int, in Place, part string) bool {
	r := &s.List[row]
	switch in {
	case InID:
		return contains(r.Case.ID, part)
	case InQuestion:
		return contains(r.Case.Question, part)
	case InAnswer:
		return r.Response != nil && contains(r.Response.Answer, part)
	case InReason:
		for _, score := range r.Scores {
			if contains(score.Reason, part) {
				return true
			}
		}
		return false
	case InFailure:
		return r.Failure != nil && (contains(r.Failure.Kind, part) || contains(r.Failure.Message, part))
	}
	return slices.ContainsFunc([]Place{InID, InQuestion, InAnswer}, func(in Place) bool { return s.Contains(row, in, part) })
}

func contains(text, part string) bool { return strings.Contains(strings.ToLower(text), part) }
