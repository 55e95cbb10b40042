package config

import (
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

var runSettings = in(sectionRun,
	Setting{
		Key: "concurrency", Default: "1", Free: true, Request: true,
		Doc:  "number of questions asked concurrently",
		bind: func(c *Config) value { return whole{&c.Concurrency, 1} },
	},
	Setting{
		Key: "timeout", Aliases: []string{"http.timeout"}, Default: "30s", Request: true,
		Doc:  "time limit of a response",
		bind: func(c *Config) value { return duration{&c.Timeout} },
	},
	Setting{
		Key: "slow-threshold", Aliases: []string{"http.slow_threshold"}, Default: "5s", Request: true,
		Doc:  "latency above which a response is marked slow",
		bind: func(c *Config) value { return duration{&c.SlowThreshold} },
	},
	Setting{
		Key: "retries", Aliases: []string{"retry.max_attempts"}, Default: "3", Request: true,
		Doc:  "number of retries of a failed question; retry.max_attempts in a file counts the first attempt too",
		bind: func(c *Config) value { return whole{&c.Retries, 0} },
	},
	Setting{
		Key: "backoff", Aliases: []string{"retry.backoff"}, Default: "exponential", Choices: oneOf("exponential", "fixed"),
		Free: true, Request: true,
		Doc:  "how the delay between retries grows",
		bind: func(c *Config) value { return words{&c.Backoff} },
	},
	Setting{
		Key: "workers", Default: "here", Choices: oneOf("here", "queue"), Free: true,
		Doc:  "who evaluates the cases: this process, or every assay worker on the store, which is PostgreSQL then",
		bind: func(c *Config) value { return words{&c.Workers} },
	},
	Setting{
		Key: "priority", Default: "2", Choices: oneOf("1", "2", "3", "4"), Free: true, Request: true,
		Doc:  "how soon workers take the cases of the run: 1 is first",
		bind: func(c *Config) value { return whole{&c.Priority, 1} },
	},
	Setting{
		Key: "rate", Default: "0", Free: true, Request: true,
		Doc:  "maximum questions per second to the target (0: no limit)",
		bind: func(c *Config) value { return number{&c.Rate, 0, 1e6} },
	},
	Setting{
		Key: "keep-texts", Default: "10", Request: true,
		Doc:  "number of top passages of each response whose text is stored and reported; all are scored (0: all)",
		bind: func(c *Config) value { return whole{&c.KeepTexts, 0} },
	},
	Setting{
		Key: "repeat", Default: "1", Request: true,
		Doc:  "number of times each case is asked and judged, independently",
		bind: func(c *Config) value { return whole{&c.Repeat, 1} },
	},
	Setting{
		Key: "offline", Default: "false", Free: true,
		Doc:  "forbid all network access",
		bind: func(c *Config) value { return truth{&c.Offline} },
	},
	Setting{
		Key: "seed", Stored: true, Default: "0", Request: true,
		Doc:  "seed of all random choices",
		bind: func(c *Config) value { return natural{&c.Seed} },
	},
)

var outputSettings = in(sectionOutput,
	Setting{
		Key: "output", Stored: true, Aliases: []string{"output.directory"}, Default: "results/eval_report", Free: true,
		Doc:  "base name of the report files",
		bind: func(c *Config) value { return words{&c.Output} },
	},
	Setting{
		Key: "formats", Stored: true, Aliases: []string{"output.formats"}, Default: "markdown,json,html",
		Choices: report.Run.Names, Free: true,
		Doc:  "report files",
		bind: func(c *Config) value { return list{&c.Formats} },
	},
	Setting{
		Key: "language", Stored: true, Default: "en", Choices: report.Languages, Free: true,
		Doc:  "language of reports and of the terminal",
		Else: "the language of recordings is recording-language (--recording-language)",
		bind: func(c *Config) value { return words{&c.Language} },
	},
	Setting{
		Key: "junit", Verdict: true, Free: true,
		Doc:  "write a JUnit report to this file, for CI systems",
		bind: func(c *Config) value { return words{&c.JUnit} },
	},
	Setting{
		Key: "csv", Verdict: true, Free: true,
		Doc:  "write a table with one row per case to this file",
		bind: func(c *Config) value { return words{&c.CSV} },
	},
	Setting{
		Key: "github", Verdict: true, Default: "false", Free: true,
		Doc:  "write annotations, a step summary and a comment body for GitHub Actions",
		bind: func(c *Config) value { return truth{&c.GitHub} },
	},
	Setting{
		Key: "store", Stored: true, Default: "results/assay.db", Free: true,
		Doc:  "database of runs: " + store.Forms(),
		bind: func(c *Config) value { return address{&c.Store} },
	},
	Setting{
		Key: "store-patience", Default: "10m", Free: true,
		Doc:  "how long a run waits for an unreachable database, per outage",
		bind: func(c *Config) value { return duration{&c.StorePatience} },
	},
	Setting{
		Key: "name", Request: true,
		Doc:  "label of the run in reports",
		bind: func(c *Config) value { return words{&c.Name} },
	},
)
