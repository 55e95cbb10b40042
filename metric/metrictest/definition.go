package metrictest

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/metric"
)

var (
	word       = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	name       = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z][a-z0-9]*(_[a-z0-9]+)*)?$`)
	unfinished = regexp.MustCompile(`(?i)\b(todo|fixme|xxx|tbd)\b`)
)

// checkDocumentation checks the texts of a definition.
func checkDocumentation(report reporter, def *metric.Def) {
	if !name.MatchString(def.Name) {
		report("name %q: want lower-case words joined by underscores, behind one dot the member of a family", def.Name)
	}
	for what, s := range map[string]string{"Title": def.Title, "Doc": def.Doc, "Formula": def.Formula, "Edges": def.Edges,
		"Source": def.Source} {
		switch {
		case strings.TrimSpace(s) != s || s == "":
			report("%s %q: want text without white space at its ends", what, s)
		case unfinished.MatchString(s):
			report("%s %q is unfinished", what, s)
		case strings.Contains(s, "  ") || strings.ContainsAny(s, "\n\t"):
			report("%s %q: want one line with single spaces", what, s)
		}
	}
	for what, s := range map[string]string{"Doc": def.Doc, "Edges": def.Edges} {
		if first, _ := utf8.DecodeRuneInString(s); !strings.HasSuffix(s, ".") || unicode.IsLower(first) && !strings.HasPrefix(s, "k ") {
			report("%s %q: want sentences, from a capital to a full stop", what, s)
		}
	}
	if !slices.Contains(metric.Groups(), def.Group) {
		report("group %q: want one of %q", def.Group, metric.Groups())
	}
	if !finite(def.Range[0], def.Range[1]) || def.Range[0] >= def.Range[1] {
		report("range %v: want two finite values, the smaller first", def.Range)
	}
	ratio := def.Range == [2]float64{0, 1} || def.Range == [2]float64{0, math.MaxFloat64} || def.Range == [2]float64{-1, 1}
	if !ratio && def.Unit == "" {
		report("range %v without a unit: only a ratio in 0…1, or from 0 on, or a difference of two needs none", def.Range)
	}
	if def.Version < 1 {
		report("version %d: want 1 or more", def.Version)
	}
	checkParams(report, def)
}

func checkParams(report reporter, def *metric.Def) {
	owner := map[string]string{}
	for i, p := range def.Params {
		if !word.MatchString(p.Name) || p.Doc == "" {
			report("parameter %q, %q: want a word and what it means", p.Name, p.Doc)
		}
		if slices.ContainsFunc(def.Params[:i], func(o metric.Param) bool { return o.Name == p.Name }) {
			report("parameter %q is declared twice", p.Name)
		}
		for _, v := range p.Values {
			if owner[v] != "" {
				report("the word %q belongs to the parameters %q and %q: a name may leave the parameter out", v, owner[v], p.Name)
			}
			owner[v] = p.Name
		}
		if p.Values != nil {
			if !slices.Contains(p.Values, p.Default) {
				report("parameter %q: default %q: want one of %q", p.Name, p.Default, p.Values)
			}
			continue
		}
		v, err := strconv.ParseFloat(p.Default, 64)
		if err != nil || v < p.Min || v > p.Max || strconv.FormatFloat(v, 'g', -1, 64) != p.Default {
			report("parameter %q: default %q: want a number from %v to %v in its shortest form", p.Name, p.Default, p.Min, p.Max)
		}
	}
}

// variantsOf returns the metric with its defaults, with each of several cutoffs,
// with each value of each parameter, and with all parameters at once.
func variantsOf(def *metric.Def) ([]metric.Metric, error) {
	var cuts []string
	if def.Cutoff != metric.RequiredCutoff {
		cuts = append(cuts, "")
	}
	if def.Cutoff != metric.NoCutoff {
		cuts = append(cuts, "@1", "@3", "@1000")
	}
	var args []string
	var last []string
	for _, p := range def.Params {
		values := p.Values
		if values == nil {
			values = []string{fmt.Sprint(p.Min), fmt.Sprint(p.Min + (p.Max-p.Min)/4), fmt.Sprint(p.Max)}
		}
		for _, v := range values {
			args = append(args, fmt.Sprintf("(%s=%s)", p.Name, v))
		}
		last = append(last, p.Name+"="+values[len(values)-1])
	}
	if len(last) > 1 {
		args = append(args, "("+strings.Join(last, ",")+")")
	}
	names := make([]string, 0, len(cuts)+len(args))
	for _, c := range cuts {
		names = append(names, def.Name+c)
	}
	for _, a := range args {
		names = append(names, def.Name+cuts[len(cuts)/2]+a)
	}
	return metric.NewCatalog(def).ParseAll(names)
}

// checkNames parses each name again: as it is, in upper case, and with spaces around it.
func checkNames(report reporter, def *metric.Def, variants []metric.Metric) {
	c := metric.NewCatalog(def)
	for _, m := range variants {
		for _, name := range []string{m.Name, strings.ToUpper(m.Name), " " + m.Name + "\n"} {
			again, err := c.Parse(name)
			if err != nil || again.Name != m.Name || again.Params.K != m.Params.K {
				report("%q parses to %q (%v): want %q", name, again.Name, err, m.Name)
			}
		}
		info := m.Info()
		if info.Name != m.Name || !strings.HasPrefix(info.Title, def.Title) || info.Version != def.Version {
			report("%s: information %+v does not describe the metric", m.Name, info)
		}
	}
	if def.Cutoff == metric.NoCutoff {
		if m, err := c.Parse(def.Name + "@5"); err == nil {
			report("%q takes no cutoff and parses to %q", def.Name+"@5", m.Name)
		}
	}
	if def.Cutoff == metric.RequiredCutoff {
		if m, err := c.Parse(def.Name); err == nil {
			report("%q lacks its cutoff and parses to %q", def.Name, m.Name)
		}
	}
	if m, err := c.Parse(def.Name + "(nonsense=1)"); err == nil {
		report("a parameter that does not exist parses to %q", m.Name)
	}
}
