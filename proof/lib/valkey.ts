// A Valkey of the proof's own, which may be killed and stopped.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/testing/port.ts'

export interface OwnValkey {
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  /** SIGSTOP: connections stay, nothing is answered. */
  freeze(): void
  thaw(): void
}

/** On the PATH, or among the servers that were unpacked for tests: those run with their own loader and libraries. */
function findProgram(): string[] {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['valkey-server', 'redis-server'])
      if (existsSync(join(folder, name))) return [join(folder, name)]
  }
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const root = join(process.env.OCTAVO_SERVICES_DIR ?? join(cache, 'octavo-services'), 'debian')
  const program = join(root, 'usr/bin/valkey-server')
  if (!existsSync(program))
    throw new Error('this proof starts a Valkey of its own: put valkey-server or redis-server on the PATH')
  const libraries = ['usr/lib/x86_64-linux-gnu', 'usr/lib/aarch64-linux-gnu']
    .map((folder) => join(root, folder))
    .filter(existsSync)
  const loader = ['lib64/ld-linux-x86-64.so.2', 'lib/ld-linux-aarch64.so.1']
    .map((file) => join(root, file))
    .find(existsSync)
  if (!loader) throw new Error(`${program} cannot be run: it has no loader`)
  return [loader, '--library-path', libraries.join(':'), program]
}

export async function openValkey(): Promise<OwnValkey> {
  const [program, ...args] = findProgram()
  const port = await freePort()
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--daemonize',
    'no',
  ]
  let child: ChildProcess | null = null
  return {
    url: `redis://127.0.0.1:${port}/0`,
    async start() {
      child = spawn(program!, [...args, ...settings], { stdio: 'ignore' })
      await waitForPort(port)
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}

async function waitForPort(port: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) {
    const socket = connect(port, '127.0.0.1')
    const [isOpen] = (await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false])) as [boolean]
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('Valkey did not start within 10 s')
}
