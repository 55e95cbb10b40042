package config

var scoreSettings = in(sectionScore,
	Setting{
		Key: "metrics", Stored: true, Request: true,
		Doc:  "metrics, by name (default: those that fit the labels; assay metrics lists all)",
		bind: func(c *Config) value { return list{&c.Metrics} },
	},
	Setting{
		Key: "checks", Option: "check",
		Doc: "a check that is a metric of its own, check.NAME: its kind, and what the kind takes (all are measured unless metrics names some " +
			"of them)",
		Example: "short: {kind: length, max: 80}\nno_apology: {kind: regex, value: \"(?i)sorry\", not: true}\n",
		bind:    func(c *Config) value { return checkMap{&c.Checks} },
	},
	Setting{
		Key: "level", Stored: true, Default: "0.95", Request: true,
		Doc:  "confidence level of the intervals",
		bind: func(c *Config) value { return number{&c.Level, 0.5, 0.9999} },
	},
	Setting{
		Key: "primary", Stored: true, Free: true, Compared: true,
		Doc: "metric that a comparison is about: it is tested alone, without correction for the others, and ranks the runs " +
			"(default: all are tested together, and the composite ranks, or the first)",
		bind: func(c *Config) value { return words{&c.Primary} },
	},
	Setting{
		Key: "weights", Option: "weight", Request: true,
		Doc:     "weight of a metric in the composite score; only the proportions matter",
		Example: "faithfulness: 40\nanswer_relevance: 20\ncontext_precision: 20\ncontext_recall: 20\n",
		bind:    func(c *Config) value { return numbers{&c.Weights, 0, 1e9, nil} },
	},
	Setting{
		Key: "thresholds", Option: "threshold", Free: true, Request: true,
		Doc: "minimum value of a metric; below it the exit code is 1",
		Shorts: []Short{{
			"fail-under", "composite",
			"minimum value of the composite score (for a metric: --fail-under-faithfulness 0.9)",
		}},
		Example: "composite: 0.8\nfaithfulness: 0.85\n",
		bind:    func(c *Config) value { return numbers{&c.Thresholds, -1e9, 1e9, []string{"composite"}} },
	},
	Setting{
		Key: "attribution", Default: "auto", Choices: oneOf("auto", "funnel", "ladder", "off"),
		Doc: "how to find the stage that lost an answer: funnel follows the evidence of every case through the " +
			"trace, ladder repeats failed cases with correct outputs substituted stage by stage, auto does both " +
			"where repeating costs nothing, otherwise only the funnel",
		bind: func(c *Config) value { return words{&c.Attribution} },
	},
	Setting{
		Key: "outcome",
		Doc: "rule that decides whether an answer is right, such as \"token_f1 >= 0.5\" (default: " +
			"answer_correctness or else binary_correctness >= 0.5 where measured, otherwise the labels, as far as they " +
			"tell right from wrong)",
		bind: func(c *Config) value { return words{&c.Outcome} },
	},
	Setting{
		Key: "similarity", Aliases: []string{"comparison.semantic_similarity_threshold"}, Default: "0", Request: true,
		Doc: "cosine similarity from which an answer counts as equal to its reference, reported beside the cosine " +
			"itself (commonly 0.85)",
		bind: func(c *Config) value { return number{&c.Similarity, 0, 1} },
	},
)

var gateSettings = in(sectionGate,
	Setting{
		Key: "baseline", Verdict: true, Free: true, Request: true, File: true,
		Doc:  "baseline file to compare the run with (assay baseline save writes one)",
		bind: func(c *Config) value { return words{&c.Baseline} },
	},
	Setting{
		Key: "gate.rules", Verdict: true, Option: "gate", Free: true, Request: true,
		Doc: "rule that the run must meet, such as \"faithfulness >= 0.85\" or \"recall@5 vs baseline >= -0.02\" " +
			"(repeatable)",
		bind: func(c *Config) value { return list{&c.Gate.Rules} },
	},
	Setting{
		Key: "gate.tolerances", Verdict: true, Option: "tolerance", Free: true, Request: true,
		Doc: "tolerated drop of a metric below the baseline; -1 only tracks the metric (default: hit@3 0, " +
			"precision@5 0.02, mrr 0.03)",
		Example: "hit@3: 0\nprecision@5: 0.02\nmrr: 0.03\n",
		bind:    func(c *Config) value { return numbers{&c.Gate.Tolerances, -1, 1e9, nil} },
	},
	Setting{
		Key: "gate.statistical", Verdict: true, Option: "statistical", Default: "false", Free: true, Request: true,
		Doc:  "use a non-inferiority test: the run must show that a metric is not worse than its tolerance",
		bind: func(c *Config) value { return truth{&c.Gate.Statistical} },
	},
	Setting{
		Key: "gate.allow_estimates", Verdict: true, Option: "allow-estimates", Default: "false", Free: true, Request: true,
		Doc:  "let estimates by formula decide rules and thresholds, which are otherwise inconclusive",
		bind: func(c *Config) value { return truth{&c.Gate.AllowEstimates} },
	},
	Setting{
		Key: "gate.min_certificate", Verdict: true, Option: "min-certificate", Default: "0", Free: true, Request: true,
		Doc: "least balanced accuracy of the judge, by the lower end of the interval in its certificates, for a rule or threshold " +
			"on a judged metric to decide (0: no certificate is needed)",
		bind: func(c *Config) value { return number{&c.Gate.MinCertificate, 0, 1} },
	},
	Setting{
		Key: "gate.inconclusive", Verdict: true, Option: "inconclusive", Default: "warn", Choices: oneOf("warn", "fail"), Free: true,
		Request: true,
		Doc:     "outcome of a rule that too few cases leave undecided",
		bind:    func(c *Config) value { return words{&c.Gate.Inconclusive} },
	},
	Setting{
		Key: "gate.critical", Verdict: true, Option: "critical", Default: "labelled", Choices: oneOf("labelled", "all"), Free: true,
		Request: true,
		Doc:     "which cases are critical: those that the dataset labels so, or all",
		bind:    func(c *Config) value { return words{&c.Gate.Critical} },
	},
	Setting{
		Key: "gate.labels", Verdict: true, Option: "labels", Free: true,
		Doc: "table of labels of people on answers of the run, and of the baseline's run, that corrects the judge: case, run, label " +
			"(repeatable)",
		bind: func(c *Config) value { return list{&c.Gate.Labels} },
	},
	Setting{
		Key: "gate.label_metric", Verdict: true, Option: "label-metric", Free: true,
		Doc:  "metric that was labelled",
		bind: func(c *Config) value { return words{&c.Gate.LabelMetric} },
	},
	Setting{
		Key: "gate.label_scale", Verdict: true, Option: "label-scale", Free: true,
		Doc:  "lowest and highest level of graded labels, as in 1-4 (default: the range of the metric)",
		bind: func(c *Config) value { return words{&c.Gate.LabelScale} },
	},
	Setting{
		Key: "gate.corrected", Verdict: true, Option: "corrected", Default: "false", Free: true,
		Doc:  "let rules on the labelled metric be decided by what people would say, not by the judge alone",
		bind: func(c *Config) value { return truth{&c.Gate.Corrected} },
	},
)
