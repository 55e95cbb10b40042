package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) Results() string  { return "結果" }
func (TraditionalChinese) NoMetric() string { return "沒有計算任何指標。" }
func (TraditionalChinese) ResultsNote(level string, failed, held bool) string {
	s := "長條是各分數的案例數"
	if failed {
		s += "（斜線：受測系統失敗）"
	}
	s += "；下方的圓點是平均值"
	if level != "" {
		s += "及其 " + level
	}
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
func (TraditionalChinese) WeightUsed(used, set string) string {
	return used + "（設為 " + set + "）"
}
func (TraditionalChinese) WhyMissing() string { return "缺少分數的原因" }
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
func (TraditionalChinese) EstimateWord() string            { return "公式估計" }

func (TraditionalChinese) EstimateCompared() string {
	return "≈ 公式估計：估計值的差異沒有判定，評審的排序可能不同"
}

func (TraditionalChinese) FormulaEstimate() string {
	return "≈ 以公式估計：沒有評審讀過回答"
}
func (TraditionalChinese) Possible(failed int) string {
	if failed == 0 {
		return "未知分數取任意值時的平均"
	}
	return fmt.Sprintf("%d 個未計分案例取任意分數時的平均", failed)
}
func (TraditionalChinese) NearChance() string { return "評審近乎隨機" }
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
func (TraditionalChinese) WithoutInterval(limit string, least int) string {
	return fmt.Sprintf("%s；少於 %d 個沒有區間", limit, least)
}
func (TraditionalChinese) NoValue() string { return "沒有數值" }
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
	s := "每格列出平均值及 n"
	if level != "" {
		s = "每格列出平均值、n 及其 " + level
	}
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
