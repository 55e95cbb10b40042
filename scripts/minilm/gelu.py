#!/usr/bin/env python3
"""Finds the rational function by which internal/simd computes GELU.

The distribution function of the standard normal distribution is ½ + u·P(t)/Q(t)
with t = u², for 0 ≤ u ≤ END. Given Q's values, the coefficients that minimise
the weighted squares of the error solve a linear problem. Q's values are those of
the step before, and Lawson's rule raises the weights where the error is great,
so that the greatest error shrinks. Needs numpy.
"""
import math

import numpy as np

END, DEGREE, STEPS = 5.5, 5, 400

u = END / 2 * (1 - np.cos(np.pi * (np.arange(4000) + 0.5) / 4000))  # dense at both ends
wanted = np.array([0.5 * math.erf(v / math.sqrt(2)) for v in u])
s = u * u / END**2  # scaled to 0…1, for the sake of the linear solver
powers = s[:, None] ** np.arange(DEGREE + 1)
weight, q = np.ones_like(u), np.ones_like(u)
best = np.inf
for _ in range(STEPS):
    columns = np.hstack([u[:, None] * powers, -wanted[:, None] * powers[:, 1:]])
    scale = np.sqrt(weight) / q
    solution, *_ = np.linalg.lstsq(columns * scale[:, None], wanted * scale, rcond=None)
    P, Q = solution[: DEGREE + 1], np.append(1, solution[DEGREE + 1 :])
    q = powers @ Q
    error = np.abs(u * (powers @ P) / q - wanted)
    if error.max() < best:
        best, kept = error.max(), (P, Q)
    weight *= error / error.max() + 1e-3
    weight /= weight.max()
for name, c in zip("PQ", kept):
    print(name, ", ".join(f"{np.float32(v):.9g}" for v in c / END ** (2 * np.arange(DEGREE + 1))))
print(f"greatest error {best:.1e}")
