// Allowed imports between floors (layers), as data. A file belongs to the first floor whose pattern it matches.
// `own:x` is x of the same resource, `x:type` allows only `import type`, `*` is everything.

import { globSync, readFileSync } from 'node:fs'
import { dirname, matchesGlob, posix } from 'node:path'

const request = 'app:type events db cache telemetry text base lib contract'
/** The folders whose files have roles: a resource, or a mechanism that several resources share and that has no routes. */
const owner = 'server/src/{resources/*,links,outcomes,tenants,usage,vector-spaces}'
const floors: readonly (readonly [name: string, files: string, may_use: string])[] = [
  ['tests', '{**/*.test.ts,{extract,server}/src/testing/**,proof/**}', '*'],
  ['contract', 'contract/src/**', ''],
  // Pure code that several packages need.
  ['base', 'base/src/**', 'contract'],
  ['sdk', 'sdk/src/**', 'contract:type'],
  ['mcp', 'mcp/src/**', 'sdk'],
  ['cli', 'cli/src/**', 'mcp sdk'],
  ['lib', 'server/src/lib/**', 'base contract'],
  ['text', 'server/src/text/**', 'base lib contract'],
  ['settings', 'server/src/config/{settings,env}.ts', 'base lib contract'],
  ['config', 'server/src/config/config.ts', 'settings ai base lib contract'],
  ['db', 'server/src/db/**', 'base lib contract'],
  ['cache', 'server/src/cache/**', 'base lib contract'],
  ['files', 'server/src/files/**', 'base lib contract'],
  ['ai', 'server/src/ai/**', 'settings egress text base lib contract'],
  ['extract', 'extract/src/**', 'base contract'],
  ['egress', 'server/src/egress/**', 'base lib contract'],
  ['readers', 'server/src/readers/**', 'ai egress extract text base lib contract'],
  ['reports', 'server/src/reports/**', 'base lib contract'],
  ['telemetry', 'server/src/telemetry/**', 'base lib contract'],
  ['mail', 'server/src/mail/**', 'config:type telemetry base lib'],
  [
    'app',
    'server/src/app.ts',
    'config db cache files ai extract egress readers mail telemetry jobs job-runs events base lib contract',
  ],
  ['events', 'server/src/events/**', 'app:type db telemetry base lib contract'],
  // Job execution, which requests do not use.
  [
    'job-runs',
    'server/src/jobs/{pg-boss,reconciler,run,worker,worker.store,yielding}.ts',
    `jobs files config:type ${request}`,
  ],
  ['jobs', 'server/src/jobs/**', request],
  ['credential', 'server/src/auth/credential.ts', 'base lib'],
  ['auth', 'server/src/auth/**', `credential egress ${request}`],
  ['http', 'server/src/http/**', `auth files ${request}`],
  // The authorization server.
  ['oauth', 'server/src/oauth/**', `auth credential http service sign-in ${request}`],
  ['store', `${owner}/*.store.ts`, 'db base lib contract'],
  ['rules', `${owner}/*.{rules,prompt}.ts`, 'text base lib contract'],
  ['job', `${owner}/*.jobs.ts`, 'jobs contract'],
  ['routes', `${owner}/*.routes.ts`, 'service http app:type db:type contract'],
  ['worker', `${owner}/*.worker.ts`, 'service own:job jobs app:type contract'],
  // A file without another role is a part of the service: `summaries.generate.ts`.
  [
    'service',
    `${owner}/*.ts`,
    'own:store own:rules service job jobs events db:type cache:type credential ai extract readers egress files reports mail text base lib app:type contract',
  ],
  // The tools of agents, on the API of the same process.
  ['agents', 'server/src/mcp/**', 'http mcp sdk app:type base lib contract'],
  ['sign-in', 'server/src/sign-in/**', `service http auth credential mail ${request}`],
  ['doctor', 'server/src/doctor/**', 'service config settings db files ai extract jobs text base lib'],
  ['door', 'server/src/{api.ts,worker.ts,install.ts,config/single.ts,bin/**}', '*'],
]
const roots = ['base/src', 'contract/src', 'extract/src', 'sdk/src', 'mcp/src', 'cli/src', 'proof', 'server/src']
const barrels: Record<string, string> = {
  '@octavo/contract': 'contract/src/index.ts',
  '@octavo/contract/block-limits': 'contract/src/block-limits.ts',
  '@octavo/sdk': 'sdk/src/index.ts',
  '@octavo/mcp/http': 'mcp/src/http.ts',
  '@octavo/mcp/stdio': 'mcp/src/stdio.ts',
}
const STATEMENT =
  /^(import|export)\s+(type\s)?(?:[\w*\s{},$]*?\sfrom\s*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/gm

/** `@octavo/extract/types.ts` is a file of a package without a barrel. */
function sourceOf(target: string): string | undefined {
  const [, name, path] = /^@octavo\/(base|extract)\/(.+)$/.exec(target) ?? []
  return path && `${name}/src/${path}`
}

type Import = { to: string; is_type: boolean; is_reexport: boolean }

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(STATEMENT)].flatMap(([, word, type, name, dynamic_name]) => {
    const target = name ?? dynamic_name ?? ''
    const to = target.startsWith('.') ? posix.join(dirname(file), target) : (barrels[target] ?? sourceOf(target))
    return to ? [{ to, is_type: type !== undefined, is_reexport: word === 'export' }] : []
  })
}

const floorOf = (file: string) => floors.find(([, files]) => matchesGlob(file, files)) ?? ['none', '', '']
const isBarrel = (file: string) =>
  Object.values(barrels).includes(file) || file === 'contract/src/generated/resources.ts'

function findProblem(from: string, { to, is_type, is_reexport }: Import): string | undefined {
  const [floor, , may_use] = floorOf(from)
  const [target] = floorOf(to)
  const is_own = dirname(from) === dirname(to)
  const is_resource = matchesGlob(from, `${owner}/*.ts`)
  if (is_reexport && !isBarrel(from)) return 're-exports; only the contract and the sdk have a barrel'
  if (target === 'tests' && floor !== 'tests') return 'is not a test and uses what is for tests'
  if (may_use === '*' || (floor === target && (is_own || !is_resource))) return undefined
  if (target === 'store' && is_resource && !is_own) return "uses another resource's store; call its service"
  const keys = [target, is_type && `${target}:type`, is_own && `own:${target}`]
  return may_use.split(' ').some((word) => keys.includes(word))
    ? undefined
    : `is on '${floor}', which may use '${may_use}'`
}

function cyclesOf(graph: Map<string, Import[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  function visit(file: string, path: string[]): void {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push(`cycle: ${[...path.slice(start), file].join(' → ')}`)
    if (start >= 0 || done.has(file)) return
    for (const { to } of graph.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}

export function checkArchitecture(root: string, minimum: number): { count: number; problems: string[] } {
  const patterns = roots.map((folder) => `${folder}/**/*.ts`)
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).toSorted()
  const graph = new Map(files.map((file) => [file, importsOf(file, readFileSync(posix.join(root, file), 'utf8'))]))
  const problems = cyclesOf(graph)
  for (const [file, imports] of graph) {
    if (floorOf(file)[0] === 'none') problems.push(`${file} is on no floor: give it one in tools/architecture.ts`)
    if (file.endsWith('/index.ts') && !isBarrel(file)) problems.push(`${file} is a barrel by its name`)
    for (const one of imports) {
      const problem = findProblem(file, one)
      if (problem) problems.push(`${file} ${problem}: ${one.to}`)
    }
  }
  if (files.length < minimum) problems.push(`only ${files.length} files were found, at least ${minimum} were expected`)
  return { count: files.length, problems }
}

if (import.meta.main) {
  const { count, problems } = checkArchitecture(`${import.meta.dirname}/..`, 60)
  console.log(problems.join('\n') || `${count} files, every import on its floor, no cycle`)
  process.exitCode = problems.length ? 1 : 0
}
