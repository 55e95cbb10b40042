"""A retrieval chain of LangChain over the corpus, for every program that traces one."""

import ferry
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_openai import ChatOpenAI, OpenAIEmbeddings


def store():
    # The length check would fetch a vocabulary from the network.
    embeddings = OpenAIEmbeddings(model=ferry.EMBEDDING_MODEL, check_embedding_ctx_length=False)
    made = InMemoryVectorStore(embeddings)
    made.add_documents([
        Document(id=p["id"], page_content=p["text"], metadata=ferry.metadata(p)) for p in ferry.PASSAGES
    ])
    return made


class ScoredRetriever(BaseRetriever):
    """Returns documents with the similarity as metadata "score", as LangChain's guide does it."""

    vectors: InMemoryVectorStore

    def _get_relevant_documents(self, query, *, run_manager):
        found = []
        for document, score in self.vectors.similarity_search_with_score(query, k=ferry.TOP):
            document.metadata = {**document.metadata, "score": score}
            found.append(document)
        return found


def text_of(documents):
    return "\n\n".join(d.page_content for d in documents)


def chain():
    """A chain from a question to {"documents", "question", "answer"}."""
    retriever = ScoredRetriever(vectors=store())
    prompt = ChatPromptTemplate.from_messages([("system", ferry.SYSTEM), ("human", ferry.PROMPT)])
    model = ChatOpenAI(model=ferry.MODEL, temperature=0)
    given = {"context": lambda x: text_of(x["documents"]), "question": lambda x: x["question"]}
    answer = RunnableLambda(lambda x: {k: f(x) for k, f in given.items()}) | prompt | model | StrOutputParser()
    return {"documents": retriever, "question": RunnablePassthrough()} | RunnablePassthrough.assign(answer=answer)


def documents(found):
    """Documents of LangChain as those of expected.json."""
    return [ferry.document(d.metadata, d.page_content, d.metadata.get("score")) for d in found]


def ask_all(made, expected, after=lambda: None):
    """Asks every question, adds what came back, and calls after once each."""
    for question in ferry.QUESTIONS:
        result = made.invoke(question)
        expected.add(question, result["answer"], [documents(result["documents"])])
        after()
