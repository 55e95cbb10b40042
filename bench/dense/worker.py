"""Searches vectors with numpy: the product with all queries, then the best of each.

Usage: worker.py MATRIX DIM QUERIES K. The file holds float32, row by row; the first
rows are the queries. The first line of the output tells the versions. Each line
of the input is "one", the first query alone, or "batch", all together. It is answered by
one line of JSON: the seconds and processor seconds of the product alone, and of
the product with the choice of the K best, and these.
"""

import json
import sys
import time

import numpy as np

path, dim, count, k = sys.argv[1], *map(int, sys.argv[2:])
matrix = np.fromfile(path, dtype=np.float32).reshape(-1, dim)
queries = matrix[:count].copy()
blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
print(f"numpy {np.__version__}, {blas['name']} {blas['version']}", flush=True)

for line in sys.stdin:
    asked = queries[:1] if line.strip() == "one" else queries
    start, used = time.perf_counter(), time.process_time()
    scores = matrix @ asked[0] if len(asked) == 1 else asked @ matrix.T
    product, product_cpu = time.perf_counter() - start, time.process_time() - used
    scores = scores.reshape(len(asked), -1)
    best = np.argpartition(scores, -k, axis=1)[:, -k:]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
    best = np.take_along_axis(best, order, axis=1)
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    del scores
    answer = {"product": product, "product_cpu": product_cpu, "seconds": seconds, "cpu": cpu, "top": best.tolist()}
    print(json.dumps(answer), flush=True)
