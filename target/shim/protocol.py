"""The protocol of assay's shim: one JSON object per line in each direction.

The parts protocol, load, call, read, listen, index, score and main are run as one program, in
this order. It gets `requests`, a binary file, and `hello`, the settings, from
the line that starts it. A program that has started assay runs the same parts
and also gives `replies`, a binary file, and `given`, the object to ask: its own
standard streams are then left alone. Python 3.8 and later, no packages.
"""
from __future__ import annotations

import asyncio
import collections.abc
import contextvars
import dataclasses
import difflib
import enum
import functools
import importlib
import importlib.util
import inspect
import itertools
import json
import logging
import math
import numbers
import os
import queue
import re
import sys
import threading
import time
import traceback
import types
import uuid

hosted = "given" in globals()
if not hosted:
    # Replies go to the original standard output. Output that libraries print goes to
    # standard error, and standard input is empty for them.
    replies = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    _nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(_nothing, 0)
    os.close(_nothing)
_sending = threading.Lock()


class Refusal(Exception):
    """An error that tells the user what to change, shown without a traceback."""


def send(reply):
    """Writes one reply; values without a JSON form become null or text."""
    line = json.dumps(plain(reply), allow_nan=False).encode() + b"\n"
    if len(line) > hello["limit"]:
        line = json.dumps({
            "seq": reply.get("seq"),
            "error": "the reply is %d MiB of JSON: expected at most %d" % (len(line) >> 20, hello["limit"] >> 20),
            "again": False,
        }).encode() + b"\n"
    with _sending:
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[replies.write(rest):]
            replies.flush()
        except (OSError, ValueError):
            pass  # assay has ended


# Names of fields that report errors beside a result.
ERRORS = re.compile("error|exception|fail|warn|debug|metadata", re.I)


def sound(value, name=""):
    """Raises an exception that was returned in place of a result; one in a field that reports errors stays."""
    if isinstance(value, BaseException) and not ERRORS.search(name):
        raise value
    return value


def within(name, key):
    """The name for sound of a field of a named value."""
    return "error " + key if ERRORS.search(name) else key


def plain(value, depth=0, name=""):
    """Converts a value to JSON types."""
    sound(value, name)
    if value is None or isinstance(value, (bool, str)):
        # The text may be an instance of a subclass of str, whose str() may be another text.
        return str.__str__(value) if isinstance(value, str) else value
    if isinstance(value, enum.Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth > 20:
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, collections.abc.Mapping):
        return {str(k): plain(v, depth + 1, within(name, str(k))) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(v, depth + 1, name) for v in value]
    for name in ("tolist", "item"):  # numpy, torch
        if callable(getattr(value, name, None)) and not isinstance(value, type):
            try:
                return plain(getattr(value, name)(), depth + 1)
            except Exception:
                return str(value)
    shown = fields(value)
    return plain(shown, depth + 1, name) if shown else str(value)


def fields(value):
    """The fields of a record object, else {}."""
    if isinstance(value, type):
        return {}
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    names = getattr(type(value), "model_fields", None) or getattr(type(value), "__fields__", None)
    if isinstance(names, dict):
        extra = getattr(value, "model_extra", None)  # what the model does not declare
        return dict({name: getattr(value, name, None) for name in names}, **extra if isinstance(extra, dict) else {})
    if isinstance(getattr(type(value), "__attrs_attrs__", None), tuple):
        return {a.name: getattr(value, a.name, None) for a in type(value).__attrs_attrs__}
    if callable(getattr(value, "_asdict", None)):  # a named tuple
        return dict(value._asdict())
    if isinstance(getattr(type(value), "__struct_fields__", None), tuple):  # of msgspec
        return {name: getattr(value, name, None) for name in type(value).__struct_fields__}
    if callable(getattr(value, "keys", None)) and hasattr(value, "__getitem__"):  # a row of sqlite3 or asyncpg
        return {name: value[name] for name in value.keys()}
    value = getattr(value, "_pb", value)
    described = getattr(getattr(type(value), "DESCRIPTOR", None), "fields", None)
    if described is not None and callable(getattr(value, "ListFields", None)):  # a message of protobuf
        given = {f.name for f, _ in value.ListFields()}
        return {f.name: getattr(value, f.name) for f in described if f.message_type is None or f.name in given}
    return {}


class Loop:
    """One event loop in its own thread, for all asynchronous calls."""

    def __init__(self):
        self.lock = threading.Lock()
        self.loop = None

        self.thread = None
        self.blocked = ""

    def serve(self):
        self.loop.run_forever()
        self.loop.close()

    def run(self, awaitable):
        with self.lock:
            if self.loop is None:
                self.loop = asyncio.new_event_loop()
                self.thread = threading.Thread(target=self.serve, daemon=True)
                self.thread.start()
        begun, turn = threading.Event(), threading.Lock()

        async def run():
            try:
                return await awaitable, None
            except (SystemExit, KeyboardInterrupt) as error:  # these would end the loop
                return None, error

        async def wait():
            if not turn.acquire(False):
                return None, None
            begun.set()
            return await run()

        future = asyncio.run_coroutine_threadsafe(wait(), self.loop)
        if not self.begins(begun) and turn.acquire(False):
            # It would fail for what another question does. What belongs to the blocked loop, such as a client, would fail too.
            result, error = asyncio.run(run())
        else:
            result, error = future.result()
        if error is not None:
            raise error
        return result

    def begins(self, begun):
        """Waits until a call begins, at most for half of its time. An idle loop begins it at once, so one that does not is blocked."""
        half = (allowed.get() or 60) / 2
        if not begun.wait(min(BLOCKED, half)):
            frame = sys._current_frames().get(self.thread.ident)
            if frame and not begun.is_set() and not self.blocked:
                frames = traceback.extract_stack(frame)
                own = ([f for f in frames if is_own(f.filename)] or frames)[-1]
                self.blocked = "%s:%d in %s" % (shorter(own.filename), own.lineno, own.name)
        return begun.wait(max(0, half - BLOCKED))

    def close(self):
        with self.lock:
            if self.loop is not None:
                self.loop.call_soon_threadsafe(self.loop.stop)


loop = Loop()

# The time limit of the question that a thread asks, in seconds; None without one.
allowed = contextvars.ContextVar("allowed", default=None)

# How long an asynchronous call may wait for the loop until that counts as blocked, in seconds.
BLOCKED = 1


def explain(error):
    """Describes an exception in one line; the traceback goes to standard error, or to the log of a calling program."""
    if isinstance(error, Refusal):
        return str(error)
    text = type(error).__name__
    try:
        if str(error):
            text += ": %s" % error
        if hosted:
            logging.getLogger("assay").info("%s", text, exc_info=error)
        else:
            traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    except Exception:
        pass  # its str() fails
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<assay")]
    frames = [f for f in frames if is_own(f.filename)] or frames
    if frames:
        text += " (%s:%d in %s)" % (shorter(frames[-1].filename), frames[-1].lineno, frames[-1].name)
    if isinstance(error, ModuleNotFoundError) and not hosted:
        text += "; this is %s: expected --python with the one that has the package" % sys.executable
    return text


def is_own(file):
    """Whether a file is the user's: neither Python's nor a package's."""
    return not file.startswith((os.path.dirname(os.__file__) + os.sep, "<frozen")) and not re.search(r"[/\\](site|dist)-packages[/\\]", file)


def outage(error):
    """Whether an exception tells of a service that may answer later: a connection, a timeout, a status such as 429."""
    while error is not None:
        response = getattr(error, "response", None)
        codes = [getattr(of, name, None) for of in (error, response) for name in ("status_code", "status", "code")]
        status = next((code for code in codes if isinstance(code, int) and code >= 100), None)  # urllib and Google have code, aiohttp status
        if status is not None:
            return status in (408, 425, 429) or status >= 500 and status not in (501, 505)
        if any(re.search("Timeout|Connect|RateLimit|Unavailable", kind.__name__) for kind in type(error).__mro__):
            return True
        error = error.__cause__
    return False


def shorter(file):
    try:
        return os.path.relpath(file)
    except ValueError:  # on another drive
        return file
