// `npm run seed` gives a running server a few real documents: this repository's own pages. It may run again: a document
// that is there stays. The key comes from OCTAVO_API_KEY, or it is created for the first tenant and kept in data/dev-key.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ConflictError, Octavo } from '@octavo/sdk'

const root = join(import.meta.dirname, '..')
const key_file = join(root, 'data/dev-key')
const FILES = ['LICENSE', 'README.md', 'SECURITY.md', 'docs/quickstart.md', 'docs/concepts.md', 'docs/backup.md']

function admin(...args: string[]): string {
  const command = ['--env-file-if-exists=.env', 'server/src/bin/admin.ts', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`admin ${args[0]} failed: ${stderr.trim()}`)
  return stdout
}

function createKey(): string {
  const [tenant] = /\bten_\w+/.exec(admin('list-tenants')) ?? []
  if (!tenant) throw new Error('There is no tenant yet. Start the server first: npm run dev')
  const [key] = /\boct_\w+/.exec(admin('create-key', tenant, '--name', 'Development key')) ?? []
  if (!key) throw new Error('admin create-key printed no key.')
  mkdirSync(join(root, 'data'), { recursive: true })
  writeFileSync(key_file, key, { mode: 0o600 })
  return key
}

/** A key of an earlier database does not work any more. */
export async function developmentKey(url: string): Promise<string> {
  const known = process.env['OCTAVO_API_KEY'] ?? (existsSync(key_file) ? readFileSync(key_file, 'utf8') : null)
  if (known === null) return createKey()
  const { status } = await fetch(`${url}/api/v1/projects?limit=1`, { headers: { authorization: `Bearer ${known}` } })
  return status === 401 && process.env['OCTAVO_API_KEY'] === undefined ? createKey() : known
}

export async function seed(url: string, key: string): Promise<string[]> {
  const octavo = new Octavo({ base_url: url, api_key: key })
  const added: string[] = []
  for (const file of FILES) {
    try {
      const document = { title: basename(file), external_id: `seed:${file}` }
      await octavo.documents.createFromFile(await openAsBlob(join(root, file)), document)
      added.push(file)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
  }
  return added
}

if (import.meta.main) {
  const url = process.env['BASE_URL'] ?? 'http://127.0.0.1:3000'
  const added = await seed(url, await developmentKey(url))
  console.log(added.length ? `added: ${added.join(', ')}` : 'every document is there already')
}
