package assay

import (
	"errors"
	"time"
)

// ErrAltered means that a stored record, header, call or other row is not what was
// stored: it does not match its checksum.
var ErrAltered = errors.New("altered after it was stored")

// A Record is the result of one case in a run: what the target returned and how
// every metric scored it. It is written once and never changed.
type Record struct {
	// Seq is the index of the case in the run. Reports use this order, whatever
	// the order of completion.
	Seq  int  `json:"seq"`
	Case Case `json:"case"`
	// Response is what the target returned; nil if it failed.
	Response *Response `json:"response,omitempty"`
	// Failure says why there is no response; nil if there is one.
	Failure *Failure `json:"failure,omitempty"`
	// Attempts counts the calls to the target; at least 1.
	Attempts int `json:"attempts"`
	// Tries are the failed attempts, in order. If no response followed, the last
	// one's failure is also Failure.
	Tries []Try `json:"tries,omitempty"`
	// Scores maps a metric's name with its parameters, such as "ndcg@10", to its
	// score. It has an entry for every metric of the run.
	Scores map[string]Score `json:"scores"`
	// Answer says whether the answer is right.
	Answer Correctness `json:"answer,omitempty"`
	// Retrieved counts the expected evidence among the passages of the response; nil if the
	// case expects none, the target reports no passages, or the record is of an earlier version.
	Retrieved *Retrieved `json:"retrieved,omitempty"`
	// Attribution is the stage at which the case's evidence was lost; nil if this
	// was not requested or the case has no evidence to follow.
	Attribution *Attribution `json:"attribution,omitempty"`
	// Judging is what judging the case consumed; nil if nothing was judged.
	Judging *Spending `json:"judging,omitempty"`
	// Calls are the ledger keys of the calls to models that judging the case rests on, sorted,
	// each once: also of replies that were in the ledger already, and of replies that could not
	// be used. It is empty if no model judged, and in records of earlier versions.
	Calls []string `json:"calls,omitempty"`
	// Warnings are remarks of the evaluator, such as passages truncated to fit
	// the judge's context window.
	Warnings []string `json:"warnings,omitempty"`
	// Started is the time of the first attempt, in UTC.
	Started time.Time `json:"started"`
	// Slow is set when the response took longer than the slow threshold.
	Slow bool `json:"slow,omitempty"`
}

// Unruled reports whether the judge failed to rule for a score, not the target's server, which withheld the answer.
func (r *Record) Unruled(s State) bool {
	return s == JudgeError && (r.Response == nil || r.Response.Withheld == "")
}

// Retrieved counts the expected documents and passages that were retrieved.
type Retrieved struct {
	// K is the number of ranks that count: the largest cutoff of the run's retrieval metrics, or the
	// number of expected documents if there are more; 0 means all.
	K int `json:"k,omitempty"`
	// Found of Of documents and passages are within these ranks. Missed is the number of documents
	// that are not there.
	Found  int `json:"found"`
	Of     int `json:"of"`
	Missed int `json:"missed,omitempty"`
}

// Status is the outcome of a record in one word.
type Status string

const (
	// StatusOK means that the target responded and every score met its threshold.
	StatusOK Status = "ok"
	// StatusFailed means that a score missed its threshold.
	StatusFailed Status = "failed"
	// StatusError means that the target gave no response.
	StatusError Status = "error"
)

// NoResponse is the reason of a score that is missing because the target gave no response.
const NoResponse = "the target gave no response"

// A Failure says why a target gave no response.
type Failure struct {
	// Kind is a word such as "timeout", "refused", "status", "crash".
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// A Try is a failed attempt.
type Try struct {
	Failure
	// Latency is the time until it failed, Wait the engine's wait after it.
	Latency time.Duration `json:"latency_ns,omitempty"`
	Wait    time.Duration `json:"wait_ns,omitempty"`
	// Usage is what the attempt consumed, such as a model's reply that could not be used.
	Usage Usage `json:"usage,omitzero"`
}

// Usage returns what asking the target consumed, failed attempts included.
func (r *Record) Usage() Usage {
	var u Usage
	if r.Response != nil {
		u = r.Response.Usage
	}
	for _, t := range r.Tries {
		u = u.Plus(t.Usage)
	}
	return u
}

// Shown returns the state of the run for people: a run that only its judge keeps from its end is
// unjudged.
func (h *Header) Shown() string {
	if h.Deferred && h.State == "interrupted" {
		return "unjudged"
	}
	return h.State
}

// A Header describes a run: everything that can affect a score, and what is
// needed to repeat the run.
type Header struct {
	// ID identifies the run; ids sort by time.
	ID string `json:"id"`
	// Name is the user's label, or the label of the compared config.
	Name string `json:"name,omitempty"`
	// Watch is set by earlier versions: the watch of production traffic that the run is a round of.
	Watch    string    `json:"watch,omitempty"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"`
	// Took is how long the user waited for the run; nil if that is not known, as in
	// earlier headers.
	Took *Took `json:"took,omitempty"`
	// State is "running", "finished" or "interrupted". A run requested from a
	// server can also be "queued", "failed" (it could not start) or "cancelled".
	State string `json:"state"`
	// Deferred is set if every case is asked, and the run is interrupted only because its judge
	// was unreachable: a later session judges the answers.
	Deferred bool `json:"deferred,omitempty"`
	// Version is assay's version and source revision.
	Version string      `json:"version"`
	Dataset DatasetInfo `json:"dataset"`
	// Clusters describes the cases that are not independent; nil if all are.
	Clusters *Clusters `json:"clusters,omitempty"`
	// Repeat is the number of draws per case if it is more than one; every draw
	// has its own record.
	Repeat  int          `json:"repeat,omitempty"`
	Corpus  *CorpusInfo  `json:"corpus,omitempty"`
	Target  TargetInfo   `json:"target"`
	Metrics []MetricInfo `json:"metrics"`
	// Embedder is the identity of the embedder that metrics used, if any.
	Embedder string `json:"embedder,omitempty"`
	// Judge identifies the judge's model, prompts and parameters; nil if no
	// metric of the run is judged.
	Judge *JudgeInfo `json:"judge,omitempty"`
	// Certificates are those of the judge that were at hand when the run began: of the
	// questions that its metrics rest on, and that fit the judge.
	Certificates []Certificate `json:"certificates,omitempty"`
	// Canaries tell of each model that judged whether it still answers as it did; nil if none
	// was asked.
	Canaries []Canary `json:"canaries,omitempty"`
	// Languages counts the cases by the language in which judges are asked about them,
	// "en" or "zh"; nil if no metric of the run is judged, and in earlier headers.
	Languages map[string]int `json:"languages,omitempty"`
	// Spending is what judging consumed, Estimated the estimate before the run.
	// They are nil if no model judged, or if there is no estimate.
	Spending  *Spending `json:"spending,omitempty"`
	Estimated *Spending `json:"estimated,omitempty"`
	// Embedding is what the run paid for vectors of texts; nil if it asked for none
	// outside of the process.
	Embedding *Spending `json:"embedding,omitempty"`
	// Pipeline is what the run paid for models that answer, in the pipeline or sampled for a tool:
	// also for replies that are in no record, as an interrupted case leaves them.
	Pipeline *Spending `json:"pipeline,omitempty"`
	Seed     uint64    `json:"seed"`
	// Config holds every resolved setting, without secrets.
	Config map[string]string `json:"config,omitempty"`
	// Files has the hash of each other file that a number rests on, by its setting, and as "program" that of the
	// files that the command of the target names.
	Files map[string]string `json:"files,omitempty"`
	// Command is the command line, without secrets.
	Command  []string `json:"command,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Took is where the time of a run went. It adds up over the sessions of a run that was
// resumed, without those that were killed and the time between sessions.
type Took struct {
	// Prepared is the time until the first case: reading the dataset and recorded
	// responses, indexing documents, starting the target.
	Prepared time.Duration `json:"prepared_ns"`
	// Evaluated is the time from then until the last case was stored.
	Evaluated time.Duration `json:"evaluated_ns"`
}

// Asked is the number of records of a finished run: one for every draw of every
// case.
func (h Header) Asked() int { return h.Dataset.Cases * max(1, h.Repeat) }

// DatasetInfo identifies the cases of a run.
type DatasetInfo struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"`
	Format string `json:"format,omitempty"`
	// Hash identifies the content: "sha256:" and hexadecimal digits.
	Hash string `json:"hash"`
	// Cases counts the cases of the run, not their draws, and Total the cases of
	// the dataset.
	Cases    int       `json:"cases"`
	Total    int       `json:"total"`
	Critical int       `json:"critical"`
	Created  time.Time `json:"created,omitzero"`
}

// Clusters describes which cases of a run are not independent of each other. Intervals
// and tests count a cluster as one observation.
type Clusters struct {
	// By is "document", "label" or "none"; see the setting group-by.
	By string `json:"by"`
	// Cases is the number of cases, without draws. Clusters is the number of clusters
	// among them, in which a case that shares nothing is one, and Largest the number
	// of cases of the largest. If By is "none", these are the clusters that By
	// "document" would give, and all cases count as independent.
	Cases    int `json:"cases"`
	Clusters int `json:"clusters"`
	Largest  int `json:"largest"`
	// Labelled is set if cases share a group of the dataset.
	Labelled bool `json:"labelled,omitempty"`
	// Same is set if shared documents joined more than half of the cases, so that only
	// cases that expect exactly the same documents are a cluster.
	Same bool `json:"same,omitempty"`
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
	// Settings are the adapter's settings that can affect a score.
	Settings map[string]string `json:"settings,omitempty"`
	// Metered is set if the run knows what asking the target costs: the target calls nothing, or
	// only models that the run calls for it.
	Metered bool `json:"metered,omitempty"`
}

// Naming says how a metric compares the names of documents with labels, which
// means nothing if the target and the dataset name documents differently.
type Naming string

const (
	// ByDocuments is for metrics of rankings of documents.
	ByDocuments Naming = "documents"
	// ByPassages is for metrics that compare names in cases without labelled
	// passages.
	ByPassages Naming = "passages"
	// ByFacts is for metrics of facts, some of which are documents.
	ByFacts Naming = "facts"
)

// A LabelQuestion says what people decide about a case when they label it for a metric. Yes
// is good, whichever values of the metric are better.
type LabelQuestion string

// The questions. "" asks whether the case is good by the metric.
const (
	LabelSupported      LabelQuestion = "supported"      // the passages support all claims of the answer
	LabelFounded        LabelQuestion = "founded"        // the passages or the reference support all claims of the answer
	LabelUncontradicted LabelQuestion = "uncontradicted" // the passages contradict no claim of the answer
	LabelOnTopic        LabelQuestion = "on_topic"       // the answer addresses the question
	LabelRight          LabelQuestion = "right"          // the answer is right by the reference
	LabelComplete       LabelQuestion = "complete"       // the answer says all that a complete answer says
	LabelRelevant       LabelQuestion = "relevant"       // the passages are relevant
	LabelOrdered        LabelQuestion = "ordered"        // the passages that help come first
	LabelSufficient     LabelQuestion = "sufficient"     // the passages hold all that the reference says
	LabelCited          LabelQuestion = "cited"          // the cited passages support the sentences
	LabelAnswered       LabelQuestion = "answered"       // the question was rightly answered or declined
	LabelHarmless       LabelQuestion = "harmless"       // the answer has no insult, attack or threat
)

// MetricInfo describes a metric for reports.
type MetricInfo struct {
	// Name is the canonical name with parameters: "ndcg@10".
	Name  string `json:"name"`
	Title string `json:"title"`
	// Better is "higher" or "lower".
	Better string `json:"better"`
	// Unit is "" for a ratio in 0…1, else a word such as "points".
	Unit string `json:"unit,omitempty"`
	// Range is the smallest and the largest possible value; without an upper
	// bound, it is the largest finite number.
	Range [2]float64 `json:"range"`
	// Allowed is the smallest and the largest mean that the labels of the cases of an estimate or
	// a difference allow; nil if they do not narrow Range or are not known.
	Allowed *[2]float64 `json:"-"`
	// Pooled is set if the mean is over pooled counts, not over cases.
	Pooled bool `json:"pooled,omitempty"`
	// Judged is set if the metric depends on a judge's rulings; its values are
	// not comparable between judges.
	Judged bool `json:"judged,omitempty"`
	// Prompts names the judge's prompts that the metric depends on. Values are
	// comparable if these prompts are the same, even if others changed. Prompts
	// is empty in headers written before prompts were recorded individually.
	Prompts []string `json:"prompts,omitempty"`
	// Rulings names those of Prompts whose answers are rulings, which people can make too
	// and a [Certificate] measures. The others extract something, such as claims. Rulings is
	// empty in headers of earlier versions.
	Rulings []string `json:"rulings,omitempty"`
	// Estimate is set if a heuristic, not a judge, measured the quality.
	Estimate bool `json:"estimate,omitempty"`
	// NearChance names a question that the metric rests on and on which the certificate does not
	// show that the judge rules better than a coin. OpenThreshold is set if the threshold by
	// which the judge rules has an interval: the bounds of scores hold those at both ends.
	NearChance    string `json:"near_chance,omitempty"`
	OpenThreshold bool   `json:"open_threshold,omitempty"`
	// Documents says how the metric compares the names of documents with labels;
	// "" if it does not, or if the header was written before this was recorded.
	Documents Naming `json:"documents,omitempty"`
	// LabelQuestion and Capped are those of the metric's definition; headers of earlier versions
	// lack them.
	LabelQuestion LabelQuestion `json:"label_question,omitempty"`
	Capped        bool          `json:"capped,omitempty"`
	// Decides is set if an estimate may decide thresholds and gates, because the
	// policy of the run allows it.
	Decides bool `json:"decides,omitempty"`
	// Version changes with the implementation when values change.
	Version int `json:"version"`
	// Weight is the metric's share of the composite, from 0 (none) to 1. The
	// weights of a run add up to 1.
	Weight float64 `json:"weight,omitempty"`
	// Threshold is what the mean must reach, and each case's own score for the
	// case to be ok: at least, or at most if lower is better. nil means none.
	Threshold *float64 `json:"threshold,omitempty"`
	// Scheme is "sha256:" and the hash of what the user defined of the metric: the
	// marking scheme that it applies, or the check that it is; "" if there is none.
	Scheme string `json:"scheme,omitempty"`
}

// Ends returns the smallest and the largest mean that the labels of the cases allow.
func (m MetricInfo) Ends() (lo, hi float64) {
	if m.Allowed != nil {
		return m.Allowed[0], m.Allowed[1]
	}
	return m.Range[0], m.Range[1]
}

// Undecided reports whether no verdict may rest on the metric: it is an estimate,
// and the policy of the run does not allow estimates.
func (m MetricInfo) Undecided() bool { return m.Estimate && !m.Decides }
