"""Uses a server by way of the client that was generated into the package client: it
lists, filters, compares, starts, follows and cancels."""

import json
import sys

from client import Client
from client.api.comparisons import compare_runs, list_compared_cases
from client.api.runs import cancel_run, list_cases, list_runs, start_run
from client.models import ErrorModel, ListComparedCasesClass, RunRequest, RunRequestConfig

c = Client(base_url=sys.argv[1])


def start(config, **settings):
    r = start_run.sync(client=c, body=RunRequest(config=RunRequestConfig.from_dict(config), **settings))
    return r.run_id


def follow(run, until):
    """Reads the events of a run until one with a name; returns its data and the number of cases."""
    name, cases = "", 0
    with c.get_httpx_client().stream("GET", f"/api/v1/runs/{run}/events") as events:
        for line in events.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
                cases += name == "case"
            if line.startswith("data: ") and name == until:
                return json.loads(line.removeprefix("data: ")), cases
    raise AssertionError(f"run {run}: its events end before {until}")


ids = []
for i, k in enumerate([3, 1]):
    run = start({"top-k": k}, name=f"python {i}", dataset="rivers.jsonl")
    end, cases = follow(run, "done")
    assert end["state"] == "finished" and cases == 3, (end, cases)
    ids.append(run)

runs = list_runs.sync(client=c, name="python 1")
assert runs.total == 1 and runs.items[0].run_id == ids[1], runs
cases = list_cases.sync(ids[0], client=c, q="hit@1>0.5 Rome", sort="-mrr")
assert cases.total == 1 and cases.items[0].case_id == "tc_3", cases
assert cases.items[0].scores["hit@1"].value == 1, cases
wrong = list_cases.sync(ids[0], client=c, q="hit@1>")
assert isinstance(wrong, ErrorModel) and wrong.errors[0].location == "query.q", wrong

both = ",".join(ids)
compared = json.loads(compare_runs.sync_detailed(client=c, runs=both, cases=False).content)
assert compared["baseline"] == "python 0" and compared["summary"]["hit@1"]["differences"]["python 1"]["n"] == 3, compared
pairs = list_compared_cases.sync(client=c, runs=both, class_=ListComparedCasesClass.UNKNOWN)
assert pairs.total == 3 and len(pairs.items[0].cells) == 2, pairs

slow = start({"concurrency": 1}, dataset="slow.jsonl", target="slow")
follow(slow, "case")
assert cancel_run.sync(slow, client=c).run_id == slow
end, cases = follow(slow, "done")
assert end["state"] == "cancelled" and 0 < cases < end["total"], (end, cases)
