// A tenant with real texts, alone in its database and, in a copy of it, among many chunks of others.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import pg from 'pg'
import { findUuid } from '../../server/src/lib/ids.ts'
import { addForeignChunks } from '../../server/src/testing/foreign-chunks.ts'
import { readCranfield } from '../eval/cranfield.ts'
import { readCsv, readData } from '../eval/data.ts'
import { adminUrl, asAdmin } from '../lib/admin.ts'
import { eachOf } from '../lib/call.ts'
import type { ProofRun } from '../lib/proof.ts'
import { type ApiProcess, openWorld, type World } from '../lib/world.ts'

export interface OutcomeRatioScene {
  run: ProofRun
  world: World
  /** uuid. */
  tenant: string
  client: Octavo
  api: ApiProcess
  /** Processes of the server. */
  pids: readonly number[]
  /** Written once, when a part asks for them first. */
  corpus(): Promise<{ chunks: number; questions: string[] }>
  /** The name of the copy with the chunks of others. */
  crowd(): Promise<{ database: string; others: number; pid: number; client: Octavo }>
  close(): Promise<void>
}

const CHUNKS = { short: 1_000, normal: 10_000, long: 10_000 }
const OTHERS = { short: 100_000, normal: 2_000_000, long: 2_000_000 }
const PAGES_OF_A_DOCUMENT = 100
const QUESTIONS = 200
/** Room for connections of a proof's own beside those of the server. */
const POOL = 8

export async function openScene(run: ProofRun): Promise<OutcomeRatioScene> {
  const models_dir = process.env.OCTAVO_MODELS_DIR
  if (!models_dir) throw new Error('OCTAVO_MODELS_DIR must name the directory with the weights.')
  const world = await openWorld(run.plants, {
    RATE_LIMITS: 'off',
    OCTAVO_MODELS_DIR: models_dir,
    DATABASE_POOL: String(POOL),
  })
  const { tenant, key } = await world.newTenant()
  const api = await world.startApi()
  const worker = await world.startWorker()
  const copies: string[] = []
  const client = key.client(api.url, { max_retries: 4, timeout_ms: 300_000 })
  const uuid = findUuid('ten', tenant)!
  let written: ReturnType<OutcomeRatioScene['corpus']> | null = null
  let crowded: ReturnType<OutcomeRatioScene['crowd']> | null = null
  const corpus = () =>
    (written ??= (async () => {
      const questions = await writeCorpus(run, client, readCorpus(run))
      return { questions, chunks: await countChunks(world.database.name, uuid) }
    })())
  return {
    run,
    world,
    tenant: uuid,
    client,
    api,
    pids: [api.pid, worker.pid],
    corpus,
    crowd: () =>
      (crowded ??= (async () => {
        await corpus()
        // From here on nothing is read or embedded any more.
        await worker.stop()
        const database = `${world.database.name}_crowd`
        copies.push(database)
        await copyDatabase(world.database.name, database)
        const others = OTHERS[run.length]
        await addOthers(run, database, uuid, others)
        const urls = ['DATABASE_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_OWNER_URL'].map((name) => [
          name,
          world.env[name]!.replace(world.database.name, database),
        ])
        const among = await world.startApi(Object.fromEntries(urls) as Record<string, string>)
        return { database, others, pid: among.pid, client: key.client(among.url, { max_retries: 4 }) }
      })()),
    async close() {
      await world.close()
      for (const name of copies)
        await asAdmin('postgres', (admin) => admin.query(`drop database if exists ${name} with (force)`))
    },
  }
}

interface OutcomeRatioCorpus {
  texts: string[]
  /** In the same fields as the texts; none of them is a text's title. */
  questions: string[]
}

/** News, abstracts and articles: real words, as often as they are in a language. */
function readCorpus(run: ProofRun): OutcomeRatioCorpus {
  const news = readCsv('agnews-test.csv')
  const titles = news.splice(-QUESTIONS).map(([, title = '']) => title)
  const { documents, questions } = readCranfield()
  const articles = (JSON.parse(readData('cnn100.json').toString()) as { article: string }[]).map(
    ({ article }) => article,
  )
  return {
    texts: [
      ...news.map(([, title, text]) => `${title}. ${text}`),
      ...documents.map(({ title, text }) => text || title || '-'),
      ...articles,
    ],
    // A short run comes to the news only.
    questions: titles.map((title, i) => (i % 2 === 0 || run.length === 'short' ? title : questions[i]!.text)),
  }
}

async function writeCorpus(run: ProofRun, client: Octavo, { texts, questions }: OutcomeRatioCorpus): Promise<string[]> {
  const began = performance.now()
  const most = CHUNKS[run.length]
  const documents: string[][] = []
  while (texts.length > 0) documents.push(texts.splice(0, PAGES_OF_A_DOCUMENT))
  let chunks = 0
  await eachOf(documents, 2, async (pages) => {
    if (chunks >= most) return
    const source = { type: 'pages', pages: pages.map((text) => ({ text })) } as const
    const { id } = await client.documents.createAndWait({ title: 'Texts', source })
    for await (const _ of client.chunks.list(id, { limit: 100 })) chunks++
  })
  run.say(`corpus: ${chunks} chunks in ${Math.round((performance.now() - began) / 1000)} s`)
  if (chunks < most) throw new Error(`the texts gave ${chunks} chunks, not ${most}`)
  return questions
}

const countChunks = (database: string, tenant: string): Promise<number> =>
  asAdmin(database, async (admin) => {
    const { rows } = await admin.query<{ count: number }>(
      'select count(*)::int as count from chunks where tenant_id = $1',
      [tenant],
    )
    return rows[0]!.count
  })

/** PostgreSQL can only copy a database without connections. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await asAdmin('postgres', async (admin) => {
    await admin.query(`alter database ${from} allow_connections false`)
    try {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from])
      await sleep(500)
      await admin.query(`create database ${to} template ${from}`)
      await admin.query(`alter database ${to} allow_connections true`)
    } finally {
      await admin.query(`alter database ${from} allow_connections true`)
    }
  })
}

/** The tenant's own rows are written again between theirs, as if its documents had come from time to time. */
async function addOthers(run: ProofRun, database: string, tenant: string, others: number): Promise<void> {
  const began = performance.now()
  const own = new pg.Client({ connectionString: adminUrl(database) })
  await own.connect()
  try {
    await own.query('set session_replication_role = replica')
    const { rows } = await own.query<{ id: string }>('select id from documents where tenant_id = $1 order by id', [
      tenant,
    ])
    let written = 0
    await addForeignChunks(adminUrl(database), others, async (share) => {
      const ids = rows.slice(written, Math.ceil(rows.length * share)).map(({ id }) => id)
      written += ids.length
      for (const table of ['chunks', 'chunk_vectors'])
        await own.query(
          `with moved as (delete from ${table} where tenant_id = $1 and document_id = any ($2) returning *) insert into ${table} select * from moved`,
          [tenant, ids],
        )
    })
  } finally {
    await own.end()
  }
  const counted = await asAdmin(database, async (admin) => {
    const text = 'select count(*)::int as count from chunk_vectors where tenant_id <> $1'
    return (await admin.query<{ count: number }>(text, [tenant])).rows[0]!.count
  })
  run.say(`crowd: ${counted} chunks of others in ${Math.round((performance.now() - began) / 1000)} s`)
  if (counted !== others) throw new Error(`there are ${counted} chunks of others, not ${others}`)
}
