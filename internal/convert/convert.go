// Package convert makes a folder that assay runs of a project of another tool: a
// configuration, the cases, and what else the target needs.
package convert

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay/dataset"
)

// Options say how a project is converted.
type Options struct {
	// Output is the path of the folder that will be written. Paths in the configuration
	// are relative to it.
	Output string
	// Judge is the model of the judged metrics; "" leaves them as comments.
	Judge string
	// Question names the variable that holds the question; "" finds it.
	Question string
	// Python is the interpreter of a project in Python, and Call its function that answers a
	// question, as FILE.py:FUNCTION; "" uses the recorded answers.
	Python, Call string
	// Limits bounds what is read.
	Limits dataset.Limits
}

// A Converted is a converted project.
type Converted struct {
	// Tool is the name of the tool, Cases the number of cases.
	Tool  string
	Cases int
	Files []File
	// Carried and Left say what became of each part of the project.
	Carried, Left []Note
	// Variables are the environment variables that must be set for a run.
	Variables []string
	// Incomplete is set if the configuration names no target that can be asked.
	Incomplete bool
}

// counted returns a number with its noun, which has an s for more than one.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A File is a file of the folder.
type File struct {
	Name string
	Text []byte
}

// A Note says what became of a part of a project.
type Note struct {
	// Where is the place in the project, such as "promptfooconfig.yaml:7".
	Where string
	// What is the part, and Says what became of it or what to do.
	What, Says string
}

func (c *Converted) carry(where, what, says string) {
	c.Carried = append(c.Carried, Note{where, what, says})
}

func (c *Converted) leave(where, what, says string) {
	if n := (Note{where, what, says}); !slices.Contains(c.Left, n) {
		c.Left = append(c.Left, n)
	}
}

// warned takes over the warnings of a dataset.
func (c *Converted) warned(d *dataset.Dataset) {
	for _, w := range d.Warnings {
		if w.Text == "missing" || !strings.Contains(w.Text, notCarried) && w.Field == "question" {
			continue // a remark on the quality of the dataset, which assay dataset check makes
		}
		if w.Field == "assert.threshold" && slices.ContainsFunc(c.Carried, func(n Note) bool { return strings.HasPrefix(n.What, "assert ") }) {
			continue // its metric has it
		}
		if strings.HasPrefix(w.Field, "assert ") && slices.ContainsFunc(c.Carried, func(n Note) bool { return n.What == w.Field }) &&
			strings.Contains(w.Text, "; the metric ") {
			continue // it is measured for the run
		}
		where := filepath.Base(w.File)
		if w.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, w.Line)
		}
		says := w.Text
		if w.Count > 0 {
			says += fmt.Sprintf(" (%d of %d cases)", w.Count, w.Of)
		}
		c.leave(where, w.Field, says)
	}
}

// notCarried is what a dataset says of a field that it leaves out.
const notCarried = "not carried over"

// casesFile is the name of the dataset in the folder.
const casesFile = "cases.jsonl"

// cases adds the file of the cases.
func (c *Converted) cases(d *dataset.Dataset) error {
	var b strings.Builder
	if _, err := dataset.Write(&b, d, "jsonl"); err != nil {
		return err
	}
	c.Cases = d.Cases.Len()
	c.Files = append(c.Files, File{casesFile, []byte(b.String())})
	return nil
}

// relative returns a path from the folder that will be written.
func (o Options) relative(path string) string {
	from, err := filepath.Abs(o.Output)
	if err == nil {
		var to, rel string
		if to, err = filepath.Abs(path); err == nil {
			if rel, err = filepath.Rel(from, to); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(path)
}

// python returns the interpreter as a run from the folder finds it.
func (o Options) python() string {
	if strings.ContainsRune(o.Python, filepath.Separator) && !filepath.IsAbs(o.Python) {
		return o.relative(o.Python)
	}
	return o.Python
}

// A setting is a line of the configuration, with where it comes from.
type setting struct {
	key   string
	value any
	from  string
}

// A settingsFile is a configuration that is written.
type settingsFile struct {
	b strings.Builder
}

func (f *settingsFile) comment(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		f.b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
}

func (f *settingsFile) blank() { f.b.WriteString("\n") }

// set writes a setting below a comment with its origin.
func (f *settingsFile) set(s setting) {
	if s.from != "" {
		f.comment(s.from)
	}
	fmt.Fprintf(&f.b, "%s: %s\n", s.key, inline(s.value))
}

// inline writes a value as JSON, which YAML reads alike. Lists of texts and objects stay on
// their line.
func inline(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// literal escapes a text for the configuration, in which "${NAME}" is a variable.
func literal(s string) string { return strings.ReplaceAll(s, "${", "$${") }

// literals escapes every text of a value.
func literals(v any) any {
	switch v := v.(type) {
	case string:
		return literal(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = literals(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[key] = literals(v[key])
		}
		return out
	}
	return v
}

// A measure is a metric that is measured beside the checks.
type measure struct {
	metric    string
	threshold *float64
	from      string
	// judged is set if the metric needs a judge.
	judged bool
}

// metrics writes the metrics and their thresholds. Judged metrics are comments without a
// judge, since a run with a threshold on one ends before it begins.
func (f *settingsFile) metrics(all []measure, checks bool, judge string) {
	names, limits := []string{}, map[string]float64{}
	if checks {
		names, limits["checks_passed"] = append(names, "checks_passed"), 1
	}
	var judgedNames []string
	judgedLimits := map[string]float64{}
	for _, m := range all {
		into, of := &names, limits
		if m.judged && judge == "" {
			into, of = &judgedNames, judgedLimits
		}
		if !slices.Contains(*into, m.metric) {
			*into = append(*into, m.metric)
		}
		if m.threshold != nil {
			of[m.metric] = max(of[m.metric], *m.threshold)
		}
		f.comment(m.from)
	}
	if judge != "" {
		f.set(setting{key: "judge", value: judge})
	}
	if len(names) > 0 {
		f.set(setting{key: "metrics", value: names})
	}
	if len(limits) > 0 {
		f.set(setting{key: "thresholds", value: limits, from: "a threshold holds for the mean of the run; cases below it are listed"})
	}
	if len(judgedNames) > 0 {
		f.comment("With a judge, these lines take the place of those above:")
		f.comment("  judge: openai:gpt-4.1-mini")
		f.comment("  metrics: " + inline(append(slices.Clone(names), judgedNames...)))
		if len(judgedLimits) > 0 {
			for name, x := range limits {
				judgedLimits[name] = x
			}
			f.comment("  thresholds: " + inline(judgedLimits))
		}
	}
}
