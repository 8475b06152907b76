// Tenants as units: exported from one installation, imported into another, deleted.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { objectKey } from '../files/keys.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { ask } from '../testing/ask.ts'
import { createDatabase } from '../testing/database.ts'
import { until } from '../testing/jobs.ts'
import {
  deleteRows,
  insertRows,
  isArchived,
  LEFT_OUT,
  listTables,
  readRows,
  transactAs,
} from './tenants.archive.store.ts'
import { type Manifest, objectPath, openOwner, parseObject, readLines } from './tenants.archive.ts'
import { deleteTenant } from './tenants.delete.ts'
import { exportTenant } from './tenants.export.ts'
import { importTenant } from './tenants.import.ts'
import { resume, suspend } from './tenants.suspend.ts'

const root = mkdtempSync(join(tmpdir(), 'octavo-archives-'))
const quiet = (): void => {}
const asOwner = ({ owner_url }: { owner_url: string }) => ({ DATABASE_OWNER_URL: owner_url })
const source = await startApi({ after }, asOwner)
const target = await startApi({ after }, asOwner)
let archives = 0
const newDir = (): string => join(root, String(++archives))

before(async () => {
  const { owner } = source
  const project = await owner.projects.create({ name: 'Leases' })
  const bytes = new Blob(['The plan of the house.'], { type: 'text/plain' })
  await owner.files.create(bytes)
  const text = 'The lease begins in May. The rent is 500 euros.'
  const { id } = await owner.documents.create({
    title: 'Lease',
    project_id: project.id,
    source: { type: 'text', text },
  })
  await owner.summaries.create({ document_ids: [id], style: 'extractive' }, { wait_seconds: 20 })
  await owner.searches.create({ query: 'When does the lease begin?' })
  for await (const job of owner.jobs.list({})) await owner.jobs.wait(job.id)
})
after(() => rmSync(root, { recursive: true, force: true }))

/** All rows of a tenant, by table. */
async function rowsOf({ database }: TestApi, tenant_id: string): Promise<Record<string, string[]>> {
  const client = await openOwner(database.owner_url)
  const tenant = uuidOf('ten', tenant_id)
  try {
    return await transactAs(client, { tenant, isolation: 'repeatable read' }, async () => {
      const all: Record<string, string[]> = {}
      for (const table of await listTables(client)) {
        const lines: string[] = []
        for await (const batch of readRows(client, table, tenant)) lines.push(...batch)
        all[table.name] = lines
      }
      return all
    })
  } finally {
    await client.end()
  }
}

const listObjects = async ({ app }: TestApi, tenant_id: string): Promise<string[]> =>
  (await app.files.list(objectKey(uuidOf('ten', tenant_id), ''), null)).map(({ key }) => key)

async function read({ url }: TestApi, path: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${source.owner_key}` } })
  return answer.json()
}

const readData = async (api: TestApi, path: string): Promise<unknown[]> =>
  ((await read(api, path)) as { data: unknown[] }).data

test('a tenant moves to another installation with its ids, keys, cursors and event positions', async () => {
  const dir = newDir()
  const first = (await read(source, '/events?limit=2')) as { cursor: string }
  const before_export = await rowsOf(source, source.owner_tenant)

  const manifest = await exportTenant(source.app, source.owner_tenant, dir, quiet)
  await importTenant(target.app, dir, quiet)
  const imported = await rowsOf(target, source.owner_tenant)
  await resume(target.app, source.owner_tenant)

  assert.ok((manifest.tables.chunks?.rows ?? 0) > 0 && manifest.objects.rows > 0)
  // The test's own requests were recorded after the export, and the imported tenant is suspended.
  for (const rows of [before_export, imported]) for (const table of ['api_keys', 'tenants']) delete rows[table]
  assert.deepEqual(imported, before_export)
  for (const path of ['/documents', '/events', '/jobs', '/summaries', '/searches', '/api-keys'])
    assert.deepEqual(await readData(target, `${path}?limit=100`), await readData(source, `${path}?limit=100`), path)
  const next = `/events?limit=2&cursor=${encodeURIComponent(first.cursor)}`
  const [here, there] = [await readData(source, next), await readData(target, next)]
  assert.deepEqual([there.length, there], [2, here])
  assert.deepEqual(await listObjects(target, source.owner_tenant), await listObjects(source, source.owner_tenant))
})

test('an imported tenant stays suspended until the operator has seen its limits', async () => {
  const { tenant, secret } = await source.newTenant()
  const dir = newDir()
  await exportTenant(source.app, tenant, dir, quiet)
  const list = () => ask(target, '/api/v1/projects', { key: secret })

  await importTenant(target.app, dir, quiet)
  const before_resume = await list()
  await resume(target.app, tenant)

  assert.equal(before_resume.status, 401)
  assert.equal((await list()).status, 200)
})

test('refuses a tenant that exists, and says what to do', async () => {
  const dir = newDir()
  await exportTenant(source.app, source.owner_tenant, dir, quiet)

  await assert.rejects(
    importTenant(source.app, dir, quiet),
    /This installation has the tenant 'ten_\w+'.*delete-tenant/,
  )
  await assert.rejects(exportTenant(source.app, source.owner_tenant, dir, quiet), /is not empty/)
})

/** A tenant of the source with a file that no document uses yet: nothing has to read it. */
async function newTenant(): Promise<string> {
  const { tenant, client } = await source.newTenant()
  await client.files.create(new Blob(['Some bytes.'], { type: 'text/plain' }))
  return tenant
}

test('refuses an archive that is incomplete, damaged or of another version, and leaves nothing behind', async () => {
  const tenant = await newTenant()
  const copyOf = async (): Promise<{ dir: string; manifest: Manifest }> => {
    const dir = newDir()
    return { dir, manifest: await exportTenant(source.app, tenant, dir, quiet) }
  }
  const rejects = async (dir: string, reason: RegExp): Promise<void> => {
    await assert.rejects(importTenant(target.app, dir, quiet), reason)
    const rows = Object.values(await rowsOf(target, tenant)).flat()
    assert.deepEqual([rows, await listObjects(target, tenant)], [[], []])
  }

  const unfinished = await copyOf()
  rmSync(join(unfinished.dir, 'manifest.json'))
  await rejects(unfinished.dir, /is not an archive: it has no manifest\.json/)

  const rows = await copyOf()
  appendFileSync(join(rows.dir, 'rows', 'files.jsonl'), '\n')
  await rejects(rows.dir, /'rows\/files\.jsonl' is damaged.*Copy the archive again/)

  const bytes = await copyOf()
  for await (const line of readLines(join(bytes.dir, 'objects.jsonl')))
    writeFileSync(join(bytes.dir, objectPath(parseObject(line).object_id)), 'Same bytes.')
  await rejects(bytes.dir, /'objects\/.*' is damaged/)

  for (const [schema, reason] of [
    [['0001_tenants'], /older version.*Upgrade the installation that exported it/],
    [['9999_future', ...rows.manifest.schema], /newer version.*9999_future.*Upgrade this installation/],
  ] as const) {
    const other = await copyOf()
    writeFileSync(join(other.dir, 'manifest.json'), JSON.stringify({ ...other.manifest, schema }))
    await rejects(other.dir, reason)
  }
})

test('refuses an archive that somebody changed to reach other tenants or files, and leaves nothing behind', async () => {
  const tenant = await newTenant()
  const { tenant: victim } = await target.newTenant()
  const [own, other] = [uuidOf('ten', tenant), uuidOf('ten', victim)]
  const hasPositions = async (api: TestApi, id: string): Promise<boolean> =>
    (await rowsOf(api, id))['tenant_positions']?.length === 1
  await until(async () => (await hasPositions(source, tenant)) && (await hasPositions(target, victim)), 'sequenced')
  const before_import = await rowsOf(target, victim)
  const rejects = async (file: string, change: (text: string) => string, reason: RegExp): Promise<void> => {
    const dir = newDir()
    const manifest = await exportTenant(source.app, tenant, dir, quiet)
    const text = change(readFileSync(join(dir, file), 'utf8'))
    writeFileSync(join(dir, file), text)
    const entry = { rows: text.split('\n').length - 1, sha256: createHash('sha256').update(text).digest('hex') }
    const name = basename(file, '.jsonl')
    const changed =
      name === 'objects'
        ? { ...manifest, objects: { ...manifest.objects, ...entry } }
        : { ...manifest, tables: { ...manifest.tables, [name]: entry } }
    writeFileSync(join(dir, 'manifest.json'), JSON.stringify(changed))
    await assert.rejects(importTenant(target.app, dir, quiet), reason)
    assert.deepEqual(Object.values(await rowsOf(target, tenant)).flat(), [])
  }

  await rejects('rows/api_keys.jsonl', (text) => text.replaceAll(own, other), /'api_keys' has rows of another tenant/)
  await rejects('rows/tenants.jsonl', (text) => text.replaceAll(own, newUuid()), /'tenants' has rows of another tenant/)
  await rejects(
    'objects.jsonl',
    (text) => text.replace(/"object_id":"/, '"object_id":"../../'),
    /objects\.jsonl cannot be/,
  )
  const huge = (text: string): string => text.replace(/"position":"\d+"/, `"position":"${2n ** 63n - 1n}"`)
  await rejects('rows/tenant_positions.jsonl', huge, /event positions that no export writes/)

  assert.deepEqual(await rowsOf(target, victim), before_import)
})

test('a failure in the middle of the rows leaves no row and no object', async () => {
  const tenant = await newTenant()
  const dir = newDir()
  const manifest = await exportTenant(source.app, tenant, dir, quiet)
  const entry = manifest.tables.files ?? { rows: 0, sha256: '' }
  const wrong = { ...manifest, tables: { ...manifest.tables, files: { ...entry, rows: 7 } } }
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(wrong))
  const said: string[] = []

  await assert.rejects(
    importTenant(target.app, dir, (line) => said.push(line)),
    /Table 'files' has 1 rows instead of 7/,
  )

  assert.deepEqual(Object.values(await rowsOf(target, tenant)).flat(), [])
  assert.deepEqual(await listObjects(target, tenant), [])
  assert.equal(said.at(-1), 'nothing was imported; the objects were removed again')
})

test('deletes a suspended tenant with everything that it has, and returns a receipt', async () => {
  const tenant = await newTenant()
  const rows = await rowsOf(source, tenant)
  const others = await rowsOf(source, source.owner_tenant)

  await assert.rejects(deleteTenant(source.app, { id: tenant, by: 'ada' }, quiet), /Suspend the tenant first: suspend/)
  await suspend(source.app, tenant)
  const receipt = await deleteTenant(source.app, { id: tenant, by: 'ada' }, quiet)

  assert.deepEqual(Object.values(await rowsOf(source, tenant)).flat(), [])
  assert.deepEqual(await listObjects(source, tenant), [])
  assert.deepEqual(await rowsOf(source, source.owner_tenant), others)
  assert.deepEqual([receipt.tenant_id, receipt.deleted_by, receipt.objects], [tenant, 'ada', 1])
  assert.deepEqual([receipt.left, receipt.are_limits_removed], [{ rows: 0, objects: 0 }, true])
  assert.equal(receipt.rows.files, rows.files?.length)
  await assert.rejects(deleteTenant(source.app, { id: tenant, by: 'ada' }, quiet), /No tenant has the id/)
})

test('every table is part of an archive or left out with a reason', async () => {
  const owner = await openOwner(source.database.owner_url)
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const archived = (await listTables(owner)).filter(isArchived).map(({ name }) => name)
  await owner.end()

  const forgotten = rows.map(({ name }) => name).filter((name) => !archived.includes(name) && !LEFT_OUT[name])
  assert.deepEqual(forgotten, [])
  assert.ok(archived.length >= 25)
})

test('a table added later is exported and deleted too, and its values are exact', async (t) => {
  const database = await createDatabase()
  const owner = new pg.Client({ connectionString: database.owner_url })
  await owner.connect()
  t.after(async () => {
    await owner.end()
    await database.drop()
  })
  const tenant = '01900000-0000-7000-8000-000000000001'
  await owner.query(`create table odd (tenant_id uuid not null references tenants (id), id bigint, value jsonb, number double precision,
      bytes bytea, names text[], at timestamptz, primary key (tenant_id, id));
    alter table odd enable row level security; alter table odd force row level security; select allow_tenant_archives()`)
  const written = await transactAs(owner, { tenant, isolation: 'read committed' }, async () => {
    await owner.query(
      `insert into tenants (id, name, tier, created_at, updated_at) values ('${tenant}', 'Odd', 'free', now(), now())`,
    )
    await owner.query(`insert into odd values ('${tenant}', 9007199254740993, 'null', 0.1::float8 + 0.2, '\\x00ff', '{a,NULL,"b,c"}', now()),
      ('${tenant}', 2, null, 'NaN', null, null, 'infinity')`)
    return (await owner.query('select t::text as row from odd t order by id')).rows as unknown
  })

  const table = (await listTables(owner)).find(({ name }) => name === 'odd')
  assert.ok(table)
  const again = await transactAs(owner, { tenant, isolation: 'read committed' }, async () => {
    const lines: string[] = []
    for await (const batch of readRows(owner, table, tenant)) lines.push(...batch)
    await deleteRows(owner, table, tenant)
    await insertRows(owner, table, tenant, lines)
    return (await owner.query('select t::text as row from odd t order by id')).rows as unknown
  })

  assert.deepEqual(again, written)
})
