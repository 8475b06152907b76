// Fairness between tenants when all slots of a worker are taken.

export interface TenantLoad {
  /** uuid. */
  tenant: string
  running: number
  /** Admitted jobs that have waited too long for a worker. */
  late: number
}

/**
 * Picks one run for each tenant with late jobs, least busy tenants first. The run belongs to the tenant with the most
 * running jobs, and only if that tenant still runs at least as many as the other one afterwards.
 */
export function pickYielding<R>(
  runs: readonly R[],
  loads: readonly TenantLoad[],
  tenantOf: (run: R) => string,
): Set<R> {
  const running = new Map(loads.map((load) => [load.tenant, load.running]))
  const held = (run: R): number => running.get(tenantOf(run)) ?? 0
  const picked = new Set<R>()
  for (const { tenant, running: own } of loads
    .filter(({ late }) => late > 0)
    .toSorted((a, b) => a.running - b.running)) {
    const most = runs.filter((run) => !picked.has(run)).toSorted((a, b) => held(b) - held(a))[0]
    const isFair = most !== undefined && held(most) > own && (own === 0 || held(most) >= own + 2)
    if (!isFair || tenantOf(most) === tenant) continue
    picked.add(most)
    running.set(tenantOf(most), held(most) - 1)
  }
  return picked
}
