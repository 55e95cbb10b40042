package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
)

// Certified tells the balanced accuracy of a judge on one question in each of its
// languages.
func (w Words) Certified(of []assay.Measured) string { return w.Say("Certified", v{"of": of}) }

// NotCertified adds to the name of a judge, or says of one without a name, that it has no
// certificate. CertifiedHead names what follows.
func (w Words) NotCertified(judge string) string { return w.Say("NotCertified", v{"judge": judge}) }

// CertifiedItems counts items, the sources that they are from, and those with a ruling.
func (w Words) CertifiedItems(items, clusters, usable int) string {
	return w.Say("CertifiedItems", v{"items": items, "clusters": clusters, "usable": usable})
}
func (w Words) CertifiedSlice(s assay.CertifiedSlice) string { return w.Say("CertifiedSlice", s) }

// CertifiedData names a file of labelled items by its hash.
func (w Words) CertifiedData(name, hash string, items int) string {
	return w.Say("CertifiedData", v{"name": name, "hash": hash, "items": items})
}

// CertifiedCost tells the cost of an item, "" if it is not known, and its median time.
func (w Words) CertifiedCost(cost, time string) string {
	return w.Say("CertifiedCost", v{"cost": cost, "time": time})
}

// WithinJudgeError says that a difference of a metric is smaller than the share of wrong
// rulings of the judge on a question.
func (w Words) WithinJudgeError(metric, run, difference, question, share string) string {
	return w.Say("WithinJudgeError", v{"metric": metric, "run": run, "difference": difference, "question": question, "share": share})
}

// CertificateNames name the parts of a certificate.
type CertificateNames struct {
	Judge, Date, Data, Items, Balanced, Sensitivity, Specificity, Kappa, PeopleKappa string
	AUROC, Brier, Calibration, Threshold, Unusable, Cost, Worse                      string
}

// Figure is [message.Figure].
func Figure(f assay.Figure) string { return message.Figure(f) }
