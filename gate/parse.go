package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
)

const (
	wantOp    = `one of >=, <=, >, <`
	wantBound = `".lower", ".upper", ".min" or ".max"`
	wantShare = `a share from 0 to 1, such as "1%"`
)

// bounds are the values of [Rule.Bound].
var bounds = []string{"lower", "upper", boundMin, boundMax, boundBelow, boundAbove}

// ParseRule parses a rule. Errors say where the mistake is and what would be right;
// columns count characters from 1. Names of metrics are checked by [Policy.Check], not
// here.
func ParseRule(s string) (Rule, error) {
	p := &scanner{text: s, in: []rune(s)}
	r := Rule{Text: s}
	p.blank()
	start := p.at
	if err := p.quantity(&r); err != nil {
		return Rule{}, err
	}
	name := p.in[start:p.at]
	p.blank()
	versus := p.at
	if p.letter() {
		if word := p.word(); !strings.EqualFold(word, "vs") {
			return Rule{}, p.wrong(versus, word, `"vs baseline" or `+wantOp)
		}
		p.blank()
		at := p.at
		if word := p.word(); !strings.EqualFold(word, "baseline") {
			return Rule{}, p.wrong(at, word, `"baseline"`)
		}
		r.Versus = true
		p.blank()
	}
	switch {
	case r.single() && r.Versus:
		return Rule{}, p.wrong(versus, "vs baseline", "nothing here: a rule on single cases is not compared with a baseline")
	case r.kind() != kindMetric && r.kind() != kindCount && r.Bound != "":
		return Rule{}, p.wrong(start, string(name), fmt.Sprintf("%q: only a metric has %s", r.Quantity, wantBound))
	case r.Quantity == quantityLosses && r.Versus:
		return Rule{}, p.wrong(versus, "vs baseline", "nothing here: "+quantityLosses+" are always those against the baseline")
	case r.kind() != kindMetric && r.Versus:
		return Rule{}, p.wrong(versus, "vs baseline", "nothing here: a baseline holds metrics only")
	case strings.HasSuffix(r.Quantity, "latency") && r.kind() != kindLatency && !strings.HasPrefix(r.Quantity, assay.CheckPrefix):
		return Rule{}, p.wrong(start, string(name), "one of mean_latency, p50_latency, p95_latency, p99_latency")
	}
	if err := p.op(&r); err != nil {
		return Rule{}, err
	}
	p.blank()
	if err := p.number(&r); err != nil {
		return Rule{}, err
	}
	p.blank()
	if p.at < len(p.in) {
		return Rule{}, p.wrong(p.at, string(p.in[p.at:]), "the end of the rule")
	}
	return r, nil
}

// A scanner reads a rule from left to right. at is the index of the next character.
type scanner struct {
	text string
	in   []rune
	at   int
}

// wrong returns the error that a place has something other than what is wanted.
func (p *scanner) wrong(at int, is, want string) error {
	shown := strconv.Quote(is)
	if is == "" {
		shown = "the rule ends"
		if at < len(p.in) {
			shown = strconv.Quote(string(p.in[at]))
		}
	}
	return fmt.Errorf("rule %q: column %d: %s: want %s", p.text, at+1, shown, want)
}

func (p *scanner) peek() rune {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

// take reads the characters for which fits is true.
func (p *scanner) take(fits func(rune) bool) string {
	start := p.at
	for p.at < len(p.in) && fits(p.in[p.at]) {
		p.at++
	}
	return string(p.in[start:p.at])
}

func (p *scanner) blank() { p.take(unicode.IsSpace) }

func (p *scanner) word() string { return p.take(isLetter) }

func (p *scanner) letter() bool { return isLetter(p.peek()) }

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// family is the name before the dot in a family of metrics: lost_at.retrieve.
const family = "lost_at"

// families are such names; check.short is a check of the configuration. Any other dot begins
// a bound.
var families = []string{family, strings.TrimSuffix(assay.CheckPrefix, ".")}

// quantity reads the name of a metric or of another quantity, and its bound.
func (p *scanner) quantity(r *Rule) error {
	start := p.at
	name := ""
	if p.letter() {
		name = strings.ToLower(p.take(func(r rune) bool { return isLetter(r) || isDigit(r) || r == '_' }))
	}
	if name == "" {
		return p.wrong(start, "", `the name of a metric, errors, new_total_losses, p95_latency or cost`)
	}
	if (name == boundBelow || name == boundAbove) && p.peek() == '(' {
		return p.beyond(r, name)
	}
	if slices.Contains(families, name) && p.peek() == '.' {
		// This dot is part of the name: lost_at.filter.upper.
		p.at++
		name += "." + strings.ToLower(p.take(func(r rune) bool { return isLetter(r) || isDigit(r) || r == '_' }))
	}
	cutoff, err := p.cutoff()
	if err != nil {
		return err
	}
	parameters, err := p.parameters()
	if err != nil {
		return err
	}
	if cutoff == "" && parameters != "" {
		// The cut-off may come last; in the canonical name it comes first.
		if cutoff, err = p.cutoff(); err != nil {
			return err
		}
	}
	r.Quantity = name + cutoff + parameters
	if p.peek() != '.' {
		return nil
	}
	dot := p.at
	p.at++
	switch bound := strings.ToLower(p.word()); bound {
	case "lower", "upper", boundMin, boundMax:
		r.Bound = bound
		return nil
	default:
		return p.wrong(dot, "."+bound, wantBound)
	}
}

// beyond reads the metric and the value of a count of cases: "(recall@10, 0.8)".
func (p *scanner) beyond(r *Rule, bound string) error {
	open := p.at
	p.at++
	p.blank()
	start := p.at
	var m Rule
	if err := p.quantity(&m); err != nil {
		return err
	}
	p.blank()
	switch {
	case m.kind() != kindMetric || m.Bound != "":
		return p.wrong(start, string(p.in[start:p.at]), "the name of a metric")
	case p.peek() == 0:
		return p.wrong(open, "(", `a ")" that closes it, as in "`+bound+`(recall@10, 0.8)"`)
	case p.peek() != ',':
		return p.wrong(p.at, string(p.peek()), `a "," and a value, as in "`+bound+`(recall@10, 0.8)"`)
	}
	p.at++
	p.blank()
	if err := p.number(&m); err != nil {
		return err
	}
	p.blank()
	if p.peek() != ')' {
		return p.wrong(p.at, "", `")"`)
	}
	p.at++
	r.Quantity, r.Bound, r.At = m.Quantity, bound, m.Limit
	return nil
}

func (p *scanner) cutoff() (string, error) {
	if p.peek() != '@' {
		return "", nil
	}
	at := p.at
	p.at++
	k := p.take(isDigit)
	if k == "" {
		return "", p.wrong(at, "@", `a cutoff, such as "@10"`)
	}
	return "@" + k, nil
}

// parameters reads "(p=0.8, gain=graded)" and drops the spaces.
func (p *scanner) parameters() (string, error) {
	if p.peek() != '(' {
		return "", nil
	}
	open := p.at
	p.at++
	var b strings.Builder
	for {
		p.blank()
		part := p.take(func(r rune) bool { return isLetter(r) || isDigit(r) || strings.ContainsRune("_=,.+-", r) })
		b.WriteString(strings.ToLower(part))
		switch next := p.peek(); {
		case next == ')':
			p.at++
			return "(" + b.String() + ")", nil
		case part == "" && p.at == len(p.in):
			return "", p.wrong(open, "(", `a ")" that closes it`)
		case part == "":
			return "", p.wrong(p.at, string(next), `a parameter, such as "p=0.8", or ")"`)
		}
	}
}

func (p *scanner) op(r *Rule) error {
	at := p.at
	is := p.take(func(r rune) bool { return strings.ContainsRune("<>=≤≥!~", r) })
	switch is {
	case ">=", "<=", ">", "<":
		r.Op = is
	case "≥":
		r.Op = ">="
	case "≤":
		r.Op = "<="
	case "":
		return p.wrong(at, p.take(func(r rune) bool { return !unicode.IsSpace(r) }), wantOp)
	default:
		return p.wrong(at, is, wantOp)
	}
	return nil
}

// number reads the limit with its unit, which must be a unit of the quantity.
func (p *scanner) number(r *Rule) error {
	start := p.at
	dollars := p.peek() == '$'
	if dollars {
		p.at++
	}
	sign := ""
	switch p.peek() {
	case '-', '−': // the true minus sign, as reports write it
		sign = "-"
		p.at++
	case '+':
		p.at++
	}
	digits := p.take(isDigit)
	if p.peek() == '.' {
		p.at++
		digits += "." + p.take(isDigit)
	}
	if strings.Trim(digits, ".") == "" {
		p.take(func(r rune) bool { return !unicode.IsSpace(r) })
		return p.wrong(start, string(p.in[start:p.at]), "a number, such as "+r.example())
	}
	written := string(p.in[start:p.at])
	p.blank()
	unitAt := p.at
	unit := p.take(func(r rune) bool { return isLetter(r) || r == '%' })
	scale, factor := "", 1.0
	switch lower := strings.ToLower(unit); {
	case r.kind() == kindLatency && lower == "ms":
		scale = "e-3"
	case r.kind() == kindLatency && lower == "s":
	case r.kind() == kindLatency && lower == "m":
		factor = 60
	case r.kind() == kindLatency:
		return p.wrong(start, written+unit, fmt.Sprintf("a time with ms, s or m, such as %q", strings.TrimLeft(written, "$")+"s"))
	case unit == "%" && r.kind() != kindCost && !dollars:
		scale, r.Percent = "e-2", true
	case unit != "" && r.kind() == kindCost:
		return p.wrong(unitAt, unit, `dollars without a unit, such as "1.50"`)
	case lower == "ms" || lower == "s" || lower == "m":
		return p.wrong(unitAt, unit, "a number without a unit: only mean_latency, p50_latency, p95_latency and p99_latency are times")
	case unit != "":
		return p.wrong(unitAt, unit, `a number without a unit, or with "%"`)
	}
	if dollars && r.kind() != kindCost {
		return p.wrong(start, written, "a number without \"$\": only the cost is in dollars")
	}
	v, err := strconv.ParseFloat(sign+digits+scale, 64)
	if v *= factor; err != nil || v-v != 0 {
		return p.wrong(start, written, "a number that is not so large")
	}
	r.Limit = v + 0 // −0 is 0
	switch {
	case r.kind() == kindMetric:
	case r.kind() == kindCount && r.Limit < 0:
		return p.wrong(start, written, "a number of cases, from 0")
	case r.kind() == kindCount && !r.Percent && r.Limit != math.Trunc(r.Limit):
		return p.wrong(start, written, fmt.Sprintf("a whole number of cases, or a share, such as %q", percent(decimal(r.Limit))))
	case r.kind() == kindCount && r.Percent && r.Limit > 1:
		return p.wrong(start, written+unit, `a share from "0%" to "100%"`)
	case r.kind() == kindCount:
	case r.Limit < 0:
		return p.wrong(start, written, "a number from 0: "+r.Quantity+" cannot be less")
	case r.kind() == kindShare && !r.Percent && r.Limit >= 1:
		return p.wrong(start, written, fmt.Sprintf("%s: is %q meant?", wantShare, written+"%"))
	case r.kind() == kindShare && r.Limit > 1:
		return p.wrong(start, written+unit, wantShare)
	}
	return nil
}

// example returns a possible limit for the quantity, for messages.
func (r Rule) example() string {
	switch r.kind() {
	case kindShare:
		return "1%"
	case kindLatency:
		return "2s"
	case kindCost:
		return "1.50"
	case kindCount:
		return "0"
	}
	if r.Versus {
		return "-0.02"
	}
	return "0.85"
}
