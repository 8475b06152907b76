from __future__ import annotations

import pytest

from octavo._sse import Message, MessageParser

STREAM = (
    "id: 1\r\nevent: a\r\ndata: one\r\ndata: two\r\n\r\n: ping\n\nretry: 250\n\ndata:x\rid: 2\r\rdata: y\n\ndata: cut"
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_pieces_of_any_size_give_the_same_messages(size: int) -> None:
    parser = MessageParser()

    found = [message for i in range(0, len(STREAM), size) for message in parser.push(STREAM[i : i + size])]

    assert found == [Message("1", "a", "one\ntwo"), Message("2", "message", "x"), Message("2", "message", "y")]
    assert parser.retry == 0.25
