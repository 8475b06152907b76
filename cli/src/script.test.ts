import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('../../octavo', import.meta.url))
const root = realpathSync(mkdtempSync(join(tmpdir(), 'octavo-script-')))
after(() => rmSync(root, { recursive: true, force: true }))
const [bin, home, elsewhere] = ['bin', 'home', 'elsewhere'].map((name) => join(root, name)) as [string, string, string]
for (const folder of [bin, home, elsewhere]) mkdirSync(folder)

// A machine without Node, whose Docker says what it was asked for.
for (const name of ['dirname', 'readlink', 'id'])
  symlinkSync(['/usr/bin', '/bin'].map((at) => join(at, name)).find(existsSync)!, join(bin, name))
writeFileSync(join(bin, 'docker'), '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n')
chmodSync(join(bin, 'docker'), 0o755)

function runIn(cwd: string): { exit: number | null; words: string[]; err: string } {
  const { status, stdout, stderr } = spawnSync('/bin/sh', [SCRIPT, 'documents', 'list'], {
    cwd,
    env: { PATH: bin, HOME: home },
    encoding: 'utf8',
  })
  return { exit: status, words: stdout.split('\n').filter(Boolean), err: stderr }
}

test('without Node, runs in a container that mounts the home and current directories', () => {
  const [near, far] = [runIn(home), runIn(elsewhere)]

  assert.deepEqual([near.exit, far.exit], [0, 0], near.err + far.err)
  assert.deepEqual(
    near.words.filter((word) => word.startsWith('--volume')),
    [`--volume=${home}:${home}`],
  )
  assert.deepEqual(
    far.words.filter((word) => word.startsWith('--volume')),
    [`--volume=${home}:${home}`, `--volume=${elsewhere}:${elsewhere}`],
  )
  assert.deepEqual(far.words.slice(-4), ['octavo', 'octavo', 'documents', 'list'])
})

test('never mounts over a directory that the container needs', () => {
  const folders = [
    '/',
    '/tmp',
    '/data',
    '/models',
    '/app',
    '/app/server',
    '/etc',
    '/lib',
    '/usr',
    '/usr/local/bin',
  ].filter(existsSync)

  for (const folder of folders) {
    const { exit, words, err } = runIn(folder)
    assert.deepEqual([exit, words], [1, []], folder)
    assert.match(err, /^octavo: in a container it cannot see '\/.*'\. Run it from another folder\.\n$/)
  }
})
