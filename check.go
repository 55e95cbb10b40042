package assay

// A Check is an exact rule about the response to a case, such as "the answer contains
// 30 days". It passes or fails without a judge. The package internal/checks says what
// each kind requires.
type Check struct {
	// Kind is one of the Check… constants.
	Kind string `json:"kind"`
	// Name is a label of the user's, shown in place of the description.
	Name string `json:"name,omitempty"`
	// Value is what the kind compares with: a text, a list of texts, or any JSON value.
	Value any `json:"value,omitempty"`
	// Not inverts the check: it passes if the rule does not hold.
	Not bool `json:"not,omitempty"`
	// IgnoreCase compares texts in lower case.
	IgnoreCase bool `json:"ignore_case,omitempty"`
	// Trim compares the answer without white space around it.
	Trim bool `json:"trim,omitempty"`
	// Threshold is a limit: the largest distance of a levenshtein check, the seconds of
	// a latency check, the share that a set needs. nil means the kind's default.
	Threshold *float64 `json:"threshold,omitempty"`
	// Weight is the part of the check in the share that passed; nil means 1. A check
	// of weight 0 is shown and never fails a case.
	Weight *float64 `json:"weight,omitempty"`
	// Checks are the members of a set.
	Checks []Check `json:"checks,omitempty"`
}

// The kinds of checks.
const (
	// CheckContains requires each of the texts in the answer.
	CheckContains = "contains"
	// CheckContainsAny requires one of the texts in the answer.
	CheckContainsAny = "contains-any"
	// CheckEquals requires an answer that is the text or, if the value is not a text,
	// that is JSON with the same value.
	CheckEquals = "equals"
	// CheckStartsWith requires an answer that begins with the text.
	CheckStartsWith = "starts-with"
	// CheckRegex requires a match of the regular expression (RE2) in the answer.
	CheckRegex = "regex"
	// CheckIsJSON requires an answer that is JSON, and follows the schema if there is one.
	CheckIsJSON = "is-json"
	// CheckContainsJSON requires a JSON object in the answer that follows the schema if
	// there is one.
	CheckContainsJSON = "contains-json"
	// CheckLevenshtein limits how many characters must be inserted, removed or replaced
	// to make the answer the text.
	CheckLevenshtein = "levenshtein"
	// CheckLatency limits the latency of the response, in seconds.
	CheckLatency = "latency"
	// CheckSet requires its members: all of them, or the weighted share that the
	// threshold names.
	CheckSet = "set"
)

// CheckKinds lists the kinds.
func CheckKinds() []string {
	return []string{
		CheckContains, CheckContainsAny, CheckEquals, CheckStartsWith, CheckRegex, CheckIsJSON, CheckContainsJSON, CheckLevenshtein,
		CheckLatency, CheckSet,
	}
}
