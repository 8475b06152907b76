// The page of the clients: every story of each client, in every runtime that ran it.

import { writeFileSync } from 'node:fs'
import { type ClientRun, PACKAGE_CHECKS } from './client.ts'

const PAGE = new URL('../../docs/clients.md', import.meta.url)
const HEAD = `# Clients and their tests

Each client runs its stories against a real server: the TypeScript SDK and the Python packages as installed packages, the others from their source. \`npm run prove -- clients --record\` runs them and writes this page. An empty cell means that the story does not exist in that runtime.

`

const storyName = (name: string): string => name.replace(/^test_/, '').replaceAll('_', ' ')

function printTable(client: string, runs: readonly ClientRun[]): string {
  const names = new Set(runs.flatMap(({ stories }) => stories.map(([name]) => name)))
  const rows = [...names].map((name) => {
    const cells = runs.map(({ stories }) => {
      const story = stories.find(([other]) => other === name)
      if (!story) return ''
      return story[1] === null ? 'passed' : 'failed'
    })
    return `| ${[storyName(name), ...cells].join(' | ')} |\n`
  })
  const columns = ['story', ...runs.map(({ runtime }) => runtime)]
  return `## ${client}\n\n| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n${rows.join('')}`
}

/** One line for each client, with its runtimes. */
function printOverview(clients: ReadonlyMap<string, readonly ClientRun[]>): string {
  const rows = [...clients].map(([client, runs]) => {
    const stories = runs.flatMap((run) => run.stories)
    const passed = stories.filter(([, failure]) => failure === null).length
    const runtimes = runs.map(({ runtime }) => runtime).join(', ')
    return `| ${client} | ${runtimes} | ${passed} of ${stories.length} |\n`
  })
  return `| client | runtimes | stories passed |\n|---|---|---|\n${rows.join('')}`
}

export function printClientsPage(runs: readonly ClientRun[], date: string): string {
  const clients = Map.groupBy(runs, ({ client, runtime }) =>
    runtime === PACKAGE_CHECKS ? `${client}, the package` : client,
  )
  const tables = [...clients].map(([client, members]) => printTable(client, members))
  return `${HEAD}Measured on ${date}.\n\n${[printOverview(clients), ...tables].join('\n')}`
}

export function writeClientsPage(runs: readonly ClientRun[]): void {
  writeFileSync(PAGE, printClientsPage(runs, new Date().toISOString().slice(0, 10)))
}
