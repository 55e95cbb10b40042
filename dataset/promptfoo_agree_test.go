package dataset_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/checks"
)

// Promptfoo itself judged the tests of the example (scripts/formats/promptfoo-project.sh); the
// checks that they become reach the same verdict on every case and every assertion.
func TestPromptfooAgrees(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("testdata", "promptfoo", "project")
	raw, err := os.ReadFile(filepath.Join(folder, "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct {
		Cases []struct {
			Test       int
			Output     string
			Passed     bool
			Assertions []struct {
				Type   string
				Passed bool
			}
		}
	}
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load(t.Context(), filepath.Join(folder, "promptfooconfig.yaml"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, their := range theirs.Cases {
		c := d.Cases.At(their.Test)
		subject := checks.Subject{Case: &c, Response: &assay.Response{Answer: their.Output}}
		all, passed, verdicts := c.Want.Checks, true, []bool{}
		// A threshold of a test is a set without a verdict of its own there.
		if len(all) == 1 && all[0].Kind == assay.CheckSet && all[0].Threshold != nil {
			passed = checks.Run(t.Context(), all[0], subject).Passed
			all = all[0].Checks
		}
		whole := len(all) == len(c.Want.Checks)
		for _, one := range all {
			result := checks.Run(t.Context(), one, subject)
			verdict := result.Passed || checks.Weight(one) == 0
			verdicts, passed = append(verdicts, verdict), passed && (verdict || !whole)
			for _, of := range result.Of {
				verdicts = append(verdicts, of.Passed)
			}
		}
		if passed != their.Passed || len(verdicts) != len(their.Assertions) {
			t.Errorf("test %d: passed %v with %d verdicts, by promptfoo %v with %d", their.Test, passed, len(verdicts), their.Passed, len(their.Assertions))
			continue
		}
		for i, a := range their.Assertions {
			if compared++; verdicts[i] != a.Passed {
				t.Errorf("test %d: %s (%d): passed %v, by promptfoo %v", their.Test, a.Type, i+1, verdicts[i], a.Passed)
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d assertions compared: want those of the whole example", compared)
	}
}
