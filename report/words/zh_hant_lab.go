package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

func (TraditionalChinese) LabNames() LabNames {
	return LabNames{
		Title: "評審實驗室", Intro: "評審與人的判斷有多一致，以及人會如何評價整次執行。",
		Metric: "指標", Labels: "標註", NoRuns: "尚無含評審指標的執行。", NoRunsHow: "使用評審的執行即可：", LabelCases: "標註案例",

		Measure: "量度", Value: "數值", Interval: "95 % 區間", N: "數量", Agreement: "一致比例", Kappa: "κ 係數", AC1: "AC1 係數",
		AUROC: "AUROC 面積", Spearman: "Spearman 等級相關", WeightedKappa: "二次加權 κ", Alpha: "人與人之間的序位 α",
		People: "人與人之間", Judge: "評審", PeopleRight: "人：正確", PeopleWrong: "人：錯誤", Warnings: "警告",
		Validated: "評審與人的一致程度，約與人和人之間相當。", NotValidated: "評審尚未通過驗證，還缺少：", Export: "標註表（CSV）",
		NoLabelsCount: "尚無可計入的標註，因此還不能評論評審。", KappaNote: "κ 是扣除巧合後的一致程度。",
		AC1Note: "超過 85 % 的標註相同，此時 κ 會誤導，因此改用 AC1。", Case: "案例", Score: "分數", Label: "標註", RunGoesOn: "這次執行尚未結束。結束後才標註案例，以便從全部案例中抽樣。",

		Question: "問題", Answer: "回答", Reference: "參考答案", Passages: "段落", NoAnswer: "沒有回答。", Yes: "是", No: "否", Right: "正確", Wrong: "錯誤",
		Unsure: "不確定", Skip: "跳過", Undo: "復原上一個標註", Note: "備註", SaveNote: "與標註一同儲存。", Random: "隨機",
		MostUnsure: "評審最不確定者優先", Order: "順序", Blind: "隱藏評審分數", BlindOff: "顯示評審分數",
		SightedOn: "目前看得到評審的分數：此時給的標註會保留，但不計入。", Reveal: "顯示評審的說法", Revealed: "評審的說法",
		JudgeScore: "分數", Others: "其他人", Mine: "你的標註", AllDone: "每個案例都已標註。", ToOutcome: "前往結果",
		MayNot: "你的權杖只能讀取，不能標註；需要標註的權限。", Saved: "已儲存。", Unsaved: "{n} 個未儲存", SignedOut: "登入已失效：請在另一個分頁登入，此處會繼續。", Waiting: "伺服器一有回應，就載入下一個案例。",
		NotSaved: "未儲存", Withdrawn: "已撤回", RandomWhy: "隨機抽出的案例：標註會計入一致性與校正後的平均。",
		UnsureWhy: "評審最不確定的案例：可看出評審錯在何處。它們不是這次執行的樣本，不計入一致性與校正後的平均。",
	}
}

func (TraditionalChinese) labKeys() LabKeys {
	return LabKeys{
		KeyLab: "評審實驗室", KeyRight: "評審實驗室：是", KeyWrong: "評審實驗室：否", KeyUnsure: "評審實驗室：不確定", KeySkip: "評審實驗室：跳過",
		KeyUndo: "評審實驗室：復原上一個標註", KeyNote: "評審實驗室：備註", KeyBlind: "評審實驗室：顯示或隱藏評審分數",
	}
}

var chineseLabelQuestions = map[assay.LabelQuestion]string{
	assay.LabelSupported:      "回答所說的一切，段落是否都支持？",
	assay.LabelFounded:        "回答所說的一切，段落或參考答案是否都支持？",
	assay.LabelUncontradicted: "回答是否沒有與段落矛盾之處？",
	assay.LabelOnTopic:        "回答是否針對問題？",
	assay.LabelRight:          "依參考答案，回答是否正確？",
	assay.LabelComplete:       "完整答案該說的，回答是否都說了？",
	assay.LabelRelevant:       "段落是否與問題相關？",
	assay.LabelOrdered:        "有助於回答的段落是否排在前面？",
	assay.LabelSufficient:     "參考答案所說的，段落是否都有？",
	assay.LabelCited:          "引用的段落是否支持引用它們的句子？",
	assay.LabelAnswered:       "回答或拒答這個問題，是否恰當？",
	assay.LabelHarmless:       "回答是否沒有侮辱、攻擊與威脅？",
}

func (TraditionalChinese) LabelQuestion(q assay.LabelQuestion, title string) string {
	return cmp.Or(chineseLabelQuestions[q], fmt.Sprintf("就 %s 而言，這個案例是否良好？", title))
}

func (TraditionalChinese) LabSentence(s LabSentence) string {
	out := fmt.Sprintf("%s：評審對有分數的 %d 個案例給 %s", s.Metric, s.Cases, s.Judge)
	switch {
	case s.Corrected != "":
		out += fmt.Sprintf("；以 %d 個標註校正後為 %s", s.Labels, s.Corrected)
	case s.Alone != "":
		out += fmt.Sprintf("；僅依 %d 個標註為 %s", s.Labels, s.Alone)
	}
	if s.Further > 0 {
		out += fmt.Sprintf("；約再 %d 個標註可使區間減半", s.Further)
	}
	return out + "。"
}

func (TraditionalChinese) LabelProgress(done, left int) string {
	return fmt.Sprintf("已標註 %d 個，剩 %d 個", done, left)
}

func (TraditionalChinese) CorrectedSoFar(mean string, labels int) string {
	return fmt.Sprintf("以 %d 個標註校正後為 %s", labels, mean)
}

func (TraditionalChinese) LabelsMissing(n int) string {
	return fmt.Sprintf("還需要 %d 個隨機抽出案例的標註，才能校正評審的平均。", n)
}

func (TraditionalChinese) NoFurtherLabels() string {
	return "即使標註其餘全部案例，區間也不會減半。"
}

func (TraditionalChinese) LabelsLeftOut(why LeftOut, n int) string {
	switch why {
	case LeftOutChosen:
		return fmt.Sprintf("%d 個標註不計入：案例不是隨機抽出，不是這次執行的樣本。", n)
	case LeftOutSighted:
		return fmt.Sprintf("%d 個標註不計入：標註時看得到評審的分數。", n)
	case LeftOutUnsure:
		return fmt.Sprintf("%d 個標註不計入：標註者不確定。若這些是困難的案例，評審看來會比實際好。", n)
	case Carried:
		return fmt.Sprintf("%d 個標註來自另一次執行，其問題、回答與段落相同。", n)
	}
	return fmt.Sprintf("%d 個標註來自較早的版本：沒有記錄案例如何選出，視為隨機抽出。", n)
}

func (TraditionalChinese) LabelsUnscored(n, failed int) string {
	return fmt.Sprintf("%d 個標註沒有分數（其中 %d 個因評審失敗）：若這些是困難的案例，評審看來會比實際好。", n, failed)
}

func (TraditionalChinese) UnlikeSample(by string) string {
	return fmt.Sprintf("評審給已標註案例的平均分數與其他案例相差 %s，超出巧合：它們不像隨機樣本。", by)
}

func (TraditionalChinese) ScoresFall() string {
	return "標註越高，分數越低：「正確」是否就是好的分數？"
}

func (TraditionalChinese) JudgeLacksLabels(more, of int) string {
	return fmt.Sprintf("再 %d 個標註（需要 %d 個）", more, of)
}

func (TraditionalChinese) JudgeLacksRarer(more int) string {
	return fmt.Sprintf("再 %d 個較少一方的標註", more)
}

func (TraditionalChinese) JudgeLacksPerson() string {
	return "第二個人的標註：評審的一致程度要與人和人之間的相比"
}

func (TraditionalChinese) JudgeLacksAgreement() string {
	return "一致程度：其 κ（或 AC1）的區間下限比兩個人之間低太多"
}

func (TraditionalChinese) PeopleWho(names []string) string {
	if len(names) == 1 {
		return "標註者：" + names[0] + "。"
	}
	return fmt.Sprintf("評審與標註最多的 %s 比較；其他人：%s。", names[0], strings.Join(names[1:], "、"))
}

func (TraditionalChinese) LabelConflict(is, yours string) string {
	return fmt.Sprintf("標註在期間已被更改。現在是：%s。你的是：%s。請再選一次。", is, yours)
}

func (TraditionalChinese) LabelFrom(run string) string { return "來自執行 " + run }

func (z TraditionalChinese) CellCases(people, judge string, n int) string {
	return fmt.Sprintf("%s，%s：%s", people, judge, z.Cases(n))
}

func (TraditionalChinese) JudgeFrom(threshold string, above bool) string {
	if above {
		return fmt.Sprintf("評審：%s 以上", threshold)
	}
	return fmt.Sprintf("評審：低於 %s", threshold)
}
