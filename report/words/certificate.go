package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
)

// NotCertified adds to the name of a judge, or says of one without a name, that it has no
// certificate. CertifiedHead names what follows.
func (w Words) NotCertified(judge string) string { return w.Say("NotCertified", v{"judge": judge}) }

// CertificateNames name the parts of a certificate.
type CertificateNames struct {
	Judge, Date, Data, Items, Balanced, Sensitivity, Specificity, Kappa, PeopleKappa string
	AUROC, Brier, Calibration, Threshold, Unusable, Cost, Worse                      string
}

// Figure is [message.Figure].
func Figure(f assay.Figure) string { return message.Figure(f) }
