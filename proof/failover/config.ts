// The configuration files of docs/high-availability.md, with the addresses of the namespaces.

import { readFileSync } from 'node:fs'
import type { NodeAddress } from './network.ts'

export const PASSWORD = 'change-me'
const FOLDER = new URL('../../deploy/ha/', import.meta.url)
const CLIENT_PORT = 2379
const PEER_PORT = 2380
const REST_PORT = 8008

export const restUrl = ({ address }: NodeAddress): string => `http://${address}:${REST_PORT}`

export const etcdFlags = ({ name, address }: NodeAddress, nodes: readonly NodeAddress[]): string[] => [
  `--name=${name}`,
  '--data-dir=/data/etcd/data',
  `--listen-client-urls=http://${address}:${CLIENT_PORT}`,
  `--advertise-client-urls=http://${address}:${CLIENT_PORT}`,
  `--listen-peer-urls=http://${address}:${PEER_PORT}`,
  `--initial-advertise-peer-urls=http://${address}:${PEER_PORT}`,
  `--initial-cluster=${nodes.map((node) => `${node.name}=http://${node.address}:${PEER_PORT}`).join(',')}`,
  // A busy machine answers late.
  '--heartbeat-interval=300',
  '--election-timeout=3000',
  '--log-level=warn',
]

/** Replaces texts of a file; each must be there. */
function adapt(file: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/ha/${file} no longer contains '${from}'`)
      return text.replaceAll(from, to)
    },
    readFileSync(new URL(file, FOLDER), 'utf8'),
  )
}

const addresses = (nodes: readonly NodeAddress[]) =>
  nodes.map(({ address }, index) => [`10.0.0.${11 + index}:`, `${address}:`] as const)

interface PatroniOptions {
  nodes: readonly NodeAddress[]
  is_synchronous: boolean
}

export function patroniConfig({ name, address }: NodeAddress, { nodes, is_synchronous }: PatroniOptions): string {
  return adapt('patroni.yml', [
    ...['listen: ', 'connect_address: '].map((key) => [`${key}10.0.0.11:`, `${key}${address}:`] as const),
    ...addresses(nodes),
    ['name: node1', `name: ${name}`],
    ['10.0.0.0/24', '0.0.0.0/0'],
    ['/var/lib/postgresql/17/octavo', '/data/pg/data'],
    ['synchronous_mode: true', `synchronous_mode: ${is_synchronous}`],
    ['synchronous_mode_strict: true', `synchronous_mode_strict: ${is_synchronous}`],
    // The disks are small, and a full one must be noticed soon.
    ['    - data-checksums\n', '    - data-checksums\n    - wal-segsize: "4"\n'],
    ['wal_keep_size: 128MB', 'wal_keep_size: 128MB\n        min_wal_size: 8MB\n        max_wal_size: 256MB'],
    ['  authentication:', '  pgpass: /data/pgpass\n  parameters: { unix_socket_directories: "" }\n  authentication:'],
  ])
}

export const haproxyConfig = (port: number, nodes: readonly NodeAddress[]): string =>
  adapt('haproxy.cfg', [['127.0.0.1:5000', `127.0.0.1:${port}`], ...addresses(nodes)])
