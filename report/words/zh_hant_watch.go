package words

import (
	"fmt"
	"strings"
)

func (TraditionalChinese) WatchNames() WatchNames {
	return WatchNames{
		Title: "正式流量的監看", Name: "監看", State: "狀態", Process: "程序", Running: "執行中", NotRunning: "未執行", Updated: "最後更新",
		Empty:        "目前沒有任何對正式流量的監看。",
		EmptyReceive: "監看會從本伺服器以 OTLP 在 /v1/traces 收到的軌跡中抽樣評審。以下指令在本伺服器的儲存上建立一個：",
		EmptyWatch:   "它需要自己的程序，也可由排程以 --once 啟動。",

		Counts: "抽樣與評審的數量", InAll: "總計", Sampled: "抽樣", Judged: "已評審", Failed: "其中失敗", Skipped: "略過", Unread: "未讀取",
		Cost:       "費用",
		SampledHow: "抽中的軌跡裡的問答",
		JudgedHow:  "分輪評審，每輪是一次執行；失敗是系統的失敗，沒有回應",
		SkippedHow: "已抽樣但未評審：該輪已滿，或當日預算已用完。分數較少，變化較晚才看得出來",
		UnreadHow:  "沒有問題或沒有可評分內容的操作：其軌跡缺少 assay 所讀取的內容",

		Results: "指標", Kind: "類別", AllKinds: "全部", Mean: "平均", Bounds: "界限", Line: "底線", Threshold: "門檻", Scores: "分數",
		Days: "逐日", Worse: "變差", Fine: "未變差", Learning: "學習中",
		New: "尚未評審", Exchanges: "問答", NotJudged: "最後一輪未評審",
		ResultsHow: "不論多常查看此頁，所有時刻的界限同時成立。指標從警報到恢復之間算是變差；警報與恢復都會重新開始計算平均。軸為指標的全距。",
		Traffic:    "全部類別，依流量比例", TrafficHow: "各類別評審的數量相同，單純平均會過度計入少見的類別。",
		Kinds: "類別", Alarms: "警報", NoAlarms: "尚無警報。", Settings: "抽樣與警報的設定", LastRun: "最後一次執行", RoundRun: "本輪的執行", AllRuns: "此監看的所有執行",
		TimeIs: "時間為 UTC。",
	}
}

func (TraditionalChinese) WatchVerdict(fine, learning int) string {
	switch {
	case fine+learning == 0:
		return "尚未評審任何內容。"
	case fine == 0:
		return "目前無法判定是否變差：所有底線仍在學習中。"
	case learning > 0:
		return fmt.Sprintf("沒有平均顯示比底線差；%d 條底線仍在學習中，共 %d 條。", learning, fine+learning)
	}
	return fmt.Sprintf("%d 項平均皆未顯示比底線差。", fine)
}

func (TraditionalChinese) watchOf(metric, kind string) string {
	if kind == "" {
		return metric
	}
	return kind + " 的 " + metric
}

func (TraditionalChinese) watchLine(line string, threshold bool) string {
	if threshold {
		return "門檻 " + line
	}
	return "學得的底線 " + line
}

func (z TraditionalChinese) WatchWorse(w WatchWorse) string {
	mean := fmt.Sprintf("警報以來 %d 個分數的平均為 %s", w.Cases, w.Mean)
	if w.AtAlarm {
		mean = z.WatchAtAlarm(w.Mean, w.Cases)
	}
	said := fmt.Sprintf("%s 自 %s 起比%s 差：%s。", z.watchOf(w.Metric, w.Kind), w.Since, z.watchLine(w.Line, w.Threshold), mean)
	if w.Estimate {
		said += "這是估計值：數字的變化不表示品質有變化。"
	}
	return said
}

func (TraditionalChinese) WatchMoreWorse(n int) string {
	return fmt.Sprintf("另有 %d 項變差：表格由這些開始。", n)
}

func (TraditionalChinese) WatchSome(worse, of int) string {
	return fmt.Sprintf("%d 項變差，共 %d 項", worse, of)
}

func (TraditionalChinese) WatchProcess(p WatchProcess) string {
	round := ""
	if p.Round > 0 {
		round = fmt.Sprintf("正在評審一輪共 %d 筆問答。", p.Round)
		if !p.Running {
			round = fmt.Sprintf("已開始一輪共 %d 筆問答：監看繼續時會完成。", p.Round)
		}
	}
	next := ""
	if p.Next != "" {
		next = "下一輪最早於 " + p.Next + " 開始。"
	}
	switch {
	case p.Running:
		return "監看的程序執行中；最後寫入所知內容的時間為 " + p.Updated + "。" + round + next
	case p.Overdue:
		return "沒有程序執行此監看：最後運作於 " + p.Updated + "，原定 " + p.Next + " 的一輪未評審。" + round + "在以原有設定重新啟動之前，流量無人監看："
	}
	return "目前沒有程序執行此監看：最後運作於 " + p.Updated + "。若由排程以 --once 啟動各輪，兩輪之間即是如此。" + round + next
}

func (TraditionalChinese) WatchTrouble(why string) string {
	return "最後一輪未能評審，下一輪到期時會再試：" + why
}

func (TraditionalChinese) WatchWaiting(n int) string {
	return fmt.Sprintf("%d 筆抽樣的問答等待下一輪。", n)
}

func (TraditionalChinese) WatchSpent(cost, budget string) string {
	return cost + "，上限 " + budget
}

func (TraditionalChinese) WatchLearning(n, of int) string {
	return fmt.Sprintf("%d 個分數，需 %d 個", n, of)
}

func (TraditionalChinese) WatchLearned(cases int) string {
	return fmt.Sprintf("學自 %d 個分數", cases)
}

func (TraditionalChinese) WatchSince(at string) string { return "自 " + at + " 起" }

func (TraditionalChinese) WatchAtAlarm(mean string, cases int) string {
	return fmt.Sprintf("當時最後 %d 個分數的平均為 %s", cases, mean)
}

func (TraditionalChinese) WatchUnscored(unscored, excluded int) string {
	var parts []string
	if unscored > 0 {
		parts = append(parts, fmt.Sprintf("%d 個沒有分數", unscored))
	}
	if excluded > 0 {
		parts = append(parts, fmt.Sprintf("%d 個不適用", excluded))
	}
	return strings.Join(parts, "，")
}

func (TraditionalChinese) WatchLevel(mean, low, high, line string) string {
	said := "沒有分數"
	if mean != "" {
		said = "平均 " + mean + "，界限 " + low + " 到 " + high
	}
	if line != "" {
		said += "，底線 " + line
	}
	return said
}

func (TraditionalChinese) WatchDays(days int, last, low, high string) string {
	return fmt.Sprintf("%d 天的平均，由 %s 到 %s，最後一天 %s", days, low, high, last)
}

func (z TraditionalChinese) WatchAlarm(a WatchAlarm) string {
	verb := "變得比"
	end := " 差"
	if a.Recovered {
		verb, end = "恢復到比", " 好"
	}
	return fmt.Sprintf("%s %s%s%s：%s。",
		z.watchOf(a.Metric, a.Kind), verb, z.watchLine(a.Line, a.Threshold), end, z.WatchAtAlarm(a.Mean, a.Over))
}

func (TraditionalChinese) WatchEarlier(n int) string { return fmt.Sprintf("較早的 %d 則", n) }

func (TraditionalChinese) WatchUntold(alarms, tries int, next string) string {
	said := fmt.Sprintf("Webhook 尚未接收 %d 則警報", alarms)
	if tries > 0 {
		said += fmt.Sprintf("，已呼叫 %d 次", tries)
	}
	if next != "" {
		said += "；下次呼叫於 " + next
	}
	return said + "。"
}

func (TraditionalChinese) WatchSetting(s WatchSetting) []string {
	out := []string{
		"抽樣：" + s.Rate + " 的軌跡，各在 " + s.Settle + " 內沒有新的跨度後視為完整。",
		fmt.Sprintf("評審：每 %s 至多 %d 筆。", s.Every, s.Most),
	}
	if s.By != "" {
		out = append(out, "依 "+s.By+" 區分類別；各類別盡可能評審相同數量。")
	}
	if s.Budget != "" {
		out = append(out, "評審每日費用上限 "+s.Budget+"，平均分配於全日。")
	}
	return append(out,
		fmt.Sprintf("沒有門檻的底線學自 %d 個分數：其平均的下界，再減去全距的 %s。", s.Learn, s.Drop),
		"界限的水準為 "+s.Level+"；誤報之間平均至少相隔 "+s.Quiet+" 筆已評審的問答。")
}
