// Three machines with PostgreSQL, Patroni and etcd, and HAProxy in front. Each machine is a network namespace.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../server/src/testing/port.ts'
import { haproxyConfig, PASSWORD, restUrl } from './config.ts'
import { Network } from './network.ts'
import { ClusterNode, type ClusterPlan, inRoot } from './node.ts'
import { unpackServers } from './packages.ts'

const NAMES = ['a', 'b', 'c']
const READY_MS = 180_000
const ROLES = `
  create role octavo login createdb nosuperuser nobypassrls password 'octavo';
  create role octavo_app login nosuperuser nobypassrls password 'octavo_app';
  create role octavo_system login nosuperuser nobypassrls password 'octavo_system';
  create role octavo_search nologin nosuperuser nobypassrls;
  grant octavo_search to octavo`

interface Member {
  name: string
  role: string
  state: string
}

export interface Cluster {
  readonly network: Network
  readonly nodes: readonly ClusterNode[]
  /** The members as Patroni sees them; empty while no node answers. `except` is not asked. */
  listMembers(except?: string): Promise<Member[]>
  /** Waits until all nodes see the same primary and replicas that stream. A node that was cut off has an old view. */
  waitUntilWhole(): Promise<ClusterNode>
  close(): void
}

/** From here on, new databases of this process are created in the cluster. */
export async function openCluster(is_synchronous: boolean): Promise<Cluster> {
  const root = await unpackServers()
  const folder = mkdtempSync(join(tmpdir(), 'octavo-cluster-'))
  chmodSync(folder, 0o755)
  const network = new Network(NAMES)
  const plan: ClusterPlan = { root, folder, nodes: network.nodes, is_synchronous }
  const nodes = network.nodes.map((at) => new ClusterNode(at, plan))
  const saved = { ...process.env }
  let proxy: ChildProcess | null = null
  const close = (): void => {
    process.removeListener('exit', close)
    proxy?.kill('SIGKILL')
    for (const node of nodes) node.close()
    for (const node of nodes) node.unmount()
    network.close()
    rmSync(folder, { recursive: true, force: true })
    process.env = saved
  }
  process.once('exit', close)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  network.open()
  for (const node of nodes) {
    node.prepare()
    node.start()
  }
  const port = await freePort()
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfig(port, network.nodes))
  const log = openSync(join(folder, 'haproxy.log'), 'a')
  const [program = '', ...words] = inRoot(root, folder, ['/usr/sbin/haproxy', '-db', '-f', '/data/haproxy.cfg'])
  proxy = spawn(program, words, { stdio: ['ignore', log, log] })

  const cluster: Cluster = { network, nodes, listMembers, waitUntilWhole, close }
  await waitUntilWhole()
  await createRoles(port)
  return cluster

  async function listMembers(except?: string): Promise<Member[]> {
    for (const node of nodes.filter(({ at }) => at.name !== except)) {
      const members = await askMembers(node)
      if (members.length > 0) return members
    }
    return []
  }

  async function waitUntilWhole(): Promise<ClusterNode> {
    const roles = is_synchronous ? ['leader', 'replica', 'sync_standby'] : ['leader', 'replica', 'replica']
    for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(250)) {
      const leaders = (await Promise.all(nodes.map(askMembers))).map((members) => findLeader(members, roles))
      const leader = nodes.find(({ at }) => leaders.every((name) => name === at.name))
      if (leader) return leader
    }
    const logs = nodes.map((node) => `${node.at.name}:\n${node.readLog().split('\n').slice(-15).join('\n')}`)
    throw new Error(
      `the cluster is not whole after ${READY_MS / 1000} s: ${JSON.stringify(await listMembers())}\n${logs.join('\n')}`,
    )
  }
}

/** Empty if the node does not answer. */
const askMembers = ({ at }: ClusterNode): Promise<Member[]> =>
  fetch(`${restUrl(at)}/cluster`, { signal: AbortSignal.timeout(2_000) })
    .then(async (answer) => ((await answer.json()) as { members: Member[] }).members)
    .catch(() => [])

/** Name of the primary of a whole cluster; null if it is not whole. */
function findLeader(members: readonly Member[], roles: readonly string[]): string | null {
  const isRunning = members.every(({ role, state }) => state === (role === 'leader' ? 'running' : 'streaming'))
  const found = members.map(({ role }) => role).sort()
  const leader = members.find(({ role }) => role === 'leader')
  return isRunning && found.join() === roles.join() ? (leader?.name ?? null) : null
}

async function createRoles(port: number): Promise<void> {
  const urlOf = (user: string, password = user): string => `postgres://${user}:${password}@127.0.0.1:${port}/octavo`
  const admin = new URL(urlOf('postgres', PASSWORD))
  const run = async (database: string, ...statements: string[]): Promise<void> => {
    admin.pathname = `/${database}`
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await run('template1', 'create extension if not exists vector')
  await run('postgres', ROLES, 'create database octavo owner octavo')
  Object.assign(process.env, {
    DATABASE_URL: urlOf('octavo_app'),
    DATABASE_OWNER_URL: urlOf('octavo'),
    DATABASE_SYSTEM_URL: urlOf('octavo_system'),
    DATABASE_ADMIN_URL: urlOf('postgres', PASSWORD),
  })
  delete process.env.PGBOUNCER_URL
}
