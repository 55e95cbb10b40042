package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
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
	p := &scanner{text: s}
	r := Rule{Text: s}
	p.blank()
	start := p.at
	if err := p.quantity(&r); err != nil {
		return Rule{}, err
	}
	name := s[start:p.at]
	p.blank()
	versus := p.at
	if word := p.take(isLetter); word != "" {
		if !strings.EqualFold(word, "vs") {
			return Rule{}, p.wrong(versus, word, `"vs baseline" or `+wantOp)
		}
		p.blank()
		at := p.at
		if word := p.take(isLetter); !strings.EqualFold(word, "baseline") {
			return Rule{}, p.wrong(at, word, `"baseline"`)
		}
		r.Versus = true
		p.blank()
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
	p.blank()
	if err := p.number(&r); err != nil {
		return Rule{}, err
	}
	p.blank()
	if p.at < len(s) {
		return Rule{}, p.wrong(p.at, s[p.at:], "the end of the rule")
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

// A scanner reads a rule from left to right. at is the place of the next character.
type scanner struct {
	text string
	at   int
}

// wrong returns the error that a place has something other than what is wanted.
func (p *scanner) wrong(at int, is, want string) error {
	shown := strconv.Quote(is)
	if is == "" {
		shown = "the rule ends"
		for _, next := range p.text[at:] {
			shown = strconv.Quote(string(next))
			break
		}
	}
	return fmt.Errorf("rule %q: column %d: %s: want %s", p.text, 1+utf8.RuneCountInString(p.text[:at]), shown, want)
}

// next takes a text if it comes next.
func (p *scanner) next(text string) bool {
	is := strings.HasPrefix(p.text[p.at:], text)
	if is {
		p.at += len(text)
	}
	return is
}

// take reads the characters for which fits is true.
func (p *scanner) take(fits func(rune) bool) string {
	start := p.at
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.text[start:], fits))
	return p.text[start:p.at]
}

func (p *scanner) blank() { p.take(unicode.IsSpace) }

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
	start := p.at
	name := strings.ToLower(p.take(isName))
	if name == "" || !isLetter(rune(name[0])) {
		return p.wrong(start, "", `the name of a metric, errors, new_total_losses, p95_latency or cost`)
	}
	if (name == boundBelow || name == boundAbove) && p.next("(") {
		return p.beyond(r, name)
	}
	if slices.Contains(families, name) && p.next(".") {
		// This dot is part of the name: lost_at.filter.upper.
		name += "." + strings.ToLower(p.take(isName))
	}
	// The cut-off may come last; in the canonical name it comes first.
	cutoff, parameters := "", ""
	for at := p.at; ; at = p.at {
		switch {
		case cutoff == "" && p.next("@"):
			if p.take(isDigit) == "" {
				return p.wrong(at, "@", `a cutoff, such as "@10"`)
			}
			cutoff = p.text[at:p.at]
			continue
		case parameters == "" && p.next("("):
			p.take(isParameter)
			switch {
			case p.next(")"):
				parameters = strings.ToLower(strings.Join(strings.Fields(p.text[at:p.at]), ""))
				continue
			case p.at == len(p.text):
				return p.wrong(at, "(", `a ")" that closes it`)
			}
			return p.wrong(p.at, "", `a parameter, such as "p=0.8", or ")"`)
		}
		break
	}
	r.Quantity = name + cutoff + parameters
	dot := p.at
	if !p.next(".") {
		return nil
	}
	r.Bound = strings.ToLower(p.take(isLetter))
	if !slices.Contains(bounds, r.Bound) {
		return p.wrong(dot, "."+r.Bound, wantBound)
	}
	return nil
}

// beyond reads the metric and the value of a count of cases, after the parenthesis:
// "recall@10, 0.8)".
func (p *scanner) beyond(r *Rule, bound string) error {
	open := p.at - 1
	p.blank()
	start := p.at
	var m Rule
	if err := p.quantity(&m); err != nil {
		return err
	}
	name := p.text[start:p.at]
	p.blank()
	switch {
	case m.kind() != kindMetric || m.Bound != "":
		return p.wrong(start, name, "the name of a metric")
	case p.at == len(p.text):
		return p.wrong(open, "(", `a ")" that closes it, as in "`+bound+`(recall@10, 0.8)"`)
	case !p.next(","):
		return p.wrong(p.at, "", `a "," and a value, as in "`+bound+`(recall@10, 0.8)"`)
	}
	p.blank()
	if err := p.number(&m); err != nil {
		return err
	}
	p.blank()
	if !p.next(")") {
		return p.wrong(p.at, "", `")"`)
	}
	r.Quantity, r.Bound, r.At = m.Quantity, bound, m.Limit
	return nil
}

// op reads the operator.
func (p *scanner) op(r *Rule) error {
	at := p.at
	r.Op = p.take(func(r rune) bool { return strings.ContainsRune("<>=≤≥!~", r) })
	switch r.Op {
	case "≥":
		r.Op = ">="
	case "≤":
		r.Op = "<="
	case "":
		return p.wrong(at, p.take(isText), wantOp)
	}
	if !slices.Contains(ops, r.Op) {
		return p.wrong(at, r.Op, wantOp)
	}
	return nil
}

// number reads the limit with its unit, which must be a unit of the quantity.
func (p *scanner) number(r *Rule) error {
	start, kind := p.at, r.kind()
	dollars := p.next("$")
	sign := ""
	if p.next("-") || p.next("−") { // the true minus sign, as reports write it
		sign = "-"
	} else {
		p.next("+")
	}
	digits := p.take(isDigit)
	if p.next(".") {
		digits += "." + p.take(isDigit)
	}
	if strings.Trim(digits, ".") == "" {
		p.take(isText)
		return p.wrong(start, p.text[start:p.at], "a number, such as "+r.example())
	}
	written := p.text[start:p.at]
	p.blank()
	unitAt := p.at
	unit := p.take(func(r rune) bool { return isLetter(r) || r == '%' })
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
