"""Three documents in a store, found by the words that they share with a question."""
import re
import zlib

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

TEXTS = {
    "returns.md": "Goods may be returned within 30 days of purchase for a full refund.",
    "shipping.md": "Shipping to an address in Europe takes three working days.",
    "hours.md": "The shop is open from nine to five, and closed on Sundays.",
}


class Words(Embeddings):
    """A vector of counts of words; the same text has the same one everywhere."""

    def embed_query(self, text):
        vector = [0.001] * 256
        for word in re.findall(r"[a-z]{3,}|\d+", text.lower()):
            vector[zlib.crc32(word.encode()) % 256] += 1
        return vector

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


def documents():
    return [
        Document(id="chunk-%d" % i, page_content=text, metadata={"source": "docs/" + name, "title": name[:-3].title(), "chunk_index": i})
        for i, (name, text) in enumerate(TEXTS.items())
    ]


store = InMemoryVectorStore(Words())
store.add_documents(documents())
retriever = store.as_retriever(search_kwargs={"k": 2})
