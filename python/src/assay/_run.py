"""Starts a run that asks an object of this program."""

from __future__ import annotations

import contextlib
import contextvars
import json
import math
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from . import _binary, _dataset, _options
from .errors import FATAL, INTERRUPTED, Error, raised
from .report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import Settings

# Called with the number of finished cases and that of all.
Progress = Callable[[int, int], None]

# Windows passes Ctrl-C on only to a whole group of processes, and to one that is named Ctrl-Break.
_INTERRUPT = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)

# For how many seconds the open questions may still be answered after Ctrl-C.
_GRACE = 3.0

# Settings that say what is asked, so that no object can be given beside them.
_TARGETS = ("adapter", "command", "endpoint", "object", "chain_path", "index_path", "responses", "corpus", "preset")


def evaluate(
    target: object = None,
    dataset: _dataset.Dataset = None,
    *,
    metrics: Sequence[str] | str | None = None,
    config: str | os.PathLike[str] | None = None,
    resume: bool | str = False,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Report:
    """Evaluate a system on a dataset and return the report.

    target is what answers a question: a function (also async, or a generator), a chain, graph or retriever of LangChain,
    an index, engine or workflow of LlamaIndex, or an object with invoke, query, chat, retrieve or run. Without it the
    settings say what is asked, as for assay run: evaluate(adapter="http", endpoint=…).

    dataset is a path, a list of mappings, or a table of pandas, polars or Hugging Face. Every setting of assay run is a keyword:
    concurrency=8, judge="openai:gpt-4.1-mini", gate=["hit@5 >= 0.8"], threshold={"faithfulness": 0.85}.

    Thresholds, rules and critical cases that fail do not raise: report.passed tells, and report.check() raises. What
    assay run ends with exit code 3 for raises Error.
    """
    given: dict[str, object] = dict(settings)
    if target is not None:
        named = [name for name in _TARGETS if given.get(name) is not None]
        if named:
            raise TypeError(f"evaluate() got an object to ask and {named[0]}; give one of them")
        given.update(_adapter(target))
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        if dataset is not None:
            given["dataset"] = _dataset.path_of(dataset, Path(folder))
        file = _files(given, Path(folder))
        args = ["run", "--json", *_options.flags(given | {"metrics": metrics}, "evaluate()")]
        if config is not None:
            args.append(f"--config={os.fspath(config)}")
        if resume:
            args.append("--resume" if resume is True else f"--resume={resume}")
        run = _Run(args, target, progress, str(given.get("dataset")))
        code = run.wait()
        report = None
        # A finished run that is resumed begins no more, and has a report.
        if (run.began or code < FATAL) and file.is_file():
            raw = file.read_bytes().decode("utf-8", "surrogatepass")
            report = Report(_dataset.located(raw, str(given.get("dataset"))).encode("utf-8", "surrogatepass"), code, run.message)
        if report is None or code in (FATAL, INTERRUPTED):
            error = raised(code, run.message)
            error.report = report
            raise error
        return report


def _files(settings: dict[str, object], folder: Path) -> Path:
    """Return where the run writes its report as JSON: a temporary file, unless the settings name one."""
    if settings.get("output") is None:
        settings.update(output=str(folder / "report"), formats="json")
        return folder / "report.json"
    formats = settings.get("formats")
    if formats is not None:
        named = formats.split(",") if isinstance(formats, str) else [str(f) for f in formats]  # type: ignore[attr-defined]
        settings["formats"] = [*named, *(["json"] if "json" not in named else [])]
    return Path(f"{os.fspath(settings['output'])}.json")  # type: ignore[call-overload]


def _adapter(target: object) -> dict[str, object]:
    """Return the settings that ask an object of this program."""
    for kind in type(target).__mro__:
        package = kind.__module__.partition(".")[0]
        if package.startswith("langchain") or package == "langgraph":
            return {"adapter": "langchain", "chain_path": "-"}
        if package == "llama_index":
            return {"adapter": "llamaindex", "index_path": "-"}
    return {"adapter": "python", "object": "-"}


class _Run:
    """A process of assay run, whose questions about target are answered here."""

    def __init__(self, args: Sequence[str], target: object, progress: Progress | None, dataset: str) -> None:
        self.began = False
        self._ended = threading.Event()
        self._lines: list[str] = []
        self._progress, self._target, self._dataset = progress, target, dataset
        self._error: BaseException | None = None
        self._process = _binary.start(
            args,
            stdin=subprocess.PIPE if target is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C is for this program, which passes it on.
            start_new_session=os.name != "nt",
            creationflags=_NEW_GROUP,
        )
        for work in (self._listen, self._answer if target is not None else self._collect):
            # The target sees the context variables of its caller; two threads cannot share a context.
            run = contextvars.copy_context().run
            threading.Thread(target=run, args=(self._keep(work),), name="assay", daemon=True).start()

    @property
    def message(self) -> str:
        """What the run wrote about its end: everything, if it says nothing of its own."""
        own = [line for line in self._lines if line.startswith("assay: ")]
        message = _dataset.located("".join(own or self._lines), self._dataset)
        # Only this program has the target.
        resumes = r'evaluate(…, resume="\1") with the same target, dataset and settings'
        here = self._target is not None or _dataset.is_written(self._dataset)
        return re.sub(r"assay run --resume=(\S+).*(?= resumes it)", resumes, message) if here else message

    def wait(self) -> int:
        """Wait for the end and return the exit code. Ctrl-C ends the run, which keeps its finished cases."""
        try:
            self._ends()
            code = self._process.wait()
        except BaseException as error:
            self._stop()
            if isinstance(error, KeyboardInterrupt):
                raise KeyboardInterrupt(str(raised(INTERRUPTED, self.message))) from None
            raise
        if self._error is not None:
            raise self._error
        return code

    def _ends(self, limit: float = math.inf) -> bool:
        """Wait until the run has closed its standard error, and tell whether it has."""
        end = time.monotonic() + limit
        # Neither a join of a thread nor a wait without a limit can be interrupted everywhere.
        while not self._ended.wait(0.2) and time.monotonic() < end:
            pass
        return self._ended.is_set()

    def _stop(self) -> None:
        with contextlib.suppress(OSError, KeyboardInterrupt):
            # The first signal waits for the open questions, the second does not.
            self._process.send_signal(_INTERRUPT)
            if not self._ends(_GRACE):
                self._process.send_signal(_INTERRUPT)
                self._ends()
            self._process.wait()
            return
        self._process.kill()
        self._process.wait()

    def _keep(self, work: Callable[[], None]) -> Callable[[], None]:
        """Return work that keeps what it raises, and ends the run then."""

        def kept() -> None:
            try:
                work()
            except BaseException as error:
                self._error = self._error or error
                self._process.kill()

        return kept

    def _listen(self) -> None:
        """Read standard error: progress as lines of JSON, and text for people."""
        assert self._process.stderr is not None
        try:
            with self._process.stderr as lines:
                for raw in lines:
                    self._hear(raw.decode("utf-8", "replace"))
        finally:
            self._ended.set()

    def _hear(self, line: str) -> None:
        if not line.startswith('{"event":'):
            self._lines.append(line)
            return
        event = json.loads(line)
        self.began = self.began or event["event"] == "started"
        if self._progress is not None and event["event"] in ("started", "case"):
            self._progress(event["done"], event["total"])

    def _collect(self) -> None:
        """Read standard output, which has the text for people if no object of this program is asked."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self._lines.extend(line.decode("utf-8", "replace") for line in lines)

    def _answer(self) -> None:
        """Run the program that the first line carries: it asks the object and reads its results."""
        questions, replies = self._process.stdout, self._process.stdin
        assert questions is not None
        assert replies is not None
        with questions:
            first = questions.readline()
            if first:
                _serve(json.loads(first), questions, replies, self._target)
        with contextlib.suppress(OSError):
            replies.close()


def _serve(hello: dict[str, Any], questions: IO[bytes], replies: IO[bytes], target: object) -> None:
    if not isinstance(hello.get("code"), str):
        raise Error("the program assay is of another version than this package: its first line carries no code")
    code = compile(hello["code"], "<assay>", "exec")
    exec(code, {"__name__": "assay._asking", "requests": questions, "replies": replies, "hello": hello, "given": target})
