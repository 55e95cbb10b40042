"""Settings as keywords to arguments of the program."""

from __future__ import annotations

import datetime
import difflib
import json
import os
from collections.abc import Iterable, Mapping

from .settings import Settings

NAMES = (*Settings.__annotations__, "dataset", "metrics")
# Settings whose value is JSON, which a mapping writes.
_JSON = ("send",)


def flags(settings: Mapping[str, object], caller: str, before: str = "--set=") -> list[str]:
    """Return the arguments for the settings, each with what stands before its name; None leaves a setting out."""
    out: list[str] = []
    for name, value in settings.items():
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, 2)
            hint = f"did you mean {' or '.join(near)}?" if near else "assay doctor config --all lists the settings"
            raise TypeError(f"{caller} has no setting {name!r}: {hint}")
        if value is not None:
            dashed = name.replace("_", "-")
            out += [f"{before}{dashed}={text}" for text in _texts(name, value)]
    return out


def _texts(name: str, value: object) -> Iterable[str]:
    """Return the values of a flag: one, or several of a flag that is repeated."""
    if name in _JSON and not isinstance(value, str):
        return [json.dumps(value)]
    if isinstance(value, Mapping):
        between = ": " if name == "header" else "="
        return [f"{key}{between}{_text(name, entry)}" for key, entry in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [",".join(_text(name, item) for item in value)]
    return [_text(name, value)]


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds()}s"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    raise TypeError(f"{name}: {value!r} is {type(value).__name__}: expected text, a number, a path, or a list or a mapping of them")
