package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/summary"
)

func (TraditionalChinese) NoiseAdvice(n summary.Noise) []string {
	if n.Silent() {
		return []string{"各次作答完全沒有變動：每個案例詢問一次就夠了，兩個版本之間的差異不是雜訊。"}
	}
	var out []string
	switch metric, need, ok := n.Hardest(); {
	case !ok:
	case need.Cases == 0:
		out = append(out, fmt.Sprintf("以 %s 的雜訊，再多案例也看不出 %g 的差異。", metric, n.Effect))
	case need.Repeat <= 1:
		out = append(out, fmt.Sprintf("要看出 %g 的差異，這些案例各詢問一次就夠了："+
			"沒有任何指標的雜訊會掩蓋這樣的差異。", n.Effect))
	case need.Repeat <= summary.MostRepeats:
		out = append(out, fmt.Sprintf("要看出雜訊最大的指標 %[2]s 有 %[1]g 的差異，"+
			"兩個版本都要用 --repeat %[3]d 詢問這些案例，或各詢問 %[4]d 個案例一次。",
			n.Effect, metric, need.Repeat, need.Cases))
	default:
		out = append(out, fmt.Sprintf("要看出雜訊最大的指標 %[2]s 有 %[1]g 的差異，"+
			"需要 %[3]d 個案例各詢問一次；重複詢問現有案例並不划算。", n.Effect, metric, need.Cases))
	}
	if judged := n.JudgeMoves(); judged != nil {
		out = append(out, "評審對 "+strings.Join(judged, "、")+" 造成的變動大於受測系統："+
			"增加 --passes 或改用評審團，比重新詢問受測系統便宜。")
	}
	if n.Undivided() {
		out = append(out, "模型對每個回應只評過一次，無法區分受測系統與評審的雜訊：請用 --rejudge 2 以上。")
	}
	return out
}

func (TraditionalChinese) DrawsTitle() string { return "重複作答" }
func (TraditionalChinese) DrawsNote(draws int, same bool) string {
	s := fmt.Sprintf("每個案例詢問 %d 次，每次的回答各自評分。平均值先在案例內計算，再對案例取平均，"+
		"因此 n 是案例數。", draws)
	if same {
		s += "所有案例每次作答的分數都相同。"
	}
	return s
}
func (TraditionalChinese) Passing() string {
	return "受測系統有回應且達到所有門檻時，該次作答為通過。" +
		"pass@k 是 k 次作答中至少一次通過的機率，pass^k 是 k 次全部通過的機率。"
}
func (TraditionalChinese) DrawHeads() DrawHeads {
	return DrawHeads{Metric: "指標", Changed: "有變動的案例", SD: "案例內標準差", Furthest: "變動最大"}
}
func (TraditionalChinese) By(spread string) string { return "相差 " + spread }
func (TraditionalChinese) NoNoise() string {
	return "沒有任何指標在同一案例的兩次作答中都有數值。"
}
func (TraditionalChinese) NeedsTitle() string { return "所需的案例數" }
func (TraditionalChinese) NoiseHeads() NoiseHeads {
	return NoiseHeads{
		Metric: "指標", Mean: "平均", Cases: [2]string{"標準差", "案例"}, Target: [2]string{"標準差", "受測系統"},
		Judge: [2]string{"標準差", "評審"}, Floor: [2]string{"雜訊", "下限"}, Largest: [2]string{"最大", "A/A Δ"},
		Shown: [2]string{"A/A", "誤判"}, Changed: [2]string{"變動", "案例"},
	}
}
func (TraditionalChinese) EachAsked(draws int, same bool) string {
	s := fmt.Sprintf("每個案例 %d 次", draws)
	if same {
		s += " · 全部相同"
	}
	return s
}
func (TraditionalChinese) CasesDiffer(n, of int, which string) string {
	return fmt.Sprintf("%d 個案例中有 %d 個在各次作答之間不一致：%s", of, n, which)
}
func (TraditionalChinese) Flaky(f Flaky) string {
	var parts []string
	if f.Passed > 0 && f.Passed < f.Draws {
		parts = append(parts, fmt.Sprintf("%d 次中通過 %d 次", f.Draws, f.Passed))
	}
	switch {
	case f.Metric != "":
		parts = append(parts, f.Metric+" 相差 "+f.Spread)
	case f.Metrics != nil:
		parts = append(parts, strings.Join(f.Metrics, "、")+" 並非每次都有")
	case parts == nil:
		return "失敗的方式不同"
	}
	return strings.Join(parts, "，")
}
func (TraditionalChinese) Spreads(metrics []string) string {
	return "案例內標準差，以及有變動的案例數：" + strings.Join(metrics, "、")
}
func (TraditionalChinese) NoiseNames() NoiseNames {
	return NoiseNames{Draws: "重複作答", Floor: "雜訊下限", Same: "A/A 比較", Flaky: "不穩定"}
}
func (TraditionalChinese) NoiseDraws(draws, judgings int) string {
	judged := "每個回應評審一次"
	if judgings > 1 {
		judged = fmt.Sprintf("每個案例的第一個回應評審 %d 次", judgings)
	}
	return fmt.Sprintf("每個案例詢問 %d 次；%s", draws, judged)
}
func (TraditionalChinese) NoiseFloor(level string) string {
	return "同一系統在這些案例上的兩次執行，有 " + level + " 的機率相差小於此值"
}
func (TraditionalChinese) FalseAlarms(shown, comparisons int, share string) string {
	return fmt.Sprintf("所有指標共 %d 次作答之間的比較，%d 次顯示差異；依機率約有 %s，且都是誤判",
		comparisons, shown, share)
}
func (TraditionalChinese) FlakyCases(n, of int, which string) string {
	if n == 0 {
		return "沒有案例"
	}
	return fmt.Sprintf("%d 個案例中有 %d 個：%s", of, n, which)
}
func (TraditionalChinese) NeedsNote(power string) string {
	return "要在 " + power + " 的比較中看出兩個版本的差異，" +
		"各詢問一次所需的案例數；括號內是在有幫助時，" +
		"改為重複詢問現有案例所需的次數。此為最低需求：若某些案例的變動比其他案例大，則需要更多。"
}
