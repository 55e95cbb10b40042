package words

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

func (TraditionalChinese) Gate() string   { return "關卡" }
func (TraditionalChinese) NoGate() string { return "沒有設定關卡" }
func (TraditionalChinese) GateTitle(name, verdict string) string {
	return name + " 的關卡：" + verdict
}
func (TraditionalChinese) GateHeads() GateHeads {
	return GateHeads{Table: "關卡規則", Rule: "規則", Status: "狀態", Baseline: "基準", Run: "本次執行", Interval: "區間",
		People: "若由人評斷", Cases: "案例"}
}
func (TraditionalChinese) BaselineRefused(reason string) string { return "不採用基準：" + reason }

func (TraditionalChinese) Verdict(v gate.Verdict) string {
	switch v {
	case gate.Pass:
		return "通過"
	case gate.Fail:
		return "未通過"
	}
	return "無法判定"
}

func (TraditionalChinese) Tracked() string { return "僅追蹤" }

func (TraditionalChinese) AllMet(rules int, thresholds bool) string {
	switch {
	case rules == 0:
		return "沒有設定規則"
	case thresholds:
		return fmt.Sprintf("%d 個門檻全部達到", rules)
	}
	return fmt.Sprintf("%d 條規則全部符合", rules)
}

func (z TraditionalChinese) Rule(r Rule) string {
	text := r.Rule
	for _, s := range []string{r.Moved, r.Value, r.Reason} {
		if s != "" {
			text += "：" + s
		}
	}
	if len(r.Cases) == 0 {
		return text
	}
	what := "；案例："
	if r.Versus {
		what = "；退步最多的案例："
	}
	return text + what + z.List(r.Cases, r.More)
}

func (TraditionalChinese) Threshold(t Threshold) string {
	text := t.Metric
	if t.Value != "" {
		text += " " + t.Value
	}
	switch t.Result {
	case Reached:
		return text + " 達到 " + t.Limit
	case Missed:
		return text + " 未達 " + t.Limit
	case Refuted:
		return text + "：" + t.Reason
	case Unmeasured:
		return text + "：" + t.Reason + "，要求 " + t.Wants
	case Undecided:
		return text + " 是否達到 " + t.Limit + " 無法確定：可能值為 " + t.Bounds
	}
	return text + " 是否達到 " + t.Limit + " 無法得知：" + t.Reason
}

func (TraditionalChinese) Misses(metric, value, limit string, atBest bool) string {
	if atBest {
		value = "最好為 " + value + "，仍"
	}
	return metric + " " + value + " 未達 " + limit
}

func (TraditionalChinese) Ending(e Ending, n, of int) string {
	switch e {
	case NoCase:
		return "沒有評估任何案例"
	case AllFailed:
		return fmt.Sprintf("%d 個案例中，受測系統有 %d 個失敗", of, n)
	case Unfinished:
		return fmt.Sprintf("%d 個案例中只評估了 %d 個", of, n)
	case CriticalFailed:
		return fmt.Sprintf("%d 個關鍵案例中有 %d 個未通過", of, n)
	case BaselineDropped:
		return "未與基準比較"
	case RulesNotMet:
		return fmt.Sprintf("%d 條規則中有 %d 條未符合", of, n)
	case RulesOpen:
		return fmt.Sprintf("案例太少，%d 條規則中有 %d 條無法判定", of, n)
	}
	return "關卡未通過"
}

func (TraditionalChinese) Status(s assay.Status) string {
	switch s {
	case assay.StatusFailed:
		return "未達門檻"
	case assay.StatusError:
		return "錯誤"
	}
	return "正常"
}

func (TraditionalChinese) State(s assay.State) string {
	switch s {
	case assay.NotApplicable:
		return "不適用"
	case assay.Abstained:
		return "未作答"
	case assay.TargetError:
		return "錯誤"
	}
	return "未計分"
}

func (TraditionalChinese) NoResponse() string { return "沒有回應" }

func (z TraditionalChinese) CaseResult(c CaseResult) string {
	word := ""
	switch {
	case c.Status == assay.StatusError && (c.Short || c.Failure == ""):
		word = "錯誤"
	case c.Status == assay.StatusError:
		word = "錯誤 " + c.Failure
	case c.Status == assay.StatusFailed && c.Short:
		word = "未通過"
	case c.Status == assay.StatusFailed:
		word = z.List(c.Missed[:1], len(c.Missed)-1)
	case c.Wrong && c.Full:
		word = "錯誤"
	case c.Wrong:
		word = "錯誤，" + c.Good
	case c.Full && c.Unscored:
		word = "部分未計分"
	case c.Full:
		word = "滿分"
	default:
		word = c.Good
	}
	if c.Lost {
		word += "，" + z.LostAt(c.Stage)
	}
	if c.Critical {
		word += "，關鍵"
	}
	return word
}
