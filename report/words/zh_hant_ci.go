package words

import "fmt"

func (TraditionalChinese) CommentTitle(verdict, name string) string {
	return verdict + " · " + name + " 的評估結果"
}
func (TraditionalChinese) NotEvaluated(n int) string { return fmt.Sprintf("%d 個未評估", n) }
func (z TraditionalChinese) CriticalFact(c Critical) string {
	return "關鍵案例：" + z.CriticalCount(c)
}
func (TraditionalChinese) JudgedBy(judging string) string { return "評審：" + judging }
func (TraditionalChinese) BaselineNotCompared() string    { return "未與基準比較：" }
func (TraditionalChinese) CommentHeads() CommentHeads {
	return CommentHeads{Rule: "規則", Metric: "指標", Baseline: "基準", Run: "本次執行", Difference: "差異", Mean: "平均"}
}
func (TraditionalChinese) NothingGated() string {
	return "本次執行沒有關卡：沒有門檻、規則或基準。"
}
func (TraditionalChinese) TrackedTitle(metrics int) string {
	return fmt.Sprintf("僅追蹤、不判定的 %d 個指標", metrics)
}
func (TraditionalChinese) WrongCases() string        { return "有問題的案例" }
func (TraditionalChinese) Critical() string          { return "關鍵" }
func (TraditionalChinese) LostMostIn() string        { return "退步最多：" }
func (TraditionalChinese) WarningCount(n int) string { return fmt.Sprintf("%d 則警告", n) }
func (TraditionalChinese) MoreCases(page string) string {
	if page == "" {
		return "更多案例見步驟摘要以及工作流程保存的報告。"
	}
	return "更多案例見[步驟摘要與報告](" + page + ")。"
}
func (TraditionalChinese) CommentOrigin(run, version, dataset string) string {
	return "執行 " + run + "，assay " + version + "，資料集 " + dataset + "。"
}
func (TraditionalChinese) CutHere() string         { return "內容在此截斷：其餘請見報告。" }
func (TraditionalChinese) UnevaluatedTest() string { return "未評估的案例" }
func (TraditionalChinese) Unevaluated(n int, state string) string {
	return fmt.Sprintf("%d 個案例未評估：此次執行%s", n, TraditionalChinese{}.RunState(state))
}
func (TraditionalChinese) CriticalCase(reason string) string { return "關鍵案例：" + reason }
func (TraditionalChinese) NotScored(metric, wants, reason string) string {
	if wants != "" {
		wants = "，要求 " + wants
	}
	return metric + " 無法計分" + wants + "：" + reason
}
func (TraditionalChinese) NoMetricApplies(reason string) string {
	return "沒有適用的指標：" + reason
}
func (TraditionalChinese) DetailNames() DetailNames {
	return DetailNames{Question: "問題", Case: "案例", Failure: "失敗", Attempt: "嘗試", Answer: "回答",
		Wanted: "期望", Stage: "階段"}
}
