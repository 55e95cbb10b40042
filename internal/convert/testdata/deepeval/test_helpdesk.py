import pytest
from deepeval import assert_test
from deepeval.dataset import EvaluationDataset, Golden
from deepeval.metrics import ExactMatchMetric, PatternMatchMetric
from deepeval.test_case import LLMTestCase

from handbook import answer

dataset = EvaluationDataset()
dataset.add_goldens_from_json_file(file_path="goldens.json")


@pytest.mark.parametrize("golden", dataset.goldens)
def test_exact(golden: Golden):
    said, found = answer(golden.input)
    case = LLMTestCase(input=golden.input, actual_output=said, expected_output=golden.expected_output, retrieval_context=found)
    assert_test(case, [ExactMatchMetric()], run_async=False)


@pytest.mark.parametrize("pattern", [r"[A-Z]{2}-\d{4}", r"ab-\d+", r"[A-Z]{2}", r"\w+.\w+"])
@pytest.mark.parametrize("ignore_case", [False, True])
def test_pattern(pattern, ignore_case):
    said, found = answer("What is my code?")
    case = LLMTestCase(input="What is my code?", actual_output=said, retrieval_context=found)
    assert_test(case, [PatternMatchMetric(pattern=pattern, ignore_case=ignore_case)], run_async=False)


def test_both():
    said, _ = answer("How much leave do I have?")
    case = LLMTestCase(input="How much leave do I have?", actual_output=said, expected_output="You have 24 days of leave.")
    assert_test(case, [ExactMatchMetric(), PatternMatchMetric(r"You have \d+ weeks.*")], run_async=False)
