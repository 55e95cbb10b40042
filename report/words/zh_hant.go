package words

import (
	"fmt"
	"strings"
)

// TraditionalChinese is Chinese as engineers in Taiwan write it.
type TraditionalChinese struct{}

func (TraditionalChinese) Language() string               { return "zh-Hant" }
func (TraditionalChinese) Name() string                   { return "繁體中文" }
func (TraditionalChinese) ReportKicker() string           { return "assay · 評估報告" }
func (TraditionalChinese) ReportTitle(name string) string { return name + " 的評估結果" }
func (TraditionalChinese) NoiseTitle(name string) string  { return name + " 的雜訊" }
func (TraditionalChinese) RunStatus(id, state string) string {
	return "執行 " + id + " " + TraditionalChinese{}.RunState(state)
}

// RunState returns the state of a run.
func (TraditionalChinese) RunState(state string) string {
	switch state {
	case "finished":
		return "已完成"
	case "running":
		return "進行中"
	case "interrupted":
		return "已中斷"
	case "unjudged":
		return "待評審"
	case "queued":
		return "等待中"
	case "cancelled":
		return "已取消"
	case "failed":
		return "無法開始"
	}
	return state
}

func (TraditionalChinese) FinishedIn(at, in string) string {
	return "· " + at + " · 耗時 " + in
}
func (TraditionalChinese) Waited(total, prepared, evaluated, reported string) string {
	parts := "評估 " + evaluated
	if prepared != "" {
		parts = "準備 " + prepared + "，" + parts
	}
	if reported != "" {
		parts += "，報告 " + reported
	}
	return total + "（" + parts + "）"
}
func (TraditionalChinese) Saved(page string) string { return "報告：" + page }
func (TraditionalChinese) FactNames() FactNames {
	return FactNames{
		Date: "日期", Run: "執行", Dataset: "資料集", Adapter: "轉接器", Endpoint: "端點", Corpus: "語料庫", Cases: "案例",
		Outcome: "結果", Gate: "關卡", Duration: "耗時", EstimatedCost: "預估費用", ActualCost: "實際費用", Cost: "費用",
		Judge: "評審",
		Draws: "重複作答", Latency: "延遲", Errors: "錯誤", Below: "未達門檻", Critical: "關鍵案例", Lost: "流失",
	}
}
func (TraditionalChinese) CardNames() CardNames {
	return CardNames{Cases: "案例", Critical: "關鍵案例", Errors: "錯誤", Latency: "延遲（中位數）", Cost: "費用",
		JudgeCalls: "每個案例的評審呼叫次數", Duration: "耗時"}
}
func (TraditionalChinese) AnswersCard(draws, cases int) string {
	return fmt.Sprintf("回答：%d 個案例，各作答 %d 次", cases, draws)
}
func (TraditionalChinese) LatencyCard(p95 string, slow int) string {
	if slow == 0 {
		return "p95 " + p95
	}
	return fmt.Sprintf("p95 %s，%d 個過慢", p95, slow)
}
func (TraditionalChinese) Colon() string              { return "：" }
func (TraditionalChinese) More(n int) string          { return fmt.Sprintf("……還有 %d 個", n) }
func (z TraditionalChinese) MoreVerbose(n int) string { return z.More(n) + "：-v" }
func (TraditionalChinese) MoreMetrics(n int) string {
	return fmt.Sprintf("……還有 %d 個指標：-v", n)
}
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
		Judge:  "評審", Passes: "評審次數", Prompts: "提示", NoJudge: "無", JudgeLanguages: "案例數（按評審提示的語言）",
		Metrics: "指標", Setting: "設定", Value: "值", Configuration: "組態",
	}
}
func (TraditionalChinese) CasesHead() string { return "案例" }
func (TraditionalChinese) Tag() string       { return "標籤" }
func (TraditionalChinese) ByTag() string     { return "依標籤" }
