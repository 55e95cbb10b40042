package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/audit/certify"
)

// printCertified writes certificates as a table, with what is not in them below it.
func printCertified(out io.Writer, c certified, set *certify.Set) error {
	if len(c.Certificates) > 0 {
		fmt.Fprintf(out, "judge %s\n\n", oneLine(judgeName(c.Certificates[0].Judge)))
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "question\titems\tbalanced accuracy\tsensitivity\tspecificity\tkappa\tpeople\tno ruling\t\n")
		for _, x := range c.Certificates {
			fmt.Fprintf(w, "%s\t%d\t%s %s\t%s\t%s\t%s\t%s\t%s\t\n", certify.Title(x), x.Items, value(x.BalancedAccuracy),
				between(x.BalancedAccuracy), value(x.Sensitivity), value(x.Specificity), value(x.Kappa), value(x.PeopleKappa), percent(x.Unusable))
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(out, "\nintervals at %.0f %%; chance is a balanced accuracy of 0.5; kappa is with people, beside that of two people\n",
			100*c.Certificates[0].Level)
		for _, x := range c.Certificates {
			printCertificate(out, x)
		}
	}
	for i, u := range c.Unruled {
		if i == 0 {
			fmt.Fprintln(out)
		}
		most := ""
		if u.Alike < u.Items {
			most = fmt.Sprintf(", %d of them so", u.Alike)
		}
		fmt.Fprintf(out, "%s, %s: no ruling on %s%s: %s\n", u.Question, u.Language, counted(u.Items, "item"), most, wrapLine(u.Why))
	}
	for i, o := range c.Omitted {
		if i == 0 {
			fmt.Fprintln(out)
		}
		name := o.Question
		if o.Language != "" {
			name += ", " + o.Language
		}
		fmt.Fprintf(out, "%s: not certified: %s\n", name, oneLine(o.Why))
	}
	fmt.Fprintf(out, "\nno labelled data can be read for: %s\n", strings.Join(c.WithoutData, ", "))
	printUnfit(out, c.Unfit, set.Reasons())
	if len(c.Certificates) == 0 {
		return nil
	}
	fmt.Fprintf(out, "\n%s in %s\n", counted(len(c.Certificates)-len(c.Kept), "certificate"), oneLine(c.File))
	for _, x := range c.Kept {
		fmt.Fprintf(out, "kept: %s, %s of %s with %d usable rulings: the new one has none\n", x.Question, x.Language,
			x.Date.Format("2006-01-02"), x.Usable)
	}
	for _, x := range c.Replaced {
		fmt.Fprintf(out, "replaced: %s, %s of %s\n", x.Question, x.Language, x.Date.Format("2006-01-02"))
	}
	for _, x := range c.Void {
		fmt.Fprintf(out, "void: %s, %s of %s: another prompt, parameter or number of passes\n", x.Question, x.Language,
			x.Date.Format("2006-01-02"))
	}
	return nil
}

// printCertificate writes what the table does not have.
func printCertificate(out io.Writer, x assay.Certificate) {
	fmt.Fprintf(out, "\n%s, %s: %s of %s", x.Question, x.Language, counted(x.Items, "item"), counted(x.Clusters, "source"))
	if x.AUROC.Value != nil {
		fmt.Fprintf(out, "; AUROC %s", value(x.AUROC))
	}
	fmt.Fprint(out, certify.Terms(x))
	if x.Seconds >= 0.005 {
		fmt.Fprintf(out, "; %.2f s an item", x.Seconds)
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range x.Slices {
		note := s.BalancedAccuracy.Why
		if s.Worse {
			note = "worse than on the others"
		}
		fmt.Fprintf(w, "  %s\t%d\t%s\t%s\t%s\n", oneLine(s.Name), s.Items, value(s.BalancedAccuracy), between(s.BalancedAccuracy), note)
	}
	_ = w.Flush() // out keeps its error
}

// judgeName names a judge without the version of its prompts.
func judgeName(j assay.JudgeInfo) string {
	j.PromptHash = ""
	return judgeLine(j)
}

func value(f assay.Figure) string { return figure(f, "%.3f", 1) }

func percent(f assay.Figure) string { return figure(f, "%.1f %%", 100) }

// figure formats a number times a factor.
func figure(f assay.Figure, form string, factor float64) string {
	if f.Value == nil {
		return "–"
	}
	return fmt.Sprintf(form, factor**f.Value)
}

func between(f assay.Figure) string {
	if f.CI == nil {
		return ""
	}
	return fmt.Sprintf("%.3f…%.3f", f.CI[0], f.CI[1])
}
