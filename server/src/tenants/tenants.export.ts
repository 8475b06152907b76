// Writes everything of a tenant to a directory, from one snapshot of the database.

import { createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Needs } from '../app.ts'
import { objectKey } from '../files/keys.ts'
import type { FileStore } from '../files/store.ts'
import { uuidOf } from '../lib/ids.ts'
import * as store from './tenants.archive.store.ts'
import {
  type ArchivedObject,
  Hasher,
  type Manifest,
  OBJECTS,
  type ObjectRow,
  objectPath,
  openOwner,
  parseObjectRow,
  readLines,
  rowsPath,
  type Say,
  writeLines,
  writeManifest,
} from './tenants.archive.ts'
import { readTenant } from './tenants.service.ts'

type ExportNeeds = Needs<'system' | 'config' | 'files'>

const OBJECTS_IN_A_BATCH = 100
const SAY_EVERY = 1_000

export async function exportTenant(app: ExportNeeds, id: string, dir: string, say: Say): Promise<Manifest> {
  const { name } = await readTenant(app.system, id)
  const tenant = uuidOf('ten', id)
  await mkdir(dir, { recursive: true })
  if ((await readdir(dir)).length > 0) throw new Error(`'${dir}' is not empty. Name a new directory for the archive.`)
  const exported_at = new Date().toISOString()
  const tables = await exportRows(app, tenant, dir, say)
  const counter = { bytes: 0, count: 0 }
  const list = await writeLines(join(dir, OBJECTS), exportObjects(app.files, { tenant, dir, counter, say }))
  say(`${list.rows} objects, ${counter.bytes} bytes`)
  const manifest = {
    tenant_id: id,
    name,
    exported_at,
    schema: await store.readSchema(app.system),
    tables,
    objects: { ...list, bytes: counter.bytes },
  }
  await writeManifest(dir, manifest)
  return { format: 1, ...manifest }
}

async function exportRows({ config }: ExportNeeds, tenant: string, dir: string, say: Say): Promise<Manifest['tables']> {
  const client = await openOwner(config.database_owner_url)
  try {
    return await store.transactAs(client, { tenant, isolation: 'repeatable read' }, async () => {
      const tables: Manifest['tables'] = {}
      for (const table of (await store.listTables(client)).filter(store.isArchived)) {
        tables[table.name] = await writeLines(join(dir, rowsPath(table.name)), store.readRows(client, table, tenant))
        say(`${table.name}: ${tables[table.name]?.rows} rows`)
      }
      return tables
    })
  } finally {
    await client.end()
  }
}

interface ObjectExport {
  tenant: string
  dir: string
  counter: { bytes: number; count: number }
  say: Say
}

/** Copies the objects that the exported rows name, and lists them. */
async function* exportObjects(files: FileStore, work: ObjectExport): AsyncGenerator<string[]> {
  let lines: string[] = []
  for (const table of ['files', 'uploads']) {
    for await (const line of readLines(join(work.dir, rowsPath(table)))) {
      const row = parseObjectRow(line)
      // A completed upload has become a file.
      if (row.status === 'completed') continue
      const object = await exportObject(files, row, work)
      if (!object) continue
      lines.push(JSON.stringify(object))
      if (lines.length < OBJECTS_IN_A_BATCH) continue
      yield lines
      lines = []
    }
  }
  if (lines.length > 0) yield lines
}

/** null: the row is known to have no bytes. */
async function exportObject(
  files: FileStore,
  { object_id, media_type, status, missing_at }: ObjectRow,
  { tenant, dir, counter, say }: ObjectExport,
): Promise<ArchivedObject | null> {
  const bytes = await files.get(objectKey(tenant, object_id))
  const hasNone = missing_at !== null && missing_at !== undefined
  if (!bytes && (hasNone || status === 'pending')) return null
  if (!bytes)
    throw new Error(
      `The bytes of the file with object '${object_id}' are gone: it was deleted during the export, or they are lost. Export again into another directory; suspend the tenant first if it deletes files all the time. Run 'sweep' if the bytes are lost.`,
    )
  const path = join(dir, objectPath(object_id))
  await mkdir(dirname(path), { recursive: true })
  const hasher = new Hasher()
  await pipeline(bytes, hasher, createWriteStream(path, { flush: true }))
  counter.bytes += hasher.bytes
  if (++counter.count % SAY_EVERY === 0) say(`${counter.count} objects so far`)
  return { object_id, media_type, size_bytes: hasher.bytes, sha256: hasher.digest() }
}
