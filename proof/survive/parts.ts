// Disturbances by the host, and the checks that the stack survives them.

import { setTimeout as sleep } from 'node:timers/promises'
import { podman } from '../containers/engine.ts'
import { textOfPage } from '../lib/book.ts'
import { type Part, round } from '../lib/proof.ts'
import { beginBook, readAll, type SurviveScene, waitFor } from './scene.ts'

export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The process is killed from outside; whoever runs the stack starts it again. */
export async function killReader(scene: SurviveScene, pages: number): Promise<Part> {
  const { client, machine } = scene
  const begun = await beginBook(scene, pages, 1)
  const pid = Number(podman('inspect', '--format', '{{.State.Pid}}', machine.container('octavo')))
  const { status, pages_ready } = await client.documents.get(begun.id)
  process.kill(pid, 'SIGKILL')
  const killed = performance.now()
  const findings: string[] = []
  if (status !== 'processing' || pages_ready === pages)
    findings.push(`the book was ${status} when the kill came, with ${pages_ready} pages`)
  const ended = await waitFor('the book', 300, async () => {
    const document = await client.documents.get(begun.id)
    return document.status === 'processing' ? null : document
  })
  if (ended.status !== 'ready' || ended.page_count !== pages)
    findings.push(`the book is ${ended.status} with ${ended.page_count} pages`)
  let wrong = 0
  let count = 0
  for await (const { number, text } of client.pages.list(begun.id, { limit: 100 })) {
    count++
    if (plain(text) !== plain(textOfPage(number, 1))) wrong++
  }
  if (count !== pages || wrong > 0) findings.push(`${count} pages, ${wrong} with another text`)
  const seconds = round((performance.now() - killed) / 1000, 1)
  return {
    figure: `killed at page ${pages_ready} of ${pages}: ${ended.status} ${seconds} s later, ${wrong} pages wrong`,
    findings,
  }
}

/** As when the host is shut down and started: containers gone, volumes left. */
export async function reboot({ client, stack }: SurviveScene): Promise<Part> {
  const before = await readAll(client)
  const started = performance.now()
  await stack('docker compose down')
  await stack('docker compose up -d --wait')
  const seconds = round((performance.now() - started) / 1000, 1)
  const after = await readAll(client)
  const lost = [...before].filter(([id, seen]) => after.get(id) !== seen)
  const broken = [...after.values()].filter((seen) => !seen.includes('"is_whole":true'))
  const findings = [
    ...lost.map(([id]) => `${id} is not as it was`),
    ...broken.map((seen) => `bytes are not whole: ${seen}`),
  ]
  return {
    figure: `all down and up in ${seconds} s: ${lost.length} of ${before.size} documents lost or changed`,
    findings,
  }
}

/** Restarts the database during retrying requests and the ingestion of a book. */
export async function restartDatabase(scene: SurviveScene, pages: number): Promise<Part> {
  const { client, stack } = scene
  const begun = await beginBook(scene, pages, 2)
  const tally = { good: 0, unavailable: 0, other: new Map<string, number>(), longest_ms: 0 }
  const end = new AbortController()
  const calling = keepCalling(scene, begun.id, tally, end.signal)
  await sleep(500)
  await stack('docker compose restart postgres')
  const back = performance.now()
  const ended = await waitFor('the book', 300, async () => {
    const document = await client.documents.get(begun.id)
    return document.status === 'processing' ? null : document
  })
  end.abort()
  await calling
  const findings = [...tally.other].map(([what, times]) => `${times} × ${what}`)
  if (ended.status !== 'ready' || ended.page_count !== pages)
    findings.push(`the book is ${ended.status} with ${ended.page_count} pages`)
  if (tally.longest_ms > 30_000) findings.push(`${tally.longest_ms} ms without an answer`)
  const figure =
    `PostgreSQL restarted: ${tally.good} answers, ${tally.unavailable} × 503, ${findings.length} others, at most ${round(tally.longest_ms / 1000, 1)} s ` +
    `without one; the book ready ${round((performance.now() - back) / 1000, 1)} s after its return`
  return { figure, findings }
}

interface SurviveTally {
  good: number
  unavailable: number
  other: Map<string, number>
  longest_ms: number
}

async function keepCalling(
  { machine, secret }: SurviveScene,
  id: string,
  tally: SurviveTally,
  end: AbortSignal,
): Promise<void> {
  let last = performance.now()
  while (!end.aborted) {
    const status = await fetch(`${machine.url}/api/v1/documents/${id}`, {
      headers: { authorization: `Bearer ${secret}` },
    }).then(
      async (response) => {
        await response.text()
        return String(response.status)
      },
      (error: unknown) => String(error),
    )
    if (status === '200') {
      tally.good++
      tally.longest_ms = Math.max(tally.longest_ms, Math.round(performance.now() - last))
      last = performance.now()
    } else if (status === '503') tally.unavailable++
    else tally.other.set(status, (tally.other.get(status) ?? 0) + 1)
    await sleep(50)
  }
}
