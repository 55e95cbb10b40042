package assay

import (
	"time"
)

// A Record is what a run keeps of one case: what the target did and how every
// metric scored it. A record is final: it is written once.
type Record struct {
	// Seq is the case's place among the cases of the run, from 0. Reports are in this
	// order, whatever the order of completion.
	Seq  int  `json:"seq"`
	Case Case `json:"case"`
	// Response is what the target returned; nil when it failed.
	Response *Response `json:"response,omitempty"`
	// Failure says why there is no response; nil when there is one.
	Failure *Failure `json:"failure,omitempty"`
	// Attempts counts the calls to the target, 1 or more.
	Attempts int `json:"attempts"`
	// Tries are the attempts that failed, in order: the last one's failure is
	// Failure, unless a response followed.
	Tries []Try `json:"tries,omitempty"`
	// Scores maps a metric's name with its parameters, such as "ndcg@10", to
	// the score. Every metric of the run is present.
	Scores map[string]Score `json:"scores"`
	// Attribution says at which stage the case's evidence was lost; nil when
	// nobody asked or the case has nothing to follow.
	Attribution *Attribution `json:"attribution,omitempty"`
	// Judging is what judging the case consumed; nil when nothing was judged.
	Judging *Spending `json:"judging,omitempty"`
	// Warnings are remarks of the evaluator, such as passages that were cut to
	// fit the judge's window.
	Warnings []string `json:"warnings,omitempty"`
	// Started is the time of the first attempt, in UTC.
	Started time.Time `json:"started"`
	// Slow is set when the response took longer than the slow threshold.
	Slow bool `json:"slow,omitempty"`
}

// Status is the outcome of a record in one word.
type Status string

const (
	// StatusOK means that the target responded and no threshold was missed.
	StatusOK Status = "ok"
	// StatusFailed means that a score of the case missed its threshold.
	StatusFailed Status = "failed"
	// StatusError means that the target gave no response.
	StatusError Status = "error"
)

// A Failure tells why a target gave no response.
type Failure struct {
	// Kind is a word such as "timeout", "refused", "status", "crash".
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// A Try is an attempt that failed.
type Try struct {
	Failure
	// Latency is how long it took to fail, Wait how long the engine then waited.
	Latency time.Duration `json:"latency_ns,omitempty"`
	Wait    time.Duration `json:"wait_ns,omitempty"`
}

// A Header describes a run: everything that can move one of its numbers, and
// what is needed to do it again.
type Header struct {
	// ID names the run; it is sortable by time.
	ID string `json:"id"`
	// Name is the label that a user gave, or that of the config compared.
	Name     string    `json:"name,omitempty"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
	// State is "running", "finished" or "interrupted"; of a run that a server was
	// asked for also "queued", "failed", which is one that could not begin, or
	// "cancelled".
	State string `json:"state"`
	// Version is that of assay itself, with the revision it was built from.
	Version string      `json:"version"`
	Dataset DatasetInfo `json:"dataset"`
	// Repeat is how often each case is asked when that is more than once:
	// every draw has a record of its own.
	Repeat  int          `json:"repeat,omitempty"`
	Corpus  *CorpusInfo  `json:"corpus,omitempty"`
	Target  TargetInfo   `json:"target"`
	Metrics []MetricInfo `json:"metrics"`
	// Embedder is the identity of the embedder that metrics used, if any.
	Embedder string `json:"embedder,omitempty"`
	// Judge names the model, prompts and parameters that judged; nil when no
	// metric of the run is judged.
	Judge *JudgeInfo `json:"judge,omitempty"`
	// Spending is what the run's judging consumed, Estimated what it was
	// expected to before the run began; nil when no model judged, or nobody
	// knew.
	Spending  *Spending `json:"spending,omitempty"`
	Estimated *Spending `json:"estimated,omitempty"`
	Seed      uint64    `json:"seed"`
	// Config holds every setting as resolved, with secrets left out.
	Config map[string]string `json:"config,omitempty"`
	// Command is the command line, with secrets left out.
	Command  []string `json:"command,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Asked is the number of records of a finished run: one for every draw of every
// case.
func (h Header) Asked() int { return h.Dataset.Cases * max(1, h.Repeat) }

// DatasetInfo identifies the cases of a run.
type DatasetInfo struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"`
	Format string `json:"format,omitempty"`
	// Hash is of the content: "sha256:" and hexadecimal digits.
	Hash string `json:"hash"`
	// Cases counts those of the run, each once however often it is asked, Total
	// those of the dataset.
	Cases    int       `json:"cases"`
	Total    int       `json:"total"`
	Critical int       `json:"critical"`
	Created  time.Time `json:"created,omitzero"`
}

// CorpusInfo identifies the documents that the target answered from.
type CorpusInfo struct {
	Path      string `json:"path,omitempty"`
	Hash      string `json:"hash"`
	Documents int    `json:"documents"`
	Passages  int    `json:"passages,omitempty"`
}

// TargetInfo identifies the system under test.
type TargetInfo struct {
	Adapter  string `json:"adapter"`
	Endpoint string `json:"endpoint,omitempty"`
	// Settings are those of the adapter that can move a number.
	Settings map[string]string `json:"settings,omitempty"`
}

// MetricInfo is what a report needs to know of a metric.
type MetricInfo struct {
	// Name is canonical and carries its parameters: "ndcg@10".
	Name  string `json:"name"`
	Title string `json:"title"`
	// Better is "higher" or "lower".
	Better string `json:"better"`
	// Unit is "" for a ratio in 0…1, else a word such as "points".
	Unit string `json:"unit,omitempty"`
	// Range holds the smallest and the largest possible value; a missing
	// upper end is the largest finite number.
	Range [2]float64 `json:"range"`
	// Pooled is set when the mean is of pooled counts, not of cases.
	Pooled bool `json:"pooled,omitempty"`
	// Judged is set when a judge's rulings are behind the metric: numbers of
	// different judges are not comparable.
	Judged bool `json:"judged,omitempty"`
	// Prompts names the judge's prompts whose answers the metric reads: numbers
	// are comparable when these are the same, whatever became of the others. It
	// is empty in headers written before prompts were recorded one by one.
	Prompts []string `json:"prompts,omitempty"`
	// Estimate is set when no judge saw what the metric claims to measure.
	Estimate bool `json:"estimate,omitempty"`
	// Version counts changes of the implementation that move a number.
	Version int `json:"version"`
	// Weight is the metric's share of the composite, from 0, which is none, to
	// 1. The weights of a run add up to 1.
	Weight float64 `json:"weight,omitempty"`
	// Threshold is what the mean must reach, and every case's own score for the
	// case to be ok: at least, or at most where lower is better. nil is none.
	Threshold *float64 `json:"threshold,omitempty"`
	// Scheme is "sha256:" and the hash of the user's own marking scheme that
	// the metric marks by; "" for a metric that has none.
	Scheme string `json:"scheme,omitempty"`
}
