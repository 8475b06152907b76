// Writes everything that is derived from the contract, and the tables of settings. With --check it writes nothing and fails if a file is out of date.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readText, writeGenerated } from './generated-files.ts'

// The tables come first, in a separate process, so that the modules below load the new ones.
const program = join(import.meta.dirname, 'contract-tables.ts')
const tables = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
if (tables.status !== 0) process.exit(1)
const { describe } = await import('../contract/src/openapi.ts')
const { slimDescription } = await import('../contract/src/openapi-slim.ts')
const { printConfigurationPage } = await import('./configuration-page.ts')
const { printErrorsPage } = await import('./errors-page.ts')
const { printPythonClient } = await import('./python.ts')
const { printResources, printTypes, printVersion } = await import('./sdk.ts')

const { version } = JSON.parse(readText('contract/package.json') ?? '{}') as { version: string }
const description = describe({ version })
writeGenerated({
  'openapi.json': `${JSON.stringify(description, null, 2)}\n`,
  'openapi.slim.json': `${JSON.stringify(slimDescription(description), null, 2)}\n`,
  'docs/configuration.md': printConfigurationPage(readText('docs/configuration.md') ?? ''),
  'docs/errors.md': printErrorsPage(),
  'sdk/src/generated/types.ts': printTypes(description),
  'sdk/src/generated/resources.ts': printResources(description),
  'sdk/src/generated/version.ts': printVersion(version),
  ...printPythonClient(description, version),
})
