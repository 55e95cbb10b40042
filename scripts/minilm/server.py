#!/usr/bin/env python3
"""A server of all-MiniLM-L6-v2 by ONNX Runtime, for tests: real vectors over the
HTTP protocols that embedding servers speak.

usage: server.py MODEL_FOLDER

MODEL_FOLDER is the one that fetch.sh made for onnx. The server listens on a free
port of the loopback address, which it prints, and ends when its standard input
does.

  GET  /info           {"model_id": …}
  POST /embed          {"inputs": [text…], "normalize": bool, "truncate": bool} -> [[number…]…]
  POST /rerank         {"query": text, "texts": [text…], "truncate": bool} -> [{"index", "score"}…], best first
  POST /v1/embeddings  OpenAI's
  POST /v2/rerank      Cohere's: {"model", "query", "documents", "top_n"} -> {"results": [{"index", "relevance_score"}…]}
  POST /v1/rerank      Jina's: the same shape, with "usage"

A score is the cosine, moved to 0…1. As text-embeddings-inference does, /embed and
/rerank refuse more than 32 texts and texts of more than 256 word pieces (unless
they may truncate) with status 413.
"""
import json
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
LENGTH = 256
BATCH = 32


class Refused(Exception):
    def __init__(self, status, kind, message):
        super().__init__(message)
        self.status, self.kind = status, kind


class Encoder:
    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "onnx" / "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def pieces(self, text, truncate):
        ids = self.tokenizer.encode(text).ids
        if len(ids) <= LENGTH:
            return ids
        if not truncate:
            raise Refused(413, "Validation", f"`inputs` must have less than {LENGTH} tokens. Given: {len(ids)}")
        return ids[: LENGTH - 1] + ids[-1:]

    def embed(self, texts, truncate=True, normalize=True):
        """Vectors and the number of word pieces. One text at a time: nothing is padded."""
        out, count = [], 0
        batch = [self.pieces(text, truncate) for text in texts]
        for pieces in batch:
            ids = np.array([pieces], dtype=np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            mean = self.session.run(["last_hidden_state"], feed)[0][0].astype(np.float64).mean(axis=0)
            out.append(mean / np.linalg.norm(mean) if normalize else mean)
            count += len(pieces)
        return np.array(out, dtype=np.float32).reshape(len(out), -1), count

    def scores(self, query, texts, truncate):
        vectors, count = self.embed([query, *texts], truncate)
        return (1 + vectors[1:] @ vectors[0]) / 2, count


def checked(texts):
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) and t for t in texts):
        raise Refused(400, "Empty", "expected a list of texts that are not empty")
    if len(texts) > BATCH:
        raise Refused(413, "Validation", f"batch size {len(texts)} > maximum allowed batch size {BATCH}")
    return texts


def answer(encoder, path, ask):
    """The reply to a request and its number of tokens."""
    if path == "/embed":
        vectors, count = encoder.embed(checked(ask["inputs"]), ask.get("truncate", False), ask.get("normalize", True))
        return vectors.tolist(), count
    if path == "/rerank":
        scores, count = encoder.scores(ask["query"], checked(ask["texts"]), ask.get("truncate", False))
        return [{"index": int(i), "score": float(scores[i])} for i in np.argsort(-scores, kind="stable")], count
    if ask.get("model") != MODEL:
        raise Refused(404, "invalid_request_error", f"The model `{ask.get('model')}` does not exist")
    if path == "/v1/embeddings":
        texts = [ask["input"]] if isinstance(ask["input"], str) else ask["input"]
        vectors, count = encoder.embed(texts)
        data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors.tolist())]
        return {"object": "list", "model": MODEL, "data": data, "usage": {"prompt_tokens": count, "total_tokens": count}}, count
    scores, count = encoder.scores(ask["query"], ask["documents"], True)
    best = np.argsort(-scores, kind="stable")[: ask.get("top_n", len(scores))]
    reply = {"results": [{"index": int(i), "relevance_score": float(scores[i])} for i in best]}
    if path == "/v1/rerank":
        reply |= {"model": MODEL, "usage": {"total_tokens": count}}
    else:
        reply |= {"id": "test", "meta": {"billed_units": {"search_units": 1}}}
    return reply, count


def handler(encoder):
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self, status, body, tokens=None):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if tokens is not None:
                self.send_header("X-Compute-Tokens", str(tokens))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            if self.path == "/info":
                self.reply(200, {"model_id": MODEL, "max_input_length": LENGTH, "max_client_batch_size": BATCH})
            else:
                self.reply(404, {"error": "not found"})

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path not in ("/embed", "/rerank", "/v1/embeddings", "/v1/rerank", "/v2/rerank"):
                return self.reply(404, {"error": "not found"})
            try:
                with lock:
                    reply, tokens = answer(encoder, self.path, json.loads(body))
            except Refused as e:
                return self.reply(e.status, {"error": str(e), "error_type": e.kind})
            except (KeyError, TypeError, ValueError) as e:
                return self.reply(422, {"error": f"{type(e).__name__}: {e}", "error_type": "Validation"})
            return self.reply(200, reply, tokens)

    return Handler


def main(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(Encoder(pathlib.Path(folder))))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    sys.stdin.buffer.read()  # ends with the test, however that ends


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
