package words

import (
	"fmt"

	"github.com/assay-eval/assay/stats"
)

// Limit gives the text of a warning that it does not know as it is.
func (z TraditionalChinese) Limit(w stats.Warning) string {
	switch w.Kind {
	case stats.NotFinite:
		return "有非有限的值，或總和過大：沒有平均值"
	case stats.NoSuchLevel:
		return fmt.Sprintf("%v 水準沒有區間：須介於 0 與 1 之間", w.Value)
	case stats.OneGroup:
		return "所有案例屬於同一群組：無法給出區間"
	case stats.AllEqual:
		return fmt.Sprintf("%d 個值全部相同，看不出其他值會差多少：沒有區間", w.N)
	case stats.FewCases:
		return fewCases(w.N, "案例") + "：足以做冒煙測試，不足以做決定"
	case stats.CannotBeSignificant:
		return "不可能顯著：" + fewCases(w.N, "有差異的案例")
	case stats.FewDiffer:
		return fewCases(w.N, "有差異的案例") + "：看不出小的效果"
	case stats.Discordant:
		return fmt.Sprintf("%d 個案例只在新的執行中通過，%d 個只在舊的執行中通過；精確 p = %.3g", w.N, w.M, w.Value)
	case stats.MeansOfCases:
		return "以各案例的平均比較，而非合併計算"
	case stats.MeanAgainstCases:
		s := "平均與多數案例不一致（mean_and_sign_disagree）"
		if w.N+w.M == 0 {
			return s
		}
		return fmt.Sprintf("%s：%d 個較好，%d 個較差", s, w.N, w.M)
	case stats.TestNeedsTwoCases:
		return insteadOf(w.Test, "兩個獨立的案例")
	case stats.TestNeedsVariation:
		return insteadOf(w.Test, "有變化的差異")
	case stats.TestNeedsIndependence:
		return insteadOf(w.Test, "獨立的案例，而這些案例有分組")
	case stats.TestNeedsFinite:
		return insteadOf(w.Test, "有限的差異")
	case stats.TestNeedsBinary:
		return insteadOf(w.Test, "0 或 1 的分數")
	}
	return w.String()
}

func fewCases(n int, what string) string {
	if n == 0 {
		return what + "很少"
	}
	return fmt.Sprintf("%s只有 %d 個", what, n)
}

func insteadOf(test stats.Test, needs string) string {
	return fmt.Sprintf("%s 檢定需要%s：改用符號翻轉檢定", test, needs)
}
