// Runs once on a restored database, before any process starts, because the storage and clients have newer data.

import { lastOf } from '@octavo/base/required.ts'
import type { App } from '../app.ts'
import { sql } from '../db/statement.ts'
import { reconcile } from '../jobs/reconciler.ts'
import { operator } from '../lib/caller.ts'
import { toId, uuidOf } from '../lib/ids.ts'
import { decodePercent } from '../lib/percent.ts'
import { removeAllKeys, removeRevived } from '../resources/api-keys/api-keys.service.ts'
import { stopReasons, sweep } from '../resources/files/files.sweep.ts'
import { listTenants, suspendTenant } from '../tenants/tenants.service.ts'
import { listReleased } from '../tenants/tenants.suspend.ts'
import { handlersOf } from '../worker.ts'

interface AfterRestoreOptions {
  /** For the case that the storage is also lost, and with it the record of revoked keys. */
  revokes_all: boolean
  accepts_missing: boolean
}
type Say = (line: string) => unknown

/** More than the events of any tenant between the restored moment and now, so that no position is used twice. */
const LEAP = 1_000_000_000
/** The same for the events of one job. */
const JOB_LEAP = 1_000_000
const BATCH = 2_000
const MOST_LISTED = 20

export async function afterRestore(app: App, asked: AfterRestoreOptions, say: Say): Promise<void> {
  await refuseCompany(app)
  await endKeys(app, asked, say)
  await suspendAgain(app, say)
  await leap(app, say)
  app.jobs.use(handlersOf(app))
  const repairs = await reconcile(app)
  say(`${repairs} inconsistent jobs and counters were repaired`)
  await lookAfterFiles(app, asked, say)
}

/** Other processes would see rows change under them, and files that they have just written would be missed. */
async function refuseCompany({ system, config }: App): Promise<void> {
  const roles = [config.database_url, config.database_system_url].map((url) => {
    const { username } = new URL(url)
    return decodePercent(username) ?? username
  })
  const { rows } = await system.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and usename = any($1) and pid <> pg_backend_pid()`,
    [roles],
  )
  const count = rows[0]?.count ?? 0
  if (count > 0)
    throw new Error(
      `${count} other sessions use this database. Stop every API, worker and pooler first, then run this again.`,
    )
}

async function endKeys(app: App, { revokes_all }: AfterRestoreOptions, say: Say): Promise<void> {
  if (revokes_all) {
    let count = 0
    for (const { id } of await listTenants(app.system)) count += await removeAllKeys(app, uuidOf('ten', id))
    say(`${count} keys were revoked: all keys. Create new ones with create-key <tenant_id>`)
    return
  }
  const { keys, secrets } = await removeRevived(app)
  say(`${keys} revoked keys were revoked again`)
  say(`${secrets} keys had replaced secrets, which were revoked again`)
}

async function suspendAgain(app: App, say: Say): Promise<void> {
  const released = await listReleased(app)
  for (const id of released) await suspendTenant(app.system, id, true)
  say(`${released.length} suspended tenants were suspended again`)
}

const POSITIONS = `insert into tenant_positions as p (tenant_id, position) select id, $1 from tenants
  on conflict (tenant_id) do update set position = p.position + $1`
const UNFINISHED = 'select distinct tenant_id as tenant from jobs where place is not null'
const LEAP_JOBS = sql(`update jobs set last_seq = last_seq + ${JOB_LEAP} where tenant_id = $1 and id = any (array(
  select id from jobs where tenant_id = $1 and place is not null and id > $3 order by id limit ${BATCH})) returning id::text as job`)

/** A client that has read events after the restored moment must not miss new ones. */
async function leap(app: App, say: Say): Promise<void> {
  const { rowCount } = await app.system.query(POSITIONS, [LEAP])
  say(`the event positions of ${rowCount ?? 0} tenants were advanced by ${LEAP}`)
  let count = 0
  for (const { tenant } of (await app.system.query<{ tenant: string }>(UNFINISHED)).rows) {
    const db = app.db.for(operator(tenant, []))
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const jobs = (await db.rows<{ job: string }>(LEAP_JOBS, [after])).map(({ job }) => job).sort()
      count += jobs.length
      if (jobs.length < BATCH) break
      after = lastOf(jobs)
    }
  }
  say(`${count} unfinished jobs continue when a worker runs`)
}

async function lookAfterFiles(app: App, { accepts_missing }: AfterRestoreOptions, say: Say): Promise<void> {
  const swept = await sweep(app, { is_quiet: true, accepts_missing })
  if (!swept) throw new Error('Another process is sweeping. Stop it, then run this command again.')
  if (swept.stopped !== null) {
    const way = swept.stopped === 'too_many_missing' ? ' If they are lost, run this with --accept-missing.' : ''
    throw new Error(`Not all files were checked: ${stopReasons[swept.stopped]}.${way}`)
  }
  const { files, missing, found_again, removed } = swept
  say(`${files} files: ${missing} have no bytes and are marked, ${found_again} have their bytes again`)
  say(
    `${removed} old objects without a row were removed; newer ones are removed when they are older than SWEEP_AFTER_SECONDS`,
  )
  if (missing > 0) await listMissing(app, say)
}

async function listMissing({ system }: App, say: Say): Promise<void> {
  const { rows } = await system.query<{ tenant: string; document: string }>(
    `select distinct tenant_id as tenant, document_id as document from files where missing_at is not null and document_id is not null
    order by 1, 2 limit ${MOST_LISTED}`,
  )
  say(
    'These documents have no bytes: they were deleted after the restored moment, or their bytes are lost. Delete them again if they had been deleted:',
  )
  for (const { tenant, document } of rows) say(`  ${toId('ten', tenant)}  ${toId('doc', document)}`)
  if (rows.length === MOST_LISTED) say('  and possibly more: files with missing_at')
}
