package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func (z TraditionalChinese) Difference(c summary.Comparison, row summary.ComparisonRow, i int) string {
	d, m := row.Differences[i-1], row.MetricInfo
	old, new := c.Runs[0], c.Runs[i]
	if d.N == 0 {
		return fmt.Sprintf("%s 與 %s 沒有共同的案例適用 %s。", new, old, m.Title)
	}
	in := []string{summary.Amount(m, d.Old) + " → " + summary.Amount(m, d.New) + unit(m)}
	if m.NearChance != "" {
		in = append(in, z.NearChance())
	}
	if d.CI != nil {
		in = append(in, fmt.Sprintf("%.4g %% 信賴區間 %s", 100*d.Level, summary.Ends(m, *d.CI)))
	}
	p, shown := probability(d.PAdjusted), summary.Shown(d)
	if m.Estimate {
		in = append(in, fmt.Sprintf("n = %d", d.N))
		return fmt.Sprintf("%s 的公式估計，沒有判定：%s 對 %s 相差 %s（%s）。", m.Title, new, old, summary.Signed(m, d.Diff),
			strings.Join(in, "，"))
	}
	if !shown && d.P < 1-d.Level {
		p += fmt.Sprintf("（已依 %d 次檢定校正）", c.Family(m.Name))
	}
	n := fmt.Sprintf("n = %d", d.N)
	if d.Dropped > 0 {
		n += "（兩次執行都計分）"
	}
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
	if row.NoWorse(i) {
		return fmt.Sprintf("%s 的 %s 未比 %s 差超過 %g%s（其門檻的容許值）%s%s", new, m.Title, old, row.Tolerances[i-1], unit(m), numbers, most)
	}
	mde, known := summary.Detects(m, d)
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
		if math.IsInf(mde, 0) {
			power = fmt.Sprintf("；%d 個案例太少，偵測不到任何差異", d.N)
		}
		if n, ok := summary.Settles(d); ok {
			power += fmt.Sprintf("，約 %d 個可看出如此大的差異", n)
		}
	}
	return fmt.Sprintf("%s 與 %s 的 %s 看不出差異%s%s%s", old, new, m.Title, numbers, power, most)
}

func (TraditionalChinese) Detectable(m assay.MetricInfo, mde float64, cases int) string {
	return fmt.Sprintf("%d 個案例預期可偵測 %s 達 %s%s 以上的差異", cases, m.Title, summary.RoundedUp(mde), unit(m))
}
