package convert

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/dataset"
)

//go:embed target.py
var targetPython []byte

// targetScript is the name of the program that asks a provider of promptfoo.
const targetScript = "target.py"

// A promptfoo converts a project of promptfoo.
type promptfoo struct {
	o            Options
	path, folder string
	project      *dataset.PromptfooProject
	out          *Converted
	vault        vault
}

// Promptfoo converts a project of promptfoo: the path of its configuration.
func Promptfoo(ctx context.Context, path, name string, o Options) (*Converted, error) {
	opts := dataset.Options{Name: name, Limits: o.Limits}
	if o.Question != "" {
		opts.Columns = map[string]string{"question": o.Question}
	}
	project, err := dataset.LoadPromptfoo(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	p := &promptfoo{o: o, path: path, folder: filepath.Dir(path), project: project, out: &Converted{Tool: "promptfoo"}}
	if err := p.out.cases(project.Dataset); err != nil {
		return nil, err
	}
	p.out.carry(filepath.Base(path), counted(p.out.Cases, "test"), casesFile)
	p.carryChecks()
	variants := p.variants()
	p.out.Incomplete = len(variants) == 0
	var configs []File
	measures := p.measures()
	for i := range max(len(variants), 1) {
		configs = append(configs, File{configName(i), p.config(variants, i, measures)})
	}
	p.out.Files = append(configs, p.out.Files...)
	p.out.warned(project.Dataset)
	p.out.Variables = p.vault.names
	return p.out, nil
}

// carryChecks counts the checks of the cases.
func (p *promptfoo) carryChecks() {
	n, of := 0, 0
	for _, c := range p.project.Dataset.Cases.All() {
		if len(c.Want.Checks) > 0 {
			n, of = n+len(c.Want.Checks), of+1
		}
	}
	if n > 0 {
		p.out.carry(filepath.Base(p.path), "assertions of "+counted(of, "test"), counted(n, "check")+", measured by checks_passed")
	}
}

// variants returns the settings of every provider with every prompt.
func (p *promptfoo) variants() []variant {
	var out []variant
	for _, of := range p.project.Providers {
		for i, prompt := range p.project.Prompts {
			settings, err := p.provider(of, i)
			if err != nil {
				p.out.leave(p.where(of.Line), "provider "+of.Name(), err.Error())
				break
			}
			name := of.Name()
			if len(p.project.Prompts) > 1 {
				name += " " + prompt.Label
			}
			settings[0].from = fmt.Sprintf("%s: provider %s", p.where(of.Line), oneLine(of.Name()))
			if len(p.project.Prompts) > 1 {
				settings[0].from += fmt.Sprintf(", prompt %s", oneLine(prompt.Label))
			}
			out = append(out, variant{unique(out, name), settings})
			p.out.carry(p.where(of.Line), strings.TrimPrefix(settings[0].from, p.where(of.Line)+": "),
				fmt.Sprintf("adapter %v in %s", settings[0].value, configName(len(out)-1)))
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// unique returns a name of a configuration that no other variant has.
func unique(others []variant, name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r == ',' || r == '"' || r == '$' || r < ' ' {
			return ' '
		}
		return r
	}, oneLine(name)), "- ")
	if runes := []rune(name); len(runes) > 40 {
		name = strings.TrimSpace(string(runes[:40]))
	}
	for i, base := 2, name; ; i++ {
		if name != "" && !slices.ContainsFunc(others, func(v variant) bool { return v.name == name }) {
			return name
		}
		name = strings.TrimSpace(fmt.Sprintf("%s %d", base, i))
	}
}

// configName returns the name of the configuration of a variant.
func configName(i int) string {
	if i == 0 {
		return "eval-config.yaml"
	}
	return fmt.Sprintf("eval-config-%d.yaml", i+1)
}

// config writes the configuration of a variant. Each has a file of its own: settings such as
// headers would hold for the others too.
func (p *promptfoo) config(variants []variant, i int, measures []measure) []byte {
	var f settingsFile
	f.comment(fmt.Sprintf("Converted from %s of promptfoo. Comments name the line that a setting comes from.", p.o.relative(p.path)))
	if len(p.vault.names) > 0 {
		f.comment("The targets need these variables, in the environment or in a file .env: " + strings.Join(p.vault.names, ", "))
	}
	if len(variants) > 1 {
		f.comment("Each prompt with each provider has a file. Run them, and then compare the runs:")
		for k, v := range variants {
			f.comment(fmt.Sprintf("  assay run --config %s  # %s", configName(k), v.name))
		}
		f.comment(fmt.Sprintf("  assay compare %s %s", shellquote.Join(variants[0].name), shellquote.Join(variants[1].name)))
	}
	f.blank()
	f.set(setting{key: "dataset", value: casesFile, from: filepath.Base(p.path) + ": tests, scenarios and defaultTest"})
	f.blank()
	if len(variants) == 0 {
		f.comment("No provider of the project can be asked. Set your system here:")
		f.comment("  adapter: http")
		f.comment("  endpoint: http://localhost:8000/query")
	} else {
		for _, s := range variants[i].settings {
			f.set(s)
		}
		if len(variants) > 1 {
			f.set(setting{key: "name", value: variants[i].name})
		}
	}
	f.blank()
	f.metrics(measures, p.hasChecks(), p.o.Judge)
	return []byte(f.b.String())
}

func (p *promptfoo) hasChecks() bool {
	for _, c := range p.project.Dataset.Cases.All() {
		if len(c.Want.Checks) > 0 {
			return true
		}
	}
	return false
}

// measures returns the metrics of assertions that are no check.
func (p *promptfoo) measures() []measure {
	var out []measure
	for _, a := range p.project.Asserted {
		if a.Metric == "rubric" {
			continue // a rubric is a file of its own
		}
		judged := !slices.Contains([]string{"rouge_1", "bleu", "semantic_similarity"}, a.Metric)
		from := fmt.Sprintf("%s: assertions %s (%d): the metric %s", p.where(a.Line), a.Type, a.Count, a.Metric)
		out = append(out, measure{a.Metric, a.Threshold, from, judged})
		says := "metric " + a.Metric
		if judged && p.o.Judge == "" {
			says += ", a comment in eval-config.yaml: it needs a judge"
		}
		p.out.carry(p.where(a.Line), "assert "+a.Type, says+"; its threshold holds for the mean of the run")
	}
	return out
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
