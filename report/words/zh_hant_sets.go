package words

import "fmt"

func (TraditionalChinese) SetNames() SetNames {
	return SetNames{
		Datasets: "資料集", Where: "所在", UsedRuns: "執行", LastRun: "最近一次執行", NoDatasets: "目前沒有任何資料集。",
		NoDatasetsHow: "執行會帶來資料集，伺服器也可使用資料夾中的資料集：", Content: "內容",

		Contents: "內容版本", Labels: "標註", Critical: "關鍵案例", Tags: "標籤", Unused: "沒有已儲存的執行使用此內容。",
		Doubts: "執行結果引起的疑點", Unsolved: "處處皆錯", Flaky: "不穩定", Unruled: "評審失敗", Outcome: "結果",
		Question:      "問題",
		HardOrWrong:   "這類案例的標註可能有誤，也可能案例本身困難。請對照標註閱讀回答。",
		FlakyWhy:      "兩個系統在這類案例上的差異意義不大。若同一位址背後的系統已更新，其各次執行仍視為重複。",
		UnruledWhy:    "這類案例缺少分數：文字可能過長，或遭供應者過濾。",
		NeverRepeated: "沒有案例在受測系統、設定、文件、評審與指標皆相同時判定過兩次：再執行一次，或使用 --repeat 3，即可看出哪些案例不穩定。",
		NoUnsolved:    "這些案例各至少有一次執行答對。", NoFlaky: "這些案例每次結果皆相同。", NoUnruled: "沒有這類案例。", BackToAll: "全部疑點",
		Findings: "檢查檔案所見", FindingsHow: "未使用向量，也未使用他處的文件。以下指令檢查得更深入：", NoFindings: "檢查未發現問題。",
		OtherContent: "伺服器目前同名的檔案是另一份內容，檢查的是目前的檔案。", Wrong: "有誤", Doubtful: "可疑",
		NotReadable: "無法讀取檔案。", FileElsewhere: "此伺服器沒有此名稱的檔案，只有執行所儲存的內容。在檔案所在處，以下指令可檢查：",
	}
}

func (TraditionalChinese) DatasetFrom(from string) string {
	switch from {
	case "upload":
		return "已上傳"
	case "folder":
		return "伺服器資料夾"
	}
	return "僅在執行中"
}

func (TraditionalChinese) SetsFound(n int) string { return fmt.Sprintf("%d 個資料集", n) }

func (z TraditionalChinese) ContentOf(cases, runs int) string {
	return fmt.Sprintf("%s · %s", z.Cases(cases), z.RunsFound(runs, runs))
}

func (TraditionalChinese) SeveralContents(n int) string { return fmt.Sprintf("%d 份內容", n) }

func (TraditionalChinese) DoubtsRest(read, all, systems int) string {
	if read < all {
		return fmt.Sprintf("依據 %d 次已完成執行中的 %d 次，涉及 %d 個系統：先取各系統最近一次，再取其餘最近者。系統指受測系統連同其設定與文件。",
			all, read, systems)
	}
	return fmt.Sprintf("依據 %d 次已完成的執行，涉及 %d 個系統。系統指受測系統連同其設定與文件。", all, systems)
}

func (TraditionalChinese) DoubtsBy(rule string) string {
	return rule + "此處沒有回應的執行不列入該案例的判定。"
}

func (z TraditionalChinese) AlwaysWrong(n, of int) string {
	return fmt.Sprintf("%s中有 %d 個在每次有判定的執行中皆為錯誤。", z.Cases(of), n)
}

func (TraditionalChinese) DoubtsNeed(runs, systems int) string {
	return fmt.Sprintf("沒有案例在至少 %d 個系統的至少 %d 次執行中有判定，因此尚不能質疑標註。", systems, runs)
}

func (z TraditionalChinese) ComesOutDifferently(n, of int) string {
	return fmt.Sprintf("%s中有 %d 個在受測系統、設定、文件、評審與指標皆相同時，時而正確、時而錯誤。", z.Cases(of), n)
}

func (z TraditionalChinese) JudgeDoubts(n, of, least int) string {
	return fmt.Sprintf("%s中有 %d 個，評審至少 %d 次且至少半數未能裁定。", z.Cases(of), n, least)
}

func (TraditionalChinese) InRuns(runs, systems int) string {
	return fmt.Sprintf("在 %d 個系統的 %d 次執行中皆錯誤", systems, runs)
}

func (TraditionalChinese) TimesRight(right, wrong int) string {
	return fmt.Sprintf("%d 次正確，%d 次錯誤", right, wrong)
}

func (TraditionalChinese) NotRuled(n, of int) string {
	return fmt.Sprintf("%d 次，共 %d 次", n, of)
}

func (TraditionalChinese) AllOf(n int) string { return fmt.Sprintf("全部 %d 個", n) }

func (TraditionalChinese) FindingsOf(wrong, doubtful int) string {
	return fmt.Sprintf("%d 項有誤，%d 項可疑", wrong, doubtful)
}

func (TraditionalChinese) CheckTitle(check string) string {
	return map[string]string{
		"duplicate": "重複的問題，會重複計算", "vacuous": "任何回答都能通過，或沒有指標能衡量的案例", "missing-document": "資料集中沒有的預期文件",
		"missing-passage": "不在任何文件中的參考段落", "boilerplate": "出現在超過 1 % 文件中的參考段落", "label": "可能有誤的標註",
	}[check]
}

func (TraditionalChinese) CheckFix(check string) string {
	return map[string]string{
		"duplicate": "移除其一，或合併。", "vacuous": "加上標註，或移除。", "missing-document": "更正名稱，或加入文件。",
		"missing-passage": "由文件逐字複製。", "boilerplate": "納入更多文字。", "label": "閱讀文件並更正標註。",
	}[check]
}
