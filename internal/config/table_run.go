package config

import (
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/report"
)

var dataSettings = []Setting{
	{Key: "dataset", File: true, Request: true, bind: func(c *Config) value { return words{&c.Dataset} }},
	{Key: "format", Choices: dataset.FormatNames, Request: true, bind: func(c *Config) value { return words{&c.Format} }},
	{Key: "split", Request: true, bind: func(c *Config) value { return words{&c.Split} }},
	{Key: "queries", Request: true, bind: func(c *Config) value { return list{&c.Queries} }},
	{Key: "min-relevance", Default: "1", Request: true, bind: func(c *Config) value { return whole{&c.MinGrade, 1} }},
	{Key: "keep-own-ids", Request: true, bind: func(c *Config) value { return truth{&c.KeepOwnIDs} }},
	{Key: "strict", Request: true, bind: func(c *Config) value { return truth{&c.Strict} }},
	{Key: "skip-invalid", Request: true, bind: func(c *Config) value { return truth{&c.SkipInvalid} }},
	{Key: "map", Request: true, bind: func(c *Config) value { return list{&c.Columns} }},
	{Key: "qrels", File: true, bind: func(c *Config) value { return words{&c.Qrels} }},
}

var caseSettings = []Setting{
	{Key: "limit", Default: "0", Request: true, bind: func(c *Config) value { return whole{&c.Limit, 0} }},
	{Key: "sample", Default: "0", Request: true, bind: func(c *Config) value { return whole{&c.Sample, 0} }},
	{Key: "tags", Request: true, bind: func(c *Config) value { return list{&c.Tags} }},
	{Key: "ids", Request: true, bind: func(c *Config) value { return list{&c.IDs} }},
	{
		Key: "group-by", Default: "document", Choices: dataset.GroupBys, Request: true,
		bind: func(c *Config) value { return words{&c.GroupBy} },
	},
}

var runSettings = []Setting{
	{Key: "concurrency", Default: "1", Request: true, Free: true, bind: func(c *Config) value { return whole{&c.Concurrency, 1} }},
	{
		Key: "timeout", Aliases: []string{"http.timeout"}, Default: "30s", Request: true,
		bind: func(c *Config) value { return duration{&c.Timeout} },
	},
	{
		Key: "slow-threshold", Aliases: []string{"http.slow_threshold"}, Default: "5s", Request: true,
		bind: func(c *Config) value { return duration{&c.SlowThreshold} },
	},
	{
		Key: "retries", Aliases: []string{"retry.max_attempts"}, Default: "3", Request: true,
		bind: func(c *Config) value { return whole{&c.Retries, 0} },
	},
	{
		Key: "backoff", Aliases: []string{"retry.backoff"}, Default: "exponential", Choices: oneOf("exponential", "fixed"), Request: true,
		Free: true,
		bind: func(c *Config) value { return words{&c.Backoff} },
	},
	{
		Key: "workers", Default: "here", Choices: oneOf("here", "queue"), Free: true,
		bind: func(c *Config) value { return words{&c.Workers} },
	},
	{
		Key: "priority", Default: "2", Choices: oneOf("1", "2", "3", "4"), Request: true, Free: true,
		bind: func(c *Config) value { return whole{&c.Priority, 1} },
	},
	{Key: "rate", Default: "0", Request: true, Free: true, bind: func(c *Config) value { return number{&c.Rate, 0, 1e6} }},
	{Key: "keep-texts", Default: "10", Request: true, bind: func(c *Config) value { return whole{&c.KeepTexts, 0} }},
	{Key: "repeat", Default: "1", Request: true, bind: func(c *Config) value { return whole{&c.Repeat, 1} }},
	{Key: "offline", Default: "false", Free: true, bind: func(c *Config) value { return truth{&c.Offline} }},
	{Key: "seed", Default: "0", Request: true, Stored: true, bind: func(c *Config) value { return natural{&c.Seed} }},
}

var outputSettings = []Setting{
	{
		Key: "output", Aliases: []string{"output.directory"}, Default: "results/eval_report", Free: true, Stored: true,
		bind: func(c *Config) value { return words{&c.Output} },
	},
	{
		Key: "formats", Aliases: []string{"output.formats"}, Default: "markdown,json,html", Choices: report.Run.Names, Free: true,
		Stored: true,
		bind:   func(c *Config) value { return list{&c.Formats} },
	},
	{
		Key: "language", Default: "en", Choices: report.Languages,
		Else: "the language of recordings is recording-language (--recording-language)", Free: true, Stored: true,
		bind: func(c *Config) value { return words{&c.Language} },
	},
	{Key: "junit", Free: true, Verdict: true, bind: func(c *Config) value { return words{&c.JUnit} }},
	{Key: "csv", Free: true, Verdict: true, bind: func(c *Config) value { return words{&c.CSV} }},
	{Key: "github", Default: "false", Free: true, Verdict: true, bind: func(c *Config) value { return truth{&c.GitHub} }},
	{Key: "store", Default: "results/assay.db", Free: true, Stored: true, bind: func(c *Config) value { return address{&c.Store} }},
	{Key: "store-patience", Default: "10m", Free: true, bind: func(c *Config) value { return duration{&c.StorePatience} }},
	{Key: "name", Request: true, bind: func(c *Config) value { return words{&c.Name} }},
}
