"""The forms in which LlamaIndex programs answer, each under a name of its own."""
import re
import sys
import zlib

from llama_index.core import Settings, StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine, SubQuestionQueryEngine
from llama_index.core.question_gen.types import BaseQuestionGenerator, SubQuestion
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.tools import QueryEngineTool
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step

TEXTS = {
    "returns.md": "Goods may be returned within 30 days of purchase for a full refund.",
    "shipping.md": "Shipping to an address in Europe takes three working days.",
    "hours.md": "The shop is open from nine to five, and closed on Sundays.",
}


class Words(BaseEmbedding):
    """A vector of counts of words; the same text has the same one everywhere."""

    def _get_query_embedding(self, query):
        vector = [0.001] * 256
        for word in re.findall(r"[a-z]{3,}|\d+", query.lower()):
            vector[zlib.crc32(word.encode()) % 256] += 1
        return vector

    def _get_text_embedding(self, text):
        return self._get_query_embedding(text)

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)


class Same(CustomLLM):
    """A model that always says the same."""

    @property
    def metadata(self):
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt, formatted=False, **kwargs):
        return CompletionResponse(text="Within 30 days.")

    @llm_completion_callback()
    def stream_complete(self, prompt, formatted=False, **kwargs):
        text = ""
        for piece in ("Within ", "30 days."):
            text += piece
            yield CompletionResponse(text=text, delta=piece)


Settings.embed_model = Words()
Settings.llm = Same()


def nodes():
    out = []
    for i, (name, text) in enumerate(TEXTS.items()):
        node = TextNode(id_="node-%d" % i, text=text, metadata={"file_name": name, "file_path": "/data/" + name})
        node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id="doc-%d" % i)
        out.append(node)
    return out


index = VectorStoreIndex(nodes())
query_engine = index.as_query_engine(similarity_top_k=2)
streaming = index.as_query_engine(similarity_top_k=2, streaming=True)
async_streaming = index.as_query_engine(similarity_top_k=2, streaming=True, use_async=True).aquery
retriever = index.as_retriever(similarity_top_k=2)
chat_engine = index.as_chat_engine(chat_mode="context", similarity_top_k=2)
stream_chat = chat_engine.stream_chat


class Last(BaseNodePostprocessor):
    """Keeps the last node."""

    def _postprocess_nodes(self, nodes, query_bundle=None):
        return nodes[-1:]


# Two filters after each other, and a retriever that asks a model and two others.
filtered = index.as_query_engine(similarity_top_k=2, node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=0.01), Last()])
fusion = RetrieverQueryEngine.from_args(QueryFusionRetriever([retriever, index.as_retriever(similarity_top_k=1)], num_queries=2))
refined = index.as_query_engine(similarity_top_k=2, response_mode="refine")

accumulated = index.as_query_engine(similarity_top_k=2, response_mode="accumulate")


class Whole(BaseQuestionGenerator):
    """Makes the question its only sub-question."""

    def _get_prompts(self):
        return {}

    def _update_prompts(self, prompts):
        pass

    def generate(self, tools, query):
        return [SubQuestion(sub_question=query.query_str, tool_name="shop")]

    async def agenerate(self, tools, query):
        return self.generate(tools, query)


# An engine whose response has the answers of others as nodes, before what they found.
sub_questions = SubQuestionQueryEngine.from_defaults([QueryEngineTool.from_defaults(query_engine, name="shop", description="the shop")],
                                                     question_gen=Whole(), use_async=False, verbose=False)


async def awaited(question):
    return await filtered.aquery(question)


def inside(question):
    """Asks an engine, and returns its answer alone."""
    return str(filtered.query(question))


def function(question):
    return Response("Within 30 days.", source_nodes=retriever.retrieve(question))


def text_engine(question):
    """Answers as an engine with custom_query does that returns a text."""
    return Response("Within 30 days.", source_nodes=retriever.retrieve(question)[:0])


async def asynchronous(question):
    return await query_engine.aquery(question)


class Flow(Workflow):
    @step
    async def answer(self, ev: StartEvent) -> StopEvent:
        return StopEvent(result=await query_engine.aquery(ev.query))


workflow = Flow(timeout=60)


def by_name(question):
    """Asks the object whose name stands before the question."""
    name, _, question = question.partition("|")
    found = sys.modules[__name__]
    for part in name.split("."):
        found = getattr(found, part)
    return found(question)


def persisted():
    """The index as an application loads it from a folder, which a variable names."""
    import os

    return load_index_from_storage(StorageContext.from_defaults(persist_dir=os.environ["INDEX"]))


if __name__ == "__main__":
    index.storage_context.persist(sys.argv[1])
