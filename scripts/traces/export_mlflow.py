"""LangChain, traced by mlflow.langchain.autolog into a store of SQLite.

traces.jsonl holds Trace.to_json of each trace, dataframe.jsonl the first of the rows
that search_traces returns by default: each holds its trace twice.
"""

import os
import tempfile

import ferry
import langchain_chain
import mlflow


def without(folder, text):
    """The text with another name for the folder of the store, which is of this machine alone."""
    return text.replace(folder.replace("/", "\\/"), "\\/mlflow").replace(folder, "/mlflow")


out = ferry.folder().absolute()
chain = langchain_chain.chain()
expected = ferry.Expected()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    mlflow.set_experiment("ferries")
    mlflow.langchain.autolog()
    langchain_chain.ask_all(chain, expected)
    mlflow.flush_trace_async_logging()
    with open(out / "traces.jsonl", "w", encoding="utf-8") as f:
        for trace in mlflow.search_traces(return_type="list", order_by=["timestamp_ms ASC"]):
            f.write(without(folder, trace.to_json()) + "\n")
    rows = mlflow.search_traces(return_type="pandas", order_by=["timestamp_ms ASC"])
    text = rows.head(1).to_json(orient="records", lines=True, force_ascii=False)
    (out / "dataframe.jsonl").write_text(without(folder, text), encoding="utf-8")
    os.chdir(out)
expected.write()
