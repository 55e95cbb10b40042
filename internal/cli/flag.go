package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/text"
)

// group makes a command that only has subcommands.
func group(name string, commands ...func(*Env) *cobra.Command) func(*Env) *cobra.Command {
	return with(func(*Env) *cobra.Command {
		return &cobra.Command{Use: name, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	}, commands...)
}

// with adds subcommands to a command.
func with(newParent func(*Env) *cobra.Command, commands ...func(*Env) *cobra.Command) func(*Env) *cobra.Command {
	return func(env *Env) *cobra.Command {
		cmd := newParent(env)
		for _, newCommand := range commands {
			cmd.AddCommand(newCommand(env))
		}
		return cmd
	}
}

// explainArguments has a command say which arguments it wants, where Cobra only counts
// them.
func explainArguments(cmd *cobra.Command) {
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err == nil || !strings.Contains(err.Error(), " arg(s)") {
			return err
		}
		given := "no argument"
		if len(args) > 0 {
			given = strings.Join(args, " ")
		}
		_, want, _ := strings.Cut(c.Use, " ")
		return hinted(fmt.Errorf("got %s, expected %s", given, strings.TrimSpace(want)), c.CommandPath()+" --help shows examples")
	}
}

// configFlag adds the flag that names the configuration file.
func configFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "config", "", "configuration file (default: "+defaultConfig+", if there is one)")
}

// A choice is the value of a flag that allows only some words.
type choice[T ~string] struct {
	value *T
	words []T
}

// choiceFlag adds a flag that accepts only some words, which its help lists and the
// shell completes. *value is the default; "" is accepted only as the default.
func choiceFlag[T ~string](cmd *cobra.Command, value *T, name, doc string, words []T) {
	c := choice[T]{value, words}
	cmd.Flags().Var(c, name, doc+": "+strings.Join(c.names(), ", "))
}

func (c choice[T]) completion() cobra.CompletionFunc { return completeFrom(false, c.names) }

func (c choice[T]) names() []string {
	return namesOf(c.words, func(word T) string { return string(word) })
}

// namesOf returns the names of the entries of a table.
func namesOf[T any](table []T, name func(T) string) []string {
	var names []string
	for _, entry := range table {
		names = append(names, name(entry))
	}
	return names
}

// Set accepts one of the words.
func (c choice[T]) Set(v string) error {
	if !slices.Contains(c.words, T(v)) {
		names := c.names()
		hint := ""
		if best := text.Nearest(v, names); best != "" {
			hint = fmt.Sprintf("; did you mean %q?", best)
		}
		return fmt.Errorf("expected one of %s%s", strings.Join(names, ", "), hint)
	}
	*c.value = T(v)
	return nil
}

// String returns the value.
func (c choice[T]) String() string {
	if c.value == nil { // pflag calls String on a zero value
		return ""
	}
	return string(*c.value)
}

// Type names the kind of value in help texts.
func (c choice[T]) Type() string { return "string" }

// completeFrom returns the shell completion of a flag's value. In a list each item is
// completed, and words that are already in the list are left out. After a word that ends
// with a colon, what it names follows.
func completeFrom(list bool, words func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if i := strings.LastIndexByte(typed, ','); list && i >= 0 {
			before = typed[:i+1]
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		var out []string
		for _, line := range words() {
			word, _, _ := strings.Cut(line, "\t") // a description may follow
			if strings.HasPrefix(before+word, typed) && !slices.Contains(strings.Split(before, ","), word) {
				out = append(out, before+line)
				if strings.HasSuffix(word, ":") {
					directive |= cobra.ShellCompDirectiveNoSpace
				}
			}
		}
		return out, directive
	}
}

// flagError words the error of an invalid flag value like other errors of assay.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := "--" + unknown.GetSpecifiedName()
		if instead, ok := removed()[strings.TrimPrefix(c.CommandPath(), "assay ")+" "+name]; ok {
			return fmt.Errorf("%s was removed: %s", name, instead)
		}
		if f := rareSettings(c.Flags()).Lookup(unknown.GetSpecifiedName()); f != nil {
			return fmt.Errorf("%s is a setting without a flag: use %s=VALUE", name, typedName(f))
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		was := fmt.Sprintf("%s --%s %s", strings.TrimPrefix(c.CommandPath(), "assay "), invalid.GetFlag().Name, invalid.GetValue())
		if instead, ok := removed()[was]; ok {
			return fmt.Errorf("--%s %s was removed: %s", invalid.GetFlag().Name, invalid.GetValue(), instead)
		}
		err = fmt.Errorf("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), errors.Unwrap(invalid))
	}
	return hinted(err, c.CommandPath()+" --help all lists the flags")
}
