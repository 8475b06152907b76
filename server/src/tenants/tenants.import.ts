// Restores an archive into another installation. It uploads the objects first and then inserts all rows in one transaction:
// until that commits, the tenant does not exist, and after a failure the objects are removed again. The tenant is suspended,
// so that the operator can check the limits from the archive first.

import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Needs } from '../app.ts'
import { objectKey } from '../files/keys.ts'
import { putTombstone } from '../files/tombstones.ts'
import { uuidOf } from '../lib/ids.ts'
import { createOwnIndexes } from '../vector-spaces/vector-spaces.index-switch.ts'
import * as store from './tenants.archive.store.ts'
import {
  explainSchema,
  Hasher,
  hashFile,
  type Manifest,
  OBJECTS,
  objectPath,
  openOwner,
  parseObject,
  readLines,
  readManifest,
  rowsPath,
  type Say,
} from './tenants.archive.ts'
import { removeObjects } from './tenants.objects.ts'

type ImportNeeds = Needs<'system' | 'config' | 'files' | 'db'>

const MAX_LINES = 500
const BATCH_CHARACTERS = 4_000_000
const SAY_EVERY = 1_000

export async function importTenant(app: ImportNeeds, dir: string, say: Say): Promise<Manifest> {
  const manifest = await readManifest(dir)
  const tenant = uuidOf('ten', manifest.tenant_id)
  const trouble = explainSchema(manifest.schema, await store.readSchema(app.system))
  if (trouble !== null) throw new Error(trouble)
  const client = await openOwner(app.config.database_owner_url)
  try {
    await refuseExisting(app, client, manifest, tenant)
    const tables = await checkTables(client, dir, manifest)
    say('the archive is complete')
    await importAll(app, client, { dir, manifest, tenant, tables, say })
    await settle(app, client, tenant, say)
  } finally {
    await client.end()
  }
  return manifest
}

async function refuseExisting(
  { files }: ImportNeeds,
  client: pg.ClientBase,
  { tenant_id }: Manifest,
  tenant: string,
): Promise<void> {
  const row = await store.transactAs(client, { tenant, isolation: 'read committed' }, () =>
    store.findTenant(client, tenant),
  )
  if (row)
    throw new Error(
      `This installation has the tenant '${tenant_id}' ('${row.name}'). To replace it, suspend it and run delete-tenant first.`,
    )
  if ((await files.list(objectKey(tenant, ''), null)).length > 0)
    throw new Error(
      `The storage has objects of the tenant '${tenant_id}', but the database has no such tenant. If an earlier import was interrupted, remove them with: delete-tenant ${tenant_id}. If the storage belongs to the installation that exported the tenant, set another FILES_DIR or S3_BUCKET.`,
    )
}

/** Checks the hash of every list before anything is written. */
async function checkTables(client: pg.ClientBase, dir: string, manifest: Manifest): Promise<store.TenantTable[]> {
  const tables = (await store.listTables(client)).filter(store.isArchived)
  const unknown = Object.keys(manifest.tables).find((name) => !tables.some((table) => table.name === name))
  if (unknown !== undefined) throw new Error(`The archive has a table '${unknown}' that this version does not know.`)
  const lacking = tables.find(({ name }) => !(name in manifest.tables))
  if (lacking) throw new Error(`The archive has no table '${lacking.name}'. Export the tenant again.`)
  const lists = Object.entries(manifest.tables).map(([name, entry]) => ({ path: rowsPath(name), ...entry }))
  for (const { path, sha256 } of [...lists, { path: OBJECTS, ...manifest.objects }])
    if ((await hashFile(join(dir, path))) !== sha256) throw damaged(path)
  return tables
}

const damaged = (path: string): Error =>
  new Error(`'${path}' is damaged: its hash differs from the manifest. Copy the archive again, or export again.`)

interface Import {
  dir: string
  manifest: Manifest
  tenant: string
  tables: readonly store.TenantTable[]
  say: Say
}

async function importAll(app: ImportNeeds, client: pg.ClientBase, work: Import): Promise<void> {
  const { tenant, say } = work
  try {
    await importObjects(app, work)
    await store.transactAs(client, { tenant, isolation: 'read committed' }, () => importRows(client, work))
  } catch (error) {
    // Safe, because the storage had no objects of the tenant before.
    await removeObjects(app.files, tenant).then(
      () => say('nothing was imported; the objects were removed again'),
      () => say('nothing was imported, but objects were left in the storage: run delete-tenant when it responds'),
    )
    throw error
  }
}

async function importObjects({ files }: ImportNeeds, { dir, manifest, tenant, say }: Import): Promise<void> {
  let count = 0
  for await (const line of readLines(join(dir, OBJECTS))) {
    const { object_id, media_type, size_bytes, sha256 } = parseObject(line)
    const path = objectPath(object_id)
    const hasher = new Hasher()
    const bytes = createReadStream(join(dir, path)).on('error', (error) => hasher.destroy(error))
    await files.put(objectKey(tenant, object_id), bytes.pipe(hasher), { media_type })
    if (hasher.bytes !== size_bytes || hasher.digest() !== sha256) throw damaged(path)
    if (++count % SAY_EVERY === 0) say(`${count} of ${manifest.objects.rows} objects`)
  }
  say(`${count} objects`)
}

async function importRows(client: pg.ClientBase, { dir, manifest, tenant, tables, say }: Import): Promise<void> {
  for (const table of tables) {
    // A trigger creates rows for a new tenant; the archive has the original ones.
    if (table.name !== 'tenants') await store.deleteRows(client, table, tenant)
    let count = 0
    for await (const lines of batchLines(join(dir, rowsPath(table.name)))) {
      const inserted = await store.insertRows(client, table, tenant, lines)
      if (inserted < lines.length) throw foreignRows(table.name)
      count += inserted
    }
    const expected = manifest.tables[table.name]?.rows ?? 0
    if (count !== expected) throw new Error(`Table '${table.name}' has ${count} rows instead of ${expected}.`)
    say(`${table.name}: ${count} rows`)
  }
  if (!(await store.hasPossiblePositions(client, tenant)))
    throw new Error('The archive has event positions that no export writes. Do not import it.')
  await store.suspendTenant(client, tenant)
  await store.notifyKeys(client, tenant)
}

const foreignRows = (table: string): Error =>
  new Error(`Table '${table}' has rows of another tenant. No export writes them: do not import this archive.`)

async function* batchLines(path: string): AsyncGenerator<string[]> {
  let lines: string[] = []
  let characters = 0
  for await (const line of readLines(path)) {
    lines.push(line)
    characters += line.length
    if (lines.length < MAX_LINES && characters < BATCH_CHARACTERS) continue
    yield lines
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield lines
}

/** The rows are committed; everything else can be repeated. */
async function settle(app: ImportNeeds, client: pg.Client, tenant: string, say: Say): Promise<void> {
  await putTombstone(app.files, { kind: 'suspended', tenant })
  await createOwnIndexes(app, client, tenant, say)
}
