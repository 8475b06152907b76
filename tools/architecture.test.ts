import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkArchitecture } from './architecture.ts'

const clean = {
  'contract/src/index.ts': "export * from './documents.ts'\n",
  'contract/src/documents.ts': 'export const documents = {}\n',
  'sdk/src/index.ts': "import type { documents } from '@octavo/contract'\nexport * from './client.ts'\n",
  'sdk/src/client.ts': 'export const client = 1\n',
  'server/src/lib/failure.ts': "import { documents } from '@octavo/contract'\n",
  'server/src/db/database.ts': "import { Failure } from '../lib/failure.ts'\n",
  'server/src/app.ts': "import { Db } from './db/database.ts'\n",
  'server/src/events/record.ts': "import type { Tx } from '../db/database.ts'\n",
  'server/src/http/routes.ts': "import type { App } from '../app.ts'\n",
  'server/src/resources/documents/documents.store.ts': "import {\n  sql,\n  type Tx,\n} from '../../db/database.ts'\n",
  'server/src/resources/documents/documents.service.ts':
    "import { record } from '../../events/record.ts'\nimport * as store from './documents.store.ts'\n",
  'server/src/resources/documents/documents.routes.ts':
    "import type { Routes } from '../../http/routes.ts'\nimport * as documents from './documents.service.ts'\n",
  'server/src/resources/documents/documents.test.ts': "import { startApi } from '../../testing/api.ts'\n",
  'server/src/resources/projects/projects.service.ts':
    "import { readDocument } from '../documents/documents.service.ts'\n",
  'server/src/testing/api.ts': "import { buildApi } from '../api.ts'\n",
  'server/src/api.ts': "import { documentRoutes } from './resources/documents/documents.routes.ts'\n",
}

/** Problems that the check reports for the clean tree plus these files. */
function problemsWith(t: TestContext, planted: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries({ ...clean, ...planted })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return checkArchitecture(root, Object.keys(clean).length).problems
}

const violations: [title: string, file: string, text: string, expected: RegExp][] = [
  [
    'an upward import',
    'server/src/lib/time.ts',
    "import { Db } from '../db/database.ts'",
    /lib\/time\.ts is on 'lib'.*: server\/src\/db\/database\.ts$/,
  ],
  [
    'an upward import by import()',
    'server/src/db/late.ts',
    "const app = await import('../app.ts')",
    /db\/late\.ts is on 'db'/,
  ],
  [
    'a service that uses http',
    'server/src/resources/pages/pages.service.ts',
    "import type { Routes } from '../../http/routes.ts'",
    /on 'service'/,
  ],
  [
    'a value where only a type is allowed',
    'server/src/http/limits.ts',
    "import { openApp } from '../app.ts'",
    /on 'http'.*app:type/,
  ],
  [
    'routes that use their store',
    'server/src/resources/documents/more.routes.ts',
    "import * as store from './documents.store.ts'",
    /on 'routes'/,
  ],
  [
    'a service that uses a foreign store',
    'server/src/resources/pages/pages.service.ts',
    "import { find } from '../documents/documents.store.ts'",
    /another resource's store/,
  ],
  [
    'a resource that uses the store of outcomes',
    'server/src/resources/pages/pages.service.ts',
    "import { find } from '../../outcomes/outcomes.store.ts'",
    /another resource's store/,
  ],
  [
    'a service that uses job execution',
    'server/src/resources/pages/pages.service.ts',
    "import { JobRun } from '../../jobs/run.ts'",
    /on 'service'/,
  ],
  [
    'a store that uses a foreign store',
    'server/src/resources/pages/pages.store.ts',
    "import { find } from '../documents/documents.store.ts'",
    /another resource's store/,
  ],
  [
    'a cycle',
    'server/src/db/database.ts',
    "import './circle.ts'",
    /^cycle: server\/src\/db\/database\.ts → server\/src\/db\/circle\.ts → server\/src\/db\/database\.ts$/,
  ],
  ['a barrel', 'server/src/lib/all.ts', "export { Failure } from './failure.ts'", /re-exports/],
  ['an index file', 'server/src/lib/index.ts', 'export const one = 1', /barrel by its name/],
  [
    'a door that uses test code',
    'server/src/bin/api.ts',
    "import { startApi } from '../testing/api.ts'",
    /is for tests/,
  ],
  ['a file on no floor', 'server/src/utils/strings.ts', 'export const one = 1', /on no floor/],
]

test('a tree that respects the layers has no problems', (t) => {
  assert.deepEqual(problemsWith(t, {}), [])
})

for (const [title, file, text, expected] of violations) {
  test(`${title} fails`, (t) => {
    const problems = problemsWith(t, {
      'server/src/db/circle.ts': "import { Db } from './database.ts'\n",
      [file]: `${text}\n`,
    })

    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0] ?? '', expected)
  })
}

test('fails if the check sees too few files', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'))
  t.after(() => rmSync(root, { recursive: true }))

  assert.deepEqual(checkArchitecture(root, 1), {
    count: 0,
    problems: ['only 0 files were found, at least 1 were expected'],
  })
})
