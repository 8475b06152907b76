"""Jobs: waiting and events."""

from __future__ import annotations

from collections.abc import AsyncIterator

from .._request import segment
from ..models import Event, Job
from .follow import async_follow_events
from .resources import AsyncJobsResource
from .waiting import async_wait_until


class AsyncJobs(AsyncJobsResource):
    async def wait(self, job_id: str, *, timeout: float | None = None, max_retries: int | None = None) -> Job:
        """Returns the job when it has ended, whatever the result: check its `status`. Needs `jobs:read`.

        `timeout` limits the whole wait, in seconds.
        """
        path = f"/jobs/{segment(job_id)}"
        return await async_wait_until(
            self._transport, path, Job, lambda job: job.is_terminal, timeout=timeout, max_retries=max_retries
        )

    async def follow(
        self,
        job_id: str,
        *,
        last_event_id: int | str = 0,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[Event]:
        """Yields the events of a job as they happen, from the first one, each once. Needs `jobs:read`.

        It ends with the job, and reconnects after a lost connection. `last_event_id` is the `seq` of the last event
        that you have, `timeout` the number of seconds without any byte after which a connection counts as lost, and
        `max_retries` the number of consecutive failed connections.
        """
        events = async_follow_events(self._transport, job_id, int(last_event_id), timeout, max_retries)
        async for event in events:
            yield event
