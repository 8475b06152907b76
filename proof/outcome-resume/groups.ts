// An analysis of many pages by the built-in engine, group by group.

import type { Analysis, NewAnalysis } from '@octavo/sdk'
import { textOfPage } from '../lib/book.ts'
import { differs, type Part } from '../lib/proof.ts'
import { killAt, listSteps, type OutcomeResumeScene, readBill } from './scene.ts'

const PAGES_OF_A_GROUP = 50
/** Without weights of models: the same pages then give the same result to the last digit. */
const asked = {
  features: ['language', 'statistics', 'key_phrases', 'entities', 'pii'],
  cache: 'bypass',
} satisfies NewAnalysis

/** The worker is killed when it looks at each of these groups. */
export async function resumeAnalysis(scene: OutcomeResumeScene, count: number, at: readonly number[]): Promise<Part> {
  const { client } = scene
  const pages = Array.from({ length: count }, (_, i) => ({
    text: `${textOfPage(i + 1)}. Write to page${i + 1}@example.com.`,
  }))
  const document = await client.documents.createAndWait({ title: 'Book', source: { type: 'pages', pages } })
  const { id, job_id } = await client.analysis.create(document.id, asked, { wait_seconds: 0 })
  const deaths: { kept: Set<string>; count: number }[] = []
  const noteDeath = async (): Promise<void> =>
    void deaths.push({ kept: await listSteps(scene, job_id!), count: scene.notes.read().length })
  await killAt(scene, at, () => new Set(scene.notes.read()).size, noteDeath)
  await client.jobs.wait(job_id!)
  const [analysis, notes, bill] = [
    await client.analysis.get(document.id, id),
    scene.notes.read(),
    await readBill(scene, job_id!),
  ]

  const findings: string[] = []
  for (const death of deaths)
    for (const name of notes.slice(death.count))
      if (death.kept.has(name)) findings.push(`'${name}' was kept and is looked at again`)
  const groups = new Set(notes).size
  if (notes.length - groups > at.length)
    findings.push(`${notes.length - groups} groups were looked at again after ${at.length} kills`)
  const whole = await client.analysis.create(document.id, asked, { wait_seconds: 0 })
  await client.jobs.wait(whole.job_id!)
  findings.push(
    ...differs('the number of groups', groups, Math.ceil(count / PAGES_OF_A_GROUP)),
    ...differs(
      'the status',
      [analysis.status, analysis.error?.code ?? null, analysis.usage?.pages],
      ['succeeded', null, count],
    ),
    ...differs('the result', resultOf(analysis), resultOf(await client.analysis.get(document.id, whole.id))),
    ...differs('the bill', bill, { records: 0, input_tokens: 0, output_tokens: 0, pages: count }),
    ...differs('the number of addresses', analysis.pii?.length, count),
  )
  const kept = deaths.map((death, i) => `${at[i]} (${death.kept.size} kept)`).join(', ')
  return {
    figure: `${count} pages analyzed, worker killed in group ${kept} of ${groups}: ${findings.length} findings`,
    findings,
  }
}

const resultOf = ({ language, statistics, key_phrases, entities, pii }: Analysis): object => ({
  language,
  statistics,
  key_phrases,
  entities,
  pii,
})
