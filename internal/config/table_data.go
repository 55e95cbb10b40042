package config

import "github.com/assay-eval/assay/dataset"

var dataSettings = in(SectionData,
	Setting{
		Key: "dataset", Request: true, File: true,
		Doc:  "dataset: a file, or a BEIR directory or zip file",
		bind: func(c *Config) value { return words{&c.Dataset} },
	},
	Setting{
		Key: "format", Request: true, Choices: dataset.FormatNames,
		Doc:  "format of the dataset (default: detected from its content)",
		bind: func(c *Config) value { return words{&c.Format} },
	},
	Setting{
		Key: "split", Request: true,
		Doc:  "split of a BEIR dataset or of what Hugging Face datasets saved (default: test, or the only one), or one of several outputs in results of promptfoo",
		bind: func(c *Config) value { return words{&c.Split} },
	},
	Setting{
		Key: "queries", Request: true,
		Doc:  "use only these queries of a BEIR or TREC dataset, by id",
		bind: func(c *Config) value { return list{&c.Queries} },
	},
	Setting{
		Key: "min-relevance", Default: "1", Request: true,
		Doc:  "lowest grade of a BEIR or TREC judgment that counts as relevant",
		bind: func(c *Config) value { return whole{&c.MinGrade, 1} },
	},
	Setting{
		Key: "keep-own-ids", Request: true,
		Doc:  "count retrieved documents that have the id of their query, which BEIR's evaluation leaves out",
		bind: func(c *Config) value { return truth{&c.KeepOwnIDs} },
	},
	Setting{
		Key: "strict", Request: true,
		Doc:  "reject a BEIR or TREC dataset with judgments of documents or queries that it lacks, instead of skipping them",
		bind: func(c *Config) value { return truth{&c.Strict} },
	},
	Setting{
		Key: "skip-invalid", Request: true,
		Doc:  "leave out rows of the dataset that cannot be read, and count them in every report, instead of rejecting the file",
		bind: func(c *Config) value { return truth{&c.SkipInvalid} },
	},
	Setting{
		Key: "map", Request: true,
		Doc:  "names of columns or JSON fields of the dataset, as question=Query",
		bind: func(c *Config) value { return list{&c.Columns} },
	},
	Setting{
		Key: "qrels", File: true,
		Doc:  "relevance judgments for TREC topics",
		bind: func(c *Config) value { return words{&c.Qrels} },
	},
)

var caseSettings = in(SectionCases,
	Setting{
		Key: "limit", Default: "0", Request: true,
		Doc:  "use only the first N cases (0: all)",
		bind: func(c *Config) value { return whole{&c.Limit, 0} },
	},
	Setting{
		Key: "sample", Default: "0", Request: true,
		Doc:  "use a random sample of N cases, drawn with the seed (0: all)",
		bind: func(c *Config) value { return whole{&c.Sample, 0} },
	},
	Setting{
		Key: "tags", Request: true,
		Doc:  "use only cases with one of these tags",
		bind: func(c *Config) value { return list{&c.Tags} },
	},
	Setting{
		Key: "ids", Request: true,
		Doc:  "use only these cases, by id",
		bind: func(c *Config) value { return list{&c.IDs} },
	},
	Setting{
		Key: "group-by", Default: "document", Choices: dataset.GroupBys, Request: true,
		Doc: "which cases are not independent: document (a case's group, else cases that share an expected document), " +
			"label (cases of one group) or none",
		bind: func(c *Config) value { return words{&c.GroupBy} },
	},
)
