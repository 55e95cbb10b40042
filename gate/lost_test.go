package gate_test

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// lostRun is a run of cases with two labelled passages each, of which the filter
// lost so many; a score stands for itself.
func lostRun(lost ...any) recorded {
	m := less("lost_at.filter")
	m.Pooled = true
	for i, v := range lost {
		if n, ok := v.(int); ok {
			lost[i] = assay.Ratio(float64(n), 2)
		}
	}
	r := one(m, lost...)
	for i := range r.Records {
		r.Records[i].Case.Want.Passages = []string{"one", "two"}
	}
	return of(r.Header.Metrics, r.Records)
}

func TestLostRules(t *testing.T) {
	t.Parallel()
	fifty := func(last ...any) recorded { // 98 facts and more
		var scores []any
		for range 49 {
			scores = append(scores, 0)
		}
		return lostRun(append(scores, last...)...)
	}
	unlabelled := fifty(failed)
	for i := range unlabelled.Records {
		unlabelled.Records[i].Case.Want.Passages = nil
	}
	relevant := fifty(failed)
	last := &relevant.Records[len(relevant.Records)-1].Case.Want
	last.Passages, last.Documents = nil, map[string]int{"a": 2, "b": 1, "c": 0, "d": -1}
	for _, test := range []struct {
		name, rule string
		run        recorded
		verdict    gate.Verdict
		reason     string
	}{
		{"nothing lost", "lost_at.filter <= 5%", fifty(0), gate.Pass, ""},
		// 1 of 100 facts, and 2 of 8.
		{"little lost", "lost_at.filter <= 1%", fifty(1), gate.Pass, ""},
		{"too much lost", "lost_at.filter <= 5%", lostRun(0, 2, 0, 0), gate.Fail, "25% misses 5%"},
		// The failed case has 2 facts at most: 0/100 to 2/100.
		{"a failed case cannot hurt", "lost_at.filter <= 2%", fifty(failed), gate.Pass, ""},
		{"a failed case could decide", "lost_at.filter <= 1%", fifty(failed), gate.Inconclusive,
			"could decide: the value lies between 0% and 2%"},
		// 3 of 4 facts, and 2 more: 3/6 to 5/6.
		{"a failed case cannot help", "lost_at.filter <= 40%", lostRun(2, 1, unread), gate.Fail, "at best 50% misses 40%"},
		{"documents are labels too", "lost_at.filter <= 1%", relevant, gate.Inconclusive, "the value lies between 0% and 2%"},
		{"labels that do not say", "lost_at.filter <= 50%", unlabelled, gate.Inconclusive, "their scores have no bounds"},
		{"a case without evidence", "lost_at.filter <= 1%", fifty(assay.None("no evidence")), gate.Pass, ""},
		// Wilson's upper end of 0 in 50 is 7.1 %: resampling zeros would say 0.
		{"an upper bound on nothing lost", "lost_at.filter.upper <= 5%", fifty(0), gate.Fail, "7.135% misses 5%"},
		{"an upper bound that holds", "lost_at.filter.upper <= 8%", fifty(0), gate.Pass, ""},
		{"of another stage", "lost_at.retrieve <= 5%", fifty(0), gate.Fail, `"lost_at.retrieve" was not measured in this run`},
		{"all failed", "lost_at.filter <= 5%", lostRun(failed, failed), gate.Fail, "the target failed all 2 cases"},
	} {
		judged(t, test.name, judge(t, gate.Policy{}, test.run, test.rule), test.verdict, test.reason)
	}
}

// A baseline remembers the shares, and a rule against it compares them.
func TestLostAgainstABaseline(t *testing.T) {
	t.Parallel()
	was, now := []any{}, []any{}
	for i := range 50 {
		was, now = append(was, 0), append(now, []any{0, 0, 0, 0, 1}[i%5])
	}
	for _, test := range []struct {
		rule    string
		verdict gate.Verdict
	}{{"lost_at.filter vs baseline <= 10%", gate.Pass}, {"lost_at.filter vs baseline <= 9%", gate.Fail}} {
		p := gate.Policy{Baseline: baseline(t, lostRun(append([]any{}, was...)...))}
		r := judge(t, p, lostRun(append([]any{}, now...)...), test.rule)
		if r.Verdict != test.verdict {
			t.Errorf("%s: %v (%s), want %v", test.rule, r.Verdict, fmt.Sprint(because(r)), test.verdict)
		}
	}
}
