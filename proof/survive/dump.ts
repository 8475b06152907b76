// The backup and the restore of docs/backup.md for the stack, as that page says them: on the same host, and on one that has nothing.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Octavo } from '@octavo/sdk'
import { type Part, round } from '../lib/proof.ts'
import { readAll, type SurviveScene } from './scene.ts'

interface SurviveRow {
  /** Text before the command: when to use it. */
  when: string
  command: string
}

function readTable({ machine }: SurviveScene, heading: string): SurviveRow[] {
  const page = readFileSync(join(machine.repository, 'docs/backup.md'), 'utf8')
  const [, table] = new RegExp(`^\\| \\| ${heading}.*\\n\\|---\\|---\\|\\n((?:\\|.*\\n)+)`, 'm').exec(page) ?? []
  if (table === undefined) throw new Error(`docs/backup.md has no table '${heading}'.`)
  return [...table.matchAll(/^\| \d+ \| (.*?)`(docker [^`]+)`/gm)].map(([, when, command]) => ({
    when: when!,
    command: command!.replaceAll('octavo_data', `${machine.project}_data`),
  }))
}

async function follow(scene: SurviveScene, rows: readonly SurviveRow[]): Promise<number> {
  const started = performance.now()
  for (const { command } of rows) await scene.stack(command)
  return round((performance.now() - started) / 1000, 1)
}

export async function restoreDump(scene: SurviveScene): Promise<Part> {
  const { client, machine } = scene
  const findings: string[] = []
  const before = await readAll(client)
  const key = await client.apiKeys.create({ name: 'revoked later', scopes: ['documents:read'] })
  await follow(scene, readTable(scene, 'to back up'))
  await client.apiKeys.remove(key.id)
  const { id: later } = await client.documents.createAndWait({
    title: 'Later',
    source: { type: 'text', text: 'After the dump.' },
  })
  const restore = readTable(scene, 'to restore')

  const same_seconds = await follow(
    scene,
    restore.filter(({ when }) => when === ''),
  )
  findings.push(...compare(before, await readAll(client), 'on the same host'))
  const revoked = await new Octavo({ base_url: machine.url, api_key: key.secret, max_retries: 0 }).documents
    .get(later)
    .then(
      () => 200,
      (error: unknown) => (error as { status?: number }).status,
    )
  if (revoked !== 401) findings.push(`a key that was revoked after the dump is answered ${revoked}`)

  await scene.stack('docker compose down --volumes')
  const new_seconds = await follow(scene, restore)
  findings.push(...compare(before, await readAll(client), 'on a new host'))
  return {
    figure: `restored from a dump by docs/backup.md in ${same_seconds} s, on a new host in ${new_seconds} s: ${findings.length} of ${before.size} documents and 1 revoked key wrong`,
    findings,
  }
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, where: string): string[] {
  const wrong = [...before]
    .filter(([id, seen]) => after.get(id) !== seen)
    .map(([id]) => `${where} ${id} is not as it was`)
  return after.size === before.size
    ? wrong
    : [...wrong, `${where} there are ${after.size} documents, not ${before.size}`]
}
