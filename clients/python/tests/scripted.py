"""A server that plays steps one after the other."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: Mapping[str, str]
    body: str

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """A step: one response."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


#: A response, or a function that controls the connection.
Step = Reply | Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer  # pyright: ignore[reportIncompatibleVariableOverride]

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (ConnectionError, OSError):
            self.close_connection = True

    def _play(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        body = self._read_chunks() if self.headers.get("transfer-encoding") else self.rfile.read(size)
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server.take(Received(self.command, self.path, headers, body.decode(errors="replace")))
        if isinstance(step, Reply):
            self.reply(step)
        else:
            step(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _play

    def _read_chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def reply(self, reply: Reply) -> None:
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        content = b"" if reply.body is None else text.encode()
        self.send_response(reply.status)
        headers = {"content-type": "application/json", "request-id": "req_1", **reply.headers}
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def cut(self) -> None:
        """Closes the connection without an end."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, steps: Sequence[Step]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.steps = steps
        self.received: list[Received] = []
        self._lock = threading.Lock()
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def take(self, received: Received) -> Step:
        """The next step; the last one is repeated."""
        with self._lock:
            self.received.append(received)
            return self.steps[min(len(self.received), len(self.steps)) - 1]

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()


def failure(code: str, details: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    return {
        "code": code,
        "message": "It failed.",
        "details": list(details),
        "request_id": "req_1",
        "doc_url": f"http://127.0.0.1/errors#{code}",
    }


#: A temporary failure, to be repeated at once.
LATER = Reply(503, failure("service_unavailable"), {"retry-after": "0"})


def cut(handler: Handler) -> None:
    handler.cut()


def hang(seconds: float) -> Callable[[Handler], None]:
    def step(handler: Handler) -> None:
        time.sleep(seconds)
        handler.cut()

    return step


def sse(seq: int, kind: str, data: Mapping[str, Any] | None = None) -> str:
    """One event of job_1 as the server streams it."""
    event = {"id": f"evt_{seq}", "object": "event", "type": kind, "seq": seq, "data": data or {}}
    return f"id: {seq}\nevent: {kind}\ndata: {json.dumps(event)}\n\n"


def stream(*pieces: str | bytes, status: int = 200, finish: str = "end") -> Callable[[Handler], None]:
    """A step that streams pieces one by one. `finish`: "end", or "cut" without a proper end."""

    def step(handler: Handler) -> None:
        handler.send_response(status)
        handler.send_header("content-type", "text/event-stream; charset=utf-8")
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for piece in pieces:
            content = piece.encode() if isinstance(piece, str) else piece
            handler.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
            handler.wfile.flush()
            time.sleep(0.01)
        if finish == "cut":
            handler.cut()
        else:
            handler.wfile.write(b"0\r\n\r\n")

    return step
