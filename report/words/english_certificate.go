package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
)

func (e English) Certified(of []assay.Measured) string {
	var parts []string
	for _, m := range of {
		parts = append(parts, e.measured(m))
	}
	if len(of) == 0 {
		return ""
	}
	return of[0].Question + ": " + strings.Join(parts, "; ")
}

// measured tells one language: "0.83 ± 0.02 on 1,480 items, en".
func (English) measured(m assay.Measured) string {
	c := m.Certificate
	switch {
	case c == nil && m.Language == "":
		return "not measured"
	case c == nil:
		return m.Language + ": not measured"
	}
	text := fmt.Sprintf("%s on %s, %s", cmp.Or(Figure(c.BalancedAccuracy), "undefined"), items(c.Usable), m.Language)
	if c.NearChance() {
		text = "not shown to be better than chance, " + text
	}
	if share := unusable(c); share != "" {
		text += ", " + share + " of the replies unusable"
	}
	return text
}

func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return thousands(n) + " items"
}

func (English) NotCertified(judge string) string {
	if judge == "" {
		return "not certified"
	}
	return judge + " (not certified)"
}

func (English) CertifiedHead() string     { return "Judge beside people" }
func (English) CertificatesTitle() string { return "Certificates of the judge" }

func (English) CertificatesNote() string {
	return "What the judge's rulings are worth beside those of people, on items that people labelled, for this model, these parameters and this " +
		"version of the prompt. Balanced accuracy is the mean of the sensitivity and the specificity; 0.5 is chance."
}

func (English) CertificateNames() CertificateNames {
	return CertificateNames{
		Judge: "judge", Date: "measured", Data: "labelled items", Items: "items", Balanced: "balanced accuracy",
		Sensitivity: "sensitivity (true called true)", Specificity: "specificity (not true called not true)",
		Kappa: "κ with people", PeopleKappa: "κ of two people", AUROC: "AUROC", Brier: "Brier score", Calibration: "calibration error",
		Threshold: "yes from a degree of", Unusable: "unusable replies", Cost: "an item", Worse: "worse than elsewhere on", Blocks: "by passages at once",
	}
}

func (English) CertifiedItems(n, clusters, usable int) string {
	return fmt.Sprintf("%s from %s, %s with a ruling", items(n), sources(clusters), thousands(usable))
}

func (English) CertifiedSlice(s assay.CertifiedSlice) string {
	return fmt.Sprintf("%s: %s on %s", s.Name, cmp.Or(Figure(s.BalancedAccuracy), "undefined"), items(s.Items))
}

func (English) CertifiedBlock(b assay.CertifiedBlock) string {
	out := fmt.Sprintf("%s: %s on %s", plural(b.Passages, "passage", "passages"),
		cmp.Or(Figure(b.BalancedAccuracy), "undefined"), items(b.Items))
	if d := Figure(b.Difference); d != "" {
		out += ", difference " + d
	}
	return out
}

func (English) CertifiedSafe(passages int) string {
	return fmt.Sprintf("runs ask about at most %d at once", passages)
}

func (English) CertifiedData(name, hash string, n int) string {
	return fmt.Sprintf("%s, %s, %s", name, items(n), hash)
}

func (English) CertifiedCost(cost, time string) string {
	return cmp.Or(cost, "price not known") + ", median time " + time
}

func (English) WithinJudgeError(metric, run, difference, question, share string) string {
	return fmt.Sprintf("%s of %s: the difference of %s is smaller than the judge's share of wrong rulings on %s, %s: if it errs in other ways on "+
		"the two runs, that alone can make the difference; labels of people would tell", metric, run, difference, question, share)
}

func (e English) CertifiedBelow(least string, lacking []assay.Measured) string {
	return "the policy wants a judge that is certified with a balanced accuracy of " + least + " or more, by the lower end of the interval: " +
		byQuestion(lacking, e.Certified, "; ")
}

func (English) NothingToCertify() string {
	return "the policy wants a certified judge, and this rests on no ruling that is known to be certified"
}

func sources(n int) string {
	if n == 1 {
		return "1 source"
	}
	return thousands(n) + " sources"
}
