package config

import (
	"fmt"
	"slices"
	"strings"
)

// A stage is who does a step of the built-in pipeline: one of some words, or a
// model as PROVIDER:MODEL.
type stage struct {
	p     *string
	words []string
}

func (v stage) Set(s string) error {
	s = strings.TrimSpace(s)
	name, model, ok := strings.Cut(s, ":")
	// The fake plays a model without a script, too.
	if !slices.Contains(v.words, s) && s != "fake" && (!ok || name == "" || model == "" && name != "fake") {
		return fmt.Errorf("want one of %q, or PROVIDER:MODEL", v.words)
	}
	*v.p = s
	return nil
}
func (v stage) String() string { return *v.p }
func (v stage) Type() string   { return "string" }
