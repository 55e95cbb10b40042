package words

import (
	"fmt"
	"strings"
	"time"
)

func (TraditionalChinese) ShellNames() ShellNames {
	return ShellNames{
		Search: "搜尋", SearchHint: "執行、指標、案例或頁面",
		SearchHow:    "執行依名稱、識別碼、資料集與受測系統尋找，指標依名稱，案例依識別碼與問題中的字詞，頁面依標題。",
		NothingFound: "沒有找到。", Reference: "API 說明",

		Share: "分享", CopyLink: "複製連結", SaveFile: "存成單一檔案", SavedFrom: "存自", SaveView: "儲存此檢視", ViewName: "檢視名稱", SavedViews: "已儲存的檢視",
		SavedViewsHow: "已儲存的檢視是頁面位址的名稱，包含其篩選、順序與欄位。", NoViews: "尚無已儲存的檢視。",
		NeedsLabel: "需要範圍為 label 的權杖。", Address: "位址", SavedBy: "儲存者", Delete: "刪除",

		Preparing: "正在準備此頁", Calculating: "計算中", OpensWhenReady: "備妥後會自動開啟。",
	}
}

func (TraditionalChinese) SearchedIn(runs []string) string {
	return "案例的搜尋範圍是最近完成的執行，每個資料集一次：" + strings.Join(runs, "、") + "。"
}

func (TraditionalChinese) DeleteView(name string) string { return "刪除 " + name }

func (TraditionalChinese) CasesRead(done, total int) string {
	return fmt.Sprintf("已讀取 %d 個案例，共 %d 個", done, total)
}

func (TraditionalChinese) TakenSoFar(d time.Duration) string {
	return fmt.Sprintf("已用 %d 秒", int(d.Seconds()))
}
