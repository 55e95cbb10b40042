package cli

import "github.com/spf13/cobra"

func newTranscript(env *Env) *cobra.Command {
	return group(&cobra.Command{
		Use:   "transcript",
		Short: "Score transcripts of speech",
		Long:  "Score transcripts of speech against what was said.",
	}, newTranscriptScore(env))
}
