package reply

import (
	"strings"
	"sync"
)

// A shape is a known reply format: the required paths and the paths of its parts.
type shape struct {
	name string
	// needs are paths that must exist.
	needs string
	// For each field the first suitable path is used; the path of an answer may also
	// lead to null.
	answer, passages, text, id, document, source, title, score, in, out, cost, failure string
	// none says that an absent list means that nothing was retrieved.
	none bool
}

// shapes are tried in this order, the most specific first. A comment names the
// documentation of each. Fields of passages without a path are found under common
// names.
var shapes = []shape{
	// OpenAI API reference, "The chat completion object". Azure OpenAI On Your
	// Data API reference: message.context.citations with content, title, url,
	// filepath, chunk_id. Perplexity API reference: search_results, citations.
	{
		name: "OpenAI chat completion", needs: "choices[0].message", answer: "choices[0].message.content",
		passages: "choices[0].message.context.citations | contexts | context | retrieved_contexts | source_documents | source_nodes | sources " +
			"| documents | references | search_results | " +
			"choices[0].message.citations | citations | choices[0].message.context",
		in: "usage.prompt_tokens", out: "usage.completion_tokens",
	},
	// OpenAI API reference, "The completion object" (legacy).
	{
		name: "OpenAI completion", needs: "choices[0].text", answer: "choices[0].text",
		passages: "contexts | context | sources | documents | citations",
		in:       "usage.prompt_tokens", out: "usage.completion_tokens",
	},
	// OpenAI API reference, "The response object": output is a list of items of
	// which those of type message have content, and those of searches results. A stream ends
	// with the whole.
	{name: "OpenAI response", needs: "output[].content[].text", answer: "output[].content", passages: "contexts | sources | output[].results[]"},
	{name: "OpenAI response", needs: "output[].content[].refusal", answer: "output[].content", passages: "contexts | sources | output[].results[]"},
	{name: "OpenAI response", needs: "object, output[0].type", answer: "output[].content", passages: "contexts | sources | output[].results[]"},
	{name: "OpenAI response", needs: "response.object, response.output[0].type", answer: "answer | response.output[].content",
		passages: "contexts | sources | response.output[].results[]"},
	// Anthropic API reference, "Messages".
	{
		name: "Anthropic message", needs: "content[0].type, role", answer: "content", passages: "contexts | sources | documents",
		in: "usage.input_tokens", out: "usage.output_tokens",
	},
	// Gemini API reference, GenerateContentResponse and GroundingMetadata:
	// groundingChunks[].retrievedContext {uri, title, text} or web {uri, title}. The
	// objects of google-genai have the names in snake case.
	{
		name: "Gemini", needs: "candidates[0].content", answer: "candidates[0].content.parts",
		passages: "candidates[0].groundingMetadata.groundingChunks | candidates[0].grounding_metadata.grounding_chunks",
		in:       "usageMetadata.promptTokenCount | usage_metadata.prompt_token_count",
		out:      "usageMetadata.candidatesTokenCount | usage_metadata.candidates_token_count",
	},
	// LangServe's /invoke ({"output", "metadata": {"run_id"}}) is a plain reply.
	// Dify API reference, "Send Chat Message": ChatCompletionResponse.
	{
		name: "Dify chat", needs: "answer, metadata.retriever_resources", answer: "answer", passages: "metadata.retriever_resources",
		in: "metadata.usage.prompt_tokens", out: "metadata.usage.completion_tokens", cost: "metadata.usage.total_price",
	},
	{
		name: "Dify chat", needs: "answer, conversation_id, metadata", answer: "answer", passages: "metadata.retriever_resources",
		in: "metadata.usage.prompt_tokens", out: "metadata.usage.completion_tokens", cost: "metadata.usage.total_price",
	},
	// Dify API reference, "Run Workflow": the workflow's author chooses the names in
	// data.outputs.
	{
		name: "Dify workflow", needs: "workflow_run_id, data.outputs", answer: "data.outputs.answer | data.outputs.text | data.outputs.output " +
			"| data.outputs.result",
		passages: "data.outputs.contexts | data.outputs.context | data.outputs.sources | data.outputs.documents | data.outputs.result",
	},
	// Dify API reference, "Retrieve Chunks from a Knowledge Base".
	{
		name: "Dify retrieval", needs: "records", passages: "records", text: "segment.content", id: "segment.id",
		document: "segment.document_id | segment.document.id",
		title:    "segment.document.name",
	},
	// RAGFlow HTTP API reference, "Converse with chat assistant" and "Retrieve
	// chunks"; content_with_weight and docnm_kwd are those of older versions.
	{name: "RAGFlow", needs: "data.answer, data.reference", answer: "data.answer", passages: "data.reference.chunks"},
	{name: "RAGFlow retrieval", needs: "data.chunks, data.total", passages: "data.chunks"},
	// Amazon Bedrock API reference, RetrieveAndGenerate and Retrieve.
	{name: "Amazon Bedrock RetrieveAndGenerate", needs: "output.text, citations", answer: "output.text",
		passages: "citations[].retrievedReferences[]"},
	{name: "Amazon Bedrock Retrieve", needs: "retrievalResults", passages: "retrievalResults"},
	// LlamaIndex: RetrieverQueryEngine's Response with NodeWithScore, as serialised by
	// model_dump (llama_index.core.schema).
	{name: "LlamaIndex response", needs: "source_nodes", answer: "response | answer | message", passages: "source_nodes"},
	// Haystack 1 REST API: QueryResponse; Haystack 2: AnswerBuilder's answers, a
	// generator's replies, the documents of the last component, as Hayhooks returns them.
	{name: "Haystack answers", needs: "answers[0].answer", answer: "answers[0].answer", passages: "documents | answers[0].documents"},
	{
		name: "Haystack pipeline", needs: "answer_builder.answers[0]", answer: "answer_builder.answers[0].data",
		passages: "answer_builder.answers[0].documents | *.documents",
	},
	{name: "Haystack pipeline", needs: "result.answer_builder.answers[0]", answer: "result.answer_builder.answers[0].data",
		passages: "result.answer_builder.answers[0].documents | result.*.documents"},
	{name: "Haystack pipeline", needs: "llm.replies", answer: "llm.replies[0]", passages: "*.documents"},
	{name: "Haystack pipeline", needs: "result.llm.replies", answer: "result.llm.replies[0]", passages: "result.*.documents"},
	{name: "Haystack replies", needs: "replies[0]", answer: "replies[0]", passages: "documents"},
	// Chroma: QueryResult, a list for each query of lists side by side.
	{
		name: "Chroma query", needs: "ids[0][]", id: "ids[0][]", text: "documents[0][]",
		source: "metadatas[0][].source | metadatas[0][].file_name", document: "metadatas[0][].document_id | metadatas[0][].doc_id",
		title: "metadatas[0][].title",
	},
	// Chroma: GetResult, one list of each.
	{
		name: "Chroma get", needs: "ids[], documents[], metadatas", id: "ids[]", text: "documents[]",
		source: "metadatas[].source | metadatas[].file_name", document: "metadatas[].document_id | metadatas[].doc_id", title: "metadatas[].title",
	},
	// Qdrant API reference, "Query points" and "Search points".
	{name: "Qdrant points", needs: "result.points", passages: "result.points"},
	{name: "Qdrant points", needs: "result[0].payload", passages: "result"},
	// OpenSearch and Elasticsearch, "Search API".
	{name: "OpenSearch hits", needs: "hits.hits", passages: "hits.hits"},
	// Weaviate GraphQL API, "Get": lists keyed by the name of the collection.
	{name: "Weaviate GraphQL", needs: "data.Get", passages: "data.Get.*[]", failure: "errors"},
	// Vespa, "Default JSON result format": without hits, root has no children.
	{name: "Vespa", needs: "root.fields.totalCount", passages: "root.children", none: true},
	{name: "Vespa", needs: "root.children", passages: "root.children"},
	// Pinecone API reference, "Query".
	{name: "Pinecone matches", needs: "matches", passages: "matches"},
	// Azure AI Search REST API, "Documents - Search Post".
	{name: "Azure AI Search", needs: `["@odata.context"], value`, passages: "value", score: `["@search.score"]`},
	// Solr Reference Guide, "Response Writers".
	{name: "Solr", needs: "response.docs, responseHeader", passages: "response.docs"},
	// Ollama's docs/api.md.
	{name: "Ollama chat", needs: "message.content, done", answer: "message.content", passages: "contexts | sources | documents",
		in: "prompt_eval_count", out: "eval_count"},
	{name: "Ollama", needs: "response, done", answer: "response", passages: "contexts | sources | documents", in: "prompt_eval_count",
		out: "eval_count"},
	// LangGraph: a state whose last message is the answer, directly or from a LangServe
	// route.
	{name: "LangGraph state", needs: "messages[-1].content", answer: "messages[-1].content",
		passages: "context | contexts | documents | source_documents"},
	{
		name: "LangServe state", needs: "output.messages[-1].content", answer: "output.messages[-1].content",
		passages: "output.context | output.contexts | output.documents | output.source_documents",
	},
	{name: "LangChain message", needs: "kwargs.content, id", answer: "kwargs.content"}, // serialised
	// Hugging Face Inference API, text generation.
	{name: "Hugging Face text generation", needs: "[0].generated_text", answer: "[0].generated_text"},
}

// fields returns the paths by field, answer and passages first.
func (s shape) fields() [][2]string {
	return [][2]string{
		{Answer, s.answer}, {Passages, s.passages}, {Text, s.text}, {ID, s.id}, {Document, s.document}, {Source, s.source}, {Title, s.title},
		{Score, s.score},
		{InputTokens, s.in}, {OutputTokens, s.out}, {Cost, s.cost}, {Failure, s.failure},
	}
}

// lists holds the parsed lists of paths that are tried for every reply. No text occurs
// both as an alternative list and as a list of needs.
var lists = sync.OnceValue(func() map[string][]Path {
	all := map[string][]Path{}
	for _, s := range shapes {
		all[s.needs] = parseList(s.needs, ", ")
		for _, f := range s.fields() {
			if f[1] != "" {
				all[f[1]] = parseList(f[1], " | ")
			}
		}
	}
	for _, e := range anyShape {
		all[e[1]] = parseList(e[1], " | ")
	}
	for _, list := range []string{stopWithin, stopPaths, refusals, incomplete, calls, messages} {
		all[list] = parseList(list, " | ")
	}
	return all
})

// pathsOf parses built-in paths separated by sep.
func pathsOf(list, sep string) []Path {
	if paths, ok := lists()[list]; ok {
		return paths
	}
	return parseList(list, sep)
}

func parseList(list, sep string) []Path {
	var out []Path
	for s := range strings.SplitSeq(list, sep) {
		p, err := ParsePath(s)
		if err != nil {
			panic(err) // a test covers every shape
		}
		out = append(out, p)
	}
	return out
}
