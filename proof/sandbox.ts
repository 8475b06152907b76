import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sandboxLevels } from '../extract/src/sandbox/levels.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { faults } from './sandbox/faults.ts'
import type { SandboxMeasurement } from './sandbox/measurement.ts'

/** Reachable with seccomp alone, as in docs/security.md. Memory, CPU time and file size are limited at all of them. */
const files = [
  'unbound script: read /etc/passwd',
  'unbound script: read the environment of the host',
  'native: read a file of the host',
  'native: read /etc/passwd',
  'native: read the environment of the host',
  'native: read files through /proc of the host',
]
const NEVER_REACHED = [/^script: /, /write a file/, /memory$/, /CPU time/]

export const proof: Proof = {
  promise: 'Hostile code in a parser or in OCR reaches nothing outside its sandbox.',
  goal: 'hostile JavaScript within and without the permission model, and hostile native code: 0 reached at the levels container, bubblewrap and landlock, files of the user only at seccomp; at process no writing, and memory and CPU time limited',
  faults,
  run: prove,
}

async function prove({ plants, fault, say }: ProofRun): Promise<ProofOutcome> {
  const { detected, reached } = await measure(plants)
  if (fault !== null && detected !== 'bubblewrap') throw new Error(`bubblewrap does not run with the fault '${fault}'`)
  const wrong: string[] = []
  for (const level of sandboxLevels) {
    const found = reached[level]
    if (!found) continue
    say(`${level}: ${found.join('; ') || 'nothing'}`)
    const allowed = (one: string) => (level === 'seccomp' ? files.includes(one) : level === 'process')
    wrong.push(
      ...found
        .filter((one) => !allowed(one) || NEVER_REACHED.some((never) => never.test(one)))
        .map((one) => `${level}: ${one}`),
    )
  }
  const counts = sandboxLevels.map((level) => `${level} ${reached[level]?.length ?? 'not available'}`)
  return {
    figure: `reached at each level: ${counts.join(', ')}; ${wrong.length} against the goal${wrong[0] ? ` (${wrong[0]})` : ''}; this machine offers ${detected}`,
    is_met: wrong.length === 0 && detected === 'bubblewrap',
  }
}

/** The container is tried where podman runs containers, and without a fault: those concern the other levels. */
const hasPodman = (): boolean => spawnSync('podman', ['--version']).status === 0

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

async function measure(plants: ProofRun['plants']): Promise<SandboxMeasurement> {
  const container = plants.length === 0 && hasPodman() ? { OCTAVO_PROOF_CONTAINER: 'true' } : {}
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', path('./lib/plant.ts'), path('./sandbox/measure.ts')],
    { env: { ...process.env, OCTAVO_PLANTS: JSON.stringify(plants), ...container } },
  )
  return JSON.parse(stdout) as SandboxMeasurement
}
