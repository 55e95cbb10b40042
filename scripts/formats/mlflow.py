"""Has MLflow evaluate a table of recorded outputs without a model, and keeps the table
of results that it logs."""

import importlib.metadata
import pathlib
import shutil
import sys

import mlflow
import pandas

out = pathlib.Path(sys.argv[1])
mlflow.set_tracking_uri("sqlite:///mlflow.db")
frame = pandas.DataFrame(
    {
        "inputs": ["Who wrote the book?", "When?"],
        "ground_truth": ["Kim wrote it.", "1999"],
        "predictions": ["Kim wrote it all.", "In 1999."],
        "retrieved_context": [["Kim wrote the whole book alone."], ["It came out in 1999.", "Kim wrote the whole book alone."]],
    }
)


def lengths(predictions, targets, metrics):
    return mlflow.metrics.MetricValue(scores=[len(p) / 10 for p in predictions], aggregate_results={"mean": 1.0})


# The metrics of MLflow that keep a score of each row need a model, or load a tokenizer
# from the network.
length = mlflow.metrics.make_metric(eval_fn=lengths, greater_is_better=True, name="length")
with mlflow.start_run() as run:
    mlflow.models.evaluate(data=frame, targets="ground_truth", predictions="predictions", extra_metrics=[length])
    local = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="eval_results_table.json", dst_path="artifacts")
shutil.copy(local, out / "eval_results_table.json")
(out / "versions.txt").write_text(f"mlflow {importlib.metadata.version('mlflow')}\npandas {importlib.metadata.version('pandas')}\n")
