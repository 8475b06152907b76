// The extract process in a container as compose.yaml starts it: another user, no network, no capability, read-only.

import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findActiveLevel } from '../../extract/src/sandbox/active.ts'
import type { Sandbox } from '../../extract/src/sandbox/launch.ts'
import { connectSandbox } from '../../extract/src/sandbox/remote.ts'
import { ensureStandIns, podman, standIns } from '../containers/engine.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const [USER, GROUP] = [10002, 10001]
const START_MS = 120_000
/** Where the image has this machine's node. */
const NODE = '/usr/local/bin/node'

export interface SandboxContainer {
  sandbox: Sandbox
  /** As a worker sees it. */
  level: string
  close: () => void
}

/** `confine` is the compiled launcher; its folder also holds the hostile program. */
export async function openContainer(confine: string): Promise<SandboxContainer> {
  ensureStandIns(['node'], () => {})
  const folder = mkdtempSync(join(tmpdir(), 'octavo-sandbox-'))
  chownSync(folder, USER, GROUP)
  // The container's user must be able to enter both.
  for (const path of [folder, dirname(confine)]) chmodSync(path, 0o755)
  const name = `octavo-sandbox-${randomUUID().slice(0, 8)}`
  const mounts = [
    `${folder}:/sandbox`,
    `${ROOT}:${ROOT}:ro`,
    `${dirname(confine)}:${dirname(confine)}:ro`,
    `${confine}:/usr/local/bin/octavo-confine:ro`,
  ]
  const confinement = ['--network=none', '--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges']
  const close = (): void => {
    podman('rm', '-f', '-t', '1', name)
    rmSync(folder, { recursive: true, force: true })
  }
  const program = [NODE, join(ROOT, 'server/src/bin/extract.ts')]
  const user = ['--user', `${USER}:${GROUP}`]
  const volumes = mounts.flatMap((mount) => ['-v', mount])
  podman('run', '-d', '--name', name, ...user, ...confinement, ...volumes, standIns.node.image, ...program)
  try {
    const socket = join(folder, 'extract.sock')
    const { level } = await findActiveLevel(socket, START_MS)
    const remote = connectSandbox(socket)
    const programOf = (path: string): string => (path === process.execPath ? NODE : path)
    const sandbox: Sandbox = { launch: (task) => remote.launch({ ...task, program: programOf(task.program) }) }
    return { sandbox, level, close }
  } catch (error) {
    close()
    throw error
  }
}
