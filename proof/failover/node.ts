// One machine of the cluster: etcd, Patroni and the PostgreSQL that Patroni starts.

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { etcdFlags, patroniConfig } from './config.ts'
import { listProcesses, type NodeAddress } from './network.ts'
import { SERVER_UID } from './packages.ts'

/** Size of the file system of PostgreSQL's data; large enough for the load, small enough to fill it quickly. */
const DISK_MB = 900
const MOUNT =
  'mount --rbind /dev "$1/dev"; mount --bind /proc "$1/proc"; mount --rbind "$2" "$1/data"; exec chroot --userspec="$3:$3" "$1" "${@:4}"'

/**
 * Runs a program of the unpacked packages with `folder` as /data; the mounts end with the process. The cluster has
 * priority, so that a busy machine does not look like a lost one.
 */
export const inRoot = (root: string, folder: string, command: readonly string[]): string[] => [
  'nice',
  '--adjustment=-10',
  'unshare',
  '--mount',
  'bash',
  '-c',
  MOUNT,
  '--',
  root,
  folder,
  String(SERVER_UID),
  ...command,
]

export interface ClusterPlan {
  root: string
  folder: string
  nodes: readonly NodeAddress[]
  is_synchronous: boolean
}

export class ClusterNode {
  readonly at: NodeAddress
  private readonly plan: ClusterPlan
  private readonly folder: string

  constructor(at: NodeAddress, plan: ClusterPlan) {
    this.at = at
    this.plan = plan
    this.folder = join(plan.folder, at.name)
  }

  prepare(): void {
    mkdirSync(this.folder)
    mount(this.folder, DISK_MB)
    for (const name of ['pg', 'etcd', 'log']) mkdirSync(join(this.folder, name))
    mount(join(this.folder, 'pg'), DISK_MB)
    for (const name of ['', 'pg', 'etcd', 'log']) chownSync(join(this.folder, name), SERVER_UID, SERVER_UID)
    writeFileSync(join(this.folder, 'patroni.yml'), patroniConfig(this.at, this.plan))
  }

  start(): void {
    this.launch('etcd', ['/usr/bin/etcd', ...etcdFlags(this.at, this.plan.nodes)])
    this.launch('patroni', ['/usr/bin/python3', '/usr/bin/patroni', '/data/patroni.yml'])
  }

  /** SIGKILL to PostgreSQL alone; Patroni sees it. */
  killPostgres(): void {
    const postmaster = this.postmaster()
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    signal([postmaster, ...children.split('\n').filter(Boolean).map(Number)], 'SIGKILL')
  }

  /** Sends a signal to every process of the machine. */
  signal(name: NodeJS.Signals): void {
    signal(listProcesses(this.at.namespace), name)
  }

  /** Fills the file system of the data. Returns when no byte is left. */
  async fillDisk(): Promise<void> {
    const filler = join(this.folder, 'pg', 'filler')
    for (let round = 0; round < 3; round++) {
      spawnQuietly('dd', ['if=/dev/zero', `of=${filler}${round}`, 'bs=64k'])
      await sleep(50)
    }
  }

  freeDisk(): void {
    for (let round = 0; round < 3; round++) rmSync(join(this.folder, 'pg', `filler${round}`), { force: true })
  }

  /** Everything that PostgreSQL and Patroni have logged. */
  readLog(name: 'patroni' | 'etcd' = 'patroni'): string {
    return readFileSync(join(this.folder, 'log', `${name}.log`), 'utf8')
  }

  close(): void {
    this.signal('SIGKILL')
  }

  unmount(): void {
    for (const path of [join(this.folder, 'pg'), this.folder]) spawnQuietly('umount', ['--lazy', path])
  }

  private postmaster(): number {
    return Number(readFileSync(join(this.folder, 'pg', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  private launch(name: string, command: readonly string[]): void {
    const log = openSync(join(this.folder, 'log', `${name}.log`), 'a')
    const words = ['netns', 'exec', this.at.namespace, ...inRoot(this.plan.root, this.folder, command)]
    spawn('ip', words, { detached: true, stdio: ['ignore', log, log] }).unref()
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended.
    }
  }
}

function spawnQuietly(command: string, words: readonly string[]): void {
  try {
    execFileSync(command, words, { stdio: 'ignore' })
  } catch {
    // dd ends with an error when the disk is full; an unmounted path is no problem.
  }
}

const mount = (path: string, size_mb: number): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size_mb}m`, 'octavo-failover', path])
