"""What every program shares: the corpus, the questions, and what is expected of a trace.

A program runs as `python NAME.py FOLDER` with OPENAI_BASE_URL at server.py, and
writes its trace and expected.json into FOLDER.
"""

import json
import os
import pathlib
import sys
import urllib.request

HERE = pathlib.Path(__file__).parent
CORPUS = json.loads((HERE / "corpus.json").read_text(encoding="utf-8"))
PASSAGES = CORPUS["passages"]
QUESTIONS = CORPUS["questions"]
LAST_FERRY = CORPUS["last_ferry"]

MODEL = "ferry-chat"
EMBEDDING_MODEL = "text-embedding-ferry"
# How many passages a retriever returns.
TOP = 2
PROMPT = "Answer from the passages alone.\n\n{context}\n\nQuestion: {question}"
SYSTEM = "You answer passengers of the Kestrel Line."


def folder():
    """The folder that the program writes to."""
    path = pathlib.Path(sys.argv[1])
    path.mkdir(parents=True, exist_ok=True)
    return path


def base_url():
    """The address of server.py, which ends in /v1."""
    return os.environ["OPENAI_BASE_URL"]


def metadata(passage):
    return {"id": passage["id"], "title": passage["title"], "source": passage["source"]}


def document(source, text, score=None):
    """A document of expected.json from a framework's metadata, text and score."""
    return {"id": source["id"], "source": source["source"], "title": source["title"], "text": text, "score": score}


class Expected:
    """Gathers expected.json, one entry a question.

    The model's side (prompt_contains, calls) comes from the server's record: what
    the model was sent and what it answered with. The rest is handed in from the
    framework's own objects.
    """

    def __init__(self):
        self.entries = []
        self._record("DELETE")

    def _record(self, method):
        address = base_url().removesuffix("/v1") + "/record"
        with urllib.request.urlopen(urllib.request.Request(address, method=method)) as reply:
            return json.load(reply)

    def add(self, question, answer, retrieved, reranked=None, tools=None, sub_questions=None):
        """Adds a question that was just asked.

        retrieved is one list of documents for each call of a retriever, in order;
        reranked is one list for each call of a reranker, or None without such a stage.
        """
        record = self._record("GET")
        self._record("DELETE")
        last = json.dumps(record[-1]["request"]["messages"], ensure_ascii=False) if record else ""
        # As JSON, so that a text is found as it stands inside the messages.
        places = [(last.find(json.dumps(p["text"], ensure_ascii=False)[1:-1]), p["id"]) for p in PASSAGES]
        self.entries.append({
            "question": question,
            "answer": answer,
            "retrieved": retrieved,
            "reranked": reranked or [],
            "prompt_contains": [identity for at, identity in sorted(places) if at >= 0],
            "calls": [
                {
                    "model": call["request"]["model"],
                    "input_tokens": call["usage"]["prompt_tokens"],
                    "output_tokens": call["usage"]["completion_tokens"],
                }
                for call in record
            ],
            "tools": tools or [],
            "sub_questions": sub_questions or [],
        })

    def write(self):
        text = json.dumps(self.entries, ensure_ascii=False, indent=1)
        (folder() / "expected.json").write_text(text + "\n", encoding="utf-8")
