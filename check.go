package assay

// A Check is a rule about the response to a case, such as "the answer contains 30 days". It
// passes, fails, or has no result: a judge that is away decides nothing. A configuration may
// have checks too, each of which is a metric. The package internal/checks says what each
// kind requires.
type Check struct {
	// Kind is one of the Check… constants.
	Kind string `json:"kind"`
	// Name is a label of the user's, shown in place of the description.
	Name string `json:"name,omitempty"`
	// When is an expression that says to which cases the check applies; "" is all.
	When string `json:"when,omitempty"`
	// Value is what the kind compares with: a text, a list of texts, or any JSON value. It
	// is the expression, and the command of a program with its arguments.
	Value any `json:"value,omitempty"`
	// Not inverts the check: it passes if the rule does not hold.
	Not bool `json:"not,omitempty"`
	// IgnoreCase compares texts in lower case.
	IgnoreCase bool `json:"ignore_case,omitempty"`
	// Trim compares the answer without white space around it.
	Trim bool `json:"trim,omitempty"`
	// Threshold is a limit: the largest distance of a levenshtein check, the seconds of
	// a latency check, the share that a set needs, the largest difference of a number, the
	// score with which an expression or a program passes. nil means the kind's default.
	Threshold *float64 `json:"threshold,omitempty"`
	// Relative is the largest difference of a number as a share of it.
	Relative *float64 `json:"relative,omitempty"`
	// Min and Max bound a length, in the unit Of: "characters", "words" or "sentences".
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	Of  string   `json:"of,omitempty"`
	// Timeout is how many seconds a program may take.
	Timeout *float64 `json:"timeout,omitempty"`
	// Weight is the part of the check in the share that passed; nil means 1. A check
	// of weight 0 is shown and never fails a case.
	Weight *float64 `json:"weight,omitempty"`
	// Range, Unit and Better describe the scores of an expression or a program that gives
	// numbers: the smallest and the largest, a word such as "points", and "higher" or
	// "lower". Without them scores are from 0 to 1, and higher is better.
	Range  []float64 `json:"range,omitempty"`
	Unit   string    `json:"unit,omitempty"`
	Better string    `json:"better,omitempty"`
	// Checks are the members of a set.
	Checks []Check `json:"checks,omitempty"`
}

// CheckPrefix begins the names of the metrics that are checks of a configuration.
const CheckPrefix = "check."

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
	// CheckCost limits what the response cost, in US dollars.
	CheckCost = "cost"
	// CheckNumbers requires the numbers in the answer, within a tolerance.
	CheckNumbers = "numbers"
	// CheckCites requires citations such as "[1]" in the answer.
	CheckCites = "cites"
	// CheckLength limits the length of the answer.
	CheckLength = "length"
	// CheckLanguage requires an answer in one of the languages.
	CheckLanguage = "language"
	// CheckMustState requires an answer that says each of the statements, and
	// CheckMustNotState one that says none of them. A judge rules on that.
	CheckMustState    = "must_state"
	CheckMustNotState = "must_not_state"
	// CheckExpression computes a verdict or a score from the response and the case.
	CheckExpression = "expression"
	// CheckExec asks a program for a verdict or a score.
	CheckExec = "exec"
	// CheckSet requires its members: all of them, or the weighted share that the
	// threshold names.
	CheckSet = "set"
)

// CheckKinds lists the kinds.
func CheckKinds() []string {
	return []string{
		CheckContains, CheckContainsAny, CheckEquals, CheckStartsWith, CheckRegex, CheckIsJSON, CheckContainsJSON, CheckLevenshtein,
		CheckNumbers, CheckCites, CheckLength, CheckLanguage, CheckLatency, CheckCost, CheckMustState, CheckMustNotState, CheckExpression,
		CheckExec, CheckSet,
	}
}
