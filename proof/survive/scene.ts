// The stack of compose.yaml on separate disks, small enough to be filled.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Document, Octavo } from '@octavo/sdk'
import { ensureStandIns, podman } from '../containers/engine.ts'
import { type Machine, openMachine } from '../containers/machine.ts'
import { makeBook } from '../lib/book.ts'
import type { ProofRun } from '../lib/proof.ts'

export interface SurviveScene {
  run: ProofRun
  machine: Machine
  client: Octavo
  secret: string
  /** One command line in the folder of the stack; throws what it says if it fails. */
  stack: (command: string) => Promise<string>
}

/** Problems that a part found, and its figure. */
const DISKS = { data: { mb: 96, owner: 10001 }, postgres: { mb: 640, owner: 0 } }

function makeDisk(machine: Machine, name: keyof typeof DISKS): void {
  const { mb, owner } = DISKS[name]
  const file = join(machine.home, `${name}.img`)
  writeFileSync(file, '')
  truncateSync(file, mb * 2 ** 20)
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', '-E', `root_owner=${owner}:${owner}`, file])
  // The server makes its folder in an empty one only.
  execFileSync('debugfs', ['-w', '-R', 'rmdir lost+found', file], { stdio: 'ignore' })
  podman(
    'volume',
    'create',
    // podman-compose removes only volumes with this label.
    '--label',
    `io.podman.compose.project=${machine.project}`,
    '--opt',
    'type=ext4',
    '--opt',
    `device=${file}`,
    '--opt',
    'o=loop',
    `${machine.project}_${name}`,
  )
}

export async function openScene(run: ProofRun): Promise<SurviveScene> {
  ensureStandIns(['node', 'maven', 'postgres'], run.say)
  const machine = await openMachine(run.plants)
  try {
    makeDisk(machine, 'data')
    makeDisk(machine, 'postgres')
    const stack = async (command: string): Promise<string> => {
      const { code, text } = await machine.run(command, machine.repository)
      if (code !== 0) throw new Error(`${command}\n${text.split('\n').slice(-20).join('\n')}`)
      return text
    }
    await stack('docker compose build')
    await stack('docker compose up -d --wait')
    const secret = /oct_key_\w+/.exec(await stack('docker compose logs octavo'))![0]
    return {
      run,
      machine,
      secret,
      stack,
      client: new Octavo({ base_url: machine.url, api_key: secret, timeout_ms: 30_000 }),
    }
  } catch (error) {
    machine.close()
    throw error
  }
}

export async function waitFor<T>(what: string, seconds: number, look: () => Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; ; await sleep(100)) {
    const found = await look().catch(() => null)
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`)
  }
}

/** Sends a book, and comes back when part of it has been read. */
export async function beginBook({ client }: SurviveScene, pages: number, seed: number): Promise<Document> {
  const file = new File([new Uint8Array(await makeBook({ pages, seed }))], `book-${seed}.pdf`)
  const { id } = await client.documents.createFromFile(file)
  return waitFor('some pages', 120, async () => {
    const document = await client.documents.get(id)
    return document.pages_ready >= pages / 10 ? document : null
  })
}

/** Everything that a caller can see, as one text for each document. */
export async function readAll(client: Octavo): Promise<Map<string, string>> {
  const seen = new Map<string, string>()
  for await (const { id, status, title, sha256, page_count, file_id } of client.documents.list({ limit: 100 })) {
    const pages = createHash('sha256')
    for await (const page of client.pages.list(id, { limit: 100 })) pages.update(`${page.number} ${page.text}\n`)
    const bytes =
      file_id === null
        ? ''
        : createHash('sha256')
            .update(Buffer.from(await (await client.files.download(file_id)).arrayBuffer()))
            .digest('hex')
    seen.set(
      id,
      JSON.stringify({
        status,
        title,
        page_count,
        pages: pages.digest('hex'),
        is_whole: bytes === (sha256 ?? ''),
        bytes,
      }),
    )
  }
  return seen
}
