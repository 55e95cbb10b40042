package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

func (z TraditionalChinese) Certified(of []assay.Measured) string {
	var parts []string
	for _, m := range of {
		parts = append(parts, z.measured(m))
	}
	if len(of) == 0 {
		return ""
	}
	return of[0].Question + "：" + strings.Join(parts, "；")
}

// measured tells one language.
func (TraditionalChinese) measured(m assay.Measured) string {
	c := m.Certificate
	switch {
	case c == nil && m.Language == "":
		return "未量測"
	case c == nil:
		return m.Language + "：未量測"
	}
	text := m.Language + "：" + cmp.Or(Figure(c.BalancedAccuracy), "無定義") + "，" + thousands(c.Usable) + " 個項目"
	if c.NearChance() {
		text = "未能證明優於隨機，" + text
	}
	if share := unusable(c); share != "" {
		text += "，" + share + " 的回覆無法使用"
	}
	return text
}

func (TraditionalChinese) NotCertified(judge string) string {
	if judge == "" {
		return "未經認證"
	}
	return judge + "（未經認證）"
}

func (TraditionalChinese) CertifiedHead() string     { return "評審與人的比較" }
func (TraditionalChinese) CertificatesTitle() string { return "評審的認證" }

func (TraditionalChinese) CertificatesNote() string {
	return "在有人工標註的項目上，評審的裁定與人的判斷相比有多可靠；僅適用於此模型、這些參數與此版本的提示。平衡準確率是敏感度與特異度的平均，0.5 等於隨機猜測。"
}

func (TraditionalChinese) CertificateNames() CertificateNames {
	return CertificateNames{
		Judge: "評審", Date: "量測日期", Data: "標註資料", Items: "項目", Balanced: "平衡準確率",
		Sensitivity: "敏感度（正確者判為正確）", Specificity: "特異度（不正確者判為不正確）",
		Kappa: "與人的 κ", PeopleKappa: "兩人之間的 κ", AUROC: "AUROC（程度的區辨力）", Brier: "Brier 分數", Calibration: "校準誤差",
		Threshold: "判為是的最低程度", Unusable: "無法使用的回覆", Cost: "每個項目", Worse: "表現較差之處", Blocks: "同時判讀的段落數",
	}
}

func (TraditionalChinese) CertifiedItems(n, clusters, usable int) string {
	return thousands(n) + " 個項目，出自 " + thousands(clusters) + " 個來源，" + thousands(usable) + " 個有裁定"
}

func (TraditionalChinese) CertifiedSlice(s assay.CertifiedSlice) string {
	return s.Name + "：" + cmp.Or(Figure(s.BalancedAccuracy), "無定義") + "，" + thousands(s.Items) + " 個項目"
}

func (TraditionalChinese) CertifiedBlock(b assay.CertifiedBlock) string {
	out := fmt.Sprintf("%d 段：", b.Passages) + cmp.Or(Figure(b.BalancedAccuracy), "無定義") + "，" + thousands(b.Items) + " 個項目"
	if d := Figure(b.Difference); d != "" {
		out += "，差異 " + d
	}
	return out
}

func (TraditionalChinese) CertifiedSafe(passages int) string {
	return fmt.Sprintf("執行時每次最多判讀 %d 段", passages)
}

func (TraditionalChinese) CertifiedData(name, hash string, n int) string {
	return name + "，" + thousands(n) + " 個項目，" + hash
}

func (TraditionalChinese) CertifiedCost(cost, time string) string {
	return cmp.Or(cost, "價格未知") + "，時間中位數 " + time
}

func (TraditionalChinese) WithinJudgeError(metric, run, difference, question, share string) string {
	return run + " 的 " + metric + "：差異 " + difference + " 小於評審在 " + question + " 上的錯誤裁定比例 " + share +
		"：若評審對兩次執行犯的錯不同，單憑這一點就能造成此差異；需要人工標註才能判斷"
}

func (z TraditionalChinese) CertifiedBelow(least string, lacking []assay.Measured) string {
	return "政策要求評審經認證的平衡準確率（以區間下限計）至少為 " + least + "：" + byQuestion(lacking, z.Certified, "；")
}

func (TraditionalChinese) NothingToCertify() string {
	return "政策要求評審經過認證，但此指標所依據的裁定沒有已知的認證"
}
