"""A client of the HTTP API of assay serve."""

from __future__ import annotations

import io
import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from .api import Event, Operations
from .errors import Error
from .report import Report


class Refused(Error):
    """The server refused a request: status is that of HTTP, and problem what it wrote (RFC 9457)."""

    def __init__(self, message: str, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status, self.problem = status, problem


class Client(Operations):
    """A client of assay serve: a method for each operation of its API, which /docs of the server describes.

    Replies are what the server sends as JSON; streams are iterators of events, reports are texts. An error of the server
    raises Refused. The token is one of `assay serve token create`; on loopback none is needed.
    """

    def __init__(self, url: str = "http://127.0.0.1:8321", token: str | None = None, *, timeout: float = 60) -> None:
        self._base, self._token, self._timeout = url.rstrip("/"), token, timeout

    def report(self, run_id: str) -> Report:
        """Return the report of a run, as assay.load does of a stored one."""
        raw = self._call("GET", f"/api/v1/runs/{self._part(run_id)}/report.json", raw=True)
        return Report(raw)

    def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, object] | None = None,
        body: object = None,
        form: Mapping[str, object] | None = None,
        raw: bool = False,
    ) -> Any:
        given = [(name, item) for name, value in (query or {}).items() if value is not None for item in _items(value)]
        address = self._base + path + ("?" + urllib.parse.urlencode(given) if given else "")
        sent = {name: str(value) for name, value in (headers or {}).items() if value is not None}
        data: bytes | None = None
        if form is not None:
            data, sent["Content-Type"] = _multipart(form)
        elif body is not None:
            data, sent["Content-Type"] = json.dumps(body).encode("utf-8"), "application/json"
        if self._token is not None:
            sent["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(address, data=data, headers=sent, method=method)
        try:
            reply = urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            raise _refused(error) from None
        except urllib.error.URLError as error:
            raise Error(f"{self._base}: {error.reason}: expected the address of a running assay serve") from None
        media = reply.headers.get_content_type()
        if media == "text/event-stream":
            return _events(reply)
        with reply:
            content = reply.read()
        if raw or media == "application/octet-stream":
            return content
        return json.loads(content) if media == "application/json" else content.decode("utf-8")


def _items(value: object) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [str(item).lower() if isinstance(item, bool) else str(item) for item in values]


def _refused(error: urllib.error.HTTPError) -> Refused:
    with error:
        content = error.read()
    try:
        problem = json.loads(content)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    told = problem.get("detail") or problem.get("title") or content.decode("utf-8", "replace")[:300] or error.reason
    places = [f"{e.get('location')}: {e.get('message')}" for e in problem.get("errors") or [] if isinstance(e, dict)]
    return Refused("; ".join([str(told), *places]), error.code, problem)


def _events(reply: IO[bytes]) -> Iterator[Event]:
    """Yield the events of a stream (server-sent events)."""
    name, number, data = "message", "", list[str]()
    with reply, io.TextIOWrapper(reply, encoding="utf-8") as lines:
        for line in lines:
            field, _, value = line.rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if field == "data":
                data.append(value)
            elif field == "event":
                name = value
            elif field == "id":
                number = value
            elif not field and not value and data:
                event = Event(event=name, data=json.loads("\n".join(data)))
                if number:
                    event["id"] = number
                yield event
                name, data = "message", []


def _multipart(form: Mapping[str, object]) -> tuple[bytes, str]:
    """Return a form with files as a body and its content type."""
    mark = uuid.uuid4().hex
    out = bytearray()
    for name, value in form.items():
        if value is None:
            continue
        for item in value if isinstance(value, list) else [value]:
            head = f'Content-Disposition: form-data; name="{name}"'
            if isinstance(item, bytes):
                content, head = item, head + f'; filename="{name}"'
            elif isinstance(item, os.PathLike):
                content, head = Path(item).read_bytes(), head + f'; filename="{Path(item).name}"'
            else:
                content = str(item).encode("utf-8")
            out += f"--{mark}\r\n{head}\r\n\r\n".encode() + content + b"\r\n"
    return bytes(out + f"--{mark}--\r\n".encode()), f"multipart/form-data; boundary={mark}"
