// A file of any size passes through the server, not through its memory; and what has come need not be sent again.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Document, Octavo } from '@octavo/sdk'
import { residentOf } from './lib/processes.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { type Driver, drivers, openStore } from './lib/stores.ts'
import { openWorld, type World } from './lib/world.ts'
import { faults } from './upload/faults.ts'
import { type LargeFile, makeFile } from './upload/file.ts'
import { watchMemory } from './upload/memory.ts'
import { openTorn, type UploadTornWrite } from './upload/send.ts'

const MIB = 1024 * 1024
const GOAL_MB = 64
const SIZE = { short: 128 * MIB, normal: 1024 * MIB, long: 1024 * MIB }
const WARM_UP = 80 * MIB
const PART = 16 * MIB
/** In the middle of the file. */
const TORN_PUT = 3
const RANGE = { first: 20 * MIB - 7, last: 21 * MIB + 7 }

export const proof: Proof = {
  promise:
    'A large file is received without being held in memory, and after an interruption only the missing parts are sent again.',
  goal: `1 GiB by parts through the SDK, one part interrupted half-way and resumed, and 1 GiB by multipart/form-data, on both drivers: API process grows < ${GOAL_MB} MiB, only the missing parts are sent, the same bytes come back, a Range too`,
  faults,
  run: prove,
}

interface UploadResult {
  /** Memory of the API process when idle after the warm-up, in MiB. */
  level_mb: number
  parts_mb: number
  form_mb: number
  wrong: string[]
}
interface UploadScene {
  driver: Driver
  file: LargeFile
  torn: UploadTornWrite
  client: Octavo
  pid: number
  url: string
  secret: string
  wrong: string[]
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const file = await makeFile(SIZE[run.length])
  const warmUp = await makeFile(WARM_UP)
  const all: [Driver, UploadResult][] = []
  try {
    for (const driver of run.fault === null ? drivers : (['disk'] as const)) {
      const store = openStore(driver)
      await using _store = defer(() => store.removeAll())
      // So that a short run has a file that is too large to be read as well.
      await using world = await openWorld(run.plants, {
        RATE_LIMITS: 'off',
        ...store.env,
        MAX_READ_BYTES: String(64 * MIB),
      })
      const found = await proveOn(world, driver, { file, warmUp })
      all.push([driver, found])
      run.say(`${driver}: ${resultText(found)}`)
    }
  } finally {
    await Promise.all([file.remove(), warmUp.remove()])
  }
  const size = `${SIZE[run.length] / MIB} MiB`
  const is_met = all.every(
    ([, { parts_mb, form_mb, wrong }]) => parts_mb < GOAL_MB && form_mb < GOAL_MB && wrong.length === 0,
  )
  return { figure: `${size}; ${all.map(([driver, found]) => `${driver}: ${resultText(found)}`).join('; ')}`, is_met }
}

const resultText = ({ level_mb, parts_mb, form_mb, wrong }: UploadResult): string =>
  `API (${round(level_mb, 0)} MiB) grew ${round(parts_mb, 1)} MiB with parts, ${round(form_mb, 1)} MiB with a form${wrong.map((one) => `, ${one}`).join('')}`

async function proveOn(
  world: World,
  driver: Driver,
  { file, warmUp }: { file: LargeFile; warmUp: LargeFile },
): Promise<UploadResult> {
  const api = await world.startApi()
  await world.startWorker()
  const { key } = await world.newTenant()
  const torn = openTorn()
  const client = new Octavo({
    base_url: api.url,
    api_key: key.secret,
    max_retries: 0,
    timeout_ms: 300_000,
    fetch: torn.fetch,
  })
  const scene: UploadScene = { driver, file, torn, client, pid: api.pid, url: api.url, secret: key.secret, wrong: [] }

  const warm = { ...scene, file: warmUp, wrong: [] }
  for (const make of [() => sendForm(warm), () => client.documents.createFromFile(warmUp.blob)]) {
    const document = await make()
    await checkBytes(warm, document, 'warm-up')
    await discard(warm, document)
  }
  torn.take()
  await sleep(1_000)
  const level = residentOf(api.pid)

  const byParts = watchMemory(api.pid, level)
  const first = await sendParts(scene)
  await checkBytes(scene, first, 'parts')
  const parts_mb = await byParts.stop()
  await checkEnd(scene, first)
  await discard(scene, first)

  const byForm = watchMemory(api.pid, level)
  const second = await sendForm(scene)
  await checkBytes(scene, second, 'form')
  const form_mb = await byForm.stop()
  if (second.sha256 !== file.sha256) scene.wrong.push('form: another sha256')
  await discard(scene, second)
  return { level_mb: level, parts_mb, form_mb, wrong: [...warm.wrong, ...scene.wrong] }
}

/** Torn in one part, and resumed by its id. */
async function sendParts({ client, torn, file, wrong, driver }: UploadScene): Promise<Document> {
  const { blob } = file
  const upload = await client.uploads.create({
    file_name: 'large.bin',
    media_type: 'application/octet-stream',
    size_bytes: blob.size,
  })
  const count = Math.ceil(blob.size / PART)
  torn.tearAfter(TORN_PUT)
  const isTorn = await client.uploads.send(upload, blob).then(
    () => false,
    () => true,
  )
  if (!isTorn) wrong.push('no part was torn')
  const before = torn.take()
  await sleep(500)
  const received = (await client.uploads.get(upload.id)).parts.filter(({ is_received }) => is_received).length
  const told: number[] = []
  await client.uploads.send(upload.id, blob, { onUpload: ({ sent_bytes }) => told.push(sent_bytes) })
  const after = torn.take()
  const whole = before.length - 1
  if (received < whole) wrong.push(`${received} of ${whole} whole parts were received`)
  // The disk is ours: half a part is none. There are servers of S3 that keep it, and the client knows better.
  if (driver === 'disk' && received > whole) wrong.push('half a part counts as received')
  if (after.length !== count - whole)
    wrong.push(`${after.length} parts were sent after the break instead of ${count - whole}`)
  if (told.at(-1) !== blob.size) wrong.push('not all bytes were told as sent')
  return client.documents.create({ title: 'Large', source: { type: 'upload', upload_id: upload.id } })
}

/** Without the SDK, which sends a file of this size by parts. */
async function sendForm({ url, secret, file }: UploadScene): Promise<Document> {
  const form = new FormData()
  form.set('title', 'Large')
  form.set('file', file.blob, 'large.bin')
  const answer = await fetch(`${url}/api/v1/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`the form was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Document
}

async function checkBytes(
  { client, file, wrong }: UploadScene,
  { file_id, size_bytes }: Document,
  what: string,
): Promise<void> {
  const hash = createHash('sha256')
  const whole = await client.files.download(file_id!)
  for await (const chunk of whole.body as AsyncIterable<Uint8Array>) hash.update(chunk)
  if (hash.digest('hex') !== file.sha256 || size_bytes !== file.blob.size) wrong.push(`${what}: other bytes came back`)
  const { first, last } = RANGE
  const part = await client.files.download(file_id!, { headers: { range: `bytes=${first}-${last}` } })
  const bytes = Buffer.from(await part.arrayBuffer())
  if (part.status !== 206 || !bytes.equals(await file.read(first, last)))
    wrong.push(`${what}: other bytes came back for a range`)
}

async function checkEnd({ client, wrong }: UploadScene, { id }: Document): Promise<void> {
  for (let status = 'processing'; status === 'processing'; ) {
    const document = await client.documents.get(id, {}, { wait_seconds: 20 })
    status = document.status
    if (status !== 'processing' && document.error?.code !== 'document_too_large')
      wrong.push(`it ended ${status} with ${document.error?.code}`)
  }
}

/** Its bytes make room for the next. */
async function discard({ client }: UploadScene, { id }: Document): Promise<void> {
  await client.documents.remove(id)
  for (let isPurged = false; !isPurged; await sleep(100)) {
    isPurged = true
    for await (const { status } of client.jobs.list({ limit: 100 }))
      if (status === 'queued' || status === 'running') isPurged = false
  }
}
