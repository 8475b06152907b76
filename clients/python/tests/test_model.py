from __future__ import annotations

from datetime import UTC, datetime

import pytest

from octavo._model import build
from octavo.models import Block, Document, Job


def test_members_that_were_left_out_are_missing_and_the_others_have_their_types() -> None:
    found = build(Document, {"id": "doc_1", "created_at": "2026-01-02T03:04:05.678Z", "source": {"type": "text"}})

    assert found.created_at == datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)
    assert found.source is not None
    assert found.source.type == "text"
    with pytest.raises(AttributeError, match="title"):
        _ = found.title


def test_unknown_members_and_values_are_kept() -> None:
    block = build(Block, {"type": "hologram", "text": "A", "depth": 3})
    job = build(Job, {"id": "job_1", "status": "paused", "progress": {"unit": "pages", "completed": "many"}})

    assert block.type == "hologram"
    assert block.model_extra == {"depth": 3}
    assert job.status == "paused"
    assert job.progress is not None
    assert job.progress.completed == "many"  # type: ignore[comparison-overlap]


def test_optional_members_are_none() -> None:
    assert build(Block, {"type": "paragraph", "text": "A"}).table is None
