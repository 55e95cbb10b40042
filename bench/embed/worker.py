"""Embeds texts with ONNX Runtime: sorted by length, so many at a time, padded to
the longest of these.

Usage: worker.py MODEL_FOLDER THREADS. The first line of the output tells the
version. Each line of the input is JSON: {"texts": [...], "batch": 32}. It is
answered by one line: the seconds, the processor seconds, and the vectors.
"""

import json
import pathlib
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

model, threads = pathlib.Path(sys.argv[1]), int(sys.argv[2])
tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
tokenizer.enable_truncation(256)
tokenizer.no_padding()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
session = onnxruntime.InferenceSession(str(model / "onnx" / "model.onnx"), options, providers=["CPUExecutionProvider"])


def embed(texts, size):
    rows = [e.ids for e in tokenizer.encode_batch(texts)]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    out = np.empty((len(rows), 384), dtype=np.float32)
    for at in range(0, len(order), size):
        batch = order[at : at + size]
        length = len(rows[batch[-1]])
        ids = np.zeros((len(batch), length), dtype=np.int64)
        mask = np.zeros_like(ids)
        for i, row in enumerate(batch):
            ids[i, : len(rows[row])] = rows[row]
            mask[i, : len(rows[row])] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = session.run(["last_hidden_state"], feed)[0]
        mean = np.matmul(mask[:, None, :].astype(np.float32), hidden)[:, 0, :]
        out[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return out


print("onnxruntime", onnxruntime.__version__, flush=True)
for line in sys.stdin:
    job = json.loads(line)
    start, used = time.perf_counter(), time.process_time()
    vectors = embed(job["texts"], job["batch"])
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    print(json.dumps({"seconds": seconds, "cpu": cpu, "vectors": vectors.tolist()}), flush=True)
