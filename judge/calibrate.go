package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay/stats"
)

const (
	// minThreshold is how many items of each label a threshold needs
	//.
	minThreshold = 20
	// MinValidated and MinRarer are how many labelled items, and how many of the
	// rarer label, a validated judge needs.
	MinValidated = 100
	MinRarer     = 30
	// MinPairs is how many pairs of labels by two people it needs.
	MinPairs = 50
	// mostPairs is how many times as many pairs it may lack: agreement that needs more can be that of chance.
	mostPairs = 10
	// humanGap is how far the lower bound of a validated judge's agreement may be below
	// that of two people.
	humanGap = 0.1
	// OneSided is the share of one label from which AC1 replaces kappa, which misleads.
	OneSided = 0.85
	// folds of the cross-validation of a threshold.
	folds = 5
	// unlike is how many standard errors the mean score of labelled items may differ from
	// that of the others if they are a random sample.
	unlike = 3
)

// A Rated is one item of a calibration: the labels of people and the score of the judge.
type Rated struct {
	Case string
	// Base is the id that all draws of the case share, "" if it is not known. They count as one case, and are one cluster.
	Base string
	// Cluster groups items that are not independent; "" means none.
	Cluster string
	// Labels are those of the annotators in a fixed order, nil for a missing one. The
	// judge is compared with the first.
	Labels []*float64
	// Score is the judge's score; nil if there is none.
	Score *float64
	// Failed is set if there is no score because the judge failed.
	Failed bool
}

// first is the label that the judge is compared with.
func (r Rated) first() *float64 {
	if len(r.Labels) == 0 {
		return nil
	}
	return r.Labels[0]
}

// CalibrateOptions are the options of [Calibrate].
type CalibrateOptions struct {
	// Threshold is the score from which the judge counts as saying 1.
	Threshold float64
	// Positive is the label from which people count as saying 1; nil requires labels
	// of 0 or 1.
	Positive *float64
	// Scale is the lowest and the highest level of graded labels; nil if it is
	// not declared.
	Scale *[2]int
	// Level of the intervals; 0 means [stats.DefaultLevel].
	Level float64
	Seed  uint64
}

// A CalibrationReport compares a judge's scores of a metric with labels of people. Parts
// that cannot be computed are nil, with the reason next to them or in Warnings.
type CalibrationReport struct {
	// N counts the cases with a label and a score. Unscored counts labels
	// without a score, JudgeErrors those of them where the judge failed, and
	// Unlabelled scores without a label.
	N           int     `json:"n"`
	Unscored    int     `json:"unscored"`
	JudgeErrors int     `json:"judge_errors"`
	Unlabelled  int     `json:"unlabelled"`
	Level       float64 `json:"level"`

	// Binary has the measures for labels of 0 and 1, or graded ones split by
	// CalibrateOptions.Positive; Graded those for graded labels.
	Binary *BinaryCalibration `json:"binary,omitempty"`
	Graded *GradedCalibration `json:"graded,omitempty"`
	Run    Corrected          `json:"run"`
	// Validated reports whether the judge agrees with people about as well as
	// people do; Lacks says what it lacks.
	Validated bool     `json:"validated"`
	Lacks     []string `json:"lacks,omitempty"`
	// Worse is set if the intervals show that the judge agrees less with people than people do. A judge that is neither
	// validated nor worse is undetermined. PairsMissing is how many pairs of labels by two people it lacks,
	// ClustersMissing how many clusters.
	Worse           bool `json:"worse"`
	PairsMissing    int  `json:"pairs_missing,omitempty"`
	ClustersMissing int  `json:"clusters_missing,omitempty"`
	// Unlike is how much more the judge gives the labelled items on average than the others,
	// if that is more than chance allows for a random sample; else nil.
	Unlike   *float64 `json:"unlike,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// BinaryCalibration has the measures for labels of 0 and 1.
type BinaryCalibration struct {
	// Prevalence is the share of labels that are 1. It is needed to interpret kappa.
	Prevalence float64 `json:"prevalence"`
	// Threshold is the score from which the judge counts as saying 1, Confusion the
	// resulting confusion matrix.
	Threshold        float64         `json:"threshold"`
	Confusion        stats.Confusion `json:"confusion"`
	Judge            Agreed          `json:"judge"`
	AUROC            Figure          `json:"auroc"`
	BalancedAccuracy Figure          `json:"balanced_accuracy"`
	Best             BestThreshold   `json:"best_threshold"`
	// Brier and ECE interpret the score as a probability.
	Brier Figure `json:"brier"`
	ECE   Figure `json:"ece"`
	// Humans compares the annotators; nil if there is one.
	Humans *Agreed `json:"humans,omitempty"`
}

// A BestThreshold is the score at which the judge agrees best.
type BestThreshold struct {
	// Value is nil when there are too few labels to choose by, and Why says so.
	Value *float64 `json:"value"`
	// Resubstituted is the balanced accuracy on the items it was chosen on;
	// CrossValidated, on other items, is the realistic one.
	Resubstituted  *float64 `json:"resubstituted"`
	CrossValidated *float64 `json:"cross_validated"`
	Why            string   `json:"why,omitempty"`
}

// GradedCalibration has the measures for graded labels.
type GradedCalibration struct {
	Mean     float64 `json:"mean"`
	Spearman Figure  `json:"spearman"`
	Pearson  Figure  `json:"pearson"`
	// Kappa is quadratically weighted over the declared scale, onto which
	// scores of 0…1 are brought.
	Kappa Figure `json:"quadratic_kappa"`
	// Alpha is Krippendorff's, ordinal, of all annotators.
	Alpha Figure `json:"human_alpha"`
}

// Corrected has what people would say of the whole run.
type Corrected struct {
	// Labels is the mean of the labels alone.
	Labels stats.Estimate `json:"labels"`
	// Score is the judge's mean over the run, Passed the share that it puts at
	// the threshold or above: uncorrected.
	Score  Figure `json:"score"`
	Passed Figure `json:"passed"`
	// PPI is corrected; nil if it cannot be, and Why says why.
	PPI *stats.Corrected `json:"ppi,omitempty"`
	// LabelsForHalf is how many further labels of cases drawn at random would halve the
	// interval of PPI; nil if not even those of all cases would.
	LabelsForHalf *int     `json:"labels_for_half,omitempty"`
	Why           []string `json:"why,omitempty"`
}

// calibration is the work of [Calibrate].
type calibration struct {
	o   CalibrateOptions
	out *CalibrationReport
	// both have a label and a score, rest a score alone.
	both, rest     []Rated
	clusters       []string
	scores, labels []float64
	truth          []bool
	// levelled is set if the scores are on the declared scale, and not from 0 to 1.
	levelled bool
}

// Calibrate compares a judge's scores with labels of people on the items that have both,
// and estimates from them what people would say of all items with a score. Labels that are
// all 0 or 1, or that o.Positive splits, give the binary measures; graded labels the graded
// ones. Cases whose target failed do not count.
//
// Intervals are percentile bootstrap over clusters. It is an error if no item
// has both a label and a score, or when an option cannot be.
func Calibrate(items []Rated, o CalibrateOptions) (*CalibrationReport, error) {
	c, err := newCalibration(items, o)
	if err != nil {
		return nil, err
	}
	if c.graded() {
		c.grade()
	}
	if c.split() {
		c.binary()
	}
	c.correct()
	c.badge()
	c.doubt()
	return c.out, nil
}

// Correct estimates what people would say of all items with a score, as [Calibrate] does,
// without the measures of agreement, whose intervals take longer.
func Correct(items []Rated, o CalibrateOptions) (*Corrected, error) {
	c, err := newCalibration(items, o)
	if err != nil {
		return nil, err
	}
	if c.split() {
		c.out.Binary = &BinaryCalibration{}
	}
	c.correct()
	return &c.out.Run, nil
}

// newCalibration checks the options and sorts the items.
func newCalibration(items []Rated, o CalibrateOptions) (*calibration, error) {
	if o.Level == 0 {
		o.Level = stats.DefaultLevel
	}
	switch {
	case !(o.Level > 0 && o.Level < 1):
		return nil, fmt.Errorf("level %v: expected a number between 0 and 1", o.Level)
	case math.IsNaN(o.Threshold) || math.IsInf(o.Threshold, 0):
		return nil, fmt.Errorf("threshold %v: expected a number", o.Threshold)
	case o.Scale != nil && o.Scale[0] >= o.Scale[1]:
		return nil, fmt.Errorf("scale %d to %d: expected two levels or more", o.Scale[0], o.Scale[1])
	}
	if err := measurable(items); err != nil {
		return nil, err
	}
	c := &calibration{o: o, out: &CalibrationReport{Level: o.Level}}
	c.sort(items)
	if c.out.N == 0 {
		return nil, fmt.Errorf("no item has both a label and a score: %d labels without a score, %d scores without a label", c.out.Unscored,
			c.out.Unlabelled)
	}
	return c, c.level()
}

// level finds out whether the scores are on the declared scale. It is an error if they are neither on it nor from 0 to 1,
// and labels count as levels.
func (c *calibration) level() error {
	all := slices.Concat(c.both, c.rest)
	outside := func(lo, hi int) int {
		return slices.IndexFunc(all, func(r Rated) bool { return *r.Score < float64(lo) || *r.Score > float64(hi) })
	}
	if s := c.o.Scale; s != nil && outside(0, 1) >= 0 {
		if i := outside(s[0], s[1]); i >= 0 && c.o.Positive == nil {
			return fmt.Errorf("case %q: score %v: expected all scores from 0 to 1, or all on the scale %d to %d", all[i].Case, *all[i].Score, s[0], s[1])
		} else if i < 0 {
			c.levelled = true
		}
	}
	return nil
}

// largest is the largest label or score, so that squares and products stay finite.
const largest = 1e9

func measurable(items []Rated) error {
	for _, r := range items {
		for _, l := range r.Labels {
			if l != nil && !(math.Abs(*l) <= largest) {
				return fmt.Errorf("case %q: label %v: expected a number within ±%g", r.Case, *l, largest)
			}
		}
		if r.Score != nil && !(math.Abs(*r.Score) <= largest) {
			return fmt.Errorf("case %q: score %v: expected a number within ±%g", r.Case, *r.Score, largest)
		}
	}
	return nil
}

// sort groups the items by what they have.
func (c *calibration) sort(items []Rated) {
	draws, cases := map[string]int{}, map[string]bool{}
	for _, r := range items {
		draws[r.Base]++
	}
	for _, r := range items {
		if r.Base != "" && r.Cluster == "" && draws[r.Base] > 1 {
			r.Cluster = r.Base
		}
		label := r.first()
		switch {
		case label != nil && r.Score != nil:
			if r.Base == "" || !cases[r.Base] {
				c.out.N++
			}
			cases[r.Base] = true
			c.both = append(c.both, r)
			c.clusters = append(c.clusters, r.Cluster)
			c.scores = append(c.scores, *r.Score)
			c.labels = append(c.labels, *label)
		case label != nil:
			c.out.Unscored++
			if r.Failed {
				c.out.JudgeErrors++
			}
		case r.Score != nil:
			c.rest = append(c.rest, r)
		}
	}
	c.out.Unlabelled = len(c.rest)
}

// graded reports whether a label is neither 0 nor 1.
func (c *calibration) graded() bool {
	return slices.ContainsFunc(c.labels, func(l float64) bool { return l != 0 && l != 1 }) || c.o.Scale != nil
}

// isTrue is a label as yes or no.
func (c *calibration) isTrue(label float64) bool {
	if c.o.Positive != nil {
		return label >= *c.o.Positive
	}
	return label == 1
}

// split makes the labels binary, if possible.
func (c *calibration) split() bool {
	if c.o.Positive == nil && c.graded() {
		c.lacks("labels of 0 and 1, or a label from which graded ones count as 1")
		return false
	}
	for _, l := range c.labels {
		c.truth = append(c.truth, c.isTrue(l))
	}
	return true
}

func (c *calibration) lacks(format string, args ...any) {
	c.out.Lacks = append(c.out.Lacks, fmt.Sprintf(format, args...))
}

func (c *calibration) warn(format string, args ...any) {
	c.out.Warnings = append(c.out.Warnings, fmt.Sprintf(format, args...))
}
