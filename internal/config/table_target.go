package config

import (
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/target/adapter"
)

var targetSettings = in(sectionTarget, slices.Concat(sharedSettings, ownSettings(), pipelineSettings)...)

// ownSettings returns the settings that belong to one adapter.
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

// An owned is the value of a setting that belongs to one adapter.
type owned struct {
	all *map[string]string
	own adapter.Setting
}

// typed returns a value of the setting's kind.
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

// sharedSettings returns the settings of several adapters.
var sharedSettings = []Setting{
	{
		Key: "adapter", Default: "builtin",
		Choices: adapter.Names,
		Doc:     "how the target is called",
		bind:    func(c *Config) value { return words{&c.Adapter} },
	},
	{
		Key: "responses", File: true, Implies: "recorded",
		Doc:  "file of recorded responses: JSON lines, a TREC run, or a dataset format that holds them (default: the responses in the dataset)",
		bind: func(c *Config) value { return words{&c.Responses} },
	},
	{
		Key: "command", Implies: "exec",
		Doc:  `command that starts the target, for exec and mcp, with shell quoting; exec also takes "-", the program that started assay, which answers over standard output and input`,
		bind: func(c *Config) value { return words{&c.Command} },
	},
	{
		Key: "dir", File: true,
		Doc:  "working directory of the command",
		bind: func(c *Config) value { return words{&c.Dir} },
	},
	{
		Key: "processes", Default: "0", Free: true,
		Doc:  "number of processes of the command (0: as many as --concurrency for exec, 1 for python, langchain and llamaindex)",
		bind: func(c *Config) value { return whole{&c.Processes, 0} },
	},
	{
		Key: "endpoint", Request: true, Implies: "http",
		Doc:  "URL of the target, for http, openai and mcp",
		bind: func(c *Config) value { return address{&c.Endpoint} },
	},
	{
		Key: "preset", Implies: "http",
		Doc:  "preset for a common kind of server, by name",
		bind: func(c *Config) value { return words{&c.Preset} },
	},
	{
		Key:     "value",
		Doc:     "value of a placeholder in the request template",
		Example: "collection: docs\n",
		bind:    func(c *Config) value { return texts{p: &c.Values, loose: true} },
	},
	{
		Key:     "send",
		Doc:     "request template, as JSON or YAML with placeholders such as {{question}}",
		Example: "question: \"{{question}}\"\nlimit: \"{{top_k}}\"\n",
		bind:    func(c *Config) value { return tree{&c.Send} },
	},
	{
		Key:     "read",
		Doc:     "path of a field in the reply",
		Example: "answer: data.text\npassages: data.documents\n",
		bind:    func(c *Config) value { return texts{p: &c.Read} },
	},
	{
		Key: "http.method", Choices: oneOf("GET", "POST", "PUT", "PATCH"),
		Doc:  "HTTP method (default: POST, or that of the preset)",
		bind: func(c *Config) value { return words{&c.HTTP.Method} },
	},
	{
		Key: "http.headers", Option: "header", Free: true, Secret: true,
		Doc:     "HTTP header of every request to the target",
		Example: "Authorization: Bearer ${RAG_API_TOKEN:-none}\n",
		bind:    func(c *Config) value { return headers{&c.HTTP.Headers} },
	},
	{
		Key: "http.proxy", Free: true,
		Doc:  "URL of a proxy (default: HTTPS_PROXY; \"none\" disables it)",
		bind: func(c *Config) value { return address{&c.HTTP.Proxy} },
	},
	{
		Key: "http.tls.ca", Free: true,
		Doc:  "PEM file of additional trusted certificates",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.CA} },
	},
	{
		Key: "http.tls.cert", Free: true,
		Doc:  "PEM file of the client certificate",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.Cert} },
	},
	{
		Key: "http.tls.key", Free: true,
		Doc:  "PEM file of the client certificate's key",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.Key} },
	},
	{
		Key: "http.tls.server-name", Free: true,
		Doc:  "expected name in the target's certificate (default: the host of its URL)",
		bind: func(c *Config) value { return words{&c.HTTP.TLS.ServerName} },
	},
	{
		Key: "http.tls.insecure", Default: "false",
		Doc:  "do not verify the target's certificate",
		bind: func(c *Config) value { return truth{&c.HTTP.TLS.Insecure} },
	},
	{
		Key: "sampler", Model: true,
		Doc:  "model that answers sampling requests of an MCP server, as PROVIDER:MODEL (default: none)",
		bind: func(c *Config) value { return words{&c.Sampler} },
	},
	{
		Key: "python", Default: "python3",
		Doc:  "Python interpreter with LangChain or LlamaIndex installed",
		bind: func(c *Config) value { return words{&c.Python} },
	},
}

// pipelineSettings returns the settings of the built-in pipeline, and those of
// all adapters.
var pipelineSettings = []Setting{
	{
		Key: "document-map", File: true,
		Doc:  "file that maps the target's document names to those of the dataset",
		bind: func(c *Config) value { return words{&c.DocumentMap} },
	},
	{
		Key: "corpus", File: true,
		Doc:  "folder of documents for the built-in pipeline (a BEIR dataset includes its own)",
		bind: func(c *Config) value { return words{&c.Corpus} },
	},
	{
		Key: "unreadable", Default: "fail", Choices: oneOf("fail", "skip"),
		Doc:  "what to do with a document of the corpus that cannot be read",
		bind: func(c *Config) value { return words{&c.Unreadable} },
	},
	{
		Key: "retriever", Default: "hybrid", Choices: rag.Retrievers, Request: true,
		Doc:  "retriever of the built-in pipeline",
		bind: func(c *Config) value { return words{&c.Retriever} },
	},
	{
		Key: "embedder", Aliases: []string{"comparison.embedding_model"}, Default: embed.BuiltIn, Request: true, Model: true,
		Doc: "embedder of dense retrieval and of semantic metrics: " + strings.Join(embed.Words(), ", ") +
			" (built in), or PROVIDER:MODEL, such as openai:text-embedding-3-small, ollama:all-minilm or tei:BAAI/bge-small-en-v1.5",
		bind: func(c *Config) value { return stage{&c.Embedder, embed.Words()} },
	},
	{
		Key:  "embedder-url",
		Doc:  "base URL of the embedder's provider, if the configuration file does not define that provider",
		bind: func(c *Config) value { return address{&c.EmbedderURL} },
	},
	{
		Key: "embedder-command",
		Doc: "command that reads a JSON object with the field text on each line and writes a JSON list of numbers on a line for each, " +
			"with shell quoting",
		bind: func(c *Config) value { return words{&c.EmbedderCommand} },
	},
	{
		Key: "top-k", Default: "10", Request: true,
		Doc:  "number of passages to retrieve",
		bind: func(c *Config) value { return whole{&c.TopK, 1} },
	},
	{
		Key: "chunk.method", Default: AutoChunks, Choices: func() []string { return append([]string{AutoChunks}, chunk.Methods()...) },
		Request: true,
		Doc:     "how documents are split into chunks (auto: recursive for a folder, whole documents for a BEIR corpus)",
		bind:    func(c *Config) value { return words{&c.Chunk.Method} },
	},
	{
		Key: "chunk.size", Default: "160", Request: true,
		Doc:  "maximum chunk size, in words (a Chinese character counts as a word)",
		bind: func(c *Config) value { return whole{&c.Chunk.Size, 1} },
	},
	{
		Key: "chunk.overlap", Default: "32", Request: true,
		Doc:  "overlap of consecutive chunks, in words",
		bind: func(c *Config) value { return whole{&c.Chunk.Overlap, 0} },
	},
	{
		Key: "bm25.k1", Default: "0.9", Request: true,
		Doc:  "BM25: saturation of term frequency",
		bind: func(c *Config) value { return number{&c.BM25.K1, 0, 100} },
	},
	{
		Key: "bm25.b", Default: "0.4", Request: true,
		Doc:  "BM25: length normalisation",
		bind: func(c *Config) value { return number{&c.BM25.B, 0, 1} },
	},
	{
		Key: "fuse.k", Default: "60", Request: true,
		Doc:  "hybrid: constant k of reciprocal rank fusion",
		bind: func(c *Config) value { return whole{&c.Fuse.K, 1} },
	},
	{
		Key: "fuse.depth", Default: "100", Request: true,
		Doc:  "hybrid: number of results of each retriever that are fused",
		bind: func(c *Config) value { return whole{&c.Fuse.Depth, 1} },
	},
	{
		Key: "decomposer", Default: "none", Request: true, Model: true,
		Doc: "how the built-in pipeline decomposes a question into 1 to 5 sub-questions, each retrieved " +
			"separately: none, rule (at question marks and conjunctions), or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Decomposer, []string{NoStage, Rule}} },
	},
	{
		Key: "filter", Default: "none", Request: true, Model: true,
		Doc: "how the built-in pipeline rates each retrieved passage from 0 to 10: none, similarity (ten times " +
			"the embedder's cosine), or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Filter, []string{NoStage, Similarity}} },
	},
	{
		Key: "filter-threshold", Default: "auto", Request: true,
		Doc:  "minimum rating of passages that the filter keeps, 0 to 10 (auto: 5 for a model, 3 for similarity)",
		bind: func(c *Config) value { return rating{&c.FilterThreshold} },
	},
	{
		Key: "reranker", Default: NoStage, Request: true, Model: true,
		Doc: "how the built-in pipeline orders the retrieved passages again, in place of a filter: none, or PROVIDER:MODEL, such as " +
			"tei:BAAI/bge-reranker-base, cohere:rerank-v3.5 or jina:jina-reranker-v2-base-multilingual",
		bind: func(c *Config) value { return stage{&c.Reranker.Model, []string{NoStage}} },
	},
	{
		Key:  "reranker-url",
		Doc:  "base URL of the reranker's provider, if the configuration file does not define that provider",
		bind: func(c *Config) value { return address{&c.Reranker.URL} },
	},
	{
		Key: "reranker-keep", Default: "10", Request: true,
		Doc:  "number of passages that the reranker keeps of the --top-k that are retrieved",
		bind: func(c *Config) value { return whole{&c.Reranker.Keep, 1} },
	},
	{
		Key: "generator", Default: "extractive", Request: true, Model: true,
		Doc:  "how the built-in pipeline answers: extractive (the best supporting sentences), none, or PROVIDER:MODEL",
		bind: func(c *Config) value { return stage{&c.Generator, rag.Generators()} },
	},
	{
		Key: "extract-by", Default: "auto", Choices: oneOf("auto", "embedding"), Request: true,
		Doc: "how the extractive generator measures the support of a sentence: embedding, or auto (embedding where the retriever embeds " +
			"too, else common terms); a comparison of retrievers uses one measure for all",
		bind: func(c *Config) value { return words{&c.ExtractBy} },
	},
	{
		Key: "profile", Default: "A", Request: true,
		Doc:  "prompt profile of the built-in pipeline: A, B, C, or one stored by assay profile",
		bind: func(c *Config) value { return words{&c.Profile} },
	},
	{
		Key: "transcriber", Default: "none", Model: true,
		Doc: "how the built-in pipeline transcribes the recordings of a dataset: none (it uses the text of the " +
			"question), " + strings.Join(transcribe.Words(), ", ") + ", or PROVIDER:MODEL, such as openai:whisper-1",
		bind: func(c *Config) value { return stage{&c.Transcriber, append([]string{NoStage}, transcribe.Words()...)} },
	},
	{
		Key: "transcriber-command",
		Doc: "command that prints the transcript of the file {{audio}} to standard output, with shell quoting; " +
			"{{language}} may be used too",
		bind: func(c *Config) value { return words{&c.TranscriberCommand} },
	},
	{
		Key: "recording-language", Default: "auto", Request: true,
		Doc:  "language of the recordings, as an ISO 639 code such as yue, zh or en (auto: detected by the transcriber)",
		bind: func(c *Config) value { return spoken{&c.RecordingLanguage} },
	},
	{
		Key:  "cache",
		Doc:  "cache folder for indexes and embeddings (default: the user's cache folder; \"off\" disables it)",
		bind: func(c *Config) value { return words{&c.Cache} },
	},
}
