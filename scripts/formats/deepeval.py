"""Writes goldens, test cases and a test run of DeepEval. The metric of the run is a
formula, so that no model is asked."""

import importlib.metadata
import os
import pathlib
import shutil
import sys

from deepeval import evaluate
from deepeval.dataset import EvaluationDataset, Golden
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase, ToolCall

out = pathlib.Path(sys.argv[1])

goldens = [
    Golden(
        input="Who wrote the book?", expected_output="Kim wrote it.", context=["Kim wrote the whole book alone.", "It came out in 1999."],
        additional_metadata={"topic": "books"}, comments="easy", source_file="books.md",
    ),
    Golden(
        input="When, then?", actual_output="In 1999.", expected_output="1999", retrieval_context=["It came out in 1999."],
        expected_tools=[ToolCall(name="search")],
    ),
    Golden(input="Why?"),
]
for kind in ["json", "csv", "jsonl"]:
    dataset = EvaluationDataset(goldens=goldens)
    folder = out / "tmp"
    dataset.save_as(file_type=kind, directory=str(folder))
    (written,) = folder.iterdir()
    shutil.move(written, out / f"goldens.{kind}")
    folder.rmdir()

class Length(BaseMetric):
    def __init__(self):
        self.threshold = 0.5
        self.async_mode = False

    def measure(self, test_case, *args, **kwargs):
        self.score = min(1.0, len(test_case.actual_output) / 10)
        self.reason = "the length over ten"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Length"

os.environ["DEEPEVAL_RESULTS_FOLDER"] = str(out / "tmp")
evaluate(
    test_cases=[
        LLMTestCase(
            input="Who wrote the book?", actual_output="Kim wrote it all.", expected_output="Kim wrote it.",
            context=["Kim wrote the whole book alone."],
            retrieval_context=["Kim wrote the whole book alone.", "It came out in 1999."], completion_time=1.5, token_cost=0.002,
            additional_metadata={"topic": "books"}, tags=["easy"],
        ),
        LLMTestCase(input="When?", actual_output="No.", expected_output="1999", retrieval_context=[]),
    ],
    metrics=[Length()],
)
(written,) = (out / "tmp").glob("test_run_*.json")
shutil.move(written, out / "run.json")
shutil.rmtree(out / "tmp")
latest = pathlib.Path(".deepeval/.latest_test_run.json")
if latest.exists():
    shutil.copy(latest, out / "latest.json")
(out / "versions.txt").write_text(f"deepeval {importlib.metadata.version('deepeval')}\n")
