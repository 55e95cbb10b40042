package config

import (
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/llm"
)

// AutoLanguage has judges asked in the language of each case.
const AutoLanguage = "auto"

// DefaultCertificates is the file of certificates that is read if it is there.
const DefaultCertificates = "judge-certificates.json"

// RecheckAll has all rulings put to a vote, [assay.RecheckDoubtful] those that are not sure.
const RecheckAll = "all"

var judgeSettings = in(SectionJudge,
	Setting{
		Key: "judge", Request: true, Model: true,
		Doc: "judge model, as PROVIDER:MODEL, such as anthropic:claude-sonnet-4-5; several form a panel; offline computes rough " +
			"estimates by formulas (default: none, judged metrics are not measured)",
		bind: func(c *Config) value { return list{&c.Judges} },
	},
	Setting{
		Key: "entailment", Model: true,
		Doc: "model made for entailment that rules on the support of claims in place of the judge, as PROVIDER:MODEL, such as " +
			"tei:MODEL or ollama:bespoke-minicheck, or python:FILE.py:NAME (default: none)",
		bind: func(c *Config) value { return words{&c.Entailment.Model} },
	},
	Setting{
		Key:  "entailment-command",
		Doc:  `command that reads {"document", "claim"} and writes {"probability"}, a JSON object a line, with shell quoting`,
		bind: func(c *Config) value { return words{&c.Entailment.Command} },
	},
	Setting{
		Key:  "entailment-url",
		Doc:  "base URL of the entailment model's server, for a provider that the file does not define under providers",
		bind: func(c *Config) value { return address{&c.Entailment.URL} },
	},
	Setting{
		Key:  "entailment-label",
		Doc:  "label that means entailment, for a classifier whose labels do not say, such as LABEL_2",
		bind: func(c *Config) value { return words{&c.Entailment.Label} },
	},
	Setting{
		Key: "entailment-window", Default: strconv.Itoa(entail.DefaultWindow),
		Doc:  "maximum words of a passage that the entailment model is given at once; a passage counts by its best part (0: whole passages)",
		bind: func(c *Config) value { return whole{&c.Entailment.Window, 0} },
	},
	Setting{
		Key: "passes", Default: "3", Request: true,
		Doc: "number of times a ruling is requested at most; the majority decides, and later passes run only while the " +
			"outcome is open",
		bind: func(c *Config) value { return odd{&c.Passes} },
	},
	Setting{
		Key: "recheck", Default: assay.RecheckDoubtful, Choices: oneOf(assay.RecheckDoubtful, RecheckAll), Request: true,
		Doc: "rulings that later passes are requested for: doubtful (the judge is less than 90 % confident, a quote was not found, " +
			"or numbers do not fit; and one list of rulings in ten as a check), or all",
		bind: func(c *Config) value { return words{&c.Recheck} },
	},
	Setting{
		Key: "third-judge", Request: true, Model: true,
		Doc:  "judge that marks a rubric when the two judges of a panel disagree, as PROVIDER:MODEL",
		bind: func(c *Config) value { return words{&c.ThirdJudge} },
	},
	Setting{
		Key: "require-all", Default: "false", Request: true,
		Doc:  "give a rubric dimension no score when any judge of the panel failed",
		bind: func(c *Config) value { return truth{&c.RequireAll} },
	},
	Setting{
		Key: "rubric", File: true,
		Doc:  "YAML file with the marking scheme for the metric rubric",
		bind: func(c *Config) value { return words{&c.Rubric} },
	},
	Setting{
		Key: "certificates", Default: DefaultCertificates, File: true, Free: true,
		Doc: "file of the judge's measured errors, which reports show beside judged metrics (assay judge certify writes it; the " +
			"default file may be missing)",
		bind: func(c *Config) value { return words{&c.Certificates} },
	},
	Setting{
		Key: "canary", Default: "20", Free: true,
		Doc: "number of frozen questions put to each judge model after a run that judged more than 200 cases, to tell whether the " +
			"model changed behind its name (0: none)",
		bind: func(c *Config) value { return whole{&c.Canary, 0} },
	},
	Setting{
		Key: "judge-depth", Default: "20", Request: true,
		Doc:  "number of top passages of each response that are judged (0: all)",
		bind: func(c *Config) value { return whole{&c.Judge.Depth, 0} },
	},
	Setting{
		Key: "judge-language", Default: AutoLanguage, Choices: oneOf(AutoLanguage, "en", "zh"), Request: true,
		Doc: "language in which judges are asked: en, zh, or auto (that of the case: its language, else Chinese where Chinese " +
			"characters carry the words of the question)",
		bind: func(c *Config) value { return words{&c.Judge.Language} },
	},
	Setting{
		Key:  "judge-url",
		Doc:  "base URL of the judge's server, for a provider that the file does not define under providers",
		bind: func(c *Config) value { return words{&c.Judge.URL} },
	},
	Setting{
		Key:  "judge-key-env",
		Doc:  "name of the environment variable that holds the judge's API key (never the key itself)",
		bind: func(c *Config) value { return variable{&c.Judge.KeyEnv} },
	},
	Setting{
		Key: "judge-concurrency", Default: "10", Free: true,
		Doc:  "maximum number of concurrent calls to a model",
		bind: func(c *Config) value { return whole{&c.Judge.Concurrency, 1} },
	},
	Setting{
		Key: "judge-timeout", Default: "2m", Free: true,
		Doc:  "time limit of a call to a model",
		bind: func(c *Config) value { return duration{&c.Judge.Timeout} },
	},
	Setting{
		Key: "judge-retries", Default: "4", Free: true,
		Doc:  "number of retries of a failed call to a model",
		bind: func(c *Config) value { return whole{&c.Judge.Retries, 0} },
	},
	Setting{
		Key: "judge-optional", Default: "false", Free: true,
		Doc: "if a judge is away when the run begins, do all that needs no judge, mark the rest as not scored and leave it to " +
			"assay run --resume; otherwise the run does not begin",
		bind: func(c *Config) value { return truth{&c.Judge.Optional} },
	},
	Setting{
		Key: "judge-rpm", Default: "0", Free: true,
		Doc:  "maximum requests per minute to a provider (0: no limit)",
		bind: func(c *Config) value { return whole{&c.Judge.RPM, 0} },
	},
	Setting{
		Key: "judge-tpm", Default: "0", Free: true,
		Doc:  "maximum tokens per minute to a provider (0: no limit)",
		bind: func(c *Config) value { return whole{&c.Judge.TPM, 0} },
	},
	Setting{
		Key: "judge-temperature", Default: "0", Request: true,
		Doc:  "sampling temperature of judge models",
		bind: func(c *Config) value { return number{&c.Judge.Temperature, 0, 2} },
	},
	Setting{
		Key: "judge-max-tokens", Default: "4096", Request: true,
		Doc:  "maximum tokens of a model's reply, including reasoning",
		bind: func(c *Config) value { return whole{&c.Judge.MaxTokens, 16} },
	},
	Setting{
		Key: "judge-thinking", Default: "0", Request: true,
		Doc:  "reasoning budget requested from models, in tokens (0: none)",
		bind: func(c *Config) value { return whole{&c.Judge.Thinking, 0} },
	},
	Setting{
		Key: "judge-window", Default: "100000",
		Doc:  "maximum tokens of a prompt; longer ones are truncated, with a warning",
		bind: func(c *Config) value { return whole{&c.Judge.Window, 512} },
	},
	Setting{
		Key: "writer", Model: true,
		Doc:  "model that writes reference answers and questions, as PROVIDER:MODEL (default: the first judge)",
		bind: func(c *Config) value { return words{&c.Writer} },
	},
	Setting{
		Key: "providers", Nested: true,
		Doc: "servers of models by name: kind (" + strings.Join(llm.Kinds(), ", ") + "), base_url, key_env, extra, thinking, rpm, tpm",
		Example: "local:\n" +
			"  kind: openai\n" +
			"  base_url: http://127.0.0.1:8000/v1\n" +
			"  key_env: LOCAL_API_KEY\n" +
			"  extra: {enable_thinking: false}\n",
		bind: func(c *Config) value { return providers{&c.Providers} },
	},
	Setting{
		Key: "prices", Free: true, File: true,
		Doc:  "file of model prices that override the built-in ones",
		bind: func(c *Config) value { return words{&c.Prices} },
	},
	Setting{
		Key: "max-cost", Default: "0", Free: true, Request: true,
		Doc: "maximum cost of calls to models, in US dollars; the run stops when it is reached and can be resumed " +
			"(0: no limit)",
		bind: func(c *Config) value { return number{&c.MaxCost, 0, 1e6} },
	},
	Setting{
		Key: "replay", Default: "false", Free: true, Request: true,
		Doc:  "answer calls to models from the ledger only: no key, no network, no cost",
		bind: func(c *Config) value { return truth{&c.Replay} },
	},
	Setting{
		Key: "refresh", Default: "false", Free: true, Request: true,
		Doc:  "repeat every call to a model and store the new reply",
		bind: func(c *Config) value { return truth{&c.Refresh} },
	},
)
