package cli

import (
	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/build"
	"github.com/assay-eval/assay/internal/simd"
	"github.com/assay-eval/assay/metric/treceval"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// A programFacts is what a bug report needs to know of the program.
type programFacts struct {
	build.Info
	// Kernels are the instructions that vectors are computed with on this processor.
	Kernels string `json:"kernels"`
	// Embedder is the identity of the built-in embedder.
	Embedder string `json:"embedder"`
	// Schemas are the versions of the files and databases that the program writes.
	Schemas programSchemas `json:"schemas"`
}

// programSchemas are the versions of what the program writes.
type programSchemas struct {
	Report     string `json:"report"`
	Comparison string `json:"comparison"`
	Baseline   string `json:"baseline"`
	Measure    string `json:"measure"`
	Store      int    `json:"store"`
}

func newVersion(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			facts, err := factsOf(env)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(env.Stdout, facts)
			}
			return printPage(env.Stdout, "version", facts)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func factsOf(env *Env) (programFacts, error) {
	embedder, err := embed.MiniLMIdentity()
	facts := programFacts{
		Info: build.Of(), Kernels: simd.Best().String(), Embedder: embedder,
		Schemas: programSchemas{
			Report: report.Schema, Comparison: report.ComparisonSchema, Baseline: gate.BaselineSchema,
			Measure: treceval.Schema, Store: store.SchemaVersion,
		},
	}
	facts.Version = env.Version
	return facts, err
}
