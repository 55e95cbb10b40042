package cli

import "github.com/spf13/cobra"

// transcriptCommands are those below assay transcript.
var transcriptCommands = []func(*Env) *cobra.Command{newTranscriptScore}

func newTranscript(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "transcript",
		Short: "Score transcripts of speech",
		Long:  "Score transcripts of speech against what was said.",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, make := range transcriptCommands {
		cmd.AddCommand(make(env))
	}
	return cmd
}
