package certify

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay"
)

// Markdown writes certificates as tables: the measures, and the parts of the items.
func Markdown(w io.Writer, all []assay.Certificate) error {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "### %s\n\n", Title(c))
		fmt.Fprintf(&b, "%d items of %d sources, %d with a ruling", c.Items, c.Clusters, c.Usable)
		b.WriteString(Terms(c))
		fmt.Fprintf(&b, ".\n\n| measure | value | %.0f %% interval |\n|---|---|---|\n", 100*c.Level)
		for _, m := range []struct {
			name string
			f    assay.Figure
		}{
			{"balanced accuracy", c.BalancedAccuracy}, {"sensitivity", c.Sensitivity}, {"specificity", c.Specificity},
			{"kappa with people", c.Kappa}, {"kappa of two people", c.PeopleKappa}, {"AUROC", c.AUROC}, {"Brier", c.Brier},
			{"expected calibration error", c.CalibrationError}, {"no ruling", c.Unusable},
		} {
			fmt.Fprintf(&b, "| %s | %s |\n", m.name, cells(m.f))
		}
		for i, s := range c.Slices {
			if i == 0 {
				b.WriteString("\n| part | items | balanced accuracy | interval | |\n|---|---|---|---|---|\n")
			}
			worse := ""
			if s.Worse {
				worse = "worse than on the others"
			}
			fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", strings.ReplaceAll(s.Name, "|", "/"), s.Items, cells(s.BalancedAccuracy), worse)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Title names a certificate, and says if the judge is near chance.
func Title(c assay.Certificate) string {
	title := c.Question + ", " + c.Language
	if c.WorseThanChance() {
		title += ": worse than chance"
	} else if c.NearChance() {
		title += ": near chance"
	}
	return title
}

// Terms says, each after a semicolon, from which degree a judge says yes and what an item costs.
func Terms(c assay.Certificate) (terms string) {
	switch ci := c.ThresholdCI; {
	case c.Threshold != nil && ci != nil:
		terms = fmt.Sprintf("; yes from a degree of %.2f (%.2f…%.2f)", *c.Threshold, ci[0], ci[1])
	case c.Threshold != nil:
		terms = fmt.Sprintf("; yes from a degree of %.2f", *c.Threshold)
	case ci != nil:
		terms = fmt.Sprintf("; too few items to choose the degree from which it says yes: %.2f…%.2f", ci[0], ci[1])
	}
	switch {
	case c.Cost == nil:
		terms += "; price not known"
	case *c.Cost > 0:
		terms += fmt.Sprintf("; $%.6f an item", *c.Cost)
	}
	return terms
}

// cells are a value and its interval.
func cells(f assay.Figure) string {
	switch {
	case f.Value == nil:
		return "– | " + f.Why
	case f.CI == nil:
		return fmt.Sprintf("%.3f | ", *f.Value)
	}
	return fmt.Sprintf("%.3f | %.3f…%.3f", *f.Value, f.CI[0], f.CI[1])
}

// MarkdownPage writes a page about one judge: who it is, its certificates, and the data.
func MarkdownPage(w io.Writer, all []assay.Certificate) error {
	if len(all) == 0 {
		return nil
	}
	first := all[0]
	fmt.Fprintf(w, "# Certificates of %s\n\n%s, assay %s.\n\n", strings.Trim(first.Judge.Provider+":"+first.Judge.Model, ":"),
		first.Date.Format("2006-01-02"), first.Version)
	if err := Markdown(w, all); err != nil {
		return err
	}
	return MarkdownData(w, all)
}

// MarkdownData lists the files that certificates rest on.
func MarkdownData(w io.Writer, all []assay.Certificate) error {
	var b strings.Builder
	b.WriteString("| file | SHA-256 |\n|---|---|\n")
	seen := map[assay.CertifiedData]bool{}
	for _, c := range all {
		for _, d := range c.Data {
			if d.Items = 0; !seen[d] {
				seen[d] = true
				fmt.Fprintf(&b, "| %s | `%.12s` |\n", d.Name, strings.TrimPrefix(d.Hash, "sha256:"))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
