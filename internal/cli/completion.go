package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/rerank"
	"github.com/assay-eval/assay/target/preset"
)

// A completing is a flag's value that the shell completes.
type completing interface {
	// completion returns nil for values that the shell does not complete.
	completion() cobra.CompletionFunc
}

// suggested completes a flag's value.
type suggested struct {
	pflag.Value
	suggest cobra.CompletionFunc
}

func (s suggested) completion() cobra.CompletionFunc { return s.suggest }

// completeFlags registers the completions of a command's flags. cobra keeps them, and the command
// with them, until the process ends, so only the commands of a shell's question are registered.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		v, ok := f.Value.(completing)
		if !ok || v.completion() == nil {
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, v.completion()); err != nil {
			panic(err) // the flag is registered twice
		}
	})
}

// completionsOf returns what a shell offers as the value of a setting; nil if that is files
// or nothing.
func completionsOf(s config.Setting) func() []string {
	switch {
	case s.Key == "metrics" || s.Key == "primary":
		return metricNames
	case s.Key == "preset":
		return preset.Names
	case s.Model:
		return func() []string { return slices.Concat(s.Completions(), providersOf(s.Key)) }
	case s.Completions() != nil:
		return s.Completions
	}
	return nil
}

// providersOf returns the kinds of providers that a model of a setting can have, as they
// begin its value.
func providersOf(key string) []string {
	kinds := llm.Kinds()
	switch key {
	case "embedder":
		kinds = nil
		for _, k := range embed.Kinds {
			if k.Server {
				kinds = append(kinds, k.Name)
			}
		}
	case "reranker":
		kinds = namesOf(rerank.Kinds, func(k *rerank.Kind) string { return k.Name })
	case "entailment":
		kinds = append(namesOf(entail.Kinds, func(k *entail.Kind) string { return k.Name }), kinds...)
	case "transcriber":
		kinds = nil
	}
	return namesOf(kinds, func(kind string) string { return kind + ":" })
}

// mostCompleted is how many runs a shell offers, the latest.
const mostCompleted = 50

// completeRuns has the shell complete the arguments that a command calls RUN. Most of them
// may be files too, which the shell offers as ever.
func completeRuns(env *Env, cmd *cobra.Command) {
	_, rest, _ := strings.Cut(cmd.Use, " ")
	wanted := strings.Fields(strings.ReplaceAll(rest, " ...", "..."))
	if !slices.ContainsFunc(wanted, namesRun) {
		return
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		at := len(args)
		if last := wanted[len(wanted)-1]; at >= len(wanted) && strings.Contains(last, "...") {
			at = len(wanted) - 1
		}
		if at >= len(wanted) || !namesRun(wanted[at]) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return storedRuns(env, cmd, args, typed), cobra.ShellCompDirectiveDefault
	}
}

// namesRun tells whether a part of the usage of a command is a stored run: RUN, with
// brackets or dots around it or beside another kind.
func namesRun(part string) bool { return strings.HasPrefix(part, "[RUN") }

// storedRuns returns the ids and names of the latest runs, with what they are. A store that
// cannot be read has none: a shell shows no errors.
func storedRuns(env *Env, cmd *cobra.Command, before []string, typed string) []string {
	env.Stderr = io.Discard // this process does nothing else
	r, err := gather(env, cmd.Flags(), "", storedSettings)
	if err != nil {
		return nil
	}
	ref := r.Store
	if f := cmd.Flags().Lookup("store"); f != nil && f.Changed {
		ref = f.Value.String()
	}
	s, err := openKept(cmd.Context(), env, ref)
	if err != nil {
		return nil
	}
	defer s.Close()
	runs, err := s.Runs(cmd.Context(), mostCompleted)
	if err != nil {
		return nil
	}
	var names, ids []string
	for _, h := range runs {
		about := text.Visible(fmt.Sprintf("%s, %s, %d cases", h.Dataset.Name, h.State, h.Asked()))
		// A name stands for its latest run.
		offered := slices.ContainsFunc(names, func(line string) bool { return strings.HasPrefix(line, h.Name+"\t") })
		if h.Name != "" && strings.HasPrefix(h.Name, typed) && !slices.Contains(before, h.Name) && !offered {
			names = append(names, text.Visible(h.Name)+"\t"+h.ID+" "+about)
		}
		if strings.HasPrefix(h.ID, typed) && !slices.Contains(before, h.ID) {
			ids = append(ids, h.ID+"\t"+about)
		}
	}
	return append(names, ids...)
}
