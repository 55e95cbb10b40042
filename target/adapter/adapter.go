// Package adapter holds the ways to reach a target, as a table: each adapter
// says its name, its help, the settings that are its own, and how it is opened.
// Settings, help texts, messages and commands read the table.
package adapter

import (
	"context"
	"io"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

// All lists the adapters, in the order in which help texts name them. A new
// adapter is one file with its definition, and one line here.
var All = []*Adapter{&builtin, &recorded, &httpAdapter, &openai, &mcp, &execAdapter, &python, &langchain, &llamaindex}

// An Adapter is one way to reach a target.
type Adapter struct {
	// Name is the value of the setting "adapter".
	Name string
	// Doc says in one line, without a full stop, what it reaches. Example are the
	// settings that it needs, as flags.
	Doc, Example string
	// Settings are its own. Those that several adapters share are fields of
	// [Settings].
	Settings []Setting
	// Program is the key of the setting that names the program that it needs;
	// "" when it needs none.
	Program string
	// Object is the key of the setting that names what is asked, in whose place
	// [ByCaller] asks the program that started assay; "" if there is none.
	Object string
	// Pipeline is set when the built-in pipeline answers, to which its own settings apply, such as
	// the corpus and the retriever.
	Pipeline bool
	// RunOnly is set when the target cannot be asked outside of a run.
	RunOnly bool
	// Open opens the target of an environment.
	Open func(context.Context, *Env) (Opened, error)
}

// A Setting belongs to one adapter. Its value is in [Settings.Own].
type Setting struct {
	Key     string
	Kind    SettingKind
	Default string
	// Doc says what it does, in one line without a full stop.
	Doc string
	// Implies is set when the setting chooses the adapter where no adapter is
	// given.
	Implies bool
}

// SettingKind is what a value of a [Setting] is.
type SettingKind int

// The kinds of values.
const (
	Text     SettingKind = iota
	Switch               // "true" or "false"
	Duration             // as time.Duration writes it
	Variable             // the name of an environment variable that holds a secret
)

// Names lists the names of all adapters.
func Names() []string {
	names := make([]string, len(All))
	for i, a := range All {
		names[i] = a.Name
	}
	return names
}

// Find returns the adapter of a name, nil when there is none.
func Find(name string) *Adapter {
	for _, a := range All {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Settings are those that several adapters share, and the adapters' own.
type Settings struct {
	// Responses is a file of recorded responses.
	Responses string
	// Endpoint is the target's address, Preset names how one of its kind is
	// asked; Values are its placeholders, Send is a template as JSON, Read maps
	// fields to paths.
	Endpoint string
	Preset   string
	Values   map[string]string
	Send     string
	Read     map[string]string
	HTTP     HTTP
	// Command is what starts the target, its arguments as in a shell; Dir is
	// where.
	Command string
	Dir     string
	// Processes is how many are kept running; 0 leaves it to the adapter.
	Processes int
	Python    string
	// Own has the values of settings that belong to one adapter, by key.
	Own map[string]string
}

// HTTP holds how a target is reached over HTTP.
type HTTP struct {
	Method  string
	Headers map[string]string
	Proxy   string
	TLS     target.TLS
}

// An Env is what an adapter is opened with.
type Env struct {
	Settings
	// Adapter is the name of the one that is opened.
	Adapter string
	TopK    int
	// Concurrency is how many questions are asked at once.
	Concurrency int
	// Offline forbids the network.
	Offline bool
	// Cases are those of the run, and Dataset names their file; Recorded are the
	// responses in it, by case, nil when it holds none.
	Cases    *assay.Cases
	Dataset  string
	Recorded map[string]assay.Response
	// Split chooses one of several outputs in a file of responses.
	Split string
	// SkipInvalid leaves out records of it that cannot be read.
	SkipInvalid bool
	// Failures say why there is no response, by the ids of cases.
	Failures map[string]string

	// Caller is the program that started this one, if it can be asked; nil if it cannot.
	Caller *target.Caller

	// Path resolves a path that the user gave.
	Path    func(string) string
	Getenv  func(string) string
	Now     func() time.Time
	Stderr  io.Writer
	Version string
	Secrets secret.Set
	// Shown gives the value of a setting as reports may show it.
	Shown func(key, value string) string
	// Sampler names the model that answers the sampling requests of a server; ""
	// is none. Model opens it.
	Sampler string
	Model   func(spec string) (llm.Provider, llm.Request, error)
	// Embedder opens the one that the settings name.
	Embedder func() (assay.Embedder, error)
	// Pipeline opens the built-in pipeline.
	Pipeline func(context.Context) (Opened, error)
}

// Opened is a target that can be asked, and what is known of it.
type Opened struct {
	Target assay.Target
	Info   assay.TargetInfo
	Corpus *assay.CorpusInfo
	// Reports are the parts of a response that the target gives, or may give
	// when that is not known.
	Reports  metric.Part
	Warnings []string
	// Depth is the most passages that the target returns; 0 when not known.
	Depth int
	// Free is set when asking costs nothing: no model, no other machine.
	Free bool
	// Rehearsed is set when asking costs nothing but calls of models that the
	// caller opened, so that it is free with a stand-in for them.
	Rehearsed bool
}

// Anything is what a target may report of which nothing is known.
const Anything = metric.ReadAnswer | metric.ReadPassages | metric.ReadTrace
