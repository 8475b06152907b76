// Examines an installation and reports problems and their fixes. Changes nothing.

import { parseArgs } from 'node:util'
import { singleEnvironment } from '../config/single.ts'
import { examine } from '../doctor/doctor.ts'
import { paperOf, printReport } from '../doctor/print.ts'
import { readSettings } from '../doctor/settings.ts'
import { shareLookups } from './lookup.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'

shareLookups()
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
loadSecretFilesOrExit()
const report = await examine(readSettings(process.env, singleEnvironment))
process.stdout.write(
  values.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report, paperOf(process.stdout, process.env)),
)
// A check that timed out may keep the process alive.
process.stdout.write('', () => process.exit(report.is_healthy ? 0 : 1))
