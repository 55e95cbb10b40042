"""Programs without any package, as a user might write them."""
import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import json
import os
import subprocess
import sqlite3
import sys
import threading
import time
import types


class Document:
    def __init__(self, text, **metadata):
        self.page_content, self.metadata = text, metadata


class Ended:
    """A message of LangChain."""
    content = "Par"

    def __init__(self, **metadata):
        self.response_metadata = metadata


def event(author, **part):
    """An event of an agent, as the Agent Development Kit has it."""
    content = types.SimpleNamespace(role="model", parts=[types.SimpleNamespace(**part)])
    return types.SimpleNamespace(id="e1", author=author, content=content)


class Frame:
    """A table of pandas, or of polars, whose truth is an error."""
    columns = ["text", "source"]

    def __bool__(self):
        raise ValueError("The truth value of a DataFrame is ambiguous.")

    def to_dict(self, orient):
        return [{"text": "p", "source": "a.md", "page": float("nan")}, {"text": "q", "source": "b.md"}]


class Web:
    """A response of a web framework."""
    headers = {}

    def __init__(self, body, status, name="body"):
        self.status_code = status
        setattr(self, name, body)


@dataclasses.dataclass
class Step:
    """A step of an agent, as smolagents yields it."""
    output: object


class FinalStep(Step):
    """The last one."""


class Said:
    """A message of haystack."""
    role = "assistant"

    def __init__(self, text, **meta):
        self.text, self.meta = text, meta


class Model:
    """An object of a provider's package, as pydantic makes them; its JSON is not its text."""

    def __init__(self, **values):
        self.__dict__.update(values)
        self.__class__ = type("Model", (Model,), {"model_fields": values})

    def __repr__(self):
        return "Model()"


class Plain:
    """An object of the user, of which neither the class nor the print says what it is."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        return "Plain()"


class Slots:
    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text


class Property:
    """A reply whose text is a property, such as that of pydantic-ai."""

    def __init__(self, text, why):
        self._text, self.parts, self.finish_reason = text, [text], why

    @property
    def text(self):
        return self._text


class Message:
    """A message of Semantic Kernel: its content is a property, and its items are no passages."""
    role = "assistant"

    def __init__(self, text, why):
        self.items, self.finish_reason = [Plain(text=text)], why

    @property
    def content(self):
        return self.items[0].text


class Proto:
    """A message of protobuf."""
    DESCRIPTOR = types.SimpleNamespace(fields=[types.SimpleNamespace(name=n, message_type=None) for n in ("content", "source")])
    content, source = "p", "a.md"

    def ListFields(self):
        return []


class AgentRun:
    """A run of pydantic-ai."""
    output = "Par"

    def all_messages(self):
        return [Plain(finish_reason="length")]


Row = collections.namedtuple("Row", "source content")


class Slotted:
    """An object as attrs makes them."""
    __slots__ = ("answer", "contexts")
    __attrs_attrs__ = tuple(types.SimpleNamespace(name=name) for name in __slots__)

    def __init__(self, answer, contexts):
        self.answer, self.contexts = answer, contexts


class Stop(str, enum.Enum):
    STOP = "STOP"


def model(value):
    """Returns JSON as the objects that a provider's package makes of it."""
    if isinstance(value, list):
        return [model(v) for v in value]
    return Model(**{k: model(v) for k, v in value.items()}) if isinstance(value, dict) else value


BLOCKS = model([{"type": "thinking", "thinking": "b?"}, {"type": "text", "text": "a", "citations": None}])
MESSAGE = model({"type": "message", "role": "assistant", "content": None, "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 4}})
MESSAGE.content = BLOCKS
COMPLETION = model({"choices": [{"message": {"role": "assistant", "content": "a"}, "finish_reason": "length"}],
                    "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
RESPONSE = model({"object": "response", "output": [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "a"}]}],
                  "usage": {"input_tokens": 3, "output_tokens": 4}})
GEMINI = model({"candidates": [{"content": {"role": "model", "parts": [{"text": "b?", "thought": True}, {"text": "a"}]}, "finish_reason": Stop.STOP,
                                "grounding_metadata": {"grounding_chunks": [{"retrieved_context": {"text": "p", "uri": "a.md"}}]}}],
                "usage_metadata": {"prompt_token_count": 3, "candidates_token_count": 4}})

DOCUMENTS = [
    Document("first", source="a.md", document_id="d1", chunk_id=7, chunk_index=3, title="A", score=0.5, tags={"x"}),
    Document("second", file_path="b/c.md", when=float("nan")),
]


def answer(question):
    return {"answer": "to " + question, "documents": DOCUMENTS}


def loud(question):
    print("on stdout", flush=True)
    os.write(1, b"by the system\n")
    subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
    try:
        typed = input()
    except EOFError:
        typed = "nothing"
    return "typed " + typed


class Point:
    id, score, payload = 7, 0.5, {"text": "p", "source": "a.md"}


def cursor():
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    return database.execute("select 7 as id, 'p' as text, 'a.md' as source")


def rows():
    return cursor().fetchall()


def returns(question):
    """Returns what the question names."""
    return {
        "None": None, "text": "t", "number": 5, "bytes": {"answer": b"caf\xc3\xa9"}, "list of texts": ["p", "q"],
        "empty list": [], "empty text": "", "surrogate": "a\ud800b", "nested": [[DOCUMENTS[0]], [DOCUMENTS[1]]],
        "by id": {"answer": "a", "sources": {"d5": {"text": "five"}}}, "one document": DOCUMENTS[0],
        "two texts": ("a", "p"),
        "answer and extra": ("a", {"context": ["p"]}), "two lists": {"context": [], "sources": ["p"]},
        "object in answer": {"answer": {"verdict": "yes", "n": 1}}, "long": "x" * (17 << 20),
        "roles": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}],
        "usage": {"answer": "a", "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        "scored": [("p", 0.25), ("q", 0.125)], "deep": {"data": {"hits": [{"body": "p"}]}, "said": "a"},
        "haystack": {"llm": {"replies": [Said("a")]}, "retriever": {"documents": [DOCUMENTS[0]]}}, "colour": {"colour": "red"},
        "inner": {"result": {"answer": "a", "contexts": ["p"]}}, "choices": {"choices": [{"message": {"role": "assistant", "content": "a"}}]},
        "view": ({"answer": "a"}, 200), "no view": ("a", 450, ["p"]), "failed view": ({"error": "index down"}, 503), "failed view of text": ("No such index", 404, {}),
        "view of JSON": ('{"answer": "a", "contexts": ["p"]}', 200), "response": Web(b'{"answer": "a", "contexts": ["p"]}', 200),
        "streamed response": Web(iter([b"a", b"b"]), 200), "view of a response": (Web("busy", 200), 429), "failed response": Web(b"No such index", 404),
        "file": Web("", 200, "path"), "status": {"answer": "a", "status_code": 404},
        "JSON": '{"answer": "a", "contexts": ["p"]}', "JSON of its own": '{"verdict": true}',
        "view of a text": ("a", 200), "view of unknown": ('{"verdict": true}', 200), "view of a page": ("<html><title>502</title></html>", 200),
        "cut, LangChain's response": Ended(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
        "no output": {"object": "response", "output": [], "incomplete_details": {"reason": "max_output_tokens"}},
        "reasoning alone": {"choices": [{"message": {"content": None, "reasoning_content": "a?"}, "finish_reason": "stop"}]},
        "reasoning and no text": {"choices": [{"message": {"content": "", "reasoning_content": "a?"}, "finish_reason": "stop"}]},
        "cycle": cycle(), "history": {"answer": "a", "context": None}, "class": type("Thing", (), {"x": 1}),
        "bytes alone": b"caf\xc3\xa9", "decimal": decimal.Decimal("9.50"),
        "exception in answer": {"answer": KeyError("parking"), "contexts": ["p"]}, "exception in contexts": {"answer": "a", "contexts": KeyError("parking")},
        "exception in a list": {"answer": "a", "contexts": ["p", KeyError("parking")]}, "exception in a tuple": (KeyError("parking"), ["p"]),
        "exception in a message": [{"role": "user", "content": "q"}, {"role": "assistant", "content": KeyError("parking")}],
        "exception in a field": types.SimpleNamespace(answer=KeyError("parking"), contexts=["p"]), "exception": KeyError("parking"),
        "exception in a stage": {"answer": "a", "stages": [{"name": "retrieve", "output": KeyError("parking")}]},
        "exception in a stream": iter(["a", KeyError("parking")]), "exception beside": {"answer": "a", "debug": {"failures": [KeyError("parking")]}},
        "failed": {"answer": "", "error": "model down", "contexts": []}, "failed with an apology": {"answer": "Sorry.", "error": {"code": 503}},
        "no failure": {"answer": "a", "error": None, "errors": []},
        "rows": {"answer": "a", "contexts": rows()}, "points": {"answer": "a", "contexts": [Point()]},
        "objects": {"answer": "a", "contexts": [object()]},
        "events": [event("user", text="q"), event("shop", function_call={"name": "search"}), event("shop", text="a", function_call=None)],
        "events that end in a call": [event("user", text="q"), event("shop", text="Let me look.", function_call={"name": "search"})],
        "frame": Frame(), "frame beside": ("a", Frame()), "frame in it": {"answer": "a", "contexts": Frame()},
        "tuples": [("p", {"source": "a.md"}, 0.5), ("q", {"source": "b.md"}, 0.7)], "tuples of texts": {"answer": "a", "contexts": [("p", "a.md")]},
        "cut": Ended(finish_reason="length"), "cut, beside passages": {"answer": Ended(stop_reason="max_tokens"), "context": ["p"]},
        "ended": Ended(finish_reason="stop"), "cut, Bedrock": Ended(stopReason="max_tokens"), "cut, as JSON": {"type": "ai", "content": "Par", "response_metadata": {"finish_reason": "length"}},
        "cut, haystack": {"replies": [Said("Par", finish_reason="length")]}, "cut, meta": {"replies": ["Par"], "meta": [{"finish_reason": "length"}]},
        "declined": {"type": "ai", "content": "", "additional_kwargs": {"refusal": "No."}, "response_metadata": {"finish_reason": "stop"}},
        "set": {"answer": "a", "contexts": {"p", "q"}},
        "blocks": BLOCKS, "answer of blocks": {"answer": BLOCKS, "contexts": ["p"]}, "blocks and documents": (BLOCKS, [DOCUMENTS[1]]),
        "documents and blocks": ([DOCUMENTS[1]], BLOCKS), "passages of a type": ("a", model([{"type": "text", "text": "p", "source": "a.md"}])),
        "block": {"answer": BLOCKS[1]}, "message": MESSAGE, "answer of a message": {"answer": MESSAGE, "docs": ["p"]}, "message and documents": (MESSAGE, ["p"]),
        "completion": COMPLETION, "answer of a completion": {"answer": COMPLETION, "contexts": ["p"]}, "completion and documents": (COMPLETION, ["p"]),
        "response of a model": RESPONSE, "answer of a response": {"answer": RESPONSE}, "items": {"answer": RESPONSE.output},
        "Gemini": GEMINI, "answer of Gemini": {"answer": GEMINI}, "content of Gemini": {"answer": GEMINI.candidates[0].content},
        "attrs": Slotted(BLOCKS, ["p"]), "model of the user": Model(answer=MESSAGE, contexts=[Model(text="p", source="a.md")]),
        "model in a field": {"result": Model(answer="a", contexts=["p"])}, "usage of a model": {"answer": "a", "usage": COMPLETION.usage},
        "one document beside": ("a", DOCUMENTS[1]), "stream in a field": {"answer": iter(["a", "b"]), "contexts": ["p"]},
        "unknown in answer": {"answer": Model(verdict="yes", n=1), "contexts": ["p"]}, "unknown object": {"answer": object()}, "unknowns": {"answer": [Model(verdict="yes", n=1)]},
        "objects beside a model": {"answer": MESSAGE, "docs": [types.SimpleNamespace(text="p", source="a.md")]}, "haystack message": {"answer": Said("a")},
        "plain and documents": (Plain(text="a"), [{"text": "p"}]), "slots and documents": (Slots("a"), [{"text": "p"}]), "plain in answer": {
            "answer": Plain(text="a"), "documents": ["p"]}, "nested in answer": {"answer": Plain(message=Plain(content="a")), "documents": ["p"]},
        "list of both": [Plain(text="a"), [{"text": "p"}]], "texts and documents": (["a"], [{"text": "p"}]), "score and documents": (("a", 0.9), [{"text": "p"}]),
        "property": Property("Par", "length"), "run": AgentRun(), "Semantic Kernel": Message("Par", "length"), "protobuf": [Proto()],
        "named tuples": [Row("a.md", "p")], "named tuples beside": {"answer": "a", "hits": [Row("a.md", "p")]}, "cursor": cursor(),
        "response of LlamaIndex": Model(message=Said("Par"), raw={"choices": [{"finish_reason": "length"}]}), "date": {"answer": datetime.date(2026, 11, 30)},
        "Cohere": Model(message={"role": "assistant", "content": [{"type": "text", "text": "Par"}]}, finish_reason="MAX_TOKENS", usage=Model(tokens=3)),
        "tuple of lists": ("a", ["p"], ["q"]), "tokens of a context": {"response": "a", "context": [5, 7]},
    }[question]


def streams(question):
    """Yields what the question names."""
    chunk = lambda delta, why=None: model({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": why}]})
    part = lambda text, why=None: model({"candidates": [{"content": {"parts": [{"text": text}]}, "finish_reason": why}]})
    chunks = [chunk({"role": "assistant", "content": ""}), chunk({"content": "It "}), chunk({"content": "opens."}), chunk({}, "stop")]
    yield from {
        "chunks": chunks, "chunks and objects": chunks + [{"contexts": ["p"]}], "dumped chunks": [json.loads(json.dumps(c, default=vars)) for c in chunks],
        "Gemini": [part("It "), part("opens.", Stop.STOP)], "Mistral": [Model(data=c) for c in chunks], "Ollama": model(
            [{"message": {"role": "assistant", "content": t}, "done": t == ""} for t in ("It ", "opens.", "")]),
        "Anthropic": model([{"type": "message_start", "message": {"role": "assistant", "content": []}}] + [
            {"type": "content_block_delta", "index": 0, "delta": {"type": kind + "_delta", kind: t}}
            for kind, t in (("thinking", "Shut?"), ("text", "It "), ("text", "opens."))] + [{"type": "message_stop"}]),
        "Cohere": model([{"type": "content-delta", "delta": {"message": {"content": {"text": t}}}} for t in ("It ", "opens.")] + [{"type": "message-end"}]),
        "OpenAI response": model([{"type": "response.output_text.delta", "delta": t} for t in ("It ", "opens.")] + [{"type": "response.completed", "response": {"id": "r"}}]),
        "texts and objects": ["It ", "opens.", {"contexts": ["p"]}], "one model": [Model(answer="It opens.")],
        "texts and documents": ["It ", DOCUMENTS[0]], "unknown objects": [Model(verdict="yes"), Model(verdict="no")],
        "pieces": ["It ", "opens."], "text so far": ["It", "It opens", "It opens."], "repeats": ["ha", "haha"], "none": [],
        "events": ['data: {"token": "It "}\n\n', 'data: {"token": "opens."}\n\n', "data: [DONE]\n\n"], "one event": ['data: {"answer": "It opens."}\n\n'],
        "events of bytes": [b'data: {"token": "It "}\r\n\r\n', b'data: {"token": "opens."}\r\n\r\n'],
        "events of text": ["event: message\ndata: It \n\n", ": ping\n\n", "data: opens.\n\n"],
        "events of objects": ['data: {"answer": "It opens.", "contexts": ["p"]}\n\n', "data: [DONE]\n\n"],
        "lines": ['{"delta": "ha"}\n', '{"delta": "ha"}\n'], "lines of objects": ['{"answer": "It opens."}\n', '{"contexts": ["p"]}\n'],
        "like events": ["data: is a plural\n\n", "of datum"], "like an event": ["data: 5"], "JSON": ['{"delta": "ha"}\n'],
        "lines of data": ['{"city": "Rome"}\n', '{"city": "Oslo"}\n'], "records": ['{"text": "Rome", "kind": "city"}\n', '{"text": "Po", "kind": "river"}\n'],
        "questions": ['{"question": "a", "answer": "b"}\n', '{"question": "c", "answer": "d"}\n'],
        "Cohere, cut": model([{"type": "content-delta", "delta": {"message": {"content": {"text": "Par"}}}}, {"type": "message-end", "delta": {"finish_reason": "MAX_TOKENS"}}]),
        "rows": [{"source": "a.md", "content": "p"}, {"source": "b.md", "content": "q"}],
        "failed event": ['data: {"error": "index down"}\n\n'],
        "pieces of objects": [{"answer": "It "}, {"answer": "opens."}, {"contexts": ["p"]}],
        "objects so far": [{"answer": "It"}, {"answer": "It opens."}, {"answer": "It opens.", "contexts": ["p"]}],
        "returned": ["Thinking"], "returned objects": [{"step": "search"}], "returned count": ["It ", "opens."], "returned usage": ["It ", "opens."],
        "last step": [Step("Shut?"), Step("Looked."), FinalStep("It opens.")], "last step of objects": [Model(text="Look"), FinalStep({"answer": "It opens.", "contexts": ["p"]})],
    }[question]
    return {"returned": "It opens.", "returned objects": {"answer": "It opens.", "contexts": ["p"]}, "returned count": 2, "returned usage": {"tokens": 2}}.get(question)


def staged(question):
    """Tells what its stages did, in the way that the question names."""
    parted = ["one?", "two?"]
    return {
        "stages": {"answer": "a", "stages": [
            {"name": "decompose", "output": parted}, {"name": "retrieve", "output": [(q, DOCUMENTS) for q in parted]},
            {"name": "filter", "output": {"one?": DOCUMENTS[:1], "two?": []}}]},
        "fields": {"answer": "a", "transcript": "heard", "sub_questions": parted, "retrieved": [[DOCUMENTS[0], DOCUMENTS[1]], [DOCUMENTS[1]]],
                   "context": DOCUMENTS[:1]},
        "whole": {"input": {"text": "q"}, "extracted_key_questions": parted, "retrieval": {"per_sub_question": [
            {"sub_question_index": 0, "sub_question_text": "one?", "chunks": [{"chunk_index": 0, "text": "first", "metadata": {"document_id": "d1", "chunk_index": 3}}]},
            {"sub_question_index": 1, "sub_question_text": "two?", "chunks": []}]},
            "response": {"final_answer": "a"}},
    }[question]


def cycle():
    out = {"answer": "a"}
    out["self"] = out
    return out


class Meeting:
    """Answers only when two questions are here at once."""

    def __init__(self):
        self.barrier = threading.Barrier(2, timeout=60)

    def __call__(self, question):
        self.barrier.wait()
        return question


meeting = Meeting()
here = 0


async def async_meeting(question):
    global here
    here += 1
    while here < 2:
        await asyncio.sleep(0.001)
    return question


def takes(question, *, top_k=None, metadata=None):
    return "%s %s %s" % (question, top_k, metadata)


class Index:
    def retrieve(self, question, top_k=5, metadata=None):
        return "%s %s %s" % (question, top_k, metadata)


class PipelineBase:
    """A pipeline of haystack."""
    __module__ = "haystack.core.pipeline.base"

    def inputs(self):
        return {"retriever": {"query": {"is_mandatory": True}, "top_k": {"is_mandatory": False}}, "llm": {"prompt": {"is_mandatory": False}}}

    def outputs(self, include_components_with_connected_outputs=False):
        return {"retriever": {"documents": {}}, "llm": {"replies": {}}}

    def run(self, data, include_outputs_from=None):
        return data.values()


class Runs:
    def invoke(self, question, top_k=5, metadata=None):
        return "%s %s %s" % (question, top_k, metadata)


def wants_object(inputs):
    return "got " + inputs["query"]


def wants_key(inputs):
    return "got %s" % inputs["ticket"]


def named(*, question):
    return "named " + question


def optional(top_k=5, history=None, question=None):
    return "%s %s %s" % (top_k, history, question)


def optional_keyword(history=None, *, query):
    return "%s %s" % (history, query)


def required(text, prompt="Be brief."):
    return "%s %s" % (text, prompt)


def two(question, other):
    return question


def none_at_all():
    return ""


class Custom(Exception):
    pass


RAISES = {"KeyError": KeyError("parking"), "TypeError": TypeError("expected str instance, dict found"), "AttributeError": AttributeError("messages"),
          "ValueError": ValueError("the input key expected a message"), "Custom": Custom("a bug")}


def raises(question):
    """Raises what the question names; an object would do as well as a text."""
    if isinstance(question, str) and question in RAISES:
        raise RAISES[question]
    return repr(question)


class Invoked:
    invoke = staticmethod(raises)


class Run:
    run = staticmethod(raises)


class Busy(Exception):
    status_code = 429


def outage(question):
    if question == "cause":
        raise RuntimeError("no model") from ConnectionResetError("reset")
    if question in ("code 503", "status 429", "code 404", "code 7"):
        name, value = question.split()
        error = RuntimeError("of a client")
        setattr(error, name, int(value))
        raise error
    raise {"busy": Busy("later"), "refused": ConnectionRefusedError("no"), "bug": RuntimeError("bug")}[question]


def echo(value):
    return repr(value)


class Chat:
    """Remembers what it was asked, until it is reset."""

    def __init__(self):
        self.said = []

    def reset(self):
        self.said = []

    def chat(self, question):
        self.said.append(question)
        return " ".join(self.said)


chat = Chat()


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def trouble(question):
    if question == "raise":
        raise RuntimeError("no model\nis loaded")
    if question == "mute":
        raise Mute()
    if question == "leave":
        sys.exit(3)
    if question == "die":
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(9)
    if question == "hang":
        time.sleep(3600)
    if question == "interrupt":
        raise KeyboardInterrupt
    return question


async def troubled(question):
    return trouble(question)


def after(seconds):
    return seconds


_private = 1
nothing = None


def logs(question, history=[]):
    history.append({"messages": [{"role": "user", "content": question}], "outputs": ["a"]})
    return "a"


def remembers(question, history=[]):
    history.append(question)
    return " ".join(history)


def filtered(question, tags=["a"]):
    return question


HISTORY = []


def shared(question):
    if question == "q2":
        HISTORY.append(question)
    return "a"


class Remembers:
    def __init__(self):
        self._history = []

    def query(self, question):
        self._history.append(question)
        return "a"


def from_json(question):
    """Returns the object that the question is as JSON."""
    return json.loads(question)


async def blocks(question):
    time.sleep(float(question))
    return question


class ChatEngine:
    """As the chat engines of LlamaIndex."""
    chat_history = []

    def chat(self, question):
        return question

    def reset(self):
        pass


class BufferMemory:
    """As the memories of LangChain."""

    def load_memory_variables(self, inputs):
        return {}

    def save_context(self, inputs, outputs):
        pass


class Bot:
    def __init__(self):
        self.memory = BufferMemory()

    def query(self, question):
        return question


ENGINE = ChatEngine()


def converses(question):
    return ENGINE.chat(question)


def restarts(question):
    ENGINE.reset()
    return ENGINE.chat(question)


def lists(question):
    return {"answer": "A", "sources": [] if question == "none" else ["one"]}


CONFIG = {"configurable": {"thread_id": "1"}}


def threaded(question):
    return question + CONFIG["configurable"]["thread_id"]


class AgentMaxStepsError(Exception):
    pass


class Solo:
    """An agent that keeps the steps of the question that it answers."""

    __module__ = "smolagents.agents"
    busy = most = 0

    def __init__(self):
        self.memory = types.SimpleNamespace(steps=[])

    def run(self, question):
        self.busy += 1
        if question != "the answer of before":
            self.memory.steps = [types.SimpleNamespace(error=AgentMaxStepsError() if question == "too long" else None)]
        self.most = max(self.most, self.busy)
        time.sleep(0.1)
        self.busy -= 1
        return str(self.most)


SOLO = Solo()


def solo(question):
    return SOLO.run(question)


def typed(question):
    return {"tuple": ("40 euros", 0.9), "float": 40.0, "flag": False}[question]
