// The image: small, without a shell, not root, on a read-only file system, with everything in it that is loaded.

import { operations } from '@octavo/contract'
import { buildBare } from './image/build.ts'
import { runLive } from './image/live.ts'
import { lookInto } from './image/look.ts'
import { countLoaded } from './image/packages.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'

const MAX_MEGABYTES = 400
const MAX_LOADED = 120
/** Operations that need nothing but what is made from the contract's examples. */
const MIN_ANSWERED = 65
const DOCKERFILE = 'deploy/Dockerfile'

export const proof: Proof = {
  promise: 'The image contains little that is not needed and runs with minimal privileges.',
  goal: `root file system ≤ ${MAX_MEGABYTES} MB without models; ≤ ${MAX_LOADED} packages loaded by an API process that has answered one of each kind of request; 0 install scripts run; not root, read-only root, no capability, no shell; every package in the bill of materials; a file of each format read, 0 jobs failed`,
  faults: {
    root: { what: 'it runs as root', plants: [change(DOCKERFILE, 'USER 10001:10001\n', '')] },
    shell: {
      what: 'there is a shell in it',
      plants: [change('deploy/root.ts', "['/usr/bin/env',", "['/bin/sh', '/usr/bin/env',")],
    },
    fat: {
      what: 'hardly anything is left out',
      plants: [
        change(
          'deploy/prune.ts',
          'if (isForeign(name, file, platform)) return true',
          "if (name) return isForeign(name, file, platform) && file.endsWith('.node')",
        ),
      ],
    },
    too_lean: {
      what: 'a file that is loaded is left out',
      plants: [change('deploy/prune.ts', "keep: ['tesseract-core-simd-lstm.{js,wasm}']", 'keep: []')],
    },
    unlisted: {
      what: 'the bill of materials leaves packages out',
      plants: [
        change(
          'deploy/sbom.ts',
          'const packages = [...installed].filter(([, { link }]) => !link)',
          'const packages = [...installed].filter(([path]) => path < "node_modules/p")',
        ),
      ],
    },
    scripts: {
      what: 'packages run scripts when they are installed',
      plants: [
        change(DOCKERFILE, 'npm ci --ignore-scripts', 'ONNXRUNTIME_NODE_INSTALL=skip npm ci --ignore-scripts=false'),
      ],
    },
    eager: {
      what: 'the API loads what only a worker needs',
      plants: [change('server/src/api.ts', 'import ', "import 'vega'\nimport 'remark-gfm'\nimport ")],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const is_eager = run.fault === 'eager'
  const findings: string[] = []
  const need = (is_good: boolean, finding: string): void => {
    if (!is_good) findings.push(finding)
  }
  // Scripts run where npm does: a step that is taken over would hide them.
  const is_cached = run.fault === null ? run.length === 'short' : run.fault !== 'scripts'
  const built = buildBare(is_eager ? [] : run.plants, is_cached, run.say)
  const { megabytes, user, packages, unlisted, shells } = lookInto(built.image)
  run.say(`${megabytes} MB, ${packages.length} packages, user ${user}, built in ${built.seconds} s`)
  need(megabytes <= MAX_MEGABYTES, `${megabytes} MB`)
  need(user === '10001:10001', `its user is '${user}'`)
  need(
    unlisted.length === 0,
    `not in the bill of materials: ${unlisted.slice(0, 3).join(', ')} and others, ${unlisted.length}`,
  )
  need(shells.length === 0, `there are ${shells.join(', ')}`)
  need(
    built.scripts === 0 || (built.scripts === null && is_cached),
    `install scripts run: ${built.scripts ?? 'the log does not tell'}`,
  )
  const loaded = await countLoaded('disk', is_eager ? run.plants : [])
  const loaded_with_s3 = await countLoaded('s3', [])
  need(loaded.packages.length <= MAX_LOADED, `${loaded.packages.length} packages loaded by the API`)
  need(loaded.answered >= MIN_ANSWERED, `only ${loaded.answered} operations answered while packages were counted`)
  // A fault is caught by its first finding.
  if (run.fault !== null && findings.length > 0) return { figure: findings[0]!, is_met: false }
  const live = await runLive(built.image, run)
  need(live.uid === 10001, `its process is of user ${live.uid}`)
  need(live.writable.length === 0, `it can write to ${live.writable.join(', ')}`)
  need(live.answered >= MIN_ANSWERED, `only ${live.answered} operations answered by the container`)
  need(live.unread.length === 0, `unread: ${live.unread.join(', ')}`)
  need(live.failed_jobs.length === 0, `failed: ${live.failed_jobs.join(', ')}`)
  for (const finding of findings) run.say(`FAILED ${finding}`)
  const figure =
    `${megabytes} MB without models; API process: ${loaded.packages.length} packages loaded (${loaded_with_s3.packages.length} with S3) ` +
    `after ${loaded.answered} of ${operations.length} operations; ${packages.length} packages in the image, ${unlisted.length} not in the bill of materials; ` +
    `install scripts run: ${built.scripts ?? 'npm did not run'}; user ${live.uid}, ${shells.length} shells, ${live.writable.length} places writable beside /data and /tmp; ` +
    `healthy after ${live.seconds_to_healthy} s; ${live.read} files of as many formats read, ${live.failed_jobs.length} jobs failed`
  return { figure: run.fault === null ? figure : (findings[0] ?? 'nothing was found'), is_met: findings.length === 0 }
}
