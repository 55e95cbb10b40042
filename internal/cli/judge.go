package cli

import "github.com/spf13/cobra"

// judgeCommands lists what assay judge can do, in the order of the help text.
var judgeCommands = []func(*Env) *cobra.Command{
	newJudgeCalibrate, newJudgeProbe, newJudgeAttack, newJudgeBias,
}

func newJudge(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Find out how far a judge can be trusted",
		Long: `Find out how far a judge can be trusted: against people, against texts that try to
sway it, and against itself.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, make := range judgeCommands {
		cmd.AddCommand(make(env))
	}
	return cmd
}
