"""Writes the test set and the evaluation results of Ragas by its own classes."""

import importlib.metadata
import pathlib
import sys

from ragas import EvaluationDataset, SingleTurnSample
from ragas.testset.synthesizers.testset_schema import Testset, TestsetSample

out = pathlib.Path(sys.argv[1])
samples = [
    TestsetSample(
        eval_sample=SingleTurnSample(
            user_input="Who wrote the book?", reference_contexts=["Kim wrote the whole book alone."], reference="Kim wrote it.",
            persona_name="Reader", query_style="PERFECT_GRAMMAR", query_length="SHORT",
        ),
        synthesizer_name="single_hop_specific_query_synthesizer",
    ),
    TestsetSample(
        eval_sample=SingleTurnSample(
            user_input="Who drew the pictures of the book that Kim wrote?",
            reference_contexts=["<1-hop>\n\nKim wrote the whole book alone.", "<2-hop>\n\nLee drew all of the pictures."], reference="Lee.",
        ),
        synthesizer_name="multi_hop_specific_query_synthesizer",
    ),
]
testset = Testset(samples=samples)
testset.to_jsonl(out / "testset.jsonl")
testset.to_csv(out / "testset.csv")
testset.to_pandas().to_json(out / "testset-frame.json", orient="records")
EvaluationDataset(
    samples=[
        SingleTurnSample(
            user_input="Who?", retrieved_contexts=["Kim wrote the whole book alone.", "It came out in 1999."],
            response="Kim.", reference="Kim",
            reference_context_ids=["a"], retrieved_context_ids=["a", "b"],
        )
    ]
).to_jsonl(out / "evaluation.jsonl")
(out / "versions.txt").write_text(f"ragas {importlib.metadata.version('ragas')}\n")
