package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/assay-eval/assay"
)

// A Calibration is what a comparison with people found out about one judge and
// one metric, to be kept. It holds for that judge, with these prompts and
// parameters, and for that metric: [Calibration.Fits] tells.
type Calibration struct {
	Metric        string `json:"metric"`
	MetricVersion int    `json:"metric_version,omitempty"`
	// Judge is nil when the scores came without word of what judged.
	Judge      *assay.JudgeInfo `json:"judge"`
	PromptHash string           `json:"prompt_hash,omitempty"`
	Date       time.Time        `json:"date"`
	// Labels is the SHA-256 of the file of labels, Run the id of the run.
	Labels string `json:"labels,omitempty"`
	Run    string `json:"run,omitempty"`
	// N counts the items with label and score, Positives those labelled 1.
	N         int `json:"n"`
	Positives int `json:"positives"`
	// Threshold is the score from which the judge agrees best; nil when there
	// are too few labels to choose one, and Why says so. BalancedAccuracy is the
	// cross-validated one.
	Threshold        *float64 `json:"threshold"`
	BalancedAccuracy *float64 `json:"balanced_accuracy"`
	Why              string   `json:"why,omitempty"`
	Kappa            Figure   `json:"kappa"`
	AUROC            Figure   `json:"auroc"`
	Validated        bool     `json:"validated"`
}

// Keep makes a calibration of a report with binary measures; ok is false when it
// has none. What identifies metric, judge, labels and date is left to fill in.
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

// Fits reports why the calibration does not hold for a metric as this judge
// judges it; nil when it does. Any change of the judge, of the prompts that the metric rests on, of parameters or metric
// ends it (metrics.md §3.5).
func (c Calibration) Fits(m assay.MetricInfo, j *assay.JudgeInfo) error {
	switch {
	case c.Metric != m.Name:
		return fmt.Errorf("the calibration is of %q, not of %q", c.Metric, m.Name)
	case c.MetricVersion != m.Version:
		return fmt.Errorf("the calibration is of version %d of %s, not of version %d", c.MetricVersion, m.Name, m.Version)
	case c.Judge == nil || j == nil:
		return fmt.Errorf("the calibration of %s does not say what judged, or nothing did", c.Metric)
	}
	was, is := c.Judge.About(m.Prompts), j.About(m.Prompts)
	switch {
	case was.PromptHash != is.PromptHash:
		return fmt.Errorf("the prompts have changed since the calibration of %s: want it done again", c.Metric)
	case !assay.SameJudge(c.Judge, j, m.Prompts):
		return fmt.Errorf("the calibration is of %s with its parameters and passes, not of %s with these", title(*c.Judge), title(*j))
	}
	return nil
}

// Write writes the calibration as JSON.
func (c Calibration) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// ReadCalibration reads what Write wrote.
func ReadCalibration(r io.Reader) (c Calibration, err error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Calibration{}, fmt.Errorf("calibration: %w", err)
	}
	if c.Metric == "" || c.Date.IsZero() {
		return Calibration{}, fmt.Errorf("calibration: no metric or no date: want what assay judge calibrate --output wrote")
	}
	return c, nil
}
