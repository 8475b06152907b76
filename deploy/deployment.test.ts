// Promises of docs/security.md about the files that deploy Octavo.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
/** The text of one service of a compose file. */
const serviceOf = (file: string, name: string): string =>
  new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(read(file))?.[1] ?? ''

test('the compose files contain no password', () => {
  for (const file of ['compose.yaml', 'compose.scale.yaml', 'compose.tls.yaml']) {
    const text = read(file).replaceAll(/#.*$/gm, '')
    for (const [line] of text.matchAll(/^.*(?:PASSWORD|SECRET)\w*: .*$/gm))
      assert.match(line, /: \$\{\w+(?::-|:\?[^}]*)?\}/, `${file}: ${line}`)
    for (const [, password = ''] of text.matchAll(/:\/\/\w*:([^@\s]*)@/g)) assert.match(password, /^\$\{/, file)
  }
})

test("only PostgreSQL and the migrate service get the owner's password", () => {
  assert.match(serviceOf('compose.yaml', 'migrate'), /'database:\/database:ro'/)
  for (const name of ['octavo', 'extract']) assert.doesNotMatch(serviceOf('compose.yaml', name), /database:\/database/)
  for (const name of ['api', 'worker', 'extract'])
    assert.doesNotMatch(serviceOf('compose.scale.yaml', name), /POSTGRES_PASSWORD/)
})

test('the extract container has no network, no environment and no volume except its socket', () => {
  for (const file of ['compose.yaml', 'compose.scale.yaml']) {
    const text = serviceOf(file, 'extract')
    assert.match(text, /network_mode: none\n/)
    assert.match(text, /user: '10002:10001'\n/)
    assert.match(text, /volumes: \['sandbox:\/sandbox'\]\n/)
    assert.doesNotMatch(text, /environment/)
  }
})

test('generated passwords differ in every run', () => {
  const generate = (): string[] =>
    execFileSync('sh', [join(root, 'deploy/scale/passwords.sh')], { encoding: 'utf8' })
      .trim()
      .split('\n')
  const [first, second] = [generate(), generate()]

  for (const line of first) assert.match(line, /^[A-Z_]+[A-Z0-9_]*=(?:1:)?[0-9a-f]{48,64}$/)
  assert.equal(first.filter((line) => second.includes(line)).length, 0)
  assert.equal(new Set(first.map((line) => line.split('=')[1])).size, first.length)
})

test('the actions of all workflows are pinned to commits', () => {
  for (const file of globSync('.github/workflows/*.yml', { cwd: root }))
    for (const [, action = ''] of read(file).matchAll(/uses: (\S+)/g))
      assert.match(action, /^\.\/|@[0-9a-f]{40}$/, `${file}: ${action}`)
})
