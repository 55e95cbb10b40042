package config

import (
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/target/adapter"
)

var targetSettings = in(sectionTarget, slices.Concat(sharedSettings, ownSettings(), pipelineSettings)...)

// ownSettings gives the settings that belong to one adapter.
func ownSettings() []Setting {
	var all []Setting
	for _, a := range adapter.All {
		for _, own := range a.Settings {
			s := Setting{Key: own.Key, Default: own.Default, Doc: own.Doc}
			if own.Implies {
				s.Implies = a.Name
			}
			s.bind = func(c *Config) value { return owned{&c.Own, own} }
			all = append(all, s)
		}
	}
	return all
}

// An owned is the place of a setting that belongs to one adapter.
type owned struct {
	all *map[string]string
	own adapter.Setting
}

// typed is a place for a value of the setting's kind.
func (v owned) typed() value {
	switch v.own.Kind {
	case adapter.Switch:
		return truth{new(bool)}
	case adapter.Duration:
		return pause{new(time.Duration)}
	case adapter.Variable:
		return variable{new(string)}
	}
	return words{new(string)}
}

func (v owned) Set(s string) error {
	typed := v.typed()
	if err := typed.Set(s); err != nil {
		return err
	}
	if *v.all == nil {
		*v.all = map[string]string{}
	}
	(*v.all)[v.own.Key] = typed.String()
	return nil
}

func (v owned) String() string {
	if is, ok := (*v.all)[v.own.Key]; ok {
		return is
	}
	return v.typed().String()
}

func (v owned) Type() string { return v.typed().Type() }

// sharedSettings are those of several adapters.
var sharedSettings = []Setting{
	{
		Key: "adapter", Default: "builtin",
		Choices: adapter.Names,
		Doc:     "how to reach the target",
		bind:    func(c *Config) value { return words{&c.Adapter} },
	},
	{
		Key: "responses", File: true, Implies: "recorded",
		Doc:  "recorded responses: JSON lines or a TREC run (default: those of the data set)",
		bind: func(c *Config) value { return words{&c.Responses} },
	},
	{
		Key: "command", Implies: "exec",
		Doc:  "command that starts the target, for exec and mcp, quoted as in a shell",
		bind: func(c *Config) value { return words{&c.Command} },
	},
	{
		Key: "dir", File: true,
		Doc:  "folder in which the command is started",
		bind: func(c *Config) value { return words{&c.Dir} },
	},
	{
		Key: "processes", Default: "0", Free: true,
		Doc: "how many processes of the command are kept running (0: as many as --concurrency for exec, 1 for " +
			"langchain and llamaindex)",
		bind: func(c *Config) value { return whole{&c.Processes, 0} },
	},
	{
		Key: "endpoint", Request: true, Implies: "http",
		Doc:  "address of the target, for http, openai and mcp",
		bind: func(c *Config) value { return address{&c.Endpoint} },
	},
	{
		Key: "preset", Implies: "http",
		Doc:  "how a known kind of server is asked, by its name",
		bind: func(c *Config) value { return words{&c.Preset} },
	},
	{
		Key:     "value",
		Doc:     "value of a placeholder in what is sent",
		Example: "collection: docs\n",
		bind:    func(c *Config) value { return texts{p: &c.Values, loose: true} },
	},
	{
		Key:     "send",
		Doc:     "what is sent, with placeholders such as {{question}}: JSON or YAML",
		Example: "question: \"{{question}}\"\nlimit: \"{{top_k}}\"\n",
		bind:    func(c *Config) value { return tree{&c.Send} },
	},
	{
		Key:     "read",
		Doc:     "where a field of the reply is, as a path",
		Example: "answer: data.text\npassages: data.documents\n",
		bind:    func(c *Config) value { return texts{p: &c.Read} },
	},
	{
		Key: "http.method", Choices: oneOf("GET", "POST", "PUT", "PATCH"),
		Doc:  "HTTP method (POST when nothing says otherwise)",
		bind: func(c *Config) value { return words{&c.HTTP.Method} },
	},
	{
		Key: "http.headers", Option: "header", Free: true, Secret: true,
		Doc:     "header of every request to the target",
		Example: "Authorization: Bearer ${RAG_API_TOKEN:-none}\n",
		bind:    func(c *Config) value { return headers{&c.HTTP.Headers} },
	},
	{
		Key: "http.proxy", Free: true,
		Doc:  "address of a proxy (default: that of HTTPS_PROXY; \"none\" takes none)",
		bind: func(c *Config) value { return address{&c.HTTP.Proxy} },
	},
	{
		Key: "http.tls.ca", Free: true,
		Doc:  "file of certificates, in PEM, that are trusted beside the system's",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.CA} },
	},
	{
		Key: "http.tls.cert", Free: true,
		Doc:  "file of the certificate, in PEM, that is shown to the target",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.Cert} },
	},
	{
		Key: "http.tls.key", Free: true,
		Doc:  "file of the certificate's key, in PEM",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.Key} },
	},
	{
		Key: "http.tls.server-name", Free: true,
		Doc:  "name that the target's certificate must have (default: the host of its address)",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.ServerName} },
	},
	{
		Key: "http.tls.insecure", Default: "false",
		Doc:  "check no certificate",
		bind: func(c *Config) value { return truth{&c.HTTP.TLS.Insecure} },
	},
	{
		Key: "sampler", Model: true,
		Doc:  "model that answers the sampling requests of an MCP server, as PROVIDER:MODEL (default: none)",
		bind: func(c *Config) value { return words{&c.Sampler} },
	},
	{
		Key: "python", Default: "python3",
		Doc:  "Python that has LangChain or LlamaIndex",
		bind: func(c *Config) value { return words{&c.Python} },
	},
}

// pipelineSettings are those of the built-in pipeline, and what all adapters have.
var pipelineSettings = []Setting{
	{
		Key: "document-map", File: true,
		Doc:  "file that says which document of the target is which of the data set",
		bind: func(c *Config) value { return words{&c.DocumentMap} },
	},
	{
		Key: "corpus", File: true,
		Doc:  "folder of documents for the built-in pipeline (a BEIR data set brings its own)",
		bind: func(c *Config) value { return words{&c.Corpus} },
	},
	{
		Key: "unreadable", Default: "fail", Choices: oneOf("fail", "skip"),
		Doc:  "what to do when a document of the corpus cannot be read",
		bind: func(c *Config) value { return words{&c.Unreadable} },
	},
	{
		Key: "retriever", Default: "hybrid", Choices: oneOf("sparse", "dense", "hybrid"), Request: true,
		Doc:  "retriever of the built-in pipeline",
		bind: func(c *Config) value { return words{&c.Retriever} },
	},
	{
		Key: "embedder", Aliases: []string{"comparison.embedding_model"}, Default: "minilm", Request: true,
		Doc:  "embedder of dense retrieval and of semantic metrics",
		bind: func(c *Config) value { return words{&c.Embedder} },
	},
	{
		Key: "top-k", Default: "10", Request: true,
		Doc:  "how many passages are retrieved",
		bind: func(c *Config) value { return whole{&c.TopK, 1} },
	},
	{
		Key: "chunk.method", Default: "auto", Choices: oneOf("auto", "document", "recursive", "sentence", "token"),
		Request: true,
		Doc:     "how documents are split (auto: recursive for a folder, none for a BEIR corpus)",
		bind:    func(c *Config) value { return words{&c.Chunk.Method} },
	},
	{
		Key: "chunk.size", Default: "160", Request: true,
		Doc:  "longest chunk, in words (a Chinese character is one)",
		bind: func(c *Config) value { return whole{&c.Chunk.Size, 1} },
	},
	{
		Key: "chunk.overlap", Default: "32", Request: true,
		Doc:  "words that a chunk repeats of the one before",
		bind: func(c *Config) value { return whole{&c.Chunk.Overlap, 0} },
	},
	{
		Key: "bm25.k1", Default: "0.9", Request: true,
		Doc:  "BM25: how fast repeated words stop counting",
		bind: func(c *Config) value { return number{&c.BM25.K1, 0, 100} },
	},
	{
		Key: "bm25.b", Default: "0.4", Request: true,
		Doc:  "BM25: how much long passages are held back",
		bind: func(c *Config) value { return number{&c.BM25.B, 0, 1} },
	},
	{
		Key: "fuse.k", Default: "60", Request: true,
		Doc:  "hybrid: the constant of reciprocal rank fusion",
		bind: func(c *Config) value { return whole{&c.Fuse.K, 1} },
	},
	{
		Key: "fuse.depth", Default: "100", Request: true,
		Doc:  "hybrid: how deep both lists are read",
		bind: func(c *Config) value { return whole{&c.Fuse.Depth, 1} },
	},
	{
		Key: "decomposer", Default: "none", Request: true, Model: true,
		Doc: "who splits a question of the built-in pipeline into 1 to 5 key questions, each of which is " +
			"retrieved for: none, rule (at question marks and conjunctions), or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Decomposer, []string{"none", "rule"}} },
	},
	{
		Key: "filter", Default: "none", Request: true, Model: true,
		Doc: "who rates each retrieved passage of the built-in pipeline from 0 to 10: none, similarity (ten times " +
			"the cosine by the embedder), or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Filter, []string{"none", "similarity"}} },
	},
	{
		Key: "filter-threshold", Default: "auto", Request: true,
		Doc:  "rating from which the filter keeps a passage, 0 to 10 (auto: 5 for a model, 3 for similarity)",
		bind: func(c *Config) value { return rating{&c.FilterThreshold} },
	},
	{
		Key: "generator", Default: "extractive", Request: true, Model: true,
		Doc:  "how the built-in pipeline answers: extractive (the best supporting sentences), none, or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Generator, []string{"extractive", "none"}} },
	},
	{
		Key: "profile", Default: "A", Request: true,
		Doc:  "prompt profile of the built-in pipeline: A, B, C, or one that assay profile keeps in the store",
		bind: func(c *Config) value { return words{&c.Profile} },
	},
	{
		Key: "transcriber", Default: "none", Model: true,
		Doc: "who transcribes the recordings of a data set for the built-in pipeline: none (the text of the " +
			"question is asked), " + strings.Join(transcribe.Words(), ", ") + ", or PROVIDER:MODEL, such as openai:whisper-1",
		bind: func(c *Config) value { return stage{&c.Transcriber, append([]string{"none"}, transcribe.Words()...)} },
	},
	{
		Key: "transcriber-command",
		Doc: "command that writes the transcript of {{audio}}, a file, to standard output; {{language}} may stand " +
			"in it, too; quoted as in a shell",
		bind: func(c *Config) value { return words{&c.TranscriberCommand} },
	},
	{
		Key: "language", Default: "auto", Request: true,
		Doc:  "language of the recordings, as a code of ISO 639 such as yue, zh or en (auto: the transcriber finds out)",
		bind: func(c *Config) value { return language{&c.Language} },
	},
	{
		Key:  "cache",
		Doc:  "folder that keeps indexes and embeddings (default: the user's cache folder; \"off\" keeps none)",
		bind: func(c *Config) value { return words{&c.Cache} },
	},
}
