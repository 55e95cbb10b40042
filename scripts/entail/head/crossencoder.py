#!/usr/bin/env python3
"""A cross-encoder for tests: all-MiniLM-L6-v2 by ONNX Runtime reads the document and the
claim as one input of two segments, and a small head that train.py fitted makes a
probability of it. It is a real cross-encoder behind each protocol that assay speaks, and a
weak one: MiniLM never learned to read pairs. Do not judge with it.

usage: crossencoder.py serve   answer as text-embeddings-inference on a free port, which is
                               printed, until standard input ends:
                               POST /predict {"inputs": [[document, claim]…]} -> [[{"label", "score"}…]…]
       crossencoder.py lines   read {"document", "claim"} and write {"probability"} a line
       crossencoder.py score   read a JSON list of [document, claim] and write the list of probabilities

As an object of Python it is "crossencoder.py:load()". ASSAY_ONNX_MINILM is the folder of
the model, as scripts/minilm/server.sh says; ASSAY_ENTAIL_HEAD the head.
"""
import json
import os
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

NAME = "minilm-with-a-head"
LENGTH = 256  # word pieces of a pair; the end of a longer document is cut off
BATCH = 32


class Encoder:
    """Makes the features of a pair."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "onnx" / "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LENGTH, strategy="only_first")

    def features(self, document, claim):
        # The ends of a claim that leaves no room for a document are cut off first.
        e = self.tokenizer.encode(document, " ".join(claim.split()[:100]))
        ids, kinds = np.array([e.ids], dtype=np.int64), np.array([e.type_ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        state = self.session.run(["last_hidden_state"], feed)[0][0].astype(np.float64)
        first, second = state[kinds[0] == 0].mean(axis=0), state[kinds[0] == 1].mean(axis=0)
        first, second = first / np.linalg.norm(first), second / np.linalg.norm(second)
        return np.concatenate([[first @ second], np.abs(first - second), first * second, state[0] / np.linalg.norm(state[0])])


class Model:
    def __init__(self, encoder, head):
        self.encoder = encoder
        self.mean, self.scale, self.weights = (np.array(head[k]) for k in ("mean", "scale", "weights"))
        self.bias = head["bias"]
        self.turns = threading.Lock()

    def predict(self, pairs):
        """The probabilities that the document of each pair entails its claim. One pair at a time: nothing is padded."""
        with self.turns:
            rows = [(self.encoder.features(document, claim) - self.mean) / self.scale for document, claim in pairs]
        return [float(1 / (1 + np.exp(-(row @ self.weights + self.bias)))) for row in rows]


def load():
    with open(os.environ["ASSAY_ENTAIL_HEAD"]) as file:
        return Model(Encoder(os.environ["ASSAY_ONNX_MINILM"]), json.load(file))


def handler(model):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            if self.path == "/info":
                self.reply(200, {"model_id": NAME, "model_type": {"classifier": {"id2label": {"0": "not_entailment", "1": "entailment"}}}})
            else:
                self.reply(404, {"error": "not found"})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            if self.path != "/predict":
                return self.reply(404, {"error": "not found"})
            pairs = body["inputs"]
            if len(pairs) > BATCH:
                return self.reply(413, {"error": f"batch size {len(pairs)} > maximum allowed batch size {BATCH}", "error_type": "Validation"})
            out = [[{"label": "entailment", "score": p}, {"label": "not_entailment", "score": 1 - p}] for p in model.predict(pairs)]
            return self.reply(200, out)

    return Handler


def serve(model):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(model))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    sys.stdin.buffer.read()  # ends with the test, however that ends


def lines(model):
    for line in sys.stdin:
        pair = json.loads(line)
        print(json.dumps({"probability": model.predict([(pair["document"], pair["claim"])])[0]}), flush=True)


def score(model):
    json.dump(model.predict(json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    modes = {"serve": serve, "lines": lines, "score": score}
    if len(sys.argv) != 2 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    modes[sys.argv[1]](load())
