package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/redact"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/reach"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/rerank"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/target/adapter"
)

// TestReference: the generated pages of the documentation are those that the definitions give.
// With ASSAY_UPDATE=1 it writes them.
func TestReference(t *testing.T) {
	t.Parallel()
	files := metricPages()
	files["cli.md"] = commandsPage
	files["presets.md"] = presetsPage
	files["formats.md"] = formatsPage
	files["settings.json"] = settingsFile
	for _, page := range []string{"targets", "recordings", "filter", "traces", "embedders", "judging"} {
		files[page+".md"] = tablesIn(t, page+".md")
	}
	for name, write := range files {
		var b bytes.Buffer
		write(&b)
		path := filepath.Join(requiretest.Root(), "docs", name)
		if os.Getenv("ASSAY_UPDATE") != "" {
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := gocmp.Diff(readGuide(t, filepath.Join("docs", name)), b.String()); diff != "" {
			t.Errorf("docs/%s is not current (make docs):\n%s", name, diff)
		}
	}
}

func commandsPage(w io.Writer) {
	fmt.Fprint(w, "# Commands\n\nThis page is generated (`make docs`); each command prints the same with `--help all`.\n")
	for _, c := range newRoot(&Env{}).Commands() {
		document(w, c)
	}
	documentSettings(w)
	documentAdapters(w)
	documentProviders(w)
}

// docTables are the generated tables of documentation pages, by the NAME in "<!-- NAME:
// generated -->". A table ends at "<!-- end -->".
var docTables = map[string]func(io.Writer){
	"filters": func(w io.Writer) {
		tableOf(w, "term | compares | values", query.Fields(), func(f query.Field) []string {
			values := ""
			if f.Values != nil {
				values = code(strings.Join(f.Values, "`, `"))
			}
			return []string{code(f.Example), f.Doc, values}
		})
	},
	"adapters": func(w io.Writer) {
		tableOf(w, "adapter | reaches | needs", adapter.All, func(a *adapter.Adapter) []string {
			return []string{code(a.Name), a.Doc, strings.ReplaceAll(code(a.Example), ", or ", "` or `")}
		})
	},
	"traceformats": func(w io.Writer) {
		tableOf(w, "format | what it is", spans.Formats(), func(f spans.Format) []string { return []string{f.Name, f.Doc} })
	},
	"conventions": func(w io.Writer) {
		tableOf(w, "convention | recorded by", spans.Conventions, func(c spans.Convention) []string { return []string{c.Name, c.Doc} })
	},
	"recognisers": func(w io.Writer) {
		tableOf(w, "recogniser | what it finds | by", redact.Recognisers(), func(r redact.Recogniser) []string {
			return []string{code(r.Name), r.Doc, r.Source}
		})
	},
	"embedders": func(w io.Writer) {
		built := &reach.Kind[embed.Source]{Example: "--embedder " + embed.BuiltIn, Doc: "all-MiniLM-L6-v2, built in: needs no network (the default)"}
		tableOf(w, "setting | embedder", append(reach.Kinds[embed.Source]{built}, embed.Kinds...), reached[embed.Source])
	},
	"rerankers": func(w io.Writer) { tableOf(w, "setting | reranker", rerank.Kinds, reached[rerank.Source]) },
	"entailment": func(w io.Writer) {
		tableOf(w, "setting | what scores", entail.Kinds, reached[entail.Source])
		fmt.Fprint(w, "| `--entailment ollama:bespoke-minicheck` | Bespoke-MiniCheck, asked in its own form: a document and a claim, answered by Yes or No |\n"+
			"| `--entailment PROVIDER:MODEL` | any other model that judges, asked for Yes or No about a document and a claim |\n")
	},
	"transcribers": func(w io.Writer) {
		tableOf(w, "setting | transcriber", transcribe.Kinds, func(k *transcribe.Kind) []string { return []string{code(k.Example), k.Doc} })
	},
}

// tableOf writes a table of Markdown with a row for each entry.
func tableOf[T any](w io.Writer, head string, all []T, row func(T) []string) {
	fmt.Fprintf(w, "| %s |\n|%s\n", head, strings.Repeat("---|", 1+strings.Count(head, "|")))
	for _, one := range all {
		cells := row(one)
		for i, s := range cells {
			cells[i] = cell(s)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

// code writes a text as code, "none" for "".
func code(s string) string {
	if s == "" {
		return "none"
	}
	return "`" + s + "`"
}

func reached[Source any](k *reach.Kind[Source]) []string { return []string{code(k.Example), k.Doc} }

var docTable = regexp.MustCompile(`(?s)(<!-- ([a-z]+): generated -->\n).*?(<!-- end -->)`)

// tablesIn writes a page with its generated tables anew.
func tablesIn(t *testing.T, name string) func(io.Writer) {
	t.Helper()
	page := readGuide(t, filepath.Join("docs", name))
	return func(w io.Writer) {
		_, _ = io.WriteString(w, docTable.ReplaceAllStringFunc(page, func(old string) string {
			m := docTable.FindStringSubmatch(old)
			write := docTables[m[2]]
			if write == nil {
				t.Fatalf("%s: no table %q", name, m[2])
			}
			var b strings.Builder
			write(&b)
			return m[1] + "\n" + b.String() + "\n" + m[3]
		}))
	}
}

// formatsPage writes the page about dataset formats.
func formatsPage(w io.Writer) {
	fmt.Fprint(w, "# Formats of datasets\n\nThe format is detected from the content; `--format` overrides it.\n",
		"A `group` of a record or of its metadata names the cases that are not independent of each other, in every format.\n"+
			"So does `critical` in the metadata make a case critical: true, yes or 1.\n",
		"This page is generated (`make docs`).\n\n")
	tableOf(w, "format | what it is | files", dataset.Formats(), func(f dataset.Format) []string {
		return []string{"[" + code(f.Name) + "](#" + f.Name + ")", f.Title, strings.Join(f.Extensions, ", ")}
	})
	for _, f := range dataset.Formats() {
		fmt.Fprintf(w, "\n## %s\n\n```text\n%s\n```\n", f.Name, f.Doc)
	}
	fmt.Fprintf(w, "\n`assay dataset convert` writes %s.\n", strings.Join(dataset.Forms(), ", "))
}

func document(w io.Writer, c *cobra.Command) {
	if c.Hidden || c.Name() == "help" {
		return
	}
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(w, "\n## %s\n\n%s\n", c.CommandPath(), text)
	if c.Example != "" {
		fmt.Fprintf(w, "\n<!-- run: %s -->\n\n```\n%s\n```\n", cmp.Or(c.Annotations[exampleRuns], "in a new folder"), strings.TrimRight(unindent(c.Example), "\n"))
	}
	var rows []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, setting := f.Value.(*settingFlag); !setting && !f.Hidden && f.Name != "help" {
			rows = append(rows, fmt.Sprintf("| `--%s` | %s |", f.Name, cell(f.Usage)))
		}
	})
	if c.LocalFlags().Lookup("dataset") != nil && c.LocalFlags().Lookup("top-k") != nil {
		rows = append(rows, "| all [settings](#settings) | |")
	}
	if rows != nil {
		fmt.Fprintf(w, "\n| flag | |\n|---|---|\n%s\n", strings.Join(rows, "\n"))
	}
	for _, sub := range c.Commands() {
		document(w, sub)
	}
}

// A settingEntry describes a setting to programs that call this one.
type settingEntry struct {
	Key  string `json:"key"`
	Flag string `json:"flag"`
	// Type is as in help texts: "string", "list", "int", "float", "duration", "bool", or
	// NAME=VALUE for a map.
	Type string `json:"type"`
	// Map is set for a map, whose flag sets one entry and may be repeated.
	Map bool `json:"map,omitempty"`
	// File is set for the path of a file or a folder.
	File bool `json:"file,omitempty"`
	// Choices are the allowed values; absent if any is.
	Choices []string `json:"choices,omitempty"`
	Section string   `json:"section"`
	Doc     string   `json:"doc"`
}

// settingsFile writes the settings of a run that have a flag, in the order of the help
// text.
func settingsFile(w io.Writer) {
	all := []settingEntry{}
	for _, s := range config.Settings {
		if !s.Nested && !s.Compared {
			all = append(all, settingEntry{s.Key, s.Flag(), s.Type(), s.Entries(), s.File, s.Words(), s.Section, s.Usage()})
		}
	}
	_ = printJSON(w, all)
}

func documentSettings(w io.Writer) {
	fmt.Fprint(w, "\n## Settings\n\nA flag or --set beats the environment, which beats `eval-config.yaml`, which beats the default. In a file `_` "+
		"and `-` are the same in keys.\n")
	section := ""
	for _, s := range config.Settings {
		if s.Section != section {
			section = s.Section
			fmt.Fprintf(w, "\n### %s\n\n| key | flag | environment | |\n|---|---|---|---|\n", section)
		}
		flag, env := code(s.Typed()), code(s.Env())
		if s.Nested {
			flag = "none"
		}
		if s.Entries() {
			env = "none"
		}
		for _, short := range s.Shorts {
			flag += ", `--" + short.Flag + "`"
		}
		usage := s.Usage()
		if s.Aliases != nil {
			usage += "; in a file also `" + strings.Join(s.Aliases, "`, `") + "`"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", s.Key, flag, env, cell(usage))
	}
	fmt.Fprint(w, "\n### Variables of other programs\n\nThey beat the file; flags and `ASSAY_…` beat them.\n\n")
	tableOf(w, "variable |", config.Siblings, func(v config.Sibling) []string { return []string{code(v.Name), v.Doc} })
}

// documentAdapters writes the table of adapters.
func documentAdapters(w io.Writer) {
	fmt.Fprint(w, "\n## Adapters\n\nThe setting `adapter` says how the target is reached ([targets](targets.md)).\n\n"+
		"")
	tableOf(w, "adapter | reaches | its own settings", adapter.All, func(a *adapter.Adapter) []string {
		own := namesOf(a.Settings, func(s adapter.Setting) string { return s.Key })
		return []string{code(a.Name), a.Doc, code(strings.Join(own, "`, `"))}
	})
}

// documentProviders writes the table of model providers.
func documentProviders(w io.Writer) {
	fmt.Fprint(w, `
## Providers of models

A judge, a writer, a generator and every other model is named as PROVIDER:MODEL. The provider is one of these kinds, or a name that the
configuration file defines below `+"`providers`"+` with one of these kinds. The key is sent only to the default address, unless a definition
names its variable.

`)
	const head = "kind | servers | default address | variable of the key"
	row := func(p *llm.Protocol) []string { return []string{code(p.Kind), p.Doc, code(p.BaseURL), code(p.KeyEnv)} }
	has := map[bool]string{true: "yes", false: "no"}
	tableOf(w, head+" | schema | seed | reasoning | example", llm.Protocols, func(p *llm.Protocol) []string {
		return append(row(p), has[p.Schema], has[p.Seed], has[p.Thinking], code(p.Kind+":"+p.Example))
	})
	fmt.Fprint(w, `
These kinds embed or rerank texts, and do not chat ([embedders and rerankers](embedders.md)):

`)
	tableOf(w, head, llm.Services, row)
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func unindent(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "  ")
	}
	return strings.Join(lines, "\n")
}
