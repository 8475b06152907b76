// A container of the image, as tight as compose.yaml makes it, asked for one of everything.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Octavo } from '@octavo/sdk'
import { freePort } from '../../server/src/testing/port.ts'
import { ensureStandIns, podman, standIns } from '../containers/engine.ts'
import { generate } from '../corpus/generate.ts'
import { ONE_OF_EACH } from '../corpus/one-of-each.ts'
import type { ProofRun } from '../lib/proof.ts'
import { callAll } from './packages.ts'

export interface Live {
  seconds_to_healthy: number
  uid: number
  /** Places outside /data and /tmp where a file could be written. */
  writable: string[]
  answered: number
  /** Files of each format: those that were read, and what was said of the others. */
  read: number
  unread: string[]
  failed_jobs: string[]
}

const PATIENCE_MS = 60_000
const TIGHT = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
  '--memory',
  '4g',
]

export async function runLive(image: string, run: ProofRun): Promise<Live> {
  ensureStandIns(['postgres'], run.say)
  const name = `octavo-image-${randomUUID().slice(0, 8)}`
  const [database, server] = [`${name}-postgres`, `${name}-server`]
  podman('network', 'create', name)
  try {
    const login = [
      '-e',
      'POSTGRES_USER=octavo',
      '-e',
      'POSTGRES_PASSWORD=octavo',
      '-e',
      'POSTGRES_INITDB_ARGS=--encoding=UTF8 --locale=C.UTF-8',
    ]
    podman('run', '-d', '--name', database, '--network', name, ...login, standIns.postgres.image)
    const port = await freePort()
    const started = performance.now()
    const models = process.env.OCTAVO_MODELS_DIR ? ['-v', `${process.env.OCTAVO_MODELS_DIR}:/models:ro`] : []
    const env = [`DATABASE_OWNER_URL=postgres://octavo:octavo@${database}:5432/octavo`, 'RATE_LIMITS=off'].flatMap(
      (one) => ['-e', one],
    )
    const where = ['--network', name, '-p', `127.0.0.1:${port}:3000`, '-v', `${name}:/data`, ...models]
    podman('run', '-d', '--name', server, ...TIGHT, ...where, ...env, image)
    await waitUntilHealthy(server)
    const seconds_to_healthy = Math.round((performance.now() - started) / 100) / 10
    return { seconds_to_healthy, ...(await use(server, `http://127.0.0.1:${port}`, run)) }
  } finally {
    for (const container of [server, database]) podman('rm', '-f', '-i', '-v', '-t', '2', container)
    podman('volume', 'rm', '-f', name)
    podman('network', 'rm', '-f', name)
  }
}

async function waitUntilHealthy(container: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    try {
      podman('healthcheck', 'run', container)
      return
    } catch (error) {
      if (Date.now() > deadline) throw new Error(podman('logs', '--tail', '20', container), { cause: error })
    }
  }
}

const inside = (container: string, program: string): string => podman('exec', container, 'node', '-e', program)

async function use(container: string, url: string, run: ProofRun): Promise<Omit<Live, 'seconds_to_healthy'>> {
  const uid = Number(
    /^Uid:\s+(\d+)/m.exec(inside(container, 'process.stdout.write(require("fs").readFileSync("/proc/1/status"))'))?.[1],
  )
  const tried = JSON.stringify(['/', '/app', '/app/server/src', '/etc', '/models', '/usr/local/bin', '/usr/lib'])
  const program = `for (const one of ${tried}) try { require('fs').writeFileSync(one + '/written', ''); console.log(one) } catch {}`
  const writable = inside(container, program).split('\n').filter(Boolean)
  const secret = /oct_key_\w+/.exec(podman('logs', container))?.[0]
  if (secret === undefined) throw new Error('The container printed no key.')
  const answered = await callAll({ url, secret })
  const client = new Octavo({ base_url: url, api_key: secret, timeout_ms: 120_000 })
  const { read, unread } = await readFiles(client, run)
  const failed_jobs: string[] = []
  for await (const job of client.jobs.list({ status: 'failed' })) failed_jobs.push(`${job.type}: ${job.error?.code}`)
  return { uid, writable, answered, read, unread, failed_jobs }
}

async function readFiles(client: Octavo, run: ProofRun): Promise<{ read: number; unread: string[] }> {
  const { folder, specimens, missing } = await generate(join(tmpdir(), 'octavo-corpus'), ONE_OF_EACH, run.say)
  for (const text of missing) run.say(`left out: files made by ${text}`)
  const unread: string[] = []
  for (const { path } of specimens) {
    const bytes = readFileSync(join(folder, path))
    const file = new File([bytes], basename(path))
    const document = await client.documents.createAndWait(file)
    if (document.status !== 'ready' || document.page_count === 0)
      unread.push(`${path}: ${document.error?.code ?? document.status}`)
  }
  return { read: specimens.length - unread.length, unread }
}
