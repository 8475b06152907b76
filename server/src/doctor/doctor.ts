// Every check in the order in which one would mend things.

import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrlChecks } from './base-url.ts'
import { clockChecks } from './clock.ts'
import { configurationChecks } from './configuration.ts'
import { databaseChecks } from './database.ts'
import { openDoors, type Patient } from './doors.ts'
import { type Check, type Checked, type Finding, failed, reasonOf } from './finding.ts'
import { memoryChecks } from './memory.ts'
import { modelChecks } from './models.ts'
import { portChecks } from './ports.ts'
import { providerChecks } from './providers.ts'
import { restoredChecks } from './restored.ts'
import { roleChecks } from './roles.ts'
import { schemaChecks } from './schema.ts'
import { hideSecrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import { storageChecks } from './storage.ts'
import { valkeyChecks } from './valkey.ts'
import { workerChecks } from './workers.ts'

const PATIENCE_MS = 30_000

export interface Report {
  checks: Checked[]
  /** Nothing failed; warnings may be there. */
  is_healthy: boolean
}

function listChecks(patient: Patient): Check[] {
  return [
    ...configurationChecks(patient),
    ...databaseChecks(patient),
    ...roleChecks(patient),
    ...schemaChecks(patient),
    ...clockChecks(patient),
    ...storageChecks(patient),
    ...restoredChecks(patient),
    ...modelChecks(patient),
    ...providerChecks(patient),
    ...valkeyChecks(patient),
    ...portChecks(patient),
    ...baseUrlChecks(patient),
    ...workerChecks(patient),
    ...memoryChecks(patient),
  ]
}

export async function examine(settings: Settings): Promise<Report> {
  const doors = openDoors(settings)
  try {
    const checks = await Promise.all(listChecks({ ...settings, doors }).map((check) => runCheck(check, settings)))
    return { checks, is_healthy: checks.every(({ status }) => status !== 'failed') }
  } finally {
    await Promise.race([doors.close(), sleep(2_000, undefined, { ref: false })])
  }
}

async function runCheck(check: Check, settings: Settings): Promise<Checked> {
  const late = sleep(PATIENCE_MS, null, { ref: false })
  const finding: Finding = await Promise.race([check.run(), late]).then(
    (found) => found ?? failed(`It did not end within ${PATIENCE_MS / 1000} s.`, 'Run this again; what it asks hangs.'),
    (error: unknown) =>
      failed(
        `It could not be looked at: ${reasonOf(error)}.`,
        'If the other findings do not explain it, tell the authors.',
      ),
  )
  return { name: check.name, ...hideSecrets(finding, settings.env) }
}
