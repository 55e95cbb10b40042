package words

import (
	"fmt"

	"github.com/assay-eval/assay"
)

func (TraditionalChinese) WebNames() WebNames {
	return WebNames{
		LabKeys: TraditionalChinese{}.labKeys(),

		Skip: "跳到內容", Pages: "頁面", Runs: "執行", Compare: "比較", Settings: "設定", Keys: "按鍵", SignOut: "登出",
		Trends: "趨勢", Frontier: "前緣",

		RunsTitle: "執行", Run: "執行", Dataset: "資料集", Target: "受測系統", Cases: "案例", Mean: "平均",
		Verdict: "門檻", State: "狀態", Any: "不限", Name: "搜尋", NameHint: "名稱、資料集或受測系統", Apply: "套用", Clear: "清除",
		CompareMarked: "比較已標記的執行", MarkHint: "標記二到十次執行即可比較。", NoRuns: "目前沒有任何執行。",
		NoRunsHow: "以下指令用 assay 內附的資料產生一次執行：", NoRunFits: "沒有符合的執行。", Newest: "最新者在前",
		PreviousPage: "上一頁", NextPage: "下一頁",

		AllCases: "全部案例", ReportFiles: "檔案", RunsOn: "這次執行仍在進行。", NoEstimatesYet: "尚無完成的案例。",
		NoVerdictYet: "門檻在執行結束時判定。", LivePace: "每秒 {rate} 個案例，約剩 {left}",
		LiveLost: "連線已中斷，數字不是最新的；頁面會再次嘗試。",

		Filter: "篩選", FilterHint: "mrr<0.5 stage:retrieve -status:error \"退款政策\"",
		Facets: "縮小範圍", Status: "狀態", Answers: "回答", Stage: "遺失階段", Tag: "標籤", Metrics: "指標", NoCaseFits: "沒有符合的案例。",
		NoCaseYet: "尚無完成的案例。", MapHint: "每一格是清單中的一個案例，由頭到尾。選擇一處即前往該頁。",
		SortBy: "順序", Columns: "欄位",

		Answer: "回答", Passages: "段落", Scores: "分數", Stages: "階段", Previous: "上一個案例", Next: "下一個案例",
		KeyClaim: "回答的下一項主張", KeyClaimBefore: "回答的上一項主張",

		Forest: "差異", Matrix: "案例", Different: "有差異", NewlyRight: "變為正確", NewlyWrong: "變為錯誤", BothWrong: "皆錯誤", Unknown: "至少一方未知",
		BothRight: "皆正確", Unpaired: "只在一次執行中", Flaky: "不穩定",
		Disagree: "人的看法不同", All: "全部", Difference: "差異", Baseline: "基準",
		SettingsDiffer: "不同的設定", NoSettingDiffers: "設定皆相同。", Exploratory: "探索性", InSelection: "在此選擇中",
		ChangeOrder: "變化最大者優先", LossOrder: "退步最多者優先",
		ChooseRuns: "要比較哪些執行？", ChooseRunsHow: "在執行清單中標記二到十次執行，再選擇比較。",
		OnlyHere: "僅此處有", DatasetOrder: "依資料集順序", OpenCase: "此次執行中的案例",

		SettingsTitle: "設定", Language: "語言", Theme: "佈景", LightTheme: "淺色", DarkTheme: "深色", SystemTheme: "依系統",
		Shortcuts: "單鍵快捷鍵", On: "開", Off: "關", Save: "儲存", Saved: "已儲存。",

		SignIn: "登入", SignInHow: "貼上權杖。以下指令產生一個：", Token: "權杖", WrongToken: "權杖不明、已撤銷或已過期。",

		ErrorTitle: "未能完成", Retry: "再試一次",
		StoreAway: "無法連上伺服器。目前顯示的是上次載入的內容。",

		KeysTitle: "按鍵", KeyHelp: "這份說明", KeyFilter: "到篩選欄", KeyRuns: "執行清單", KeyDatasets: "資料集", KeyNew: "新的執行", KeyNext: "下一列或下一個案例",
		KeyPrevious: "上一列或上一個案例", KeyOpen: "開啟此列", KeyBack: "關閉，或回到清單", KeyMark: "標記此執行",
		KeyCompare: "比較已標記的執行", KeyLink: "複製此頁連結", KeyPassage: "下一個、上一個段落", KeyClass: "比較案例的下一類",
		KeyDiff: "開關差異標記", ShowDiff: "標記差異", HideDiff: "不標記差異", KeySearch: "搜尋全部", LinkCopied: "連結已複製。",
		Loading: "載入中…", Loaded: "已載入。", Failed: "載入失敗。",
	}
}

func (z TraditionalChinese) CasesFound(n, of int) string {
	if n == of {
		return z.Cases(of)
	}
	return fmt.Sprintf("%d 個，共 %s", n, z.Cases(of))
}

func (TraditionalChinese) DrawsListed(draws int) string {
	return fmt.Sprintf("每個案例提問 %d 次，每次抽樣各計為一個並分別列出。", draws)
}

func (TraditionalChinese) RunsFound(n, of int) string {
	if n == of {
		return fmt.Sprintf("%d 次執行", of)
	}
	return fmt.Sprintf("%d 次，共 %d 次執行", n, of)
}

func (TraditionalChinese) PageOf(page, pages int) string {
	return fmt.Sprintf("第 %d 頁，共 %d 頁", page, pages)
}

func (TraditionalChinese) PlaceOf(place, of int) string {
	return fmt.Sprintf("第 %d 個，共 %d 個", place, of)
}

func (TraditionalChinese) SoFar(done, of, failed int) string {
	s := fmt.Sprintf("目前完成 %d 個，共 %d 個案例", done, of)
	if failed > 0 {
		s += fmt.Sprintf("，%d 個沒有回應", failed)
	}
	return s
}

func (z TraditionalChinese) WithoutTerm(term string, n int) string {
	return fmt.Sprintf("去掉 %s：%s", term, z.Cases(n))
}

func (TraditionalChinese) MarkRun(name string) string { return "標記 " + name }

func (TraditionalChinese) RemoveTerm(term string) string { return "移除 " + term }

func (z TraditionalChinese) BinOf(from, to string, cases int) string {
	return fmt.Sprintf("%s 到 %s：%s", from, to, z.Cases(cases))
}

func (TraditionalChinese) Correct(a assay.Correctness) string {
	switch a {
	case assay.AnswerRight:
		return "正確"
	case assay.AnswerWrong:
		return "錯誤"
	}
	return "未知"
}
