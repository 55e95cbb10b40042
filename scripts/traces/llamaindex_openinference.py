"""LlamaIndex, traced by openinference-instrumentation-llama-index.

Two questions go to a query engine with a reranker by a model, two to one without;
the last, of two parts, goes to a SubQuestionQueryEngine over the latter.
"""

import ferry
import otlp
from llama_index.core import PromptTemplate, Settings, VectorStoreIndex
from llama_index.core.postprocessor import StructuredLLMRerank
from llama_index.core.query_engine import SubQuestionQueryEngine
from llama_index.core.question_gen import LLMQuestionGenerator
from llama_index.core.schema import TextNode
from llama_index.core.tools import QueryEngineTool
from llama_index.embeddings.openai import OpenAIEmbedding
from llama_index.llms.openai_like import OpenAILike
from openinference.instrumentation import TraceConfig
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

model = OpenAILike(
    model=ferry.MODEL,
    api_base=ferry.base_url(),
    api_key="none",
    is_chat_model=True,
    is_function_calling_model=True,
    context_window=8192,
    temperature=0,
)
Settings.llm = model
Settings.embed_model = OpenAIEmbedding(model_name=ferry.EMBEDDING_MODEL, api_base=ferry.base_url(), api_key="none")


def node(passage):
    # What a model reads is the text alone, so that prompts are those of the other programs.
    shown = list(ferry.metadata(passage))
    return TextNode(
        id_=passage["id"],
        text=passage["text"],
        metadata=ferry.metadata(passage),
        excluded_llm_metadata_keys=shown,
        excluded_embed_metadata_keys=shown,
    )


def documents(nodes):
    return [ferry.document(n.node.metadata, n.node.text, n.score) for n in nodes]


class Recorded:
    """Keeps what the calls of a method returned, as read makes of it."""

    def __init__(self, owner, name, read):
        self.calls = []
        called = getattr(owner, name)

        def keep(*args, **kwargs):
            found = called(*args, **kwargs)
            self.calls.append(read(found))
            return found

        object.__setattr__(owner, name, keep)

    def take(self):
        taken, self.calls = self.calls, []
        return taken


index = VectorStoreIndex([node(p) for p in ferry.PASSAGES])
# Prompts of our own, for the trace holds them many times.
ranking = PromptTemplate("Say how relevant each document is.\n\n{context_str}\nQuestion: {query_str}\n")
template = PromptTemplate(ferry.PROMPT.replace("{context}", "{context_str}").replace("{question}", "{query_str}"))
answering = {"text_qa_template": template, "response_mode": "simple_summarize"}
plain = index.as_query_engine(similarity_top_k=ferry.TOP, **answering)
rerank = StructuredLLMRerank(llm=model, top_n=ferry.TOP, choice_select_prompt=ranking)
ranked = index.as_query_engine(similarity_top_k=ferry.TOP + 1, node_postprocessors=[rerank], **answering)
tool = QueryEngineTool.from_defaults(plain, name="ferries", description="passages on the ferries of the Kestrel Line")
generator = LLMQuestionGenerator.from_defaults(llm=model)
parts = SubQuestionQueryEngine.from_defaults(
    query_engine_tools=[tool], question_gen=generator, use_async=False, verbose=False
)

provider = otlp.provider()
LlamaIndexInstrumentor().instrument(
    tracer_provider=provider, config=TraceConfig(hide_embedding_vectors=True, hide_embeddings_vectors=True)
)
retrieved = [Recorded(engine.retriever, "retrieve", documents) for engine in (plain, ranked)]
reranked = Recorded(rerank, "postprocess_nodes", documents)
generated = Recorded(generator, "generate", lambda questions: [q.sub_question for q in questions])
expected = ferry.Expected()
for question, engine in zip(ferry.QUESTIONS, [ranked, plain, plain, ranked, parts]):
    response = engine.query(question)
    found = [call for recorded in retrieved for call in recorded.take()]
    asked = sum(generated.take(), [])
    expected.add(question, response.response, found, reranked=reranked.take(), sub_questions=asked)
    provider.force_flush()
expected.write()
provider.shutdown()
