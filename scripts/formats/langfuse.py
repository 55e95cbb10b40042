"""Writes dataset items of Langfuse as its SDK serialises them. The service itself is
not started here."""

import datetime
import importlib.metadata
import json
import pathlib
import sys

from langfuse.api import DatasetItem, DatasetStatus

out = pathlib.Path(sys.argv[1])
made = datetime.datetime(2026, 1, 15, 12, 0, tzinfo=datetime.timezone.utc)

def item(n, input, expected, metadata=None, status=DatasetStatus.ACTIVE):
    return DatasetItem(
        id=f"item-{n}", status=status, input=input, expected_output=expected, metadata=metadata,
        source_trace_id=None, source_observation_id=None,
        dataset_id="ds-1", dataset_name="books", created_at=made, updated_at=made, media_references=[],
    )

items = [
    item(1, {"question": "Who wrote the book?", "language": "en"}, {"answer": "Kim wrote it."}, {"topic": "books"}),
    item(2, "When?", "1999"),
    item(3, "Old?", "Yes.", status=DatasetStatus.ARCHIVED),
    item(4, [{"role": "user", "content": "Why?"}], None),
]

def dumped(i, by_alias):
    return json.loads(i.model_dump_json(by_alias=by_alias)) if hasattr(i, "model_dump_json") else json.loads(i.json(by_alias=by_alias))

for name, by_alias in [("items.jsonl", True), ("items-snake.jsonl", False)]:
    with open(out / name, "w") as f:
        for i in items:
            f.write(json.dumps(dumped(i, by_alias)) + "\n")
(out / "versions.txt").write_text(f"langfuse {importlib.metadata.version('langfuse')}\n")
