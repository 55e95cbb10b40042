package llm

// Services lists the protocols of servers that embed or rank texts and do not chat, in
// the order of help texts. Only [OpenEndpoint] opens them.
var Services = protocols{
	{
		// One server has one model.
		Kind: "tei", Doc: "text-embeddings-inference of Hugging Face", Example: "BAAI/bge-small-en-v1.5",
		BaseURL: "http://127.0.0.1:8080", paths: []string{"/embed", "/rerank"}, listing: "info", authorize: bearer,
	},
	{
		Kind: "cohere", Doc: "Cohere's API, and servers of the same /v2/rerank", Example: "rerank-v3.5",
		BaseURL: "https://api.cohere.com/v2", KeyEnv: "CO_API_KEY", listing: "models", authorize: bearer,
	},
	{
		Kind: "jina", Doc: "Jina's API, and servers of the same /v1/rerank such as vLLM", Example: "jina-reranker-v2-base-multilingual",
		BaseURL: "https://api.jina.ai/v1", KeyEnv: "JINA_API_KEY", listing: "models", authorize: bearer,
	},
}

// ServiceKinds returns the kinds of all [Services].
func ServiceKinds() []string { return Services.kinds() }
