"""Datasets of a program as files that assay reads."""

from __future__ import annotations

import bisect
import csv
import datetime
import enum
import hashlib
import io
import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# What evaluate takes as a dataset: a path, rows, or a table of pandas or of Hugging Face.
Dataset = str | os.PathLike[str] | Iterable[Mapping[str, Any]] | Any


# Columns of the turns before a question, whose pairs and messages are lists in the metadata.
_HISTORY = ("history", "chat_history", "conversation", "messages")


def path_of(dataset: Dataset, folder: Path) -> str:
    """Return the path of a dataset, which is written to folder if it is not a file yet.

    Rows are a table, whose columns have the names of the format csv. Rows that hold objects, such as documents
    with grades, are lines of assay's own format.
    """
    if isinstance(dataset, (str, os.PathLike)):
        return str(os.fspath(dataset))
    given = list(_rows(dataset))
    times = {name for row in given for name, value in row.items() if isinstance(value, datetime.datetime) and _json(value) == str(value)}
    # Midnight is a date only where all of its column is, as pandas writes it.
    dated = ({name: str(v) if name in times and _is_date(v) else v for name, v in row.items()} for row in given)
    rows = [_plain(row, place) for place, row in enumerate(dated)]
    if not rows:
        raise ValueError("the dataset has no rows: expected at least one case")
    fields = [(name, value) for row in rows for name, value in row.items() if name not in _HISTORY]
    if any(_holds_objects(value) or (name == "question" and isinstance(value, list)) for name, value in fields):
        return _written("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), folder, ".jsonl")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO(newline="")
    table = csv.DictWriter(out, columns)
    table.writeheader()
    table.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return _written(out.getvalue(), folder, ".csv")


def _written(text: str, folder: Path, extension: str) -> str:
    """Write rows to a file that has their hash as its name, so that a run on the same rows can be resumed."""
    data = text.encode("utf-8", "surrogatepass")
    file = folder / f"rows-{hashlib.sha256(data).hexdigest()[:12]}{extension}"
    file.write_bytes(data)
    return str(file)


def is_written(path: str) -> bool:
    """Tell whether a dataset is the rows of the caller, in a temporary file."""
    return Path(path).name.startswith("rows-")


def located(message: str, path: str) -> str:
    """Return a message of assay with the rows of the caller, counted from 0, in place of the lines of their file."""
    file = Path(path)
    if not is_written(path):
        return message
    differ = r'\S*dataset "[^"]*rows-\w+\.\w+": the run was started with "[^"]*"'
    message = re.sub(differ, "the rows differ from those that the run was started with", message)
    # A run that is resumed names the file that it began with.
    message = re.sub(rf'[^\s"]*[/\\]{file.name}', lambda _: path, message)
    if path not in message:
        return message
    ends = list(range(1, 1 + file.read_bytes().count(b"\n")))
    if file.suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as lines:
            table = csv.reader(lines)
            ends = [table.line_num for _ in table]

    def row(found: re.Match[str]) -> str:
        number = bisect.bisect_left(ends, int(found[1])) - (file.suffix == ".csv")
        return f"row {number} of the dataset" if number >= 0 else "the dataset"

    lines_ = message.split("\n")
    for i, line in enumerate(lines_):
        if path in line:
            placed = re.sub(re.escape(path) + r":(\d+)", row, line).replace(path, "the dataset")
            lines_[i] = re.sub(r"\bin line (\d+)", lambda found: f"in {row(found)}", placed)
    return "\n".join(lines_)


def _rows(dataset: Any) -> Iterable[Mapping[Any, Any]]:
    for method, *how in (("to_dicts",), ("to_pylist",), ("to_dict", "records")):  # a table of polars, pyarrow or pandas
        if hasattr(dataset, "columns") and hasattr(dataset, method):
            table: list[Mapping[Any, Any]] = getattr(dataset, method)(*how)
            return table
    if isinstance(dataset, Mapping):
        want = f"dataset[{next(iter(dataset))!r}]" if dataset else "a split of it"
        raise TypeError(f"the dataset is a mapping, as of several splits; give one of them, such as {want}")
    if isinstance(dataset, Iterable):
        rows = list(dataset)
        for place, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise TypeError(
                    f"row {place} of the dataset is {type(row).__name__}: expected a mapping such as {{'question': …, 'answer': …}}"
                )
        return rows
    raise TypeError(
        f"the dataset is {type(dataset).__name__}: expected a path, a list of mappings, or a table of pandas, polars or Hugging Face"
    )


def _plain(row: Mapping[Any, Any], place: int) -> dict[str, Any]:
    """Return a row of JSON values without those that are absent."""
    values = {}
    for name, value in row.items():
        try:
            values[str(_json(name))] = _json(value)
        except ValueError as error:
            raise ValueError(f"row {place} of the dataset, {name!r}: {error}: expected text, a number or a date") from None
    return {name: value for name, value in values.items() if value is not None}


def _json(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return str(bytes(value), "utf-8")
    if hasattr(value, "tolist") and not isinstance(value, type):  # of numpy
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _json(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_json(inner) for inner in value]
    if str(value) == object.__repr__(value):
        raise ValueError(f"an object of {type(value).__name__}")
    absent = type(value).__name__ in ("NAType", "NaTType")  # of pandas
    return None if absent else str(value.date() if _is_date(value) else value)


def _is_date(value: Any) -> bool:
    return isinstance(value, datetime.datetime) and str(value) != "NaT" and value.tzinfo is None and value.time() == datetime.time()


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(inner, (dict, list)) for inner in value))


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else value
