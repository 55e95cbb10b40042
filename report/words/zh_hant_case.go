package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

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
func (z TraditionalChinese) LowestCases(shown, of int, by Order) string {
	order := "依各項分數的平均"
	if by.Composite {
		order = "依綜合分數"
	}
	if by.Wrong {
		order = "錯誤者在前，其餘" + order
	}
	return "最低的案例，" + order + "（" + z.Of(shown, of) + "）"
}
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
func (TraditionalChinese) Excerpt(kept string, more int) string {
	return fmt.Sprintf("%s……（還有 %d 個字元）", kept, more)
}
func (TraditionalChinese) Attempts(n int, took string) string {
	s := fmt.Sprintf("嘗試 %d 次", n)
	if took != "" {
		s += "，" + took
	}
	return s
}
func (TraditionalChinese) Try(t Try) string {
	s := t.Kind
	if t.After != "" {
		s += "，" + t.After + " 後"
	}
	if t.Wait != "" {
		s += "，等待 " + t.Wait
	}
	if t.Message != "" {
		s += "：" + t.Message
	}
	return s
}
func (TraditionalChinese) WantNames() WantNames {
	return WantNames{Answers: "參考答案", Documents: "預期文件", Passages: "參考段落", Keywords: "預期關鍵字",
		Questions: "關鍵問題", Transcript: "參考文字", Answerable: "可回答", Checks: "檢查"}
}
func (TraditionalChinese) Grade(document string, grade int) string {
	return fmt.Sprintf("%s（等級 %d）", document, grade)
}
func (TraditionalChinese) Answerable(yes bool) string {
	if yes {
		return "是"
	}
	return "否：語料庫中沒有答案"
}
func (TraditionalChinese) Relevance(grade int) string {
	switch {
	case grade >= 1:
		return fmt.Sprintf("相關，等級 %d", grade)
	case grade == 0:
		return "不相關"
	}
	return "列入評審池，未判定"
}
func (TraditionalChinese) Claim(c Claim) string {
	s, where := c.Text, "依 "+strings.Join(c.By, "、")
	if c.Kind == "contradicted" {
		s = "與依據矛盾：" + s
	} else if c.Kind != "unsupported" {
		s = c.Kind + "：" + s
	}
	if c.Where != "" {
		where = c.Where + "，" + where
	}
	return s + "（" + where + "）"
}
func (TraditionalChinese) Heard(errors, tokens int, characters bool) string {
	unit := "個詞"
	if characters {
		unit = "個字"
	}
	return fmt.Sprintf("%d %s中有 %d 個錯誤", tokens, unit, errors)
}
func (z TraditionalChinese) FactResult(f assay.Fact) string {
	switch {
	case f.Lost != "" && f.SelfKnowledge:
		return "流失於" + z.Stage(f.Lost) + "，但仍答出"
	case f.Lost == assay.LostNotInIndex:
		return z.Stage(f.Lost)
	case f.Lost == assay.LostPresent:
		return "已答出，但未顯示"
	case f.Lost != "":
		return "流失於" + z.Stage(f.Lost)
	}
	return "已答出"
}
func (z TraditionalChinese) LostVerdict(stage, evidence, rule string) string {
	s := z.Stage(stage)
	if evidence != "" {
		s += "：" + evidence
	}
	if rule != "" {
		s += "（未符合 " + rule + "）"
	}
	return s
}
func (TraditionalChinese) LostUnknown(reason string) string {
	switch reason {
	case assay.UnknownTexts:
		return "段落沒有文字，也沒有標註其 id；請回報每個段落的文字"
	case assay.UnknownNames:
		return "段落未註明所屬文件；請回報每個段落的 id 或文件"
	case assay.UnknownChunk:
		return "提示中可能是標註文件的另一個片段；請在 expected_contexts 加入片段的 id"
	}
	return "某個段落可能以不同的措辭包含標註的文字；請在 expected_contexts 加入片段的 id"
}
func (z TraditionalChinese) Rung(r Rung) string {
	s := z.AsItIs()
	if r.Stage != "" {
		s = "正確的" + z.Stage(r.Stage)
	}
	switch runs := max(r.Runs, 1); {
	case runs > 1:
		s += fmt.Sprintf("：%d 次中正確 %.0f 次", runs, r.Right*float64(runs))
	case r.Right >= 0.5:
		s += "：正確"
	default:
		s += "：錯誤"
	}
	if r.Answer != "" {
		s += " – " + r.Answer
	}
	return s
}
func (TraditionalChinese) NonMonotone() string {
	return "較早的一步已正確，較後的一步卻失敗"
}
func (TraditionalChinese) LadderError(err string) string { return "提前結束：" + err }
func (z TraditionalChinese) Merged(stage, into string) string {
	return "無法區分" + z.Stage(stage) + "與" + z.Stage(into) + "，流失一併計入後者"
}
func (TraditionalChinese) PartCounts(found, kept int) string {
	s := fmt.Sprintf("%d 個段落", found)
	if kept >= 0 {
		s += fmt.Sprintf("，保留 %d 個", kept)
	}
	return s
}
