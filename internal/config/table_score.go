package config

var scoreSettings = in(sectionScore,
	Setting{
		Key: "metrics", Request: true,
		Doc:  "metrics, by name (default: all that fit the labels; assay metrics lists them)",
		bind: func(c *Config) value { return list{&c.Metrics} },
	},
	Setting{
		Key: "level", Default: "0.95", Request: true,
		Doc:  "confidence level of intervals",
		bind: func(c *Config) value { return number{&c.Level, 0.5, 0.9999} },
	},
	Setting{
		Key: "weights", Option: "weight", Request: true,
		Doc:     "weight of a metric in the composite; only their proportions matter",
		Example: "faithfulness: 40\nanswer_relevance: 20\ncontext_precision: 20\ncontext_recall: 20\n",
		bind:    func(c *Config) value { return numbers{&c.Weights, 0, 1e9, nil} },
	},
	Setting{
		Key: "thresholds", Option: "threshold", Free: true, Request: true,
		Doc: "what a metric must reach, else the exit code is 1",
		Shorts: []Short{{
			"fail-under", "composite",
			"what the composite must reach (for a metric: --fail-under-faithfulness 0.9)",
		}},
		Example: "composite: 0.8\nfaithfulness: 0.85\n",
		bind:    func(c *Config) value { return numbers{&c.Thresholds, -1e9, 1e9, []string{"composite"}} },
	},
	Setting{
		Key: "attribution", Default: "auto", Choices: oneOf("auto", "funnel", "ladder", "off"),
		Doc: "which stage lost an answer: funnel follows the evidence of every case through the trace, ladder " +
			"asks failed cases again with the right outputs in the stages' places, auto does both where asking " +
			"again costs nothing, else the first",
		bind: func(c *Config) value { return words{&c.Attribution} },
	},
	Setting{
		Key: "outcome",
		Doc: "when a case counts as right, for attribution, as a rule such as \"token_f1 >= 0.5\" (default: " +
			"answer_correctness >= 0.5 where it is measured, else all keywords, a reference answer or all " +
			"evidence in the answer)",
		bind: func(c *Config) value { return words{&c.Outcome} },
	},
	Setting{
		Key: "similarity", Aliases: []string{"comparison.semantic_similarity_threshold"}, Default: "0", Request: true,
		Doc: "cosine from which an answer is the same as its reference, reported beside the cosine itself " +
			"(customary: 0.85)",
		bind: func(c *Config) value { return number{&c.Similarity, 0, 1} },
	},
)

var gateSettings = in(sectionGate,
	Setting{
		Key: "baseline", Free: true, Request: true, File: true,
		Doc:  "file of a committed baseline that the run must not fall behind (assay baseline save writes one)",
		bind: func(c *Config) value { return words{&c.Baseline} },
	},
	Setting{
		Key: "gate.rules", Option: "gate", Free: true, Request: true,
		Doc: "rules that the run must meet, such as \"faithfulness >= 0.85\" or \"recall@5 vs baseline >= -0.02\" " +
			"(repeatable)",
		bind: func(c *Config) value { return list{&c.Gate.Rules} },
	},
	Setting{
		Key: "gate.tolerances", Option: "tolerance", Free: true, Request: true,
		Doc: "how far a metric may fall behind the baseline; -1 only tracks it (default: hit@3 0, precision@5 " +
			"0.02, mrr 0.03)",
		Example: "hit@3: 0\nprecision@5: 0.02\nmrr: 0.03\n",
		bind:    func(c *Config) value { return numbers{&c.Gate.Tolerances, -1, 1e9, nil} },
	},
	Setting{
		Key: "gate.statistical", Option: "statistical", Default: "false", Free: true, Request: true,
		Doc:  "gate by a non-inferiority test: a metric must be shown not to be worse than its tolerance",
		bind: func(c *Config) value { return truth{&c.Gate.Statistical} },
	},
	Setting{
		Key: "gate.inconclusive", Option: "inconclusive", Default: "warn", Choices: oneOf("warn", "fail"), Free: true,
		Request: true,
		Doc:     "what a rule comes to that too few cases leave open",
		bind:    func(c *Config) value { return words{&c.Gate.Inconclusive} },
	},
)
