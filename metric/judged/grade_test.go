package judged_test

import (
	"strings"
	"testing"
)

// A name that these metrics no longer have leads to the one that they have.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	for was, is := range map[string]string{
		"umbrela_mrr@5": "graded_mrr@5", "umbrela_precision": "graded_precision", "ideal_f1": "grounded_f1",
	} {
		if _, err := catalog.Parse(was); err == nil || !strings.Contains(err.Error(), `did you mean "`+is+`"?`) {
			t.Errorf("%s: %v: want %s to be named", was, err, is)
		}
	}
}
