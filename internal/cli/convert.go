package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/atomic"
	"github.com/assay-eval/assay/internal/convert"
	"github.com/assay-eval/assay/internal/text"
)

func newConvert(env *Env) *cobra.Command {
	var o convert.Options
	var force bool
	cmd := &cobra.Command{
		Use:   "convert PROJECT --output DIR",
		Short: "Turn a promptfoo or DeepEval project into one of assay",
		Long: `Write a folder that assay run evaluates: eval-config.yaml, whose comments name the
lines that its settings come from, the cases with their checks, and what the target
needs. PROJECT is promptfooconfig.yaml, a Python file with tests of DeepEval, or a
folder with these. What was carried over and what was not is listed, with what to do.

The tests of DeepEval are run by --python with its names replaced: they call your
application, whose answers are recorded, but no metric and no judge. Nothing secret is copied:
keys become names of environment variables.`,
		Example: `  assay convert promptfooconfig.yaml --output evaluation
  assay convert tests/ --output tested --python .venv/bin/python
  assay convert tests/ --output called --call rag.py:answer --judge openai:gpt-4.1-mini`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Output == "" {
				return hinted(errors.New("--output: missing: want the folder to write"), "assay convert "+args[0]+" --output evaluation")
			}
			return convertProject(cmd.Context(), env, args[0], o, force)
		},
	}
	cmd.Flags().StringVarP(&o.Output, "output", "o", "", "folder to write")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite files that are there")
	cmd.Flags().StringVar(&o.Judge, "judge", "", "model of the judged metrics, as PROVIDER:MODEL (default: they are written as comments)")
	cmd.Flags().StringVar(&o.Question, "question", "", "variable of promptfoo that holds the question (default: question, query or input)")
	cmd.Flags().StringVar(&o.Python, "python", "python3", "Python interpreter of the project, with pytest if it has tests of DeepEval")
	cmd.Flags().StringVar(&o.Call, "call", "",
		"function that answers a question, as FILE.py:FUNCTION, asked in place of the answers that tests of DeepEval record")
	return cmd
}

func convertProject(ctx context.Context, env *Env, project string, o convert.Options, force bool) error {
	output := o.Output
	o.Output = env.Path(output)
	c, err := convert.Project(ctx, env.Path(project), project, o)
	if err != nil {
		return err
	}
	if !force {
		for _, f := range c.Files {
			if _, err := os.Stat(filepath.Join(o.Output, f.Name)); err == nil {
				return hinted(fmt.Errorf("%s already exists: want a new folder", filepath.Join(output, f.Name)), "--force overwrites it")
			}
		}
	}
	for _, f := range c.Files {
		if err := atomic.WriteFile(filepath.Join(o.Output, f.Name), func(w io.Writer) error {
			_, err := w.Write(f.Text)
			return err
		}); err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout, filepath.Join(output, f.Name))
	}
	for _, part := range []struct {
		title string
		notes []convert.Note
	}{{"carried over", c.Carried}, {"not carried over", c.Left}} {
		if len(part.notes) > 0 {
			fmt.Fprintf(env.Stdout, "\n%s:\n", part.title)
		}
		for _, n := range part.notes {
			fmt.Fprintln(env.Stdout, text.Visible(strings.ReplaceAll(fmt.Sprintf("  %s  %s: %s", n.Where, n.What, n.Says), "\n", " ")))
		}
	}
	if len(c.Variables) > 0 {
		env.Hint("a run needs the environment variables %s", strings.Join(c.Variables, ", "))
	}
	if c.Incomplete {
		env.Hint("nothing in the project can be asked: set adapter and endpoint in %s", filepath.Join(output, defaultConfig))
		return nil
	}
	env.Hint("cd %s && assay run", output)
	return nil
}
