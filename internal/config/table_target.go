package config

import (
	"time"

	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/target/adapter"
)

// ownSettings returns the settings that belong to one adapter.
func ownSettings() []Setting {
	var all []Setting
	for _, a := range adapter.All {
		for _, own := range a.Settings {
			s := Setting{Key: own.Key, Usual: own.Implies, Default: own.Default, Doc: own.Doc}
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
func (v owned) typed() single {
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

// sharedSettings are the settings of several adapters.
var sharedSettings = []Setting{
	{Key: "adapter", Usual: true, First: true, Default: "builtin", Choices: adapter.Names, bind: func(c *Config) value { return words{&c.Adapter} }},
	{Key: "responses", Usual: true, First: true, Implies: "recorded", File: true, bind: func(c *Config) value { return words{&c.Responses} }},
	{Key: "command", Usual: true, First: true, Implies: "exec", bind: func(c *Config) value { return words{&c.Command} }},
	{Key: "dir", File: true, bind: func(c *Config) value { return words{&c.Dir} }},
	{Key: "processes", Default: "0", Free: true, bind: func(c *Config) value { return whole{&c.Processes, 0} }},
	{Key: "endpoint", Usual: true, First: true, Implies: "http", Request: true, bind: func(c *Config) value { return address{&c.Endpoint} }},
	{Key: "preset", Usual: true, First: true, Implies: "http", bind: func(c *Config) value { return words{&c.Preset} }},
	{Key: "value", Example: "collection: docs\n", bind: func(c *Config) value { return texts{p: &c.Values, loose: true} }},
	{Key: "send", Usual: true, Example: "question: \"{{question}}\"\nlimit: \"{{top_k}}\"\n", bind: func(c *Config) value { return tree{&c.Send} }},
	{Key: "read", Example: "answer: data.text\npassages: data.documents\n", bind: func(c *Config) value { return texts{p: &c.Read} }},
	{Key: "http.method", Choices: oneOf("GET", "POST", "PUT", "PATCH"), bind: func(c *Config) value { return words{&c.HTTP.Method} }},
	{
		Key: "http.headers", Option: "header", Secret: true, Free: true, Example: "Authorization: Bearer ${RAG_API_TOKEN:-none}\n",
		bind: func(c *Config) value { return headers{&c.HTTP.Headers} },
	},
	{Key: "http.proxy", Free: true, bind: func(c *Config) value { return address{&c.HTTP.Proxy} }},
	{Key: "http.tls.ca", Free: true, bind: func(c *Config) value { return words{&c.HTTP.TLS.CA} }},
	{Key: "http.tls.cert", Free: true, bind: func(c *Config) value { return words{&c.HTTP.TLS.Cert} }},
	{Key: "http.tls.key", Free: true, bind: func(c *Config) value { return words{&c.HTTP.TLS.Key} }},
	{Key: "http.tls.server-name", Free: true, bind: func(c *Config) value { return words{&c.HTTP.TLS.ServerName} }},
	{Key: "http.tls.insecure", Default: "false", bind: func(c *Config) value { return truth{&c.HTTP.TLS.Insecure} }},
	{Key: "sampler", Model: true, bind: func(c *Config) value { return words{&c.Sampler} }},
	{Key: "python", Usual: true, Default: "python3", bind: func(c *Config) value { return words{&c.Python} }},
}

// pipelineSettings are the settings of the built-in pipeline, and those of
// all adapters.
var pipelineSettings = []Setting{
	{Key: "document-map", File: true, bind: func(c *Config) value { return words{&c.DocumentMap} }},
	{Key: "corpus", Usual: true, First: true, File: true, bind: func(c *Config) value { return words{&c.Corpus} }},
	{Key: "unreadable", Usual: true, Default: "fail", Choices: oneOf("fail", "skip"), bind: func(c *Config) value { return words{&c.Unreadable} }},
	{
		Key: "retriever", Usual: true, Default: "hybrid", Choices: rag.Retrievers, Request: true,
		bind: func(c *Config) value { return words{&c.Retriever} },
	},
	{
		Key: "embedder", Usual: true, Aliases: []string{"comparison.embedding_model"}, Default: embed.BuiltIn, Model: true, Request: true,
		bind: func(c *Config) value { return stage{&c.Embedder, embed.Words()} },
	},
	{Key: "embedder-url", bind: func(c *Config) value { return address{&c.EmbedderURL} }},
	{Key: "embedder-command", bind: func(c *Config) value { return words{&c.EmbedderCommand} }},
	{Key: "top-k", Usual: true, First: true, Default: "10", Request: true, bind: func(c *Config) value { return whole{&c.TopK, 1} }},
	{
		Key: "chunk.method", Default: AutoChunks, Choices: func() []string { return append([]string{AutoChunks}, chunk.Methods()...) },
		Request: true,
		bind:    func(c *Config) value { return words{&c.Chunk.Method} },
	},
	{Key: "chunk.size", Usual: true, Default: "160", Request: true, bind: func(c *Config) value { return whole{&c.Chunk.Size, 1} }},
	{Key: "chunk.overlap", Default: "32", Request: true, bind: func(c *Config) value { return whole{&c.Chunk.Overlap, 0} }},
	{Key: "bm25.k1", Default: "0.9", Request: true, bind: func(c *Config) value { return number{&c.BM25.K1, 0, 100} }},
	{Key: "bm25.b", Default: "0.4", Request: true, bind: func(c *Config) value { return number{&c.BM25.B, 0, 1} }},
	{Key: "fuse.k", Default: "60", Request: true, bind: func(c *Config) value { return whole{&c.Fuse.K, 1} }},
	{Key: "fuse.depth", Default: "100", Request: true, bind: func(c *Config) value { return whole{&c.Fuse.Depth, 1} }},
	{
		Key: "decomposer", Usual: true, Default: "none", Model: true, Request: true,
		bind: func(c *Config) value { return stage{&c.Decomposer, []string{NoStage, Rule}} },
	},
	{
		Key: "filter", Usual: true, Default: "none", Model: true, Request: true,
		bind: func(c *Config) value { return stage{&c.Filter, []string{NoStage, Similarity}} },
	},
	{Key: "filter-threshold", Default: "auto", Request: true, bind: func(c *Config) value { return rating{&c.FilterThreshold} }},
	{
		Key: "reranker", Usual: true, Default: NoStage, Model: true, Request: true,
		bind: func(c *Config) value { return stage{&c.Reranker.Model, []string{NoStage}} },
	},
	{Key: "reranker-url", bind: func(c *Config) value { return address{&c.Reranker.URL} }},
	{Key: "reranker-keep", Default: "10", Request: true, bind: func(c *Config) value { return whole{&c.Reranker.Keep, 1} }},
	{
		Key: "generator", Usual: true, First: true, Default: "extractive", Model: true, Request: true,
		bind: func(c *Config) value { return stage{&c.Generator, rag.Generators()} },
	},
	{
		Key: "extract-by", Default: "auto", Choices: oneOf("auto", "embedding"), Request: true,
		bind: func(c *Config) value { return words{&c.ExtractBy} },
	},
	{Key: "profile", Default: "A", Request: true, bind: func(c *Config) value { return words{&c.Profile} }},
	{
		Key: "transcriber", Usual: true, Default: "none", Model: true,
		bind: func(c *Config) value { return stage{&c.Transcriber, append([]string{NoStage}, transcribe.Words()...)} },
	},
	{Key: "transcriber-command", bind: func(c *Config) value { return words{&c.TranscriberCommand} }},
	{Key: "recording-language", Default: "auto", Request: true, bind: func(c *Config) value { return spoken{&c.RecordingLanguage} }},
	{Key: "cache", bind: func(c *Config) value { return words{&c.Cache} }},
}
