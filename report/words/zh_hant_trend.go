package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) TrendNames() TrendNames {
	return TrendNames{
		TrendTitle: "隨時間的變化", FrontierTitle: "品質、費用與延遲",
		OverTime: "隨時間的變化",
		RunName:  "執行名稱", AnyName: "不限名稱", By: "名稱不同者", NamesApart: "視為不同系統", NamesTogether: "視為同一系統",
		Started: "開始", Change: "變化", Series: "序列", CompareAcross: "逐案例比較變化前後的執行", CompareAll: "逐案例比較",
		Legend: "每個標記是一次執行；線段是換成其他類似案例時平均值的信賴區間。灰色帶是系統不變時各次執行落在的範圍；案例相同，因此這只是受測系統與評審的雜訊。垂直線是變化之處，" +
			"或執行不再可相互比較之處。",
		Means:  "變化由各次執行的平均值找出。逐案例比較兩次執行能看出更多，也說明換成其他案例時差異有多確定。",
		NoRuns: "目前沒有已完成的執行。", NoRunsHow: "以下指令用 assay 內附的資料產生三次執行：", NoneFits: "沒有符合的已完成執行。",
		Axis: "對照", Cost: "每次回應的費用", Latency: "延遲中位數", BeatenBy: "遜於", Tied: "無法區分",
		NoCost: "費用未知：這些受測系統的回應都沒有費用。", NoCostHow: "費用由受測系統回報，或由其模型的詞元計價得出。延遲一律會測量：",
		Nobody: "無",
	}
}

func (TraditionalChinese) TrendChanged(c TrendChange) string {
	verb, worth := "下降", "這是退步。"
	if c.Rose {
		verb = "上升"
	}
	switch {
	case c.Estimate:
		worth = "這是估計值：數字的變化不表示品質有變化。"
	case c.Better:
		worth = "這是進步。"
	}
	tail := fmt.Sprintf("差異 %s，p 值 %s", c.Difference, c.P)
	if c.Difference == "" {
		tail = fmt.Sprintf("執行太少，沒有區間，p 值 %s", c.P)
	}
	if c.Gradually {
		return fmt.Sprintf("%s 從 %s 到 %s 逐漸%s：前 %d 次執行為 %s，後 %d 次為 %s（%s）。%s", c.Metric, c.Last, c.First, verb,
			c.RunsBefore, c.Before, c.RunsAfter, c.After, tail, worth)
	}
	when := c.Last + " 與 " + c.First + " 之間"
	if c.Day != "" {
		when += "（" + c.Day + "）"
	}
	return fmt.Sprintf("%s 在 %s%s：%s → %s，前後各有 %d 次與 %d 次執行（%s）。%s", c.Metric, when, verb,
		c.Before, c.After, c.RunsBefore, c.RunsAfter, tail, worth)
}

func (TraditionalChinese) TrendStable(metric string, runs int) string {
	return fmt.Sprintf("%d 次執行中看不出 %s 有變化。", runs, metric)
}

func (TraditionalChinese) TrendFew(metric string, runs, needed int) string {
	return fmt.Sprintf("只有 %d 次可相互比較的執行，無法判斷 %s 是否變化：需要 %d 次。", runs, metric, needed)
}

func (TraditionalChinese) TrendAlone() string {
	return "每次執行的名稱都不同，因此沒有兩次算是同一系統。如果是同一系統，請選擇將不同名稱視為同一系統。"
}

func (TraditionalChinese) TrendBand(half string) string {
	if half == "0" {
		return "相鄰的執行平均值都相同。"
	}
	return "系統不變時，每 100 次執行有 95 次落在其水準的 ±" + half + " 以內。"
}

func (TraditionalChinese) TrendApart(day string, kinds []string) string {
	names := map[string]string{"dataset": "資料集內容不同", "cases": "案例數不同", "metric": "指標的定義不同", "judge": "評審不同"}
	var why []string
	for _, k := range kinds {
		why = append(why, names[k])
	}
	return fmt.Sprintf("%s 起的執行無法與之前的比較：%s。兩邊的平均值不同，並不表示系統有變化。", day, strings.Join(why, "、"))
}

func (TraditionalChinese) TrendPicture(metric string, runs int) string {
	return fmt.Sprintf("%d 次執行的 %s，由早到晚；數字見表", runs, metric)
}

func (TraditionalChinese) Partial(n int) string {
	return fmt.Sprintf("有分數的案例為 %d 個，與其他執行不同：不計入", n)
}

func (z TraditionalChinese) FrontierFront(names []string, of int) string {
	if len(names) == of {
		return fmt.Sprintf("%d 個受測系統中，沒有任何一個遜於另一個。", of)
	}
	return fmt.Sprintf("%d 個受測系統中，沒有任何一個勝過 %s。", of, z.List(names, 0))
}

func (TraditionalChinese) FrontierBehind(metric, ahead, behind string, quality, less, timed bool) string {
	cheaper, cost := "較便宜", "費用"
	if timed {
		cheaper, cost = "較快", "延遲"
	}
	s := ahead + " 勝過 " + behind + "："
	switch {
	case quality && less:
		return s + metric + " 較好，也" + cheaper + "。"
	case quality:
		return s + metric + " 較好，" + cost + "沒有較高。"
	}
	return s + cheaper + "，" + metric + " 沒有較差，但看不出差異。"
}

func (z TraditionalChinese) FrontierTied(metric, one string, others []string) string {
	return fmt.Sprintf("無法判斷 %s 與 %s 何者的 %s 較高。", one, z.List(others, 0), metric)
}

func (TraditionalChinese) FrontierOne() string {
	return "只有這個受測系統的最近執行可供比較：至少需要兩個。"
}

func (TraditionalChinese) FrontierNote(level string) string {
	return "受測系統由轉接器、位址與執行名稱識別，以其最近一次執行為代表。實心標記位於前緣，空心標記遜於另一個：另一個經證實在一方面較好，" +
		"且另一方面沒有較差。虛線連接品質無法區分的受測系統。兩者的區間（合計在 " + level +
		" 水準成立）不重疊才算可區分；逐案例比較能看出更多。"
}

func (TraditionalChinese) FrontierOmitted(unknown, elsewhere, more int) (out []string) {
	if unknown > 0 {
		out = append(out, fmt.Sprintf("%d 個受測系統的費用或延遲未知。", unknown))
	}
	if elsewhere > 0 {
		out = append(out, fmt.Sprintf("%d 個受測系統只在其他資料、其他評審或其他版本的指標下執行過。", elsewhere))
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("另有 %d 個較早執行的受測系統未列出。", more))
	}
	return out
}
