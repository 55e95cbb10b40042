package cli

import "github.com/spf13/cobra"

// judgeCommands lists what assay judge can do, in the order of the help text.
var judgeCommands = []func(*Env) *cobra.Command{
	newJudgeCalibrate, newJudgeProbe, newJudgeAttack, newJudgeBias,
}

func newJudge(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Measure how reliable a judge is",
		Long: `Measure how reliable a judge is: against human labels, against prompt injections,
and against itself.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, make := range judgeCommands {
		cmd.AddCommand(make(env))
	}
	return cmd
}
