// `npm run new labels` writes the skeleton of a resource: contract, migration, store, service, routes, test, and two
// lines in server/src/api.ts. The generated code works immediately; then it is yours to change.

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { insertions } from './new/insert.ts'
import { fillIn, type NameOptions, namesOf } from './new/names.ts'

const templates = join(import.meta.dirname, 'new')
const MIGRATIONS = 'server/src/db/migrations'
const CONTRACT = 'contract/src'
const TABLES = 'contract/src/generated/tables.ts'
const DERIVED = [
  TABLES,
  'contract/src/generated/resources.ts',
  'openapi.json',
  'sdk/src/generated/types.ts',
  'sdk/src/generated/resources.ts',
]

function nextMigration(root: string, table: string): string {
  const numbers = readdirSync(join(root, MIGRATIONS)).map((name) => Number(/^(\d{4})_/.exec(name)?.[1] ?? 0))
  return `${MIGRATIONS}/${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}_${table}.sql`
}

/** A new resource must not share its prefix or the name of a schema: OpenAPI and the SDK have one list. */
function refuseTakenNames(root: string, { Thing, things, prefix }: Record<string, string>): void {
  if (readFileSync(join(root, TABLES), 'utf8').includes(`\n  '${prefix}',`))
    throw new Error(`The prefix '${prefix}' is taken. Say another: --prefix <letters>`)
  const names = [Thing, `New${Thing}`, `${Thing}Replacement`, `${Thing}Patch`, `${Thing}List`, things].join('|')
  const taken = new RegExp(`\\btitle: '(${names})'|^export (?:const|type|interface|function) (${names})\\b`, 'm')
  for (const file of globSync('*.ts', { cwd: join(root, CONTRACT) })) {
    const match = taken.exec(readFileSync(join(root, CONTRACT, file), 'utf8'))
    if (match)
      throw new Error(
        `The name '${match[1] ?? match[2]}' is taken: see ${CONTRACT}/${file}. Choose another name, or another singular: --singular <word>`,
      )
  }
}

/** Runs `work`; if it fails, the files at these paths are again what they were before. */
function undoOnFailure(root: string, paths: readonly string[], work: () => void): void {
  const before = paths.map((path) => {
    const file = join(root, path)
    return { file, text: existsSync(file) ? readFileSync(file) : null }
  })
  try {
    work()
  } catch (error) {
    for (const { file, text } of before) {
      if (text !== null) writeFileSync(file, text)
      else rmSync(file, { force: true })
    }
    for (const folder of new Set(before.map(({ file }) => dirname(file))))
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
    throw error
  }
}

/** Writes all files below `root` and runs `derive`, or leaves everything as it was. Gives the paths of the new files
 * and of those that gained lines. */
export function createResource(
  root: string,
  name: string,
  options: NameOptions = {},
  derive: (code: string[]) => void = () => {},
): { created: string[]; changed: string[] } {
  const names = namesOf(name, options)
  const folder = `server/src/resources/${name}/${name}`
  const templateOf: Record<string, string> = {
    [`${CONTRACT}/${name}.ts`]: 'contract',
    [nextMigration(root, names.things!)]: 'migration',
    [`${folder}.store.ts`]: 'store',
    [`${folder}.service.ts`]: 'service',
    [`${folder}.routes.ts`]: 'routes',
    [`${folder}.test.ts`]: 'test',
  }
  const [created, changed] = [Object.keys(templateOf), Object.keys(insertions)]
  const existing = created.find((path) => existsSync(join(root, path)))
  if (existing) throw new Error(`${existing} exists already.`)
  refuseTakenNames(root, names)
  const texts = new Map<string, string>()
  for (const [path, template] of Object.entries(templateOf))
    texts.set(path, fillIn(readFileSync(join(templates, `${template}.tmpl`), 'utf8'), names))
  for (const [path, insert] of Object.entries(insertions))
    texts.set(path, insert(readFileSync(join(root, path), 'utf8'), names))
  undoOnFailure(root, [...texts.keys(), ...DERIVED], () => {
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    derive([...texts.keys()].filter((path) => path.endsWith('.ts')))
  })
  return { created, changed }
}

function run(root: string, program: string, args: string[]): void {
  const { status, stderr, stdout, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed:\n${error?.message ?? stdout + stderr}`)
}

const list = (paths: string[]): string => paths.map((path) => `  ${path}`).join('\n')

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' }, prefix: { type: 'string' } },
  })
  const [name] = positionals
  if (positionals.length !== 1 || name === undefined)
    throw new Error('Usage: npm run new -- <plural> [--singular <word>] [--prefix <letters>]')
  const root = join(import.meta.dirname, '..')
  const { created, changed } = createResource(root, name, values, (code) => {
    run(root, join(root, 'node_modules/.bin/biome'), ['check', '--write', ...code])
    run(root, process.execPath, ['tools/openapi.ts'])
  })
  console.log(`Written:\n${list(created)}\nA line in:\n${list(changed)}\nDerived: openapi.json and the SDK

Next (ARCHITECTURE.md has the recipe):
  1. Say what it is: members, rules and errors in the contract, columns in the migration, then store, service and test.
  2. npm run openapi     after every change of the contract
  3. npm run db-types    after every change of the migration, and npm run migrate once it is as you want it
  4. npm run format && npm run check && npm test
  5. npm run prove -- contract isolation --short   walks the new operations too
  6. npm run admin -- create-key <tenant_id>   existing keys lack the new scopes
  7. npm run changeset`)
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
