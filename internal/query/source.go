package query

import (
	"time"

	"github.com/assay-eval/assay"
)

// A Source holds the cases that a query is asked of, by row from 0. A table of packed
// columns can be one without building records.
type Source interface {
	// Len is the number of rows.
	Len() int
	ID(row int) string
	Status(row int) assay.Status
	// Answer says whether the case is right.
	Answer(row int) assay.Correctness
	// Stage is the stage that a wrong answer is attributed to, or "".
	Stage(row int) string
	Tags(row int) []string
	Group(row int) string
	Critical(row int) bool
	Slow(row int) bool
	// Latency is 0 if it is not known.
	Latency(row int) time.Duration
	// Cost is what the target reports to have spent, in micro-dollars; 0 if it reports
	// nothing.
	Cost(row int) int64
	// Score is a metric's score. Only its State and Value are read.
	Score(row int, metric string) assay.Score
	// Question is the question in lower case.
	Question(row int) string
	// Relevant is how many documents are labelled relevant; ok is false if no document is
	// labelled.
	Relevant(row int) (n int, ok bool)
	// Contains reports whether a text of the case contains a part, which is in lower
	// case as [strings.ToLower] makes it.
	Contains(row int, in Place, part string) bool
}

// A Beside is a Source that has what is not in the records of a run, too.
type Beside interface {
	Source
	// Labels are what people say of a case: right, wrong or unsure, each once at most.
	Labels(row int) []string
	// Delta is the change of a metric from the baseline; ok is false without a value in both
	// runs.
	Delta(row int, metric string) (v float64, ok bool)
	// Flaky reports whether draws of the case differ in one of the two runs.
	Flaky(row int) bool
}

// A Place names the texts of a case that are searched.
type Place uint8

// The places.
const (
	// InTexts are the id, the question and the answer.
	InTexts Place = iota
	InID
	InQuestion
	InAnswer
	// InReason are the reasons of all scores.
	InReason
	// InFailure is why there is no response: its kind and message.
	InFailure
)
