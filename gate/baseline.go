package gate

import (
	"errors"
	"io"
	"time"

	"github.com/assay-eval/assay"
)

// BaselineSchema names the version of the format of baseline files.
const BaselineSchema = "assay.baseline/1"

// A Baseline is the part of a run that later runs are held to, small enough to
// commit: what the run was on, what judged it, and the score of every case, so
// that comparisons with it are paired.
type Baseline struct {
	Schema  string    `json:"schema"`
	Run     string    `json:"run"`
	Name    string    `json:"name,omitempty"`
	Created time.Time `json:"created"`
	Version string    `json:"assay"`
	// Reason says why the baseline is what it is; approving one asks for it.
	Reason  string                     `json:"reason,omitempty"`
	Dataset BaselineDataset            `json:"dataset"`
	Corpus  string                     `json:"corpus,omitempty"`
	Judge   *assay.JudgeInfo           `json:"judge,omitempty"`
	Embed   string                     `json:"embedder,omitempty"`
	Metrics map[string]*BaselineMetric `json:"metrics"`
	// Cases holds every case's value of every metric, by the case's id; a
	// metric that does not apply to a case, or was not scored, is absent.
	Cases map[string]map[string]float64 `json:"cases"`
}

// A BaselineDataset says what a baseline was measured on.
type BaselineDataset struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
	// Cases is the size of the gold set: how many cases the run had.
	Cases int `json:"cases"`
}

// A BaselineMetric is what a baseline remembers of a metric.
type BaselineMetric struct {
	Mean    float64    `json:"mean"`
	N       int        `json:"n"`
	Failed  int        `json:"failed,omitempty"`
	Better  string     `json:"better"`
	Unit    string     `json:"unit,omitempty"`
	Range   [2]float64 `json:"range"`
	Version int        `json:"version"`
	Judged  bool       `json:"judged,omitempty"`
	Scheme  string     `json:"scheme,omitempty"`
}

// NewBaseline takes from a run what later ones are held to. It is an error when
// the run is not finished, when the target failed every case, or when no metric
// was measured: such a baseline would hold nobody to anything.
func NewBaseline(r Run, reason string, now time.Time) (*Baseline, error) {
	return nil, errors.New("not written yet")
}

// ReadBaseline reads a baseline file. The error says what is wrong with it and
// where.
func ReadBaseline(r io.Reader) (*Baseline, error) { return nil, errors.New("not written yet") }

// Write writes the baseline as JSON: keys sorted, one line a case, so that a
// change of one case is a change of one line.
func (b *Baseline) Write(w io.Writer) error { return errors.New("not written yet") }

// Refuses gives the reasons why a run cannot be compared with the baseline: it
// ran on another data set, on another number of cases, or was judged by another
// judge or by other prompts; nil when it can.
func (b *Baseline) Refuses(h assay.Header) []string { return nil }

// Records gives what the baseline remembers as records, so that it can be set
// beside runs; they hold scores and nothing else.
func (b *Baseline) Records() []assay.Record { return nil }

// Header describes the run that the baseline was taken from, as far as it is
// remembered.
func (b *Baseline) Header() assay.Header { return assay.Header{} }

// DefaultTolerances hold where a policy says nothing else, by the metric's name
// without its "src_" or "passage_": a hit among three must not be lost, the
// others absorb what small changes of a ranking do. "mrr" stands for every depth.
var DefaultTolerances = map[string]float64{"hit@3": 0, "precision@5": 0.02, "mrr": 0.03}
