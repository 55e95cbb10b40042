package metric

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// Cutoff says whether a metric's name may have "@k".
type Cutoff uint8

const (
	// NoCutoff means that the name must not have a cutoff.
	NoCutoff Cutoff = iota
	// OptionalCutoff means that the name may have a cutoff. Without one, the
	// metric uses the whole list.
	OptionalCutoff
	// RequiredCutoff means that the name must have a cutoff.
	RequiredCutoff
)

// A Param is a parameter of a metric's name, such as p in "rbp(p=0.8)".
type Param struct {
	Name string
	Doc  string
	// Default is the value if the name does not set the parameter.
	Default string
	// Values lists the allowed words; nil means that the value is a number.
	Values []string
	// Min and Max bound a number, both inclusive.
	Min, Max float64
	// Asks lists, by value, the judge questions whose answers the metric then reads besides
	// those of its definition.
	Asks map[string]judge.Asks
}

// Params holds the values of all parameters of one metric. A parameter that the
// name does not set has its default.
type Params struct {
	// K is the cutoff; 0 means the whole list.
	K      int
	values map[string]string
}

// Word returns the value of the named parameter as written.
func (p Params) Word(name string) string { return p.values[name] }

// Number returns the value of a numeric parameter. It panics if the value is not a number.
func (p Params) Number(name string) float64 {
	v, err := strconv.ParseFloat(p.values[name], 64)
	if err != nil {
		panic(fmt.Sprintf("metric parameter %q is not a number: %q", name, p.values[name]))
	}
	return v
}

// maxCutoff is longer than any ranking and keeps k far from overflow.
const maxCutoff = 1 << 30

// A Set collects the definitions of one package. Each metric's file declares
// var Recall = set.Define(metric.Def{…}).
type Set struct{ defs []*Def }

// Define adds a definition and returns it. Version defaults to 1 and Range to 0…1.
// It panics if the definition is incomplete or its name is already defined.
func (s *Set) Define(d Def) *Def {
	d.Version, d.Edges = max(d.Version, 1), strings.TrimSpace(d.Edges)
	if d.Range == [2]float64{} {
		d.Range = [2]float64{0, 1}
	}
	for name, missing := range map[string]bool{
		"Name": d.Name == "", "Title": d.Title == "", "Group": d.Group == "", "Doc": d.Doc == "", "Formula": d.Formula == "",
		"Edges": d.Edges == "", "Source": d.Source == "", "New": d.New == nil, "Range": d.Range[0] >= d.Range[1],
	} {
		if missing {
			panic(fmt.Sprintf("metric %q: the definition has no %s", d.Name, name))
		}
	}
	if slices.ContainsFunc(s.defs, func(o *Def) bool { return o.Name == d.Name }) {
		panic(fmt.Sprintf("metric %q is defined twice", d.Name))
	}
	s.defs = append(s.defs, &d)
	return &d
}

// Defs returns the definitions in the order of definition.
func (s *Set) Defs() []*Def { return slices.Clone(s.defs) }

// A Catalog finds metrics by name.
type Catalog struct {
	defs   []*Def
	byName map[string]*Def
}

// NewCatalog returns a catalog of the definitions, ordered by group and then
// by name. It panics if two definitions have the same name.
func NewCatalog(defs ...*Def) *Catalog {
	c := &Catalog{byName: map[string]*Def{}}
	groups := Groups()
	c.defs = slices.Clone(defs)
	slices.SortFunc(c.defs, func(a, b *Def) int {
		return cmp.Or(slices.Index(groups, a.Group)-slices.Index(groups, b.Group), strings.Compare(a.Name, b.Name))
	})
	for _, d := range c.defs {
		if c.byName[d.Name] != nil {
			panic(fmt.Sprintf("metric %q is defined twice", d.Name))
		}
		c.byName[d.Name] = d
	}
	return c
}

// Defs returns all definitions, ordered by group and then by name.
func (c *Catalog) Defs() []*Def { return slices.Clone(c.defs) }

// Find returns the definition with the given name, without parameters. If there
// is none, the error suggests the nearest name.
func (c *Catalog) Find(name string) (*Def, error) {
	if d := c.byName[strings.ToLower(name)]; d != nil {
		return d, nil
	}
	return nil, unknown(name, c.nearest(strings.ToLower(strings.TrimSpace(name))))
}

// Parse reads a metric's name, such as "ndcg@10" or "rbp(p=0.8,gain=graded)".
//
//	metric = name [ "@" k ] [ "(" param { "," param } ")" ] .
//	param  = [ name "=" ] value .
//
// Parse ignores case. A value without a name sets the parameter that allows this
// word: "ndcg@10(exponential)" is "ndcg@10(gain=exponential)". The result's Name
// is canonical: two spellings of the same metric give the same Name.
func (c *Catalog) Parse(s string) (Metric, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	head, args, hasArgs := strings.Cut(text, "(")
	name, cut, hasCut := strings.Cut(head, "@")
	def := c.byName[name]
	if def == nil {
		return Metric{}, unknown(s, c.suggestion(text))
	}
	inner, after, closed := strings.Cut(args, ")")
	if hasArgs && !(closed && after == "") {
		return Metric{}, c.misplaced(s, head, inner, after, closed)
	}
	p := Params{values: map[string]string{}}
	for _, q := range def.Params {
		p.values[q.Name] = q.Default
	}
	switch {
	case hasCut && def.Cutoff == NoCutoff:
		return Metric{}, fmt.Errorf("metric %q: %q takes no cutoff: expected %q", s, name, name)
	case !hasCut && def.Cutoff == RequiredCutoff:
		return Metric{}, fmt.Errorf("metric %q: expected a cutoff, as in %q", s, name+"@10")
	case hasCut:
		k, err := strconv.Atoi(cut)
		if err != nil || k < 1 || k > maxCutoff {
			return Metric{}, fmt.Errorf("metric %q: cutoff %q: expected a whole number from 1, as in %q", s, cut, name+"@10")
		}
		p.K = k
	}
	if hasArgs {
		given := map[string]bool{}
		for _, arg := range strings.Split(inner, ",") {
			param, err := p.set(def, strings.TrimSpace(arg))
			if err != nil {
				return Metric{}, fmt.Errorf("metric %q: %w", s, err)
			}
			if given[param] {
				return Metric{}, fmt.Errorf("metric %q: %s is given twice", s, param)
			}
			given[param] = true
		}
	}
	return Metric{Def: def, Name: canonical(def, p), Params: p, score: def.New(p)}, nil
}

// ParseAll parses names. The error reports every invalid name.
func (c *Catalog) ParseAll(names []string) ([]Metric, error) {
	var out []Metric
	var bad []string
	for _, n := range names {
		m, err := c.Parse(n)
		switch {
		case err != nil:
			bad = append(bad, err.Error())
		case !slices.ContainsFunc(out, func(o Metric) bool { return o.Name == m.Name }):
			out = append(out, m)
		}
	}
	if bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(bad, "\n"))
	}
	return out, nil
}

// set reads one argument and returns the name of the parameter that it set.
func (p *Params) set(def *Def, arg string) (param string, err error) {
	name, value, named := strings.Cut(arg, "=")
	if !named {
		name, value = "", arg
	}
	i := slices.IndexFunc(def.Params, func(q Param) bool {
		return q.Name == name || !named && slices.Contains(q.Values, value)
	})
	if i < 0 {
		return "", fmt.Errorf("parameter %q: expected %s", arg, describe(def.Params))
	}
	q := def.Params[i]
	if q.Values != nil {
		if !slices.Contains(q.Values, value) {
			return "", fmt.Errorf("%s %q: expected one of %q", q.Name, value, q.Values)
		}
		p.values[q.Name] = value
		return q.Name, nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= q.Min && v <= q.Max) {
		return "", fmt.Errorf("%s %q: expected a number from %g to %g", q.Name, value, q.Min, q.Max)
	}
	// One canonical spelling per number: 0.80 and .8 are the same metric, and so
	// are -0 and 0, because adding 0 turns -0 into 0.
	p.values[q.Name] = strconv.FormatFloat(v+0, 'g', -1, 64)
	return q.Name, nil
}

func describe(params []Param) string {
	if len(params) == 0 {
		return "no parameter"
	}
	var out []string
	for _, q := range params {
		if q.Values != nil {
			out = append(out, q.Name+"="+strings.Join(q.Values, "|"))
		} else {
			out = append(out, fmt.Sprintf("%s=%g…%g", q.Name, q.Min, q.Max))
		}
	}
	return strings.Join(out, ", ")
}

func canonical(def *Def, p Params) string {
	var b strings.Builder
	b.WriteString(def.Name)
	if p.K > 0 {
		fmt.Fprintf(&b, "@%d", p.K)
	}
	var args []string
	for _, q := range def.Params {
		if v := p.values[q.Name]; v != q.Default {
			args = append(args, q.Name+"="+v)
		}
	}
	if args != nil {
		b.WriteString("(" + strings.Join(args, ",") + ")")
	}
	return b.String()
}

// misplaced returns the error for a name with text after its parenthesis or
// without a closing one. It shows the correct name if that is certain.
func (c *Catalog) misplaced(name, head, inner, after string, closed bool) error {
	problem, right := "the parenthesis is not closed", head+"("+inner+")"
	switch {
	case closed && strings.HasPrefix(after, "@") && !strings.Contains(head, "@"):
		problem, right = "the cutoff stands before the parenthesis", head+after+"("+inner+")"
	case closed:
		problem = fmt.Sprintf("%q follows the parenthesis", after)
	}
	if _, err := c.Parse(right); err != nil {
		return fmt.Errorf("metric %q: %s", name, problem)
	}
	return fmt.Errorf("metric %q: %s: expected %q", name, problem, right)
}

// otherNames maps the names that other tools use to the names in this module.
var otherNames = map[string]string{
	"p": "precision", "p_at": "precision", "r": "recall", "r_at": "recall",
	"rprec": "r_precision", "r-precision": "r_precision",
	"success": "hit", "hits": "hit", "hit_rate": "hit", "hitrate": "hit",
	"rr": "mrr", "recip_rank": "mrr", "reciprocal_rank": "mrr",
	"ap": "map", "map_cut": "map", "average_precision": "map", "ndcg_cut": "ndcg",
	"em": "exact_match", "f1": "token_f1",
	"groundedness": "faithfulness", "answer_relevancy": "answer_relevance", "response_relevancy": "answer_relevance",
	"context_utilisation":     "context_utilization",
	"context_entities_recall": "context_entity_recall", "nugget_weighted": "completeness", "contextual_precision": "context_precision",
	"umbrela_mrr": "graded_mrr", "umbrela_precision": "graded_precision", "ideal_f1": "grounded_f1",
	"contextual_recall": "context_recall", "contextual_relevancy": "context_relevance", "over_refusal_rate": "false_refusal_rate",
}

func unknown(name, suggestion string) error {
	if suggestion == "" {
		return fmt.Errorf("unknown metric %q  (all: assay metrics)", name)
	}
	return fmt.Errorf("unknown metric %q: did you mean %q?  (all: assay metrics)", name, suggestion)
}

// suggestion returns the name that an unknown name, in lower case, probably
// means, with its cutoff and parameters, or "" if no name is near.
func (c *Catalog) suggestion(wrong string) string {
	head, args, hasArgs := strings.Cut(wrong, "(")
	base, k := head, ""
	if c.byName[otherNames[head]] == nil {
		base, k = c.splitCutoff(head)
	}
	name := c.nearest(base)
	if name == "" {
		return ""
	}
	switch cutoff := c.byName[name].Cutoff; {
	case cutoff == NoCutoff:
	case k != "":
		name += "@" + k
	case cutoff == RequiredCutoff:
		name += "@10"
	}
	if hasArgs {
		name += "(" + args
	}
	return name
}

// splitCutoff splits a name from a cutoff as written by various tools: "@5",
// ".5", "_5", "_at_5" or, after a known name, "5".
func (c *Catalog) splitCutoff(head string) (base, k string) {
	if base, k, ok := strings.Cut(head, "@"); ok {
		return base, digits(k)
	}
	// trec_eval accepts several cutoffs: "P.5,10".
	head, _, _ = strings.Cut(head, ",")
	base = strings.TrimRight(head, "0123456789")
	k = digits(head[len(base):])
	for _, between := range []string{"_at_", "-at-", ".", "_", "-"} {
		if name, ok := strings.CutSuffix(base, between); ok && k != "" {
			return name, k
		}
	}
	if c.byName[base] == nil && c.byName[otherNames[base]] == nil {
		return head, ""
	}
	return base, k
}

// digits returns s if it is a cutoff, else "".
func digits(s string) string {
	if k, err := strconv.Atoi(s); err != nil || k < 1 || k > maxCutoff {
		return ""
	}
	return s
}

// nearest returns the known name that base, in lower case, is an alias of or is
// close to, or "" if there is none.
func (c *Catalog) nearest(base string) string {
	if name := otherNames[base]; c.byName[name] != nil {
		return name
	}
	var names []string
	for _, d := range c.defs {
		names = append(names, d.Name)
	}
	return text.Nearest(base, names)
}
