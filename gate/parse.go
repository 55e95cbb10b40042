package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/scan"
)

const (
	wantOp    = `one of >=, <=, >, <`
	wantBound = `".lower", ".upper", ".min" or ".max"`
	wantShare = `a share from 0 to 1, such as "1%"`
)

// bounds are the values of [Rule.Bound] that follow a dot.
var bounds = []string{"lower", "upper", boundMin, boundMax}

// ops are the values of [Rule.Op].
var ops = []string{">=", "<=", ">", "<"}

// ParseRule parses a rule. Errors say where the mistake is and what would be right;
// columns count characters from 1. Names of metrics are checked by [Policy.Check], not
// here.
func ParseRule(s string) (Rule, error) {
	p := &scanner{scan.Scanner{Text: s}}
	r := Rule{Text: s}
	p.Space()
	start := p.At
	if err := p.quantity(&r); err != nil {
		return Rule{}, err
	}
	name := s[start:p.At]
	p.Space()
	versus := p.At
	if word := p.Take(isLetter); word != "" {
		if !strings.EqualFold(word, "vs") {
			return Rule{}, p.wrong(versus, word, `"vs baseline" or `+wantOp)
		}
		p.Space()
		at := p.At
		if word := p.Take(isLetter); !strings.EqualFold(word, "baseline") {
			return Rule{}, p.wrong(at, word, `"baseline"`)
		}
		r.Versus = true
		p.Space()
	}
	switch want := r.misused(); {
	case want != "" && r.Versus:
		return Rule{}, p.wrong(versus, "vs baseline", "nothing here: "+want)
	case want != "":
		return Rule{}, p.wrong(start, name, want)
	case strings.HasSuffix(r.Quantity, "latency") && r.kind() != kindLatency && !strings.HasPrefix(r.Quantity, assay.CheckPrefix):
		return Rule{}, p.wrong(start, name, "one of mean_latency, p50_latency, p95_latency, p99_latency")
	}
	if err := p.op(&r); err != nil {
		return Rule{}, err
	}
	p.Space()
	if err := p.number(&r); err != nil {
		return Rule{}, err
	}
	p.Space()
	if p.Rest() != "" {
		return Rule{}, p.wrong(p.At, s[p.At:], "the end of the rule")
	}
	return r, nil
}

// misused says what the quantity of a rule cannot be combined with; "" if nothing is wrong.
func (r Rule) misused() string {
	switch ofRun := r.kind() != kindMetric && r.kind() != kindCount; {
	case r.single() && r.Versus:
		return "a rule on single cases is not compared with a baseline"
	case ofRun && r.Bound != "":
		return fmt.Sprintf("%q: only a metric has %s", r.Quantity, wantBound)
	case r.Quantity == quantityLosses && r.Versus:
		return quantityLosses + " are always those against the baseline"
	case ofRun && r.Versus:
		return "a baseline holds metrics only"
	}
	return ""
}

// A scanner reads a rule.
type scanner struct{ scan.Scanner }

// wrong returns the error that a place has something other than what is wanted.
func (p *scanner) wrong(at int, is, want string) error {
	shown := strconv.Quote(is)
	if is == "" {
		shown = "the rule ends"
		for _, next := range p.Text[at:] {
			shown = strconv.Quote(string(next))
			break
		}
	}
	return fmt.Errorf("rule %q: column %d: %s: expected %s", p.Text, scan.Column(p.Text, at), shown, want)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isName(r rune) bool { return isLetter(r) || isDigit(r) || r == '_' }

func isParameter(r rune) bool {
	return isName(r) || unicode.IsSpace(r) || strings.ContainsRune("=,.+-", r)
}

func isText(r rune) bool { return !unicode.IsSpace(r) }

// family is the name before the dot in a family of metrics: lost_at.retrieve.
const family = "lost_at"

// families are such names; check.short is a check of the configuration. Any other dot begins
// a bound.
var families = []string{family, strings.TrimSuffix(assay.CheckPrefix, ".")}

// quantity reads the name of a metric or of another quantity, and its bound.
func (p *scanner) quantity(r *Rule) error {
	start := p.At
	name := strings.ToLower(p.Take(isName))
	if name == "" || !isLetter(rune(name[0])) {
		return p.wrong(start, "", `the name of a metric, errors, new_total_losses, p95_latency or cost`)
	}
	if (name == boundBelow || name == boundAbove) && p.Next("(") {
		return p.beyond(r, name)
	}
	if slices.Contains(families, name) && p.Next(".") {
		// This dot is part of the name: lost_at.filter.upper.
		name += "." + strings.ToLower(p.Take(isName))
	}
	// The cut-off may come last; in the canonical name it comes first.
	cutoff, parameters := "", ""
	for at := p.At; ; at = p.At {
		switch {
		case cutoff == "" && p.Next("@"):
			if p.Take(isDigit) == "" {
				return p.wrong(at, "@", `a cutoff, such as "@10"`)
			}
			cutoff = p.Text[at:p.At]
			continue
		case parameters == "" && p.Next("("):
			p.Take(isParameter)
			switch {
			case p.Next(")"):
				parameters = strings.ToLower(strings.Join(strings.Fields(p.Text[at:p.At]), ""))
				continue
			case p.Rest() == "":
				return p.wrong(at, "(", `a ")" that closes it`)
			}
			return p.wrong(p.At, "", `a parameter, such as "p=0.8", or ")"`)
		}
		break
	}
	r.Quantity = name + cutoff + parameters
	dot := p.At
	if !p.Next(".") {
		return nil
	}
	r.Bound = strings.ToLower(p.Take(isLetter))
	if !slices.Contains(bounds, r.Bound) {
		return p.wrong(dot, "."+r.Bound, wantBound)
	}
	return nil
}

// beyond reads the metric and the value of a count of cases, after the parenthesis:
// "recall@10, 0.8)".
func (p *scanner) beyond(r *Rule, bound string) error {
	open := p.At - 1
	p.Space()
	start := p.At
	var m Rule
	if err := p.quantity(&m); err != nil {
		return err
	}
	name := p.Text[start:p.At]
	p.Space()
	switch {
	case m.kind() != kindMetric || m.Bound != "":
		return p.wrong(start, name, "the name of a metric")
	case p.Rest() == "":
		return p.wrong(open, "(", `a ")" that closes it, as in "`+bound+`(recall@10, 0.8)"`)
	case !p.Next(","):
		return p.wrong(p.At, "", `a "," and a value, as in "`+bound+`(recall@10, 0.8)"`)
	}
	p.Space()
	if err := p.number(&m); err != nil {
		return err
	}
	p.Space()
	if !p.Next(")") {
		return p.wrong(p.At, "", `")"`)
	}
	r.Quantity, r.Bound, r.At = m.Quantity, bound, m.Limit
	return nil
}

// op reads the operator.
func (p *scanner) op(r *Rule) error {
	at := p.At
	r.Op = p.Take(func(r rune) bool { return strings.ContainsRune("<>=≤≥!~", r) })
	switch r.Op {
	case "≥":
		r.Op = ">="
	case "≤":
		r.Op = "<="
	case "":
		return p.wrong(at, p.Take(isText), wantOp)
	}
	if !slices.Contains(ops, r.Op) {
		return p.wrong(at, r.Op, wantOp)
	}
	return nil
}

// number reads the limit with its unit, which must be a unit of the quantity.
func (p *scanner) number(r *Rule) error {
	start, kind := p.At, r.kind()
	dollars := p.Next("$")
	sign := ""
	if p.Next("-") || p.Next("−") { // the true minus sign, as reports write it
		sign = "-"
	} else {
		p.Next("+")
	}
	digits := p.Take(isDigit)
	if p.Next(".") {
		digits += "." + p.Take(isDigit)
	}
	if strings.Trim(digits, ".") == "" {
		p.Take(isText)
		example := examples[kind]
		if r.Versus {
			example = "-0.02"
		}
		return p.wrong(start, p.Text[start:p.At], "a number, such as "+example)
	}
	written := p.Text[start:p.At]
	p.Space()
	unitAt := p.At
	unit := p.Take(func(r rune) bool { return isLetter(r) || r == '%' })
	scale, factor := "", 1.0
	timeScale, isTime := map[string]string{"ms": "e-3", "s": "", "m": ""}[strings.ToLower(unit)]
	switch {
	case kind == kindLatency && isTime:
		if scale = timeScale; strings.EqualFold(unit, "m") {
			factor = 60
		}
	case kind == kindLatency:
		return p.wrong(start, written+unit, fmt.Sprintf("a time with ms, s or m, such as %q", strings.TrimLeft(written, "$")+"s"))
	case unit == "%" && kind != kindCost && !dollars:
		scale, r.Percent = "e-2", true
	case unit != "" && kind == kindCost:
		return p.wrong(unitAt, unit, `dollars without a unit, such as "1.50"`)
	case isTime:
		return p.wrong(unitAt, unit, "a number without a unit: only mean_latency, p50_latency, p95_latency and p99_latency are times")
	case unit != "":
		return p.wrong(unitAt, unit, `a number without a unit, or with "%"`)
	}
	if dollars && kind != kindCost {
		return p.wrong(start, written, "a number without \"$\": only the cost is in dollars")
	}
	v, err := strconv.ParseFloat(sign+digits+scale, 64)
	if v *= factor; err != nil || v-v != 0 {
		return p.wrong(start, written, "a number that is not so large")
	}
	r.Limit = v + 0 // −0 is 0
	switch {
	case kind == kindMetric:
	case kind == kindCount && r.Limit < 0:
		return p.wrong(start, written, "a number of cases, from 0")
	case kind == kindCount && !r.Percent && r.Limit != math.Trunc(r.Limit):
		return p.wrong(start, written, fmt.Sprintf("a whole number of cases, or a share, such as %q", percent(decimal(r.Limit))))
	case kind == kindCount && r.Percent && r.Limit > 1:
		return p.wrong(start, written+unit, `a share from "0%" to "100%"`)
	case kind == kindCount:
	case r.Limit < 0:
		return p.wrong(start, written, "a number from 0: "+r.Quantity+" cannot be less")
	case kind == kindShare && !r.Percent && r.Limit >= 1:
		return p.wrong(start, written, fmt.Sprintf("%s: is %q meant?", wantShare, written+"%"))
	case kind == kindShare && r.Limit > 1:
		return p.wrong(start, written+unit, wantShare)
	}
	return nil
}

// examples are possible limits, by the kind of the quantity.
var examples = [...]string{kindMetric: "0.85", kindShare: "1%", kindLatency: "2s", kindCost: "1.50", kindCount: "0"}
