"""Runs bm25s as its documentation shows, once for each line of standard input.

Usage: worker.py BACKEND THREADS, the backend "numpy" or "numba". The first line
of the input is JSON: {"texts": [...], "queries": [...]}. Each further line asks
for a run, which is answered by one line: the seconds that it took to index the
texts and to search for all queries (k = 100), and the ten best of each query.
"""

import json
import sys
import time

import bm25s
import Stemmer

backend, threads = sys.argv[1], int(sys.argv[2])
data = json.loads(sys.stdin.readline())
stemmer = Stemmer.Stemmer("english")


def tokens(texts):
    return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)


def run():
    start = time.perf_counter()
    index = bm25s.BM25(method="lucene", k1=0.9, b=0.4, backend=backend)
    index.index(tokens(data["texts"]), show_progress=False)
    indexed = time.perf_counter()
    hits, _ = index.retrieve(tokens(data["queries"]), k=100, n_threads=threads, show_progress=False)
    searched = time.perf_counter()
    return {"index": indexed - start, "search": searched - indexed, "top": hits[:, :10].tolist()}


run()  # numba compiles now, not while the clock runs
print("ready", flush=True)
for _ in sys.stdin:
    print(json.dumps(run()), flush=True)
