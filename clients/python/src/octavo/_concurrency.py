"""Sleep, blocking reads and concurrent work, each for coroutines and for threads."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import isawaitable
from typing import Any

import anyio
import anyio.to_thread

from ._files import FileReader


async def async_sleep(seconds: float) -> None:
    await anyio.sleep(seconds)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


async def async_read_part(file: FileReader, offset: int, size: int) -> bytes:
    return await anyio.to_thread.run_sync(file.read, offset, size)


def read_part(file: FileReader, offset: int, size: int) -> bytes:
    return file.read(offset, size)


async def async_run_together(count: int, work: Callable[[], Awaitable[None]]) -> None:
    """Runs `work` several times at once. `work` handles its exceptions."""

    async def run() -> None:
        await work()

    async with anyio.create_task_group() as group:
        for _ in range(count):
            group.start_soon(run)


def run_together(count: int, work: Callable[[], None]) -> None:
    with ThreadPoolExecutor(count) as pool:
        for future in [pool.submit(work) for _ in range(count)]:
            future.result()


async def async_call(provider: Callable[[str | None], Any], argument: str | None) -> Any:
    """Calls a function or a coroutine function."""
    result = provider(argument)
    return await result if isawaitable(result) else result


def call(provider: Callable[[str | None], Any], argument: str | None) -> Any:
    return provider(argument)
