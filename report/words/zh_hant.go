package words

import (
	"fmt"
	"strings"
)

// TraditionalChinese is written as engineers in Taiwan write.
type TraditionalChinese struct{}

func (TraditionalChinese) Language() string               { return "zh-Hant" }
func (TraditionalChinese) Name() string                   { return "繁體中文" }
func (TraditionalChinese) ReportKicker() string           { return "assay · 評估報告" }
func (TraditionalChinese) ReportTitle(name string) string { return name + " 的評估結果" }
func (TraditionalChinese) NoiseTitle(name string) string  { return name + " 的雜訊" }
func (TraditionalChinese) RunStatus(id, state string) string {
	return "執行 " + id + " " + TraditionalChinese{}.RunState(state)
}
func (TraditionalChinese) FinishedIn(at, in string) string {
	return "· " + at + " · 耗時 " + in
}
func (TraditionalChinese) Saved(page string) string { return "報告：" + page }
func (TraditionalChinese) FactNames() FactNames {
	return FactNames{
		Date: "日期", Run: "執行", Dataset: "資料集", Adapter: "轉接器", Endpoint: "端點", Corpus: "語料庫", Cases: "案例",
		Outcome: "結果", Gate: "關卡", Duration: "耗時", EstimatedCost: "預估費用", ActualCost: "實際費用", Cost: "費用",
		Judge: "評審",
		Draws: "重複作答", Latency: "延遲", Errors: "錯誤", Below: "未達門檻", Critical: "關鍵案例",
	}
}
func (TraditionalChinese) CardNames() CardNames {
	return CardNames{Cases: "案例", Critical: "關鍵案例", Errors: "錯誤", Latency: "延遲（中位數）", Cost: "費用",
		JudgeCalls: "每個案例的評審呼叫次數", Duration: "耗時"}
}
func (TraditionalChinese) AnswersCard(draws, cases int) string {
	return fmt.Sprintf("回答：%d 個案例，各作答 %d 次", cases, draws)
}
func (TraditionalChinese) CriticalCard(failed int) string {
	if failed == 0 {
		return "全部通過"
	}
	return fmt.Sprintf("%d 個關鍵案例未通過", failed)
}
func (TraditionalChinese) LatencyCard(p95 string, slow int) string {
	if slow == 0 {
		return "p95 " + p95
	}
	return fmt.Sprintf("p95 %s，%d 個過慢", p95, slow)
}
func (TraditionalChinese) Colon() string     { return "：" }
func (TraditionalChinese) More(n int) string { return fmt.Sprintf("……還有 %d 個", n) }
func (z TraditionalChinese) List(names []string, more int) string {
	s := strings.Join(names, "、")
	if more > 0 {
		s += z.More(more)
	}
	return s
}
func (TraditionalChinese) Of(n, of int) string          { return fmt.Sprintf("%d 個中的 %d 個", of, n) }
func (TraditionalChinese) Cases(n int) string           { return fmt.Sprintf("%d 個案例", n) }
func (TraditionalChinese) Range(from, to string) string { return from + " 至 " + to }
func (TraditionalChinese) Interval(level string) string { return level + " 區間" }
func (TraditionalChinese) Warning() string              { return "警告" }
func (TraditionalChinese) Warnings() string             { return "警告" }
func (TraditionalChinese) NoteLabel() string            { return "備註" }
func (TraditionalChinese) ReproduceTitle() string       { return "重現方式" }
func (TraditionalChinese) ReproduceNav() string         { return "重現" }
func (TraditionalChinese) Provenance() Provenance {
	return Provenance{
		Command: "指令", Seed: "亂數種子", Dataset: "資料集", Corpus: "語料庫", Embedder: "指標所用的嵌入模型",
		Target: "受測系統",
		Judge:  "評審", Passes: "評審次數", Prompts: "提示", NoJudge: "無",
		Metrics: "指標", Setting: "設定", Value: "值", Configuration: "組態",
	}
}
func (TraditionalChinese) CasesHead() string { return "案例" }
func (TraditionalChinese) Tag() string       { return "標籤" }
func (TraditionalChinese) ByTag() string     { return "依標籤" }

func (TraditionalChinese) Results() string  { return "結果" }
func (TraditionalChinese) NoMetric() string { return "沒有計算任何指標。" }
func (TraditionalChinese) ResultsNote(level string, failed, held bool) string {
	s := "長條是各分數的案例數"
	if failed {
		s += "（斜線：受測系統失敗）"
	}
	s += "；下方的圓點是平均值及其 " + level
	if held {
		s += "，橫貫的線是門檻"
	}
	return s + "。"
}
func (TraditionalChinese) EstimateHeads() EstimateHeads {
	return EstimateHeads{Metric: "指標", Plot: "案例分布，平均值與區間", Mean: "平均", Threshold: "門檻", Status: "狀態",
		Unscored: "未計分", None: "不適用"}
}
func (TraditionalChinese) LowerIsBetter() string      { return "越低越好" }
func (TraditionalChinese) Weight(share string) string { return "權重 " + share }
func (TraditionalChinese) WhyMissing() string         { return "缺少分數的原因" }
func (z TraditionalChinese) Remarked(n int, responses bool, text string, many bool) string {
	of := z.Cases(n)
	if responses {
		of = fmt.Sprintf("%d 個回應", n)
	}
	if many {
		text += "（及類似情形）"
	}
	return of + "：" + text
}
func (TraditionalChinese) MoreRemarks(n int, responses bool) string {
	of := "案例"
	if responses {
		of = "回應"
	}
	return fmt.Sprintf("另有 %d 則關於%s的說明，請見各案例", n, of)
}
func (TraditionalChinese) Remarks(n int) string { return fmt.Sprintf("%d 則說明", n) }
func (TraditionalChinese) FailedByTarget(n int) string {
	return fmt.Sprintf("受測系統有 %d 個案例失敗", n)
}
func (TraditionalChinese) CompositeOf(parts string) string { return "加權平均：" + parts }
func (TraditionalChinese) FormulaEstimate() string {
	return "以公式估計：沒有評審讀過回答"
}
func (TraditionalChinese) Possible(failed int) string {
	if failed == 0 {
		return "未知分數取任意值時的平均"
	}
	return fmt.Sprintf("%d 個未計分案例取任意分數時的平均", failed)
}
func (TraditionalChinese) TargetFailed(cases int, value string, answered int) string {
	s := fmt.Sprintf("受測系統在 %d 個案例失敗", cases)
	switch {
	case value == "":
		return s + "：不計入平均"
	case answered == 0:
		return s + "：計為 " + value
	}
	return s + fmt.Sprintf("：計為 %s；有回應的 %d 個案例平均", value, answered)
}
func (TraditionalChinese) FewCases() string { return "案例太少：" }
func (TraditionalChinese) NoValue() string  { return "沒有數值" }
func (TraditionalChinese) MeanLabel(mean, level string, ends []string) string {
	if ends == nil {
		return "平均 " + mean
	}
	return fmt.Sprintf("平均 %s，%s 區間 %s 至 %s", mean, level, ends[0], ends[1])
}
func (TraditionalChinese) ThresholdLabel(want string) string { return "，門檻 " + want }
func (TraditionalChinese) TagsTitle() string                 { return "各標籤的結果" }
func (TraditionalChinese) TagsNav() string                   { return "標籤" }
func (TraditionalChinese) TagsNote(level string, shaded bool) string {
	s := "每格列出平均值、n 及其 " + level
	if shaded {
		s += "；顏色越深越好"
	}
	return s + "。"
}
func (TraditionalChinese) MoreTags(tags, metrics int) string {
	var more []string
	if tags > 0 {
		more = append(more, fmt.Sprintf("%d 個標籤", tags))
	}
	if metrics > 0 {
		more = append(more, fmt.Sprintf("%d 個指標", metrics))
	}
	if more == nil {
		return ""
	}
	return "……其他格式還有 " + strings.Join(more, "和 ")
}
func (TraditionalChinese) NoiseSaved(page, run string) string {
	return "報告：" + page + " · 執行本身：assay report " + run
}

func (TraditionalChinese) TimeTitle() string { return "時間" }
func (TraditionalChinese) TimeHeads() TimeHeads {
	return TimeHeads{Latency: "延遲", Stage: "階段", Mean: "平均", Plot: "平均值（標記為 p95）"}
}
func (TraditionalChinese) MeanTime(mean string) string { return "平均 " + mean }
func (TraditionalChinese) LatencyCaption(_ int, line string) string {
	return "受測系統的回應時間（對數刻度）：" + line + "。"
}
func (TraditionalChinese) LatencyLabel(responses int, line string) string {
	return fmt.Sprintf("%d 個回應的延遲：%s", responses, line)
}

// RunState names the state of a run.
func (TraditionalChinese) RunState(state string) string {
	switch state {
	case "finished":
		return "已完成"
	case "running":
		return "進行中"
	case "interrupted":
		return "已中斷"
	}
	return state
}
