"""Programs without any package, as a user might write them."""
import asyncio
import decimal
import json
import os
import subprocess
import sqlite3
import sys
import threading
import time


class Document:
    def __init__(self, text, **metadata):
        self.page_content, self.metadata = text, metadata


class Ended:
    """A message of LangChain."""
    content = "Par"

    def __init__(self, **metadata):
        self.response_metadata = metadata


class Web:
    """A response of a web framework."""
    headers = {}

    def __init__(self, body, status, name="body"):
        self.status_code = status
        setattr(self, name, body)


class Said:
    """A message of haystack."""
    role = "assistant"

    def __init__(self, text):
        self.text = text


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


def rows():
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    return database.execute("select 7 as id, 'p' as text, 'a.md' as source").fetchall()


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
        "cycle": cycle(), "history": {"answer": "a", "context": None}, "class": type("Thing", (), {"x": 1}),
        "bytes alone": b"caf\xc3\xa9", "decimal": decimal.Decimal("9.50"),
        "failed": {"answer": "", "error": "model down", "contexts": []}, "failed with an apology": {"answer": "Sorry.", "error": {"code": 503}},
        "no failure": {"answer": "a", "error": None, "errors": []},
        "rows": {"answer": "a", "contexts": rows()}, "points": {"answer": "a", "contexts": [Point()]},
        "objects": {"answer": "a", "contexts": [object()]},
        "tuples": [("p", {"source": "a.md"}, 0.5), ("q", {"source": "b.md"}, 0.7)], "tuples of texts": {"answer": "a", "contexts": [("p", "a.md")]},
        "cut": Ended(finish_reason="length"), "cut, beside passages": {"answer": Ended(stop_reason="max_tokens"), "context": ["p"]},
        "ended": Ended(finish_reason="stop"),
        "set": {"answer": "a", "contexts": {"p", "q"}},
    }[question]


def streams(question):
    """Yields what the question names."""
    yield from {
        "pieces": ["It ", "opens."], "text so far": ["It", "It opens", "It opens."], "repeats": ["ha", "haha"], "none": [],
        "events": ['data: {"token": "It "}\n\n', 'data: {"token": "opens."}\n\n', "data: [DONE]\n\n"], "one event": ['data: {"answer": "It opens."}\n\n'],
        "events of bytes": [b'data: {"token": "It "}\r\n\r\n', b'data: {"token": "opens."}\r\n\r\n'],
        "events of text": ["event: message\ndata: It \n\n", ": ping\n\n", "data: opens.\n\n"],
        "events of objects": ['data: {"answer": "It opens.", "contexts": ["p"]}\n\n', "data: [DONE]\n\n"],
        "lines": ['{"delta": "ha"}\n', '{"delta": "ha"}\n'], "lines of objects": ['{"answer": "It opens."}\n', '{"contexts": ["p"]}\n'],
        "like events": ["data: is a plural\n\n", "of datum"], "like an event": ["data: 5"], "JSON": ['{"delta": "ha"}\n'],
        "lines of data": ['{"city": "Rome"}\n', '{"city": "Oslo"}\n'], "records": ['{"text": "Rome", "kind": "city"}\n', '{"text": "Po", "kind": "river"}\n'],
        "questions": ['{"question": "a", "answer": "b"}\n', '{"question": "c", "answer": "d"}\n'],
        "failed event": ['data: {"error": "index down"}\n\n'],
        "pieces of objects": [{"answer": "It "}, {"answer": "opens."}, {"contexts": ["p"]}],
        "objects so far": [{"answer": "It"}, {"answer": "It opens."}, {"answer": "It opens.", "contexts": ["p"]}],
    }[question]


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


def wants_object(inputs):
    return "got " + inputs["query"]


def wants_key(inputs):
    return "got %s" % inputs["ticket"]


def named(*, question):
    return "named " + question


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
