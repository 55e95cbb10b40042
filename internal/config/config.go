// Package config holds the settings of a run: one table says each setting's
// name, default and meaning, and flags, environment, configuration file and
// help text are all made from it.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
)

// Config holds the settings of a run as resolved.
type Config struct {
	Dataset   string
	Format    string
	Split     string
	Queries   []string
	MinGrade  int
	Columns   []string
	Qrels     string
	Corpus    string
	Adapter   string
	Responses string

	// Endpoint is the target's address, Preset names how one of its kind is
	// asked; Values are its placeholders, Send is a template as JSON (or YAML),
	// Read maps fields to paths.
	Endpoint string
	Preset   string
	Values   map[string]string
	Send     string
	Read     map[string]string
	// Command is what starts the target, its arguments as in a shell.
	Command string
	Dir     string
	HTTP    HTTP
	OpenAI  struct{ Model, System, KeyEnv string }
	MCP     struct{ Tool, Protocol string }
	// Sampler is the "PROVIDER:MODEL" that answers sampling requests.
	Sampler   string
	Processes int
	ChainPath string
	IndexPath string
	Python    string
	// DocumentMap is a file that says which document is which.
	DocumentMap string

	// Unreadable is "fail" or "skip".
	Unreadable string

	Retriever string
	Embedder  string
	TopK      int
	Chunk     struct {
		Method        string
		Size, Overlap int
	}
	BM25 struct{ K1, B float64 }
	Fuse struct{ K, Depth int }
	// Generator is "extractive" or "none".
	Generator string
	Cache     string

	Metrics []string
	Level   float64
	// Weights are those of the composite; Thresholds by metric, "composite"
	// among them.
	Weights, Thresholds map[string]float64
	// Similarity is the cosine from which two answers are the same.
	Similarity float64

	// Judges are "PROVIDER:MODEL" each; none means the offline judge.
	Judges     []string
	ThirdJudge string
	RequireAll bool
	Passes     int
	Rubric     string
	Judge      Judging
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
	// Backoff is "exponential" or "fixed".
	Backoff string
	// Rate is the most questions a second; 0 sets no limit.
	Rate      float64
	KeepTexts int

	Limit  int
	Sample int
	Seed   uint64
	Tags   []string
	IDs    []string

	Output string
	// Formats are those of the report files.
	Formats []string
	Store   string
	Name    string
}

// HTTP says how a target's address is called.
type HTTP struct {
	Method  string
	Headers map[string]string
	Proxy   string
	TLS     struct {
		CA, Cert, Key, ServerName string
		Insecure                  bool
	}
}

// Judging holds how models are asked, judges and writers alike.
type Judging struct {
	// URL and KeyEnv stand in for a provider's own, when one is used that the
	// configuration does not define.
	URL, KeyEnv string
	Depth       int
	Concurrency int
	Timeout     time.Duration
	Retries     int
	// RPM and TPM are limits a minute, of requests and tokens; 0 sets none.
	RPM, TPM    int
	Temperature float64
	MaxTokens   int
	Thinking    int
	Window      int
}

// A Setting is one entry of a configuration.
type Setting struct {
	// Key is the name in a file, with a dot for nesting: "chunk.size". The
	// flag has a dash instead ("--chunk-size"), the environment variable is
	// "ASSAY_CHUNK_SIZE".
	Key string
	// Default is as a user would write it.
	Default string
	// Doc says what the setting does, in one line without a full stop.
	Doc string
	// Section is the heading in a configuration file.
	Section string
	// Words lists the values that are allowed, if only some are.
	Words []string
	// Nested settings are maps: a file writes them below the key, and there is
	// no flag for them.
	Nested bool
	// Example is what a file could say, as YAML, where a default says nothing.
	Example string
	// Free settings move no number: a run that is resumed may have others.
	Free bool
	bind func(*Config) value
}

// value is a setting's place in a Config; it has the methods of a flag.
type value interface {
	Set(string) error
	String() string
	Type() string
}

// SectionJudge is the heading of the settings of judges and of every other
// model.
const SectionJudge = "Who judges"

const (
	sectionData   = "What is asked"
	sectionTarget = "The system under test"
	sectionScore  = "How it is scored"
	sectionRun    = "How it is run"
	sectionChoose = "Which cases"
	sectionOut    = "Where results go"
)

// Settings lists every setting, in the order of a configuration file.
var Settings = []Setting{
	{Key: "dataset", Section: sectionData, Doc: "data set: a file, or a BEIR directory or zip", bind: func(c *Config) value { return text{&c.Dataset} }},
	{Key: "format", Section: sectionData, Doc: "format of the data set, when its content does not tell", bind: func(c *Config) value { return text{&c.Format} }},
	{Key: "split", Section: sectionData, Doc: "which judgments of a BEIR data set (default: test, or the only ones)", bind: func(c *Config) value { return text{&c.Split} }},
	{Key: "queries", Section: sectionData, Doc: "only these queries of a BEIR data set, by id", bind: func(c *Config) value { return list{&c.Queries} }},
	{Key: "min-relevance", Section: sectionData, Default: "1", Doc: "lowest grade of a BEIR judgment that counts as relevant", bind: func(c *Config) value { return whole{&c.MinGrade, 1} }},
	{Key: "map", Section: sectionData, Doc: "columns of a CSV data set, as question=Query", bind: func(c *Config) value { return list{&c.Columns} }},
	{Key: "qrels", Section: sectionData, Doc: "relevance judgments for TREC topics", bind: func(c *Config) value { return text{&c.Qrels} }},

	{Key: "adapter", Section: sectionTarget, Default: "builtin", Words: []string{"builtin", "recorded"}, Doc: "how to reach the target", bind: func(c *Config) value { return text{&c.Adapter} }},
	{Key: "responses", Section: sectionTarget, Doc: "recorded responses: JSON lines or a TREC run (default: those of the data set)", bind: func(c *Config) value { return text{&c.Responses} }},
	{Key: "corpus", Section: sectionTarget, Doc: "folder of documents for the built-in pipeline (a BEIR data set brings its own)", bind: func(c *Config) value { return text{&c.Corpus} }},
	{Key: "unreadable", Section: sectionTarget, Default: "fail", Words: []string{"fail", "skip"}, Doc: "what to do when a document of the corpus cannot be read", bind: func(c *Config) value { return text{&c.Unreadable} }},
	{Key: "retriever", Section: sectionTarget, Default: "hybrid", Words: []string{"sparse", "dense", "hybrid"}, Doc: "retriever of the built-in pipeline", bind: func(c *Config) value { return text{&c.Retriever} }},
	{Key: "embedder", Section: sectionTarget, Default: "minilm", Doc: "embedder of dense retrieval and of semantic metrics", bind: func(c *Config) value { return text{&c.Embedder} }},
	{Key: "top-k", Section: sectionTarget, Default: "10", Doc: "how many passages are retrieved", bind: func(c *Config) value { return whole{&c.TopK, 1} }},
	{Key: "chunk.method", Section: sectionTarget, Default: "auto", Words: []string{"auto", "document", "recursive", "sentence", "token"}, Doc: "how documents are split (auto: recursive for a folder, none for a BEIR corpus)", bind: func(c *Config) value { return text{&c.Chunk.Method} }},
	{Key: "chunk.size", Section: sectionTarget, Default: "160", Doc: "longest chunk, in words (a Chinese character is one)", bind: func(c *Config) value { return whole{&c.Chunk.Size, 1} }},
	{Key: "chunk.overlap", Section: sectionTarget, Default: "32", Doc: "words that a chunk repeats of the one before", bind: func(c *Config) value { return whole{&c.Chunk.Overlap, 0} }},
	{Key: "bm25.k1", Section: sectionTarget, Default: "0.9", Doc: "BM25: how fast repeated words stop counting", bind: func(c *Config) value { return number{&c.BM25.K1, 0, 100} }},
	{Key: "bm25.b", Section: sectionTarget, Default: "0.4", Doc: "BM25: how much long passages are held back", bind: func(c *Config) value { return number{&c.BM25.B, 0, 1} }},
	{Key: "fuse.k", Section: sectionTarget, Default: "60", Doc: "hybrid: the constant of reciprocal rank fusion", bind: func(c *Config) value { return whole{&c.Fuse.K, 1} }},
	{Key: "fuse.depth", Section: sectionTarget, Default: "100", Doc: "hybrid: how deep both lists are read", bind: func(c *Config) value { return whole{&c.Fuse.Depth, 1} }},
	{Key: "generator", Section: sectionTarget, Default: "extractive", Words: []string{"extractive", "none"}, Doc: "how the built-in pipeline answers", bind: func(c *Config) value { return text{&c.Generator} }},
	{Key: "cache", Section: sectionTarget, Doc: "folder that keeps indexes and embeddings (default: the user's cache folder; \"off\" keeps none)", bind: func(c *Config) value { return text{&c.Cache} }},

	{Key: "metrics", Section: sectionScore, Doc: "metrics, by name (default: all that fit the labels; assay metrics lists them)", bind: func(c *Config) value { return list{&c.Metrics} }},
	{Key: "level", Section: sectionScore, Default: "0.95", Doc: "confidence level of intervals", bind: func(c *Config) value { return number{&c.Level, 0.5, 0.9999} }},

	{Key: "judge", Section: SectionJudge, Doc: "who judges, as PROVIDER:MODEL, such as anthropic:claude-sonnet-4-5; several make a panel (default: offline, estimates without a model)", bind: func(c *Config) value { return list{&c.Judges} }},
	{Key: "passes", Section: SectionJudge, Default: "3", Doc: "how often each ruling is asked for; the majority decides, and the last passes are asked only when the first differ", bind: func(c *Config) value { return odd{&c.Passes} }},
	{Key: "third-judge", Section: SectionJudge, Doc: "who marks a rubric when the two judges of a panel differ, as PROVIDER:MODEL", bind: func(c *Config) value { return text{&c.ThirdJudge} }},
	{Key: "require-all", Section: SectionJudge, Default: "false", Doc: "a dimension of a rubric has no score when one judge of the panel failed", bind: func(c *Config) value { return truth{&c.RequireAll} }},
	{Key: "rubric", Section: SectionJudge, Doc: "marking scheme for the metric rubric: a YAML file", bind: func(c *Config) value { return text{&c.Rubric} }},
	{Key: "judge-depth", Section: SectionJudge, Default: "20", Doc: "passages of each response that are judged, from the best (0: all)", bind: func(c *Config) value { return whole{&c.Judge.Depth, 0} }},
	{Key: "judge-url", Section: SectionJudge, Doc: "base address of the judge's server, for one that the file does not define under providers", bind: func(c *Config) value { return text{&c.Judge.URL} }},
	{Key: "judge-key-env", Section: SectionJudge, Doc: "environment variable that holds the judge's key (never the key itself)", bind: func(c *Config) value { return variable{&c.Judge.KeyEnv} }},
	{Key: "judge-concurrency", Section: SectionJudge, Free: true, Default: "10", Doc: "how many calls are made to a model at once", bind: func(c *Config) value { return whole{&c.Judge.Concurrency, 1} }},
	{Key: "judge-timeout", Section: SectionJudge, Free: true, Default: "2m", Doc: "longest wait for a reply of a model", bind: func(c *Config) value { return duration{&c.Judge.Timeout} }},
	{Key: "judge-retries", Section: SectionJudge, Free: true, Default: "4", Doc: "how often a failed call to a model is made again", bind: func(c *Config) value { return whole{&c.Judge.Retries, 0} }},
	{Key: "judge-rpm", Section: SectionJudge, Free: true, Default: "0", Doc: "most requests a minute to a provider (0: no limit)", bind: func(c *Config) value { return whole{&c.Judge.RPM, 0} }},
	{Key: "judge-tpm", Section: SectionJudge, Free: true, Default: "0", Doc: "most tokens a minute to a provider (0: no limit)", bind: func(c *Config) value { return whole{&c.Judge.TPM, 0} }},
	{Key: "judge-temperature", Section: SectionJudge, Default: "0", Doc: "temperature of a judging model", bind: func(c *Config) value { return number{&c.Judge.Temperature, 0, 2} }},
	{Key: "judge-max-tokens", Section: SectionJudge, Default: "4096", Doc: "longest reply of a model, in tokens, reasoning included", bind: func(c *Config) value { return whole{&c.Judge.MaxTokens, 16} }},
	{Key: "judge-thinking", Section: SectionJudge, Default: "0", Doc: "reasoning that is asked for, in tokens (0: none)", bind: func(c *Config) value { return whole{&c.Judge.Thinking, 0} }},
	{Key: "judge-window", Section: SectionJudge, Default: "100000", Doc: "longest question to a model, in tokens; what is longer is cut, with a warning", bind: func(c *Config) value { return whole{&c.Judge.Window, 512} }},
	{Key: "writer", Section: SectionJudge, Doc: "model that writes reference answers and questions, as PROVIDER:MODEL (default: the first judge)", bind: func(c *Config) value { return text{&c.Writer} }},
	{Key: "providers", Section: SectionJudge, Nested: true, Example: "providers:\n  local:\n    kind: openai\n    base_url: http://127.0.0.1:8000/v1\n    key_env: LOCAL_API_KEY\n    extra: {enable_thinking: false}\n", Doc: "servers of models by name: kind (anthropic, openai, ollama), base_url, key_env, extra", bind: func(c *Config) value { return providers{&c.Providers} }},
	{Key: "prices", Section: SectionJudge, Free: true, Doc: "file of prices of models that replace the built-in ones", bind: func(c *Config) value { return text{&c.Prices} }},
	{Key: "max-cost", Section: SectionJudge, Free: true, Default: "0", Doc: "most that calls to models may cost, in US dollars; the run stops there and can be resumed (0: no limit)", bind: func(c *Config) value { return number{&c.MaxCost, 0, 1e6} }},
	{Key: "replay", Section: SectionJudge, Free: true, Default: "false", Doc: "answer calls to models from the ledger alone: no key, no network, no cost", bind: func(c *Config) value { return truth{&c.Replay} }},
	{Key: "refresh", Section: SectionJudge, Free: true, Default: "false", Doc: "make every call to a model anew, and keep the new replies", bind: func(c *Config) value { return truth{&c.Refresh} }},

	{Key: "concurrency", Section: sectionRun, Free: true, Default: "1", Doc: "how many questions are asked at once", bind: func(c *Config) value { return whole{&c.Concurrency, 1} }},
	{Key: "timeout", Section: sectionRun, Default: "30s", Doc: "longest wait for a response", bind: func(c *Config) value { return duration{&c.Timeout} }},
	{Key: "slow-threshold", Section: sectionRun, Default: "5s", Doc: "a response that takes longer is marked slow", bind: func(c *Config) value { return duration{&c.SlowThreshold} }},
	{Key: "retries", Section: sectionRun, Default: "3", Doc: "how often a failed question is asked again", bind: func(c *Config) value { return whole{&c.Retries, 0} }},
	{Key: "keep-texts", Section: sectionRun, Default: "10", Doc: "passages of each response whose text is kept in records and reports; all are scored (0: all)", bind: func(c *Config) value { return whole{&c.KeepTexts, 0} }},
	{Key: "offline", Section: sectionRun, Free: true, Default: "false", Doc: "use no network at all", bind: func(c *Config) value { return truth{&c.Offline} }},
	{Key: "seed", Section: sectionRun, Default: "0", Doc: "fixes what is drawn at random", bind: func(c *Config) value { return natural{&c.Seed} }},

	{Key: "limit", Section: sectionChoose, Default: "0", Doc: "only the first cases (0: all)", bind: func(c *Config) value { return whole{&c.Limit, 0} }},
	{Key: "sample", Section: sectionChoose, Default: "0", Doc: "only so many cases, drawn by the seed (0: all)", bind: func(c *Config) value { return whole{&c.Sample, 0} }},
	{Key: "tags", Section: sectionChoose, Doc: "only cases with one of these tags", bind: func(c *Config) value { return list{&c.Tags} }},
	{Key: "ids", Section: sectionChoose, Doc: "only these cases", bind: func(c *Config) value { return list{&c.IDs} }},

	{Key: "output", Section: sectionOut, Free: true, Default: "results/eval_report", Doc: "base name of the report files", bind: func(c *Config) value { return text{&c.Output} }},
	{Key: "store", Section: sectionOut, Free: true, Default: "results/assay.db", Doc: "data base that keeps the run", bind: func(c *Config) value { return text{&c.Store} }},
	{Key: "name", Section: sectionOut, Doc: "label of the run in reports", bind: func(c *Config) value { return text{&c.Name} }},
}

// Flag is the setting's name on the command line, without the dashes.
func (s Setting) Flag() string { return strings.ReplaceAll(s.Key, ".", "-") }

// Env is the setting's environment variable.
func (s Setting) Env() string {
	return "ASSAY_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(s.Key))
}

// Find returns the setting with the given key; when there is none the error
// suggests the nearest.
func Find(key string) (Setting, error) {
	best, dist := "", len(key)/2+1
	for _, s := range Settings {
		if s.Key == key {
			return s, nil
		}
		if d := levenshtein.ComputeDistance(key, s.Key); d < dist {
			best, dist = s.Key, d
		}
	}
	if best == "" {
		return Setting{}, fmt.Errorf("unknown setting %q", key)
	}
	return Setting{}, fmt.Errorf("unknown setting %q: did you mean %q?", key, best)
}

// An Origin says where a value came from.
type Origin string

// The origins, from the weakest to the strongest.
const (
	FromDefault     Origin = "default"
	FromFile        Origin = "file"
	FromEnvironment Origin = "environment"
	FromFlag        Origin = "flag"
)

// Resolved is a configuration with the origin of every value.
type Resolved struct {
	Config
	// Origins maps keys to where their values came from, such as
	// "eval-config.yaml:4" or "environment ASSAY_TOP_K".
	Origins map[string]string
	strong  map[string]Origin
}

// Default returns the configuration that holds when nobody says anything.
func Default() *Resolved {
	r := &Resolved{Origins: map[string]string{}, strong: map[string]Origin{}}
	for _, s := range Settings {
		if s.Default != "" {
			if err := s.bind(&r.Config).Set(s.Default); err != nil {
				panic(fmt.Sprintf("setting %q: default %q: %v", s.Key, s.Default, err))
			}
		}
		r.Origins[s.Key], r.strong[s.Key] = string(FromDefault), FromDefault
	}
	return r
}

// order ranks origins by strength.
var order = []Origin{FromDefault, FromFile, FromEnvironment, FromFlag}

// Set sets one setting, unless a stronger origin has set it. where says where
// the value was found, for messages and for [Resolved.Origins].
func (r *Resolved) Set(key, v string, from Origin, where string) error {
	s, err := Find(key)
	if err != nil {
		return err
	}
	if slices.Index(order, from) < slices.Index(order, r.strong[key]) {
		return nil
	}
	if s.Words != nil && !slices.Contains(s.Words, v) {
		return fmt.Errorf("%s %q: want one of %q", key, v, s.Words)
	}
	if err := s.bind(&r.Config).Set(v); err != nil {
		if errors.Is(err, errNoVariable) || s.Nested {
			// The value may be a secret, or a page long.
			return fmt.Errorf("%s: %w", key, err)
		}
		return fmt.Errorf("%s %q: %w", key, v, err)
	}
	r.Origins[key], r.strong[key] = where, from
	return nil
}

// Get gives a setting's value as a user would write it.
func (r *Resolved) Get(key string) string {
	s, err := Find(key)
	if err != nil {
		return ""
	}
	return s.bind(&r.Config).String()
}

// Type names the kind of a setting's value in help texts: "string", "list",
// "int", "float" or "duration".
func (s Setting) Type() string { return s.bind(&Config{}).Type() }

// Environment sets what environment variables say.
func (r *Resolved) Environment(getenv func(string) string) error {
	for _, s := range Settings {
		if v := getenv(s.Env()); v != "" {
			if err := r.Set(s.Key, v, FromEnvironment, "environment "+s.Env()); err != nil {
				return fmt.Errorf("environment variable %s: %w", s.Env(), err)
			}
		}
	}
	return nil
}

// Map gives every setting that is not empty, for the header of a run.
func (r *Resolved) Map() map[string]string {
	out := map[string]string{}
	for _, s := range Settings {
		if v := r.Get(s.Key); v != "" {
			out[s.Key] = v
		}
	}
	return out
}

// Usage is the setting's line in a help text: what it does, the words that are
// allowed, the default.
func (s Setting) Usage() string {
	u := s.Doc
	if s.Words != nil {
		u += ": " + strings.Join(s.Words, ", ")
	}
	if s.Default != "" && s.Default != "0" {
		u += " (default " + s.Default + ")"
	}
	return u
}
