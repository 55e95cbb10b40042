"""A small system: three documents, a retriever and a model of LangChain, and the same without LangChain."""

from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough

TEXTS = {
    "leave.md": "In the first year everybody has 24 days of leave.",
    "equipment.md": "The desk in room 3 replaces a broken laptop on the same day.",
    "travel.md": "Trips by train are booked by the person who travels.",
}
ANSWER = "In the first year everybody has 24 days of leave."


def search(question: str, top_k: int = 3):
    """Return passages by the number of words that they share with the question."""
    words = set(question.lower().strip("?").split())
    found = sorted(TEXTS, key=lambda name: -len(words & set(TEXTS[name].lower().strip(".").split())))
    return [{"source": name, "text": TEXTS[name]} for name in found[:top_k]]


class Retriever(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(page_content=p["text"], metadata={"source": p["source"]}) for p in search(query, 2)]


class Index:
    @classmethod
    def load(cls, folder):
        return cls()

    def search(self, question):
        return search(question)


retriever = Retriever()
prompt = ChatPromptTemplate.from_template("{context}\n\nQuestion: {question}")
chain = (
    {"context": retriever | (lambda documents: "\n".join(d.page_content for d in documents)), "question": RunnablePassthrough()}
    | prompt
    | FakeListChatModel(responses=[ANSWER])
    | StrOutputParser()
)
