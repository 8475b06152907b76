// Runs the stories of the adapters: a program that knows another API asks them.

import { Octavo } from '@octavo/sdk'
import { type AdapterProcess, startAdapterProcess } from '../../examples/testing.ts'
import { type ClientRun, type ClientServer, expect, runStories } from './client.ts'

type Ask = AdapterProcess['ask']
type Stories = Record<string, (ask: Ask) => Promise<void>>

async function expectAnswer(answer: ReturnType<Ask>, status: number, part: string): Promise<void> {
  const { status: found, body } = await answer
  const text = JSON.stringify(body)
  expect(found === status && text.includes(part), `${found}: ${text}`)
}

const retrieval = { knowledge_id: 'all', query: 'When is the rent due?', retrieval_setting: { top_k: 1 } }
const dify: Stories = {
  'retrieve passages': (ask) => expectAnswer(ask('/retrieval', retrieval), 200, 'due on the third'),
  'refuse a wrong key': (ask) => expectAnswer(ask('/retrieval', retrieval, 'wrong'), 401, '"error_code":1002'),
}

const openai: Stories = {
  'list models': (ask) => expectAnswer(ask('/v1/models'), 200, '"object":"model"'),
  async embeddings(ask) {
    const [, model = ''] = /"id":"([^"]+)"/.exec(JSON.stringify((await ask('/v1/models')).body)) ?? []
    await expectAnswer(ask('/v1/embeddings', { model, input: 'The rent is due.' }), 200, '"embedding":[')
  },
  'refuse a wrong key': (ask) => expectAnswer(ask('/v1/models', undefined, 'wrong'), 401, '"error":{"message"'),
}

export async function proveAdapters({ url, newKey }: ClientServer): Promise<ClientRun[]> {
  const key = await newKey()
  await new Octavo({ base_url: url, api_key: key }).documents.createAndWait({
    title: 'Lease',
    source: { type: 'text', text: 'The rent of 1,200 euros is due on the third of each month.' },
  })
  const runs: ClientRun[] = []
  for (const [folder, client, stories] of [
    ['dify', 'Adapter for Dify', dify],
    ['openai-embeddings', 'Adapter for OpenAI embeddings', openai],
  ] as const) {
    const { ask, stop } = await startAdapterProcess(folder, url, key)
    runs.push({ client, runtime: 'Node 26', stories: await runStories(ask, stories).finally(stop) })
  }
  return runs
}
