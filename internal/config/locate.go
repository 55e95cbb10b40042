package config

import (
	"errors"
	"fmt"
)

// An about is an error in the value of a setting.
type about struct {
	key string
	error
}

func (a about) Unwrap() error { return a.error }

// About marks an error as one about the value of a setting, or of an entry of one
// ("thresholds.mrr@10"), for [Resolved.Locate]. It is for code that checks a value long
// after it was read, and that does not know where it came from. nil remains nil.
func About(key string, err error) error {
	if err == nil {
		return nil
	}
	return about{key, err}
}

// Locate puts the place of the value, such as "eval-config.yaml:4" or "environment
// ASSAY_METRICS", before every error that [About] marked, also within a joined one. Defaults and
// flags have none. Errors without a mark, and nil, remain as they are.
func (r *Resolved) Locate(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return errors.Join(each(joined.Unwrap(), r.Locate)...)
	}
	marked, ok := err.(about) //nolint:errorlint // a mark within another error is not that error's
	if !ok {
		return err
	}
	switch r.From(marked.key) {
	case FromDefault, FromFlag:
		return marked.error
	}
	place := func(err error) error { return fmt.Errorf("%s: %w", r.Origins[marked.key], err) }
	if joined, ok := marked.error.(interface{ Unwrap() []error }); ok {
		return errors.Join(each(joined.Unwrap(), place)...)
	}
	return place(marked.error)
}

// each returns what f makes of every error.
func each(errs []error, f func(error) error) []error {
	out := make([]error, len(errs))
	for i, err := range errs {
		out[i] = f(err)
	}
	return out
}
