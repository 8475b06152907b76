// Checks migrations: locks and types with squawk, and that the previous release keeps working on the new schema.

import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Earlier migrations belong to releases that promised nothing about an upgrade under load. */
const FIRST_CHECKED = 23

/** Statements that can break a process of the previous release, and that squawk accepts. */
const BREAKING: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\s*revoke\b/i, 'takes away a right'],
  [/^\s*drop\s+(function|procedure|view|materialized view|policy|trigger|type|schema|sequence)\b/i, 'drops something'],
  [/^\s*alter\s+policy\b/i, 'changes which rows are visible'],
  [/\bdrop\s+default\b/i, 'drops a default that the previous release relies on'],
  [/^\s*alter\b[^;]*\brename\b/i, 'renames something'],
]
/** Rules of squawk that protect the previous release: they cannot be ignored. */
const PROTECTING = [
  'adding-not-nullable-field',
  'adding-required-field',
  'ban-drop-column',
  'ban-drop-table',
  'changing-column-type',
  'renaming-column',
  'renaming-table',
]
/** A comment on the line above a statement, with the reason why it breaks nothing. */
const EXCUSE = /--\s*compatible:\s*\S.*$/i

/** One line for each statement that the previous release may not survive. */
export function findBreaking(name: string, text: string): string[] {
  const ignored = [...text.matchAll(/--\s*squawk-ignore(?:-file)?\s+(.*)/g)].flatMap(([, rules = '']) =>
    rules.split(',').map((rule) => rule.trim()),
  )
  const ignoring = ignored
    .filter((rule) => PROTECTING.includes(rule))
    .map((rule) => `${name}: ignores '${rule}', which protects the previous release`)
  const breaking = statementsOf(text).flatMap(({ statement, comment }) => {
    if (EXCUSE.test(comment)) return []
    const found = BREAKING.find(([pattern]) => pattern.test(statement))
    return found ? [`${name}: ${found[1]}: ${statement.trim().split('\n', 1).join()}`] : []
  })
  return [...ignoring, ...breaking]
}

/** The statements with the comment above each. Bodies of functions run later and are left out. */
function statementsOf(text: string): { statement: string; comment: string }[] {
  const plain = text.replaceAll(/(\$\w*\$)[^]*?\1/g, "''")
  return plain.split(';').map((part) => ({
    statement: part.replaceAll(/--.*$/gm, ''),
    comment: (part.match(/--.*$/gm) ?? []).at(-1) ?? '',
  }))
}

function check(): number {
  const files = globSync('server/src/db/migrations/*.sql', { cwd: ROOT }).toSorted()
  const squawk = spawnSync('squawk', files, { cwd: ROOT, encoding: 'utf8' })
  if (squawk.error) throw squawk.error
  const problems = files
    .filter((file) => Number.parseInt(basename(file), 10) >= FIRST_CHECKED)
    .flatMap((file) => findBreaking(basename(file), readFileSync(join(ROOT, file), 'utf8')))
  if (squawk.status === 0 && problems.length === 0) {
    console.log(`${files.length} files, none breaks the previous release`)
    return 0
  }
  console.log([squawk.stdout, squawk.stderr, ...problems].filter(Boolean).join('\n'))
  if (problems.length > 0)
    console.log(
      'See docs/upgrade.md#migrations. If a statement breaks nothing, write above it: -- compatible: <reason>',
    )
  return 1
}

if (import.meta.main) process.exitCode = check()
