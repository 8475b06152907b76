// Looks at an installation, says what is wrong and how to mend it. Changes nothing.

import { parseArgs } from 'node:util'
import { examine } from '../doctor/doctor.ts'
import { paperOf, printReport } from '../doctor/print.ts'
import { readSettings } from '../doctor/settings.ts'
import { shareLookups } from '../lib/lookup.ts'
import { singleEnvironment } from '../single.ts'

shareLookups()
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const report = await examine(readSettings(process.env, singleEnvironment))
process.stdout.write(
  values.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report, paperOf(process.stdout, process.env)),
)
// What a check gave up on may still hold the process.
process.stdout.write('', () => process.exit(report.is_healthy ? 0 : 1))
