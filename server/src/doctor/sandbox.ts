// How well parsers and OCR are confined on this machine.

import { messageOf } from '@octavo/base/unknown.ts'
import { findActiveLevel } from '@octavo/extract/sandbox/active.ts'
import { type DetectedLevel, isBelow, type SandboxLevel } from '@octavo/extract/sandbox/levels.ts'
import { type Check, type Finding, failed, ok, warning } from './finding.ts'
import { lacking, type Settings } from './settings.ts'

export function sandboxChecks(settings: Settings): Check[] {
  return [
    {
      name: 'sandbox',
      run: async () => lacking(settings, 'SANDBOX_MINIMUM') ?? (await findSandbox(settings)),
    },
  ]
}

async function findSandbox({ config }: Settings): Promise<Finding> {
  const { sandbox_socket, sandbox_minimum } = config
  try {
    return judgeSandbox(await findActiveLevel(sandbox_socket), sandbox_minimum)
  } catch (error) {
    return failed(
      `No extract process responds at SANDBOX_SOCKET '${sandbox_socket}' (${messageOf(error)}), so no file can be parsed.`,
      'Start the extract container with the same volume, or remove SANDBOX_SOCKET.',
    )
  }
}

const REMEDY =
  'Install bubblewrap and allow user namespaces, or use the container image. docs/security.md compares levels.'
const INSTALL = 'apt-get install bubblewrap'
const CONTAINED: Record<SandboxLevel, string> = {
  container: 'native code cannot reach files, processes or the network, and runs as another user in another container',
  bubblewrap: 'native code cannot reach files, processes or the network',
  landlock: 'native code cannot reach files, processes or the network',
  seccomp: "native code cannot reach the network or processes, but can read the worker's files",
  process: 'native code can do everything that the worker can',
}

export function judgeSandbox({ level, because }: DetectedLevel, minimum: SandboxLevel): Finding {
  const reason = because === null ? '' : ` Bubblewrap cannot be used: ${because.replace(/\.$/, '')}.`
  const says = `Parsers and OCR run at level ${level}: ${CONTAINED[level]}.${reason}`
  if (isBelow(level, minimum))
    return failed(`${says} SANDBOX_MINIMUM is ${minimum}, so workers do not start.`, REMEDY, INSTALL)
  return isBelow(level, 'landlock') ? warning(says, REMEDY, INSTALL) : ok(says)
}
