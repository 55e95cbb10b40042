"""What can go wrong, with the message of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .report import Report

FATAL = 3
INTERRUPTED = 130


class Error(Exception):
    """The program could not do what it was asked.

    The text is its message, code its exit code, and report what a run has measured nevertheless, if it has.
    """

    def __init__(self, message: str, code: int = FATAL) -> None:
        super().__init__(message)
        self.code = code
        self.report: Report | None = None


class Interrupted(Error):
    """The run was interrupted; its finished cases are kept."""


class Failed(Error):
    """A run missed a threshold or a rule (code 1), or a critical case failed (code 2)."""


def raised(code: int, text: str) -> Error:
    """Return the error for an exit code and what the program wrote on standard error."""
    lines = [line.removeprefix("assay: ").rstrip() for line in text.strip().splitlines()]
    message = "\n".join(lines) or f"assay ended with exit code {code} and wrote nothing"
    return Interrupted(message, code) if code == INTERRUPTED else Error(message, code)
