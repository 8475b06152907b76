import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildProgram } from '../program.ts'
import { completionOf, type Shell, shells } from './completion.ts'
import { placesOf } from './places.ts'

const program = buildProgram(async () => {})
const folder = mkdtempSync(join(tmpdir(), 'octavo-completion-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const scriptOf = (shell: Shell): string => {
  const path = join(folder, `octavo.${shell}`)
  writeFileSync(path, completionOf(shell, program))
  return path
}
const run = (shell: string, ...args: string[]) => spawnSync(shell, args, { encoding: 'utf8', cwd: folder })
const hasShell = (shell: string): boolean => run(shell, '-c', 'true').status === 0

/** Completions that bash offers for the last word. */
function offered(...words: string[]): string[] {
  const line = `source "$1"; shift; COMP_WORDS=(octavo "$@"); COMP_CWORD=$#; _octavo 2>&1; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, status } = run('bash', '--norc', '-c', line, 'bash', scriptOf('bash'), ...words)
  assert.equal(status, 0)
  return stdout.split('\n').filter(Boolean).toSorted()
}

for (const shell of shells)
  test(`${shell} parses its completion script`, { skip: !hasShell(shell) && `${shell} is not installed` }, () => {
    const { status, stderr } = run(shell, '-n', scriptOf(shell))

    assert.deepEqual([status, stderr], [0, ''])
  })

test('bash completes commands, options and values', () => {
  assert.deepEqual(offered('do'), ['doctor', 'documents'])
  assert.deepEqual(offered('documents', ''), ['add', 'delete', 'get', 'list'])
  assert.deepEqual(offered('--json', 'jobs', 'w'), ['watch'])
  assert.deepEqual(offered('documents', 'list', '--st'), ['--status'])
  assert.deepEqual(offered('search', 'rent', '--mode', ''), ['hybrid', 'keyword', 'semantic'])
  assert.deepEqual(offered('completion', ''), ['bash', 'fish', 'zsh'])
})

test('bash completes scopes after a colon or a comma', () => {
  const scopes = (...words: string[]): string[] => offered('keys', 'create', 'x', '--scopes', ...words)

  assert.deepEqual(scopes('a'), ['all', 'analysis:read', 'analysis:write', 'api_keys:manage', 'authorizations:manage'])
  assert.deepEqual(scopes('documents', ':', 'r'), ['read'])
  assert.deepEqual(scopes('jobs', ':', 'read,doc'), ['read,documents:read', 'read,documents:write'])
  assert.deepEqual(offered('keys', 'create', 'x', '--scopes', 'jobs', ':', 'read', '--exp'), ['--expires'])
})

test('bash completes file names where a file is expected', () => {
  writeFileSync(join(folder, 'lease of 2026.pdf'), '')
  // Nothing offered: `complete -o default` then takes file names.
  assert.deepEqual(offered('documents', 'add', 'lea'), [])
  const script = completionOf('bash', program)
  assert.match(script, /^complete -o bashdefault -o default -F _octavo octavo$/m)
  assert.match(script, /'octavo documents add'\) : ;;/)
  assert.match(script, /'octavo ask'\) compopt \+o default/)
})

test('fish completes commands, options, values and file names', {
  skip: !hasShell('fish') && 'fish is not installed',
}, () => {
  writeFileSync(join(folder, 'lease.pdf'), '')
  const ask = (line: string): string[] =>
    run('fish', '--no-config', '-c', `source ${scriptOf('fish')}; complete -C ${JSON.stringify(line)}`)
      .stdout.split('\n')
      .filter(Boolean)
      .map((found) => found.split('\t')[0]!)
      .toSorted()

  assert.deepEqual(ask('octavo documents '), ['add', 'delete', 'get', 'list'])
  assert.deepEqual(ask('octavo search x --mode '), ['hybrid', 'keyword', 'semantic'])
  assert.ok(ask('octavo documents add lease.').includes('lease.pdf'))
  assert.deepEqual(ask('octavo jobs get lease.'), [])
})

test('completion covers every command', () => {
  const paths = placesOf(program).map(({ path }) => path)

  for (const path of [
    'octavo',
    'octavo documents add',
    'octavo summaries create',
    'octavo jobs cancel',
    'octavo keys revoke',
    'octavo login',
  ])
    assert.ok(paths.includes(path), path)
  assert.ok(placesOf(program).every(({ options }) => options.some(({ flags }) => flags.includes('--json'))))
})
