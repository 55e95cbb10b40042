package config

// SectionJudge is the heading of the settings of judges and of every other
// model.
const SectionJudge = "Who judges"

const (
	sectionData   = "What is asked"
	sectionTarget = "The system under test"
	sectionScore  = "How it is scored"
	sectionGate   = "What it is held to"
	sectionRun    = "How it is run"
	sectionChoose = "Which cases"
	sectionOut    = "Where results go"
)

// Settings lists every setting, in the order of a configuration file.
var Settings = []Setting{
	{Key: "dataset", Section: sectionData, Doc: "data set: a file, or a BEIR directory or zip", bind: func(c *Config) value { return words{&c.Dataset} }},
	{Key: "format", Section: sectionData, Doc: "format of the data set, when its content does not tell", bind: func(c *Config) value { return words{&c.Format} }},
	{Key: "split", Section: sectionData, Doc: "which judgments of a BEIR data set (default: test, or the only ones)", bind: func(c *Config) value { return words{&c.Split} }},
	{Key: "queries", Section: sectionData, Doc: "only these queries of a BEIR data set, by id", bind: func(c *Config) value { return list{&c.Queries} }},
	{Key: "min-relevance", Section: sectionData, Default: "1", Doc: "lowest grade of a BEIR judgment that counts as relevant", bind: func(c *Config) value { return whole{&c.MinGrade, 1} }},
	{Key: "map", Section: sectionData, Doc: "columns of a CSV data set, as question=Query", bind: func(c *Config) value { return list{&c.Columns} }},
	{Key: "qrels", Section: sectionData, Doc: "relevance judgments for TREC topics", bind: func(c *Config) value { return words{&c.Qrels} }},

	{Key: "adapter", Section: sectionTarget, Default: "builtin", Words: []string{"builtin", "recorded", "http", "openai", "mcp", "exec", "langchain", "llamaindex"}, Doc: "how to reach the target", bind: func(c *Config) value { return words{&c.Adapter} }},
	{Key: "responses", Section: sectionTarget, Doc: "recorded responses: JSON lines or a TREC run (default: those of the data set)", bind: func(c *Config) value { return words{&c.Responses} }},
	{Key: "endpoint", Section: sectionTarget, Doc: "address of the target, for http, openai and mcp", bind: func(c *Config) value { return address{&c.Endpoint} }},
	{Key: "preset", Section: sectionTarget, Doc: "how a known kind of server is asked, by its name", bind: func(c *Config) value { return words{&c.Preset} }},
	{Key: "value", Section: sectionTarget, Example: "collection: docs\n", Doc: "value of a placeholder in what is sent", bind: func(c *Config) value { return texts{p: &c.Values, loose: true} }},
	{Key: "send", Section: sectionTarget, Example: "question: \"{{question}}\"\nlimit: \"{{top_k}}\"\n", Doc: "what is sent, with placeholders such as {{question}}: JSON or YAML", bind: func(c *Config) value { return tree{&c.Send} }},
	{Key: "read", Section: sectionTarget, Example: "answer: data.text\npassages: data.documents\n", Doc: "where a field of the reply is, as a path", bind: func(c *Config) value { return texts{p: &c.Read} }},
	{Key: "command", Section: sectionTarget, Doc: "command that starts the target, for exec and mcp, quoted as in a shell", bind: func(c *Config) value { return words{&c.Command} }},
	{Key: "dir", Section: sectionTarget, Doc: "folder in which the command is started", bind: func(c *Config) value { return words{&c.Dir} }},
	{Key: "processes", Section: sectionTarget, Free: true, Default: "0", Doc: "how many processes of the command are kept running (0: as many as --concurrency for exec, 1 for langchain and llamaindex)", bind: func(c *Config) value { return whole{&c.Processes, 0} }},
	{Key: "exec.pipelined", Section: sectionTarget, Default: "false", Doc: "the command takes questions before earlier ones are answered, and repeats their seq", bind: func(c *Config) value { return truth{&c.Exec.Pipelined} }},
	{Key: "exec.start", Section: sectionTarget, Default: "0s", Doc: "longest wait for the line {\"ready\": true} of a command that writes one (0s: it writes none)", bind: func(c *Config) value { return pause{&c.Exec.Start} }},
	{Key: "http.method", Section: sectionTarget, Words: []string{"GET", "POST", "PUT", "PATCH"}, Doc: "HTTP method (POST when nothing says otherwise)", bind: func(c *Config) value { return words{&c.HTTP.Method} }},
	{Key: "http.headers", Section: sectionTarget, Free: true, Secret: true, Option: "header", Example: "Authorization: Bearer ${RAG_API_TOKEN:-none}\n", Doc: "header of every request to the target", bind: func(c *Config) value { return headers{&c.HTTP.Headers} }},
	{Key: "http.proxy", Section: sectionTarget, Free: true, Doc: "address of a proxy (default: that of HTTPS_PROXY; \"none\" takes none)", bind: func(c *Config) value { return address{&c.HTTP.Proxy} }},
	{Key: "http.tls.ca", Section: sectionTarget, Free: true, Doc: "file of certificates, in PEM, that are trusted beside the system's", bind: func(c *Config) value { return words{&c.HTTP.TLS.CA} }},
	{Key: "http.tls.cert", Section: sectionTarget, Free: true, Doc: "file of the certificate, in PEM, that is shown to the target", bind: func(c *Config) value { return words{&c.HTTP.TLS.Cert} }},
	{Key: "http.tls.key", Section: sectionTarget, Free: true, Doc: "file of the certificate's key, in PEM", bind: func(c *Config) value { return words{&c.HTTP.TLS.Key} }},
	{Key: "http.tls.server-name", Section: sectionTarget, Free: true, Doc: "name that the target's certificate must have (default: the host of its address)", bind: func(c *Config) value { return words{&c.HTTP.TLS.ServerName} }},
	{Key: "http.tls.insecure", Section: sectionTarget, Default: "false", Doc: "check no certificate", bind: func(c *Config) value { return truth{&c.HTTP.TLS.Insecure} }},
	{Key: "openai.model", Section: sectionTarget, Doc: "model that an openai target is asked for", bind: func(c *Config) value { return words{&c.OpenAI.Model} }},
	{Key: "openai.system", Section: sectionTarget, Doc: "system message to an openai target", bind: func(c *Config) value { return words{&c.OpenAI.System} }},
	{Key: "openai.key-env", Section: sectionTarget, Doc: "environment variable that holds the key of an openai target (never the key itself)", bind: func(c *Config) value { return variable{&c.OpenAI.KeyEnv} }},
	{Key: "mcp.tool", Section: sectionTarget, Doc: "tool of the MCP server (default: the only one)", bind: func(c *Config) value { return words{&c.MCP.Tool} }},
	{Key: "mcp.protocol", Section: sectionTarget, Default: "2025-11-25", Doc: "version of the MCP protocol that is asked for", bind: func(c *Config) value { return words{&c.MCP.Protocol} }},
	{Key: "sampler", Section: sectionTarget, Doc: "model that answers the sampling requests of an MCP server, as PROVIDER:MODEL (default: none)", bind: func(c *Config) value { return words{&c.Sampler} }},
	{Key: "chain-path", Section: sectionTarget, Doc: "LangChain chain, as file.py:chain", bind: func(c *Config) value { return words{&c.ChainPath} }},
	{Key: "index-path", Section: sectionTarget, Doc: "LlamaIndex index: its folder, or file.py:engine", bind: func(c *Config) value { return words{&c.IndexPath} }},
	{Key: "python", Section: sectionTarget, Default: "python3", Doc: "Python that has LangChain or LlamaIndex", bind: func(c *Config) value { return words{&c.Python} }},
	{Key: "document-map", Section: sectionTarget, Doc: "file that says which document of the target is which of the data set", bind: func(c *Config) value { return words{&c.DocumentMap} }},
	{Key: "corpus", Section: sectionTarget, Doc: "folder of documents for the built-in pipeline (a BEIR data set brings its own)", bind: func(c *Config) value { return words{&c.Corpus} }},
	{Key: "unreadable", Section: sectionTarget, Default: "fail", Words: []string{"fail", "skip"}, Doc: "what to do when a document of the corpus cannot be read", bind: func(c *Config) value { return words{&c.Unreadable} }},
	{Key: "retriever", Section: sectionTarget, Default: "hybrid", Words: []string{"sparse", "dense", "hybrid"}, Doc: "retriever of the built-in pipeline", bind: func(c *Config) value { return words{&c.Retriever} }},
	{Key: "embedder", Section: sectionTarget, Default: "minilm", Aliases: []string{"comparison.embedding_model"}, Doc: "embedder of dense retrieval and of semantic metrics", bind: func(c *Config) value { return words{&c.Embedder} }},
	{Key: "top-k", Section: sectionTarget, Default: "10", Doc: "how many passages are retrieved", bind: func(c *Config) value { return whole{&c.TopK, 1} }},
	{Key: "chunk.method", Section: sectionTarget, Default: "auto", Words: []string{"auto", "document", "recursive", "sentence", "token"}, Doc: "how documents are split (auto: recursive for a folder, none for a BEIR corpus)", bind: func(c *Config) value { return words{&c.Chunk.Method} }},
	{Key: "chunk.size", Section: sectionTarget, Default: "160", Doc: "longest chunk, in words (a Chinese character is one)", bind: func(c *Config) value { return whole{&c.Chunk.Size, 1} }},
	{Key: "chunk.overlap", Section: sectionTarget, Default: "32", Doc: "words that a chunk repeats of the one before", bind: func(c *Config) value { return whole{&c.Chunk.Overlap, 0} }},
	{Key: "bm25.k1", Section: sectionTarget, Default: "0.9", Doc: "BM25: how fast repeated words stop counting", bind: func(c *Config) value { return number{&c.BM25.K1, 0, 100} }},
	{Key: "bm25.b", Section: sectionTarget, Default: "0.4", Doc: "BM25: how much long passages are held back", bind: func(c *Config) value { return number{&c.BM25.B, 0, 1} }},
	{Key: "fuse.k", Section: sectionTarget, Default: "60", Doc: "hybrid: the constant of reciprocal rank fusion", bind: func(c *Config) value { return whole{&c.Fuse.K, 1} }},
	{Key: "fuse.depth", Section: sectionTarget, Default: "100", Doc: "hybrid: how deep both lists are read", bind: func(c *Config) value { return whole{&c.Fuse.Depth, 1} }},
	{Key: "generator", Section: sectionTarget, Default: "extractive", Words: []string{"extractive", "none"}, Doc: "how the built-in pipeline answers", bind: func(c *Config) value { return words{&c.Generator} }},
	{Key: "cache", Section: sectionTarget, Doc: "folder that keeps indexes and embeddings (default: the user's cache folder; \"off\" keeps none)", bind: func(c *Config) value { return words{&c.Cache} }},

	{Key: "metrics", Section: sectionScore, Doc: "metrics, by name (default: all that fit the labels; assay metrics lists them)", bind: func(c *Config) value { return list{&c.Metrics} }},
	{Key: "level", Section: sectionScore, Default: "0.95", Doc: "confidence level of intervals", bind: func(c *Config) value { return number{&c.Level, 0.5, 0.9999} }},
	{Key: "weights", Section: sectionScore, Option: "weight", Example: "faithfulness: 40\nanswer_relevance: 20\ncontext_precision: 20\ncontext_recall: 20\n", Doc: "weight of a metric in the composite; only their proportions matter", bind: func(c *Config) value { return numbers{&c.Weights, 0, 1e9, nil} }},
	{Key: "thresholds", Free: true, Section: sectionScore, Option: "threshold", Shorts: []Short{{"fail-under", "composite", "what the composite must reach (for a metric: --fail-under-faithfulness 0.9)"}}, Example: "composite: 0.8\nfaithfulness: 0.85\n", Doc: "what a metric must reach, else the exit code is 1", bind: func(c *Config) value { return numbers{&c.Thresholds, -1e9, 1e9, []string{"composite"}} }},
	{Key: "similarity", Section: sectionScore, Aliases: []string{"comparison.semantic_similarity_threshold"}, Default: "0", Doc: "cosine from which an answer is the same as its reference, reported beside the cosine itself (customary: 0.85)", bind: func(c *Config) value { return number{&c.Similarity, 0, 1} }},

	{Key: "baseline", Free: true, Section: sectionGate, Doc: "file of a committed baseline that the run must not fall behind (assay baseline save writes one)", bind: func(c *Config) value { return words{&c.Baseline} }},
	{Key: "gate.rules", Free: true, Section: sectionGate, Option: "gate", Doc: "rules that the run must meet, such as \"faithfulness >= 0.85\" or \"recall@5 vs baseline >= -0.02\" (repeatable)", bind: func(c *Config) value { return list{&c.Gate.Rules} }},
	{Key: "gate.tolerances", Free: true, Section: sectionGate, Option: "tolerance", Example: "hit@3: 0\nprecision@5: 0.02\nmrr: 0.03\n", Doc: "how far a metric may fall behind the baseline; -1 only tracks it (default: hit@3 0, precision@5 0.02, mrr 0.03)", bind: func(c *Config) value { return numbers{&c.Gate.Tolerances, -1, 1e9, nil} }},
	{Key: "gate.statistical", Free: true, Section: sectionGate, Option: "statistical", Default: "false", Doc: "gate by a non-inferiority test: a metric must be shown not to be worse than its tolerance", bind: func(c *Config) value { return truth{&c.Gate.Statistical} }},
	{Key: "gate.inconclusive", Free: true, Section: sectionGate, Option: "inconclusive", Default: "warn", Words: []string{"warn", "fail"}, Doc: "what a rule comes to that too few cases leave open", bind: func(c *Config) value { return words{&c.Gate.Inconclusive} }},

	{Key: "judge", Section: SectionJudge, Doc: "who judges, as PROVIDER:MODEL, such as anthropic:claude-sonnet-4-5; several make a panel (default: offline, estimates without a model)", bind: func(c *Config) value { return list{&c.Judges} }},
	{Key: "passes", Section: SectionJudge, Default: "3", Doc: "how often each ruling is asked for; the majority decides, and the last passes are asked only when the first differ", bind: func(c *Config) value { return odd{&c.Passes} }},
	{Key: "third-judge", Section: SectionJudge, Doc: "who marks a rubric when the two judges of a panel differ, as PROVIDER:MODEL", bind: func(c *Config) value { return words{&c.ThirdJudge} }},
	{Key: "require-all", Section: SectionJudge, Default: "false", Doc: "a dimension of a rubric has no score when one judge of the panel failed", bind: func(c *Config) value { return truth{&c.RequireAll} }},
	{Key: "rubric", Section: SectionJudge, Doc: "marking scheme for the metric rubric: a YAML file", bind: func(c *Config) value { return words{&c.Rubric} }},
	{Key: "judge-depth", Section: SectionJudge, Default: "20", Doc: "passages of each response that are judged, from the best (0: all)", bind: func(c *Config) value { return whole{&c.Judge.Depth, 0} }},
	{Key: "judge-url", Section: SectionJudge, Doc: "base address of the judge's server, for one that the file does not define under providers", bind: func(c *Config) value { return words{&c.Judge.URL} }},
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
	{Key: "writer", Section: SectionJudge, Doc: "model that writes reference answers and questions, as PROVIDER:MODEL (default: the first judge)", bind: func(c *Config) value { return words{&c.Writer} }},
	{Key: "providers", Section: SectionJudge, Nested: true, Example: "local:\n  kind: openai\n  base_url: http://127.0.0.1:8000/v1\n  key_env: LOCAL_API_KEY\n  extra: {enable_thinking: false}\n", Doc: "servers of models by name: kind (anthropic, openai, ollama), base_url, key_env, extra", bind: func(c *Config) value { return providers{&c.Providers} }},
	{Key: "prices", Section: SectionJudge, Free: true, Doc: "file of prices of models that replace the built-in ones", bind: func(c *Config) value { return words{&c.Prices} }},
	{Key: "max-cost", Section: SectionJudge, Free: true, Default: "0", Doc: "most that calls to models may cost, in US dollars; the run stops there and can be resumed (0: no limit)", bind: func(c *Config) value { return number{&c.MaxCost, 0, 1e6} }},
	{Key: "replay", Section: SectionJudge, Free: true, Default: "false", Doc: "answer calls to models from the ledger alone: no key, no network, no cost", bind: func(c *Config) value { return truth{&c.Replay} }},
	{Key: "refresh", Section: SectionJudge, Free: true, Default: "false", Doc: "make every call to a model anew, and keep the new replies", bind: func(c *Config) value { return truth{&c.Refresh} }},

	{Key: "concurrency", Section: sectionRun, Free: true, Default: "1", Doc: "how many questions are asked at once", bind: func(c *Config) value { return whole{&c.Concurrency, 1} }},
	{Key: "timeout", Section: sectionRun, Default: "30s", Aliases: []string{"http.timeout"}, Doc: "longest wait for a response", bind: func(c *Config) value { return duration{&c.Timeout} }},
	{Key: "slow-threshold", Section: sectionRun, Default: "5s", Aliases: []string{"http.slow_threshold"}, Doc: "a response that takes longer is marked slow", bind: func(c *Config) value { return duration{&c.SlowThreshold} }},
	{Key: "retries", Section: sectionRun, Default: "3", Aliases: []string{"retry.max_attempts"}, Doc: "how often a failed question is asked again", bind: func(c *Config) value { return whole{&c.Retries, 0} }},
	{Key: "backoff", Section: sectionRun, Free: true, Default: "exponential", Words: []string{"exponential", "fixed"}, Aliases: []string{"retry.backoff"}, Doc: "how waits between tries grow", bind: func(c *Config) value { return words{&c.Backoff} }},
	{Key: "rate", Section: sectionRun, Free: true, Default: "0", Doc: "most questions a second to the target (0: no limit)", bind: func(c *Config) value { return number{&c.Rate, 0, 1e6} }},
	{Key: "keep-texts", Section: sectionRun, Default: "10", Doc: "passages of each response whose text is kept in records and reports; all are scored (0: all)", bind: func(c *Config) value { return whole{&c.KeepTexts, 0} }},
	{Key: "repeat", Section: sectionRun, Default: "1", Doc: "how often each case is asked and judged, each time anew", bind: func(c *Config) value { return whole{&c.Repeat, 1} }},
	{Key: "offline", Section: sectionRun, Free: true, Default: "false", Doc: "use no network at all", bind: func(c *Config) value { return truth{&c.Offline} }},
	{Key: "seed", Section: sectionRun, Default: "0", Doc: "fixes what is drawn at random", bind: func(c *Config) value { return natural{&c.Seed} }},

	{Key: "limit", Section: sectionChoose, Default: "0", Doc: "only the first cases (0: all)", bind: func(c *Config) value { return whole{&c.Limit, 0} }},
	{Key: "sample", Section: sectionChoose, Default: "0", Doc: "only so many cases, drawn by the seed (0: all)", bind: func(c *Config) value { return whole{&c.Sample, 0} }},
	{Key: "tags", Section: sectionChoose, Doc: "only cases with one of these tags", bind: func(c *Config) value { return list{&c.Tags} }},
	{Key: "ids", Section: sectionChoose, Doc: "only these cases", bind: func(c *Config) value { return list{&c.IDs} }},

	{Key: "output", Section: sectionOut, Free: true, Default: "results/eval_report", Aliases: []string{"output.directory"}, Doc: "base name of the report files", bind: func(c *Config) value { return words{&c.Output} }},
	{Key: "formats", Section: sectionOut, Free: true, Default: "markdown,json,html", Words: []string{"markdown", "json", "html", "csv"}, Aliases: []string{"output.formats"}, Doc: "report files", bind: func(c *Config) value { return list{&c.Formats} }},
	{Key: "junit", Section: sectionOut, Free: true, Doc: "file for a JUnit report, which CI systems show case by case", bind: func(c *Config) value { return words{&c.JUnit} }},
	{Key: "csv", Section: sectionOut, Free: true, Doc: "file for a table with one row a case", bind: func(c *Config) value { return words{&c.CSV} }},
	{Key: "github", Section: sectionOut, Free: true, Default: "false", Doc: "write annotations, the step summary and the body of a comment for GitHub Actions", bind: func(c *Config) value { return truth{&c.GitHub} }},
	{Key: "store", Section: sectionOut, Free: true, Default: "results/assay.db", Doc: "data base that keeps the run", bind: func(c *Config) value { return words{&c.Store} }},
	{Key: "name", Section: sectionOut, Doc: "label of the run in reports", bind: func(c *Config) value { return words{&c.Name} }},
}
