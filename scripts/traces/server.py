"""A server that speaks OpenAI's protocol and answers by rule, for repeatable traces.

    python server.py PORTFILE

It listens on a free port of loopback, writes the port to PORTFILE and runs until
it is ended. Replies depend on the request alone:

- offered tools: a tool is called when every word of its name is in the question,
  and the conversation has no result of a tool yet; an argument with an enum is
  the first value that the question names, another is the whole question;
- a tool that takes numbers and relevances of documents is called with those of
  the prompt ("Document 1:" and so on), each relevance from 1 to 10;
- "sub_question" in the prompt: a JSON object of one sub-question a clause;
- "yes or no" in the prompt: whether the passage shares enough words with the question;
- otherwise the sentence of the prompt nearest to the question, or a refusal.

The question is what follows the last "Question:" or "Query:" of the last user
message, or that whole message. A token is a word, a mark or a CJK character. An
embedding counts hashed tokens in 64 places and has length 1.

GET /record returns the requests since the last DELETE /record, each with its
reply and usage: what the model was really asked, whatever a framework says.
"""

import base64
import hashlib
import http.server
import json
import math
import os
import re
import struct
import sys
import threading

TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|[^\w\s]")
STOP = set("a an and at by do does for how in is it many much of on so that the then there to was what when which who 吗 的 了".split())
PLACES = 64
# Of the question's words, the share that a sentence must have to answer it. Above
# it are the four questions that the corpus answers, below it the one that it does not.
ENOUGH = 0.6


def tokens(text):
    return TOKEN.findall(text)


def words(text):
    """The words of a text that say what it is about, without the s of a plural or a verb."""
    found = {t.lower() for t in tokens(text) if t.isalnum()} - STOP
    return {w.removesuffix("s") if len(w) > 3 else w for w in found}


def overlap(question, text):
    """The share of the question's words that are in the text, 0 to 1."""
    asked = words(question)
    return len(asked & words(text)) / len(asked) if asked else 0.0


def embedding(text):
    vector = [0.0] * PLACES
    for word in words(text):
        vector[hashlib.sha256(word.encode()).digest()[0] % PLACES] += 1.0
    length = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / length for x in vector]


def content(message):
    """The text of a message, whose content is a string or a list of parts."""
    held = message.get("content") or ""
    return held if isinstance(held, str) else "\n".join(part.get("text", "") for part in held)


def question_of(prompt):
    marked = re.split(r"(?:Question|Query):\s*", prompt)
    return marked[-1].strip().split("\n")[0] if len(marked) > 1 else prompt.strip()


def sentences(text):
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n", text) if s.strip()]


def answer(prompt):
    question = question_of(prompt)
    # A question is no answer, nor is what leads to one.
    found = [s.removeprefix("Response: ") for s in sentences(prompt) if not s.endswith((":", "?", "？"))]
    best = max(found, key=lambda s: overlap(question, s), default="")
    if overlap(question, best) >= ENOUGH:
        return best
    return "The passages do not say."


def sub_questions(prompt):
    asked = re.findall(r"User Question>?\s*\n?(.*?)(?:\n|$)", prompt)
    question = (asked[-1] if asked else question_of(prompt)).strip()
    names = re.findall(r'"(\w+)":', prompt.split("User Question")[-2] if "User Question" in prompt else prompt)
    clauses = [c.strip(" ?") for c in re.split(r",? and (?=how)", question)]
    tool = next((n for n in reversed(names) if n not in ("items", "sub_question", "tool_name")), "ferries")
    items = [{"sub_question": c[:1].upper() + c[1:] + "?", "tool_name": tool} for c in clauses]
    return "```json\n" + json.dumps({"items": items}, indent=2) + "\n```"


def relevances(prompt):
    """The arguments of a tool that ranks the documents of a prompt."""
    question = question_of(prompt)
    found = re.findall(r"Document (\d+):\n(.*?)(?=\n\n|\nQuestion:|$)", prompt, re.DOTALL)
    return [
        {"document_number": int(n), "relevance": max(1, round(10 * overlap(question, text)))} for n, text in found
    ]


def arguments(function, prompt):
    """The arguments to call a function with, or None if the prompt does not ask for it."""
    properties = function["parameters"].get("properties", {})
    if "relevance" in json.dumps(function["parameters"]):
        return {name: relevances(prompt) for name in properties}
    question = question_of(prompt)
    if not set(function["name"].split("_")) <= {t.lower() for t in tokens(question)}:
        return None
    return {n: next((v for v in kind.get("enum", []) if str(v) in question), question) for n, kind in properties.items()}


def tool_calls(request, prompt):
    for tool in request.get("tools") or []:
        function = tool["function"]
        if (found := arguments(function, prompt)) is None:
            continue
        identity = hashlib.sha256(prompt.encode()).hexdigest()[:12]
        call = {"name": function["name"], "arguments": json.dumps(found, ensure_ascii=False)}
        return [{"id": f"call_{identity}", "type": "function", "function": call}]
    return []


def reply(request):
    """The assistant's message to a request."""
    messages = request["messages"]
    prompt = content(next(m for m in reversed(messages) if m["role"] == "user"))
    question = question_of(prompt)
    results = [content(m) for m in messages if m["role"] == "tool"]
    if results:
        return {"role": "assistant", "content": "The timetable says: " + results[-1]}
    calls = tool_calls(request, prompt)
    if calls:
        return {"role": "assistant", "content": None, "tool_calls": calls}
    if "sub_question" in prompt:
        return {"role": "assistant", "content": sub_questions(prompt)}
    if "yes or no" in prompt:
        passage = prompt.split("Question:")[0]
        return {"role": "assistant", "content": "yes" if overlap(question, passage) >= ENOUGH else "no"}
    everything = "\n".join(content(m) for m in messages if m["role"] != "user")
    return {"role": "assistant", "content": answer(everything + "\n" + prompt)}


def usage_of(request, message):
    asked = sum(len(tokens(content(m))) for m in request["messages"])
    said = len(tokens(message.get("content") or "")) + sum(
        len(tokens(c["function"]["arguments"])) for c in message.get("tool_calls", [])
    )
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    record = []
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def send(self, value, kind="application/json"):
        body = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path != "/record":
            return self.send_error(404)
        with self.lock:
            self.send(self.record)

    def do_DELETE(self):
        with self.lock:
            self.record.clear()
        self.send({})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/v1/embeddings":
            return self.embed(request)
        if self.path == "/v1/chat/completions":
            return self.chat(request)
        self.send_error(404)

    def embed(self, request):
        texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
        data = []
        for i, text in enumerate(texts):
            vector = embedding(text)
            if request.get("encoding_format") == "base64":
                vector = base64.b64encode(struct.pack(f"<{PLACES}f", *vector)).decode()
            data.append({"object": "embedding", "index": i, "embedding": vector})
        count = sum(len(tokens(t)) for t in texts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        self.send({"object": "list", "model": request["model"], "data": data, "usage": usage})

    def chat(self, request):
        message = reply(request)
        usage = usage_of(request, message)
        with self.lock:
            self.record.append({"request": request, "message": message, "usage": usage})
        head = {
            "id": "chatcmpl-" + hashlib.sha256(json.dumps(request["messages"]).encode()).hexdigest()[:16],
            "created": 1,
            "model": request["model"],
        }
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        if request.get("stream"):
            return self.send(stream(head, request, message, usage, finish), "text/event-stream")
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        self.send({**head, "object": "chat.completion", "choices": [choice], "usage": usage})


def stream(head, request, message, usage, finish):
    """The reply as server-sent events, a few characters or one call each."""
    deltas = [{"role": "assistant", "content": ""}]
    text = message.get("content") or ""
    deltas += [{"content": text[i : i + 12]} for i in range(0, len(text), 12)]
    deltas += [{"tool_calls": [{"index": i, **call}]} for i, call in enumerate(message.get("tool_calls", []))]
    chunks = [{"choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if (request.get("stream_options") or {}).get("include_usage"):
        chunks.append({"choices": [], "usage": usage})
    lines = [json.dumps({**head, "object": "chat.completion.chunk", **c}, ensure_ascii=False) for c in chunks]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # A client that ends takes its kept connections with it.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def main():
    server = Server(("127.0.0.1", 0), Handler)
    # Renamed into place, so that who waits for the file never reads half of it.
    with open(sys.argv[1] + ".part", "w") as f:
        f.write(str(server.server_port))
    os.rename(sys.argv[1] + ".part", sys.argv[1])
    server.serve_forever()


if __name__ == "__main__":
    main()
