package target_test

import (
	"testing"

	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/mcptest"
)

// Each draw of a case has replies of its own: what the server has sampled is
// asked for under the case's draw.
func TestMCPSamplingDraw(t *testing.T) {
	t.Parallel()
	model := &mcpModel{}
	m := mcpEndpoint(t, mcptest.Handler(mcptest.Options{}), target.MCPConfig{Sampler: model, Read: mcpNotes(t)})
	for draw := range 3 {
		c := mcpCase(mcpQuestion)
		c.Draw = draw
		if _, err := m.Ask(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if len(model.asked) != 3 {
		t.Fatalf("the model was asked %d times, want 3", len(model.asked))
	}
	for i, r := range model.asked {
		if r.Draw != i {
			t.Errorf("draw %d of the case asked for draw %d of the model", i, r.Draw)
		}
	}
}
