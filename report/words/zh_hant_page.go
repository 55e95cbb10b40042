package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/report/document"
)

func (z TraditionalChinese) Lookup(n, of int) document.LookupWords {
	all, some := z.Cases(n), fmt.Sprintf("%d 個案例中的 # 個", n)
	if n < of {
		all, some = "本頁的 "+all, "本頁的 "+some
	}
	return document.LookupWords{
		Form: "選擇案例", Search: "搜尋", Hint: "編號、問題或回答",
		NoScript:     "搜尋與案例詳情需要 JavaScript。頁面不會從網路載入任何內容。",
		PreviousPage: "上一頁", NextPage: "下一頁", PreviousCase: "上一個案例（k）", NextCase: "下一個案例（j）",
		Close: "關閉", NoCase: "沒有符合的案例。", All: all, Some: some,
	}
}

func (TraditionalChinese) CasesHeld(h Held) string {
	var parts []string
	switch {
	case h.Critical < h.CriticalOf:
		parts = append(parts, fmt.Sprintf("%d 個失敗的關鍵案例中的 %d 個", h.CriticalOf, h.Critical))
	case h.Critical > 0:
		parts = append(parts, fmt.Sprintf("全部 %d 個失敗的關鍵案例", h.Critical))
	}
	for _, x := range []struct {
		n    int
		said string
	}{
		{h.Worst, "最差的 %d 個（未通過者在前，其次答錯，再依分數）"}, {h.Changed, "變化最大的 %d 個"},
		{h.Missed, "所有執行都未解決的 %d 個"},
		{h.Drawn, "從其餘案例隨機抽出的 %d 個（種子 " + strconv.FormatUint(h.Seed, 10) + "）"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf(x.said, x.n))
		}
	}
	return fmt.Sprintf("本頁包含 %d 個案例中的 %d 個：%s。", h.Of, h.N, strings.Join(parts, "，接著")) +
		"搜尋、篩選與表格的順序只涵蓋這些案例。全部案例："
}

func (TraditionalChinese) PageNames() PageNames {
	return PageNames{
		WhyFailed: "失敗原因",
		Any:       "不限", Case: "案例", Question: "問題", Status: "狀態", Critical: "關鍵", Slow: "緩慢", Metric: "指標",
		Below: "低於", Order: "順序", LowestFirst: "分數最低者優先", AsInDataset: "依資料集順序", Time: "時間",
		Run: "執行", Outcome: "結果", Better: "較好", Worse: "較差", Same: "相同", Changed: "有變化",
		Missed: "所有執行都未解決", Unpaired: "只在一次執行中", Drawn: "隨機抽出",
		Score: "分數", Reason: "理由", Tags: "標籤", Notes: "備註", Prompt: "提示", Input: "輸入",
		Output: "輸出", Unnamed: "未命名",
		Answers: "回答", Baseline: "基準", NotRun: "未執行", CaseNotRun: "這個案例未執行", NoResponse: "沒有回應",
		NotRecorded: "回答未被記錄", Unsolved: "沒有任何一次執行解決這個案例",
	}
}

func (z TraditionalChinese) Agree(cases, runs int, scores []string) string {
	if runs > 1 {
		return fmt.Sprintf("所有執行在 %s上全部一致：%s", z.Cases(cases), strings.Join(scores, "、"))
	}
	return fmt.Sprintf("%s全部一致：%s", z.Cases(cases), strings.Join(scores, "、"))
}

func (TraditionalChinese) FirstDraw(draws int) string {
	return fmt.Sprintf("%d 次抽樣中的第一次；分數為各次的平均", draws)
}
