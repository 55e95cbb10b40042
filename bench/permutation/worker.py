"""Tests paired differences with scipy as its documentation shows.

Usage: worker.py PATTERNS. The first line of the output tells the version. Each line of the
input is JSON: [difference, ...]. It is answered by one line: the p-value, the seconds and
the processor seconds.
"""

import json
import sys
import time

import numpy
import scipy
from scipy.stats import permutation_test

patterns = int(sys.argv[1])
print(f"scipy {scipy.__version__}", flush=True)
for line in sys.stdin:
    differences = numpy.array(json.loads(line))
    start, used = time.perf_counter(), time.process_time()
    test = permutation_test((differences,), numpy.mean, permutation_type="samples", vectorized=True, n_resamples=patterns, batch=100, rng=1)
    seconds, cpu = time.perf_counter() - start, time.process_time() - used
    print(json.dumps({"p": float(test.pvalue), "seconds": seconds, "cpu": cpu}), flush=True)
