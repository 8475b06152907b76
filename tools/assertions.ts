// Counts the type assertions in production code that the compiler cannot check. Each rule has a budget in
// assertions.budget.json that only falls: `node tools/assertions.ts --record` lowers it, `--list` shows the places.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const BUDGET = join(import.meta.dirname, 'assertions.budget.json')
const RULES = ['no-non-null-assertion', 'no-unsafe-type-assertion'] as const
const SOURCES = ['base/src', 'contract/src', 'extract/src', 'server/src', 'sdk/src', 'mcp/src', 'cli/src']
const IGNORED = ['**/*.test.ts', '**/testing/**', 'sdk/src/generated/**']

type Rule = (typeof RULES)[number]
type Counts = Record<Rule, number>

export interface Assertion {
  rule: Rule
  file: string
  line: number
}

interface LintReport {
  diagnostics: { code?: string; filename: string; labels: { span: { line: number } }[] }[]
}

export function findAssertions(report: LintReport): Assertion[] {
  return report.diagnostics.flatMap(({ code, filename: file, labels }) => {
    const rule = RULES.find((name) => code === `typescript(${name})`)
    return rule ? [{ rule, file, line: labels[0]?.span.line ?? 0 }] : []
  })
}

export function countAssertions(found: readonly Assertion[]): Counts {
  const countOf = (rule: Rule): number => found.filter((one) => one.rule === rule).length
  return {
    'no-non-null-assertion': countOf('no-non-null-assertion'),
    'no-unsafe-type-assertion': countOf('no-unsafe-type-assertion'),
  }
}

export const overBudget = (counts: Counts, budget: Counts): string[] =>
  RULES.filter((rule) => counts[rule] > budget[rule]).map(
    (rule) => `${rule}: ${counts[rule]} assertions, the budget is ${budget[rule]}. Use a check or a better type.`,
  )

export const belowBudget = (counts: Counts, budget: Counts): string[] =>
  RULES.filter((rule) => counts[rule] < budget[rule]).map(
    (rule) => `${rule}: ${counts[rule]} of ${budget[rule]}. Lower the budget: node tools/assertions.ts --record`,
  )

function lint(): LintReport {
  const rules = RULES.flatMap((rule) => ['-D', `typescript/${rule}`])
  const ignored = IGNORED.flatMap((pattern) => ['--ignore-pattern', pattern])
  const args = ['--type-aware', '-A', 'all', ...rules, ...ignored, '-f', 'json', ...SOURCES]
  const { stdout, stderr, error } = spawnSync(join(root, 'node_modules/.bin/oxlint'), args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error || !stdout.startsWith('{')) throw new Error(`oxlint failed: ${error?.message ?? stdout + stderr}`)
  return JSON.parse(stdout) as LintReport
}

if (import.meta.main) {
  const found = findAssertions(lint())
  const counts = countAssertions(found)
  const budget = JSON.parse(readFileSync(BUDGET, 'utf8')) as Counts
  const [option] = process.argv.slice(2)
  if (option === '--list') for (const { rule, file, line } of found) console.log(`${file}:${line} ${rule}`)
  const problems = overBudget(counts, budget)
  if (option === '--record' && problems.length === 0) writeFileSync(BUDGET, `${JSON.stringify(counts, null, 2)}\n`)
  if (option !== '--list') {
    const lower = option === '--record' ? [] : belowBudget(counts, budget)
    const summary = RULES.map((rule) => `${counts[rule]} ${rule}`).join(', ')
    console.log([...problems, ...lower].join('\n') || `${summary}: within the budget`)
  }
  process.exitCode = problems.length > 0 ? 1 : 0
}
