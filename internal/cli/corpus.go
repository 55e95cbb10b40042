package cli

import "github.com/spf13/cobra"

func newCorpus(env *Env) *cobra.Command {
	return group(&cobra.Command{
		Use:         "corpus",
		Short:       "Upload the documents of a dataset to a system",
		Annotations: map[string]string{exampleRuns: "not, it needs servers that take documents"},
		Example: `  assay corpus upload --to nextcloud --endpoint https://cloud.example.org --user alice --dataset nfcorpus/
  assay corpus upload --to http --endpoint http://127.0.0.1:8000/documents --corpus docs/
  assay corpus upload --to mcp --endpoint http://127.0.0.1:8000/mcp --tool nc_notes_create_note --dataset nfcorpus/`,
	}, newCorpusUpload(env))
}
