// PostgreSQL, Valkey and object storage of a proof's own, which may be killed with their children and started again.

import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../server/src/testing/port.ts'
import { asAdmin } from './admin.ts'
import type { Plant } from './proof.ts'
import { owned } from './scope.ts'
import { openWorld, type World } from './world.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NAMES = ['postgres', 'pgbouncer', 'valkey', 's3'] as const
export type ServiceName = 'postgres' | 'valkey' | 's3'

export interface Engines {
  /** Kills the server and its children with SIGKILL. Returns the time of death when they are gone. */
  kill(engine: ServiceName): Promise<number>
  /** Resolves when the engine accepts statements again. */
  start(engine: ServiceName): Promise<void>
  /** The server's log. */
  readLog(engine: ServiceName): string
  close(): Promise<void>
}

const run = promisify(execFile)
const interrupt = (): never => process.exit(130)

function findScript(): string {
  const script = process.env.OCTAVO_SERVICES ?? join(ROOT, '../shared/machine/services')
  if (!existsSync(script))
    throw new Error(
      'this proof kills PostgreSQL: OCTAVO_SERVICES must name a script that knows up, start, kill and down of postgres, valkey and s3',
    )
  return script
}

/** Programs that were unpacked once serve every directory; the data is in this one. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-engines-'))
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  for (const name of ['debian', 'bin']) {
    const programs = join(process.env.OCTAVO_SERVICES_DIR ?? join(cache, 'octavo-services'), name)
    if (existsSync(programs)) symlinkSync(programs, join(folder, name))
  }
  return folder
}

/** The script takes some time before and after the kill, so an open connection detects the actual moment. */
async function watchDeath(port: number): Promise<{ at: Promise<number> }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const at = new Promise<number>((tell) =>
    socket
      .on('error', () => {})
      .once('close', () => tell(Date.now()))
      .resume(),
  )
  return { at }
}

/** From here on every world of this process lives on these engines, until they are closed. */
async function openEngines(names: readonly ServiceName[]): Promise<Engines> {
  const script = findScript()
  const folder = newFolder()
  const ports = Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await freePort()] as const)))
  const settings = Object.fromEntries(NAMES.map((name) => [`OCTAVO_${name.toUpperCase()}_PORT`, String(ports[name])]))
  const env = { ...process.env, OCTAVO_SERVICES_DIR: folder, ...settings }
  const command = async (...words: string[]): Promise<string> => (await run(script, words, { env })).stdout
  // Also runs when the proof is interrupted, because nothing else stops these servers.
  const clear = (): void => {
    execFileSync(script, ['down'], { env, stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', clear)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)

  const replaced = new Map<string, string | undefined>()
  for (const [, name, value] of (await command('up', ...names)).matchAll(/^export (\w+)=(.*)$/gm)) {
    replaced.set(name!, process.env[name!])
    process.env[name!] = value!
  }
  // By default recovery first syncs every file of the directory, which takes seconds. Only processes die here: whatever
  // they have written, the system still knows.
  await asAdmin('octavo', async (client) => {
    await client.query('alter system set recovery_init_sync_method = syncfs')
    await client.query('select pg_reload_conf()')
  })
  return {
    async kill(engine) {
      const died = await watchDeath(Number(ports[engine]))
      await command('kill', engine)
      return died.at
    },
    start: async (engine) => void (await command('start', engine)),
    readLog: (engine) => readFileSync(join(folder, 'log', `${engine}.log`), 'utf8'),
    async close() {
      process.removeListener('exit', clear)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt)
      for (const [name, value] of replaced) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      clear()
    },
  }
}

/** Storage settings, from the environment that the engines set. */
function storageEnv(): Record<string, string> {
  const told = Object.entries(process.env).filter(([name]) =>
    /^S3_(ENDPOINT|REGION|BUCKET|ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/.test(name),
  )
  return { FILES_DRIVER: 's3', ...(Object.fromEntries(told) as Record<string, string>) }
}

/** A world on separate engines, which the proof may kill. */
export async function onOwnEngines<T>(
  plants: readonly Plant[],
  env: Record<string, string>,
  work: (engines: Engines, world: World) => Promise<T>,
  { with_s3 = false }: { with_s3?: boolean } = {},
): Promise<T> {
  await using engines = owned(await openEngines(with_s3 ? ['postgres', 'valkey', 's3'] : ['postgres', 'valkey']))
  await using world = await openWorld(plants, { ...(with_s3 ? storageEnv() : {}), ...env })
  return await work(engines, world)
}
