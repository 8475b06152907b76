// The installation that is going to be damaged: its tenants, their clients, and one follower of events for each.

import type { Octavo } from '@octavo/sdk'
import { suspend } from '../../server/src/tenants/tenants.suspend.ts'
import type { ProofRun } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import type { Driver } from '../lib/stores.ts'
import { openStore, type Store } from '../lib/stores.ts'
import { type ApiProcess, openWorld, type ServerProcess, type World } from '../lib/world.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { RestoreLedger } from './ledger.ts'
import { RestoreClient } from './traffic.ts'

const TENANTS = 3
const CLIENTS_EACH = 2

export interface RestoreTenant {
  id: string
  secret: string
  octavo: Octavo
  is_suspended: boolean
  /** Where its follower of events is. */
  cursor: string | null
}

export interface RestoreScene {
  cluster: Cluster
  store: Store
  world: World
  ledger: RestoreLedger
  tenants: RestoreTenant[]
  clients: RestoreClient[]
  url: string
  /** The moment to which it is restored; on this machine's clock. */
  moment: number
  /** When its processes were started last. */
  started_at: number
  processes: ServerProcess[]
}

export async function openScene(run: ProofRun, driver: Driver, random: Random): Promise<RestoreScene> {
  const cluster = await openCluster()
  const store = openStore(driver)
  const extra = {
    ...store.env,
    FILES_DIR: cluster.env.FILES_DIR!,
    RATE_LIMITS: 'off',
    VALKEY_URL: '',
    TRUSTED_PROXIES: '127.0.0.1/32',
    WORKER_SLOTS: '4',
    JOB_SLOTS: '4',
  }
  const world = await openWorld(run.plants, extra, cluster.database)
  const ledger = new RestoreLedger()
  const scene: RestoreScene = {
    cluster,
    store,
    world,
    ledger,
    tenants: [],
    clients: [],
    url: '',
    moment: 0,
    started_at: 0,
    processes: [],
  }
  await startAll(scene)
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const { tenant: id, key } = await world.newTenant()
    const octavo = key.client(scene.url)
    scene.tenants.push({ id, secret: key.secret, octavo, is_suspended: false, cursor: null })
    for (let i = 0; i < CLIENTS_EACH; i++)
      scene.clients.push(new RestoreClient({ octavo, ledger, random: random.fork(`client-${tenant}-${i}`), tenant }))
  }
  return scene
}

/** At the address that it had, so that clients find it again. */
export async function startAll(scene: RestoreScene): Promise<void> {
  const { world, url } = scene
  scene.started_at = Date.now()
  const api: ApiProcess = await world.startApi(url === '' ? {} : { PORT: new URL(url).port })
  scene.url = api.url
  scene.processes = [api, await world.startWorker()]
}

export async function killAll(scene: RestoreScene): Promise<void> {
  for (const process of scene.processes) await process.kill()
  scene.processes = []
}

export async function suspendLast({ world, tenants }: RestoreScene): Promise<void> {
  const last = tenants.at(-1)!
  await suspend(world.app, last.id)
  last.is_suspended = true
}

/** Reads on from the follower's cursor; returns the event ids. */
export async function follow(tenant: RestoreTenant): Promise<string[]> {
  const events: string[] = []
  for (;;) {
    const page = await tenant.octavo.events.list({
      sort: 'created_at',
      limit: 100,
      ...(tenant.cursor ? { cursor: tenant.cursor } : {}),
    })
    events.push(...page.data.map(({ id }) => id))
    tenant.cursor = page.cursor ?? tenant.cursor
    if (!page.has_next_page) return events
  }
}

export async function closeScene({ world, store, cluster }: RestoreScene): Promise<void> {
  await world.close()
  await store.removeAll()
  cluster.close()
}
