"""Metrics of Ragas on the inputs: two of its own, and three that its decorators make of a
function."""

import os

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

import ragas  # noqa: E402
from common import inputs, write  # noqa: E402
from ragas.metrics import discrete_metric, numeric_metric  # noqa: E402
from ragas.metrics.collections import ExactMatch, StringPresence  # noqa: E402


@discrete_metric(name="mentions_refund", allowed_values=["pass", "fail"])
def mentions_refund(response: str):
    return "pass" if "refund" in response.lower() else "fail"


@numeric_metric(name="conciseness", allowed_values=(0, 1))
def conciseness(response: str):
    return 1 - min(len(response.split(" ")), 20) / 20


@discrete_metric(name="single_sentence", allowed_values=["pass", "fail"])
def single_sentence(response: str):
    return "pass" if 1 <= len(response) <= 60 else "fail"


def passed(result):
    return result.value == "pass"


checks = {
    "ragas_exact_match": lambda one: ExactMatch().score(reference=one["ground_truth"], response=one["answer"]).value,
    "ragas_string_presence": lambda one: StringPresence().score(reference=one["ground_truth"], response=one["answer"]).value,
    "ragas_mentions_refund": lambda one: passed(mentions_refund.score(response=one["answer"])),
    "ragas_conciseness": lambda one: conciseness.score(response=one["answer"]).value,
    "ragas_single_sentence": lambda one: passed(single_sentence.score(response=one["answer"])),
}
write("ragas", ragas.__version__, {name: {one["id"]: check(one) for one in inputs()} for name, check in checks.items()})
