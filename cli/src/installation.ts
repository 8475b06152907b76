// Where the server's code and settings are beside this program, its own doctor is asked as well.

import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { CliFinding } from './finding.ts'
import { isInContainer } from './self.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = join(ROOT, 'server/src/bin/doctor.ts')
const NEAR = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|octavo)$/
const FROM_BESIDE = ['docker compose run --rm --no-deps octavo doctor', 'npm run doctor']

/** Nothing where the server is elsewhere. */
export async function examineInstallation(url: string, signal: AbortSignal): Promise<CliFinding[]> {
  // The script that started the container asks the server's doctor itself, as the user who may.
  if (isInContainer()) return []
  const flags = findSettings()
  if (!existsSync(PROGRAM) || flags === null)
    return NEAR.test(URL.parse(url)?.hostname ?? '') ? [unseen('Its settings are not available here.')] : []
  if (!mayReadSecret()) return [unseen('Its secret belongs to another user.')]
  const child = spawn(process.execPath, [...flags, PROGRAM, '--json'], { stdio: ['ignore', 'pipe', 'pipe'], signal })
  const closed = new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  signal.throwIfAborted()
  try {
    return (JSON.parse(out) as { checks: CliFinding[] }).checks
  } catch {
    return [
      {
        name: 'installation',
        status: 'failed',
        says: `The server's doctor returned no report: ${error.trim().split('\n').at(-1) ?? ''}`,
      },
    ]
  }
}

const unseen = (why: string): CliFinding => ({
  name: 'installation',
  status: 'skipped',
  says: `The server itself was not checked. ${why}`,
  remedy:
    'Run the doctor where the server runs: the first command for containers, otherwise the second with its settings:',
  commands: FROM_BESIDE,
})

/** Flags of Node that bring the settings; null: there are none. */
function findSettings(): string[] | null {
  if (process.env['DATABASE_URL'] || process.env['DATABASE_OWNER_URL']) return []
  const file = join(process.cwd(), '.env')
  // As the scripts of package.json read it: only from where they are run.
  return join(process.cwd(), '/') === ROOT && existsSync(file) ? [`--env-file=${file}`] : null
}

/** One process keeps its secret in a file; who may not read it would take the installation for a broken one. */
function mayReadSecret(): boolean {
  const { OCTAVO_DATA_DIR: dir, OCTAVO_SECRETS: secrets } = process.env
  const file = join(dir || 'data', 'secrets')
  if (secrets || !existsSync(file)) return true
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
