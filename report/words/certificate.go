package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// certified are the words about what the judge of a run is worth beside people.
type certified interface {
	// Certified tells the balanced accuracy of a judge on one question in each of its
	// languages.
	Certified(of []assay.Measured) string
	// NotCertified adds to the name of a judge, or says of one without a name, that it has no
	// certificate. CertifiedHead names what follows.
	NotCertified(judge string) string
	CertifiedHead() string
	CertificatesTitle() string
	CertificatesNote() string
	CertificateNames() CertificateNames
	// CertifiedItems counts items, the sources that they are from, and those with a ruling.
	CertifiedItems(items, clusters, usable int) string
	CertifiedSlice(s assay.CertifiedSlice) string
	// CertifiedBlock tells how the judge does with a number of passages at once.
	CertifiedBlock(b assay.CertifiedBlock) string
	// CertifiedSafe says how many passages runs ask about at once.
	CertifiedSafe(passages int) string
	// CertifiedData names a file of labelled items by its hash.
	CertifiedData(name, hash string, items int) string
	// CertifiedCost tells the cost of an item, "" if it is not known, and its median time.
	CertifiedCost(cost, time string) string
	// WithinJudgeError says that a difference of a metric is smaller than the share of wrong
	// rulings of the judge on a question.
	WithinJudgeError(metric, run, difference, question, share string) string
}

// CertificateNames name the parts of a certificate.
type CertificateNames struct {
	Judge, Date, Data, Items, Balanced, Sensitivity, Specificity, Kappa, PeopleKappa string
	AUROC, Brier, Calibration, Threshold, Unusable, Cost, Worse, Blocks              string
}

// mostUnusable is the share of unusable replies above which a certificate's word tells it.
const mostUnusable = 0.01

// unusable returns the share of unusable replies if it is to be told, else "".
func unusable(c *assay.Certificate) string {
	if v := c.Unusable.Value; v != nil && *v > mostUnusable {
		return fmt.Sprintf("%.1f %%", 100**v)
	}
	return ""
}

// Figure formats a measured number with its interval: "0.83 ± 0.02", "0.97 (0.91…0.99)" if
// the interval is not even, "0.83" without one, and "" if it is undefined.
func Figure(f assay.Figure) string {
	if f.Value == nil {
		return ""
	}
	text := strconv.FormatFloat(*f.Value, 'f', 2, 64)
	if f.CI == nil {
		return text
	}
	// As they are shown, so that what is read off "±" is the interval.
	hundredths := func(v float64) float64 { return math.Round(100 * v) }
	at, low, high := hundredths(*f.Value), hundredths(f.CI[0]), hundredths(f.CI[1])
	if at-low == high-at {
		return fmt.Sprintf("%s ± %.2f", text, (high-at)/100)
	}
	return fmt.Sprintf("%s (%.2f…%.2f)", text, f.CI[0], f.CI[1])
}

// thousands formats a count with commas: "1,480".
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// byQuestion joins what is said of each question.
func byQuestion(all []assay.Measured, say func([]assay.Measured) string, separator string) string {
	var parts []string
	for _, of := range assay.ByQuestion(all) {
		parts = append(parts, say(of))
	}
	return strings.Join(parts, separator)
}
