#!/usr/bin/env python3
"""Writes reference vectors of all-MiniLM-L6-v2, one JSON object a line.

usage: reference.py onnx MODEL_FOLDER SHARED OUTPUT [COUNT]
       reference.py sentence-transformers MODEL_FOLDER SHARED OUTPUT [COUNT]

MODEL_FOLDER is the one that fetch.sh made for that engine. SHARED is the folder
of the shared data; COUNT is the number of texts, 1000 unless given, and 0 means
the edge cases alone, for which SHARED is not read.

The first line tells the versions. A line holds the text, its word pieces as
Hugging Face's tokenizer gives them, and the vector.
"""
import hashlib
import importlib.metadata
import json
import pathlib
import sys

import numpy as np

import texts

LENGTH = 256  # max_seq_length of sentence-transformers for this model


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tokenizer(model):
    from tokenizers import Tokenizer

    t = Tokenizer.from_file(str(model / "tokenizer.json"))
    t.enable_truncation(LENGTH)
    t.no_padding()
    return t


def onnx(model, batch):
    """Mean over the mask and length 1, as sentence-transformers does. One text
    at a time: nothing is padded."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model / "onnx" / "model.onnx"), providers=["CPUExecutionProvider"])
    tok = tokenizer(model)
    for text in batch:
        ids = np.array([tok.encode(text).ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = session.run(["last_hidden_state"], feed)[0][0].astype(np.float64).mean(axis=0)
        yield mean / np.linalg.norm(mean)


def sentence_transformers(model, batch):
    from sentence_transformers import SentenceTransformer

    m = SentenceTransformer(str(model), device="cpu")
    assert m.max_seq_length == LENGTH
    yield from m.encode(batch, batch_size=32, show_progress_bar=False)


ENGINES = {
    "onnx": (onnx, "onnx/model.onnx", ["onnxruntime", "tokenizers", "numpy"]),
    "sentence-transformers": (sentence_transformers, "model.safetensors", ["sentence-transformers", "torch", "transformers", "tokenizers"]),
}


def main(engine, model, shared, output, count="1000"):
    run, weights, packages = ENGINES[engine]
    model, output = pathlib.Path(model), pathlib.Path(output)
    batch = texts.mixed(shared, int(count)) if int(count) else texts.EDGES
    tok = tokenizer(model)
    header = {
        "engine": engine,
        "versions": {p: importlib.metadata.version(p) for p in packages},
        "weights_sha256": digest(model / weights),
        "texts": len(batch),
    }
    part = output.with_name(output.name + ".part")
    with part.open("w", encoding="utf-8") as f:
        print(json.dumps(header), file=f)
        for text, vector in zip(batch, run(model, batch), strict=True):
            row = {"text": text, "tokens": tok.encode(text).ids, "vector": [float(f"{v:.7g}") for v in vector]}
            print(json.dumps(row, ensure_ascii=False), file=f)
    part.rename(output)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6) or sys.argv[1] not in ENGINES:
        sys.exit(__doc__)
    main(*sys.argv[1:])
