package checks

import (
	"context"
	"math"

	"github.com/assay-eval/assay"
)

// A kind is one kind of check. It has one of reads and test.
type kind struct {
	// value says what Value must be.
	value func(v any) error
	// limits says what Threshold is; "" if there is none.
	limits string
	// limit is the threshold of a check that gives none; NaN means that it must be given or,
	// with optional, that there is none.
	limit    float64
	optional bool
	// exact is set if IgnoreCase has no meaning.
	exact bool
	// takes are the fields that only some kinds have; more checks what the fields of the
	// kind are together.
	takes []string
	more  func(c assay.Check) error
	// reads tests the answer alone, prepared as the check says.
	reads func(m *meter, c assay.Check, answer string, limit float64) (passed bool, why string)
	// test tests the response.
	test func(ctx context.Context, c assay.Check, s Subject, limit float64) verdict
}

// A verdict is what a kind finds.
type verdict struct {
	passed bool
	// why says what the response lacks.
	why string
	// score is set if there is a number in place of a verdict.
	score *float64
	// skipped says why the check does not apply to the response, err why it has no result.
	skipped string
	err     error
}

const scoreLimit = "the score with which the check passes"

// kinds are all kinds by name.
var kinds = map[string]kind{
	assay.CheckContains:    {value: texts, reads: contains},
	assay.CheckContainsAny: {value: texts, reads: containsAny},
	assay.CheckEquals:      {value: anything, reads: equals},
	assay.CheckStartsWith:  {value: textOnly, reads: startsWith},
	assay.CheckRegex:       {value: pattern, reads: matches},
	assay.CheckLevenshtein: {value: anyText, limits: "the largest distance in characters, from 0", limit: 5, reads: near},

	assay.CheckIsJSON:       {value: schema, exact: true, reads: isJSON},
	assay.CheckContainsJSON: {value: schema, exact: true, reads: containsJSON},

	assay.CheckNumbers: {
		value: numbers, limits: "the largest difference, from 0", exact: true, takes: []string{"relative"}, more: validNumbers,
		reads: hasNumbers,
	},
	assay.CheckLength: {
		value: nothing, exact: true, takes: []string{"min", "max", "of"}, more: validLength, reads: length,
	},
	assay.CheckLanguage: {value: languages, exact: true, test: inLanguage},
	assay.CheckCites: {
		value: citable, limits: shareCiting, limit: math.NaN(), optional: true, exact: true, more: validCites, test: cites,
	},
	assay.CheckLatency: {value: nothing, limits: "the largest latency in seconds", limit: math.NaN(), exact: true, test: latency},
	assay.CheckCost:    {value: nothing, limits: "the largest cost in US dollars", limit: math.NaN(), exact: true, test: cost},

	assay.CheckMustState:    {value: texts, exact: true, test: states},
	assay.CheckMustNotState: {value: texts, exact: true, test: states},

	assay.CheckExpression: {
		value: validExpression, limits: scoreLimit, limit: math.NaN(), optional: true, exact: true,
		takes: []string{"range", "unit", "better"}, more: validScores, test: expression,
	},
	assay.CheckExec: {
		value: validCommand, limits: scoreLimit, limit: math.NaN(), optional: true, exact: true,
		takes: []string{"timeout", "range", "unit", "better"}, more: validExec, test: program,
	},
	assay.CheckSet: {
		value: nothing, limits: "the share that must pass, from 0 to 1", limit: math.NaN(), optional: true, exact: true,
	},
}
