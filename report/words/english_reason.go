package words

import (
	"fmt"
	"strings"
)

// someNames is how many names a sentence about a gate lists.
const someNames = 5

func some(names []string) string {
	if len(names) <= someNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:someNames], ", "), len(names)-someNames)
}

// change returns an old and a new value; a missing one is "none".
func change(was, is string) string { return orNone(was) + " → " + orNone(is) }

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (English) NoCasesInRun() string { return "the run has no cases" }
func (English) AllCasesFailed(cases int) string {
	if cases == 1 {
		return "the target failed the only case"
	}
	return fmt.Sprintf("the target failed all %d cases", cases)
}
func (English) RunNotFinished(state string, done, of int) string {
	return fmt.Sprintf("the run is %s: it has %d of %s", state, done, plural(of, "case", "cases"))
}

func (English) MeasuredOnNoCase() string               { return "measured on no case" }
func (English) ValueMisses(value, limit string) string { return value + " misses " + limit }
func (English) AtBest(misses string) string            { return "at best " + misses }
func (English) NoInterval() string {
	return "there is no interval: too few cases, or all in one group"
}
func (English) TargetFailedCases(n, of int, misses string) string {
	return fmt.Sprintf("the target failed %d of %s: %s", n, plural(of, "case", "cases"), misses)
}

func (English) CasesMiss(n, of int, limit string) string {
	return fmt.Sprintf("%d of %s missed %s", n, plural(of, "case", "cases"), limit)
}
func (English) RuleOnCases(rule string, n, of int) string {
	return fmt.Sprintf("%s looks at %d of %s: its metric does not apply to the others", rule, n, plural(of, "case", "cases"))
}
func (English) CriticalWrong(n, of int) string {
	return fmt.Sprintf("%d of %s failed", n, plural(of, "critical case", "critical cases"))
}
func (English) CriticalUnasked(n, of int) string {
	return fmt.Sprintf("%d of %s not asked yet", n, plural(of, "critical case", "critical cases"))
}
func (English) CriticalUnchecked(n, of int) string {
	return fmt.Sprintf("%d of %s unchecked: a judge, a reference answer or expected documents would show whether they are right",
		n, plural(of, "critical case", "critical cases"))
}

func (English) Unscored(n, of int, partly bool) string {
	cases := plural(of, "case", "cases")
	switch {
	case partly && of == 1:
		return "the only case could be scored only in part"
	case of == 1:
		return "the only case could not be scored"
	case partly && n == 0:
		return "some of " + cases + " could be scored only in part"
	case partly:
		return fmt.Sprintf("%d of %s could be scored only in part or not at all", n, cases)
	case n == of:
		return "none of " + cases + " could be scored"
	}
	return fmt.Sprintf("%d of %s could not be scored", n, cases)
}
func (English) OnThreshold() string {
	return "scores depend on the exact threshold of the judge, or on missing rulings"
}
func (English) TooManyUnscored(unscored, most string) string {
	return unscored + ": no more than " + most + " may lack a score"
}
func (English) CouldDecide(unscored string, difference bool, low, high string) string {
	what := "value"
	if difference {
		what = "difference"
	}
	return fmt.Sprintf("%s, which could decide: the %s lies between %s and %s", unscored, what, low, high)
}
func (English) NotBounded(unscored string) string {
	return unscored + ", and their scores have no bounds"
}
func (English) NoIntervalWithout(unscored string) string {
	return unscored + ", and without them there is no interval"
}
func (English) AtWorst(unscored, reason string) string { return unscored + "; at worst " + reason }

func (English) NoLatency() string     { return "the target reports no latency" }
func (English) NoCost() string        { return "the target reports no cost" }
func (English) NoJudgingCost() string { return "the cost of judging is not known" }
func (English) PartlyReported(quantity string, n, of int) string {
	return fmt.Sprintf("%s: known for only %d of %s", quantity, n, plural(of, "response", "responses"))
}

func (English) NoBaseline() string         { return "there is no baseline" }
func (English) BaselineWasRefused() string { return "the baseline was refused" }
func (English) NoCommonValue() string      { return "no case has a value in the run and in the baseline" }
func (English) NoCommonGatedValue() string {
	return "no case has a value of a gated metric in the run and in the baseline"
}
func (English) DifferenceMisses(misses, old, new string) string {
	return fmt.Sprintf("the difference %s (%s → %s)", misses, old, new)
}
func (English) BoundMisses(bound string, misses string) string {
	return fmt.Sprintf("the %s bound of the difference %s", bound, misses)
}
func (English) ShownToMiss(limit, bound, value string) string {
	return fmt.Sprintf("the difference is shown to miss %s: its %s bound is %s", limit, bound, value)
}
func (English) TooFewCases(lower, upper, limit string, floor bool, needed int) string {
	side := "below"
	if floor {
		side = "above"
	}
	s := fmt.Sprintf("too few cases to tell: the one-sided bounds of the difference are %s and %s, so it is not shown to be %s %s",
		lower, upper, side, limit)
	if needed > 0 {
		s += fmt.Sprintf("; about %d cases with such differences would decide", needed)
	}
	return s
}
func (English) PooledWithoutInterval() string {
	return "there is no interval: the mean is of pooled counts, which a baseline does not have"
}
func (English) FellToWorst(n, of int, misses string) string {
	return fmt.Sprintf("%d of %s fell to the worst value: %s", n, plural(of, "case", "cases"), misses)
}
func (English) MayHaveFallen(n int, low, high string) string {
	return fmt.Sprintf("%s could not be scored and may have fallen to the worst value: the share lies between %s and %s",
		plural(n, "case", "cases"), low, high)
}
func (English) CriticalLosses(n, of int, cases []string) string {
	return fmt.Sprintf("%d of %s got worse: %s", n, plural(of, "critical case", "critical cases"), some(cases))
}
func (English) CriticalUnknown(cases []string) string { return "unknown for " + some(cases) }
func (English) GatesNoMetric(metrics []string) string {
	return "it gates none: want a tolerance, or a rule against the baseline, for " + some(metrics)
}

func (English) NotCompared(reason string) string { return "not compared with the baseline: " + reason }
func (English) NotInBaseline() string            { return "it is not in the baseline" }
func (English) NotInRun(metric string) string {
	return fmt.Sprintf("%q is in the baseline, but was not measured in this run", metric)
}
func (English) OtherVersion(was, is int) string {
	return fmt.Sprintf("its version differs: %d → %d", was, is)
}
func (English) OtherScheme(was, is string) string {
	return "its definition differs: " + change(was, is)
}
func (English) OtherScale() string                 { return "its scale differs" }
func (English) OtherWeights(was, is string) string { return "its weights differ: " + change(was, is) }
func (English) OtherPart(metric, reason string) string {
	return fmt.Sprintf("its part %s: %s", metric, reason)
}

func (English) OtherDataset(was, is string) string {
	return fmt.Sprintf("the dataset differs: the baseline was saved on %s, the run is on %s", orNone(was), orNone(is))
}
func (English) OtherCases(was, is int, subset bool) string {
	if subset {
		return fmt.Sprintf("the run is on %d of %s, the baseline was saved on all", is, plural(was, "case", "cases"))
	}
	return fmt.Sprintf("the gold set has %s, the baseline was saved on %d", plural(is, "case", "cases"), was)
}
func (English) LacksCases(n int, cases []string) string {
	return fmt.Sprintf("the run lacks %s of the baseline: %s", plural(n, "case", "cases"), some(cases))
}
func (English) OtherJudge(was, is string) string { return "the judge differs: " + change(was, is) }
func (English) JudgeDiffers(judge, part, was, is string) string {
	return fmt.Sprintf("judge %s: %s %s", judge, part, change(was, is))
}

func (English) OtherCorpus(was, is string) string {
	return "the corpus differs from the baseline's: " + change(was, is)
}
func (English) OtherEmbedder(was, is string) string {
	return "the embedder of the metrics differs from the baseline's: " + change(was, is)
}
func (English) MissingValues(metrics, inBaseline, inRun []string) string {
	var parts []string
	if inBaseline != nil {
		parts = append(parts, fmt.Sprintf("%s only in the baseline (%s)", plural(len(inBaseline), "case", "cases"), some(inBaseline)))
	}
	if inRun != nil {
		parts = append(parts, fmt.Sprintf("%s only in the run (%s)", plural(len(inRun), "case", "cases"), some(inRun)))
	}
	return strings.Join(metrics, ", ") + ": " + strings.Join(parts, ", ") + " not compared"
}
func (English) OnEstimate() string {
	return "an estimate by formula: no verdict without a judge, unless the policy has allow_estimates"
}

func (English) PartsUnmeasured(parts []string, share string) string {
	return fmt.Sprintf("no case has %s, %s of the weights: set weights for the metrics that the run can measure", some(parts), share)
}

func (English) EstimatesGated(metrics []string) string {
	return strings.Join(metrics, ", ") + ": decided by an estimate, because the policy allows it"
}
func (English) BelowNoise(cases int, differences []string) string {
	return fmt.Sprintf("%s cannot tell a difference below %s from chance (4 times in 5); "+
		"a rule on a smaller one also passes and fails by chance",
		plural(cases, "case", "cases"), strings.Join(differences, ", "))
}
