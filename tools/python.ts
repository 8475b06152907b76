// The generated files of the Python client: models, parameters, resources, and the synchronous half.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorCodes, operations } from '../contract/src/index.ts'
import type { Description } from '../contract/src/openapi.ts'
import { itemOf, titleOf } from './contract-names.ts'
import { printPythonResources } from './python/resources.ts'
import { syncFromAsync } from './python/sync.ts'
import { namesIn, type PythonKind, type PythonSchema, printPythonType } from './python/types.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = 'clients/python'
const PACKAGE = `${FOLDER}/src/octavo`
/** All packages have the version of the contract. */
const PACKAGES = [
  PACKAGE,
  'clients/langchain-octavo/langchain_octavo',
  'clients/llama-index-retrievers-octavo/llama_index/retrievers/octavo',
]
const heading = '# Written by `npm run openapi` from the contract. Changes made here are lost.\n\n'

/** All schemas that these names need, each after those that it refers to. */
function inOrder(names: readonly string[], schemas: Record<string, PythonSchema>): string[] {
  const found = new Set<string>()
  const add = (name: string): void => {
    const schema = schemas[name]
    if (found.has(name) || !schema) return
    for (const needed of namesIn(schema)) if (needed !== name) add(needed)
    found.add(name)
  }
  for (const name of names) add(name)
  return [...found]
}

function printSchemas(names: readonly string[], description: Description, kind: PythonKind): string {
  const schemas = description.components.schemas as Record<string, PythonSchema>
  const printed = inOrder(names, schemas).map((name) => printPythonType(name, schemas[name] ?? {}, kind))
  return printed.join('\n\n')
}

function printModels(description: Description): string {
  const answers = operations.flatMap(({ endpoint }) => {
    if (!endpoint.answer) return []
    return [endpoint.list ? itemOf(endpoint) : titleOf(endpoint.answer)]
  })
  return [
    heading,
    'from __future__ import annotations\n\nfrom datetime import datetime\nfrom typing import Any, Literal, TypeAlias\n\n',
    'from ._model import OctavoModel\n\n\n',
    printSchemas([...answers, 'ErrorDetail', 'ErrorCode'], description, 'model'),
  ].join('')
}

function printParams(description: Description): string {
  const bodies = operations.flatMap(({ endpoint }) => (endpoint.body ? [titleOf(endpoint.body)] : []))
  return [
    heading,
    'from __future__ import annotations\n\nfrom collections.abc import Mapping, Sequence\nfrom datetime import datetime\n',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n\n\n',
    printSchemas([...bodies, 'TextFormat'], description, 'param'),
  ].join('')
}

function printFixes(): string {
  const lines = Object.entries(errorCodes).map(
    ([code, { remedy }]) => `    ${JSON.stringify(code)}: ${JSON.stringify(remedy)},\n`,
  )
  return `${heading}#: Advice for each error code.\nFIXES: dict[str, str] = {\n${lines.join('')}}\n`
}

/** The synchronous half of a folder, by path. */
function deriveSync(folder: string, replaced: Record<string, string>): Record<string, string> {
  const paths = new Set([...globSync(`${folder}/_async/*.py`, { cwd: ROOT }), ...Object.keys(replaced)])
  return Object.fromEntries(
    [...paths].toSorted().map((path) => {
      const text = replaced[path] ?? readFileSync(join(ROOT, path), 'utf8')
      return [`${folder}/_sync/${basename(path)}`, syncFromAsync(text)]
    }),
  )
}

/** The text of each generated file, by path. */
export function printPythonClient(description: Description, version: string): Record<string, string> {
  const resources = { [`${PACKAGE}/_async/resources.py`]: printPythonResources(heading, description) }
  return {
    ...Object.fromEntries(PACKAGES.map((folder) => [`${folder}/_version.py`, `${heading}VERSION = "${version}"\n`])),
    [`${PACKAGE}/_fixes.py`]: printFixes(),
    [`${PACKAGE}/models.py`]: printModels(description),
    [`${PACKAGE}/params.py`]: printParams(description),
    ...resources,
    ...deriveSync(PACKAGE, resources),
    ...deriveSync(`${FOLDER}/tests`, {}),
  }
}
