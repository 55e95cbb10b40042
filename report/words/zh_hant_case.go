package words

import "fmt"

func (TraditionalChinese) CasesTitle() string { return "案例" }
func (z TraditionalChinese) FailedCases(shown, of int) string {
	if shown == of {
		return fmt.Sprintf("未通過的案例（%d）", of)
	}
	return "未通過的案例（" + z.Of(shown, of) + "）"
}
func (TraditionalChinese) MoreFailed(n int) string {
	return fmt.Sprintf("……其他格式還有 %d 個未通過的案例。", n)
}
func (z TraditionalChinese) LowestCases(shown, of int, what string) string {
	return "分數最低的案例（" + z.Of(shown, of) + "，" + what + "）"
}
func (TraditionalChinese) CriticalTitle(passed string) string { return "關鍵案例：" + passed }
func (TraditionalChinese) Passed() string                     { return "通過" }
func (TraditionalChinese) CaseNames() CaseNames {
	return CaseNames{
		Question: "問題", Failure: "失敗", Below: "未達門檻", Tries: "失敗的嘗試", Passages: "檢索到的段落",
		Answer: "回答",
		Lost:   "流失之處", Facts: "事實", Ladder: "換上正確輸出後", Note: "備註",
		Transcript: "語音轉文字結果與參考文字對照",
		Parts:      "子問題", Dropped: "被過濾的段落", Scores: "分數", Reasoning: "評審的理由", Estimates: "估計的依據",
		Claims: "缺乏依據的主張", Remarks: "評審備註", Trace: "追蹤紀錄", Stage: "階段", Model: "模型", Time: "時間",
		TraceNote: "備註",
	}
}
func (TraditionalChinese) FailedAfter(kind, attempts string) string {
	return kind + "（" + attempts + "後）"
}
func (TraditionalChinese) NotReported() string       { return "受測系統未回報" }
func (TraditionalChinese) NoPassages() string        { return "無" }
func (TraditionalChinese) NoAnswer() string          { return "受測系統不提供回答" }
func (TraditionalChinese) Empty() string             { return "（空白）" }
func (TraditionalChinese) NoneByLabel() string       { return "依標註為無" }
func (TraditionalChinese) Score(score string) string { return "分數 " + score }
func (TraditionalChinese) SubQuestion(n int) string  { return fmt.Sprintf("子問題 %d", n) }
