// Compiles the hostile program and runs it in a sandbox.

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '../sandbox/launch.ts'

const SOURCE = fileURLToPath(new URL('./hostile.c', import.meta.url))
const CONFINE = fileURLToPath(new URL('../../../deploy/sandbox/octavo-confine.c', import.meta.url))

export const hasCompiler = (): boolean => spawnSync('cc', ['--version']).status === 0

export interface HostileProgram {
  /** Path of a newly compiled octavo-confine. */
  confine: string
  /** Everything that it reached. */
  run(sandbox: Sandbox): Promise<string[]>
  close(): void
}

export async function openHostileProgram(): Promise<HostileProgram> {
  // Below a folder that every user may enter.
  const folder = mkdtempSync(join(tmpdir(), 'octavo-hostile-'))
  const program = join(folder, 'hostile')
  const secret = join(folder, 'secret')
  const confine = join(folder, 'octavo-confine')
  execFileSync('cc', ['-O1', '-o', program, SOURCE])
  execFileSync('cc', ['-O1', '-Wall', '-Werror', '-o', confine, CONFINE])
  writeFileSync(secret, 'secret')
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    confine,
    async run(sandbox) {
      const child = sandbox.launch({
        program,
        args: [secret, join(folder, 'written'), String(process.pid), String(port)],
        reads: [],
        data_bytes: 512 * 2 ** 20,
        cpu_seconds: 60,
      })
      child.stdin.end()
      const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), child.ended])
      const reached = output.trim().split('\n')
      if (code !== 0 || reached.pop() !== 'done') throw new Error(`hostile ended with ${code}: ${complaint}`)
      rmSync(join(folder, 'written'), { force: true })
      return reached
    },
    close() {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
