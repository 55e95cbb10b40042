// Package checks says what each kind of [assay.Check] requires: which values it takes, and
// whether a response passes.
package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonschema"
	"github.com/assay-eval/assay/internal/text"
)

// A Problem is what is wrong with a check: the field, the problem, and what is right.
type Problem struct{ Field, Problem, Want string }

// Error formats the problem.
func (p *Problem) Error() string { return fmt.Sprintf("%s: %s: want %s", p.Field, p.Problem, p.Want) }

// A kind is one kind of check.
type kind struct {
	// value says what Value must be.
	value func(v any) error
	// limits says what Threshold is; "" if there is none.
	limits string
	// limit is the threshold of a check that gives none; NaN means that it must be given.
	limit float64
	// exact is set if IgnoreCase has no meaning.
	exact bool
	test  func(c assay.Check, answer string, limit float64) (passed bool, why string)
}

const oneText = "a text that is not empty"

var kinds = map[string]kind{
	assay.CheckContains: {value: texts, test: func(c assay.Check, answer string, _ float64) (bool, string) {
		var missing []string
		for _, s := range textsOf(c.Value) {
			if !strings.Contains(answer, s) {
				missing = append(missing, s)
			}
		}
		return missing == nil, "lacks " + quoted(missing)
	}},
	assay.CheckContainsAny: {value: texts, test: func(c assay.Check, answer string, _ float64) (bool, string) {
		all := textsOf(c.Value)
		return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(answer, s) }), "lacks each of " + quoted(all)
	}},
	assay.CheckEquals: {value: anything, test: equals},
	assay.CheckStartsWith: {value: textOnly, test: func(c assay.Check, answer string, _ float64) (bool, string) {
		return strings.HasPrefix(answer, c.Value.(string)), "does not start with " + quoted(textsOf(c.Value))
	}},
	assay.CheckRegex:        {value: pattern, test: matches},
	assay.CheckIsJSON:       {value: schema, exact: true, test: isJSON},
	assay.CheckContainsJSON: {value: schema, exact: true, test: containsJSON},
	assay.CheckLevenshtein: {
		value: anyText, limits: "the largest distance in characters, from 0", limit: 5,
		test: func(c assay.Check, answer string, limit float64) (bool, string) {
			edits := levenshtein.ComputeDistance(c.Value.(string), answer)
			return float64(edits) <= limit, fmt.Sprintf("%d characters differ from %s, more than %v", edits, quoted(textsOf(c.Value)), limit)
		},
	},
	assay.CheckLatency: {value: nothing, limits: "the largest latency in seconds", limit: math.NaN(), exact: true},
	assay.CheckSet:     {value: nothing, limits: "the share that must pass, from 0 to 1", limit: math.NaN(), exact: true},
}

// Valid returns a *[Problem] if a check is not complete, with the path of its field.
func Valid(c assay.Check) error {
	bad := func(field, problem, want string) error { return &Problem{field, problem, want} }
	k, known := kinds[c.Kind]
	if !known {
		all := assay.CheckKinds()
		problem := "missing"
		if c.Kind != "" {
			problem = fmt.Sprintf("unknown kind %q", text.Shorten(c.Kind, 80))
			if near := text.Nearest(c.Kind, all); near != "" {
				problem += fmt.Sprintf(", did you mean %q?", near)
			}
		}
		return bad("kind", problem, "one of "+strings.Join(all, ", "))
	}
	if err := k.value(c.Value); err != nil {
		var p *Problem
		if errors.As(err, &p) {
			return p
		}
		return err
	}
	switch t := c.Threshold; {
	case t != nil && k.limits == "":
		return bad("threshold", "a check of the kind "+c.Kind+" has none", "no field")
	case t == nil && c.Kind == assay.CheckLatency:
		return bad("threshold", "missing", k.limits)
	case t != nil && (!(*t >= 0) || math.IsInf(*t, 0) || c.Kind == assay.CheckSet && *t > 1):
		return bad("threshold", fmt.Sprint(*t), k.limits)
	}
	if w := c.Weight; w != nil && (!(*w >= 0) || math.IsInf(*w, 0)) {
		return bad("weight", fmt.Sprint(*w), "a number from 0")
	}
	if c.IgnoreCase && k.exact {
		return bad("ignore_case", "a check of the kind "+c.Kind+" compares no text", "no field")
	}
	return members(c)
}

// members checks the members of a set.
func members(c assay.Check) error {
	switch {
	case c.Kind != assay.CheckSet && len(c.Checks) > 0:
		return &Problem{"checks", "a check of the kind " + c.Kind + " has no members", "the kind set"}
	case c.Kind == assay.CheckSet && len(c.Checks) == 0:
		return &Problem{"checks", "missing", "a list of checks"}
	case depth(c) > maxDepth:
		return &Problem{"checks", fmt.Sprintf("sets are nested more than %d deep", maxDepth), "fewer"}
	}
	for i, one := range c.Checks {
		err := Valid(one)
		var p *Problem
		if errors.As(err, &p) {
			return &Problem{fmt.Sprintf("checks[%d].%s", i, p.Field), p.Problem, p.Want}
		}
	}
	return nil
}

// maxDepth bounds the nesting of sets.
const maxDepth = 10

func depth(c assay.Check) int {
	deepest := 0
	for _, one := range c.Checks {
		if deepest <= maxDepth {
			deepest = max(deepest, depth(one))
		}
	}
	return deepest + 1
}

func nothing(v any) error {
	if v != nil {
		return &Problem{"value", "this kind has none", "no field"}
	}
	return nil
}

func anything(v any) error {
	if v == nil {
		return &Problem{"value", "missing", "a text, or a JSON value that the answer should be"}
	}
	return nil
}

func anyText(v any) error {
	if _, ok := v.(string); !ok {
		return &Problem{"value", what(v), "a text"}
	}
	return nil
}

func textOnly(v any) error {
	if s, ok := v.(string); !ok || s == "" {
		return &Problem{"value", what(v), oneText}
	}
	return nil
}

func texts(v any) error {
	if all := textsOf(v); len(all) == 0 || slices.Contains(all, "") {
		return &Problem{"value", what(v), oneText + ", or a list of such texts"}
	}
	return nil
}

func pattern(v any) error {
	if err := textOnly(v); err != nil {
		return err
	}
	if _, err := regexp.Compile(v.(string)); err != nil {
		return &Problem{"value", err.Error(), "a regular expression in the syntax of RE2"}
	}
	return nil
}

func schema(v any) error {
	if v == nil {
		return nil
	}
	_, err := schemaOf(v)
	if err != nil {
		return &Problem{"value", err.Error(), "a JSON schema, or no field"}
	}
	return nil
}

func schemaOf(v any) (*jsonschema.Schema, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.Parse(raw)
}

// textsOf returns the texts of a value that is one, or a list of them; nil if it is
// neither.
func textsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var out []string
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				return nil
			}
			out = append(out, s)
		}
		return out
	}
	return nil
}

func what(v any) string {
	switch {
	case v == nil:
		return "missing"
	case v == "":
		return "empty text"
	}
	return jsonschema.Shown(v)
}

func quoted(all []string) string {
	var out []string
	for _, s := range all {
		out = append(out, fmt.Sprintf("%q", text.Shorten(s, 80)))
	}
	return strings.Join(out, ", ")
}
