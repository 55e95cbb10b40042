package gate

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
)

// open returns why no verdict may rest on a metric of a run, or nil if one may: it is an
// estimate, or its judge is certified for less than the policy demands.
func (p Policy) open(h assay.Header, m assay.MetricInfo) Finding {
	if p.undecided(m) {
		return message.New("Reason.OnEstimate")
	}
	return p.uncertified(h, m)
}

// leave makes the result of a rule on a metric inconclusive if no verdict may rest on it.
func (p Policy) leave(h assay.Header, m assay.MetricInfo, res Result) Result {
	if why := p.open(h, m); why != nil {
		res.Verdict, res.Reason, res.Noise, res.Each, res.Broken = Inconclusive, why, false, false, nil
	}
	return res
}

// uncertified returns why the certificates of the run's judge do not suffice for a metric, or
// nil if they do or need not.
func (p Policy) uncertified(h assay.Header, m assay.MetricInfo) Finding {
	if !(p.MinCertificate > 0) || !m.Judged {
		return nil
	}
	all := h.Measured([]assay.MetricInfo{m})
	if all == nil {
		return message.New("Reason.NothingToCertify")
	}
	lacking := slices.DeleteFunc(all, func(one assay.Measured) bool {
		c := one.Certificate
		return c != nil && c.BalancedAccuracy.CI != nil && c.BalancedAccuracy.CI[0] >= p.MinCertificate
	})
	if len(lacking) == 0 {
		return nil
	}
	least := fmt.Sprintf("%g", p.MinCertificate)
	return message.New("Reason.CertifiedBelow", "least", least, "lacking", lacking)
}
