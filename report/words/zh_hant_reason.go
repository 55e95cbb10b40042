package words

import (
	"fmt"
	"strings"
)

func zhSome(names []string) string {
	if len(names) <= someNames {
		return strings.Join(names, "、")
	}
	return fmt.Sprintf("%s 等 %d 個", strings.Join(names[:someNames], "、"), len(names))
}

func zhChange(was, is string) string {
	none := func(s string) string {
		if s == "" {
			return "無"
		}
		return s
	}
	return none(was) + " → " + none(is)
}

func (TraditionalChinese) NoCasesInRun() string { return "這次執行沒有案例" }
func (TraditionalChinese) AllCasesFailed(cases int) string {
	if cases == 1 {
		return "唯一的案例因受測系統失敗"
	}
	return fmt.Sprintf("受測系統在全部 %d 個案例都失敗", cases)
}
func (TraditionalChinese) RunNotFinished(state string, done, of int) string {
	return fmt.Sprintf("執行狀態為「%s」：%d 個案例中只有 %d 個", TraditionalChinese{}.RunState(state), of, done)
}

func (TraditionalChinese) MeasuredOnNoCase() string               { return "沒有任何案例可測量" }
func (TraditionalChinese) ValueMisses(value, limit string) string { return value + " 未達 " + limit }
func (TraditionalChinese) AtBest(misses string) string {
	return "即使在最好的情況下，" + misses
}
func (TraditionalChinese) NoInterval() string {
	return "沒有區間：案例太少，或全部屬於同一組"
}
func (TraditionalChinese) TargetFailedCases(n, of int, misses string) string {
	return fmt.Sprintf("受測系統在 %d 個案例中失敗 %d 個：%s", of, n, misses)
}

func (TraditionalChinese) Unscored(n, of int, partly bool) string {
	switch {
	case partly && n == 0:
		return fmt.Sprintf("%d 個案例中有些只能部分計分", of)
	case partly:
		return fmt.Sprintf("%d 個案例中有 %d 個只能部分計分或完全無法計分", of, n)
	case n == of:
		return fmt.Sprintf("%d 個案例全部無法計分", of)
	}
	return fmt.Sprintf("%d 個案例中有 %d 個無法計分", of, n)
}
func (TraditionalChinese) OnThreshold() string {
	return "分數取決於評審的確切門檻，或取決於缺少的裁決"
}
func (TraditionalChinese) TooManyUnscored(unscored, most string) string {
	return unscored + "：缺少分數的案例不得超過 " + most
}
func (TraditionalChinese) CouldDecide(unscored string, difference bool, low, high string) string {
	what := "數值"
	if difference {
		what = "差異"
	}
	return fmt.Sprintf("%s，足以左右結果：%s介於 %s 與 %s 之間", unscored, what, low, high)
}
func (TraditionalChinese) NotBounded(unscored string) string {
	return unscored + "，且其分數沒有界限"
}
func (TraditionalChinese) NoIntervalWithout(unscored string) string {
	return unscored + "，缺少它們就沒有區間"
}
func (TraditionalChinese) AtWorst(unscored, reason string) string {
	return unscored + "；在最壞的情況下，" + reason
}

func (TraditionalChinese) NoLatency() string     { return "受測系統未回報延遲" }
func (TraditionalChinese) NoCost() string        { return "受測系統未回報費用" }
func (TraditionalChinese) NoJudgingCost() string { return "評審的費用不明" }
func (TraditionalChinese) PartlyReported(quantity string, n, of int) string {
	return fmt.Sprintf("%s：%d 個回應中只有 %d 個有值", quantity, of, n)
}

func (TraditionalChinese) NoBaseline() string         { return "沒有基準" }
func (TraditionalChinese) BaselineWasRefused() string { return "未採用基準" }
func (TraditionalChinese) NoCommonValue() string {
	return "沒有案例在本次執行與基準中都有值"
}
func (TraditionalChinese) NoCommonGatedValue() string {
	return "沒有案例在本次執行與基準中都有受關卡檢查的指標值"
}
func (TraditionalChinese) DifferenceMisses(misses, old, new string) string {
	return fmt.Sprintf("差異 %s（%s → %s）", misses, old, new)
}
func (TraditionalChinese) BoundMisses(bound string, misses string) string {
	return "差異的" + zhBound(bound) + " " + misses
}
func (TraditionalChinese) ShownToMiss(limit, bound, value string) string {
	return fmt.Sprintf("差異確定未達 %s：其%s為 %s", limit, zhBound(bound), value)
}

func zhBound(bound string) string {
	switch bound {
	case "lower":
		return "下界"
	case "upper":
		return "上界"
	}
	return bound
}

func (TraditionalChinese) TooFewCases(lower, upper, limit string, floor bool, needed int) string {
	side := "低於"
	if floor {
		side = "高於"
	}
	s := fmt.Sprintf("案例太少，無法判定：差異的單邊界限為 %s 與 %s，無法確定%s %s", lower, upper, side, limit)
	if needed > 0 {
		s += fmt.Sprintf("；約 %d 個有這種差異的案例即可判定", needed)
	}
	return s
}
func (TraditionalChinese) PooledWithoutInterval() string {
	return "沒有區間：平均值由合併計數算得，而基準不含計數"
}
func (TraditionalChinese) FellToWorst(n, of int, misses string) string {
	return fmt.Sprintf("%d 個案例中有 %d 個跌到最差值：%s", of, n, misses)
}
func (TraditionalChinese) MayHaveFallen(n int, low, high string) string {
	return fmt.Sprintf("%d 個案例無法計分，可能已跌到最差值：比例介於 %s 與 %s 之間", n, low, high)
}
func (TraditionalChinese) CasesMiss(n, of int, limit string) string {
	return fmt.Sprintf("%d 個案例中有 %d 個未達 %s", of, n, limit)
}
func (TraditionalChinese) RuleOnCases(rule string, n, of int) string {
	return fmt.Sprintf("%s 只檢查 %d 個案例中的 %d 個：其指標不適用於其他案例", rule, of, n)
}
func (TraditionalChinese) CriticalWrong(n, of int) string {
	return fmt.Sprintf("%d 個關鍵案例中有 %d 個未通過", of, n)
}
func (TraditionalChinese) CriticalUnasked(n, of int) string {
	return fmt.Sprintf("%d 個關鍵案例中有 %d 個尚未提問", of, n)
}
func (TraditionalChinese) CriticalUnchecked(n, of int) string {
	return fmt.Sprintf("%d 個關鍵案例中有 %d 個無法確認是否正確：需要評審、參考答案或預期文件", of, n)
}
func (TraditionalChinese) CriticalLosses(n, of int, cases []string) string {
	return fmt.Sprintf("%d 個關鍵案例中有 %d 個變差：%s", of, n, zhSome(cases))
}
func (TraditionalChinese) CriticalUnknown(cases []string) string {
	return zhSome(cases) + " 的結果不明"
}
func (TraditionalChinese) GatesNoMetric(metrics []string) string {
	return "沒有檢查任何指標：請為 " + zhSome(metrics) + " 設定容許值或相對於基準的規則"
}

func (TraditionalChinese) NotCompared(reason string) string { return "未與基準比較：" + reason }
func (TraditionalChinese) NotInBaseline() string            { return "基準中沒有此指標" }
func (TraditionalChinese) NotInRun(metric string) string {
	return fmt.Sprintf("基準中有 %q，但本次執行未測量", metric)
}
func (TraditionalChinese) OtherVersion(was, is int) string {
	return fmt.Sprintf("版本不同：%d → %d", was, is)
}
func (TraditionalChinese) OtherScheme(was, is string) string {
	return "定義不同：" + zhChange(was, is)
}
func (TraditionalChinese) OtherScale() string { return "量尺不同" }
func (TraditionalChinese) OtherWeights(was, is string) string {
	return "權重不同：" + zhChange(was, is)
}
func (TraditionalChinese) OtherPart(metric, reason string) string {
	return "其組成 " + metric + "：" + reason
}

func (TraditionalChinese) OtherDataset(was, is string) string {
	return "資料集與基準不同：" + zhChange(was, is)
}
func (TraditionalChinese) OtherCases(was, is int, subset bool) string {
	if subset {
		return fmt.Sprintf("基準含全部 %d 個案例，本次執行只有其中 %d 個", was, is)
	}
	return fmt.Sprintf("資料集有 %d 個案例，儲存基準時為 %d 個", is, was)
}
func (TraditionalChinese) LacksCases(n int, cases []string) string {
	return fmt.Sprintf("本次執行缺少基準中的 %d 個案例：%s", n, zhSome(cases))
}
func (TraditionalChinese) OtherJudge(was, is string) string {
	return "評審不同：" + zhChange(was, is)
}
func (TraditionalChinese) JudgeDiffers(judge, part, was, is string) string {
	return fmt.Sprintf("評審 %s：%s %s", judge, part, zhChange(was, is))
}

func (TraditionalChinese) OtherCorpus(was, is string) string {
	return "語料庫與基準不同：" + zhChange(was, is)
}
func (TraditionalChinese) OtherEmbedder(was, is string) string {
	return "指標所用的嵌入模型與基準不同：" + zhChange(was, is)
}
func (TraditionalChinese) MissingValues(metrics, inBaseline, inRun []string) string {
	var parts []string
	if inBaseline != nil {
		parts = append(parts, fmt.Sprintf("%d 個案例只在基準中有值（%s）", len(inBaseline), zhSome(inBaseline)))
	}
	if inRun != nil {
		parts = append(parts, fmt.Sprintf("%d 個案例只在本次執行中有值（%s）", len(inRun), zhSome(inRun)))
	}
	return strings.Join(metrics, "、") + "：" + strings.Join(parts, "，") + "，不列入比較"
}
func (TraditionalChinese) OnEstimate() string {
	return "公式估計：沒有評審就沒有判定，除非政策設定 allow_estimates"
}

func (TraditionalChinese) PartsUnmeasured(parts []string, share string) string {
	return "沒有任何案例量到 " + zhSome(parts) + "（佔權重 " + share + "）：請只為本次執行能量測的指標設定權重"
}

func (TraditionalChinese) EstimatesGated(metrics []string) string {
	return strings.Join(metrics, "、") + "：由估計值判定，因為政策允許"
}
func (TraditionalChinese) BelowNoise(cases int, differences []string) string {
	return fmt.Sprintf("%d 個案例無法區分小於 %s 的差異與隨機變動（檢定力 80 %%）；"+
		"差異更小時，規則是否通過也受隨機影響",
		cases, strings.Join(differences, "、"))
}
