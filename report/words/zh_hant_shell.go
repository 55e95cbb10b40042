package words

import "strings"

func (TraditionalChinese) ShellNames() ShellNames {
	return ShellNames{
		Search: "搜尋", SearchHint: "執行、指標、案例或頁面",
		SearchHow:    "執行依名稱、識別碼、資料集與受測系統尋找，指標依名稱，案例依識別碼與問題中的字詞，頁面依標題。",
		NothingFound: "沒有找到。", Reference: "API 說明",
	}
}

func (TraditionalChinese) SearchedIn(runs []string) string {
	return "案例的搜尋範圍是最近完成的執行，每個資料集一次：" + strings.Join(runs, "、") + "。"
}
