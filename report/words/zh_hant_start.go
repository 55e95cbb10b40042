package words

import "fmt"

func (TraditionalChinese) StartNames() StartNames {
	return StartNames{
		Title: "開始執行", NewRun: "新的執行", What: "提問內容", Dataset: "資料集", Target: "受測系統", Own: "伺服器本身的設定",
		Metrics: "指標", MetricsHow: "未選擇時，採用適合資料集標註的指標。", OtherMetrics: "其他指標名稱", Judge: "評審", AsTarget: "依受測系統的設定",
		Name: "名稱", Repeat: "每個案例的抽樣次數", Sample: "隨機抽取的案例數", Seed: "隨機種子", MaxCost: "費用上限（美元）", More: "其他設定",
		MoreHow: "每行一項，例如 top-k=5", AllCases: "全部", NoLimit: "無", Estimate: "估計",
		EstimateHow: "檢查所有設定，並向受測系統詢問一個案例，但不詢問評審。此時尚未開始。", Estimated: "所需估計", ByMetric: "指標",
		Together: "合計", Pipeline: "流程各階段", Calls: "呼叫次數", Input: "輸入詞元", Output: "輸出詞元", Cost: "費用", NotPriced: "未知",
		TargetCost:  "受測系統本身的費用未知。",
		Canaries:    "金絲雀題（案例之後）",
		CanaryNote:  "金絲雀題用來得知評審是否改變。評審的首次執行會詢問兩次。",
		LedgerNote:  "各指標單獨計數；指標之間共用呼叫。帳本中已有的回覆不會重複付費。",
		UnknownTime: "所需時間未知：沒有先前的執行具有相同的受測系統、設定、文件、評審與指標。", AsRun: "依先前的執行推估",
		Unmet: "無法達到門檻", Warnings: "備註", Judged: "評審", Confirm: "開始執行", Problems: "無法開始：",
		CannotStart: "您無法在此開始執行。", NeedsRun: "您的權杖不允許：需要範圍為 run 的權杖（assay token create --scope run）。",
		OnlyView: "此伺服器只顯示執行，不開始執行：請使用 assay serve。", NoDatasets: "伺服器沒有任何資料集：", Cancel: "取消執行",
		CancelHow: "進行中的案例會完成並保留。", RunAgain: "再次執行", NotAsked: "選擇「估計」即可得知所需資源。",
	}
}

func (TraditionalChinese) MetricGroup(group string) string {
	if t, ok := map[string]string{
		"retrieval": "檢索", "retrieval by source": "依來源的檢索", "retrieval by passage text": "依段落文字的檢索", "answer": "回答",
		"answer against its context": "回答與脈絡", "judged": "由評審裁定", "transcription": "語音轉寫", "pipeline stages": "流程階段",
	}[group]; ok {
		return t
	}
	return group
}

func (TraditionalChinese) MetricNeed(need string) string {
	if t, ok := map[string]string{
		"a reference answer": "參考回答", "expected documents": "預期文件", "reference passages": "參考段落", "expected keywords": "預期關鍵詞",
		"key questions": "關鍵問題", "a reference transcript": "參考轉寫", "a mark of whether it can be answered": "能否回答的標記",
		"an ideal answer": "理想回答",
	}[need]; ok {
		return t
	}
	return need
}

func (z TraditionalChinese) Questions(cases, draws int, adapter string) string {
	if draws > 1 {
		return fmt.Sprintf("%s × %d 次抽樣：向受測系統（%s）提問 %d 次。", z.Cases(cases), draws, adapter, cases*draws)
	}
	return fmt.Sprintf("%s：向受測系統（%s）提問 %d 次。", z.Cases(cases), adapter, cases)
}

func (TraditionalChinese) TargetAnswered(caseID string) string {
	return "已詢問案例 " + caseID + "，並得到回應。"
}

func (TraditionalChinese) TargetSilent(caseID, why string) string {
	return "已詢問案例 " + caseID + "，但沒有回應：" + why
}

func (TraditionalChinese) JudgeAsked(judging, judge string, passes int) string {
	switch judging {
	case "none":
		return "沒有需要評審的指標。"
	case "unjudged":
		return "沒有評審：需要評審的指標不予測量。"
	case "formulas":
		return "以公式估計代替評審，不需費用。"
	}
	return fmt.Sprintf("由 %s 評審，最多 %d 輪。", judge, passes)
}

func (z TraditionalChinese) CountedFrom(sampled, cases int, responses bool) string {
	if responses {
		return fmt.Sprintf("依 %s中的 %d 個，以替身對受測系統的回應提問而計數。", z.Cases(cases), sampled)
	}
	return fmt.Sprintf("依 %s中的 %d 個，以替身對受測系統的一個回應或一般大小的回應提問而計數。", z.Cases(cases), sampled)
}

func (TraditionalChinese) AtMostCalls(calls int) string {
	return fmt.Sprintf("若評審各輪始終不一致，則為 %d 次呼叫。", calls)
}

func (TraditionalChinese) LadderAsks(times int) string {
	if times > 1 {
		return fmt.Sprintf("對每個錯誤的回答，階梯會逐階段再次提問，每次最多 %d 回，未計入上述數字。", times)
	}
	return "對每個錯誤的回答，階梯會逐階段再次提問，未計入上述數字。"
}

func (TraditionalChinese) ExpectedCost(cost string, priced bool) string {
	if !priced {
		return "有模型的價格不明，因此費用未知：至少 ≈\u00a0" + cost + "。"
	}
	return "模型費用 ≈\u00a0" + cost + "。"
}

func (TraditionalChinese) OverLimit(limit string) string {
	return "上限 " + limit + " 低於此數：達到上限時執行會停止，提高上限後可以繼續。"
}

func (TraditionalChinese) Takes(seconds float64) string {
	return "需時 ≈ " + about(seconds, "秒", "分鐘", "小時")
}

func (z TraditionalChinese) StartWith(cases, calls int, cost string) string {
	out := "開始執行：" + z.Cases(cases)
	if calls > 0 {
		out += fmt.Sprintf("，≈ %d 次模型呼叫，%s", calls, cost)
	}
	return out
}
