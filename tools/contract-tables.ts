// Collects the prefixes, scopes, events and operations of all resources in contract/src/generated/. Names that the
// files already list keep their place and new ones go to the end, so that the order of the API's enums never changes.
// With --check it writes nothing and fails if a file is out of date.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ResourceDefinition } from '../contract/src/definition.ts'
import { readText, writeGenerated } from './generated-files.ts'

const HEADER = '// Derived from the resources in contract/src by `npm run openapi`. Do not edit.\n'
const contract = join(import.meta.dirname, '../contract/src')
const TABLES = 'contract/src/generated/tables.ts'
const RESOURCES = 'contract/src/generated/resources.ts'

interface Group {
  /** The exported name: `documents`. */
  name: string
  module: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isDefinition = (value: unknown): value is ResourceDefinition =>
  isObject(value) && typeof value.prefix === 'string' && isObject(value.scopes) && Array.isArray(value.events)

const isEndpoint = (value: unknown): boolean =>
  isObject(value) && typeof value.method === 'string' && typeof value.path === 'string'

const isGroup = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isEndpoint)

/** Sorts items by the place of their lines in `text`; items without a line go to the end. */
function inOrder<T>(text: string, items: readonly T[], lineOf: (item: T) => string): T[] {
  const positions = new Map(items.map((item) => [item, text.indexOf(`\n  ${lineOf(item)}`)]))
  const place = (item: T): number => {
    const position = positions.get(item) ?? -1
    return position < 0 ? Number.POSITIVE_INFINITY : position
  }
  return items.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)))
}

function refuseRepeated(what: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`Two resources define the ${what} '${repeated}'. Rename one of them.`)
}

const quote = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`

const printList = (name: string, lines: readonly string[]): string =>
  `export const ${name} = [\n${lines.map((line) => `  ${quote(line)},\n`).join('')}] as const\n`

const printTable = (name: string, entries: readonly (readonly [key: string, value: string])[]): string =>
  `export const ${name} = {\n${entries.map(([key, value]) => `  ${key}: ${quote(value)},\n`).join('')}} as const\n`

const byKey = ([key]: readonly [string, string]): string => `${key}: `

export function printTables(
  definitions: readonly ResourceDefinition[],
  internalIds: Record<string, string>,
  old: string,
) {
  const objects = definitions.map(({ object, prefix }) => [object, prefix] as const)
  const members = [
    ...Object.entries(internalIds),
    ...definitions.flatMap(({ object, prefix, id_members }) =>
      (id_members ?? [`${object}_id`]).map((member) => [member, prefix] as const),
    ),
  ]
  const prefixes = [...Object.values(internalIds), ...definitions.map(({ prefix }) => prefix)]
  const scopes = definitions.flatMap((definition) => Object.entries(definition.scopes))
  const events = definitions.flatMap(({ object, events }) => events.map((event) => `${object}.${event}`))
  refuseRepeated('prefix', prefixes)
  refuseRepeated(
    'object',
    objects.map(([object]) => object),
  )
  refuseRepeated(
    'id member',
    members.map(([member]) => member),
  )
  refuseRepeated(
    'scope',
    scopes.map(([scope]) => scope),
  )
  return [
    HEADER,
    printList(
      'prefixes',
      inOrder(old, prefixes, (prefix) => `'${prefix}',`),
    ),
    '/** The prefix behind each member, path parameter and column that holds an id. */',
    printTable('idMembers', inOrder(old, members, byKey)),
    '/** The prefix of the resource with this `object` member. */',
    printTable('objectPrefixes', inOrder(old, objects, byKey)),
    '/** Consent pages show these words. */',
    printTable(
      'scopes',
      inOrder(
        old,
        scopes.map(([scope, words]) => [quote(scope), words] as const),
        byKey,
      ),
    ),
    printList(
      'eventTypes',
      inOrder(old, events, (event) => `'${event}',`),
    ),
  ].join('\n')
}

export function printResources(groups: readonly Group[], old: string): string {
  refuseRepeated(
    'name',
    groups.map(({ name }) => name),
  )
  const modules = Map.groupBy(groups, ({ module }) => module)
  const names = (members: readonly Group[]): string =>
    members
      .map(({ name }) => name)
      .toSorted()
      .join(', ')
  return [
    HEADER,
    ...[...modules].map(([module, members]) => `import { ${names(members)} } from '../${module}'`),
    '',
    'export const api = {',
    ...inOrder(old, groups, ({ name }) => `${name},`).map(({ name }) => `  ${name},`),
    '}',
    '',
    ...[...modules.keys()].map((module) => `export * from '../${module}'`),
    '',
  ].join('\n')
}

async function collect(): Promise<{ definitions: ResourceDefinition[]; groups: Group[] }> {
  const definitions: ResourceDefinition[] = []
  const groups: Group[] = []
  // These load the generated list of resources, which may name a resource that was removed.
  const exclude = ['index.ts', 'operations.ts', 'openapi*.ts', '*.test.ts']
  for (const module of globSync('*.ts', { cwd: contract, exclude }).toSorted()) {
    const exported: unknown = await import(pathToFileURL(join(contract, module)).href)
    for (const [name, value] of Object.entries(isObject(exported) ? exported : {})) {
      if (isDefinition(value)) definitions.push(value)
      if (isGroup(value)) groups.push({ name, module })
    }
  }
  return { definitions, groups }
}

async function main(): Promise<void> {
  const { definitions, groups } = await collect()
  const { internalIds } = await import('../contract/src/ids.ts')
  writeGenerated({
    [TABLES]: printTables(definitions, internalIds, readText(TABLES) ?? ''),
    [RESOURCES]: printResources(groups, readText(RESOURCES) ?? ''),
  })
}

if (import.meta.main) await main()
