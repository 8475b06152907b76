// The ways in which the primary is lost, and how it comes back.

import type { Cluster } from './cluster.ts'
import type { ClusterNode } from './node.ts'

interface Outage {
  strike(cluster: Cluster, primary: ClusterNode): void | Promise<void>
  heal(cluster: Cluster, primary: ClusterNode): void
}

export const outages = {
  /** PostgreSQL dies; Patroni on the same machine sees it. */
  'server killed': { strike: (_, primary) => primary.killPostgres(), heal: () => {} },
  /** The whole machine dies: PostgreSQL, Patroni and etcd. */
  'machine killed': { strike: (_, primary) => primary.signal('SIGKILL'), heal: (_, primary) => primary.start() },
  /** The whole machine freezes and later continues, still believing that it is the primary. */
  'machine stopped': {
    strike: (_, primary) => primary.signal('SIGSTOP'),
    heal: (_, primary) => primary.signal('SIGCONT'),
  },
  /** The primary loses the other machines, but clients still reach it. */
  'cut off': {
    strike: ({ network }, primary) => network.cutFromPeers(primary.at),
    heal: ({ network }, primary) => network.heal(primary.at),
  },
  /** The primary loses the network without closing a connection. */
  unplugged: {
    strike: ({ network }, primary) => network.unplug(primary.at),
    heal: ({ network }, primary) => network.heal(primary.at),
  },
  'disk full': { strike: (_, primary) => primary.fillDisk(), heal: (_, primary) => primary.freeDisk() },
} satisfies Record<string, Outage>
export type OutageKind = keyof typeof outages

export const isPartition = (kind: OutageKind): boolean => kind === 'cut off' || kind === 'unplugged'
