// Resources that an installation has used: CPU time by /proc, WAL and sizes by PostgreSQL, round trips by the proxy.

import { execFileSync } from 'node:child_process'
import { firstOf } from '../../base/src/required.ts'
import type { Cost } from '../../tools/capacity/model.ts'
import { asAdmin } from '../lib/admin.ts'
import { cpuWithChildrenOf, descendantsOf, fieldsOf, readProc, treeCpuOf } from '../lib/processes.ts'
import type { WireMeter } from './wire.ts'

const SAMPLE_MS = 250
const EMBEDDER = 'ai/engine/child'

export interface MeteredProcesses {
  database: string
  files_dir: string
  api: number
  worker: number
  wire: WireMeter
}

export class Meter {
  private readonly scene: MeteredProcesses
  /** Seconds of each embedding process. They end when they are idle, so they are sampled. */
  private readonly embedders = { api: new Map<number, number>(), worker: new Map<number, number>() }
  private timer: NodeJS.Timeout | undefined

  constructor(scene: MeteredProcesses) {
    this.scene = scene
  }

  start(): void {
    this.timer = setInterval(() => this.sample(), SAMPLE_MS)
  }

  close(): void {
    clearInterval(this.timer)
  }

  /** Everything used so far. */
  async read(): Promise<Cost> {
    const { database, files_dir, wire } = this.scene
    const stored = await asAdmin(database, async (client) => {
      const { rows } = await client.query<{ pid: number; wal: string; size: string }>(
        `select pg_backend_pid() as pid, pg_current_wal_lsn() - '0/0' as wal, pg_database_size(current_database()) as size`,
      )
      const { pid, wal, size } = firstOf(rows)
      return { postmaster: Number(fieldsOf(pid)[1]), wal, size }
    })
    this.sample()
    const embedding = { api: sum(this.embedders.api), worker: sum(this.embedders.worker) }
    return {
      api_cpu_seconds: treeCpuOf(this.scene.api) / 1000 - embedding.api,
      worker_cpu_seconds: treeCpuOf(this.scene.worker) / 1000 - embedding.worker,
      embedding_cpu_seconds: embedding.api + embedding.worker,
      postgres_cpu_seconds: treeCpuOf(stored.postmaster) / 1000,
      wal_bytes: Number(stored.wal),
      database_bytes: Number(stored.size),
      file_bytes: sizeOf(files_dir),
      connection_seconds: wire.busy_ms / 1000,
      round_trips: wire.round_trips,
    }
  }

  private sample(): void {
    for (const kind of ['api', 'worker'] as const)
      for (const pid of descendantsOf(this.scene[kind]))
        if (readProc(`/proc/${pid}/cmdline`).includes(EMBEDDER)) {
          const used = cpuWithChildrenOf(pid) / 1000
          this.embedders[kind].set(pid, Math.max(used, this.embedders[kind].get(pid) ?? 0))
        }
  }
}

const sum = (used: ReadonlyMap<number, number>): number => [...used.values()].reduce((total, one) => total + one, 0)

const sizeOf = (folder: string): number =>
  Number(execFileSync('du', ['--bytes', '--summarize', folder], { encoding: 'utf8' }).split('\t')[0])
