package config

import (
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/report"
)

var dataSettings = []Setting{
	{Key: "dataset", Usual: true, First: true, File: true, Request: true, bind: func(c *Config) value { return words{&c.Dataset} }},
	{Key: "format", Usual: true, Choices: dataset.FormatNames, Request: true, bind: func(c *Config) value { return words{&c.Format} }},
	{Key: "split", Usual: true, Request: true, bind: func(c *Config) value { return words{&c.Split} }},
	{Key: "queries", Usual: true, Request: true, bind: func(c *Config) value { return list{&c.Queries} }},
	{Key: "min-relevance", Usual: true, Default: "1", Request: true, bind: func(c *Config) value { return whole{&c.MinGrade, 1} }},
	{Key: "keep-own-ids", Usual: true, Request: true, bind: func(c *Config) value { return truth{&c.KeepOwnIDs} }},
	{Key: "strict", Usual: true, Request: true, bind: func(c *Config) value { return truth{&c.Strict} }},
	{Key: "skip-invalid", Usual: true, Request: true, bind: func(c *Config) value { return truth{&c.SkipInvalid} }},
	{Key: "map", Usual: true, Request: true, bind: func(c *Config) value { return list{&c.Columns} }},
	{Key: "qrels", Usual: true, File: true, bind: func(c *Config) value { return words{&c.Qrels} }},
}

var caseSettings = []Setting{
	{Key: "limit", Usual: true, First: true, Default: "0", Request: true, bind: func(c *Config) value { return whole{&c.Limit, 0} }},
	{Key: "sample", Usual: true, First: true, Default: "0", Request: true, bind: func(c *Config) value { return whole{&c.Sample, 0} }},
	{Key: "tags", Usual: true, Request: true, bind: func(c *Config) value { return list{&c.Tags} }},
	{Key: "ids", Usual: true, Request: true, bind: func(c *Config) value { return list{&c.IDs} }},
	{
		Key: "group-by", Usual: true, Default: "document", Choices: dataset.GroupBys, Request: true,
		bind: func(c *Config) value { return words{&c.GroupBy} },
	},
}

var runSettings = []Setting{
	{Key: "concurrency", Usual: true, First: true, Default: "1", Request: true, Free: true, bind: func(c *Config) value { return whole{&c.Concurrency, 1} }},
	{
		Key: "timeout", Usual: true, Aliases: []string{"http.timeout"}, Default: "30s", Request: true,
		bind: func(c *Config) value { return duration{&c.Timeout} },
	},
	{
		Key: "slow-threshold", Usual: true, Aliases: []string{"http.slow_threshold"}, Default: "5s", Request: true,
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
		Key: "workers", Usual: true, Default: "here", Choices: oneOf("here", "queue"), Free: true,
		bind: func(c *Config) value { return words{&c.Workers} },
	},
	{
		Key: "priority", Default: "2", Choices: oneOf("1", "2", "3", "4"), Request: true, Free: true,
		bind: func(c *Config) value { return whole{&c.Priority, 1} },
	},
	{Key: "rate", Usual: true, Default: "0", Request: true, Free: true, bind: func(c *Config) value { return number{&c.Rate, 0, 1e6} }},
	{Key: "keep-texts", Default: "10", Request: true, bind: func(c *Config) value { return whole{&c.KeepTexts, 0} }},
	{Key: "repeat", Usual: true, Default: "1", Request: true, bind: func(c *Config) value { return whole{&c.Repeat, 1} }},
	{Key: "offline", Usual: true, Default: "false", Free: true, bind: func(c *Config) value { return truth{&c.Offline} }},
	{Key: "seed", Usual: true, Default: "0", Request: true, Stored: true, bind: func(c *Config) value { return natural{&c.Seed} }},
}

var outputSettings = []Setting{
	{
		Key: "output", Usual: true, First: true, Aliases: []string{"output.directory"}, Default: "results/eval_report", Free: true, Stored: true,
		bind: func(c *Config) value { return words{&c.Output} },
	},
	{
		Key: "formats", Usual: true, First: true, Aliases: []string{"output.formats"}, Default: "markdown,json,html", Choices: report.Run.Names, Free: true,
		Else: "prometheus was removed: assay report RUN --format json has every estimate, and jq makes gauges of them", Stored: true,
		bind: func(c *Config) value { return list{&c.Formats} },
	},
	{
		Key: "language", Usual: true, First: true, Default: "en", Choices: report.Languages,
		Else: "the language of recordings is recording-language (--set recording-language)", Free: true, Stored: true,
		bind: func(c *Config) value { return words{&c.Language} },
	},
	{Key: "junit", Usual: true, Free: true, Verdict: true, bind: func(c *Config) value { return words{&c.JUnit} }},
	{Key: "csv", Usual: true, Free: true, Verdict: true, bind: func(c *Config) value { return words{&c.CSV} }},
	{Key: "github", Usual: true, Default: "false", Free: true, Verdict: true, bind: func(c *Config) value { return truth{&c.GitHub} }},
	{Key: "store", Usual: true, First: true, Default: "results/assay.db", Free: true, Stored: true, bind: func(c *Config) value { return address{&c.Store} }},
	{Key: "store-patience", Default: "10m", Free: true, bind: func(c *Config) value { return duration{&c.StorePatience} }},
	{Key: "name", Usual: true, Request: true, bind: func(c *Config) value { return words{&c.Name} }},
}
