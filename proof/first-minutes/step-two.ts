// The second step of the quickstart: a generative model on the same host, connected through a .env file.

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Octavo } from '@octavo/sdk'
import { openTcpProxy } from '../../server/src/testing/tcp-proxy.ts'
import type { Machine } from '../containers/machine.ts'
import { type ProofRun, round } from '../lib/proof.ts'
import { owned } from '../lib/scope.ts'
import { findMisquotes, readPages } from './quotes.ts'

const { CHAT_BASE_URL: target, CHAT_MODEL: model, CHAT_API_KEY: api_key } = process.env
export const hasModel = Boolean(target && model)

/**
 * Returns the problems found. The model may be small: the proof does not judge its text, only that it answered and that
 * the cited quotes exist.
 */
export async function connectModel(run: ProofRun, machine: Machine, folder: string, client: Octavo): Promise<string[]> {
  await using door = owned(await openDoor(new URL(target!)))
  writeFileSync(join(folder, '.env'), readSettings(folder, door.port))
  const [document] = (await client.documents.list()).data
  for (const command of [
    'docker compose up -d --wait',
    `./octavo summaries create ${document!.id} --style abstract --length short`,
  ]) {
    const { code, text, seconds } = await machine.run(command, folder)
    run.say(`$ ${command}\n${text.trim()}\n(${round(seconds, 1)} s, exit ${code})`)
    if (code !== 0) return [`with a model that writes '${command}' failed: ${text.trim().split('\n').at(-1)}`]
  }
  const [summary] = (await client.summaries.list()).data
  if (summary?.status !== 'succeeded' || summary.model?.id !== model || summary.sentences.length === 0)
    return [`${model} did not write the summary: it is ${summary?.status}, by ${summary?.model?.id}`]
  return findMisquotes(await readPages(client, document!.id), summary.sentences)
}

/** As the page says, but for the port and the name of the model that is here. */
function readSettings(folder: string, port: number): string {
  const page = readFileSync(join(folder, 'docs/quickstart.md'), 'utf8')
  const [, block] = /^## Step two[^]*?^```ini\n([^]*?)^```/m.exec(page) ?? []
  if (block === undefined) throw new Error('docs/quickstart.md does not say how to connect a model.')
  const path = new URL(target!).pathname
  const lines = block
    .replace(/^CHAT_BASE_URL=.*$/m, `CHAT_BASE_URL=http://host.docker.internal:${port}${path}`)
    .replace(/^CHAT_MODEL=.*$/m, `CHAT_MODEL=${model}`)
  return api_key ? `${lines}CHAT_API_KEY=${api_key}\n` : lines
}

/** Servers of models listen on the machine itself; containers reach this. */
async function openDoor({ hostname, port }: URL): Promise<{ port: number; close(): void }> {
  const server = openTcpProxy(hostname, Number(port || 80)).listen(0)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
