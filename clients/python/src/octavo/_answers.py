"""The events of an answer that is streamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .models import Answer


@dataclass(frozen=True)
class AnswerCreated:
    """The answer exists. It may still be queued."""

    answer: Answer
    type: Literal["created"] = "created"


@dataclass(frozen=True)
class AnswerDelta:
    """The next piece of the unverified draft."""

    text: str
    type: Literal["delta"] = "delta"


@dataclass(frozen=True)
class AnswerCompleted:
    """The answer has ended; its quotes are verified."""

    answer: Answer
    type: Literal["completed"] = "completed"


AnswerEvent = AnswerCreated | AnswerDelta | AnswerCompleted
