package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) PreferencesTitle() string { return "較佳的回答" }
func (TraditionalChinese) PreferencesNote(judge string, pairs int, baseline bool) string {
	s := judge + " 判定兩個回答中哪一個較好。每一對都以兩種次序各讀一次，每種次序各計一半：案例的優劣取兩次判定的平均，對位置的偏好因此互相抵銷。" +
		"勝率是獲勝案例的比例，平手計一半；50 % 表示沒有差異"
	if pairs > 1 {
		s += fmt.Sprintf("；p 值與區間已依 %d 對一併校正（maxT）", pairs)
	}
	if baseline {
		s += "。執行多於五次，所以各自只與基準比較"
	}
	return s + "。"
}
func (TraditionalChinese) Preferred(p Preferred) string {
	rate := p.Rate
	if p.Interval != "" {
		rate += "（" + p.Interval + "）"
	}
	s := fmt.Sprintf("%s 與 %s 相比，在 %d 個案例中有 %s 較好、%s 較差、%s 相同：勝率 %s", p.New, p.Old, p.Cases, p.Better, p.Worse, p.Same, rate)
	if !p.Shown {
		s += "；差異不顯著"
	}
	return s + "。"
}
func (TraditionalChinese) PositionBias(b PositionBias) string {
	place := "第一個"
	if b.Second {
		place = "第二個"
	}
	interval := ""
	if b.Interval != "" {
		interval = "（偏好第一個：" + b.Interval + "）"
	}
	s := fmt.Sprintf("評審偏好%s回答 %s 個百分點%s，依據 %d 個以兩種次序判定的案例", place, b.Points, interval, b.Cases)
	if !b.Shown {
		s += "；對位置的偏好不顯著"
	}
	return s + "。"
}
func (TraditionalChinese) PreferenceAgreement(a PreferenceAgreement) string {
	interval := ""
	if a.Interval != "" {
		interval = "（" + a.Interval + "）"
	}
	kappa := ""
	if a.Kappa != "" {
		kappa = "，κ = " + a.Kappa
	}
	return fmt.Sprintf("%s 與 %s：%d 個案例中，偏好與 %s 的差異方向一致的佔 %s%s%s。", a.Old, a.New, a.Cases, a.Metric, a.Share, interval, kappa)
}
func (TraditionalChinese) PreferenceAgainst(metric string, cases int) string {
	return fmt.Sprintf("評審與 %s 在 %d 個案例中互相矛盾：", metric, cases)
}
func (TraditionalChinese) PreferenceHeads() PreferenceHeads {
	return PreferenceHeads{Run: "執行", Beside: "比較對象", Better: "較好", Same: "相同", Worse: "較差", Rate: "勝率", Strength: "強度（對數勝算）",
		SameNow: "p 值（maxT）"}
}
func (TraditionalChinese) PreferenceCounts(c PreferenceCounts) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d 個案例%s", n, what))
		}
	}
	add(c.OneOrder, "只在一種次序中有偏好")
	add(c.Opposed, "因評審兩次都偏好同一位置而平手")
	add(c.Equal, "回答相同，無須判定即平手")
	add(c.OldFailed, "只有 "+c.Old+" 的目標失敗，判負")
	add(c.NewFailed, "只有 "+c.New+" 的目標失敗，判負")
	add(c.BothFailed, "兩者的目標都失敗，平手")
	add(c.OldEmpty, "中 "+c.Old+" 的回答空白")
	add(c.NewEmpty, "中 "+c.New+" 的回答空白")
	add(c.Addressed, "的回應似乎在對評審說話，若去掉該等字句後判定不同則不予計算")
	add(c.Unjudged, "沒有可用的判定，不予計算")
	if parts == nil {
		return ""
	}
	return c.New + " 與 " + c.Old + " 相比：" + strings.Join(parts, "；") + "。"
}
func (TraditionalChinese) StrengthsNote(some, equal bool) string {
	s := "強度依 Bradley–Terry 模型，平手各計半勝：兩者之差是獲偏好的對數勝算。平均為 0"
	if some {
		s += "；所有區間同時成立"
	}
	s += "。"
	switch {
	case equal:
		s += "所有案例都與某強度相符時，該強度沒有區間：相同的案例無法顯示其他案例會有多大差別。"
	case !some:
		s += "獨立案例太少，沒有區間。"
	}
	return s
}
func (TraditionalChinese) StrengthsUnknown(groups, above []string, ordered bool) string {
	const what = "無法確定各次執行的強度："
	if len(above) == 0 {
		return what + "沒有案例比較過 " + strings.Join(groups, " 與 ") + "。"
	}
	s := what + "有些執行在每個案例都輸給其他執行：" + strings.Join(above, "；") + "。"
	if !ordered {
		s += "沒有以這種關係相連的執行從未互相比較，無從判斷優劣。"
	}
	return s
}
