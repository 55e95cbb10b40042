"""LangChain, traced by LangChainTracer and the client of LangSmith.

A local server stands where LangSmith's does. It answers /runs/query with the runs
that the client sent, each with what the client changed later, so that the client's
own list_runs reads them back. traces.jsonl holds the runs as /runs/query returns
them, client.jsonl those of one trace as the client exports them. LangSmith itself adds more (counts of
tokens, costs, links): those fields are not here.
"""

import json
import os
import uuid

# Otherwise the state of this checkout.
os.environ["LANGCHAIN_REVISION_ID"] = "ferries-1"

import ferry
import langchain_chain
from langchain_core.tracers.langchain import LangChainTracer
from langsmith import Client
from recorder import Recorder

PROJECT = str(uuid.UUID(int=1))
RUNS = {}
# What the service says of itself; without multipart the client sends runs as JSON.
INGEST = {
    "use_multipart_endpoint": False,
    "size_limit": 100,
    "size_limit_bytes": 20_000_000,
    "scale_up_nthreads_limit": 1,
    "scale_up_qsize_trigger": 1000,
    "scale_down_nempty_trigger": 4,
}


def keep(run):
    held = RUNS.setdefault(run["id"], {"session_id": PROJECT})
    held.update({k: v for k, v in run.items() if v is not None})


def complete(run):
    """A run as the service returns it: with a state, and without the project's name."""
    run = {k: v for k, v in run.items() if k != "session_name"}
    # The one field that tells of the machine.
    run["extra"].get("runtime", {})["platform"] = "Linux"
    run["status"] = "error" if run.get("error") else "success" if run.get("end_time") else "pending"
    run["app_path"] = f"/o/none/projects/p/{PROJECT}/r/{run['id']}"
    return run


def answer(path, body):
    path = path.split("?")[0]
    if path == "/info":
        return {"version": "0.0.0", "batch_ingest_config": INGEST}
    if path == "/sessions":
        start = "2026-01-01T00:00:00"
        return [{"id": PROJECT, "name": "ferries", "tenant_id": PROJECT, "start_time": start, "reference_dataset_id": None}]
    if path == "/runs/query":
        return {"runs": [complete(run) for run in RUNS.values()], "cursors": {"next": None}}
    sent = json.loads(body)
    for run in [*sent.get("post", []), *sent.get("patch", [])] if path == "/runs/batch" else [sent]:
        keep(run)
    return {}


recorder = Recorder(answer)
client = Client(api_url=recorder.address, api_key="none", tracing_mode="langsmith", disable_prompt_cache=True)
chain = langchain_chain.chain().with_config(callbacks=[LangChainTracer(client=client, project_name="ferries")])
expected = ferry.Expected()
langchain_chain.ask_all(chain, expected, client.flush)
expected.write()
with open(ferry.folder() / "traces.jsonl", "w", encoding="utf-8") as f:
    for run in RUNS.values():
        f.write(json.dumps(complete(run), ensure_ascii=False) + "\n")
with open(ferry.folder() / "client.jsonl", "w", encoding="utf-8") as f:
    runs = list(client.list_runs(project_name="ferries"))
    for run in runs:
        if run.trace_id == runs[0].trace_id:
            f.write(run.model_dump_json() + "\n")
recorder.close()
