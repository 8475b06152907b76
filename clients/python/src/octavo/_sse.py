"""The format of event streams, as the HTML standard defines it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Message:
    #: The last `id` of the stream, from this message or an earlier one.
    id: str
    event: str
    data: str


class MessageParser:
    """Takes the text of a stream in pieces of any size. A message that is cut off is dropped."""

    def __init__(self) -> None:
        #: Seconds to wait before the next connection, if the stream says so.
        self.retry: float | None = None
        self._rest = ""
        self._ended_with_cr = False
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def push(self, piece: str) -> list[Message]:
        """The messages that this piece completes."""
        if piece == "":
            return []
        # A CR at the end of the previous piece has already ended its line.
        text = piece[1:] if self._ended_with_cr and piece.startswith("\n") else piece
        self._ended_with_cr = piece.endswith("\r")
        *lines, rest = _LINE_END.split(self._rest + text)
        self._rest = rest
        messages: list[Message] = []
        for line in lines:
            if line == "":
                messages.extend(self._dispatch())
            else:
                self._take(line)
        return messages

    def _dispatch(self) -> list[Message]:
        message = Message(self._id, self._event or "message", "\n".join(self._data))
        is_empty = not self._data
        self._event, self._data = "", []
        return [] if is_empty else [message]

    def _take(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and value.isascii() and value.isdecimal():
            self.retry = int(value) / 1000
