"""Evaluate RAG systems: retrieval, answers and every stage between, with confidence intervals.

report = assay.evaluate(chain, "questions.csv", metrics=["hit@5", "faithfulness"])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._run import evaluate
    from .cases import case
    from .client import Client, Refused
    from .comparison import Comparison, compare
    from .errors import Error, Failed, Interrupted
    from .report import Outcome, Report, load

# Where each name is; a program that uses none pays for none.
_HOMES = {
    "evaluate": "_run",
    "Client": "client",
    "Comparison": "comparison",
    "compare": "comparison",
    "Error": "errors",
    "Failed": "errors",
    "Interrupted": "errors",
    "Refused": "client",
    "case": "cases",
    "Outcome": "report",
    "Report": "report",
    "load": "report",
}

__all__ = ["Client", "Comparison", "Error", "Failed", "Interrupted", "Outcome", "Refused", "Report", "case", "compare", "evaluate", "load"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    found = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
