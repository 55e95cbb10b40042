package words

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func (TraditionalChinese) Difference(c summary.Comparison, row summary.ComparisonRow, i int) string {
	d, m := row.Differences[i-1], row.MetricInfo
	old, new := c.Runs[0], c.Runs[i]
	if d.N == 0 {
		return fmt.Sprintf("%s 與 %s 沒有共同的案例適用 %s。", new, old, m.Title)
	}
	in := []string{summary.Amount(m, d.Old) + " → " + summary.Amount(m, d.New) + unit(m)}
	if d.CI != nil {
		in = append(in, fmt.Sprintf("%.4g %% 信賴區間 %s", 100*d.Level, summary.Ends(m, *d.CI)))
	}
	p, shown := probability(d.PAdjusted), summary.Shown(d)
	if !shown && d.P < 1-d.Level {
		p += fmt.Sprintf("（已依 %d 次檢定校正）", c.Tests)
	}
	n := fmt.Sprintf("n = %d", d.N)
	groups := row.Groups(i)
	if groups < d.N {
		n += fmt.Sprintf("，共 %d 組", groups)
	}
	numbers := "（" + strings.Join(append(in, p, n), "，") + "）"
	most := "。"
	if better, worse := summary.Sides(m, d); summary.Disagrees(d) && better > worse {
		most = fmt.Sprintf("。但變好的案例（%d）多於變差的（%d）。", better, worse)
	} else if summary.Disagrees(d) {
		most = fmt.Sprintf("。但變差的案例（%d）多於變好的（%d）。", worse, better)
	}
	if shown {
		verb, by := "降低", ""
		if d.Diff > 0 {
			verb = "提高"
		}
		if share, ok := summary.RelativeChange(m, d); ok {
			by = " " + relative(share)
		}
		judgement := "較差"
		if summary.Improves(m, d) {
			judgement = "較好"
		}
		return fmt.Sprintf("%s 的 %s 比 %s %s%s，%s%s%s", new, m.Title, old, verb, by, judgement, numbers, most)
	}
	mde, known := summary.Detects(d)
	power := ""
	switch {
	case d.Wins+d.Losses == 0:
		power = fmt.Sprintf("；%d 個案例在兩次執行中的值全部相同", d.N)
	case d.CI == nil && groups < d.N:
		power = fmt.Sprintf("；只有 %d 組，不足以看出差異", groups)
	case d.CI == nil:
		power = fmt.Sprintf("；只有 %d 個案例，不足以看出差異", d.N)
	case known:
		power = fmt.Sprintf("；%d 個案例可偵測 %s%s 以上的差異", d.N, summary.RoundedUp(mde), unit(m))
	}
	return fmt.Sprintf("%s 與 %s 的 %s 看不出差異%s%s%s", old, new, m.Title, numbers, power, most)
}

func (TraditionalChinese) Detectable(m assay.MetricInfo, mde float64, cases int) string {
	return fmt.Sprintf("%d 個案例預期可偵測 %s 達 %s%s 以上的差異", cases, m.Title, summary.RoundedUp(mde), unit(m))
}

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
