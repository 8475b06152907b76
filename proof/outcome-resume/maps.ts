// A summary that a model writes of a long document, part by part.

import { setTimeout as sleep } from 'node:timers/promises'
import type { NewSummary, Summary } from '@octavo/sdk'
import { type ProviderRequest, promptOf, usageOf } from '../../server/src/testing/provider-answers.ts'
import { differs, type Part } from '../lib/proof.ts'
import { killAt, listSteps, type OutcomeResumeScene, READER, readBill } from './scene.ts'

export const PARTS = 300
const FILLER = 'It goes on about the house and the garden for a while. '.repeat(20)
const sayLot = (page: number): string => `speaks of lot ${1_000 + page}`
/** So many words that two of them do not fit into one question. */
const pages = Array.from({ length: PARTS }, (_, i) => ({ text: `Page ${i + 1} ${sayLot(i + 1)}. ${FILLER}` }))

/** Notes say which lots they have seen; who joins notes keeps the first and the last. */
function answerOf({ body }: ProviderRequest): string {
  const text = promptOf(body)
  const lines = [...text.matchAll(/^(\d+)\. (.*)$/gm)]
  if (text.includes('numbered notes')) {
    const ends = lines.length > 1 ? [lines[0]!, lines.at(-1)!] : lines
    return JSON.stringify({ sentences: ends.map(([, number, note]) => ({ text: note, notes: [Number(number)] })) })
  }
  const lots = [...text.matchAll(/speaks of lot \d+/g)].map(([lot]) => ({ text: `It ${lot}.`, quotes: [lot] }))
  return JSON.stringify({ sentences: lots.slice(0, 6) })
}

export function listen(answers: OutcomeResumeScene['answers']): (asked: ProviderRequest) => string {
  return (asked) => {
    const said = answerOf(asked)
    const { usage } = usageOf('well', promptOf(asked.body), said) as {
      usage: { prompt_tokens: number; completion_tokens: number }
    }
    const step = String(asked.headers['idempotency-key']).replace(/^[^:]*:/, '')
    answers.push({ step, input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens })
    return said
  }
}

/** The worker is killed when the model has answered so many times. */
export async function resumeMap(scene: OutcomeResumeScene, at: readonly number[]): Promise<Part> {
  const { client, answers } = scene
  const document = await client.documents.createAndWait({ title: 'Long', source: { type: 'pages', pages } })
  const asked: NewSummary = { document_ids: [document.id], style: 'abstract', model: READER, cache: 'bypass' }
  const { id, job_id } = await client.summaries.create(asked, { wait_seconds: 0 })
  const findings: string[] = []
  const again = new Set<string>()
  const deaths: { kept: Set<string>; count: number }[] = []
  const noteDeath = async (): Promise<void> => {
    // Let calls that the dead worker had started finish at the model.
    await sleep(500)
    deaths.push({ kept: await listSteps(scene, job_id!), count: answers.length })
  }
  await killAt(scene, at, () => answers.length, noteDeath)
  const summary = await client.jobs.wait(job_id!).then(() => client.summaries.get(id))

  for (const { kept, count } of deaths)
    for (const { step } of answers.slice(count))
      if (kept.has(step)) findings.push(`'${step}' was kept and is asked for again`)
  const times = Map.groupBy(answers, ({ step }) => step)
  for (const [step, all] of times) if (all.length > 1) again.add(step)
  if (again.size > at.length) findings.push(`${again.size} questions were asked again after ${at.length} kills`)
  const notes = [...times.keys()].filter((step) => step.startsWith('notes ')).length
  findings.push(
    ...differs('the number of parts', notes, PARTS),
    ...differs(
      'the status',
      [summary.status, summary.error?.code ?? null, summary.usage?.pages],
      ['succeeded', null, PARTS],
    ),
    ...differs('what is cited', citedBy(summary), [1, sayLot(1), PARTS, sayLot(PARTS)]),
    ...(await judgeBill(
      scene,
      summary,
      [...times.values()].map(([first]) => first!),
    )),
  )
  const kept = deaths.map((death, i) => `${at[i]} (${death.kept.size} kept)`).join(', ')
  const figure = `${PARTS} parts, worker killed after answer ${kept}: ${answers.length} answers for ${times.size} questions, ${again.size} in flight asked again, ${findings.length} findings`
  return { figure, findings }
}

const citedBy = ({ sentences }: Summary): unknown[] =>
  sentences.flatMap(({ citations }) => citations.flatMap(({ page_number, quote }) => [page_number, quote]))

async function judgeBill(
  scene: OutcomeResumeScene,
  { job_id, usage }: Summary,
  answers: OutcomeResumeScene['answers'],
): Promise<string[]> {
  const bill = await readBill(scene, job_id!)
  const sum = (of: 'input_tokens' | 'output_tokens'): number => answers.reduce((total, answer) => total + answer[of], 0)
  const owed = {
    records: answers.length,
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    pages: PARTS,
  }
  const shown = { input_tokens: usage?.input_tokens, output_tokens: usage?.output_tokens }
  return [
    ...differs('the bill', bill, owed),
    ...differs('the usage', shown, { input_tokens: owed.input_tokens, output_tokens: owed.output_tokens }),
  ]
}
