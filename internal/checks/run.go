package checks

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonschema"
)

// A Result is the verdict on one check.
type Result struct {
	Check  assay.Check
	Passed bool
	// Score is 1 for a check that passed and 0 for one that did not; of a set it is the
	// weighted share of its members.
	Score float64
	// Why says what the response lacks. It is empty if the check passed.
	Why string
	// Of are the verdicts on the members of a set.
	Of []Result
}

// Run tests a response. The check must be valid.
func Run(c assay.Check, r *assay.Response) Result {
	out := Result{Check: c}
	k := kinds[c.Kind]
	limit := k.limit
	if c.Threshold != nil {
		limit = *c.Threshold
	}
	switch c.Kind {
	case assay.CheckSet:
		return set(c, r)
	case assay.CheckLatency:
		took := r.Latency.Seconds()
		out.Passed, out.Why = took <= limit, fmt.Sprintf("took %.3g s, more than %v s", took, limit)
	default:
		answer := r.Answer
		if c.Trim {
			answer = strings.TrimSpace(answer)
		}
		test := c
		if c.IgnoreCase && c.Kind != assay.CheckRegex {
			answer, test.Value = strings.ToLower(answer), lower(c.Value)
		}
		out.Passed, out.Why = k.test(test, answer, limit)
	}
	if c.Not {
		out.Passed, out.Why = !out.Passed, "it is so"
	}
	if out.Passed {
		out.Score, out.Why = 1, ""
	}
	return out
}

// set tests the members of a set.
func set(c assay.Check, r *assay.Response) Result {
	out := Result{Check: c}
	all := true
	total, sum := 0.0, 0.0
	for _, one := range c.Checks {
		of := Run(one, r)
		out.Of = append(out.Of, of)
		sum, total = sum+of.Score*Weight(one), total+Weight(one)
		all = all && (of.Passed || Weight(one) == 0)
	}
	if total > 0 {
		out.Score = sum / total
	}
	out.Passed, out.Why = all, "a member failed"
	if c.Threshold != nil {
		// A sum of weights such as 0.1 and 0.2 is not exact.
		out.Passed = out.Score >= *c.Threshold-1e-12
		out.Why = fmt.Sprintf("%.3g of the weight passed, less than %v", out.Score, *c.Threshold)
	}
	if c.Not {
		out.Passed, out.Score, out.Why = !out.Passed, 1-out.Score, "it is so"
	}
	if out.Passed {
		out.Why = ""
	}
	return out
}

// Weight returns the weight of a check.
func Weight(c assay.Check) float64 {
	if c.Weight != nil {
		return *c.Weight
	}
	return 1
}

// Describe returns the check in a few words: its name, its kind and its value.
func Describe(c assay.Check) string {
	out := c.Kind
	if c.Not {
		out = "not " + out
	}
	if c.Name != "" {
		out = c.Name + ": " + out
	}
	switch all := textsOf(c.Value); {
	case c.Kind == assay.CheckSet:
		out += fmt.Sprintf(" of %d", len(c.Checks))
	case c.Kind == assay.CheckIsJSON || c.Kind == assay.CheckContainsJSON:
		if c.Value != nil {
			out += " by a schema"
		}
	case all != nil:
		out += " " + quoted(all)
	case c.Value != nil:
		out += " " + jsonschema.Shown(c.Value)
	}
	if c.Threshold != nil {
		out += fmt.Sprintf(", threshold %v", *c.Threshold)
	}
	return out
}

// lower returns a value with its texts in lower case.
func lower(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToLower(v)
	case []string, []any:
		var out []string
		for _, s := range textsOf(v) {
			out = append(out, strings.ToLower(s))
		}
		return out
	}
	return v
}

func equals(c assay.Check, answer string, _ float64) (bool, string) {
	if s, ok := c.Value.(string); ok {
		return answer == s, "is not " + quoted([]string{s})
	}
	why := "is not the JSON " + jsonschema.Shown(c.Value)
	raw, err := json.Marshal(c.Value)
	if err != nil {
		return false, err.Error()
	}
	want, err := jsonschema.Decode(raw)
	if err != nil {
		return false, err.Error()
	}
	got, err := jsonschema.Decode([]byte(answer))
	return err == nil && jsonschema.Equal(got, want), why
}

func matches(c assay.Check, answer string, _ float64) (bool, string) {
	source := c.Value.(string)
	if c.IgnoreCase {
		source = "(?i:" + source + ")"
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return false, err.Error()
	}
	return re.MatchString(answer), fmt.Sprintf("has no match of %s", source)
}

func isJSON(c assay.Check, answer string, _ float64) (bool, string) {
	v, err := jsonschema.Decode([]byte(answer))
	if err != nil {
		return false, "is not JSON: " + err.Error()
	}
	return follows(c, v)
}

// follows tests a JSON value by the schema of a check, if it has one.
func follows(c assay.Check, v any) (bool, string) {
	if c.Value == nil {
		return true, "is JSON"
	}
	s, err := schemaOf(c.Value)
	if err != nil {
		return false, err.Error()
	}
	all := s.Violations(v)
	return all == nil, "breaks the schema: " + strings.Join(all[:min(len(all), 3)], "; ")
}

// containsJSON tests every JSON object that begins at a brace of the answer and is not
// within an earlier one.
func containsJSON(c assay.Check, answer string, _ float64) (bool, string) {
	why := "holds no JSON object"
	for rest := answer; ; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return false, why
		}
		rest = rest[at:]
		d := json.NewDecoder(strings.NewReader(rest))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			rest = rest[1:]
			continue
		}
		passed, breaks := follows(c, v)
		if passed {
			return true, ""
		}
		why, rest = breaks, rest[d.InputOffset():]
	}
}
