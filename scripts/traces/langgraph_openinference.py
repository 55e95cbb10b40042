"""A graph of LangGraph: retrieve, grade each passage, answer with a tool at hand.

The tool is called for the question that names it; the graph goes back to the model
with its result.
"""

import typing

import ferry
import langchain_chain
import otlp
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, tools_condition
from openinference.instrumentation.langchain import LangChainInstrumentor


@tool
def last_ferry(harbour: typing.Literal["Venn", "Skerry"]) -> str:
    """The time at which the last ferry leaves a harbour on Sundays."""
    return f"{ferry.LAST_FERRY[harbour]} from {harbour}"


class State(typing.TypedDict):
    question: str
    retrieved: list
    graded: list
    messages: typing.Annotated[list[AnyMessage], add_messages]


retriever = langchain_chain.ScoredRetriever(vectors=langchain_chain.store())
model = ChatOpenAI(model=ferry.MODEL, temperature=0)


def retrieve(state):
    return {"retrieved": retriever.invoke(state["question"])}


def grade(state):
    kept = []
    for document in state["retrieved"]:
        prompt = f"Does the passage help? Say yes or no.\n\n{document.page_content}\n\nQuestion: {state['question']}"
        if model.invoke([HumanMessage(prompt)]).content == "yes":
            kept.append(document)
    context = langchain_chain.text_of(kept)
    human = HumanMessage(ferry.PROMPT.format(context=context, question=state["question"]))
    return {"graded": kept, "messages": [SystemMessage(ferry.SYSTEM), human]}


def generate(state):
    return {"messages": [model.bind_tools([last_ferry]).invoke(state["messages"])]}


built = StateGraph(State)
built.add_node("retrieve", retrieve)
built.add_node("grade", grade)
built.add_node("generate", generate)
built.add_node("tools", ToolNode([last_ferry]))
built.add_edge(START, "retrieve")
built.add_edge("retrieve", "grade")
built.add_edge("grade", "generate")
built.add_conditional_edges("generate", tools_condition, ["tools", END])
built.add_edge("tools", "generate")
graph = built.compile()


def tools_of(messages):
    results = {m.tool_call_id: m.content for m in messages if isinstance(m, ToolMessage)}
    calls = [c for m in messages if isinstance(m, AIMessage) for c in m.tool_calls]
    return [{"name": c["name"], "arguments": c["args"], "result": results[c["id"]]} for c in calls]


provider = otlp.provider()
LangChainInstrumentor().instrument(tracer_provider=provider)
expected = ferry.Expected()
for question in ferry.QUESTIONS:
    state = graph.invoke({"question": question})
    expected.add(
        question,
        state["messages"][-1].content,
        [langchain_chain.documents(state["retrieved"])],
        reranked=[langchain_chain.documents(state["graded"])],
        tools=tools_of(state["messages"]),
    )
    provider.force_flush()
expected.write()
provider.shutdown()
