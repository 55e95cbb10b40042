"""LangChain, traced by mlflow.langchain.autolog into a store of SQLite.

traces.jsonl holds Trace.to_json of each trace, dataframe.jsonl the rows that
search_traces returns by default.
"""

import os
import tempfile

import ferry
import langchain_chain
import mlflow

out = ferry.folder().absolute()
chain = langchain_chain.chain()
expected = ferry.Expected()
with tempfile.TemporaryDirectory() as folder:
    # Relative addresses, so that no trace names a folder of this machine.
    os.chdir(folder)
    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("ferries", artifact_location="artifacts"))
    mlflow.langchain.autolog()
    langchain_chain.ask_all(chain, expected)
    mlflow.flush_trace_async_logging()
    with open(out / "traces.jsonl", "w", encoding="utf-8") as f:
        for trace in mlflow.search_traces(return_type="list", order_by=["timestamp_ms ASC"]):
            f.write(trace.to_json() + "\n")
    rows = mlflow.search_traces(return_type="pandas", order_by=["timestamp_ms ASC"])
    rows.to_json(out / "dataframe.jsonl", orient="records", lines=True, force_ascii=False)
    os.chdir(out)
expected.write()
