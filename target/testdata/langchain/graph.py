"""Graphs: the state that they end in holds messages, or an answer and documents."""
from typing import Annotated, List, TypedDict

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

from store import retriever


class Chat(TypedDict):
    messages: Annotated[list, add_messages]
    context: List[Document]


def retrieve(state):
    return {"context": retriever.invoke(state["messages"][-1].content)}


def generate(state):
    return {"messages": [AIMessage(content="Within 30 days.", usage_metadata={"input_tokens": 3, "output_tokens": 4, "total_tokens": 7})]}


def tool(state):
    found = retriever.invoke(state["messages"][-1].content)
    return {"messages": [ToolMessage(content="2 documents", artifact=found, tool_call_id="1")]}


def build(first):
    graph = StateGraph(Chat)
    graph.add_node("first", first)
    graph.add_node("generate", generate)
    graph.add_edge(START, "first")
    graph.add_edge("first", "generate")
    graph.add_edge("generate", END)
    return graph.compile()


chat = build(retrieve)
agent = build(tool)


class State(TypedDict):
    question: str
    context: List[Document]
    answer: str


def answer(state):
    return {"answer": "Within 30 days.", "context": retriever.invoke(state["question"])}


graph = StateGraph(State)
graph.add_node("answer", answer)
graph.add_edge(START, "answer")
graph.add_edge("answer", END)
plain = graph.compile()
