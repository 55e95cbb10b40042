package cli

import "github.com/spf13/cobra"

func newJudge(env *Env) *cobra.Command {
	return group(&cobra.Command{
		Use:   "judge",
		Short: "Measure how reliable a judge is",
		Long: `Measure how reliable a judge is: against human labels, against prompt injections,
against itself, and against what it was before.`,
	}, newJudgeCalibrate(env), newJudgeCertify(env), newJudgeAttack(env), newJudgeBias(env),
		newJudgeCanary(env))
}
