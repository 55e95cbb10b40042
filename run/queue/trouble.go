package queue

import (
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/run"
)

// A trouble is a kind of error that ends a run on all workers.
type trouble string

const (
	troubleJudge       trouble = "judge"       // [judge.FatalError]
	troubleUnreachable trouble = "unreachable" // [run.UnreachableError]
	troubleOther       trouble = "other"
)

// noteOf returns the note of an error that ends a run.
func noteOf(worker string, err error) note {
	var fatal *judge.FatalError
	if errors.As(err, &fatal) {
		return note{Worker: worker, Kind: troubleJudge, Reason: fatal.Err.Error()}
	}
	var unreachable *run.UnreachableError
	if errors.As(err, &unreachable) {
		return note{Worker: worker, Kind: troubleUnreachable, Reason: unreachable.Last.Message, Cases: unreachable.Cases}
	}
	return note{Worker: worker, Kind: troubleOther, Reason: err.Error()}
}

// err returns the error that the session ends with.
func (n note) err() error {
	switch n.Kind {
	case troubleJudge:
		return &judge.FatalError{Err: errors.New(n.Reason)}
	case troubleUnreachable:
		return &run.UnreachableError{Cases: n.Cases, Last: assay.Failure{Message: n.Reason}}
	}
	return errors.New("worker " + n.Worker + ": " + n.Reason)
}
