// Places that a file must not reach: a URL of its choice, and any folder other than the storage.

import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

export interface HostileCanary {
  /** Without a path. */
  url: string
  /** Requested paths; a connection without a request also counts. */
  hits(): string[]
  close(): Promise<void>
}

export async function openCanary(): Promise<HostileCanary> {
  const asked: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('canary')
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    hits: () => (asked.length > 0 || connections === 0 ? asked : [`${connections} connections`]),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The name that files try to leave somewhere. */
const LEFT = 'octavo-hostile-canary'

export interface Grounds {
  storage: string
  /** For TMPDIR. */
  temporary: string
  /** Paths outside the storage that were not there before. */
  listNew(): string[]
  close(): void
}

/** Separate folders for all processes: storage, temporary files and working directory. */
export function openGrounds(): Grounds {
  const before_dir = process.cwd()
  const root = mkdtempSync(join(tmpdir(), 'octavo-hostile-'))
  const [storage, temporary, working] = ['storage', 'temporary', 'working'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [storage, temporary, working]) mkdirSync(folder)
  process.chdir(working)
  const list = (): string[] =>
    globSync('**', { cwd: root }).filter((path) => path !== 'storage' && !path.startsWith(`storage/`))
  const elsewhere = [tmpdir(), '/tmp', '/', before_dir, resolve(root, '..')].map((folder) => join(folder, LEFT))
  const before = new Set([...list(), ...elsewhere.filter((path) => existsSync(path))])
  return {
    storage,
    temporary,
    listNew: () =>
      [...list(), ...elsewhere.filter((path) => existsSync(path)), ...strays(storage)].filter(
        (path) => !before.has(path),
      ),
    close() {
      process.chdir(before_dir)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Names inside the storage that a caller chose: every name there is one of ours. */
const strays = (storage: string): string[] =>
  globSync('**', { cwd: storage, withFileTypes: true })
    .map(({ parentPath, name }) => relative(storage, join(parentPath, name)))
    .filter((path) => /canary|passwd|\.\.|[^\w./-]/.test(path))
