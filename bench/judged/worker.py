"""Scores the cases of a file with ragas or deepeval as their documentation shows.

Usage: worker.py ragas|deepeval CASES URL. The only line of the output that begins with "{" is
JSON: the version, the processor seconds until the program was imported, and the scores of each
case by metric. A score that is no number is an error.
"""

import asyncio
import json
import math
import sys
import time

program, path, url = sys.argv[1:]
with open(path) as f:
    cases = [json.loads(line) for line in f]
# A model that both programs know, and as many cases at once as each of them does by default.
model, key = "gpt-4o", "none"


def by_ragas():
    import openai
    import ragas
    from ragas.embeddings.base import embedding_factory
    from ragas.llms import llm_factory
    from ragas.metrics.collections import AnswerCorrectness, AnswerRelevancy, ContextPrecision, ContextRecall, Faithfulness
    from ragas.run_config import RunConfig

    imported = time.process_time()
    client = openai.AsyncOpenAI(base_url=url, api_key=key)
    llm = llm_factory(model, client=client)
    embeddings = embedding_factory("openai", model="text-embedding-3-small", client=client, interface="modern")
    metrics = [
        (Faithfulness(llm=llm), ("user_input", "response", "retrieved_contexts")),
        (AnswerRelevancy(llm=llm, embeddings=embeddings), ("user_input", "response")),
        (ContextPrecision(llm=llm), ("user_input", "reference", "retrieved_contexts")),
        (ContextRecall(llm=llm), ("user_input", "retrieved_contexts", "reference")),
        (AnswerCorrectness(llm=llm, embeddings=embeddings), ("user_input", "response", "reference")),
    ]

    async def score():
        room = asyncio.Semaphore(RunConfig().max_workers)

        async def one(case, metric, fields):
            sample = {"user_input": case["question"], "response": case["answer"], "reference": case["ground_truth"], "retrieved_contexts": case["contexts"]}
            async with room:
                return (await metric.ascore(**{name: sample[name] for name in fields})).value

        return await asyncio.gather(*(one(case, *metric) for case in cases for metric in metrics))

    values = asyncio.run(score())
    names = [metric.name for metric, _ in metrics]
    scores = [dict(zip(names, values[i : i + len(names)])) for i in range(0, len(values), len(names))]
    return ragas.__version__, imported, scores


def by_deepeval():
    import deepeval
    from deepeval import evaluate
    from deepeval.evaluate.configs import DisplayConfig
    from deepeval.metrics import AnswerRelevancyMetric, ContextualPrecisionMetric, ContextualRecallMetric, FaithfulnessMetric, GEval
    from deepeval.models import OpenAIModel
    from deepeval.test_case import LLMTestCase, SingleTurnParams

    imported = time.process_time()
    llm = OpenAIModel(model=model, base_url=url, api_key=key)
    correctness = GEval(
        name="Correctness",
        model=llm,
        evaluation_steps=[
            "Check whether the facts in 'actual output' contradict any facts in 'expected output'.",
            "Penalize the omission of details of the 'expected output'.",
            "Accept other words and opinions.",
        ],
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.EXPECTED_OUTPUT],
    )
    metrics = [FaithfulnessMetric(model=llm), AnswerRelevancyMetric(model=llm), ContextualPrecisionMetric(model=llm), ContextualRecallMetric(model=llm), correctness]
    tests = [
        LLMTestCase(name=case["id"], input=case["question"], actual_output=case["answer"], expected_output=case["ground_truth"], retrieval_context=case["contexts"])
        for case in cases
    ]
    display = DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False)
    results = evaluate(tests, metrics, display_config=display).test_results
    scores = [{m.name: m.score for m in r.metrics_data} for r in results]
    return deepeval.__version__, imported, scores


version, imported, scores = {"ragas": by_ragas, "deepeval": by_deepeval}[program]()
if len(scores) != len(cases):
    sys.exit(f"{len(scores)} cases were scored of {len(cases)}")
for case, one in zip(cases, scores):
    if len(one) != 5 or not all(isinstance(v, (int, float)) and math.isfinite(v) for v in one.values()):
        sys.exit(f"{case['id']}: want five numbers, not {one}")
print(json.dumps({"version": version, "imported": imported, "scores": scores}))
