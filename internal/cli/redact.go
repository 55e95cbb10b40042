package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay/internal/redact"
)

// redactFlag adds the flag that names rules of redaction.
func redactFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "redact", "", "file of rules that replace personal data in spans before anything is stored (docs/traces.md)")
}

// redactRules reads the rules that a flag names; nil if it names none.
func redactRules(env *Env, file string) (*redact.Rules, error) {
	if file == "" {
		return nil, nil
	}
	rules, err := redact.Load(env.Path(file), file)
	if missing := new(fs.PathError); errors.As(err, &missing) {
		return nil, fmt.Errorf("--redact %s: %w: expected a file of rules", file, missing.Err)
	}
	return rules, err
}

// redactedCounts says how often each rule replaced or dropped something.
func redactedCounts(rules *redact.Rules, counts redact.Counts) string {
	var out []string
	for _, name := range rules.Names() {
		out = append(out, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(out, ", ")
}
