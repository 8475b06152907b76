// Faults that the proof must catch, and the finding that must report each. The added pauses and random failures widen
// windows that always exist, so that a short run hits them.

import { lookUpThenInsert } from '../idempotency/faults.ts'
import { change } from '../lib/change.ts'
import type { Plant } from '../lib/proof.ts'
import type { FindingKind } from './findings.ts'

interface CrashFault {
  what: string
  plants: readonly Plant[]
  /** Anything else that goes wrong is no catch. */
  shows_as: readonly FindingKind[]
}

const PUT = 'await app.files.put(objectKey(tenant, object_id), Readable.from([bytes]), { media_type, size_bytes })'
const COMMIT = '    await tx.commit()\n    client.release()'

export const faults: Readonly<Record<string, CrashFault>> = {
  answer_before_commit: {
    what: 'the answer is sent before the transaction is committed',
    shows_as: ['lost'],
    plants: [
      change(
        'transact',
        COMMIT,
        '    setTimeout(() => tx.commit().then(() => client.release(), () => client.release(true)), 20)',
      ),
    ],
  },
  row_without_engine_job: {
    what: 'a job is admitted and the engine is not told, one time in fifty',
    shows_as: ['torn', 'needless_repairs', 'stuck_jobs'],
    plants: [
      change(
        'start',
        'await this.engine.start(tx, deliveries)',
        'if (Math.random() > 0.02) await this.engine.start(tx, deliveries)',
      ),
    ],
  },
  engine_job_without_row: {
    what: "the engine is told outside the transaction of the job's row",
    shows_as: ['torn', 'needless_repairs', 'stuck_jobs'],
    plants: [
      change(
        'openPgBoss',
        'group.map(({ id, tenant, job }) => ({ id, data: { tenant, job } })),\n        { db: inside(tx) },',
        'group.map(({ id, tenant, job }) => ({ id, data: { tenant, job } })),',
      ),
    ],
  },
  slot_not_released: {
    what: 'a job that is cancelled before it runs keeps its slot',
    shows_as: ['torn', 'needless_repairs', 'leaked_slots'],
    plants: [
      change(
        'free',
        'used: -deliveries.length, waiting: deliveries.length - jobs.length',
        'used: 0, waiting: deliveries.length - jobs.length',
      ),
    ],
  },
  step_not_written: {
    what: 'the result of a finished step is not written',
    shows_as: ['steps_again', 'wrong_pages'],
    plants: [change('given', 'runRows.insertStep(tx, job.id, name, value)', '')],
  },
  steps_forgotten: {
    what: 'a run does not look for the steps that an earlier one has finished',
    shows_as: ['steps_again'],
    plants: [
      change(
        'loadSteps',
        'new Map(steps.map(({ name, output }) => [name, output.value]))',
        'new Map(steps.slice(0, 0).map(({ name, output }) => [name, output.value]))',
      ),
    ],
  },
  check_then_act: {
    what: 'the Idempotency-Key is looked up first and inserted at the end',
    shows_as: ['duplicated'],
    plants: lookUpThenInsert,
  },
  bytes_discarded: {
    what: 'the bytes of a request are removed after any error, even if its row may have been committed',
    shows_as: ['rows_without_bytes'],
    plants: [
      change('answerWrite', 'if (error instanceof Failure) await write', 'await write'),
      // The answer to one commit in five is lost, as when the database dies at that moment.
      change(
        'transact',
        COMMIT,
        `    await tx.commit()
    if (Math.random() < 0.2) throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
    client.release()`,
      ),
    ],
  },
  row_before_bytes: {
    what: 'the row of a file is written before its bytes are stored',
    shows_as: ['rows_without_bytes', 'failed_jobs', 'unread'],
    plants: [
      change('storeBytes', PUT, `setTimeout(() => ${PUT.replace('await ', '')}.catch(() => {}), 3_000)`),
      change(
        'storeFile',
        'await app.files.put(objectKey(tenant, object_id), file.bytes, { media_type: told.media_type })',
        `const whole = []
  for await (const chunk of file.bytes) whole.push(chunk)
  const { Readable } = process.getBuiltinModule('node:stream')
  setTimeout(() => app.files.put(tenant + '/' + object_id, Readable.from(whole), { media_type: told.media_type }).catch(() => {}), 3_000)`,
      ),
    ],
  },
  purge_without_bytes: {
    what: 'a purge forgets the bytes of the files',
    shows_as: ['left_bytes'],
    plants: [
      change(
        'removeBytes',
        'for (const { object_id } of files) await app.files.remove(objectKey(db.caller.tenant, object_id))',
        '',
      ),
    ],
  },
  young_swept: {
    what: 'the sweeper also removes objects whose request is under way',
    shows_as: ['rows_without_bytes'],
    plants: [
      change('sweep', 'Date.now() - app.config.sweep.after_seconds * 1000', 'Date.now() + 60_000'),
      // Requests whose row comes late, as when the database is away.
      change('storeBytes', PUT, `${PUT}\n  await new Promise((go) => setTimeout(go, 1_500))`),
    ],
  },
  zombie_write: {
    what: 'a worker that wakes after its job went to another one may still write',
    shows_as: ['zombie_writes'],
    plants: [
      change('run-rows.ts', 'and id = $3 and lease = $4 and status', 'and id = $3 and (lease = $4 or true) and status'),
      change('SETTLE', 'and j.id = e.id and j.lease = e.lease and', 'and j.id = e.id and'),
      change('tick', "run.stop('lost')", '{}'),
    ],
  },
  paid_apart: {
    what: 'an answer is paid for before it is kept, in a transaction of its own',
    shows_as: ['wrong_bills'],
    plants: [
      change(
        'paid',
        '(tx, value) => this.pay(tx, model, { call, spent: spentOf(value), compute_ms: performance.now() - began_ms }),',
        `async (_, value) => {
        await this.app.db.transaction(this.run.db.caller, async (own) => this.pay(own, model, { call, spent: spentOf(value), compute_ms: 1 }))
        await new Promise((go) => setTimeout(go, 700))
      },`,
      ),
    ],
  },
  event_outside: {
    what: 'events are written after the transaction of their change, in one of their own',
    shows_as: ['wrong_events'],
    plants: [
      change('record', "tx.queue(...insertInto('events', {", ";(tx.outside ??= []).push(insertInto('events', {"),
      change(
        'record.ts',
        '/** The row that an event is about. */',
        'globalThis.recordOutside = (tx, events) => events.forEach((event) => tx.queue(...event))',
      ),
      change(
        'transact',
        COMMIT,
        `${COMMIT}
    const events = tx.outside
    if (events) setTimeout(() => transact(pool, caller, async (afterCommit) => globalThis.recordOutside(afterCommit, events), precondition).catch(() => {}), 20)`,
      ),
    ],
  },
}
