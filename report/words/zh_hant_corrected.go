package words

import (
	"fmt"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

func (TraditionalChinese) CorrectedTitle() string { return "若由人評斷" }

func (TraditionalChinese) CorrectedHeads() CorrectedHeads {
	return CorrectedHeads{Metric: "指標", Run: "執行", Judge: "評審", Corrected: "校正後", People: "僅人工標註", Labels: "標註數", Half: "減半所需"}
}

func (TraditionalChinese) CorrectedNote() string {
	return "校正後的差異是人平均會得出的結果，由評審對所有案例的評分與部分案例的人工標註估計（預測增強推論）。前提是標註的案例為隨機抽取；" +
		"評審有偏差只會使區間變寬。λ 是評審所占的權重，0 到 1。「減半所需」：使區間減半還需的標註數。"
}

func (TraditionalChinese) Corrected(d CorrectedDifference) string {
	m := d.Metric
	switch d.Lack {
	case summary.LacksLabels:
		return fmt.Sprintf("%s 的差異未校正：%s 與 %s 的答案都有標註的案例有 %d 個，還需 %d 個。", m.Title, d.Old, d.New, d.Labels, d.More)
	case summary.LacksFailed:
		return fmt.Sprintf("%s 與 %s 之間 %s 的差異未校正：有 %d 個案例其中一次執行失敗，而另一次執行的答案標註太少：還需 %d 個，可用 --label-next 抽取。",
			d.Old, d.New, m.Title, d.Failed, d.More)
	case summary.LacksSpread:
		return fmt.Sprintf("%s 與 %s 之間 %s 的差異未校正：在 %d 個已標註的案例中，人所見的差異全都相同，或只隨評審的差異而變，無法得知其他案例會如何。"+
			"請標註更多案例。", d.Old, d.New, m.Title, d.Labels)
	case summary.LacksStrata:
		return fmt.Sprintf("%s 與 %s 之間 %s 的差異未校正：案例抽自的分層與這些評分的分層不同。請為這兩次執行重新抽取案例。", d.Old, d.New, m.Title)
	case summary.LacksScale:
		return fmt.Sprintf("%s 的差異未校正：標註超出指標的範圍，其等級尺度不明。", m.Title)
	case summary.LacksNumbers:
		return fmt.Sprintf("%s 的差異未校正：有標註或評分過大，無法計算。", m.Title)
	}
	numbers := fmt.Sprintf("%s（%.4g %% 信賴區間 %s；%d 個標註，λ = %.2f）", summary.Signed(m, d.Mean), 100*d.Level, summary.Ends(m, d.CI), d.N,
		d.Lambda)
	var out string
	switch d.Direction(m) {
	case summary.Open:
		out = fmt.Sprintf("若由人評斷，看不出 %s 與 %s 的 %s 有差異：%s。", d.Old, d.New, m.Title, numbers)
	case summary.Better:
		out = fmt.Sprintf("若由人評斷，%s 的 %s 比 %s 好：%s。", d.New, m.Title, d.Old, numbers)
	default:
		out = fmt.Sprintf("若由人評斷，%s 的 %s 比 %s 差：%s。", d.New, m.Title, d.Old, numbers)
	}
	if !d.Overrules(m, d.Judge) {
		return out
	}
	says := map[summary.Direction]string{summary.Better: "較好", summary.Worse: "較差", summary.Open: "看不出差異"}[summary.DirectionOf(m, d.Judge)]
	return out + fmt.Sprintf("僅看評審則不同：%s（%s）。", says, summary.Signed(m, d.Judge.Diff))
}

func (TraditionalChinese) NotCounted(d CorrectedDifference) string {
	out := ""
	if a, b := d.OneSided[0], d.OneSided[1]; a+b > 0 {
		out = fmt.Sprintf("只有一次執行的答案有標註，無助於比較：%s 有 %d 個，%s 有 %d 個。", d.Old, a, d.New, b)
	}
	if d.Unscored > 0 {
		out += fmt.Sprintf("有標註但沒有評審評分、不計入的案例：%d 個。", d.Unscored)
	}
	return out
}

func (TraditionalChinese) NotCorrected(c summary.Correction) string {
	switch c.Lack {
	case summary.LacksSpread:
		return fmt.Sprintf("%d 個標註全都相同，或只隨評審評分而變，無法得知其他案例會如何", c.Labels)
	case summary.LacksRun:
		return "無法確定有任何標註屬於此次執行：run 欄須為其 id，或沒有其他執行使用的名稱"
	case summary.LacksOne:
		return "同一答案有兩個標註，一個依執行的 id，一個依其名稱：只能有一個"
	case summary.LacksFailed:
		return fmt.Sprintf("有 %d 個案例其中一次執行失敗，而另一次執行的答案標註太少：還需 %d 個", c.Failed, c.More)
	case summary.LacksStrata:
		return "標註的案例抽自的分層與這些評分的分層不同"
	case summary.LacksScale:
		return "標註超出指標的範圍，其等級尺度不明"
	case summary.LacksNumbers:
		return "有標註或評分過大，無法計算"
	}
	return fmt.Sprintf("有 %d 個人工標註：還需 %d 個才能校正評審", c.Labels, c.More)
}

func (TraditionalChinese) ByPeople(v gate.Verdict, value, low, high string, labels int, limit string) string {
	numbers := fmt.Sprintf("若由人評斷為 %s，依 %d 個標註的單側界限為 %s 與 %s", value, labels, low, high)
	if v == gate.Fail {
		return numbers + "，未達 " + limit
	}
	return numbers + "：標註太少，無法判斷是否達到 " + limit
}

func (z TraditionalChinese) PeopleUnknown(rule string, c summary.Correction) string {
	return rule + "：無法得知人會如何評斷：" + z.NotCorrected(c)
}

func (z TraditionalChinese) PeopleDiffer(rule string, judge, people gate.Verdict, decides bool) string {
	who := "以評審為準"
	if decides {
		who = "以人為準"
	}
	return fmt.Sprintf("%s：評審判定為%s，若由人評斷為%s；%s", rule, z.Verdict(judge), z.Verdict(people), who)
}
