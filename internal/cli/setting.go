package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/config"
)

// addSettings adds every setting of a run.
func addSettings(cmd *cobra.Command) {
	addSettingsThat(cmd, func(s config.Setting) bool { return !s.Compared }, config.Setting.Flagged)
}

// addNamedSettings adds flags for the settings with the given keys.
func addNamedSettings(cmd *cobra.Command, keys ...string) {
	addSettingsThat(cmd, func(s config.Setting) bool { return slices.Contains(keys, s.Key) }, everySetting)
}

// everySetting has a flag for each setting of a command.
func everySetting(config.Setting) bool { return true }

// addJudgeSettings adds the settings of models, and flags for the store and the settings with the
// given keys, for a command that asks models without a run.
func addJudgeSettings(cmd *cobra.Command, keys ...string) {
	keys = append(keys, "store", "seed", "offline")
	named := func(s config.Setting) bool { return slices.Contains(keys, s.Key) }
	addSettingsThat(cmd, func(s config.Setting) bool { return s.Section == config.SectionJudge || named(s) },
		func(s config.Setting) bool { return s.Flagged() || named(s) })
}

// addSettingsThat adds the wanted settings: some as flags, the others by --set. A flag of the
// command itself replaces the setting with the same flag.
func addSettingsThat(cmd *cobra.Command, wanted, flagged func(config.Setting) bool) {
	flags := cmd.Flags()
	set := &setFlag{flags: flags, rare: pflag.NewFlagSet("", pflag.ContinueOnError)}
	for _, s := range config.Settings {
		if s.Nested || !wanted(s) || flags.Lookup(s.Flag()) != nil {
			continue
		}
		f, to, under := &settingFlag{s: s, name: "--" + s.Flag()}, flags, map[string][]string{sectionOf: {s.Section}}
		if !flagged(s) {
			f.name, to = s.Typed(), set.rare
		}
		to.Var(f, s.Flag(), s.Usage())
		if s.Type() == "bool" {
			to.Lookup(s.Flag()).NoOptDefVal = "true"
		}
		for _, short := range s.Shorts {
			flags.Var(&shortFlag{f, short, ""}, short.Flag, short.Doc)
			flags.Lookup(short.Flag).Annotations = under
		}
		to.Lookup(s.Flag()).Annotations = under
	}
	if set.rare.HasFlags() {
		flags.Var(set, setName, "any other setting, as "+setForm+": assay help settings lists them (repeatable)")
	}
	flags.SortFlags = false
}

// sectionOf is the annotation of a flag with the heading that it stands under in help texts.
const sectionOf = "section"

// A setFlag is --set, which sets any setting of its command by the key that files use.
type setFlag struct {
	// rare has the settings that have no other flag.
	flags, rare *pflag.FlagSet
}

const (
	setName = "set"
	setForm = "KEY=VALUE"
)

// Set sets one setting; without "=" it turns a switch on.
func (f *setFlag) Set(typed string) error {
	key, value, given := strings.Cut(typed, "=")
	s, entry, err := config.Named(key)
	if err != nil {
		return err
	}
	flags := f.rare
	if flags.Lookup(s.Flag()) == nil {
		flags = f.flags
	}
	fl := flags.Lookup(s.Flag())
	switch {
	case s.Nested:
		return fmt.Errorf("%s can only be set in a configuration file", s.Key)
	case fl == nil:
		return fmt.Errorf("the setting %s has no meaning for this command", s.Key)
	case !given && fl.NoOptDefVal == "":
		return fmt.Errorf("%s needs a value: --set %s=VALUE", s.Key, key)
	case !given:
		value = fl.NoOptDefVal
	case entry != "":
		value = entry + "=" + value
	}
	return flags.Set(fl.Name, value)
}

// String returns nothing: each setting shows its own value.
func (f *setFlag) String() string { return "" }

// Type names the kind of value in help texts.
func (f *setFlag) Type() string { return setForm }

func (f *setFlag) completion() cobra.CompletionFunc {
	return completeFrom(false, func() []string {
		var keys []string
		f.rare.VisitAll(func(fl *pflag.Flag) {
			if s, ok := fl.Value.(*settingFlag); ok {
				keys = append(keys, s.s.Key+"=\t"+s.s.Doc)
			}
		})
		return keys
	})
}

// rareSettings returns what --set alone sets, without flags if the command has no --set.
func rareSettings(flags *pflag.FlagSet) *pflag.FlagSet {
	if fl := flags.Lookup(setName); fl != nil {
		if set, ok := fl.Value.(*setFlag); ok {
			return set.rare
		}
	}
	return pflag.NewFlagSet("", pflag.ContinueOnError)
}

// visitTyped visits the flags that were typed, and the settings that --set has set.
func visitTyped(flags *pflag.FlagSet, visit func(*pflag.Flag)) {
	flags.Visit(func(f *pflag.Flag) {
		if _, set := f.Value.(*setFlag); !set {
			visit(f)
		}
	})
	rareSettings(flags).Visit(visit)
}

// typedName returns how a flag that [visitTyped] visits was typed.
func typedName(f *pflag.Flag) string {
	if s, ok := f.Value.(*settingFlag); ok {
		return s.name
	}
	return "--" + f.Name
}

// settingFlag stores the typed text; it is checked when all sources of settings are
// known. If the flag is repeated, lists and maps grow, and any other value is replaced.
type settingFlag struct {
	s config.Setting
	// name is how it is typed: "--top-k" or "--set judge-rpm".
	name, typed string
	// entries are the entries of a map, each with its flag.
	entries []entryTyped
}

type entryTyped struct{ flag, typed string }

func (f *settingFlag) completion() cobra.CompletionFunc {
	if words := completionsOf(f.s); words != nil {
		return completeFrom(f.s.Type() == "list", words)
	}
	return nil
}

// Set stores the text.
func (f *settingFlag) Set(v string) error {
	if f.s.Entries() {
		f.entries = append(f.entries, entryTyped{f.s.Flag(), v})
		return nil
	}
	if f.typed != "" && f.s.Type() == "list" {
		v = f.typed + "," + v
	}
	f.typed = v
	return nil
}

// String returns the typed text without secrets.
func (f *settingFlag) String() string {
	if f.s.Key == "" { // pflag calls String on a zero value
		return ""
	}
	if !f.s.Entries() {
		return f.s.Shown(f.typed)
	}
	return strings.Join(f.shown(), ",")
}

// shown returns the entries of a map that were set by this flag itself, without
// secrets.
func (f *settingFlag) shown() []string {
	var all []string
	for _, e := range f.entries {
		if e.flag == f.s.Flag() {
			all = append(all, f.s.Shown(e.typed))
		}
	}
	return all
}

// Type names the kind of value in help texts.
func (f *settingFlag) Type() string { return f.s.Type() }

// apply sets the typed values.
func (f *settingFlag) apply(r *config.Resolved, changed bool) error {
	if changed && !f.s.Entries() {
		if err := r.Set(f.s.Key, f.typed, config.FromFlag, "flag "+f.name); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	var problems []error
	for _, e := range f.entries {
		if err := r.SetTyped(f.s, e.typed, config.FromFlag, "flag --"+e.flag); err != nil {
			problems = append(problems, fmt.Errorf("--%s: %w", e.flag, err))
		}
	}
	return errors.Join(problems...)
}

// shortFlag sets one entry of a map.
type shortFlag struct {
	of    *settingFlag
	short config.Short
	typed string
}

// Set stores the text.
func (f *shortFlag) Set(v string) error {
	f.typed = v
	f.of.entries = append(f.of.entries, entryTyped{f.short.Flag, f.short.Entry + "=" + v})
	return nil
}

// String returns the typed text.
func (f *shortFlag) String() string { return f.typed }

// Type names the kind of value in help texts.
func (f *shortFlag) Type() string { return "float" }

// unusedFlags lists the typed flags that have no effect on a stored run: the settings
// of how a run is performed, except those that have another use, and the flags of the command
// named in own. used may be nil.
func unusedFlags(flags *pflag.FlagSet, used func(config.Setting) bool, own ...string) string {
	var out []string
	visitTyped(flags, func(f *pflag.Flag) {
		stored := !slices.Contains(own, f.Name)
		switch v := f.Value.(type) {
		case *settingFlag:
			stored = v.s.Stored || used != nil && used(v.s)
		case *shortFlag:
			stored = v.of.s.Stored
		}
		if !stored {
			out = append(out, typedName(f))
		}
	})
	return strings.Join(out, ", ")
}

// settingOf returns a setting by its key, a constant.
func settingOf(key string) config.Setting {
	s, err := config.Find(key)
	if err != nil {
		panic(err)
	}
	return s
}

// docOf returns the description of a setting.
func docOf(key string) string { return settingOf(key).Doc }

// defaultConfig is the configuration file that is read if it exists and no other is
// named.
const defaultConfig = "eval-config.yaml"

// resolve merges the settings from all sources and adds those that they imply.
func resolve(env *Env, flags *pflag.FlagSet, file string) (*config.Resolved, error) {
	r, err := gather(env, flags, file, nil)
	if err != nil {
		return nil, err
	}
	return r, r.Imply()
}

// resolveStored is [resolve] for a command that reads stored runs: it needs no variable of the
// target or of a model.
func resolveStored(env *Env, flags *pflag.FlagSet, file string) (*config.Resolved, error) {
	r, err := gather(env, flags, file, storedSettings)
	if err != nil {
		return nil, err
	}
	return r, r.Imply()
}

func storedSettings(s config.Setting) bool {
	return s.Stored || s.Verdict || s.Compared || s.Key == "offline"
}

// gather merges the settings from all sources, for a command that uses some of them; nil
// uses all.
func gather(env *Env, flags *pflag.FlagSet, file string, uses func(config.Setting) bool) (*config.Resolved, error) {
	r := config.Default()
	r.Uses = uses
	named := file != ""
	if !named {
		file = defaultConfig
	}
	dotenv := filepath.Join(filepath.Dir(file), ".env")
	var err error
	if r.Variables, err = config.Dotenv(env.Path(dotenv), dotenv, env.Getenv); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(env.Path(file))
	switch {
	case err == nil:
		if err := r.File(file, data); err != nil {
			return nil, err
		}
	case named || !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	if err := r.Environment(); err != nil {
		return nil, err
	}
	for _, n := range r.Notes() {
		env.Warn("%s", n)
	}
	var problems []error
	for _, s := range config.Settings {
		if fl := cmp.Or(flags.Lookup(s.Flag()), rareSettings(flags).Lookup(s.Flag())); fl != nil {
			if f, ok := fl.Value.(*settingFlag); ok {
				problems = append(problems, f.apply(r, fl.Changed))
			}
		}
	}
	return r, errors.Join(problems...)
}

// failUnder is the prefix of the flags --fail-under-METRIC, one for each metric.
const failUnder = "--fail-under-"

// withThresholds rewrites --fail-under-METRIC as --threshold=METRIC=NUMBER if the named
// command has that flag. pflag does not support flags with a variable name.
func withThresholds(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Flags().Lookup("threshold") == nil {
		return args
	}
	return rewriteThresholds(cmd.Flags(), args)
}

func rewriteThresholds(flags *pflag.FlagSet, args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch name, ok := strings.CutPrefix(arg, failUnder); {
		case arg == "--":
			return append(out, args[i:]...)
		case ok:
			metric, is, there := cutThreshold(name)
			if !there && i+1 < len(args) {
				i++
				is = args[i]
			}
			if metric != "" {
				arg = "--threshold=" + metric + "=" + is
			}
			out = append(out, arg)
		default:
			out = append(out, arg)
			// The next argument is a value, even if it looks like a flag.
			if takesNext(flags, arg) && i+1 < len(args) {
				i++
				out = append(out, args[i])
			}
		}
	}
	return out
}

// cutThreshold splits at the first "=" outside a metric's parameters, as in
// "rbp(p=0.8)=0.5".
func cutThreshold(s string) (metric, is string, ok bool) {
	depth := 0
	for i, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == '=' && depth <= 0:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// takesNext reports whether an argument is a flag whose value is the next argument.
func takesNext(flags *pflag.FlagSet, arg string) bool {
	name, long := strings.CutPrefix(arg, "--")
	if !long || name == "" || strings.Contains(name, "=") {
		return false
	}
	f := flags.Lookup(name)
	return f != nil && f.NoOptDefVal == ""
}
