import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Command } from 'commander'
import { scopeNames } from '../../contract/src/index.ts'
import { buildProgram } from './program.ts'
import { scopes as knownScopes } from './scopes.ts'

const program = buildProgram(async () => {})
const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
const leaves = (command: Command, path: string[] = []): [path: string, command: Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
const all = leaves(program)

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 })
  command.outputHelp()
  return help
}

test('every command has a description and an example', () => {
  assert.ok(all.length >= 18)
  for (const [path, command] of all) {
    assert.ok(command.description(), path)
    assert.match(helpOf(command), new RegExp(`\\nExamples:\\n {2}\\$ .*octavo ${path}`), path)
    assert.match(helpOf(command), /--json/, path)
  }
})

test('help fits 80 columns, except for text to copy', () => {
  for (const [path, command] of [['', program] as const, ...all])
    for (const line of helpOf(command).split('\n'))
      if (!line.startsWith('  $ ')) assert.ok(line.length <= 80, `${path}: ${line}`)
})

test('the command line page documents every command and option', () => {
  for (const [path, command] of all) {
    assert.match(page, new RegExp(`\`${path}[ \`]`), path)
    for (const { long } of command.options) assert.ok(page.includes(`\`${long}\``), `${path} ${long}`)
  }
})

test('scopes in examples exist', () => {
  const shown = [page, ...all.map(([, command]) => helpOf(command))].flatMap((text) => [
    ...text.matchAll(/--scopes ([\w:,]+)/g),
  ])

  assert.ok(shown.length >= 2)
  for (const [, scopes] of shown)
    for (const scope of scopes!.split(',')) assert.ok(['all', ...scopeNames].includes(scope), scope)
  assert.deepEqual(knownScopes, scopeNames)
})
