package judge

import (
	"encoding/json"
	"io"
	"time"

	"github.com/assay-eval/assay"
)

// A Calibration is the stored result of a comparison of one judge and one metric with
// people. It is valid for that judge, with the same prompts and parameters, and for that
// metric: see [Calibration.Fits].
type Calibration struct {
	Metric        string `json:"metric"`
	MetricVersion int    `json:"metric_version,omitempty"`
	// Judge is nil if the scores do not say which judge gave them.
	Judge      *assay.JudgeInfo `json:"judge"`
	PromptHash string           `json:"prompt_hash,omitempty"`
	Date       time.Time        `json:"date"`
	// Labels is the SHA-256 of the file of labels, or of the lines with those of several, Run the id
	// of the run.
	Labels string `json:"labels,omitempty"`
	Run    string `json:"run,omitempty"`
	// N counts the items with label and score, Positives those labelled 1.
	N         int `json:"n"`
	Positives int `json:"positives"`
	// Threshold is the score from which the judge agrees best; nil if there
	// are too few labels to choose one, and Why says so. BalancedAccuracy is the
	// cross-validated one.
	Threshold        *float64 `json:"threshold"`
	BalancedAccuracy *float64 `json:"balanced_accuracy"`
	Why              string   `json:"why,omitempty"`
	Kappa            Figure   `json:"kappa"`
	AUROC            Figure   `json:"auroc"`
	Validated        bool     `json:"validated"`
}

// Keep makes a calibration of a report with binary measures; ok is false if it has none.
// The caller sets metric, judge, labels and date.
func (r *CalibrationReport) Keep() (c Calibration, ok bool) {
	b := r.Binary
	if b == nil {
		return c, false
	}
	return Calibration{
		N: r.N, Positives: b.Confusion.Positives(),
		Threshold: b.Best.Value, BalancedAccuracy: b.Best.CrossValidated, Why: b.Best.Why,
		Kappa: b.Judge.Kappa, AUROC: b.AUROC, Validated: r.Validated,
	}, true
}

// Write writes the calibration as JSON.
func (c Calibration) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}
