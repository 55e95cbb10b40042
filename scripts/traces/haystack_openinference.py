"""A pipeline of Haystack 2, traced by openinference-instrumentation-haystack.

BM25 in memory finds words between spaces, so that it does not answer the Chinese question.
"""

import ferry
import otlp
from haystack import Document, Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret
from openinference.instrumentation.haystack import HaystackInstrumentor

store = InMemoryDocumentStore()
store.write_documents([Document(id=p["id"], content=p["text"], meta=ferry.metadata(p)) for p in ferry.PASSAGES])

context = "{% for d in documents %}{{ d.content }}\n\n{% endfor %}"
template = [
    ChatMessage.from_system(ferry.SYSTEM),
    ChatMessage.from_user(ferry.PROMPT.replace("{context}", context).replace("{question}", "{{ question }}")),
]
pipeline = Pipeline()
pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=ferry.TOP))
pipeline.add_component("prompt", ChatPromptBuilder(template, required_variables="*"))
pipeline.add_component(
    "generator",
    OpenAIChatGenerator(
        model=ferry.MODEL,
        api_key=Secret.from_token("none"),
        api_base_url=ferry.base_url(),
        generation_kwargs={"temperature": 0},
    ),
)
pipeline.connect("retriever.documents", "prompt.documents")
pipeline.connect("prompt.prompt", "generator.messages")

provider = otlp.provider()
HaystackInstrumentor().instrument(tracer_provider=provider)
expected = ferry.Expected()
for question in ferry.QUESTIONS:
    result = pipeline.run(
        {"retriever": {"query": question}, "prompt": {"question": question}}, include_outputs_from={"retriever"}
    )
    found = [ferry.document(d.meta, d.content, d.score) for d in result["retriever"]["documents"]]
    expected.add(question, result["generator"]["replies"][0].text, [found])
    provider.force_flush()
expected.write()
provider.shutdown()
