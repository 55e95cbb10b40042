package assay_test

import (
	"testing"
	"time"

	"github.com/assay-eval/assay"
)

// A change between two runs is told by canaries with frozen answers in common, and by those that
// were frozen anew because of it.
func TestCanariesBetween(t *testing.T) {
	t.Parallel()
	on := func(day int) time.Time { return time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC) }
	of := func(day int, differs bool, past ...time.Time) assay.Canary {
		return assay.Canary{Provider: "p", Model: "m", Since: on(day), Differs: differs, Past: past}
	}
	other, left := of(3, true), of(3, true)
	other.Model, left.Why = "another", "no room"
	counted := func(changed int) assay.Canary {
		c := of(3, true)
		c.Items, c.Changed = 20, changed
		return c
	}
	for name, c := range map[string]struct {
		a, b assay.Canary
		want bool
	}{
		"both as frozen":                         {of(3, false), of(3, false), false},
		"changed in the second":                  {of(3, false), of(3, true), true},
		"changed in the first":                   {of(3, true), of(3, false), true},
		"changed in both":                        {of(3, true), of(3, true), false},
		"otherwise in both, first more":          {counted(10), counted(0), true},
		"otherwise in both, second more":         {counted(0), counted(7), true},
		"otherwise by chance":                    {counted(10), counted(5), false},
		"other frozen answers":                   {of(3, false), of(4, false), false},
		"frozen anew because of a change":        {of(3, false), of(4, false, on(2), on(3)), true},
		"frozen anew, of what had changed":       {of(3, true), of(4, false, on(3)), false},
		"frozen anew before an earlier baseline": {of(4, false, on(3)), of(3, false), true},
		"another model":                          {of(3, false), other, false},
		"left out":                               {of(3, false), left, false},
	} {
		if got := assay.CanariesBetween([]assay.Canary{c.a}, []assay.Canary{c.b}); (len(got) == 1) != c.want {
			t.Errorf("%s: %+v, want a change: %v", name, got, c.want)
		} else if c.want && got[0].Changed != max(c.a.Changed, c.b.Changed) {
			t.Errorf("%s: %+v, want the run with more changes", name, got)
		}
	}
}
