// Package config holds the settings of a run. One table defines each setting's
// name, default and meaning; flags, environment variables, the configuration
// file and the help text are generated from it.
package config

import (
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/adapter"
)

// Config holds the resolved settings of a run.
type Config struct {
	Dataset    string
	Format     string
	Split      string
	Queries    []string
	MinGrade   int
	KeepOwnIDs bool
	// SkipInvalid leaves out rows that cannot be read.
	SkipInvalid bool
	Strict      bool
	Columns     []string
	Qrels       string
	Corpus      string
	Adapter     string
	// Settings are those of the adapters.
	adapter.Settings
	// Sampler is the "PROVIDER:MODEL" that answers sampling requests.
	Sampler string
	// DocumentMap is a file that maps the target's document names to the
	// dataset's.
	DocumentMap string

	// Unreadable is "fail" or "skip".
	Unreadable string

	Retriever string
	// Embedder is "minilm", "command" or "PROVIDER:MODEL". EmbedderURL is the address of a
	// provider that the configuration does not define, EmbedderCommand a command line, with
	// arguments quoted as in a shell.
	Embedder, EmbedderURL, EmbedderCommand string
	TopK                                   int
	Chunk                                  struct {
		Method        string
		Size, Overlap int
	}
	BM25 struct{ K1, B float64 }
	Fuse struct{ K, Depth int }
	// Decomposer is "none", "rule" or "PROVIDER:MODEL", Filter "none",
	// "similarity" or "PROVIDER:MODEL", Generator "extractive", "none" or
	// "PROVIDER:MODEL".
	Decomposer, Filter, Generator string
	// Reranker is a model in place of a filter.
	Reranker struct {
		// Model is "none" or "PROVIDER:MODEL"; "" is none. URL is the address of a provider
		// that the configuration does not define.
		Model, URL string
		// Keep is how many passages it keeps, 1 or more.
		Keep int
	}
	// ExtractBy is "auto" or "embedding".
	ExtractBy string
	// FilterThreshold is from 0 to 10, or [Auto].
	FilterThreshold float64
	Cache           string
	// Profile is the name of a prompt profile.
	Profile string
	// Transcriber is "none", "command" or "PROVIDER:MODEL"; "" is none.
	Transcriber string
	// TranscriberCommand is the command line run for each recording, with
	// arguments quoted as in a shell.
	TranscriberCommand string
	// RecordingLanguage is an ISO 639 code, or "auto".
	RecordingLanguage string

	Metrics []string
	Level   float64
	// Primary is the metric that a comparison is about; "" for none.
	Primary string
	// Attribution is "auto", "funnel", "ladder" or "off", Outcome a rule on a
	// metric; "" is the default.
	Attribution, Outcome string
	// Weights are the weights of the composite. Thresholds are by metric and
	// may include "composite".
	Weights, Thresholds map[string]float64
	// Checks are those of the configuration, by name; each is the metric check.NAME.
	Checks map[string]assay.Check
	// Similarity is the cosine from which two answers count as the same.
	Similarity float64

	// Baseline is the file of a committed baseline; Gate holds the rules for a
	// run beside its thresholds.
	Baseline string
	Gate     struct {
		Rules       []string
		Tolerances  map[string]float64
		Statistical bool
		// AllowEstimates lets estimates decide rules and thresholds.
		AllowEstimates bool
		// MinCertificate is the least balanced accuracy of a certified judge that decides; 0
		// demands no certificate.
		MinCertificate float64
		// Inconclusive is "warn" or "fail".
		Inconclusive string
		// Critical is "labelled" or "all".
		Critical string
		// Labels are tables of labels of people on LabelMetric, LabelScale the lowest and the highest level of the
		// labels, as in 1-4, or "". Corrected lets what people would say decide.
		Labels                  []string
		LabelMetric, LabelScale string
		Corrected               bool
	}

	// Judges are "PROVIDER:MODEL" each, or "offline" alone; without one nothing is judged.
	Judges     []string
	ThirdJudge string
	RequireAll bool
	Passes     int
	// Recheck is [assay.RecheckDoubtful] or RecheckAll.
	Recheck string
	Rubric  string
	// Certificates is the file of the certificates of judges.
	Certificates string
	// Canary is the number of frozen questions that tell whether a judge has changed; 0 asks none.
	Canary int
	Judge  Judging
	// Entailment is the model that rules on the support of claims in place of the judges.
	Entailment struct {
		// Model is "PROVIDER:MODEL", "python:OBJECT", "command" or "". URL is the address of a
		// provider that the configuration does not define, Command a command line, with
		// arguments quoted as in a shell, Label the label of the classes that means entailment.
		Model, URL, Command, Label string
		// Window is in words; 0 is no limit.
		Window int
	}
	// Writer is the "PROVIDER:MODEL" that writes reference answers and the like.
	Writer    string
	Providers Providers
	Prices    string
	// MaxCost is in US dollars; 0 sets no limit.
	MaxCost         float64
	Replay, Refresh bool
	// Offline forbids the network.
	Offline bool

	Concurrency   int
	Timeout       time.Duration
	SlowThreshold time.Duration
	Retries       int
	// Workers is "here" or "queue"; Priority is that of the run in the queue, from 1 to 4.
	Workers  string
	Priority int
	// Backoff is "exponential" or "fixed".
	Backoff string
	// Rate is the maximum number of questions per second; 0 sets no limit.
	Rate      float64
	KeepTexts int
	// Repeat is how often each case is asked.
	Repeat int

	Limit  int
	Sample int
	Seed   uint64
	Tags   []string
	IDs    []string
	// GroupBy is "document", "label" or "none".
	GroupBy string

	Output string
	// Formats are the formats of the report files.
	Formats []string
	// Language is the code of the language of reports.
	Language string
	// JUnit and CSV are files, "" for none; GitHub enables the output for
	// GitHub Actions.
	JUnit, CSV string
	GitHub     bool
	Store      string
	// StorePatience is how long a run waits for an unavailable store.
	StorePatience time.Duration
	Name          string
}

// Judging holds the settings for calls to models, of judges and writers alike.
type Judging struct {
	// URL and KeyEnv replace a provider's own if the configuration does not
	// define that provider.
	URL, KeyEnv string
	Depth       int
	// Language is that of the prompts: "en", "zh", or "auto" for that of each case.
	Language    string
	Concurrency int
	Timeout     time.Duration
	Retries     int
	// Optional lets a run begin while a judge is away.
	Optional bool
	// RPM and TPM limit requests and tokens per minute; 0 sets no limit.
	RPM, TPM    int
	Temperature float64
	MaxTokens   int
	Thinking    int
	Window      int
}
