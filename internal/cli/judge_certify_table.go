package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/audit/certify"
)

// print writes certificates as a table, with what is not in them below it.
func (c certified) print(out io.Writer, set *certify.Set) error {
	var left strings.Builder
	printUnfit(&left, c.Unfit, set.Reasons())
	return printPage(out, "certified", struct {
		certified
		// New is the number of certificates that were added to the file.
		New     int
		LeftOut string
	}{c, len(c.Certificates) - len(c.Kept), left.String()})
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
