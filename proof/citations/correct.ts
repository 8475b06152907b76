// Pages that are corrected: while a model writes about them, and after it has.

import { setTimeout as sleep } from 'node:timers/promises'
import { type CitationsScene, rememberPages, SLOW } from './scene.ts'

const WAIT = { wait_seconds: 50 }
const TRIES = { short: 6, normal: 12, long: 40 }
const PATIENCE_MS = 20_000

/** By the page and the hash of the text that it had: when the correction was answered. */
export type Corrections = Map<string, number>

export async function correctPages(
  scene: CitationsScene,
): Promise<{ corrections: Corrections; dropped: number; left: string[] }> {
  const corrections: Corrections = new Map()
  const left: string[] = []
  let dropped = 0
  for (let i = 0; i < TRIES[scene.run.length]; i++) {
    const document = scene.documents[i % scene.documents.length]!
    const before = scene.slow.calls(SLOW)
    const making = scene.client.summaries.create(
      { document_ids: [document.id], style: 'abstract', model: SLOW, cache: 'bypass' },
      WAIT,
    )
    await until(() => scene.slow.calls(SLOW) > before)
    for (const page of document.pages) await correct(scene, document, { page, i, corrections })
    const { warnings, status } = await making
    if (status !== 'succeeded') left.push(`a summary of '${document.title}' is ${status}`)
    // Every page is another one now, so nothing that it quotes can still be cited.
    if (warnings.some((warning) => /citations were dropped/.test(warning))) dropped++
    await rememberPages(scene, document)
  }
  return { corrections, dropped, left }
}

async function correct(
  scene: CitationsScene,
  document: CitationsScene['documents'][number],
  {
    page,
    i,
    corrections,
  }: { page: CitationsScene['documents'][number]['pages'][number]; i: number; corrections: Corrections },
): Promise<void> {
  const { sha256 } = await scene.client.pages.get(document.id, page.id)
  // All that follows moves by more code units than code points.
  await scene.client.pages.update(document.id, page.id, { text: `🖊️ Correction ${i}. ${page.text}` })
  corrections.set(`${page.id} ${sha256}`, Date.now())
}

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(5)) if (isSo()) return
  throw new Error('the model was not asked')
}
