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
	m.Pooled, m.Documents = true, assay.ByFacts
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
	unknown := func(run recorded, answer assay.Correctness, last ...int) recorded {
		for _, i := range last {
			r := &run.Records[len(run.Records)-1-i]
			r.Attribution, r.Answer = &assay.Attribution{Unknown: assay.UnknownChunk}, answer
		}
		return of(run.Header.Metrics, run.Records)
	}
	none := assay.None("a stage is unknown")
	merged := assay.Ratio(0, 2)
	merged.Upper = 1
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
		// 2 of 100 facts are unknown, then one of two in a case of which one is known.
		{"unknown facts could decide", "lost_at.filter <= 1%", unknown(fifty(none), assay.AnswerWrong, 0), gate.Inconclusive,
			"1 of 50 cases could not be scored, which could decide: the value lies between 0% and 2%"},
		{"unknown facts of a judged answer", "lost_at.filter <= 1%", unknown(fifty(none), assay.AnswerUnknown, 0), gate.Inconclusive, "between 0% and 2%"},
		{"unknown facts cannot hurt", "lost_at.filter <= 2%", unknown(fifty(none), assay.AnswerWrong, 0), gate.Pass, ""},
		{"unknown facts cannot help", "lost_at.filter <= 20%", unknown(lostRun(2, 0, none), assay.AnswerWrong, 0), gate.Fail, "at best 33.33% misses 20%"},
		{"unknown facts of a right answer", "lost_at.filter <= 1%", unknown(fifty(none), assay.AnswerRight, 0), gate.Pass, ""},
		{"an unknown fact beside a known one", "lost_at.filter <= 10%", unknown(lostRun(0, assay.Ratio(0, 1)), assay.AnswerWrong, 0), gate.Inconclusive,
			"between 0% and 25%"},
		{"an upper bound with unknown facts", "lost_at.filter.upper <= 8%", unknown(fifty(none), assay.AnswerWrong, 0), gate.Inconclusive, "no bounds"},
		// Wilson's upper end of 0 in 50 is 7.1 %: resampling zeros would say 0.
		{"an upper bound on nothing lost", "lost_at.filter.upper <= 5%", fifty(0), gate.Fail, "7.135% misses 5%"},
		{"an upper bound that holds", "lost_at.filter.upper <= 8%", fifty(0), gate.Pass, ""},
		{"what another stage answers for could decide", "lost_at.filter <= 30%", lostRun(2, 0, 0, merged), gate.Inconclusive, "the value lies between 25% and 50%"},
		{"what another stage answers for cannot hurt", "lost_at.filter <= 50%", lostRun(2, 0, 0, merged), gate.Pass, ""},
		{"of another stage", "lost_at.retrieve <= 5%", fifty(0), gate.Fail, `"lost_at.retrieve" was not measured in this run`},
		{"all failed", "lost_at.filter <= 5%", lostRun(failed, failed), gate.Fail, "the target failed all 2 cases"},
	} {
		judged(t, test.name, judge(t, gate.Policy{}, test.run, test.rule), test.verdict, test.reason)
	}
}

// A threshold counts unknown facts as a rule does.
func TestLostThreshold(t *testing.T) {
	t.Parallel()
	r := lostRun(0, 0, assay.None("a stage is unknown"))
	r.Records[2].Attribution, r.Records[2].Answer = &assay.Attribution{Unknown: assay.UnknownChunk}, assay.AnswerWrong
	for limit, want := range map[float64]gate.Verdict{0.1: gate.Inconclusive, 0.4: gate.Pass} {
		r.Header.Metrics[0].Threshold = &limit
		if o, _ := (gate.Policy{}).Judge(of(r.Header.Metrics, r.Records).run()); o.Verdict != want {
			t.Errorf("at most %v: %+v, want %s", limit, o.Results, want)
		}
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
