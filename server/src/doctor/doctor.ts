// Runs every check, in the order in which problems should be fixed.

import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrlChecks } from './base-url.ts'
import { clockChecks } from './clock.ts'
import { configurationChecks } from './configuration.ts'
import { type Installation, openConnections } from './connections.ts'
import { databaseChecks } from './database.ts'
import { type Check, type CheckResult, type Finding, failed, reasonOf } from './finding.ts'
import { memoryChecks } from './memory.ts'
import { modelChecks } from './models.ts'
import { portChecks } from './ports.ts'
import { providerChecks } from './providers.ts'
import { restoredChecks } from './restored.ts'
import { roleChecks } from './roles.ts'
import { sandboxChecks } from './sandbox.ts'
import { schemaChecks } from './schema.ts'
import { hideSecrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import { storageChecks } from './storage.ts'
import { valkeyChecks } from './valkey.ts'
import { workerChecks } from './workers.ts'

const TIMEOUT_MS = 30_000

export interface DoctorReport {
  checks: CheckResult[]
  /** Nothing failed; warnings may be there. */
  is_healthy: boolean
}

function listChecks(installation: Installation): Check[] {
  return [
    ...configurationChecks(installation),
    ...databaseChecks(installation),
    ...roleChecks(installation),
    ...schemaChecks(installation),
    ...clockChecks(installation),
    ...storageChecks(installation),
    ...restoredChecks(installation),
    ...modelChecks(installation),
    ...sandboxChecks(installation),
    ...providerChecks(installation),
    ...valkeyChecks(installation),
    ...portChecks(installation),
    ...baseUrlChecks(installation),
    ...workerChecks(installation),
    ...memoryChecks(installation),
  ]
}

export async function examine(settings: Settings): Promise<DoctorReport> {
  const connections = openConnections(settings)
  try {
    const checks = await Promise.all(listChecks({ ...settings, connections }).map((check) => runCheck(check, settings)))
    return { checks, is_healthy: checks.every(({ status }) => status !== 'failed') }
  } finally {
    await Promise.race([connections.close(), sleep(2_000, undefined, { ref: false })])
  }
}

async function runCheck(check: Check, settings: Settings): Promise<CheckResult> {
  const late = sleep(TIMEOUT_MS, null, { ref: false })
  const finding: Finding = await Promise.race([check.run(), late]).then(
    (found) =>
      found ??
      failed(
        `The check did not finish within ${TIMEOUT_MS / 1000} s.`,
        'Run the doctor again. The service that it checked does not respond.',
      ),
    (error: unknown) =>
      failed(`The check failed: ${reasonOf(error)}.`, 'If the other findings do not explain it, report a bug.'),
  )
  return { name: check.name, ...hideSecrets(finding, settings.env) }
}
