// The commands of the page, in its order.

import { fileURLToPath } from 'node:url'
import { type ProofRun, round } from '../lib/proof.ts'
import { commandsOf } from './page.ts'
import type { RestoreScene } from './scene.ts'

const PLANT = fileURLToPath(new URL('../lib/plant.ts', import.meta.url))
/** Faults that were not met by a short program, as plant.ts says it. */
const UNMET = 70

/** With faults in its source a program is started without npm, which would take them for its own. */
function planted(run: ProofRun, commands: string): string {
  if (run.plants.length === 0) return commands
  return commands.replaceAll(
    /^npm run (\w+)(?: --)?(.*)$/gm,
    (_, door, rest) => `node --import ${PLANT} server/src/bin/${door}.ts${rest} || [ $? = ${UNMET} ]`,
  )
}

/** Long enough for a busy machine: one that refuses ends by itself. */
const START_S = 60

/** Says whether the API starts; it must not. */
export async function tryToStart({ cluster, world }: RestoreScene): Promise<boolean> {
  const start = `timeout ${START_S} node --import ${PLANT} server/src/bin/api.ts || true`
  const told = await cluster.shell(start, { ...world.env, PORT: '0', MANAGEMENT_PORT: '0', LOG_LEVEL: 'info' })
  if (/run: npm run admin -- after-restore/.test(told)) return false
  if (told.includes('"listening"')) return true
  throw new Error(`the API neither starts nor says that it will not: ${told}`)
}

export async function restoreStores({ cluster, store, moment }: RestoreScene, base: string): Promise<void> {
  await cluster.shell(commandsOf('The database'), {
    BASE: base,
    MOMENT: new Date(moment).toISOString().replace('Z', '+00'),
  })
  if (store.driver === 'disk') await cluster.shell(commandsOf('The files, if they are lost'))
}

/** Returns the output. */
export const lookAfter = (run: ProofRun, { cluster, world }: RestoreScene): Promise<string> =>
  cluster.shell(planted(run, commandsOf('After every restore')), world.env)

/** Time that the operator waits; the proof's own checks in between do not count. */
export class RestoreWatch {
  private readonly parts: [string, number][] = []

  async time<T>(what: string, work: () => Promise<T>): Promise<T> {
    const began = Date.now()
    const result = await work()
    this.parts.push([what, Date.now() - began])
    return result
  }

  get seconds(): number {
    return round(this.parts.reduce((sum, [, ms]) => sum + ms, 0) / 1000, 1)
  }

  get figure(): string {
    return this.parts.map(([what, ms]) => `${what} ${round(ms / 1000, 1)} s`).join(', ')
  }
}

export async function restoreDump(run: ProofRun, scene: RestoreScene): Promise<void> {
  const { cluster } = scene
  await cluster.shell(commandsOf('A dump'))
  await cluster.shell(commandsOf('A dump', 1))
  await lookAfter(run, scene)
}

export const revokeAll = (run: ProofRun, { cluster, world }: RestoreScene): Promise<string> =>
  cluster.shell(planted(run, commandsOf('Effects of a restore')), world.env)
