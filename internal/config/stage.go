package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/target/adapter"
)

// Auto selects the filter's own threshold.
const Auto = -1

// AutoChunks selects the method of splitting by the kind of corpus.
const AutoChunks = "auto"

// Values of the stages that are not models.
const (
	NoStage    = "none"
	Rule       = "rule"
	Similarity = "similarity"
	// Command is a program that the setting with "-command" in its name starts.
	Command = "command"
)

// Pipelined reports whether the built-in pipeline answers.
func (c *Config) Pipelined() bool {
	a := adapter.Find(c.Adapter)
	return a != nil && a.Pipeline
}

// IsModel reports whether the value of a stage names a model.
func IsModel(stage string) bool { return stage == "fake" || strings.Contains(stage, ":") }

const (
	// ratedFrom is the middle of the rating scale of models.
	ratedFrom = 5
	// similarFrom keeps nearly all of the relevant passages that were retrieved in
	// English; 5 loses a fifth of them, and most in Chinese: docs/results/filter.md.
	similarFrom = 3
)

// KeepsFrom is the relevance from which the filter keeps a passage, 0 to 10.
func (c *Config) KeepsFrom() float64 {
	switch {
	case c.FilterThreshold != Auto:
		return c.FilterThreshold
	case c.Filter == Similarity:
		return similarFrom
	}
	return ratedFrom
}

// A rating is a relevance from 0 to 10, or [Auto].
type rating struct{ p *float64 }

func (v rating) Set(s string) error {
	if strings.TrimSpace(s) == "auto" {
		*v.p = Auto
		return nil
	}
	if (number{v.p, 0, 10}).Set(s) != nil {
		return errors.New(`expected a number from 0 to 10, or "auto"`)
	}
	return nil
}

func (v rating) String() string {
	if *v.p == Auto {
		return "auto"
	}
	return number{p: v.p}.String()
}

func (v rating) Type() string { return "float" }

// A stage is the value of a step of the built-in pipeline: one of some words,
// or a model as PROVIDER:MODEL.
type stage struct {
	p     *string
	words []string
}

func (v stage) Set(s string) error {
	s = strings.TrimSpace(s)
	name, model, ok := strings.Cut(s, ":")
	// The fake needs no script.
	if !slices.Contains(v.words, s) && s != "fake" && (!ok || name == "" || model == "" && name != "fake") {
		return fmt.Errorf("expected one of %q, or PROVIDER:MODEL", v.words)
	}
	*v.p = s
	return nil
}
func (v stage) String() string { return *v.p }
func (v stage) Type() string   { return "string" }
