package wire

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/target/adapter"
)

func TestClash(t *testing.T) {
	t.Parallel()
	cases := []assay.Case{{ID: "q1"}, {ID: "q1#3"}, {ID: "q2#2"}}
	for repeat, want := range map[int]string{
		1: "", 2: "",
		3: `case "q1#3": with --repeat 3 a draw of case "q1" gets the same id; use a different id`,
	} {
		got := ""
		if err := clash(assay.CasesOf(cases...), repeat); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("repeat %d: %q, want %q", repeat, got, want)
		}
	}
}

// TestDrawsThatCannotDiffer: a target that calls no model gives the same responses in every draw,
// whatever it is.
func TestDrawsThatCannotDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		repeat int
		free   bool
		want   int
	}{{1, true, 0}, {3, true, 1}, {3, false, 0}} {
		p := &Prepared{wiring: &wiring{cfg: config.Config{Adapter: "builtin", Repeat: c.repeat}}, target: opened{adapter.Opened{Free: c.free}}}
		if got := p.same(); len(got) != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}
