package cli

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/internal/config"
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
	"{{settings}}": func() string {
		var rare []config.Setting
		for _, s := range config.Settings {
			if !s.Nested && !s.Flagged() {
				rare = append(rare, s)
			}
		}
		return helpList(24, rare, func(s config.Setting) (string, string) { return s.Key, s.Usage() })
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

// usual is the group of the commands that the first help text describes.
const usual = "usual"

// usage writes the second part of a help text: how the command is called, examples, its commands,
// and its flags below the headings of the settings.
func usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine()) // a group takes no flag but --help
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	var listed, more, topics []string
	for _, sub := range c.Commands() {
		switch {
		case sub.IsAdditionalHelpTopicCommand():
			topics = append(topics, sub.Name())
		case !sub.IsAvailableCommand():
		case len(c.Groups()) > 0 && sub.GroupID != usual:
			more = append(more, sub.Name())
		default:
			listed = append(listed, fmt.Sprintf("  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short))
		}
	}
	if listed != nil {
		fmt.Fprintf(&b, "\nCommands:\n%s", strings.Join(listed, ""))
	}
	if more != nil {
		fmt.Fprintf(&b, "\nMore commands: %s\nTopics: %s\n", strings.Join(more, ", "), strings.Join(topics, ", "))
	}
	if listFlags(&b, c.LocalFlags(), c.Annotations[allFlags] != "") {
		fmt.Fprintf(&b, "\n%s --help all shows every flag.\n", c.CommandPath())
	}
	if listed != nil {
		fmt.Fprintf(&b, "\n%s COMMAND --help says more about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// manyFlags is the number of flags from which on they stand below headings.
const manyFlags = 40

// allFlags is the annotation of a command whose help was asked for as --help all.
const allFlags = "all flags"

// helpAll has --help all show what --help leaves out.
func helpAll(help func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(c *cobra.Command, args []string) {
		if slices.Contains(args, "all") {
			c.Annotations = map[string]string{allFlags: "shown"}
		}
		help(c, args)
	}
}

// listFlags writes what flags do: many of them below the headings of the settings, those that are
// no settings last. Of many it leaves out settings that are not the first, unless all is set, and
// reports whether it did.
func listFlags(w io.Writer, flags *pflag.FlagSet, all bool) (shortened bool) {
	parts := map[string]*pflag.FlagSet{}
	var headings []string
	n := 0
	flags.VisitAll(func(*pflag.Flag) { n++ })
	flags.VisitAll(func(f *pflag.Flag) {
		heading := "Flags"
		if of := f.Annotations[sectionOf]; of != nil && n >= manyFlags {
			heading = of[0]
			if v, ok := f.Value.(*settingFlag); !all && !(ok && v.s.First) {
				shortened = true
				return
			}
		}
		if parts[heading] == nil {
			parts[heading] = pflag.NewFlagSet("", pflag.ContinueOnError)
			parts[heading].SortFlags = flags.SortFlags
			headings = append(headings, heading)
		}
		parts[heading].AddFlag(f)
	})
	if i := slices.Index(headings, "Flags"); i >= 0 {
		headings = append(slices.Delete(headings, i, i+1), "Flags")
	}
	for _, h := range headings {
		fmt.Fprintf(w, "\n%s:\n%s", h, parts[h].FlagUsages())
	}
	return shortened
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
