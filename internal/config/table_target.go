package config

var targetSettings = in(sectionTarget,
	Setting{
		Key: "adapter", Default: "builtin",
		Choices: oneOf("builtin", "recorded", "http", "openai", "mcp", "exec", "langchain", "llamaindex"),
		Doc:     "how to reach the target",
		bind:    func(c *Config) value { return words{&c.Adapter} },
	},
	Setting{
		Key: "responses", File: true, Implies: "recorded",
		Doc:  "recorded responses: JSON lines or a TREC run (default: those of the data set)",
		bind: func(c *Config) value { return words{&c.Responses} },
	},
	Setting{
		Key: "command", Implies: "exec",
		Doc:  "command that starts the target, for exec and mcp, quoted as in a shell",
		bind: func(c *Config) value { return words{&c.Command} },
	},
	Setting{
		Key: "dir", File: true,
		Doc:  "folder in which the command is started",
		bind: func(c *Config) value { return words{&c.Dir} },
	},
	Setting{
		Key: "processes", Default: "0", Free: true,
		Doc: "how many processes of the command are kept running (0: as many as --concurrency for exec, 1 for " +
			"langchain and llamaindex)",
		bind: func(c *Config) value { return whole{&c.Processes, 0} },
	},
	Setting{
		Key: "exec.pipelined", Default: "false",
		Doc:  "the command takes questions before earlier ones are answered, and repeats their seq",
		bind: func(c *Config) value { return truth{&c.Exec.Pipelined} },
	},
	Setting{
		Key: "exec.start", Default: "0s",
		Doc:  "longest wait for the line {\"ready\": true} of a command that writes one (0s: it writes none)",
		bind: func(c *Config) value { return pause{&c.Exec.Start} },
	},
	Setting{
		Key: "endpoint", Request: true, Implies: "http",
		Doc:  "address of the target, for http, openai and mcp",
		bind: func(c *Config) value { return address{&c.Endpoint} },
	},
	Setting{
		Key: "preset", Implies: "http",
		Doc:  "how a known kind of server is asked, by its name",
		bind: func(c *Config) value { return words{&c.Preset} },
	},
	Setting{
		Key:     "value",
		Doc:     "value of a placeholder in what is sent",
		Example: "collection: docs\n",
		bind:    func(c *Config) value { return texts{p: &c.Values, loose: true} },
	},
	Setting{
		Key:     "send",
		Doc:     "what is sent, with placeholders such as {{question}}: JSON or YAML",
		Example: "question: \"{{question}}\"\nlimit: \"{{top_k}}\"\n",
		bind:    func(c *Config) value { return tree{&c.Send} },
	},
	Setting{
		Key:     "read",
		Doc:     "where a field of the reply is, as a path",
		Example: "answer: data.text\npassages: data.documents\n",
		bind:    func(c *Config) value { return texts{p: &c.Read} },
	},
	Setting{
		Key: "http.method", Choices: oneOf("GET", "POST", "PUT", "PATCH"),
		Doc:  "HTTP method (POST when nothing says otherwise)",
		bind: func(c *Config) value { return words{&c.HTTP.Method} },
	},
	Setting{
		Key: "http.headers", Option: "header", Free: true, Secret: true,
		Doc:     "header of every request to the target",
		Example: "Authorization: Bearer ${RAG_API_TOKEN:-none}\n",
		bind:    func(c *Config) value { return headers{&c.HTTP.Headers} },
	},
	Setting{
		Key: "http.proxy", Free: true,
		Doc:  "address of a proxy (default: that of HTTPS_PROXY; \"none\" takes none)",
		bind: func(c *Config) value { return address{&c.HTTP.Proxy} },
	},
	Setting{
		Key: "http.tls.ca", Free: true,
		Doc:  "file of certificates, in PEM, that are trusted beside the system's",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.CA} },
	},
	Setting{
		Key: "http.tls.cert", Free: true,
		Doc:  "file of the certificate, in PEM, that is shown to the target",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.Cert} },
	},
	Setting{
		Key: "http.tls.key", Free: true,
		Doc:  "file of the certificate's key, in PEM",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.Key} },
	},
	Setting{
		Key: "http.tls.server-name", Free: true,
		Doc:  "name that the target's certificate must have (default: the host of its address)",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.ServerName} },
	},
	Setting{
		Key: "http.tls.insecure", Default: "false",
		Doc:  "check no certificate",
		bind: func(c *Config) value { return truth{&c.HTTP.TLS.Insecure} },
	},
	Setting{
		Key: "openai.model", Implies: "openai",
		Doc:  "model that an openai target is asked for",
		bind: func(c *Config) value { return words{&c.OpenAI.Model} },
	},
	Setting{
		Key:  "openai.system",
		Doc:  "system message to an openai target",
		bind: func(c *Config) value { return words{&c.OpenAI.System} },
	},
	Setting{
		Key:  "openai.key-env",
		Doc:  "environment variable that holds the key of an openai target (never the key itself)",
		bind: func(c *Config) value { return variable{&c.OpenAI.KeyEnv} },
	},
	Setting{
		Key: "mcp.tool", Implies: "mcp",
		Doc:  "tool of the MCP server (default: the only one)",
		bind: func(c *Config) value { return words{&c.MCP.Tool} },
	},
	Setting{
		Key: "mcp.protocol", Default: "2025-11-25",
		Doc:  "version of the MCP protocol that is asked for",
		bind: func(c *Config) value { return words{&c.MCP.Protocol} },
	},
	Setting{
		Key: "sampler", Model: true,
		Doc:  "model that answers the sampling requests of an MCP server, as PROVIDER:MODEL (default: none)",
		bind: func(c *Config) value { return words{&c.Sampler} },
	},
	Setting{
		Key: "chain-path", Implies: "langchain",
		Doc:  "LangChain chain, as file.py:chain",
		bind: func(c *Config) value { return words{&c.ChainPath} },
	},
	Setting{
		Key: "index-path", Implies: "llamaindex",
		Doc:  "LlamaIndex index: its folder, or file.py:engine",
		bind: func(c *Config) value { return words{&c.IndexPath} },
	},
	Setting{
		Key: "python", Default: "python3",
		Doc:  "Python that has LangChain or LlamaIndex",
		bind: func(c *Config) value { return words{&c.Python} },
	},
	Setting{
		Key: "document-map", File: true,
		Doc:  "file that says which document of the target is which of the data set",
		bind: func(c *Config) value { return words{&c.DocumentMap} },
	},
	Setting{
		Key: "corpus", File: true,
		Doc:  "folder of documents for the built-in pipeline (a BEIR data set brings its own)",
		bind: func(c *Config) value { return words{&c.Corpus} },
	},
	Setting{
		Key: "unreadable", Default: "fail", Choices: oneOf("fail", "skip"),
		Doc:  "what to do when a document of the corpus cannot be read",
		bind: func(c *Config) value { return words{&c.Unreadable} },
	},
	Setting{
		Key: "retriever", Default: "hybrid", Choices: oneOf("sparse", "dense", "hybrid"), Request: true,
		Doc:  "retriever of the built-in pipeline",
		bind: func(c *Config) value { return words{&c.Retriever} },
	},
	Setting{
		Key: "embedder", Aliases: []string{"comparison.embedding_model"}, Default: "minilm", Request: true,
		Doc:  "embedder of dense retrieval and of semantic metrics",
		bind: func(c *Config) value { return words{&c.Embedder} },
	},
	Setting{
		Key: "top-k", Default: "10", Request: true,
		Doc:  "how many passages are retrieved",
		bind: func(c *Config) value { return whole{&c.TopK, 1} },
	},
	Setting{
		Key: "chunk.method", Default: "auto", Choices: oneOf("auto", "document", "recursive", "sentence", "token"),
		Request: true,
		Doc:     "how documents are split (auto: recursive for a folder, none for a BEIR corpus)",
		bind:    func(c *Config) value { return words{&c.Chunk.Method} },
	},
	Setting{
		Key: "chunk.size", Default: "160", Request: true,
		Doc:  "longest chunk, in words (a Chinese character is one)",
		bind: func(c *Config) value { return whole{&c.Chunk.Size, 1} },
	},
	Setting{
		Key: "chunk.overlap", Default: "32", Request: true,
		Doc:  "words that a chunk repeats of the one before",
		bind: func(c *Config) value { return whole{&c.Chunk.Overlap, 0} },
	},
	Setting{
		Key: "bm25.k1", Default: "0.9", Request: true,
		Doc:  "BM25: how fast repeated words stop counting",
		bind: func(c *Config) value { return number{&c.BM25.K1, 0, 100} },
	},
	Setting{
		Key: "bm25.b", Default: "0.4", Request: true,
		Doc:  "BM25: how much long passages are held back",
		bind: func(c *Config) value { return number{&c.BM25.B, 0, 1} },
	},
	Setting{
		Key: "fuse.k", Default: "60", Request: true,
		Doc:  "hybrid: the constant of reciprocal rank fusion",
		bind: func(c *Config) value { return whole{&c.Fuse.K, 1} },
	},
	Setting{
		Key: "fuse.depth", Default: "100", Request: true,
		Doc:  "hybrid: how deep both lists are read",
		bind: func(c *Config) value { return whole{&c.Fuse.Depth, 1} },
	},
	Setting{
		Key: "decomposer", Default: "none", Request: true, Model: true,
		Doc: "who splits a question of the built-in pipeline into 1 to 5 key questions, each of which is " +
			"retrieved for: none, rule (at question marks and conjunctions), or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Decomposer, []string{"none", "rule"}} },
	},
	Setting{
		Key: "filter", Default: "none", Request: true, Model: true,
		Doc: "who rates each retrieved passage of the built-in pipeline from 0 to 10: none, similarity (ten times " +
			"the cosine by the embedder), or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Filter, []string{"none", "similarity"}} },
	},
	Setting{
		Key: "filter-threshold", Default: "auto", Request: true,
		Doc:  "rating from which the filter keeps a passage, 0 to 10 (auto: 5 for a model, 3 for similarity)",
		bind: func(c *Config) value { return rating{&c.FilterThreshold} },
	},
	Setting{
		Key: "generator", Default: "extractive", Request: true, Model: true,
		Doc:  "how the built-in pipeline answers: extractive (the best supporting sentences), none, or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Generator, []string{"extractive", "none"}} },
	},
	Setting{
		Key: "profile", Default: "A", Request: true,
		Doc:  "prompt profile of the built-in pipeline: A, B, C, or one that assay profile keeps in the store",
		bind: func(c *Config) value { return words{&c.Profile} },
	},
	Setting{
		Key: "transcriber", Default: "none", Model: true,
		Doc: "who transcribes the recordings of a data set for the built-in pipeline: none (the text of the " +
			"question is asked), command, or PROVIDER:MODEL, such as openai:whisper-1",
		bind: func(c *Config) value { return stage{&c.Transcriber, []string{"none", "command"}} },
	},
	Setting{
		Key: "transcriber-command",
		Doc: "command that writes the transcript of {{audio}}, a file, to standard output; {{language}} may stand " +
			"in it, too; quoted as in a shell",
		bind: func(c *Config) value { return words{&c.TranscriberCommand} },
	},
	Setting{
		Key: "language", Default: "auto", Request: true,
		Doc:  "language of the recordings, as a code of ISO 639 such as yue, zh or en (auto: the transcriber finds out)",
		bind: func(c *Config) value { return language{&c.Language} },
	},
	Setting{
		Key:  "cache",
		Doc:  "folder that keeps indexes and embeddings (default: the user's cache folder; \"off\" keeps none)",
		bind: func(c *Config) value { return words{&c.Cache} },
	},
)
