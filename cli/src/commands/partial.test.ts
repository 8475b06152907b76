import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Octavo } from '@octavo/sdk'
import { Terminal } from '../terminal.ts'
import { ask } from './ask.ts'
import { watchJob } from './jobs.ts'
import { newSession, type Session } from './session.ts'
import { summarise } from './summaries.ts'

/** A server whose work ends like this. */
function enter(status: string): { session: Session; shown: unknown[]; said: string[] } {
  const [shown, said]: [unknown[], string[]] = [[], []]
  const outcome = {
    id: 'x_1',
    job_id: null,
    is_terminal: true,
    is_answered: true,
    status,
    error: null,
    sentences: [],
    warnings: [],
  }
  const terminal = Object.assign(new Terminal(false), {
    is_human: false,
    line: (text: string) => shown.push(text),
    remark: (text: string) => said.push(text),
  })
  const client = {
    answers: { createAndWait: async () => outcome },
    summaries: { createAndWait: async () => outcome },
    jobs: { follow: async function* () {}, get: async () => outcome },
  } as unknown as Octavo
  const session = newSession(terminal, new AbortController().signal, { is_needed: true, is_closed: false })
  return { session: { ...session, client: () => client }, shown, said }
}

const commands: Record<string, (session: Session) => Promise<number>> = {
  ask: (session) => ask(session, 'When?', {}),
  summaries: (session) => summarise(session, ['doc_1'], {}),
  'jobs watch': (session) => watchJob(session, 'job_1'),
}

for (const [name, act] of Object.entries(commands))
  test(`${name} reports a partial success and exits with code 1`, async () => {
    const [part, whole] = [enter('partially_succeeded'), enter('succeeded')]

    assert.deepEqual([await act(part.session), await act(whole.session)], [1, 0])
    assert.match(part.said.join('\n'), /^Note: .*part of (it|the job) failed\.$/)
    assert.deepEqual([whole.said, part.shown], [[], whole.shown])
  })
