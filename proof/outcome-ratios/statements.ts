// A process that embeds queries and runs the two statements of a hybrid search, and nothing else.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { firstOf, itemAt, required } from '../../base/src/required.ts'
import { minilm } from '../../server/src/ai/engine/specs.ts'
import { adminUrl, asAdmin } from '../lib/admin.ts'
import type { Request } from '../lib/requests.ts'
import type { BareQuestion, BareSettings } from './bare-search.ts'
import type { OutcomeRatioScene } from './scene.ts'

export interface BareSearch {
  pid: number
  chunks: number
  search: Request
  close(): void
}

export async function openBareSearch(
  { world, tenant }: OutcomeRatioScene,
  questions: readonly string[],
): Promise<BareSearch> {
  const { models_dir, model_threads } = world.app.config
  const { settings, terms } = await readSettings(world.database.name, tenant, questions)
  const folder = join(required(models_dir, 'folder with models'), minilm.folder)
  const child = fork(new URL('./bare-search.ts', import.meta.url), [
    folder,
    String(model_threads),
    JSON.stringify(settings),
  ])
  await once(child, 'message')
  const waiting = new Map<number, () => void>()
  child.on('message', (number: number) => {
    waiting.get(number)?.()
    waiting.delete(number)
  })
  let asked = 0
  const search: Request = (number) =>
    new Promise<void>((resolve) => {
      const at = number % questions.length
      const question: BareQuestion = { number: asked++, query: itemAt(questions, at), terms: itemAt(terms, at) }
      waiting.set(question.number, resolve)
      child.send(question)
    })
  return { pid: required(child.pid, 'process'), chunks: settings.chunks, search, close: () => void child.kill() }
}

const readSettings = (
  database: string,
  tenant: string,
  questions: readonly string[],
): Promise<{ settings: BareSettings; terms: string[][] }> =>
  asAdmin(database, async (admin) => {
    await admin.query(`select set_config('app.tenant', $1, false), set_config('app.projects', '*', false)`, [tenant])
    const { rows: spaces } = await admin.query<{ id: string }>(
      `select id from embedding_spaces where tenant_id = $1 and status = 'active'`,
      [tenant],
    )
    const { rows: counts } = await admin.query<{ chunks: number; words_mean: number }>(
      'select count(*)::int as chunks, avg(word_count)::float8 as words_mean from chunks where tenant_id = $1',
      [tenant],
    )
    const { rows } = await admin.query<{ terms: string[] }>(
      'select search_terms(question)::text[] as terms from unnest($1::text[]) with ordinality as q (question, n) order by n',
      [questions],
    )
    const settings = { database_url: adminUrl(database), tenant, space: firstOf(spaces).id, ...firstOf(counts) }
    return { settings, terms: rows.map(({ terms }) => terms) }
  })
