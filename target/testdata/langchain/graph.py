"""Graphs: the state that they end in holds messages, or an answer and documents."""
from typing import Annotated, List, TypedDict

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
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


def stops(checkpointer=None, **breakpoints):
    graph = StateGraph(State)
    graph.add_node("answer", answer)
    graph.add_node("check", lambda state: {"answer": "Checked."})
    graph.add_edge(START, "answer")
    graph.add_edge("answer", "check")
    graph.add_edge("check", END)
    graph = graph.compile(checkpointer=checkpointer, **breakpoints)
    return graph.with_config(configurable={"thread_id": "{{case_id}}"}) if checkpointer else graph


before, after = stops(interrupt_before=["check"]), stops(InMemorySaver(), interrupt_after=["answer"])
ended = stops(InMemorySaver(), interrupt_after=["check"])
within = StateGraph(State).add_node("inner", before).add_edge(START, "inner").add_edge("inner", END).compile()



async def checks(state):
    return {"answer": "Checked."}


asynchronous = StateGraph(State).add_node("answer", answer).add_node("check", checks).add_edge(START, "answer").add_edge(
    "answer", "check").add_edge("check", END).compile(interrupt_before=["check"])
