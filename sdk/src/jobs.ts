import { type Send, segment } from './call.ts'
import { type FollowOptions, followEvents, seqOf } from './follow.ts'
import { JobsResource } from './generated/resources.ts'
import type { Event, Job } from './generated/types.ts'
import type { Settings } from './request.ts'
import { readStream } from './stream.ts'
import { type WaitOptions, waitUntil } from './waiting.ts'

/** Three of the pings that the server sends while there are no events. */
const SHORTEST_DEFAULT_SILENCE_MS = 45_000

export class Jobs extends JobsResource {
  readonly #settings: Settings

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#settings = settings
  }

  /**
   * Yields the events of a job from its first one, each once, and ends with the job. Reconnects after a lost connection. Needs
   * `jobs:read`.
   */
  follow(job_id: string, options: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    const { signal, last_event_id = 0, timeout_ms } = options
    const settings = this.#settings
    const max_retries = options.max_retries ?? settings.max_retries
    const operation = { method: 'GET', path: `/jobs/${segment(job_id)}/events` } as const
    const source = {
      connect: (seq: number, silenceMs: () => number) => {
        const headers: Record<string, string> = seq > 0 ? { 'last-event-id': String(seq) } : {}
        return readStream(settings, operation, { headers, signal, silenceMs })
      },
      isOver: async () => (await this.get(job_id, {}, { signal, max_retries })).is_terminal,
    }
    const silence_ms = timeout_ms ?? Math.max(settings.timeout_ms, SHORTEST_DEFAULT_SILENCE_MS)
    return followEvents(source, seqOf(last_event_id), { signal, max_retries, silence_ms })
  }

  /** Returns the job when it has ended, whatever its `status`. Needs `jobs:read`. */
  wait(job_id: string, options: WaitOptions = {}): Promise<Job> {
    return waitUntil(
      (asked) => this.get(job_id, {}, asked).withResponse(),
      ({ is_terminal }) => is_terminal,
      options,
    )
  }
}
