package llm

// Services lists the protocols of servers that embed or rank texts and do not chat, in
// the order of help texts. Only [OpenEndpoint] opens them.
var Services = []*Protocol{&tei, &cohere, &jina}

// tei is the protocol of Hugging Face's text-embeddings-inference. One server has one
// model.
var tei = Protocol{
	Kind:      "tei",
	Doc:       "text-embeddings-inference of Hugging Face",
	Example:   "BAAI/bge-small-en-v1.5",
	BaseURL:   "http://127.0.0.1:8080",
	listing:   "info",
	paths:     []string{"/embed", "/rerank"},
	authorize: bearer,
}

// cohere is the protocol of Cohere's API, version 2.
var cohere = Protocol{
	Kind:      "cohere",
	Doc:       "Cohere's API, and servers of the same /v2/rerank",
	Example:   "rerank-v3.5",
	BaseURL:   "https://api.cohere.com/v2",
	KeyEnv:    "CO_API_KEY",
	listing:   "models",
	authorize: bearer,
}

// jina is the protocol of Jina's API.
var jina = Protocol{
	Kind:      "jina",
	Doc:       "Jina's API, and servers of the same /v1/rerank such as vLLM",
	Example:   "jina-reranker-v2-base-multilingual",
	BaseURL:   "https://api.jina.ai/v1",
	KeyEnv:    "JINA_API_KEY",
	listing:   "models",
	authorize: bearer,
}

// ServiceKinds returns the kinds of all [Services].
func ServiceKinds() []string {
	kinds := make([]string, len(Services))
	for i, p := range Services {
		kinds[i] = p.Kind
	}
	return kinds
}

// findService returns the service of a kind, or nil.
func findService(kind string) *Protocol {
	for _, p := range Services {
		if p.Kind == kind {
			return p
		}
	}
	return nil
}
