from typing import List, Optional

from deepeval import assert_test
from deepeval.metrics import JsonCorrectnessMetric
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase
from pydantic import BaseModel

from handbook import answer


class Nobody(DeepEvalBaseLLM):
    """A model that is never asked: no reasons are wanted."""

    def load_model(self):
        return self

    def generate(self, *args, **kwargs):
        raise AssertionError("asked")

    async def a_generate(self, *args, **kwargs):
        raise AssertionError("asked")

    def get_model_name(self):
        return "nobody"


class Office(BaseModel):
    floor: int
    rooms: List[str]
    note: Optional[str] = None


class Street(BaseModel):
    street: str


def case(question):
    return LLMTestCase(input=question, actual_output=answer(question)[0])


def metric(schema):
    return JsonCorrectnessMetric(expected_schema=schema, model=Nobody(), include_reason=False, async_mode=False)


def test_office():
    assert_test(case("The office as JSON"), [metric(Office)], run_async=False)


def test_street():
    assert_test(case("The office as JSON"), [metric(Street)], run_async=False)


def test_no_json():
    assert_test(case("Is it warm?"), [metric(Office)], run_async=False)
