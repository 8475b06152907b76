// A PostgreSQL 17 server for this proof. Its programs are on the PATH of a shell, as the operator's guide expects.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { install } from '../../server/src/install.ts'
import type { TestDatabase } from '../../server/src/testing/database.ts'
import { freePort } from '../../server/src/testing/port.ts'
import { defer } from '../lib/scope.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const USER = 5432
const PROGRAMS = [
  'initdb',
  'pg_ctl',
  'psql',
  'pg_basebackup',
  'pg_verifybackup',
  'pg_dump',
  'pg_dumpall',
  'pg_restore',
  'dropdb',
  'createdb',
]
/** Programs that its shell commands need and the unpacked packages lack. */
const TOOLS = ['cmp', 'cp', 'mv', 'sync']

export interface Cluster {
  folder: string
  /** Environment of the operator's shell. */
  env: Record<string, string>
  database: TestDatabase
  /** Runs commands exactly as the page shows them; returns their output. */
  shell(commands: string, more?: Record<string, string>): Promise<string>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): void
}

/** Packages that are unpacked and not installed: the `services` script of the development machines does that. */
function findPackages(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const packages = join(process.env.OCTAVO_SERVICES_DIR ?? join(cache, 'octavo-services'), 'debian')
  if (!existsSync(join(packages, 'usr/lib/postgresql/17/bin/postgres')))
    throw new Error('this proof needs PostgreSQL 17, unpacked below OCTAVO_SERVICES_DIR/debian, and root')
  if (spawnSync('rsync', ['--version']).status !== 0) throw new Error('this proof needs rsync')
  return packages
}

// The packages are shared and must not change: they are mounted into a separate root, in a namespace that ends with the
// program. The caller is root, but PostgreSQL must not be, so its files are given to another user.
const LAUNCHER = `#!/bin/bash
case \${0##*/} in psql) ;; *) chown -R ${USER}:${USER} "$PROOF_PG" ;; esac
exec unshare --mount bash -c '
  mount --bind "$PROOF_PACKAGES/usr" "$PROOF_ROOT/usr" && mount --bind "$PROOF_PACKAGES/etc" "$PROOF_ROOT/etc" &&
  mount --rbind /dev "$PROOF_ROOT/dev" && mount --bind /proc "$PROOF_ROOT/proc" && mount --bind "$PROOF_PG" "$PROOF_ROOT$PROOF_PG" &&
  cd / && chroot=$(command -v chroot) && export PATH=/tools:/usr/bin && exec "$chroot" --userspec=${USER}:${USER} "$PROOF_ROOT" "$@"
' -- "/usr/lib/postgresql/17/bin/\${0##*/}" "$@"
`

function layOut(folder: string): { bin: string; root: string; pg: string } {
  const [bin, root, own] = [join(folder, 'bin'), join(folder, 'root'), join(folder, 'pg')]
  for (const path of [
    bin,
    own,
    ...['usr', 'etc', 'dev', 'proc', 'tools', own.slice(1)].map((name) => join(root, name)),
  ])
    mkdirSync(path, { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
  for (const name of TOOLS) copyFileSync(join('/bin', name), join(root, 'tools', name))
  const launcher = join(bin, 'launcher')
  writeFileSync(launcher, LAUNCHER)
  for (const name of PROGRAMS) symlinkSync(launcher, join(bin, name))
  for (const path of [folder, launcher]) chmodSync(path, 0o755)
  return { bin, root, pg: own }
}

const interrupt = (): never => process.exit(130)

export async function openCluster(): Promise<Cluster> {
  const packages = findPackages()
  const folder = mkdtempSync(join(tmpdir(), 'octavo-restore-'))
  const { bin, root, pg: own } = layOut(folder)
  const PGPORT = String(await freePort())
  const env: Record<string, string> = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    PROOF_PACKAGES: packages,
    PROOF_ROOT: root,
    PROOF_PG: own,
    PGDATA: join(own, 'data'),
    PGHOST: '127.0.0.1',
    PGPORT,
    PGUSER: 'postgres',
    BACKUP: join(own, 'backup'),
    FILES_DIR: join(folder, 'files'),
  }
  const urlOf = (user: string): string => `postgres://${user}:${user}@127.0.0.1:${PGPORT}/octavo`
  const shell: Cluster['shell'] = (commands, more = {}) => runShell(commands, { ...env, ...more }, join(folder, 'told'))
  const clear = (): void => {
    spawnSync(join(bin, 'pg_ctl'), ['stop', '-m', 'immediate'], { env })
    rmSync(folder, { recursive: true, force: true })
  }
  // Also runs when the proof is interrupted, because nothing else stops this server.
  process.once('exit', clear)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  const query: Cluster['query'] = async <Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await using _client = defer(() => client.end())
    await client.connect()
    return (await client.query<Row>(text, values)).rows
  }
  const close = (): void => {
    process.removeListener('exit', clear)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt)
    clear()
  }
  try {
    await shell(MAKE)
    await install(urlOf('octavo'))
    const database = makeDatabase(urlOf)
    return { folder, env, database, shell, query, close }
  } catch (error) {
    close()
    throw error
  }
}

const MAKE = `initdb -U postgres -E UTF8 --locale=C.UTF-8 --data-checksums --auth=trust
cat >>"$PGDATA/postgresql.conf" <<END
port = $PGPORT
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
logging_collector = on
END
pg_ctl start -w
psql -d template1 -c 'create extension vector'
for role in octavo octavo_app octavo_system; do psql -d postgres -c "create role $role login nosuperuser nobypassrls password '$role'"; done
psql -d postgres -c 'create role octavo_search nologin nosuperuser nobypassrls' -c 'grant octavo_search to octavo' -c 'create database octavo owner octavo'
`

const makeDatabase = (urlOf: (user: string) => string): TestDatabase => ({
  name: 'octavo',
  app_url: urlOf('octavo_app'),
  owner_url: urlOf('octavo'),
  system_url: urlOf('octavo_system'),
  admin_url: urlOf('postgres'),
  pooled_url: null,
  // It goes with the cluster.
  drop: async () => {},
})

/** Not through a pipe: the server that it starts would hold it open. */
async function runShell(commands: string, env: Record<string, string>, told: string): Promise<string> {
  const output = openSync(told, 'w')
  await using _closeSync = defer(() => closeSync(output))
  const child = spawn('bash', ['-eu', '-c', commands], { cwd: ROOT, env, stdio: ['ignore', output, output] })
  const [code] = (await once(child, 'exit')) as [number | null]
  const text = readFileSync(told, 'utf8')
  if (code !== 0)
    throw Object.assign(new Error(`the commands ended with ${code}:\n${commands}\n${text}`), { code, told: text })
  return text
}
