package words

import "fmt"

func (TraditionalChinese) PointNames() PointNames {
	return PointNames{
		Points: "要點", Case: "案例", Question: "問題", Find: "案例或問題", NoCases: "沒有符合的案例。",
		Intro:    "要點是回答應提及的一項陳述。完整性指標逐一查核；必要要點權重為 1，其餘為 0.5。",
		How:      "儲存後資料集產生新版本。先前的版本及其執行維持原樣；要點變更後的分數不可與先前的分數比較。",
		ByPeople: "由人員", Text: "回答應提及的內容", Importance: "重要程度", Vital: "必要", Okay: "次要", Passage: "段落",
		NoPassage: "無", Answer: "理想回答", Passages: "撰寫時依據的段落", Up: "上移", Down: "下移", Delete: "刪除",
		Mark: "合併", You: "您，尚未儲存", Save: "儲存", Add: "新增要點", Merge: "合併已勾選的要點",
		MergeHow: "合併會將已勾選要點的文字併入其中第一項。", Added: "請撰寫新要點，尚未儲存。",
		MarkTwo: "請至少勾選兩個要點再合併。", NoPoints: "此案例沒有要點。",
		MayNot: "變更要點的權杖須有 run 範圍。", Locked: "此處無法變更這些要點：", Mistakes: "未儲存：",
		Theirs: "目前已儲存的要點", Unsaved: "有尚未儲存的變更。",
	}
}

func (TraditionalChinese) PointsOf(n, vital int) string {
	return fmt.Sprintf("%d 個要點，其中 %d 個必要", n, vital)
}

func (TraditionalChinese) PointBy(by, model string) string {
	switch {
	case by != "":
		return "由 " + by
	case model != "":
		return "由模型 " + model
	}
	return "檔案原有"
}

func (TraditionalChinese) PointRow(n int) string { return fmt.Sprintf("要點 %d", n) }

func (TraditionalChinese) PointUp(n int) string { return fmt.Sprintf("上移要點 %d", n) }

func (TraditionalChinese) PointDown(n int) string { return fmt.Sprintf("下移要點 %d", n) }

func (TraditionalChinese) PointDelete(n int) string { return fmt.Sprintf("刪除要點 %d", n) }

func (TraditionalChinese) PointMark(n int) string { return fmt.Sprintf("勾選要點 %d 以合併", n) }

func (TraditionalChinese) PointMoved(from, to int) string {
	return fmt.Sprintf("要點 %d 現為要點 %d，尚未儲存。", from, to)
}

func (TraditionalChinese) PointDeleted(n int) string {
	return fmt.Sprintf("要點 %d 已刪除，尚未儲存。", n)
}

func (TraditionalChinese) PointsMerged(n, into int) string {
	return fmt.Sprintf("%d 個要點已併入要點 %d，尚未儲存。", n, into)
}

func (TraditionalChinese) PointsSaved(version int) string {
	return fmt.Sprintf("已儲存：資料集第 %d 版。", version)
}

func (TraditionalChinese) PointsConflict(by string, version int, at string) string {
	const both = "兩者皆列於下方，請併入要保留的內容；儲存會以您的要點取代對方的要點。"
	if by == "" {
		return "您的要點未儲存：期間要點已變更。" + both
	}
	return fmt.Sprintf("您的要點未儲存：期間 %s 已變更（第 %d 版，%s）。", by, version, at) + both
}

func (TraditionalChinese) PointsVersion(version int, by, at string) string {
	s := fmt.Sprintf("資料集第 %d 版。", version)
	if by != "" {
		s += fmt.Sprintf("要點最近由 %s 於 %s 變更。", by, at)
	}
	return s
}
