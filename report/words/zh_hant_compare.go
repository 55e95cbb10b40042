package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) ComparisonKicker() string { return "assay · 比較" }
func (TraditionalChinese) ComparisonTitle(runs int) string {
	return fmt.Sprintf("%d 次執行的比較", runs)
}
func (TraditionalChinese) Strategy() string { return "策略" }
func (TraditionalChinese) TildeNote(level string, f Families) string {
	if level == "" {
		return correctedZh("", f)
	}
	return "~ 在 " + level + " 水準下看不出差異" + correctedZh("；", f)
}

// correctedZh is corrected in Chinese.
func correctedZh(before string, f Families) string {
	together := func(tests int, of string) string {
		return fmt.Sprintf("p 值與差異的區間已依%s %d 次檢定一併校正（maxT）", of, tests)
	}
	switch {
	case f.Primary == "" && f.Tests < 2:
		return ""
	case f.Primary == "":
		return before + together(f.Tests, "")
	}
	s := before + f.Primary + " 是主要指標，"
	if f.PrimaryTests < 2 {
		s += "單獨檢定"
	} else {
		s += fmt.Sprintf("其 %d 次檢定自成一組（maxT）", f.PrimaryTests)
	}
	switch {
	case f.Tests == 0:
		return s
	case f.Tests == 1:
		return s + "；另一個指標亦然"
	}
	return s + "；" + together(f.Tests, "其他指標的")
}
func (TraditionalChinese) NoDifference(level string, tests int) string {
	if tests == 0 {
		return "沒有可檢定的項目：沒有任何指標有兩次執行都計分的案例。"
	}
	return fmt.Sprintf("%[2]d 次檢定在 %[1]s 水準下都看不出差異。", level, tests)
}
func (TraditionalChinese) MoreDifferences(n int) string {
	return fmt.Sprintf("……還有 %d 項顯著差異", n)
}
func (TraditionalChinese) Power(cases int, smallest []Detectable) string {
	var in, none, parts []string
	for _, d := range smallest {
		if d.Difference == "" {
			none = append(none, d.Metric)
		} else {
			in = append(in, d.Metric+" "+d.Difference)
		}
	}
	if in != nil {
		parts = append(parts, fmt.Sprintf("%d 個案例可偵測到的最小差異：%s", cases, strings.Join(in, "、")))
	}
	if none != nil {
		parts = append(parts, fmt.Sprintf("%d 個案例太少，偵測不到 %s 的任何差異", cases, strings.Join(none, "、")))
	}
	return strings.Join(parts, "；")
}
func (TraditionalChinese) PowerShort() string { return "（檢定力 80 %，與 p 同樣校正）。" }
func (TraditionalChinese) PowerNote() string {
	return "在與 p 同樣的校正之後，以 80 % 的機率偵測到"
}
func (TraditionalChinese) MeansTitle() string { return "所有平均值" }
func (TraditionalChinese) MeansNote(level string) string {
	return "每格列出平均值、其 " + level + " 及 n。"
}
func (TraditionalChinese) DifferencesTitle(baseline string) string {
	return "與 " + baseline + " 的差異"
}
func (TraditionalChinese) DifferencesNav() string { return "差異" }
func (TraditionalChinese) DifferencesNote(level string, f Families, estimates, tolerances bool) string {
	dashed := ""
	if estimates {
		dashed = "，虛線是公式估計，沒有判定"
	}
	if tolerances {
		dashed += "；菱形表示差異不顯著，但整個區間都在該次執行門檻的容許範圍內"
	}
	return fmt.Sprintf("每個標記是與基準的平均差異及其 %s：實心表示差異顯著，空心表示不顯著%s。"+
		"各平均值與 Δ 下方為其區間%s。"+
		"n 下方是這個案例數能偵測到的最小差異。", level, dashed, correctedZh("；", f))
}
func (TraditionalChinese) DifferenceHeads() DifferenceHeads {
	return DifferenceHeads{
		Metric: "指標", Run: "執行", Baseline: "基準", Mean: "本次平均", ShortMean: "平均", Plot: "差異", Each: "逐案例",
		Counts: "較好／相同／較差", ShortCounts: "好/同/差", Detects: "可偵測", NDetects: "n，可偵測",
	}
}
func (TraditionalChinese) ForestLegend(level string, estimates, tolerances bool) string {
	if estimates {
		level += "，◇ 公式估計"
	}
	not := "○ 不顯著"
	if tolerances {
		not += "，◆ 未差超過門檻容許值"
	}
	return "附 " + level + "；● 差異顯著，" + not + "；好/同/差：較好、相同、較差的案例數"
}
func (z TraditionalChinese) FamilyNote(f Families) string {
	return "差異前的 ~ 表示在此水準下不顯著，其區間包含 0" + correctedZh("；", f) +
		"。可偵測：" + z.PowerNote() + "的最小差異。"
}
func (TraditionalChinese) NotShown() string { return "看不出差異的部分" }
func (TraditionalChinese) AxisLabel(unit string) string {
	if unit == "" {
		return "差異軸"
	}
	return "差異軸，單位 " + unit
}
func (TraditionalChinese) NoCommonCase() string { return "沒有共同的案例" }
func (TraditionalChinese) DifferenceLabel(diff, level string, ends []string) string {
	if ends == nil {
		return "差異 " + diff
	}
	return fmt.Sprintf("差異 %s，%s 區間 %s 至 %s", diff, level, ends[0], ends[1])
}
func (TraditionalChinese) EachLabel(cases int, largest string) string {
	return fmt.Sprintf("%d 個案例的差異，由較好到較差；最大為 %s", cases, largest)
}
func (TraditionalChinese) ByTagTitle() string { return "依標籤" }
func (TraditionalChinese) NoneByTag(tested int) string {
	return fmt.Sprintf("依標籤比較的 %d 項差異都不顯著（p 值已用 Benjamini-Hochberg 法依所有標籤校正）。", tested)
}
func (TraditionalChinese) TestedByTag(tested, shown int) string {
	return fmt.Sprintf("依標籤比較的 %d 項差異中，%d 項顯著。p 值已用 Benjamini-Hochberg 法依所有標籤校正："+
		"標籤用於探索，不用於決策。", tested, shown)
}
func (TraditionalChinese) TagHeatNote(level string) string {
	return "每格列出帶有該標籤的案例與基準的差異、n 及 " + level +
		"；差異顯著者以粗體及 ▲ 或 ▼ 標示，顏色深淺表示大小。" +
		"p 值與區間已用 Benjamini-Hochberg 法依所有標籤校正：標籤用於探索，不用於決策。" +
		"案例少於 20 個的標籤不做檢定，也沒有區間。"
}
func (TraditionalChinese) FrontTitle() string { return "品質、費用與延遲" }
func (TraditionalChinese) FrontNav() string   { return "費用與延遲" }
func (TraditionalChinese) FrontNote(plots bool) string {
	s := "若另一次執行在各方面都不差，且至少一方面較好，則此執行被支配；品質須顯著較好才算較好，平均較低即算較差。"
	if plots {
		s += "實心標記位於前緣，空心標記被支配；虛線連接品質上無法區分的執行。"
	}
	return s
}
func (TraditionalChinese) FrontHeads() FrontHeads {
	return FrontHeads{Cost: "每案例費用", ShortCost: "費用", Latency: "延遲中位數", ShortLatency: "延遲", Standing: "位置",
		Tied: "無法區分"}
}
func (TraditionalChinese) Standing(dominated string) string {
	if dominated == "" {
		return "位於前緣"
	}
	return "被 " + dominated + " 支配"
}
func (TraditionalChinese) LessIsBetter(name string) string { return name + "（越低越好）" }
func (TraditionalChinese) ChangedTitle() string            { return "變動最大的案例" }
func (z TraditionalChinese) ChangedIn(baseline, run string, shown, of int) string {
	n := fmt.Sprint(of)
	if shown < of {
		n = z.Of(shown, of)
	}
	return "變動最大的案例：" + baseline + " → " + run + "（" + n + "）"
}
func (TraditionalChinese) ChangeHeads() ChangeHeads {
	return ChangeHeads{Case: "案例", Metric: "指標", Values: "基準 → 本次", Question: "問題"}
}
func (TraditionalChinese) MissedTitle(n, of int) string {
	return fmt.Sprintf("所有執行都未解決的案例：%d 個中的 %d 個", of, n)
}
func (z TraditionalChinese) Missed(m Unsolved) string {
	who := "所有執行"
	if m.Runs == 2 {
		who = "兩次執行"
	}
	s := fmt.Sprintf("%s都答錯 %d 個案例中的 %d 個", who, m.Of, m.N)
	if len(m.Names) > 0 {
		s += "：" + z.List(m.Names, m.N-len(m.Names))
	}
	return s
}
func (TraditionalChinese) SettingsTitle() string { return "不同的設定" }
func (TraditionalChinese) MoreSettings(n int) string {
	return fmt.Sprintf("……其他格式還有 %d 項設定", n)
}
func (TraditionalChinese) OriginNames() OriginNames {
	return OriginNames{Run: "執行", Dataset: "資料集", Seed: "亂數種子"}
}
func (TraditionalChinese) SettingNames() SettingNames {
	return SettingNames{Target: "受測系統", Dataset: "資料集", Cases: "案例", Corpus: "語料庫",
		Embedder: "指標所用的嵌入模型", Judge: "評審",
		Content: "內容"}
}
func (TraditionalChinese) Caution(c Caution) string {
	switch c.Kind {
	case MetricMissing:
		return "略過 " + c.Metric + "：" + c.Run + " 沒有相同版本的這個指標"
	case OtherWeights:
		return "略過 " + c.Metric + "：" + c.Run + " 的組成或權重不同"
	case OtherDataset:
		out := c.Run + " 使用另一個版本的資料集：只配對 id 相同的案例"
		if c.Cases > 0 {
			out += fmt.Sprintf("。這 %d 個案例中有 %d 個問題不同，其差異沒有意義", c.Of, c.Cases)
		}
		return out
	case OtherJudge:
		return fmt.Sprintf("不比較 %s：%s 與 %s 的評審不同（%s；%s）", c.Metric, c.Run, c.Other, c.Judges[0], c.Judges[1])
	case OtherVectors:
		return fmt.Sprintf("%s 與 %s 的嵌入模型不同（%s；%s）：使用嵌入的指標（如 semantic_similarity）的差異也包含嵌入模型的差異",
			c.Run, c.Other, c.Judges[0], c.Judges[1])
	case ChangedJudge:
		return fmt.Sprintf("%s 與 %s 之間：%s：由評審裁定的指標，其差異可能來自評審", c.Run, c.Other, TraditionalChinese{}.JudgeChanged(*c.Canary))
	case OtherTest:
		return "適用時，p 值來自 " + c.Detail + " 檢定"
	case RunUnjudged:
		return fmt.Sprintf("%s 尚未評審：無法連上評審。評審恢復後執行 assay run --resume=%s。", c.Run, c.Detail)
	case RunUnfinished:
		return fmt.Sprintf("%s 尚未完成：%d 個案例中只有 %d 個", c.Run, c.Of, c.Cases)
	}
	return c.Run + " 與 " + c.Other + " 是同一次執行：" + c.Detail
}
func (TraditionalChinese) OverCommon() string {
	return "各次執行的平均涵蓋其所有有分數的案例；差異與句中的平均只涵蓋兩次執行都有分數的案例。"
}
func (TraditionalChinese) LeftOut(cases int) string {
	return fmt.Sprintf("%d 個案例只在其中一次執行有分數，未計入 Δ", cases)
}
