// `npm run dev`: the whole service in one process, started again when a source file changes. The first start makes a
// tenant, a key (kept in data/dev-key) and a few documents.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { developmentKey, seed } from './seed.ts'

const root = join(import.meta.dirname, '..')
const url = process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
const args = ['--watch', '--watch-preserve-output', 'server/src/bin/all.ts']
const server = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, BASE_URL: url } })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 0))
process.on('exit', () => server.kill())

const management = `http://127.0.0.1:${process.env['MANAGEMENT_PORT'] ?? '9090'}`

/** Ready only after the first start has made its tenant. */
async function waitUntilReady(): Promise<void> {
  while (!(await fetch(`${management}/readyz`).catch(() => null))?.ok) await sleep(300)
}

await waitUntilReady()
const key = await developmentKey(url)
const added = await seed(url, key)
console.log(`
${added.length ? `Added ${added.length} documents. ` : ''}Your development key (also in data/dev-key):

  ${key}

  export OCTAVO_URL=${url} OCTAVO_API_KEY=${key}
  ./octavo search "how do I back it up"
`)
