"""Metrics of DeepEval on the inputs: three of its own, and four that extend BaseMetric as its
documentation does."""

import os
import re

os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="YES", DEEPEVAL_DISABLE_DOTENV="1")

import deepeval  # noqa: E402
from common import inputs, write  # noqa: E402
from deepeval.errors import MissingTestCaseParamsError  # noqa: E402
from deepeval.metrics import BaseMetric, ExactMatchMetric, JsonCorrectnessMetric, PatternMatchMetric  # noqa: E402
from deepeval.models import DeepEvalBaseLLM  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402
from pydantic import BaseModel  # noqa: E402


class NoModel(DeepEvalBaseLLM):
    """The model that JsonCorrectnessMetric wants for its reasons, which nobody asks for."""

    def load_model(self):
        return self

    def generate(self, *args, **kwargs):
        raise RuntimeError("a model was asked")

    async def a_generate(self, *args, **kwargs):
        raise RuntimeError("a model was asked")

    def get_model_name(self):
        return "none"


class Office(BaseModel):
    floor: int
    building: str


class Custom(BaseMetric):
    """A metric whose score is a function of the test case."""

    def __init__(self, threshold=1.0):
        self.threshold, self.async_mode = threshold, False

    def measure(self, test_case, *args, **kwargs):
        self.score = self.compute(test_case)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success


class LatencyMetric(Custom):
    def compute(self, case):
        return float(case.completion_time <= 1)


class LengthMetric(Custom):
    def compute(self, case):
        return float(len(case.actual_output) <= 60)


class CitationMetric(Custom):
    def compute(self, case):
        cited = [int(n) for n in re.findall(r"\[(\d+)\]", case.actual_output)]
        return float(bool(cited) and all(1 <= n <= len(case.retrieval_context) for n in cited))


class CompositeMetric(Custom):
    def compute(self, case):
        said = case.actual_output
        return (bool(re.search(r"\d", said)) + (len(said) <= 60) + ("sorry" not in said)) / 3


metrics = {
    "deepeval_exact_match": ExactMatchMetric,
    "deepeval_pattern_match": lambda: PatternMatchMetric(pattern=r"Yes.*|.*\d+ days.*"),
    "deepeval_json_correctness": lambda: JsonCorrectnessMetric(
        expected_schema=Office, model=NoModel(), include_reason=False, async_mode=False
    ),
    "deepeval_latency": LatencyMetric,
    "deepeval_length": LengthMetric,
    "deepeval_citation": CitationMetric,
    "deepeval_composite": lambda: CompositeMetric(threshold=0.6),
}


def score(metric, one):
    case = LLMTestCase(
        input=one["question"],
        actual_output=one["answer"],
        expected_output=one["ground_truth"],
        retrieval_context=one["contexts"],
        completion_time=one["latency_ms"] / 1000,
    )
    if isinstance(metric, Custom):
        return metric.measure(case)
    try:
        return metric.measure(case, _show_indicator=False)
    except MissingTestCaseParamsError:  # an empty answer
        return None


write(
    "deepeval",
    deepeval.__version__,
    {name: {one["id"]: score(make(), one) for one in inputs()} for name, make in metrics.items()},
)
