"""What a test evaluates."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._dataset import Dataset


@dataclass(frozen=True)
class Evaluation:
    """What a test evaluates: the arguments of assay.case."""

    dataset: Dataset
    metrics: Sequence[str] | str | None
    config: str | os.PathLike[str] | None
    settings: dict[str, Any]
