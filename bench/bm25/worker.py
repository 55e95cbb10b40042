"""Runs bm25s as its documentation shows, as standard input asks.

Usage: worker.py BACKEND THREADS, the backend "numpy" or "numba". The first line
of the output tells the versions. The first line of the input is JSON:
{"texts": [...], "queries": {NAME: [...]}}. Each further line is "index", to index
the texts, or a NAME, to search for its queries (k = 100). It is answered by one line
of JSON: the seconds, the processor seconds and, for a search, the ten best of
each query. Words become tokens in that time, as in the other contenders.
"""

import json
import sys
import time

import bm25s
import numba
import numpy
import Stemmer

backend, threads = sys.argv[1], int(sys.argv[2])
stemmer = Stemmer.Stemmer("english")
print(f"bm25s {bm25s.__version__}, numpy {numpy.__version__}, numba {numba.__version__}", flush=True)


def tokens(texts):
    return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)


def index(texts):
    made = bm25s.BM25(method="lucene", k1=0.9, b=0.4, backend=backend)
    made.index(tokens(texts), show_progress=False)
    return made


def search(made, queries):
    hits, _ = made.retrieve(tokens(queries), k=100, n_threads=threads, show_progress=False)
    return hits


data = json.loads(sys.stdin.readline())
# numba compiles both steps now, not while the clock runs.
search(index(data["texts"][:1000]), next(iter(data["queries"].values())))
made = None
for line in sys.stdin:
    start, used = time.perf_counter(), time.process_time()
    top = None
    step = line.strip()
    if step == "index":
        made = index(data["texts"])
    else:
        top = search(made, data["queries"][step])
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    print(json.dumps({"seconds": seconds, "cpu": cpu, "top": None if top is None else top[:, :10].tolist()}), flush=True)
