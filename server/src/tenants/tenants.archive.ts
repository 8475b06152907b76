// The format of an archive: a directory with the rows of each table as lines of JSON, the objects, and a manifest that
// is written last. A directory without a manifest is not an archive.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

const FORMAT = 1

const FileEntry = Type.Object({ rows: Type.Integer(), sha256: Type.String() })
type FileEntry = Static<typeof FileEntry>

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  tenant_id: Type.String(),
  name: Type.String(),
  exported_at: Type.String(),
  /** The migrations of the database that it comes from. */
  schema: Type.Array(Type.String()),
  tables: Type.Record(Type.String(), FileEntry),
  objects: Type.Object({ rows: Type.Integer(), sha256: Type.String(), bytes: Type.Integer() }),
})
export type Manifest = Static<typeof Manifest>

/** An object becomes a path of the archive and a key of the storage, so nothing else may be its id. */
const ObjectId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

/** One line of the list of objects. */
const ArchivedObject = Type.Object({
  object_id: ObjectId,
  media_type: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Type.String(),
})
export type ArchivedObject = Static<typeof ArchivedObject>

/** The columns of files and uploads that name an object, as an archive holds them. */
const ObjectRow = Type.Object({
  object_id: ObjectId,
  media_type: Type.String(),
  status: Type.Optional(Type.String()),
  missing_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
export type ObjectRow = Static<typeof ObjectRow>

export type Say = (line: string) => unknown

const MANIFEST = 'manifest.json'
export const OBJECTS = 'objects.jsonl'
export const rowsPath = (table: string): string => join('rows', `${table}.jsonl`)
/** The end of an id is random, so that the folders fill evenly. */
export const objectPath = (object_id: string): string => join('objects', object_id.slice(-2), object_id)

/** Connects as the owner of the tables, which alone may read, add and remove the rows of all tables. */
export async function openOwner(url: string): Promise<pg.Client> {
  if (url === '') throw new Error('Set DATABASE_OWNER_URL: only the owner of the tables can archive or delete tenants.')
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Counts and hashes the bytes that pass through. */
export class Hasher extends Transform {
  bytes = 0
  private readonly hash = createHash('sha256')

  override _transform(part: Buffer, _encoding: string, done: (error: Error | null, part: Buffer) => void): void {
    this.bytes += part.length
    this.hash.update(part)
    done(null, part)
  }

  digest(): string {
    return this.hash.digest('hex')
  }
}

/** Writes the lines of all batches to a file and waits until the disk has them. */
export async function writeLines(path: string, batches: AsyncIterable<readonly string[]>): Promise<FileEntry> {
  await mkdir(dirname(path), { recursive: true })
  const hash = createHash('sha256')
  const file = createWriteStream(path, { flush: true })
  let rows = 0
  try {
    for await (const lines of batches) {
      const text = `${lines.join('\n')}\n`
      hash.update(text)
      rows += lines.length
      if (!file.write(text)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
  } finally {
    file.destroy()
  }
  return { rows, sha256: hash.digest('hex') }
}

export async function* readLines(path: string): AsyncGenerator<string> {
  const input = createReadStream(path)
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  } finally {
    input.destroy()
  }
}

export async function hashFile(path: string): Promise<string> {
  const hasher = new Hasher()
  // Nothing reads what passes through.
  hasher.resume()
  await pipeline(createReadStream(path), hasher)
  return hasher.digest()
}

/** The last step of an export: from here on the directory is an archive. */
export async function writeManifest(dir: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const file = join(dir, MANIFEST)
  await writeFile(file, `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`, { flush: true })
  await using folder = await open(dir)
  await folder.sync()
}

export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw new Error(
      `'${dir}' is not an archive: it has no ${MANIFEST}. An export that was interrupted leaves none; export again.`,
      { cause },
    )
  })
  return parse(Manifest, text, 'the manifest')
}

export const parseObject = (line: string): ArchivedObject => parse(ArchivedObject, line, OBJECTS)
export const parseObjectRow = (line: string): ObjectRow => parse(ObjectRow, line, 'a row of files or uploads')

function parse<S extends TSchema>(schema: S, text: string, what: string): Static<S> {
  const trouble = `The archive is damaged, or another version wrote it: ${what} cannot be read. Copy the archive again.`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(trouble, { cause })
  }
  if (!Value.Check(schema, value)) throw new Error(trouble)
  return value
}

/** Says how to get both installations to one schema; null: they have the same. */
export function explainSchema(archive: readonly string[], here: readonly string[]): string | null {
  if (isDeepStrictEqual(archive, here)) return null
  const missing = archive.filter((name) => !here.includes(name))
  return missing.length > 0
    ? `The archive comes from a newer version: this database lacks the migrations ${missing.join(', ')}. Upgrade this installation, then import again.`
    : `The archive comes from an older version: it lacks the migrations ${here.filter((name) => !archive.includes(name)).join(', ')}. Upgrade the installation that exported it, then export again.`
}
