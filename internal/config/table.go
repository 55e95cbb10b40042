package config

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/store"
)

// SectionJudge is the heading of the settings of judges and of every other
// model.
const SectionJudge = "Judge and models"

const (
	// SectionData and SectionCases select the cases to ask.
	SectionData   = "Dataset"
	sectionTarget = "Target"
	sectionScore  = "Metrics"
	sectionGate   = "Gate"
	sectionRun    = "Execution"
	SectionCases  = "Case selection"
	sectionOutput = "Output"
)

// AutoLanguage has judges asked in the language of each case.
const AutoLanguage = "auto"

// DefaultCertificates is the file of certificates that is read if it is there.
const DefaultCertificates = "judge-certificates.json"

// RecheckAll has all rulings put to a vote, [assay.RecheckDoubtful] those that are not sure.
const RecheckAll = "all"

// Settings lists every setting, in the order of a configuration file. A new
// setting is one entry in the table of its section, and its meaning in
// settings.txt.
var Settings = slices.Concat(
	in(SectionData, dataSettings), in(sectionTarget, slices.Concat(sharedSettings, ownSettings(), pipelineSettings)),
	in(sectionScore, scoreSettings), in(sectionGate, gateSettings), in(SectionJudge, judgeSettings), in(sectionRun, runSettings),
	in(SectionCases, caseSettings), in(sectionOutput, outputSettings),
)

// in returns the settings of one section, with their meanings.
func in(section string, settings []Setting) []Setting {
	for i, s := range settings {
		settings[i].Section = section
		if s.Doc == "" {
			settings[i].Doc = meanings[s.Key]
		}
	}
	return settings
}

// meaningFile says what each setting does: a line for each key. Lines that begin with
// spaces continue the one before.
//
//go:embed settings.txt
var meaningFile string

// meanings has the text of each setting, by its key.
var meanings = readMeanings()

func readMeanings() map[string]string {
	known := strings.NewReplacer(
		"{{databases}}", store.Forms(),
		"{{embedders}}", strings.Join(embed.Words(), ", "),
		"{{providers}}", strings.Join(llm.Kinds(), ", "),
		"{{transcribers}}", strings.Join(transcribe.Words(), ", "),
	)
	out := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(known.Replace(meaningFile), "\n    ", " ")) {
		key, meaning, _ := strings.Cut(line, ": ")
		out[key] = strings.TrimSpace(meaning)
	}
	return out
}

// oneOf returns choices that no other table defines.
func oneOf(choices ...string) func() []string {
	return func() []string { return choices }
}

var scoreSettings = []Setting{
	{Key: "metrics", Usual: true, First: true, Request: true, Stored: true, bind: func(c *Config) value { return list{&c.Metrics} }},
	{
		Key: "checks", Option: "check",
		Example: "short: {kind: length, max: 80}\nno_apology: {kind: regex, value: \"(?i)sorry\", not: true}\n",
		bind:    func(c *Config) value { return checkMap{&c.Checks} },
	},
	{Key: "level", Usual: true, Default: "0.95", Request: true, Stored: true, bind: func(c *Config) value { return number{&c.Level, 0.5, 0.9999} }},
	{Key: "primary", Free: true, Stored: true, Compared: true, bind: func(c *Config) value { return words{&c.Primary} }},
	{
		Key: "weights", Option: "weight", Request: true,
		Example: "faithfulness: 40\nanswer_relevance: 20\ncontext_precision: 20\ncontext_recall: 20\n",
		bind:    func(c *Config) value { return numbers{&c.Weights, 0, 1e9, nil} },
	},
	{
		Key: "thresholds", First: true, Option: "threshold", Request: true, Free: true,
		Shorts:  []Short{{"fail-under", "composite", "minimum value of the composite score (for a metric: --fail-under-faithfulness 0.9)"}},
		Example: "composite: 0.8\nfaithfulness: 0.85\n",
		bind:    func(c *Config) value { return numbers{&c.Thresholds, -1e9, 1e9, []string{"composite"}} },
	},
	{
		Key: "attribution", Usual: true, Default: "auto", Choices: oneOf("auto", "funnel", "ladder", "off"),
		bind: func(c *Config) value { return words{&c.Attribution} },
	},
	{Key: "outcome", Usual: true, bind: func(c *Config) value { return words{&c.Outcome} }},
	{
		Key: "similarity", Aliases: []string{"comparison.semantic_similarity_threshold"}, Default: "0", Request: true,
		bind: func(c *Config) value { return number{&c.Similarity, 0, 1} },
	},
}

var gateSettings = []Setting{
	{Key: "baseline", Usual: true, First: true, File: true, Request: true, Free: true, Verdict: true, bind: func(c *Config) value { return words{&c.Baseline} }},
	{
		Key: "gate.rules", Usual: true, First: true, Option: "gate", Request: true, Free: true, Verdict: true,
		bind: func(c *Config) value { return list{&c.Gate.Rules} },
	},
	{
		Key: "gate.tolerances", Option: "tolerance", Request: true, Free: true, Verdict: true,
		Example: "hit@3: 0\nprecision@5: 0.02\nmrr: 0.03\n",
		bind:    func(c *Config) value { return numbers{&c.Gate.Tolerances, -1, 1e9, nil} },
	},
	{
		Key: "gate.statistical", Usual: true, Option: "statistical", Default: "false", Request: true, Free: true, Verdict: true,
		bind: func(c *Config) value { return truth{&c.Gate.Statistical} },
	},
	{
		Key: "gate.allow_estimates", Option: "allow-estimates", Default: "false", Request: true, Free: true, Verdict: true,
		bind: func(c *Config) value { return truth{&c.Gate.AllowEstimates} },
	},
	{
		Key: "gate.min_certificate", Option: "min-certificate", Default: "0", Request: true, Free: true, Verdict: true,
		bind: func(c *Config) value { return number{&c.Gate.MinCertificate, 0, 1} },
	},
	{
		Key: "gate.inconclusive", Option: "inconclusive", Default: "warn", Choices: oneOf("warn", "fail"), Request: true, Free: true,
		Verdict: true,
		bind:    func(c *Config) value { return words{&c.Gate.Inconclusive} },
	},
	{
		Key: "gate.critical", Usual: true, Option: "critical", Default: "labelled", Choices: oneOf("labelled", "all"), Request: true, Free: true,
		Verdict: true,
		bind:    func(c *Config) value { return words{&c.Gate.Critical} },
	},
	{Key: "gate.labels", Usual: true, Option: "labels", Free: true, Verdict: true, bind: func(c *Config) value { return list{&c.Gate.Labels} }},
	{
		Key: "gate.label_metric", Usual: true, Option: "label-metric", Free: true, Verdict: true,
		bind: func(c *Config) value { return words{&c.Gate.LabelMetric} },
	},
	{
		Key: "gate.label_scale", Option: "label-scale", Free: true, Verdict: true,
		bind: func(c *Config) value { return words{&c.Gate.LabelScale} },
	},
	{
		Key: "gate.corrected", Option: "corrected", Default: "false", Free: true, Verdict: true,
		bind: func(c *Config) value { return truth{&c.Gate.Corrected} },
	},
}

var judgeSettings = []Setting{
	{Key: "judge", Usual: true, First: true, Model: true, Request: true, bind: func(c *Config) value { return list{&c.Judges} }},
	{Key: "entailment", Usual: true, Model: true, bind: func(c *Config) value { return words{&c.Entailment.Model} }},
	{Key: "entailment-command", bind: func(c *Config) value { return words{&c.Entailment.Command} }},
	{Key: "entailment-url", bind: func(c *Config) value { return address{&c.Entailment.URL} }},
	{Key: "entailment-label", bind: func(c *Config) value { return words{&c.Entailment.Label} }},
	{
		Key: "entailment-window", Default: strconv.Itoa(entail.DefaultWindow),
		bind: func(c *Config) value { return whole{&c.Entailment.Window, 0} },
	},
	{Key: "passes", Usual: true, Default: "3", Request: true, bind: func(c *Config) value { return odd{&c.Passes} }},
	{
		Key: "recheck", Default: assay.RecheckDoubtful, Choices: oneOf(assay.RecheckDoubtful, RecheckAll), Request: true,
		bind: func(c *Config) value { return words{&c.Recheck} },
	},
	{Key: "third-judge", Model: true, Request: true, bind: func(c *Config) value { return words{&c.ThirdJudge} }},
	{Key: "require-all", Default: "false", Request: true, bind: func(c *Config) value { return truth{&c.RequireAll} }},
	{Key: "rubric", File: true, bind: func(c *Config) value { return words{&c.Rubric} }},
	{
		Key: "certificates", Default: DefaultCertificates, File: true, Free: true,
		bind: func(c *Config) value { return words{&c.Certificates} },
	},
	{Key: "canary", Default: "20", Free: true, bind: func(c *Config) value { return whole{&c.Canary, 0} }},
	{Key: "judge-depth", Default: "20", Request: true, bind: func(c *Config) value { return whole{&c.Judge.Depth, 0} }},
	{
		Key: "judge-language", Default: AutoLanguage, Choices: oneOf(AutoLanguage, "en", "zh"), Request: true,
		bind: func(c *Config) value { return words{&c.Judge.Language} },
	},
	{Key: "judge-url", Usual: true, bind: func(c *Config) value { return words{&c.Judge.URL} }},
	{Key: "judge-key-env", bind: func(c *Config) value { return variable{&c.Judge.KeyEnv} }},
	{Key: "judge-concurrency", Default: "10", Free: true, bind: func(c *Config) value { return whole{&c.Judge.Concurrency, 1} }},
	{Key: "judge-timeout", Default: "2m", Free: true, bind: func(c *Config) value { return duration{&c.Judge.Timeout} }},
	{Key: "judge-retries", Default: "4", Free: true, bind: func(c *Config) value { return whole{&c.Judge.Retries, 0} }},
	{Key: "judge-optional", Usual: true, Default: "false", Free: true, bind: func(c *Config) value { return truth{&c.Judge.Optional} }},
	{Key: "judge-rpm", Default: "0", Free: true, bind: func(c *Config) value { return whole{&c.Judge.RPM, 0} }},
	{Key: "judge-tpm", Default: "0", Free: true, bind: func(c *Config) value { return whole{&c.Judge.TPM, 0} }},
	{Key: "judge-temperature", Default: "0", Request: true, bind: func(c *Config) value { return number{&c.Judge.Temperature, 0, 2} }},
	{Key: "judge-max-tokens", Usual: true, Default: "4096", Request: true, bind: func(c *Config) value { return whole{&c.Judge.MaxTokens, 16} }},
	{Key: "judge-thinking", Default: "0", Request: true, bind: func(c *Config) value { return whole{&c.Judge.Thinking, 0} }},
	{Key: "judge-window", Default: "100000", bind: func(c *Config) value { return whole{&c.Judge.Window, 512} }},
	{Key: "writer", Model: true, bind: func(c *Config) value { return words{&c.Writer} }},
	{
		Key: "providers", Nested: true,
		Example: "local:\n  kind: openai\n  base_url: http://127.0.0.1:8000/v1\n  key_env: LOCAL_API_KEY\n  extra: {enable_thinking: false}\n",
		bind:    func(c *Config) value { return providers{&c.Providers} },
	},
	{Key: "prices", File: true, bind: func(c *Config) value { return words{&c.Prices} }},
	{Key: "max-cost", Usual: true, First: true, Default: "0", Request: true, Free: true, bind: func(c *Config) value { return number{&c.MaxCost, 0, 1e6} }},
	{Key: "replay", Usual: true, Default: "false", Request: true, Free: true, bind: func(c *Config) value { return truth{&c.Replay} }},
	{Key: "refresh", Usual: true, Default: "false", Request: true, Free: true, bind: func(c *Config) value { return truth{&c.Refresh} }},
}
