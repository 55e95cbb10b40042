"""The forms in which LangChain programs answer, each under a name of its own."""
import dataclasses
import itertools
import sys
import threading
import time
from operator import itemgetter

from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

try:
    from langchain_classic.chains import ConversationalRetrievalChain, RetrievalQA, create_retrieval_chain
    from langchain_classic.chains.combine_documents import create_stuff_documents_chain
    from langchain_classic.retrievers import ContextualCompressionRetriever
except ImportError:  # before 1.0
    from langchain.chains import ConversationalRetrievalChain, RetrievalQA, create_retrieval_chain
    from langchain.chains.combine_documents import create_stuff_documents_chain
    from langchain.retrievers import ContextualCompressionRetriever

from pydantic import BaseModel

from store import retriever, store

print("a library greets on standard output")

ANSWER = "Within 30 days."
model = FakeListChatModel(responses=[ANSWER])
told = GenericFakeChatModel(messages=itertools.cycle([
    AIMessage(content=ANSWER, usage_metadata={"input_tokens": 12, "output_tokens": 5, "total_tokens": 17})]))
blocks = RunnableLambda(lambda _: AIMessage(content=[
    {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Within "}, {"type": "text", "text": "30 days."}]))


def joined(documents):
    return "\n\n".join(d.page_content for d in documents)


class Ensemble(BaseRetriever):
    """Asks another retriever, and turns its documents around."""

    def _get_relevant_documents(self, query, *, run_manager):
        return retriever.invoke(query, config={"callbacks": run_manager.get_child()})[::-1][:1]


began, ended = threading.Event(), threading.Event()


class Slow(BaseRetriever):
    """Ends after the retriever that began later, each time that it is asked."""

    def _get_relevant_documents(self, query, *, run_manager):
        began.set()
        ended.wait(10)
        began.clear()
        ended.clear()
        time.sleep(0.05)
        return retriever.invoke(query)[:1]


class Quick(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        ended.set()
        return retriever.invoke(query)[1:]


class Empty(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return []


class Others(BaseRetriever):
    """Finds two documents that no other retriever has."""

    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(page_content=text, metadata={"id": text}) for text in ("other 1", "other 2")]


prompt = ChatPromptTemplate.from_template("Context: {context}\nQuestion: {question}")
input_prompt = ChatPromptTemplate.from_template("Context: {context}\nQuestion: {input}")

# Text in, text or a message out.
chain = {"context": retriever | joined, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
message = {"context": retriever | joined, "question": RunnablePassthrough()} | prompt | told
thinking = {"context": retriever | joined, "question": RunnablePassthrough()} | prompt | blocks

# A retriever within a retriever, asked twice, and one that finds nothing.
# One after the other: what runs in parallel ends in any order.
nested = ({"question": RunnablePassthrough()}
          | RunnablePassthrough.assign(context=itemgetter("question") | RunnableLambda(lambda q: q) | Ensemble() | joined)
          | RunnablePassthrough.assign(again=itemgetter("question") | retriever | joined)
          | prompt | model | StrOutputParser())
parallel = ({"slow": Slow() | joined, "quick": RunnableLambda(lambda q: began.wait(10) and q) | Quick() | joined}
            | RunnableLambda(lambda x: {"context": x["slow"] + x["quick"], "question": ""}) | prompt | model | StrOutputParser())
twice = ({"question": RunnablePassthrough()} | RunnablePassthrough.assign(context=itemgetter("question") | retriever | joined)
         | RunnablePassthrough.assign(context=itemgetter("question") | Others() | joined) | prompt | model | StrOutputParser())
found_nothing = {"context": Empty() | joined, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()

# What comes between the search and the prompt.
class First(BaseDocumentCompressor):
    """Keeps the first document."""

    def compress_documents(self, documents, query, callbacks=None):
        return list(documents)[:1]


def last_first(documents):
    return documents[::-1]


class Within(BaseRetriever):
    """Asks another retriever without telling it so, and keeps the last of its documents."""

    def _get_relevant_documents(self, query, *, run_manager):
        model.invoke("rewrite: " + query)
        return retriever.invoke(query)[-1:]


rest = prompt | model | StrOutputParser()
compressed = {"context": ContextualCompressionRetriever(base_compressor=First(), base_retriever=retriever) | joined,
              "question": RunnablePassthrough()} | rest
reranked = {"context": retriever | last_first | (lambda documents: documents[:1]) | joined, "question": RunnablePassthrough()} | rest
within = {"context": Within() | joined, "question": RunnablePassthrough()} | rest
rewriting = {"context": RunnableLambda(lambda q: "rewrite " + q) | model | (lambda _: "Europe shipping days") | retriever | joined,
             "question": RunnablePassthrough()} | prompt | told | StrOutputParser()

by_turns = retriever.map().with_config(max_concurrency=1)


def fuse(lists):
    """The documents of the last of several searches, each with a score."""
    return [(d, 1 / n) for n, d in enumerate(lists[-1], 1)]


def unscored(pairs):
    return [d for d, _ in pairs]


fused = {"context": RunnableLambda(lambda q: [q, "Europe shipping days"]) | by_turns | fuse | unscored | joined, "question": RunnablePassthrough()} | rest


def fused_in_graph(question):
    """Nodes of a graph, of which one makes the documents of several searches one list in another field."""
    state = {"question": question, "found": by_turns.invoke([question, "Europe shipping days"])}
    state.update(RunnableLambda(lambda state: {"documents": unscored(fuse(state["found"]))}).invoke(state))
    return rest.invoke({"context": joined(state["documents"]), "question": question})


def streamed(question):
    return "".join(reranked.stream(question))


async def streamed_asynchronously(question):
    return "".join([piece async for piece in reranked.astream(question)])


async def awaited(question):
    return await compressed.ainvoke(question)


def inside(question):
    """Asks a chain, and returns its answer alone."""
    return reranked.invoke(question)


def own(question):
    """Says itself what its stages did."""
    return {"answer": reranked.invoke(question), "stages": [{"name": "retrieve", "output": ["all"]}]}


# An object in.
from_question = {"context": itemgetter("question") | retriever | joined, "question": itemgetter("question")} | prompt | model | StrOutputParser()
with_context = RunnablePassthrough.assign(context=itemgetter("input") | retriever).assign(
    answer=RunnableLambda(lambda x: {"context": joined(x["context"]), "input": x["input"]}) | input_prompt | model | StrOutputParser())

# Chains with a name.
retrieval_chain = create_retrieval_chain(retriever, create_stuff_documents_chain(model, input_prompt))
# Here the schema says less than the chain needs.
odd_chain = create_retrieval_chain(retriever, create_stuff_documents_chain(model, ChatPromptTemplate.from_template("{context} {question}")))
qa = RetrievalQA.from_chain_type(model, retriever=retriever, return_source_documents=True)
qa_alone = RetrievalQA.from_chain_type(model, retriever=retriever)
conversation = ConversationalRetrievalChain.from_llm(model, retriever=retriever, return_source_documents=True)


def down(_):
    raise ConnectionError("the model is down")


# A chain that finds another passage, and whose model fails.
falls_back = ({"context": Others() | joined, "question": RunnablePassthrough()} | prompt | down | StrOutputParser()
              ).with_fallbacks([chain])


# Functions.
def checked(question):
    """A node of a graph that grades, as LangGraph calls it, and a check of the answer by a model."""
    graded = RunnableLambda(lambda state: {"documents": state["documents"][:1]})
    state = graded.invoke({"documents": retriever.invoke(question)})
    said = model.invoke(question).content
    FakeListChatModel(responses=["30"]).invoke("Is this right? " + said)
    return {"generation": said, "documents": state["documents"]}


def reworded(question):
    """The answer is not what the model said, as in the call of a tool."""
    says = FakeListChatModel(responses=["Thirty days."])
    return (chain.first | prompt | says | (lambda _: ANSWER)).invoke(question)


def node(question, keeps):
    """A node of a graph that returns documents of its state beside what it made of them."""
    def generates(state):
        return {"documents": state["documents"][:keeps], "generation": rest.invoke({"context": "", "question": question})}

    return RunnableLambda(generates).invoke({"documents": retriever.invoke(question), "history": retriever.invoke(question)})


def passed_on(question):
    return node(question, 2)


def kept(question):
    return node(question, 1)


def cites(question):
    """Returns what the model cites, by name."""
    return {"answer": chain.invoke(question), "citations": ["chunk-1"]}


def cites_numbers(question):
    return {"answer": chain.invoke(question), "citations": [1]}


def function(question):
    return ANSWER


def pair(question):
    return ANSWER, retriever.invoke(question)


def pair_reversed(question: str):
    return retriever.invoke(question), AIMessage(content=ANSWER)


def without(question):
    return ANSWER, None


def without_reversed(question):
    return None, AIMessage(content=ANSWER)


def scored(question, top_k=1):
    return store.similarity_search_with_score(question, k=top_k)


async def asynchronous(question):
    return {"result": ANSWER, "source_documents": await retriever.ainvoke(question)}


async def _only_async(question):
    return {"output": ANSWER, "documents": await retriever.ainvoke(question)}


only_async = RunnablePassthrough() | RunnableLambda(_only_async)


def stream(question):
    yield {"input": question}
    yield {"context": retriever.invoke(question)}
    yield {"answer": "Within "}
    yield {"answer": "30 days."}


async def async_stream(question):
    for piece in ("Within ", "30 days."):
        yield piece


def message_stream(question):
    return model.stream(question)


def texts(question):
    return {"answer": ANSWER, "contexts": [d.page_content for d in retriever.invoke(question)]}


def dicts(question):
    return {"response": ANSWER, "sources": [
        {"content": d.page_content, "metadata": d.metadata, "score": 0.5} for d in retriever.invoke(question)]}


def one_text(question):
    return {"answer": ANSWER, "context": joined(store.similarity_search(question, 2))}


def nothing_found(question):
    return {"answer": "I do not know.", "context": []}


class Model(BaseModel):
    answer: str
    sources: list


def pydantic(question):
    return Model(answer=ANSWER, sources=retriever.invoke(question))


@dataclasses.dataclass
class Result:
    output_text: str
    docs: list


def record(question):
    return Result(ANSWER, retriever.invoke(question))


class Pipeline:
    """An application's own class."""

    def run(self, question: str):
        print("running", question)
        return {"answer": ANSWER, "context": retriever.invoke(question)}


pipeline = Pipeline()


class app:
    inner = pipeline


def make_chain():
    return chain


async def make_retriever():
    return retriever


def retrieval_chain_input(question):
    return retrieval_chain.invoke({"input": question})


def by_name(question):
    """Asks the object whose name stands before the question."""
    name, _, question = question.partition("|")
    found = sys.modules[__name__]
    for part in name.split("."):
        found = getattr(found, part)
    return found(question)


# What goes wrong.
def fails(question):
    raise RuntimeError("the model is not loaded")


def leaves(question):
    sys.exit(7)


def nothing(question):
    return None


def strange(question):
    return {"colour": "red"}


def picky(inputs):
    return inputs["nobody_knows_this_key"]


def nan(question):
    return {"answer": ANSWER, "documents": [(Document(page_content="p", metadata={"x": float("nan")}), float("nan"))]}


def slow(question):
    if "wait" in question:
        time.sleep(3600)
    return question


number = 5
