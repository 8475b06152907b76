import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceDefinition } from '../contract/src/definition.ts'
import { printResources, printTables } from './contract-tables.ts'

const define = (object: string, prefix: string, more: Partial<ResourceDefinition> = {}): ResourceDefinition => ({
  title: object,
  object,
  prefix,
  description: '',
  scopes: { [`${object}s:read`]: `Read ${object}s` },
  events: ['created', 'deleted'],
  ...more,
})
const indented = (text: string): string[] => [...text.matchAll(/^ {2}(.+)$/gm)].map(([, line = '']) => line)

test('the tables hold the prefix, ids, scopes and events of every resource', () => {
  const text = printTables([define('label', 'lbl', { id_members: ['label_id', 'main_label_id'] })], {}, '')

  assert.deepEqual(indented(text), [
    "'lbl',",
    "label_id: 'lbl',",
    "main_label_id: 'lbl',",
    "label: 'lbl',",
    "'labels:read': 'Read labels',",
    "'label.created',",
    "'label.deleted',",
  ])
})

test('known names keep their place and new ones go to the end', () => {
  const [apple, melon, zebra] = [define('apple', 'app'), define('melon', 'mel'), define('zebra', 'zeb')]
  const old = printTables([zebra, melon], {}, '')

  const text = printTables([apple, melon, zebra], {}, old)

  assert.deepEqual(indented(text), indented(printTables([zebra, melon, apple], {}, '')))
})

test('the resources are listed in the order of the old list', () => {
  const groups = ['apples', 'melons', 'zebras'].map((name) => ({ name, module: `${name}.ts` }))

  const text = printResources(groups, 'export const api = {\n  zebras,\n  melons,\n}')

  assert.deepEqual(indented(text), ['zebras,', 'melons,', 'apples,'])
})

test('two resources cannot share a prefix', () => {
  assert.throws(
    () => printTables([define('apple', 'app'), define('apple_tree', 'app')], {}, ''),
    /Two resources define the prefix 'app'/,
  )
})
