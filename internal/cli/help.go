package cli

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// helpFiles say what each command does: a line for the list of commands, a text, and
// examples. After "Examples:" stands how the tests run them, as package doctest reads it.
//
//go:embed help/*.txt
var helpFiles embed.FS

// helpParts are parts of the texts that the program knows, by their mark in the files.
var helpParts = map[string]func() string{
	"{{filters}}": filterList,
	"{{columns}}": func() string {
		return helpLines(strings.Join(caseColumnNames(), ", ")+", and of each metric METRIC, state(METRIC), reason(METRIC)", 0)
	},
	"{{retrievers}}": func() string { return strings.Join(rag.Retrievers(), ", ") },
	"{{steps}}":      stepList,
	"{{checks}}": func() string {
		return helpList(17, check.Checks, func(c check.Check) (string, string) { return c.Name, c.Doc })
	},
	"{{databases}}": func() string {
		return helpList(39, store.Drivers, func(d store.Driver) (string, string) { return d.Form, d.Title + ", " + d.Doc })
	},
	"{{report formats}}": func() string { return helpList(12, report.Formats, formatHelp) },
	"{{score formats}}":  func() string { return helpList(12, report.ScoreFormats, formatHelp) },
}

func formatHelp(f report.Format) (name, doc string) { return f.Name, f.Doc }

// helpFile names the file of a command.
func helpFile(cmd *cobra.Command) string {
	return strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "assay "), " ", "_") + ".txt"
}

// exampleRuns is the annotation of a command that says how tests run its examples, as package
// doctest reads it.
const exampleRuns = "example runs"

// explain gives a command the text of its file.
func explain(cmd *cobra.Command) {
	text, err := helpFiles.ReadFile("help/" + helpFile(cmd))
	if err != nil { // a command that was removed, or has its text in the code
		return
	}
	short, long, _ := strings.Cut(string(text), "\n")
	long, examples, _ := strings.Cut(long, "\nExamples:")
	runs, examples, _ := strings.Cut(examples, "\n")
	for mark, part := range helpParts {
		if strings.Contains(long, mark) {
			long = strings.ReplaceAll(long, mark, part())
		}
	}
	cmd.Short, cmd.Long, cmd.Example = short, strings.TrimSpace(long), strings.TrimRight(examples, "\n")
	if runs = strings.TrimSpace(runs); runs != "" {
		cmd.Annotations = map[string]string{exampleRuns: runs}
	}
}

// helpList lists names, padded to a width, and what is said of them.
func helpList[T any](width int, all []T, entry func(T) (name, doc string)) string {
	var lines []string
	for _, one := range all {
		name, doc := entry(one)
		lines = append(lines, fmt.Sprintf("  %-*s%s", width, name, doc))
	}
	return strings.Join(lines, "\n")
}

// filterList lists the terms of filters.
func filterList() string {
	var fields []query.Field
	for _, f := range query.Fields() {
		if !f.Beside {
			fields = append(fields, f)
		}
	}
	return helpList(26, fields, func(f query.Field) (string, string) {
		doc := strings.ReplaceAll(f.Doc, "`", "")
		if f.Values != nil {
			doc += ": " + strings.Join(f.Values, ", ")
		}
		return f.Example, helpLines(doc, 28)
	})
}

// stepList lists the steps of the pipeline with their placeholders.
func stepList() string {
	var b strings.Builder
	_ = printPage(&b, "steps", profile.Steps()) // a strings.Builder never fails
	return strings.TrimRight(b.String(), "\n")
}

// helpLines breaks a text at spaces into lines of the help text, and indents all but the
// first.
func helpLines(text string, indent int) string {
	const width = 86
	var b strings.Builder
	hanging(&b, strings.Repeat(" ", indent), text, width)
	return strings.TrimSpace(b.String())
}
