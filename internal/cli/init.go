package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/config"
)

func newInit(env *Env) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:  "init [DIR]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return writeStart(env, dir, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	return cmd
}

// start returns the files that init writes, with their content.
func start() []struct{ name, text string } {
	return []struct{ name, text string }{
		{defaultConfig, configTemplate()},
		{"gold.json", `{
  "metadata": {"name": "Sample", "version": "1"},
  "test_cases": [
    {
      "id": "opening-hours",
      "question": "When does the library open on Saturdays?",
      "ground_truth": "At 10:00.",
      "expected_contexts": ["hours.md"],
      "expected_keywords": ["10:00"],
      "critical": true,
      "tags": ["fact"]
    },
    {
      "id": "late-fee",
      "question": "What does a book that comes back late cost?",
      "ground_truth": "20 cents a day, at most 5 dollars.",
      "expected_contexts": ["lending.md"],
      "expected_keywords": ["20 cents", "5 dollars"],
      "tags": ["fact", "number"]
    },
    {
      "id": "renew-at-night",
      "question": "Can I renew a book while the library is closed?",
      "ground_truth": "Yes, online, at any time, unless someone is waiting for it.",
      "expected_contexts": [{"id": "lending.md", "grade": 2}, {"id": "online.md", "grade": 1}],
      "expected_keywords": ["online"],
      "tags": ["multi-document"]
    },
    {
      "id": "parking",
      "question": "Where can I park my car?",
      "expected_contexts": [],
      "answerable": false,
      "tags": ["unanswerable"]
    }
  ]
}
`},
		{"docs/hours.md", `# Opening hours

On Saturdays the library opens at 10:00. Weekday hours are 9:00 to 19:00, and
Sundays are days off.
`},
		{"docs/lending.md", `# Lending

Books are lent for four weeks and can be renewed twice, unless someone is
waiting for them. A book that comes back late costs 20 cents a day, at most
5 dollars.
`},
		{"docs/online.md", `# Online account

With the number of your card you can renew books online at any time, reserve
titles and see what you have borrowed.
`},
	}
}

// configTemplate returns a configuration file with every setting. Settings are
// commented out, with their default or an example, except for those that the sample
// needs. A remark has one space after the "#"; a setting has none, or at least two.
func configTemplate() string {
	set := map[string]string{"dataset": "gold.json", "corpus": "docs", "adapter": "builtin", "retriever": "hybrid"}
	var b bytes.Buffer
	b.WriteString(`# Settings of assay run. A flag beats the environment (ASSAY_TOP_K), which
# beats this file, which beats the default. What is commented out is the default,
# or an example where there is none. "${NAME}" in a text is the value of a variable
# of the environment or of a file .env beside this one; "${NAME:-default}" has a
# default. Keys and passwords belong there.
`)
	section := ""
	var above []string
	for _, s := range config.Settings {
		if s.Section != section {
			section = s.Section
			fmt.Fprintf(&b, "\n# --- %s\n", section)
		}
		path := strings.Split(s.Key, ".")
		parents, leaf := path[:len(path)-1], path[len(path)-1]
		same := 0
		for same < len(parents) && same < len(above) && parents[same] == above[same] {
			same++
		}
		if same == 0 {
			b.WriteString("\n")
		}
		for i := same; i < len(parents); i++ {
			fmt.Fprintf(&b, "#%s%s:\n", strings.Repeat("  ", i), parents[i])
		}
		above = parents
		indent := strings.Repeat("  ", len(parents))
		fmt.Fprintf(&b, "%s# %s\n", indent, meaning(s))
		switch v, ok := set[s.Key]; {
		case ok:
			fmt.Fprintf(&b, "%s%s: %s\n", indent, leaf, v)
		case s.Example != "":
			fmt.Fprintf(&b, "#%s%s:\n", indent, leaf)
			for line := range strings.Lines(s.Example) {
				fmt.Fprintf(&b, "#%s  %s", indent, line)
			}
		default:
			fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("#%s%s: %s", indent, leaf, s.Default), " "))
		}
	}
	b.WriteString(configsExample)
	return b.String()
}

const configsExample = `
# --- what assay compare runs side by side

# Each has a name, and settings that take the place of those above.
#configs:
#  short: {chunk.size: 80, top-k: 10}
#  long:
#    chunk: {size: 320, overlap: 64}
#    retriever: dense
`

// meaning returns the description of a setting and the words that it accepts.
func meaning(s config.Setting) string {
	words := s.Words()
	if words == nil {
		return s.Doc
	}
	return s.Doc + ": " + strings.Join(words, ", ")
}

func writeStart(env *Env, dir string, force bool) error {
	files := start()
	if !force {
		for _, f := range files {
			if _, err := os.Stat(env.Path(filepath.Join(dir, f.name))); err == nil {
				return hinted(fmt.Errorf("%s already exists: want an empty folder", filepath.Join(dir, f.name)), "--force overwrites it")
			}
		}
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := atomic.WriteFile(env.Path(name), func(w io.Writer) error {
			_, err := io.WriteString(w, f.text)
			return err
		}); err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout, name)
	}
	env.Hint("assay run evaluates the sample; replace gold.json and docs with your own questions and documents")
	return nil
}
