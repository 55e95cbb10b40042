package words

import "fmt"

func (TraditionalChinese) SliceNames() SliceNames {
	return SliceNames{
		Title: "切片", Slice: "切片", Inside: "切片內平均", Others: "其餘案例平均", Difference: "差異",
		Change: "切片內變化", OtherChange: "其餘案例變化", QValue: "p（已校正）", Also: "另見", Open: "案例",
		Estimates: "所有指標都是公式估計。不檢定估計值的切片：評審的看法可能不同。",
		Later:     "執行完成後才檢視切片。",
	}
}

func (TraditionalChinese) SliceOf(kind, value string, from, to int) string {
	switch kind {
	case "tag":
		return "標籤 " + value
	case "group":
		return "群組 " + value
	case "documents":
		if value == "0" {
			return "沒有相關文件"
		}
		return value + " 份相關文件"
	case "script":
		return map[string]string{
			"latin": "拉丁字母的問題", "han": "漢字的問題", "kana": "假名的問題", "hangul": "諺文的問題", "cyrillic": "西里爾字母的問題",
			"greek": "希臘字母的問題", "arabic": "阿拉伯字母的問題", "hebrew": "希伯來字母的問題", "devanagari": "天城文的問題", "thai": "泰文的問題",
			"other": "其他文字的問題",
		}[value]
	case "digits":
		return "含數字的問題"
	case "length":
		switch {
		case from == 0:
			return fmt.Sprintf("少於 %d 個字元的問題", to)
		case to == 0:
			return fmt.Sprintf("%d 個字元以上的問題", from)
		}
		return fmt.Sprintf("%d 到 %d 個字元的問題", from, to-1)
	case "begins":
		return "以「" + value + "」開頭的問題"
	}
	return "含「" + value + "」的問題"
}

func (TraditionalChinese) SlicesFound(metric string, found, looked int, change bool) string {
	what := metric
	if change {
		what += " 的變化"
	}
	switch {
	case looked == 0:
		return "沒有切片有足夠的案例可供檢視。"
	case found == 0:
		return fmt.Sprintf("已檢視 %d 個切片；%s 在其中都看不出與其餘案例不同。", looked, what)
	}
	return fmt.Sprintf("已檢視 %d 個切片：%s 在其中 %d 個與其餘案例不同。", looked, what, found)
}

func (TraditionalChinese) SlicesNote(level, rate string, least int) string {
	return fmt.Sprintf("僅供探索，不作判定：找到的切片中，預期至多 %s 只是偶然。p 已就所有切片校正（Benjamini–Hochberg），%s 區間對所有找到的切片同時成立。"+
		"切片內外各需 %d 個案例；未被找到並不表示與其餘案例相同。", rate, level, least)
}

func (z TraditionalChinese) SliceMissing(cases, of int, change bool) string {
	switch {
	case cases == 0:
		return ""
	case change:
		return fmt.Sprintf("%s中有 %d 個在其中一次執行沒有值，不計入平均。", z.Cases(of), cases)
	}
	return fmt.Sprintf("%s中有 %d 個沒有值，不計入平均。", z.Cases(of), cases)
}

func (z TraditionalChinese) SliceCases(cases, valued int) string {
	if cases == valued {
		return z.Cases(cases)
	}
	return fmt.Sprintf("%s，%d 個有值", z.Cases(cases), valued)
}
