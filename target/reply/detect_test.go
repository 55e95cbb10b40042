package reply_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
	"github.com/google/go-cmp/cmp"
)

// pipeline returns what a pipeline of Haystack returns, with the ids of documents between #.
func pipeline(components string) string {
	parts := strings.Split(components, "#")
	for i := 1; i < len(parts); i += 2 {
		var docs []string
		for id := range strings.FieldsSeq(parts[i]) {
			docs = append(docs, fmt.Sprintf(`{"id": %q}`, id))
		}
		parts[i] = `{"documents": [` + strings.Join(docs, ", ") + `]}`
	}
	return `{"llm": {"replies": ["A"]}, ` + strings.Join(parts, "") + `}`
}

func ranked(ids ...string) assay.Response {
	r := assay.Response{Answer: "A", Passages: []assay.Passage{}}
	for _, id := range ids {
		r.Passages = append(r.Passages, assay.Passage{ID: id})
	}
	return r
}

func TestDetect(t *testing.T) {
	t.Parallel()
	type passages = []assay.Passage
	for _, c := range []struct {
		shape, in string
		want      assay.Response
	}{
		{"plain reply", `{"answer": "A", "contexts": ["one", "two"]}`, assay.Response{Answer: "A", Passages: passages{{Text: "one"},
			{Text: "two"}}}},
		{"plain reply", `{"answer": "A"}`, assay.Response{Answer: "A"}},
		{"plain reply", `{"answer": "A", "error": "False"}`, assay.Response{Answer: "A"}},
		{"plain reply in body", `{"statusCode": 200, "body": "{\"answer\": \"A\", \"contexts\": [\"one\"]}"}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "one"}}}},
		{"CustomGPT", `{"status": "success", "data": {"id": 1, "user_query": "q", "openai_response": "A", "citations": [12]}}`, assay.Response{Answer: "A"}},
		{"plain reply", `{"id": "p", "input": {"prompt": "q"}, "output": ["Pa", "ris"], "status": "succeeded"}`, assay.Response{Answer: "Paris"}},
		{"plain reply", `{"answer": "A", "contexts": null}`, assay.Response{Answer: "A"}},
		{"plain reply", `{"answer": "", "contexts": []}`, assay.Response{Passages: passages{}}},
		{"plain reply", `{"answer": null, "contexts": ["one"]}`, assay.Response{Passages: passages{{Text: "one"}}}}, // an answer was due
		{"plain reply", `{"question": "q", "response": "A", "retrieved_contexts": [{"content": "c", "doc_id": 7}], "usage": {"input_tokens": ` +
			`3, "output_tokens": 2}, "error": null}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", Document: "7"}}, Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"plain reply", `{"results": [{"id": "d1", "score": 0.5}], "message": "ok"}`, assay.Response{NoAnswer: true,
			Passages: passages{{ID: "d1", Score: 0.5}}}},
		{"plain reply", `{"answer": 42, "text": "How many?", "contexts": ["one"]}`, assay.Response{Answer: "42", Passages: passages{{Text: "one"}}}},
		{"plain reply", `{"answer": false, "contexts": []}`, assay.Response{Answer: "false", Passages: passages{}}},
		{"plain reply", `{"answer": {"text": "A", "confidence": 0.7}, "contexts": []}`, assay.Response{Answer: "A", Passages: passages{}}},
		{"plain reply", `{"answer": ["A", "B"], "contexts": []}`, assay.Response{Answer: "A\nB", Passages: passages{}}},
		{"plain reply", `{"answer": "A", "documents": [{"id": "1"}, {"id": "2"}], "reranked_documents": [{"id": "2"}]}`, ranked("2")},
		{"plain reply", `{"question": "q", "generation": "A", "documents": [{"id": "1"}], "tries": 1}`, ranked("1")},
		{"plain reply", `{"documents": []}`, assay.Response{NoAnswer: true, Passages: passages{}}},
		{"plain reply", `{"answer": "A", "sources": ["docs/a.md", "My File.pdf", "https://x.org/y?z"]}`, assay.Response{Answer: "A",
			Passages: passages{{Source: "docs/a.md"}, {Source: "My File.pdf"}, {Source: "https://x.org/y?z"}}}},
		{"plain reply", `{"answer": "A", "sources": ["docs/a.md", "A sentence of a document."]}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "docs/a.md"}, {Text: "A sentence of a document."}}}},
		{"plain reply", `{"answer": "A", "contexts": [{"text": "Shoes are lent in hall.md"}]}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "Shoes are lent in hall.md"}}}},
		{"plain reply", `{"input": "q", "context": [{"id": null, "metadata": {"source": "s"}, "page_content": "x", "type": "Document"}], ` +
			`"answer": "A"}`, assay.Response{Answer: "A", Passages: passages{{Text: "x", Source: "s"}}}},
		{"plain reply", `{"query": "q", "result": "A", "source_documents": [{"page_content": "x", "metadata": {}}]}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "x"}}}},
		{"plain reply", `{"answer": "A", "context": "all of it"}`, assay.Response{Answer: "A", Passages: passages{{Text: "all of it"}}}},
		{"plain reply", `{"answer": "A", "stages": [{"name": "retrieval", "latency_ms": 5}]}`, assay.Response{Answer: "A",
			Trace: &assay.Trace{Stages: []assay.Stage{{Name: "retrieve", Latency: 5e6}}}}},
		{"plain reply", `{"answer": "A", "data": {"answer": "B"}}`, assay.Response{Answer: "A"}}, // the outermost
		{"plain reply", `{"output": [{"type": "text", "text": "A"}]}`, assay.Response{Answer: "A"}},
		{"plain reply", `{"results": [{"text": "c", "score": "NaN"}]}`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c"}}}},
		{"plain reply", `{"answer": "A", "sources": []}`, assay.Response{Answer: "A", Passages: passages{}, Cites: true}},
		{"plain reply", `{"answer": "A", "citations": []}`, assay.Response{Answer: "A"}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "sources": [{"source": {"id": "k", "name": "col"}, "document": ["c", "d"], ` +
			`"metadata": [{"name": "a.md", "file_id": "f"}, {"name": "b.md", "source": "b.md"}]}, {"source": {}, "document": ["e"], "metadata": [{"source": "https://e.org"}]}]}`, // Open WebUI
			assay.Response{Answer: "A", Passages: passages{{Text: "c", Source: "a.md", Title: "a.md"}, {Text: "d", Source: "b.md", Title: "b.md"},
				{Text: "e", Source: "https://e.org"}}}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "citations": {"total_results": 1, "results": [{"content": "c", ` +
			`"document_id": "d"}]}}`, assay.Response{Answer: "A", Passages: passages{{Text: "c", Document: "d"}}}}, // NVIDIA RAG
		{"plain reply", `{"object": "vector_store.search_results.page", "data": [{"file_id": "f", "filename": "a.md", "score": 0.5, ` +
			`"content": [{"type": "text", "text": "c"}, {"type": "text", "text": " d"}]}]}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c d", Source: "a.md", Score: 0.5}}}}, // OpenAI's vector stores
		{"plain reply in result", `{"success": true, "result": {"response": "A", "data": [{"filename": "a.md", "content": [{"id": "c", ` +
			`"type": "text", "text": "c"}]}]}}`, assay.Response{Answer: "A", Passages: passages{{Text: "c", Source: "a.md"}}}}, // Cloudflare AutoRAG
		{"plain reply", `{"messages": [{"role": "user", "content": "q"}], "response": "A"}`, assay.Response{Answer: "A"}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "citations": []}`, assay.Response{Answer: "A"}},
		// Of the AI SDK and Mastra, where sources are what the model cites.
		{"plain reply", `{"text": "A", "sources": [], "toolResults": [], "finishReason": "stop"}`, assay.Response{Answer: "A"}},
		{"plain reply", `{"text": "A", "sources": [], "toolResults": [], "documents": ["c"]}`, assay.Response{Answer: "A", Passages: passages{{Text: "c"}}}},
		{"plain reply in data", `{"code": 0, "data": {"answer": "A", "contexts": ["c"]}}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "c"}}}},
		{"plain reply in result", `{"status": "ok", "result": {"text": "A"}}`, assay.Response{Answer: "A"}},
		{"plain reply", `{"query": "q", "generated_answer": "A", "sources": [{"id": 12, "title": "T", "excerpt": "e", "document_id": 12, ` +
			`"score": 0.75}], "total_found": 1}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "e", ID: "12", Document: "12", Title: "T", Score: 0.75}}}},
		{"LangServe", `{"output": "A", "metadata": {"run_id": "r", "feedback_tokens": []}}`, assay.Response{Answer: "A"}},
		{"LangServe", `{"output": {"content": "A", "additional_kwargs": {}, "type": "ai", "name": null, "id": "x"}, "metadata": {"run_id": "r"}}`,
			assay.Response{Answer: "A"}},
		{"LangServe", `{"output": {"input": "q", "context": [{"page_content": "x", "metadata": {"source": "s"}}], "answer": "A"}, "metadata": ` +
			`{"run_id": "r"}}`, assay.Response{Answer: "A", Passages: passages{{Text: "x", Source: "s"}}}},
		{"LangServe", `{"output": {"query": "q", "result": "A", "source_documents": []}}`, assay.Response{Answer: "A", Passages: passages{}}},
		{"LangServe state", `{"output": {"messages": [{"type": "human", "content": "q"}, {"type": "ai", "content": "A"}], "context": ` +
			`[{"page_content": "x"}]}}`, assay.Response{Answer: "A", Passages: passages{{Text: "x"}}}},
		{"LangGraph state", `{"messages": [{"type": "human", "content": "q"}, {"type": "ai", "content": "A"}]}`, assay.Response{Answer: "A"}},
		{"OpenAI chat completion", `{"id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", ` +
			`"content": "A"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A", "context": {"intent": "[]", "citations": [{"content": "c", ` +
			`"title": "T", "url": "u", "filepath": "f", "chunk_id": "0"}]}}}]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", ID: "0", Source: "f", Title: "T"}}}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "citations": ["https://a.org"], "search_results": [{"title": ` +
			`"T", "url": "https://a.org", "snippet": "s"}]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "s", Title: "T", Source: "https://a.org"}}}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "citations": ["https://a.org"]}`, assay.Response{Answer: "A",
			Passages: passages{{Source: "https://a.org"}}}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "context": [{"text": "c"}]}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "c"}}}},
		{"plain reply", `{"answer": "A", "response": {"usage": {"input_tokens": 3, "output_tokens": 2}}}`, // a stream of OpenAI responses
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"plain reply", `{"type": "textResponse", "textResponse": "A", "sources": [{"text": "c"}]}`, assay.Response{Answer: "A",
			Passages: passages{{Text: "c"}}}},
		{"OpenAI completion", `{"choices": [{"text": "A", "index": 0}]}`, assay.Response{Answer: "A"}},
		{"OpenAI response", `{"object": "response", "output": [{"type": "file_search_call", "id": "x"}, {"type": "message", "content": ` +
			`[{"type": "output_text", "text": "A", "annotations": []}]}], "usage": {"input_tokens": 3, "output_tokens": 2}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		// Items without results are no passages.
		{"OpenAI response", `{"output": [{"type": "reasoning", "content": []}, {"type": "file_search_call", "results": [{"filename": "a.md", ` +
			`"text": "c"}]}, {"type": "message", "content": [{"type": "output_text", "text": "A"}]}]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", Source: "a.md"}}}},
		{"OpenAI response", `{"output": [{"type": "file_search_call", "results": []}, {"type": "message", "content": [{"text": "A"}]}]}`,
			assay.Response{Answer: "A", Passages: passages{}}},
		{"OpenAI response", `{"output": [{"type": "file_search_call", "results": null}, {"type": "message", "content": [{"text": "A"}]}]}`,
			assay.Response{Answer: "A"}},
		{"OpenAI response", `{"output": [{"type": "file_search_call", "results": [{"text": "c"}]}, {"type": "message", "content": [{"type": ` +
			`"refusal", "refusal": "No."}]}]}`, assay.Response{Answer: "No.", Passages: passages{{Text: "c"}},
			Warnings: []string{"the target's model or its content filter ended the answer (refusal)"}}},
		{"OpenAI response", `{"object": "response", "output": [{"type": "file_search_call", "results": [{"text": "c"}]}, {"type": ` +
			`"function_call", "call_id": "f"}]}`, assay.Response{Passages: passages{{Text: "c"}},
			Warnings: []string{"the answer is empty: the model calls a tool instead of writing text: serve it without tools"}}},
		{"OpenAI response", `{"object": "response", "output": [{"type": "file_search_call", "results": [{"text": "c"}]}, {"type": ` +
			`"reasoning"}], "incomplete_details": {"reason": "max_output_tokens"}}`, assay.Response{Passages: passages{{Text: "c"}},
			Warnings: []string{"the target's answer ended at its limit of tokens (max_output_tokens)"}}},
		{"OpenAI response", `{"answer": "A", "response": {"object": "response", "output": [{"type": "reasoning"}, {"type": "file_search_call", ` +
			`"results": [{"text": "c"}]}]}}`, assay.Response{Answer: "A", Passages: passages{{Text: "c"}}}}, // a stream
		{"OpenAI response", `{"object": "response", "output": [{"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "I look."}]}, ` +
			`{"type": "message", "phase": "final_answer", "content": [{"type": "output_text", "text": "A"}]}]}`, assay.Response{Answer: "A"}},
		{"LangChain message", `{"id": ["langchain", "AIMessage"], "kwargs": {"content": "A"}}`, assay.Response{Answer: "A"}},
		{"OpenAI chat completion", `{"choices": [{"message": {"tool_calls": [{"id": "t"}]}, "finish_reason": "tool_calls"}], "contexts": ["c"]}`,
			assay.Response{Passages: passages{{Text: "c"}},
				Warnings: []string{"the answer is empty: the model calls a tool instead of writing text: serve it without tools"}}},
		{"Anthropic message", `{"type": "message", "role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", ` +
			`"text": "A"}], "usage": {"input_tokens": 3, "output_tokens": 2}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"Gemini", `{"candidates": [{"content": {"parts": [{"text": "A"}], "role": "model"}, "groundingMetadata": {"groundingChunks": ` +
			`[{"web": {"uri": "w", "title": "W"}}, {"retrievedContext": {"uri": "u", "title": "T", "text": "c"}}]}}], "usageMetadata": ` +
			`{"promptTokenCount": 3, "candidatesTokenCount": 2}}`,
			assay.Response{Answer: "A", Passages: passages{{Source: "w", Title: "W"}, {Text: "c", Source: "u", Title: "T"}},
				Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		// Tokens that vendors count beside the others.
		{"Anthropic message", `{"role": "assistant", "content": [{"type": "text", "text": "A"}], "usage": {"input_tokens": 20, ` +
			`"cache_creation_input_tokens": 50, "cache_read_input_tokens": 30, "output_tokens": 2}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 100, OutputTokens: 2}}},
		{"Gemini", `{"candidates": [{"content": {"parts": [{"text": "A"}]}}], "usageMetadata": {"promptTokenCount": 80, ` +
			`"toolUsePromptTokenCount": 20, "candidatesTokenCount": 10, "thoughtsTokenCount": 40}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 100, OutputTokens: 50}}},
		{"Gemini", `{"candidates": [{"content": {"parts": [{"text": "A"}]}}], "usageMetadata": {"promptTokenCount": 80, "thoughtsTokenCount": 40}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 80, OutputTokens: 40}}},
		{"OpenAI chat completion", `{"choices": [{"message": {"content": "A"}}], "usage": {"prompt_tokens": 100, "cache_read_input_tokens": 30}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 100}}},
		{"Gemini", `{"candidates": [{"content": {"parts": [{"text": "A"}]}, "grounding_metadata": {"grounding_chunks": [{"retrieved_context": ` +
			`{"uri": "u", "text": "c"}}]}}], "usage_metadata": {"prompt_token_count": 3, "candidates_token_count": 2}}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", Source: "u"}}, Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"ADK events", `[{"id": "e1", "author": "user", "content": {"parts": [{"text": "Q"}]}}, {"id": "e2", "author": "shop", "content": {"role": "model", ` +
			`"parts": [{"text": "A"}]}}]`, assay.Response{Answer: "A"}},
		{"ADK event", `{"id": "e2", "author": "shop", "content": {"role": "model", "parts": [{"text": "{\"answer\": \"A\", \"sources\": [\"c\"]}"}]}}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c"}}, Warnings: []string{reply.StructuredNote + ": read.answer: content.parts scores the JSON"}}},
		// JSON that a model wrote, after reasoning and in a fence. Among words it stays the answer.
		{"Ollama chat", `{"message": {"content": "<think>B?</think>\n` + "```json" + `\n{\"answer\": \"A\", \"sources\": [\"c\"]}\n` + "```" + `"}, "done": true}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c"}}, Warnings: []string{reply.StructuredNote + ": read.answer: message.content scores the JSON"}}},
		{"Ollama chat", `{"message": {"content": "See: {\"answer\": \"A\"}"}, "done": true}`, assay.Response{Answer: `See: {"answer": "A"}`, Warnings: []string{
			"the answer is scored as JSON text, which has an answer of its own beside other fields or words: return that"}}},
		{"LangGraph state", `{"messages": [{"role": "user", "content": [{"text": "q"}]}, {"role": "model", "content": [{"text": "A"}]}], "passages": ["c"]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c"}}}},
		{"blocks of a message", `[{"type": "thinking", "thinking": "B?"}, {"type": "text", "text": "A"}]`, assay.Response{Answer: "A"}},
		{"list of passages", `[{"type": "text", "text": "c", "source": "a.md"}]`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c", Source: "a.md"}}}},
		// A reply within the answer.
		{"plain reply", `{"answer": {"choices": [{"message": {"content": "A"}, "finish_reason": "length"}], "usage": {"prompt_tokens": 3, ` +
			`"completion_tokens": 2}}, "contexts": ["c"]}`, assay.Response{Answer: "A", Passages: passages{{Text: "c"}}, Usage: assay.Usage{
			InputTokens: 3, OutputTokens: 2}, Warnings: []string{"the target's answer ended at its limit of tokens (length)"}}},
		{"plain reply", `{"response": {"role": "assistant", "content": [{"type": "text", "text": "A"}], "usage": {"input_tokens": 3, "output_tokens": 2}}}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"plain reply", `{"answer": [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "A"}]}]}`,
			assay.Response{Answer: "A"}},
		{"Dify chat", `{"event": "message", "message_id": "m", "conversation_id": "c", "mode": "chat", "answer": "A", "metadata": {"usage": ` +
			`{"prompt_tokens": 1033, "completion_tokens": 128, "total_price": "0.0012890", "currency": "USD"}, "retriever_resources": ` +
			`[{"position": 1, "dataset_id": "s", "document_id": "d", "document_name": "iPhone List", "segment_id": "g", "score": 0.98, ` +
			`"content": "c"}]}}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", ID: "g", Document: "d", Source: "iPhone List", Title: "iPhone List",
				Score: 0.98}}, Usage: assay.Usage{InputTokens: 1033, OutputTokens: 128, Cost: 1289}}},
		{"Dify chat", `{"answer": "A", "conversation_id": "c", "metadata": {"usage": {}}}`, assay.Response{Answer: "A"}},
		{"Dify workflow", `{"workflow_run_id": "w", "task_id": "t", "data": {"id": "i", "status": "succeeded", "outputs": {"text": "A", ` +
			`"sources": [{"content": "c"}]}}}`, assay.Response{Answer: "A", Passages: passages{{Text: "c"}}}},
		{"Dify retrieval", `{"query": {"content": "q"}, "records": [{"segment": {"id": "g", "position": 1, "document_id": "d", "content": ` +
			`"c", "document": {"id": "d", "name": "a.txt"}}, "score": 0.5}]}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "g", Document: "d", Title: "a.txt", Score: 0.5}}}},
		{"Dify retrieval", `{"records": [{"segment": {"content": "c", "document": {"id": "d"}}}]}`, assay.Response{NoAnswer: true,
			Passages: passages{{Text: "c", Document: "d"}}}},
		{"Dify retrieval", `{"query": {"content": "q"}, "records": []}`, assay.Response{NoAnswer: true, Passages: passages{}}},
		{"RAGFlow", `{"code": 0, "data": {"answer": "A", "reference": {"total": 1, "chunks": [{"id": "i", "content": "c", "document_id": "d", ` +
			`"document_name": "n.pdf", "similarity": 0.5}]}, "session_id": "s"}}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", ID: "i", Document: "d", Source: "n.pdf", Title: "n.pdf", Score: 0.5}}}},
		{"RAGFlow retrieval", `{"code": 0, "data": {"chunks": [{"id": "i", "content": "c", "document_id": "d", "document_keyword": "n.pdf", ` +
			`"similarity": 0.5}], "doc_aggs": [], "total": 1}}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "i", Document: "d", Source: "n.pdf", Score: 0.5}}}},
		{"Amazon Bedrock RetrieveAndGenerate", `{"sessionId": "s", "output": {"text": "A"}, "citations": [{"generatedResponsePart": ` +
			`{"textResponsePart": {"text": "A"}}, "retrievedReferences": [{"content": {"text": "c"}, "location": {"type": "S3", "s3Location": ` +
			`{"uri": "s3://b/a.md"}}, "metadata": {}}]}, {"retrievedReferences": []}]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", Source: "s3://b/a.md"}}}},
		{"Amazon Bedrock RetrieveAndGenerate", `{"output": {"text": "A"}, "citations": [{"generatedResponsePart": {}}, {"retrievedReferences": ` +
			`[{"content": {"text": "c"}}]}]}`, assay.Response{Answer: "A", Passages: passages{{Text: "c"}}}},
		{"Amazon Bedrock RetrieveAndGenerate", `{"output": {"text": "A"}, "citations": [], "guardrailAction": "NONE"}`, assay.Response{Answer: "A", Passages: passages{}}},
		{"Amazon Bedrock RetrieveAndGenerate", `{"output": {"text": "Sorry"}, "citations": [], "guardrailAction": "INTERVENED"}`, assay.Response{Answer: "Sorry",
			Passages: passages{}, Warnings: []string{"the target's model or its content filter ended the answer (INTERVENED)"}}},
		{"Amazon Bedrock Retrieve", `{"retrievalResults": [{"content": {"text": "c"}, "location": {"s3Location": {"uri": "s3://b/a.md"}}, ` +
			`"score": 0.5}]}`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c", Source: "s3://b/a.md", Score: 0.5}}}},
		{"LlamaIndex response", `{"response": "A", "source_nodes": [{"node": {"id_": "n", "embedding": null, "metadata": {"file_name": ` +
			`"a.md"}, "relationships": {"1": {"node_id": "d", "metadata": {}, "hash": null}}, "text": "hi"}, "score": 0.5, "class_name": ` +
			`"NodeWithScore"}], "metadata": {}}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "hi", ID: "n", Document: "d", Source: "a.md", Score: 0.5}}}},
		{"Haystack answers", `{"query": "q", "answers": [{"answer": "A", "type": "extractive", "score": 0.9, "context": "c"}], "documents": ` +
			`[{"id": "d", "content": "c", "meta": {"name": "a.txt"}, "score": 0.5}]}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", ID: "d", Title: "a.txt", Score: 0.5}}}},
		{"Haystack pipeline", `{"answer_builder": {"answers": [{"data": "A", "query": "q", "documents": [{"id": "d", "content": "c", "meta": ` +
			`{}}]}]}}`, assay.Response{Answer: "A", Passages: passages{{Text: "c", ID: "d"}}}},
		{"Haystack pipeline", `{"result": {"llm": {"replies": ["A"]}, "retriever": {"documents": [{"id": "d", "content": "c"}]}}}`,
			assay.Response{Answer: "A", Passages: passages{{Text: "c", ID: "d"}}}},
		// The component that ran last counts.
		{"Haystack pipeline", pipeline(`"a_ranker": #2 1#, "retriever": #1 2#`), ranked("2", "1")},
		{"Haystack pipeline", `{"result": ` + pipeline(`"retriever": #1 2#, "reranker": #2 1#`) + `}`, ranked("2", "1")},
		{"Haystack pipeline", pipeline(`"bm25_retriever": #1#, "joiner": #2 1 3#, "ranker": #3 2#, "vector_search": #2#`), ranked("3", "2")},
		{"Haystack pipeline", pipeline(`"bm25_retriever": #1 2 3#, "ranker": #3 2 1#, "top_p_sampler": #3 2#`), ranked("3", "2")},
		{"Haystack pipeline", pipeline(`"retriever": #1 2#, "checked": ##`), ranked()},
		{"Haystack pipeline", pipeline(`"bm25": #1 2#, "other": #1 2#`), ranked("1", "2")},
		// Searches are what a joiner joins, whatever their names.
		{"Haystack pipeline", pipeline(`"document_joiner": #1 2 3#, "keyword": #1#, "semantic": #3 2#`), ranked("1", "2", "3")},
		{"Haystack pipeline", pipeline(`"bm25": #1#, "embedding": #3 2 1#, "rrf": #1 3 2#`), ranked("1", "3", "2")},
		{"Haystack pipeline", pipeline(`"bm25_retriever": #1 2#, "cut": #1 2#, "embedding_retriever": #3 2 1#, "joiner": #1 2 3#`), ranked("1", "2")},
		{"Haystack pipeline", pipeline(`"first": #1#, "joiner": #1 2 3#, "second": #3 2 1#`), assay.Response{Answer: "A", Warnings: []string{
			`the components "first" and "second" list different documents, and nothing says which is last: return those of one of them, or set read.passages`}}},
		{"Haystack pipeline", pipeline(`"retriever": #1 2#, "web_search": #2#`), assay.Response{Answer: "A", Warnings: []string{
			`the components "retriever" and "web_search" list different documents, and nothing says which is last: return those of one ` +
				`of them, or set read.passages`}}},
		{"Haystack replies", `{"replies": ["A"], "meta": []}`, assay.Response{Answer: "A"}},
		{"Chroma query", `{"ids": [["a", "b"]], "embeddings": null, "documents": [["A", "B"]], "uris": null, "metadatas": [[{"source": "s", ` +
			`"page": 1}, null]], "distances": [[0.5, 1]], "included": ["documents"]}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "A", ID: "a", Source: "s"}, {Text: "B", ID: "b"}}}},
		{"Chroma query", `{"ids": [[]], "documents": [[]], "metadatas": [[]], "distances": [[]]}`, assay.Response{NoAnswer: true,
			Passages: passages{}}},
		{"Chroma query", `{"ids": [["a"]], "documents": null, "metadatas": null, "distances": null}`, assay.Response{NoAnswer: true,
			Passages: passages{{ID: "a"}}}},
		{"Chroma get", `{"ids": ["a", "b"], "documents": ["A", "B"], "metadatas": [{"source": "s"}, null], "embeddings": null}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "A", ID: "a", Source: "s"}, {Text: "B", ID: "b"}}}},
		{"Qdrant points", `{"result": {"points": [{"id": 42, "version": 3, "score": 0.5, "payload": {"text": "c", "source": "a.md"}}]}, ` +
			`"status": "ok", "time": 0.1}`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "42", Source: "a.md", Score: 0.5}}}},
		{"Qdrant points", `{"result": [{"id": "u", "score": 0.5, "payload": {"page_content": "c", "metadata": {"source": "a.md"}}}], ` +
			`"status": "ok"}`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "u", Source: "a.md", Score: 0.5}}}},
		{"OpenSearch hits", `{"took": 1, "timed_out": false, "hits": {"total": {"value": 1, "relation": "eq"}, "max_score": 1.5, "hits": ` +
			`[{"_index": "i", "_id": "d", "_score": 1.5, "_source": {"title": "T", "text": "c"}}]}}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "d", Title: "T", Score: 1.5}}}},
		{"Weaviate GraphQL", `{"data": {"Get": {"Article": [{"content": "c", "title": "T", "_additional": {"id": "u", "distance": 0.25}}]}}}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "u", Title: "T", Details: distance(0.25)}}}},
		{"Weaviate GraphQL", `{"data": {"Get": {"Article": []}}}`, assay.Response{NoAnswer: true, Passages: passages{}}},
		{"Vespa", `{"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 1}, "coverage": {}, "children": [{"id": ` +
			`"id:doc:doc::1", "relevance": 0.5, "source": "s", "fields": {"documentid": "id:doc:doc::1", "title": "T", "chunks": ["x"], "body": ` +
			`"c"}}]}}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "id:doc:doc::1", Source: "s", Title: "T", Score: 0.5}}}},
		// it has no children then
		{"Vespa", `{"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}, "coverage": {}}}`, assay.Response{NoAnswer: true,
			Passages: passages{}}},
		{"Pinecone matches", `{"matches": [{"id": "v", "score": 0.5, "values": [], "metadata": {"text": "c", "source": "a.md"}}], ` +
			`"namespace": ""}`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "v", Source: "a.md", Score: 0.5}}}},
		{"Azure AI Search", `{"@odata.context": "x", "value": [{"@search.score": 0.5, "id": "d", "content": "c"}]}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "d", Score: 0.5}}}},
		{"Solr", `{"responseHeader": {"status": 0}, "response": {"numFound": 1, "start": 0, "docs": [{"id": "d", "content": ["c"]}]}}`,
			assay.Response{NoAnswer: true, Passages: passages{{Text: "c", ID: "d"}}}},
		{"Ollama chat", `{"model": "m", "message": {"role": "assistant", "content": "A"}, "done": true, "prompt_eval_count": 3, "eval_count": 2}`,
			assay.Response{Answer: "A", Usage: assay.Usage{InputTokens: 3, OutputTokens: 2}}},
		{"Ollama", `{"model": "m", "response": "A", "done": true, "context": [1, 2, 3]}`, assay.Response{Answer: "A"}},
		{"Hugging Face text generation", `[{"generated_text": "A"}]`, assay.Response{Answer: "A"}},
		{"list of passages", `[{"text": "c", "score": 1}, {"id": 7}]`, assay.Response{NoAnswer: true, Passages: passages{{Text: "c", Score: 1},
			{ID: "7"}}}},
		{"list of passages", `["one", "two"]`, assay.Response{NoAnswer: true, Passages: passages{{Text: "one"}, {Text: "two"}}}},
		{"list of passages", `["fr.md", "de.md"]`, assay.Response{NoAnswer: true, Passages: passages{{Source: "fr.md"}, {Source: "de.md"}}}},
		{"list of passages", `[]`, assay.Response{NoAnswer: true, Passages: passages{}}},
		{"text", `"A"`, assay.Response{Answer: "A"}},
	} {
		v := decode(t, c.in)
		m, shape, ok := reply.Detect(v)
		if !ok || shape != c.shape {
			t.Errorf("%s: detected as %q, %v; want %q", c.in, shape, ok, c.shape)
			continue
		}
		got, readings, err := m.Read(v)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.in, m.Paths(), d)
		}
		for _, r := range readings {
			if r.Missing && !strings.Contains(c.in, "null") && r.Part != "text of passages" && (r.Part != reply.Answer || c.want.Warnings == nil) {
				t.Errorf("%s: says %q", c.in, shown(readings))
			}
		}
	}
}

// What a stream is put together to has a known shape.
func TestDetectStreams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ shape, in, answer, passage string }{
		{"OpenAI chat completion", events(`{"choices":[{"delta":{"content":"A"}}]}`, `{"choices":[{"delta":{}}],"context":[{"text":"c"}]}`,
			"[DONE]"), "A", "c"},
		{"Dify chat", events(`{"event":"message","conversation_id":"x","answer":"A"}`,
			`{"event":"message_end","metadata":{"retriever_resources":[{"content":"c"}]}}`), "A", "c"},
		{"RAGFlow", events(`{"code":0,"data":{"answer":"A","reference":{"chunks":[{"content":"c"}]}}}`, `{"code":0,"data":true}`), "A", "c"},
		{"RAGFlow", events(`{"code":200,"data":{"answer":"A","reference":{"chunks":[{"content":"c"}]}}}`), "A", "c"},
		{"LangServe", "event: data\ndata: {\"context\":[{\"page_content\":\"c\"}]}\n\nevent: data\ndata: {\"answer\":\"A\"}\n\nevent: end\n\n",
			"A", "c"},
		{"plain reply", events(`{"token":"A"}`, `{"token":"B"}`, `{"sources":[{"text":"c"}]}`), "AB", "c"},
		{"plain reply", events(`{"type":"text-delta","delta":"A"}`, `{"type":"source-document","source":{"title":"T","text":"c"}}`), "A", "c"},
		{"text", "data: A\n\n", "A", ""},
		{"Gemini", events(`{"candidates":[{"content":{"parts":[{"text":"A"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"B"}]},`+
			`"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"retrievedContext":{"text":"c"}}]}}]}`), "AB", "c"},
		{"plain reply", events(`{"type":"response.output_item.added","item":{"type":"message","id":"m0","phase":"commentary"}}`,
			`{"type":"response.output_text.delta","item_id":"m0","delta":"I look."}`, `{"type":"response.output_text.done","item_id":"m0","text":"I look."}`,
			`{"type":"response.output_item.done","item":{"type":"message","id":"m0","phase":"commentary","content":[{"type":"output_text","text":"I look."}]}}`,
			`{"type":"response.output_text.delta","item_id":"m1","delta":"A"}`, `{"type":"response.completed","response":{"status":"completed"}}`), "A", ""},
		{"plain reply", events(`{"type":"content-delta","delta":{"message":{"content":{"text":"A"}}}}`, `{"type":"message-end","delta":{}}`), "A", ""},
	} {
		v, err := reply.ReadBody(strings.NewReader(c.in), reply.Events, reply.Mapping{})
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		m, shape, _ := reply.Detect(v)
		got, _, err := m.Read(v)
		if err != nil || shape != c.shape || got.Answer != c.answer || (c.passage != "") != (len(got.Passages) == 1) || c.passage != "" &&
			got.Passages[0].Text != c.passage {
			t.Errorf("%s: %s as %q: %+v, %v", c.in, encode(t, v), shape, got, err)
		}
	}
}

// The texts of events that have the shape of a whole reply are joined, or replaced if each begins
// with the one before.
func TestDetectStreamsOfReplies(t *testing.T) {
	t.Parallel()
	for _, event := range []string{
		`{"candidates":[{"content":{"parts":[{"text":%q}],"role":"model"},"index":0}]}`, `{"result":%q}`, `{"generated_text":%q}`,
		`{"completion":%q,"stop_reason":null}`, `{"final_answer":%q}`, `{"data":{"answer":%q}}`, `{"event":"message","data":{"text":%q}}`,
		`{"result":{"response":%q}}`, `{"response":{"text":%q}}`, `{"output":{"content":%q}}`,
		`{"output":{"choices":[{"message":{"content":%q,"role":"assistant"},"finish_reason":"null"}]}}`, // DashScope
		`{"output":{"text":%q,"finish_reason":"null"}}`,
		`{"replies":[%q]}`, `{"content":[{"type":"text","text":%q}],"role":"assistant"}`, `{"type":"generation","output":{"text":%q}}`,
		`{"type":"textResponseChunk","textResponse":%q,"close":false}`, `{"choices":[{"message":{"content":%q},"finish_reason":null}]}`,
		`{"messages":[{"type":"AIMessageChunk","content":%q}]}`, `{"event":"token","data":%q}`,
	} {
		for _, pieces := range [][]string{{"Paris", " is", " the", " capital"}, {"Paris", "Paris is", "Paris is the", "Paris is the capital"}} {
			for _, end := range []string{"", "[DONE]", `{"type":"end","data":"[DONE]"}`, `{"type":"end","data":"[END]"}`,
				`{"type":"done","content":"stop"}`, `{"type":"end","data":{"status":"finished"}}`, `{"type":"final","value":"Paris is the capital"}`,
			} {
				in := ""
				for _, piece := range pieces {
					in += events(fmt.Sprintf(event, piece))
				}
				if end != "" {
					in += events(end)
				}
				v, err := reply.ReadBody(strings.NewReader(in), reply.Events, reply.Mapping{})
				if err != nil {
					t.Fatalf("%s: %v", in, err)
				}
				m, _, _ := reply.Detect(v)
				if got, _, err := m.Read(v); err != nil || got.Answer != "Paris is the capital" ||
					slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, "may not be one answer") }) {
					t.Errorf("%s: %s: %+v, %v", in, encode(t, v), got, err)
				}
			}
		}
	}
}

// A stream whose texts may not be one answer is warned about, and never its last piece alone.
func TestStreamsOfSeveralTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, answer string
		warned     bool
	}{
		{events(`{"token":"Par"}`, `{"token":"is"}`, `{"content":"[1] fr.md"}`), "[1] fr.md", true},
		{events(`{"token":"Par"}`, `{"token":"is"}`, `{"type":"end","data":"conversation-1"}`), "conversation-1", true},
		{events(`{"result":"Reading the files"}`, `{"result":"Paris is it"}`), "Reading the filesParis is it", true},
		{events(`{"result":"Par"}`, `{"result":"is"}`, `{"text":"Bonn"}`), "Bonn", true},
		{events(`{"message":"Reading"}`, `{"token":"Par"}`, `{"message":"Reading on"}`, `{"token":"is"}`, `{"message":"Ready"}`), "Paris", false},
		{events(`{"message":"Reading"}`, `{"result":"Par"}`, `{"result":"is"}`), "Paris", false},
		{events(`{"result":"Par"}`, `{"result":"is"}`, `{"type":"final","result":"Paris"}`), "Paris", false},
		{events(`{"answer":"Par"}`, `{"answer":"is"}`, `{"answer":"Paris","done":true}`), "Paris", false},
		{events(`{"messages":[{"type":"human","content":"q"}]}`, `{"messages":[{"type":"human","content":"q"},{"type":"ai","content":"Paris"}]}`),
			"Paris", false},
		{events(`{"candidates":[{"content":{"parts":[{"text":"Par"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"is"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}]}}]}`,
			`{"candidates":[{"finishReason":"STOP"}]}`), "Paris", false},
		{events(`{"type":"tool","output":{"text":"12 files"}}`, `{"token":"Par"}`, `{"token":"is"}`), "Paris", false},
		{events(`{"type":"final","message":{"content":"Paris"}}`, `{"type":"end"}`), "Paris", false},
		{events(`{"type":"final","output":"None"}`, `{"type":"end"}`), "None", false},
		{events(`{"result":"Paris"}`, `{"result":"Paris","sources":["fr.md"]}`), "Paris", false},
		{events(`{"type":"plan","output":{"text":"Look"}}`, `{"type":"write","output":{"text":"Par"}}`, `{"type":"write","output":{"text":"is"}}`),
			"Paris", true},
		{events(`{"node":"plan","result":"Look"}`, `{"node":"write","result":"Paris"}`), "Paris", true},
		{"event:conversation.message.delta\ndata:{\"type\":\"answer\",\"content\":\"Par\"}\n\nevent:conversation.message.completed\n" +
			"data:{\"type\":\"answer\",\"content\":\"Par\"}\n\n", "Par", false}, // Coze
		{events(`{"token":"Par"}`, `{"token":"is"}`, `{"token":"Paris"}`), "Paris", false},
		{events(`{"token":"ha"}`, `{"token":"ha"}`, `{"token":"haha"}`), "hahahaha", false},
		{"data: Press\n\ndata:  [STOP]\n\ndata:  now\n\n", "Press [STOP] now", false},
		{"data: Par\n\ndata: Pari\n\ndata: Paris\n\ndata: [END]\n\n", "Paris", false},
		{"event: result\ndata: Par\n\nevent: result\ndata: is\n\n", "Paris", false},
		{"data: Par\n\ndata: is\n\ndata: [END]\n\n", "Paris", false},
		{"data: \"Par\"\n\ndata: \"is\"\n\ndata: \"[DONE]\"\n\n", "Paris", false},
		{"event: data\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"Par\"}],\"type\":\"AIMessageChunk\"}\n\nevent: data\ndata: " +
			"{\"content\":[{\"type\":\"text\",\"text\":\"is\"}],\"type\":\"AIMessageChunk\"}\n\nevent: end\n\n", "Paris", false},
	} {
		v, err := reply.ReadBody(strings.NewReader(c.in), reply.Events, reply.Mapping{})
		if err != nil {
			t.Fatalf("%s: %v", c.in, err)
		}
		m, _, _ := reply.Detect(v)
		got, _, err := m.Read(v)
		if err != nil || got.Answer != c.answer || c.warned != (len(got.Warnings) > 0) || strings.Contains(c.in, "grounding") && len(got.Passages) != 1 {
			t.Errorf("%s: %s: %+v, %v", c.in, encode(t, v), got, err)
		}
	}
}

func TestDetectFailures(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"code": 102, "message": "You don't own the assistant."}`:                                               "You don't own the assistant.",
		`{"type":"result","is_error":true,"result":"API Error: 529"}`:                                            `"is_error": true, API Error: 529`,
		`{"success": false, "error_message": "vector store timeout"}`:                                            `"success": false, vector store timeout`,
		`{"isError":true,"content":[{"type":"text","text":"boom"}]}`:                                             `"isError": true, boom`,
		`{"success":"false","answer":"A"}`:                                                                       `"success": false`,
		`{"code":500,"msg":"boom","data":null}`:                                                                  "boom",
		`{"error": {"message": "bad key"}}`:                                                                      "bad key",
		`{"detail": "Not authenticated"}`:                                                                        "Not authenticated",
		`{"errors": [{"message": "no such class"}], "data": {"Get": null}}`:                                      "no such class",
		`{"answer": "", "error": "out of memory"}`:                                                               "out of memory",
		`{"choices": null, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}`:            "insufficient balance",
		`{"error_code": 17, "error_msg": "daily limit reached", "id": "as-1"}`:                                   "daily limit reached",
		`{"Response": {"RequestId": "r", "Error": {"Code": "Failed", "Message": "The model is busy."}}}`:         "The model is busy.",
		`{"code": "Throttling.RateQuota", "message": "Try again later.", "request_id": "r"}`:                     "Try again later.",
		`{"header": {"code": 10013, "message": "audit failed", "sid": "s", "status": 2}}`:                        "audit failed",
		`{"errorMessage": "Task timed out", "errorType": "Sandbox.Timedout"}`:                                    "Task timed out",
		`{"choices": [{"index": 0, "error": {"code": 403, "message": "flagged"}, "message": {"content": "A"}}]}`: "the server ended the reply with an error: flagged",
		`{"answer": {"verdict": "yes", "n": 1}, "contexts": ["c"]}`: `answer at "answer": an object with n, verdict: expected a text, or the path ` +
			`of one inside it`,
	} {
		v := decode(t, in)
		m, shape, ok := reply.Detect(v)
		if _, _, err := m.Read(v); !ok || err == nil || err.Error() != want {
			t.Errorf("%s: %q, %v: %v, want %q", in, shape, ok, err, want)
		}
	}
}

func TestDetectColumnsOfDifferentLength(t *testing.T) {
	t.Parallel()
	v := decode(t, `{"ids": [["a"]], "documents": [["x", "y"]]}`)
	m, _, _ := reply.Detect(v)
	const want = `id of passages at "ids[0][]": 1 values: expected 2, as many as text at "documents[0][]"`
	if _, _, err := m.Read(v); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestDetectNothing(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		`{}`, `null`, `3`, `true`, `{"status": "ok", "message": "done"}`, `{"data": {"output": {"msg": "A"}}}`, `[1, 2]`, `[{"a": 1}]`, `[null]`,
		`{"results": 3}`, `{"output": {"text": ["a b", "c d"]}}`, `{"outputs": [{"text": "a"}, {"text": "b"}]}`, `{"predictions": [{"content": "a", "score": 0.5}]}`,
		`{"items": [{"sku": 1}]}`, `{"choices": []}`, `{"hits": 3}`,
		`{"code": 1, "msg": "success", "n": 2}`, `{"status_code": 1, "msg": "handled", "say": {"line": "Paris is the capital of it."}}`, `{"code": 0, "message": "All is well."}`,
	} {
		if m, shape, ok := reply.Detect(decode(t, in)); ok || shape != "" || !m.Empty() {
			t.Errorf("%s: detected as %q: %v", in, shape, m.Paths())
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("words of a passage ", 5)
	for _, c := range []struct {
		in   string
		want []string
	}{
		{`{"data": {"output": {"msg": "The refund takes 30 days."}}, "id": "0123", "created": "2026-01-01T00:00:00Z"}`,
			[]string{"read.answer: data.output.msg"}},
		{`{"payload2": {"said": "A long text that says it.", "title": "short one"}}`, []string{"read.answer: payload2.said",
			"read.answer: payload2.title"}},
		{`{"res": {"said": "The refund takes days."}, "evidence": [{"quote": {"raw": "` + long + `"}, "n": 1}]}`,
			[]string{"read.answer: res.said", "read.passages: evidence", "read.text: quote.raw"}},
		{`{"found": {"list": [{"text": "` + long + `"}]}}`, []string{"read.passages: found.list"}},
		{`{"found": ["` + long + `", "` + long + `"]}`, []string{"read.passages: found"}},
		{`{"a.b": {"c d": [{"answer": 1, "said": "Two words of it"}]}}`, []string{`read.passages: '["a.b"].c d'`, "read.text: said"}},
		{`[[{"said": "words upon words upon words"}]]`, []string{"read.passages: '[0]'", "read.text: said"}},
		{`{"a": "one two", "b": "one two three", "c": "one two three four", "d": "1 2 3 4 5 6 7 8 9 a b", "e": "x y z x y z x y z", "f": "6 6"}`,
			[]string{"read.answer: d", "read.answer: c", "read.answer: e", "read.answer: b", "read.answer: a"}},
		// What a status says is no answer.
		{`{"code": 0, "msg": "no such session", "data": {"n": 1}}`, nil}, {`{"status": "ok", "message": "success"}`, nil},
		{`{"id": 3, "url": "https://a.org/b", "list": [1, 2]}`, nil},
		{`null`, nil},
	} {
		got := reply.Suggest(decode(t, c.in))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.in, d)
		}
	}
}

// What is suggested can be read: each setting is taken by NewMapping and finds
// something.
func TestSuggestIsReadable(t *testing.T) {
	t.Parallel()
	v := decode(t, `{"x": {"said": "The answer is here.", "weird]key": [{"q": "one two three four"}]}, "*": {"msg": "hello you"}}`)
	suggested := reply.Suggest(v)
	if len(suggested) < 3 {
		t.Fatalf("%q", suggested)
	}
	for _, s := range suggested {
		field, path, _ := strings.Cut(strings.TrimPrefix(s, "read."), ": ")
		if p, quoted := strings.CutPrefix(path, "'"); quoted {
			path = strings.ReplaceAll(strings.TrimSuffix(p, "'"), "''", "'")
		}
		m, err := reply.NewMapping(map[string]string{field: path})
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if got, readings, err := m.Read(v); field != "text" && (err != nil || got.Answer == "" && len(got.Passages) == 0) {
			t.Errorf("%s reads %+v, %q, %v", s, got, shown(readings), err)
		}
	}
}

// TestCites: a list of sources may be what was retrieved or what the answer cites; a path that
// the user gives is of what was retrieved.
func TestCites(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		`{"answer": "A", "sources": []}`: true, `{"answer": "A", "references": []}`: true, `{"answer": "A", "contexts": []}`: false,
	} {
		v := decode(t, in)
		m, _, _ := reply.Detect(v)
		if r, _, err := m.Read(v); err != nil || r.Cites != want || r.Passages == nil {
			t.Errorf("%s: %+v, %v", in, r, err)
		}
	}
	m, err := reply.NewMapping(map[string]string{reply.Answer: "answer", reply.Passages: "sources"})
	if err != nil {
		t.Fatal(err)
	}
	if r, _, err := m.Read(decode(t, `{"answer": "A", "sources": []}`)); err != nil || r.Cites || r.Passages == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// Messages are no passages, and a list of one text is not read as one without a word.
func TestDetectMessages(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		`[{"role": "user", "content": "q"}, {"role": "assistant", "content": "A"}]`, `{"data": [{"role": "user", "content": "q"}]}`,
		`{"object": "list", "data": [{"object": "thread.message", "role": "user", "content": [{"type": "text", "text": {"value": "q"}}]}]}`,
		`{"results": [{"text": "A", "stop_reason": "eos"}, {"text": "B", "stop_reason": "eos"}]}`, `[{"recipient_id": "u", "image": "i"}]`,
		`{"object": "response", "output": []}`,
	} {
		v := decode(t, in)
		if m, shape, ok := reply.Detect(v); ok {
			t.Errorf("%s: detected as %q: %v", in, shape, m.Paths())
		}
		for _, s := range reply.Suggest(v) {
			if strings.HasPrefix(s, "read.passages") {
				t.Errorf("%s: suggests %s", in, s)
			}
		}
	}
	for in, warns := range map[string]string{
		`{"results": [{"text": "A"}]}`:                                                       "read.answer: 'results[0].text' or read.passages: 'results'",
		`[{"text": "A"}]`:                                                                    "read.answer: '[0].text' or read.passages: '$'",
		`{"messages": [{"type": "human", "content": "A"}]}`:                                  "is the user's",
		`{"results": [{"text": "A", "id": "1"}]}`:                                            "",
		`{"results": [{"text": "A"}, {"text": "B"}]}`:                                        "",
		`{"contexts": [{"text": "A"}]}`:                                                      "",
		`{"results": [{"role": "user", "text": "A", "score": 1}]}`:                           "",
		`{"results": [{"role": "Engineer", "from": "a@b.org", "text": "A"}]}`:                "",
		`{"object": "response", "output": [{"type": "reasoning", "content": [], "id": ""}]}`: "reasoning and no text after it",
	} {
		v := decode(t, in)
		m, _, _ := reply.Detect(v)
		got, _, err := m.Read(v)
		if said := strings.Join(got.Warnings, "; "); err != nil || !strings.Contains(said, warns) || (warns == "") != (said == "") {
			t.Errorf("%s: %+v, %v: want %q", in, got, err, warns)
		}
	}
}

// A failure has the status that it names, by a number or by the word of a provider.
func TestStatusOfFailures(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		`{"choices": [{"index": 0, "error": {"code": 403, "message": "flagged"}, "message": {"content": "A"}}]}`:           403,
		`{"choices": [{"finish_reason": "error", "message": {"content": "A"}}]}`:                                           0,
		`{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}`:                                529,
		`{"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: required"}}`:                 400,
		`{"error": {"code": "rate_limit_exceeded", "type": "tokens", "message": "Slow down."}}`:                            429,
		`{"error": {"code": 503, "status": "UNAVAILABLE", "message": "Overloaded"}}`:                                       503,
		`{"error": {"status": "INVALID_ARGUMENT", "message": "bad"}}`:                                                      400,
		`{"errors": [{"status": 400, "message": "bad"}]}`:                                                                  400,
		`{"errors": [{"message": "bad", "extensions": {"code": "UNAUTHENTICATED"}}]}`:                                      401,
		`{"detail": {"status": 400, "message": "bad"}}`:                                                                    400,
		`{"detail": {"error": {"code": 401, "message": "bad"}}}`:                                                           401,
		`{"error": {"http_status": 400, "message": "bad"}}`:                                                                400,
		`{"fault": {"code": 400, "message": "bad"}}`:                                                                       400,
		`{"exception": {"status": 503, "message": "bad"}}`:                                                                 503,
		`{"error": "{\"error\": {\"code\": 400, \"message\": \"bad\"}}"}`:                                                  400,
		`{"error": "out of memory"}`:                                                                                       0,
		`{"status": "failed", "message": "boom"}`:                                                                          0,
		`{"status": 404, "message": "no such model"}`:                                                                      404,
		`{"code": "102", "message": "You don't own the assistant."}`:                                                       0,
		events(`{"choices":[{"index":0,"delta":{"content":"A"}}]}`, `{"error":{"code":400,"message":"bad"}}`):              400,
		events(`{"choices":[{"index":0,"delta":{"content":"A"}}]}`, `{"choices":[{"error":{"code":401,"message":"no"}}]}`): 401,
		"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"Internal\"}}\n\n":         500,
		events(`{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"Slow down."}}}`):    429,
	} {
		v, err := reply.ReadBody(strings.NewReader(in), reply.KindOf("", []byte(in)), reply.Mapping{})
		if err == nil {
			m, _, _ := reply.Detect(v)
			_, _, err = m.Read(v)
		}
		var own *reply.FailureError
		if !errors.As(err, &own) || own.Status != want {
			t.Errorf("%s: %+v, %v: want status %d", in, own, err, want)
		}
	}
	// Paths of a person do not change what a failure is.
	m, err := reply.NewMapping(map[string]string{reply.Answer: "answer"})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = m.Read(map[string]any{"data": map[string]any{"error": map[string]any{"code": 400, "message": "bad"}}})
	if own := new(reply.FailureError); !errors.As(err, &own) || own.Status != 400 {
		t.Errorf("with paths: %v: want status 400", err)
	}
}
