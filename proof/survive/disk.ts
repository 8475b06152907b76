// A disk that is full: said so, nothing lost, and all well again when there is room.

import { podman } from '../containers/engine.ts'
import { makeBook } from '../lib/book.ts'
import { type Part, round } from '../lib/proof.ts'
import { readAll, type SurviveScene, waitFor } from './scene.ts'

/** There is no shell in the image. Until not a byte more goes in. */
const FILL = `const fs = require('fs'), file = fs.openSync('/data/filler', 'w')
for (let size = 1 << 20; size >= 1; ) try { fs.writeSync(file, Buffer.alloc(size)) } catch { size >>= 1 }`

interface SurviveAnswer {
  status: number
  body: { code?: string; message?: string }
}

async function sendBook({ machine, secret }: SurviveScene, seed: number): Promise<SurviveAnswer> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(await makeBook({ pages: 20, seed }))], `book-${seed}.pdf`))
  const response = await fetch(`${machine.url}/api/v1/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as SurviveAnswer['body'] }
}

export async function fillData(scene: SurviveScene): Promise<Part> {
  const { client, machine, run } = scene
  const server = machine.container('octavo')
  const before = await readAll(client)
  podman('exec', server, 'node', '-e', FILL)
  const refused = await sendBook(scene, 11)
  run.say(`full: ${refused.status} ${refused.body.code}: ${refused.body.message}`)
  const meanwhile = await readAll(client)
  podman('exec', server, 'node', '-e', "require('fs').rmSync('/data/filler')")
  const freed = performance.now()
  const accepted = await sendBook(scene, 12)
  const findings: string[] = []
  if (refused.status < 500 || refused.body.code === 'internal_error' || !refused.body.message?.includes('is full'))
    findings.push(`a full disk was answered ${refused.status} ${refused.body.code}`)
  if (accepted.status !== 201) findings.push(`with room again: ${accepted.status} ${accepted.body.code}`)
  for (const [id, seen] of before) if (meanwhile.get(id) !== seen) findings.push(`${id} could not be read meanwhile`)
  findings.push(...(await waitUntilRead(scene)))
  return {
    figure: `volume of files full: ${refused.status} ${refused.body.code}; ${before.size} documents still readable; well ${round((performance.now() - freed) / 1000, 1)} s after there was room`,
    findings,
  }
}

export async function fillDatabase(scene: SurviveScene): Promise<Part> {
  const { client, machine, run } = scene
  const database = machine.container('postgres')
  const before = await readAll(client)
  const filler = '/var/lib/postgresql/data/filler'
  podman(
    'exec',
    database,
    'sh',
    '-c',
    `dd if=/dev/zero of=${filler} bs=64k 2>/dev/null; dd if=/dev/zero of=${filler}2 bs=512 2>/dev/null; true`,
  )
  const answers = new Map<string, number>()
  // Room that was set aside before may hold a few more.
  for (let i = 0; i < 40 && answers.size < 2; i++) {
    const { status, body } = await sendBook(scene, 100 + i)
    const what = `${status} ${body.code ?? ''}`.trim()
    answers.set(what, (answers.get(what) ?? 0) + 1)
    if (status >= 400) run.say(`full: ${status} ${body.code}: ${body.message}`)
  }
  podman(
    'run',
    '--rm',
    '-v',
    `${machine.project}_postgres:/disk`,
    '--entrypoint',
    'rm',
    'pgvector/pgvector:pg17',
    '-f',
    '/disk/filler',
    '/disk/filler2',
  )
  const freed = performance.now()
  const findings = [...answers.keys()]
    .filter((what) => !/^(201|503)\b/.test(what))
    .map((what) => `a full disk was answered ${what}`)
  if (![...answers.keys()].some((what) => what.startsWith('503'))) findings.push('the disk was never full')
  await waitFor('a document with room again', 120, async () =>
    (await sendBook(scene, 200)).status === 201 ? true : null,
  )
  const after = await readAll(client)
  for (const [id, seen] of before) if (after.get(id) !== seen) findings.push(`${id} is not as it was`)
  findings.push(...(await waitUntilRead(scene)))
  const said = [...answers].map(([what, times]) => `${times} × ${what}`).join(', ')
  return {
    figure: `volume of the database full: ${said}; well ${round((performance.now() - freed) / 1000, 1)} s after there was room`,
    findings,
  }
}

async function waitUntilRead({ client }: SurviveScene): Promise<string[]> {
  return waitFor('all documents', 180, async () => {
    const { data } = await client.documents.list({ status: 'processing' })
    if (data.length > 0) return null
    const failed = (await client.documents.list({ status: 'failed' })).data
    return failed.map(({ id, error }) => `${id} failed: ${error?.code}`)
  })
}
