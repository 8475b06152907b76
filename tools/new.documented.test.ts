// The example of ARCHITECTURE.md, run as it is written, in a copy of the repository.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'octavo-documented-'))
after(() => rmSync(copy, { recursive: true }))
const WORKSPACES = ['base', 'contract', 'extract', 'server', 'sdk', 'mcp']
const FILES = ['tools', 'docs', 'openapi.json', 'package.json', 'tsconfig.json', 'biome.json', '.gitignore']

const [, name] = /^npm run new ([a-z-]+)$/m.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))!

/** The workspaces of the copy must import each other, not those of the repository. */
function copyRepository(): void {
  for (const path of [...WORKSPACES, ...FILES]) cpSync(join(root, path), join(copy, path), { recursive: true })
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@octavo'), { recursive: true })
  for (const entry of readdirSync(join(root, 'node_modules')))
    if (entry !== '@octavo') symlinkSync(join(root, 'node_modules', entry), join(modules, entry))
  for (const path of WORKSPACES) symlinkSync(join(copy, path), join(modules, '@octavo', path))
}

function run(program: string, ...args: string[]): void {
  // The runner marks its children: a test that it did not start itself must not report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, env, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

test('the documented example writes a resource whose types and tests pass', { timeout: 300_000 }, async (t) => {
  copyRepository()

  await t.test('it writes the skeleton', () => {
    run('npm', 'run', 'new', name!)
    assert.ok(existsSync(join(copy, `server/src/resources/${name}/${name}.test.ts`)))
  })
  await t.test('the types are valid', { timeout: 300_000 }, () => {
    const include = ['contract/src', 'sdk/src', 'server/src/api.ts', `server/src/resources/${name}`]
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include }))
    run(join(root, 'node_modules/.bin/tsc'), '-p', 'tsconfig.new.json')
  })
  await t.test('its test passes', { timeout: 300_000 }, () =>
    run(process.execPath, '--test', '--test-force-exit', `server/src/resources/${name}/${name}.test.ts`),
  )
})
