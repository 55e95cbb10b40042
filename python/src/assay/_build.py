"""Builds the generated data classes of assay.schema from JSON."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from typing import Any, TypeVar

T = TypeVar("T")


def build(kind: type[T], value: Any) -> T:
    """Return value as an instance of a data class. Members that the class does not know are left out."""
    made: T = _build(kind, value)
    return made


def _build(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        members = _members(kind)
        return kind(**{members[name][0]: _build(members[name][1], inner) for name, inner in value.items() if name in members})
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _build(next(a for a in args if a is not type(None)), value)
    if origin is list:
        return [_build(args[0], inner) for inner in value]
    if origin is dict:
        return {name: _build(args[1], inner) for name, inner in value.items()}
    return value


@functools.cache
def _members(kind: Any) -> dict[str, tuple[str, Any]]:
    """Return the members of a class by their names in JSON, which may be words of Python: "not" is not_ here."""
    hints = typing.get_type_hints(kind)
    return {field.name.rstrip("_"): (field.name, hints[field.name]) for field in dataclasses.fields(kind)}
