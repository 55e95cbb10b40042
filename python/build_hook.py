"""Puts the program for one system into the wheel, as scripts/python.sh asks for it."""

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Program(BuildHookInterface[Any]):
    """Adds the program as a script, and the tag of the system that it is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Reads what to add from the environment."""
        try:
            program, tag = os.environ["ASSAY_PYTHON_PROGRAM"], os.environ["ASSAY_PYTHON_TAG"]
        except KeyError as missing:
            raise SystemExit(f"{missing} is not set: bash scripts/python.sh build builds the wheels") from None
        build_data["shared_scripts"] = {program: os.path.basename(program)}
        build_data["tag"] = tag
        build_data["pure_python"] = False
