// The dashboard and the alert rules in deploy/observability name only metrics and labels that a process exposes.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openMetrics } from './metrics.ts'

const FOLDER = join(import.meta.dirname, '../../../deploy/observability')
const DOCS = join(import.meta.dirname, '../../../docs')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8').replaceAll('\\"', '"')
const RULES = read('alerts.yml')

/** Labels that Prometheus adds, or that belong to histograms. */
const OTHER_LABELS = ['instance', 'job', 'le', 'severity']

/** The metrics that a process exposes, with their labels. */
async function listExposed(): Promise<Map<string, readonly string[]>> {
  const text = await openMetrics().registry.metrics()
  const source = readFileSync(join(import.meta.dirname, 'metrics.ts'), 'utf8')
  return new Map(
    [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => {
      const [, labels = ''] = new RegExp(`name: '${name}',[^}]*?labelNames: \\[([^\\]]*)\\]`).exec(source) ?? []
      return [name, [...labels.matchAll(/'(\w+)'/g)].map(([, label = '']) => label)]
    }),
  )
}

/** Each use of a metric, with the labels that select or group it in the same expression. */
function listUses(text: string): { metric: string; labels: string[] }[] {
  const expressions = [...text.matchAll(/(?:expr: |"expr": ")(.*)/g)].map(([, expression = '']) => expression)
  return expressions.flatMap((expression) =>
    [...expression.matchAll(/\b((?:octavo|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
      ([, name = '', selected = '']) => ({
        metric: name,
        labels: [...selected.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
      }),
    ),
  )
}

function listUnknown(text: string, exposed: ReadonlyMap<string, readonly string[]>): string[] {
  return listUses(text).flatMap(({ metric, labels }) => {
    const name = exposed.has(metric) ? metric : metric.replace(/_(bucket|count|sum)$/, '')
    const known = exposed.get(name)
    if (!known) return [metric]
    return labels
      .filter((label) => !known.includes(label) && !OTHER_LABELS.includes(label))
      .map((label) => `${metric}{${label}}`)
  })
}

test('the alert rules and the dashboard use only metrics and labels that exist', async () => {
  const exposed = await listExposed()

  assert.ok(listUses(RULES).length >= 15)
  assert.ok(listUses(read('dashboard.json')).length >= 20)
  assert.deepEqual(listUnknown(RULES, exposed), [])
  assert.deepEqual(listUnknown(read('dashboard.json'), exposed), [])
  assert.deepEqual(listUnknown('expr: octavo_none{a="b"} + octavo_jobs{colour="red"}', exposed), [
    'octavo_none',
    'octavo_jobs{colour}',
  ])
})

test('the dashboard uses only ratios that the rules record', () => {
  const recorded = [...RULES.matchAll(/record: (\S+)/g)].map(([, name]) => name)
  const used = [...(read('dashboard.json') + RULES).matchAll(/octavo:\w+:\w+/g)].map(([name]) => name)

  assert.deepEqual(new Set(used), new Set(recorded))
})

test('every alert names a section of the docs', () => {
  for (const [, page = '', section = ''] of RULES.matchAll(/runbook: docs\/([\w-]+\.md)#(\S+)/g)) {
    const headings = [...readFileSync(join(DOCS, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    assert.ok(headings.includes(section), `${page} has no section '${section}'`)
  }
})

test('promtool accepts the rules and their tests', (t: TestContext) => {
  const promtool = process.env.PROMTOOL ?? 'promtool'
  const run = (...args: string[]) => spawnSync(promtool, args, { cwd: FOLDER, encoding: 'utf8' })
  if (run('--version').error) return t.skip('promtool is not installed; set PROMTOOL to its path')

  const [checked, tested] = [run('check', 'rules', 'alerts.yml'), run('test', 'rules', 'alerts.test.yml')]

  assert.equal(checked.status, 0, checked.stdout + checked.stderr)
  assert.equal(tested.status, 0, tested.stdout + tested.stderr)
})
