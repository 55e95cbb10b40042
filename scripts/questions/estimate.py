"""The measures of README.md: each has what is measured of one version, and is called with weights: a
row a resample, a column an item. The first row is 1 everywhere.
"""

import hashlib

import numpy as np

RESAMPLES = 2000


def counted(over, under):
    """A share: the sum of over by the sum of under."""
    over, under = np.array(over, float), np.array(under, float)

    def measure(weights):
        with np.errstate(invalid="ignore"):
            return weights @ over / (weights @ under)

    return measure


def ordered(degrees, labels):
    """The share of pairs of items of different labels that the degrees order as the labels do, a
    tie as a half: the AUROC where there are two labels."""
    degrees, labels = np.asarray(degrees, float), np.asarray(labels, float)
    _, place = np.unique(degrees, return_inverse=True)

    def at(weights, level):
        """Returns the weight of the items of a label at each degree."""
        out = np.zeros((place.max() + 1, len(weights)))
        np.add.at(out, place[labels == level], weights[:, labels == level].T)
        return out

    def measure(weights):
        right = every = 0
        levels = [at(weights, level) for level in np.unique(labels)]
        for i, low in enumerate(levels):
            for high in levels[i + 1 :]:
                right = right + (high * (np.cumsum(low, 0) - low / 2)).sum(0)
                every = every + high.sum(0) * low.sum(0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.full(len(weights), np.nan) if isinstance(every, int) else right / every

    return measure


def half(group):
    """Returns which half a group is in."""
    return hashlib.sha256(group.encode()).digest()[0] % 2


def threshold(degrees, yes):
    """Returns the threshold of the highest balanced accuracy, the lowest of several."""
    best, chosen = -1, 0.0
    for t in np.unique(degrees):
        reached = np.mean(degrees[yes] >= t) + np.mean(degrees[~yes] < t)
        if reached > best + 1e-12:
            best, chosen = reached, t
    return chosen


def balanced(degrees, yes, groups):
    """The balanced accuracy, each half of the groups at the threshold of the other."""
    degrees, yes = np.asarray(degrees, float), np.asarray(yes, bool)
    halves = np.array([half(g) for g in groups])
    said = np.zeros(len(degrees), bool)
    for h in (0, 1):
        other = halves != h
        if len(set(yes[other])) == 2:
            said[~other] = degrees[~other] >= threshold(degrees[other], yes[other])
    hits, passes = counted(said & yes, yes), counted(~said & ~yes, ~yes)
    return lambda weights: (hits(weights) + passes(weights)) / 2


def resamples(groups):
    """Returns the weights of items: how often a resample of whole groups has each."""
    names, of = np.unique(groups, return_inverse=True)
    draws = np.random.default_rng(1).multinomial(len(names), np.full(len(names), 1 / len(names)), RESAMPLES)
    return np.vstack([np.ones(len(groups)), draws[:, of]])
