// A network namespace for each node, joined by a bridge. The host is on the bridge too, as the clients' network.

import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

const ip = (...words: string[]): string =>
  execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
/** No interface has this address, so the bridge drops packets to it. */
const NOWHERE = '02:00:00:00:00:fe'

export interface NodeAddress {
  name: string
  namespace: string
  address: string
}

export class Network {
  readonly nodes: readonly NodeAddress[]
  private readonly bridge: string
  private readonly subnet: string

  constructor(names: readonly string[]) {
    const id = randomInt(1, 250)
    this.bridge = `octavo${id}`
    this.subnet = `10.213.${id}`
    this.nodes = names.map((name, index) => ({
      name,
      namespace: `${this.bridge}-${name}`,
      address: `${this.subnet}.${11 + index}`,
    }))
  }

  open(): void {
    ip('link', 'add', this.bridge, 'type', 'bridge')
    ip('addr', 'add', `${this.subnet}.1/24`, 'dev', this.bridge)
    ip('link', 'set', this.bridge, 'up')
    for (const { namespace, address, name } of this.nodes) {
      const outer = `${this.bridge}${name}`
      ip('netns', 'add', namespace)
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', outer, 'master', this.bridge, 'up')
      ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
      ip('-n', namespace, 'link', 'set', 'eth0', 'up')
      ip('-n', namespace, 'link', 'set', 'lo', 'up')
    }
  }

  /** Silently drops all packets between the node and the other nodes. Clients on the host still reach it. */
  cutFromPeers(node: NodeAddress): void {
    for (const peer of this.nodes)
      if (peer !== node) {
        ip('-n', node.namespace, 'neigh', 'replace', peer.address, 'lladdr', NOWHERE, 'dev', 'eth0', 'nud', 'permanent')
        ip('-n', peer.namespace, 'neigh', 'replace', node.address, 'lladdr', NOWHERE, 'dev', 'eth0', 'nud', 'permanent')
      }
  }

  /** Silently drops all packets from and to the node. */
  unplug(node: NodeAddress): void {
    ip('link', 'set', `${this.bridge}${node.name}`, 'nomaster')
  }

  heal(node: NodeAddress): void {
    ip('link', 'set', `${this.bridge}${node.name}`, 'master', this.bridge)
    for (const peer of this.nodes)
      if (peer !== node) {
        forget(node.namespace, peer.address)
        forget(peer.namespace, node.address)
      }
  }

  close(): void {
    for (const { namespace } of this.nodes) attempt(() => ip('netns', 'del', namespace))
    attempt(() => ip('link', 'del', this.bridge))
  }
}

const attempt = (work: () => unknown): void => {
  try {
    work()
  } catch {
    // It is gone already.
  }
}

const forget = (namespace: string, address: string): void =>
  attempt(() => ip('-n', namespace, 'neigh', 'del', address, 'dev', 'eth0'))

/** All processes of a namespace. */
export const listProcesses = (namespace: string): number[] =>
  ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)
