"""The traces of langchain_openinference, sent to a server of Phoenix and read back by its client.

    python export_phoenix.py FOLDER OTHER

OTHER is the folder of langchain_openinference. traces.jsonl holds the spans that
get_spans returns, dataframe.parquet the rows of get_spans_dataframe, dataframe.jsonl
those of one trace.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import ferry
import otlp
from phoenix.client import Client

SPANS = 1000


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def call(address, body=None):
    headers = {"Content-Type": "application/x-protobuf"} if body else {}
    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as reply:
        return reply.read()


def until(ready, seconds=120):
    """Waits until ready() is true."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise SystemExit("export_phoenix.py: the server of Phoenix did not get ready")
        time.sleep(0.2)


def answers(address):
    try:
        call(address)
        return True
    except (urllib.error.URLError, ConnectionError):
        return False


out, other = ferry.folder(), sys.argv[2]
lines = open(f"{other}/traces.jsonl", encoding="utf-8").read().splitlines()
requests = [otlp.request(line) for line in lines]
count = sum(len(s.spans) for r in requests for p in r.resource_spans for s in p.scope_spans)
with tempfile.TemporaryDirectory() as folder:
    address = f"http://127.0.0.1:{(port := free_port())}"
    environment = {
        **os.environ,
        "PHOENIX_WORKING_DIR": folder,
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
    }
    with open(f"{folder}/log", "w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "phoenix.server.main", "serve"], env=environment, stdout=log, stderr=log
        )
    try:
        until(lambda: server.poll() is not None or answers(address + "/healthz"))
        if server.poll() is not None:
            raise SystemExit(open(f"{folder}/log").read())
        for request in requests:
            call(address + "/v1/traces", request.SerializeToString())
        client = Client(base_url=address)
        until(lambda: len(client.spans.get_spans(project_identifier="default", limit=SPANS)) == count)
        with open(out / "traces.jsonl", "w", encoding="utf-8") as f:
            for span in client.spans.get_spans(project_identifier="default", limit=SPANS):
                f.write(json.dumps(span, ensure_ascii=False) + "\n")
        rows = client.spans.get_spans_dataframe(project_identifier="default", limit=SPANS)
        rows.to_parquet(out / "dataframe.parquet")
        one = rows[rows["context.trace_id"] == rows["context.trace_id"].iloc[-1]]
        one.to_json(out / "dataframe.jsonl", orient="records", lines=True, force_ascii=False, date_format="iso")
    finally:
        server.terminate()
        server.wait()
shutil.copy(f"{other}/expected.json", out / "expected.json")
