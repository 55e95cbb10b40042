package wire

import (
	"testing"

	"github.com/assay-eval/assay"
)

func TestClash(t *testing.T) {
	t.Parallel()
	cases := []assay.Case{{ID: "q1"}, {ID: "q1#3"}, {ID: "q2#2"}}
	for repeat, want := range map[int]string{
		1: "", 2: "",
		3: `case "q1#3": with --repeat 3 a draw of case "q1" gets the same id: want a different id`,
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
