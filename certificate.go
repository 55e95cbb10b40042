package assay

import (
	"maps"
	"strings"
	"time"
)

// A Certificate is what the rulings of one judge on one question are worth beside those of
// people, measured on items that people labelled. It holds for that judge with the same
// parameters and the same version of the question's prompt, and for one language: see
// [Certificate.Fits].
type Certificate struct {
	// Question is the name of the judge's task, such as "support": a key of
	// JudgeInfo.Prompts.
	Question string `json:"question"`
	// Language is that in which the judge was asked, "en" or "zh".
	Language string `json:"language"`
	// Judge identifies the judge, with the version of this question's prompt alone.
	Judge JudgeInfo `json:"judge"`
	Date  time.Time `json:"date"`
	// Version is assay's version.
	Version string          `json:"version"`
	Data    []CertifiedData `json:"data"`
	// Items counts the items that the judge was asked about, Clusters the sources that
	// they are from: intervals resample sources. Usable counts the items with a ruling; all
	// measures are of these.
	Items    int `json:"items"`
	Clusters int `json:"clusters"`
	Usable   int `json:"usable"`
	// Level is that of the intervals.
	Level float64 `json:"level"`
	// Threshold is the degree from which a judge that gives one says yes; nil for a judge
	// that rules, and if the items do not settle it. ThresholdCI is its interval.
	Threshold   *float64    `json:"threshold,omitempty"`
	ThresholdCI *[2]float64 `json:"threshold_ci,omitempty"`

	// BalancedAccuracy is the mean of Sensitivity, the share of what people call true that
	// the judge calls true, and Specificity, the same of what is not true. 0.5 is chance.
	BalancedAccuracy Figure `json:"balanced_accuracy"`
	Sensitivity      Figure `json:"sensitivity"`
	Specificity      Figure `json:"specificity"`
	// Kappa is the agreement with people beyond chance, PeopleKappa that of two people, of
	// the items that several labelled.
	Kappa       Figure `json:"kappa"`
	PeopleKappa Figure `json:"people_kappa"`
	// AUROC, Brier and CalibrationError are of the degree, if the judge gives one.
	AUROC            Figure `json:"auroc"`
	Brier            Figure `json:"brier"`
	CalibrationError Figure `json:"calibration_error"`
	// Unusable is the share of the items without a ruling.
	Unusable Figure `json:"unusable"`
	// Cost is in US dollars an item, 0 if the calls were free and nil if their price is not
	// known; Seconds is the median time of an item.
	Cost    *float64 `json:"cost_usd"`
	Seconds float64  `json:"seconds"`
	// Slices are parts of the items, such as those with a negation.
	Slices []CertifiedSlice `json:"slices,omitempty"`
}

// CertifiedData is a file of labelled items.
type CertifiedData struct {
	Name string `json:"name"`
	// Hash is that of the file: "sha256:" and hexadecimal digits.
	Hash string `json:"hash"`
	// Items counts the items of the file that were asked about.
	Items int `json:"items"`
}

// A CertifiedSlice is a part of the items of a certificate.
type CertifiedSlice struct {
	Name             string `json:"name"`
	Items            int    `json:"items"`
	BalancedAccuracy Figure `json:"balanced_accuracy"`
	// Worse is set if the judge is worse there than on the other items, with an interval
	// of the difference that leaves out 0.
	Worse bool `json:"worse,omitempty"`
}

// A Figure is a measured number with its interval.
type Figure struct {
	// Value is nil when it is undefined, and Why says why.
	Value *float64 `json:"value"`
	// CI is the interval, from low to high; nil if there is none.
	CI  *[2]float64 `json:"ci"`
	Why string      `json:"why,omitempty"`
}

// NearChance reports whether the judge is not shown to rule better than a coin.
func (c *Certificate) NearChance() bool {
	b := c.BalancedAccuracy
	return b.Value != nil && (b.CI == nil || b.CI[0] <= 0.5)
}

// WorseThanChance reports whether the judge is shown to rule worse than a coin.
func (c *Certificate) WorseThanChance() bool {
	return c.BalancedAccuracy.CI != nil && c.BalancedAccuracy.CI[1] < 0.5
}

// Fits reports whether the certificate holds for a judge: provider, model, parameters,
// passes and the prompt of the question are the same. Thresholds and limits of passages may
// differ, because the certificate has its own.
func (c Certificate) Fits(j *JudgeInfo) bool {
	if j == nil {
		return false
	}
	one, measured := withoutCertified(j.For(c.Question)), withoutCertified(c.Judge)
	return SameJudge(&measured, &one, []string{c.Question})
}

// withoutCertified removes the parameters that are from certificates.
func withoutCertified(j JudgeInfo) JudgeInfo {
	j.Parameters = maps.Clone(j.Parameters)
	maps.DeleteFunc(j.Parameters, func(name, _ string) bool {
		name, _, _ = strings.Cut(name, ".")
		return name == ParameterThreshold || name == "block" // limits of passages in headers of earlier versions
	})
	return j
}

// Certificate returns the certificate of the run's judge for a question and a language.
func (h Header) Certificate(question, language string) (Certificate, bool) {
	for _, c := range h.Certificates {
		if c.Question == question && c.Language == language && c.Fits(h.Judge) {
			return c, true
		}
	}
	return Certificate{}, false
}
