package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// Violations lists where a value of [Decode] breaks the schema, in the order of the
// names of fields and of the elements; nil if it follows the schema.
func (s *Schema) Violations(v any) (out []string) {
	steps := 0
	defer func() {
		if broke := recover(); broke != nil && broke != errSteps { //nolint:errorlint // it is the value itself
			panic(broke)
		} else if broke != nil {
			out = []string{errSteps.Error()}
		}
	}()
	return s.Within(v, func(work int) {
		if steps += work; steps > maxSteps {
			panic(errSteps)
		}
	})
}

// Within is [Schema.Violations] that calls spend with the work of each rule before it applies it.
// spend ends it by a panic.
func (s *Schema) Within(v any, spend func(work int)) []string {
	c := &checker{root: s, spend: spend}
	return c.violations(s, v, "", 0, nil)
}

// A checker checks a value by a schema and those that it refers to.
type checker struct {
	root  *Schema
	spend func(work int)
	// alternatives is above 0 within schemas of which not all must hold: nobody reads what they
	// lack.
	alternatives int
}

// perRule is the work of a rule beside the length of what it reads, maxSteps bounds that of
// [Schema.Violations]: a schema may refer to others twice each, many times over.
const (
	perRule  = 100
	maxSteps = 1_000_000 * perRule
)

var errSteps = fmt.Errorf("/: more than %d rules apply: want a simpler schema", maxSteps/perRule)

func (c *checker) violations(s *Schema, v any, at string, depth int, out []string) []string {
	where := at
	if where == "" {
		where = "/"
	}
	say := func(format string, args ...any) { out = c.say(out, where, format, args...) }
	if s.never {
		say("no value is allowed")
		return out
	}
	c.spend(s.work(v))
	if depth > maxDepth {
		say("references are nested more than %d deep", maxDepth)
		return out
	}
	if got := TypeOf(v); s.Type != nil && !s.Type.allow(v, got) {
		say("a value of type %s: want %s", got, strings.Join(s.Type, " or "))
		return out
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(one any) bool { return Equal(v, one) }) {
		say("%s: want one of %s", shown{v}, shown{s.Enum})
		return out
	}
	if s.Const != nil {
		if want, err := Decode(s.Const); err != nil || !Equal(v, want) {
			say("%s: want %s", shown{v}, s.Const)
		}
	}
	if s.Ref != "" {
		if to, err := s.refers(c.root); err == nil {
			out = c.violations(to, v, at, depth+1, out)
		}
	}
	out = c.combined(s, v, where, at, depth, out)
	switch v := v.(type) {
	case string:
		s.text(v, say)
	case json.Number:
		s.number(v, say)
	case map[string]any:
		out = c.object(s, v, where, at, out)
	case []any:
		out = c.array(s, v, where, at, out)
	}
	return out
}

// combined checks the schemas that apply to the same value.
func (c *checker) combined(s *Schema, v any, where, at string, depth int, out []string) []string {
	for _, one := range s.AllOf {
		out = c.violations(one, v, at, depth+1, out)
	}
	c.alternatives++
	count := func(of ...*Schema) (n int) {
		for _, one := range of {
			if c.violations(one, v, at, depth+1, nil) == nil {
				n++
			}
		}
		return n
	}
	anyOf, oneOf := count(s.AnyOf...), count(s.OneOf...)
	forbidden := s.Not != nil && count(s.Not) == 1
	c.alternatives--
	if s.AnyOf != nil && anyOf == 0 {
		out = c.say(out, where, "%s: want what one schema of anyOf allows", shown{v})
	}
	if s.OneOf != nil && oneOf != 1 {
		out = c.say(out, where, "%s: %d schemas of oneOf allow it: want one", shown{v}, oneOf)
	}
	if forbidden {
		out = c.say(out, where, "%s: want what the schema of not forbids", shown{v})
	}
	return out
}

// mostSaid is how many violations have a text.
const mostSaid = 100

// say adds a violation, with its text if somebody reads it.
func (c *checker) say(out []string, where, format string, args ...any) []string {
	if c.alternatives > 0 || len(out) >= mostSaid {
		return append(out, where)
	}
	return append(out, where+": "+fmt.Sprintf(format, args...))
}

// shown is a value of a message.
type shown struct{ v any }

func (s shown) String() string { return Shown(s.v) }

// work is what the rules for a value take, in characters.
func (s *Schema) work(v any) int {
	n := perRule + s.fixed
	switch v := v.(type) {
	case string:
		n += len(v)/16 + len(v)*s.instructions
	case map[string]any:
		n += len(v) * 16
	}
	return n
}

func (s *Schema) text(v string, say func(string, ...any)) {
	if s.MinLength != nil || s.MaxLength != nil {
		n := utf8.RuneCountInString(v)
		switch {
		case s.MinLength != nil && n < *s.MinLength:
			say("%d characters: want at least %d", n, *s.MinLength)
		case s.MaxLength != nil && n > *s.MaxLength:
			say("%d characters: want at most %d", n, *s.MaxLength)
		}
	}
	if s.pattern != nil && !s.pattern.MatchString(v) {
		say("%s: want a match of %s", shown{v}, s.Pattern)
	}
}

func (s *Schema) number(v json.Number, say func(string, ...any)) {
	x, err := v.Float64()
	if err != nil && s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil {
		return // out of the range of numbers, which no rule limits
	}
	switch {
	case s.Minimum != nil && x < *s.Minimum:
		say("%s: want at least %v", v, *s.Minimum)
	case s.ExclusiveMinimum != nil && x <= *s.ExclusiveMinimum:
		say("%s: want more than %v", v, *s.ExclusiveMinimum)
	}
	switch {
	case s.Maximum != nil && x > *s.Maximum:
		say("%s: want at most %v", v, *s.Maximum)
	case s.ExclusiveMaximum != nil && x >= *s.ExclusiveMaximum:
		say("%s: want less than %v", v, *s.ExclusiveMaximum)
	}
}

func (c *checker) object(s *Schema, v map[string]any, where, at string, out []string) []string {
	missing := slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { _, has := v[name]; return has })
	if len(missing) > 0 {
		out = c.say(out, where, "want the field %q", strings.Join(missing, `", "`))
	}
	for _, name := range sortedNames(v) {
		field := s.Properties[name]
		if field == nil {
			field = s.AdditionalProperties
		}
		if field != nil {
			out = c.violations(field, v[name], at+"/"+name, 0, out)
		}
	}
	return out
}

func (c *checker) array(s *Schema, v []any, where, at string, out []string) []string {
	switch {
	case s.MinItems != nil && len(v) < *s.MinItems:
		out = c.say(out, where, "%d elements: want at least %d", len(v), *s.MinItems)
	case s.MaxItems != nil && len(v) > *s.MaxItems:
		out = c.say(out, where, "%d elements: want at most %d", len(v), *s.MaxItems)
	}
	if s.Items == nil {
		return out
	}
	for i, item := range v {
		out = c.violations(s.Items, item, at+"/"+strconv.Itoa(i), 0, out)
	}
	return out
}

// allow reports whether a value of a type is allowed.
func (t Types) allow(v any, got string) bool {
	return slices.ContainsFunc(t, func(one string) bool {
		return one == got || one == "integer" && got == "number" && isWhole(string(v.(json.Number)))
	})
}

// Equal reports whether two values of [Decode] are equal. Numbers are equal if their
// nearest float64 is.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, err := a.Float64()
		y, wrong := b.Float64()
		return err == nil && wrong == nil && x == y
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Equal)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case string, bool, nil:
		return a == b
	}
	return false
}

// TypeOf returns the type of a value of [Decode] in the words of JSON Schema.
func TypeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	}
	return "null"
}

// isWhole reports whether a JSON number is an integer, as 2, 2.0 and 20e-1 are.
func isWhole(number string) bool {
	mantissa, power, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(number, "-")), "e")
	const far = 1 << 30
	shift, _ := strconv.Atoi(power) // the nearest int if it is out of range
	before, after, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(before+after, "0")
	return strings.Trim(digits, "0") == "" || len(digits) <= len(before)+min(max(shift, -far), far)
}

// Shown returns a value as JSON for a message, shortened.
func Shown(v any) string {
	var b bytes.Buffer
	d := json.NewEncoder(&b)
	d.SetEscapeHTML(false)
	if err := d.Encode(v); err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return text.Shorten(strings.TrimSuffix(b.String(), "\n"), 120)
}

func sortedNames[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
