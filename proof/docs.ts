// The documentation as a reader meets it: built, served, and every page opened in a real browser.
// Needs chromium: CHROMIUM names it, /usr/bin/chromium if it is not set.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { listBuilt } from '../tools/docs/built.ts'
import { serveFolder } from '../tools/docs/serve.ts'
import { BUILT, buildSite } from '../tools/docs/site.ts'
import { damages, SOME_PAGES } from './docs/faults.ts'
import { newSight, openView, type Sight, searchWorks, type View, views, visit } from './docs/visit.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { defer, owned } from './lib/scope.ts'

/** As root there is no sandbox; the rest keeps the browser itself from asking its makers' hosts. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const SHOWN = 10
const AT_ONCE = 2

let built: string | undefined

/** The built site, or a damaged copy of it. */
function openSite(fault: string | null): { folder: string; close: () => void } {
  built ??= buildSite()
  if (fault === null) return { folder: BUILT, close: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'octavo-site-'))
  cpSync(BUILT, folder, { recursive: true })
  damages[fault]?.harm(folder)
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) }
}

async function look(
  browser: Browser,
  at: { url: string; view: View; pages: readonly string[] },
  sight: Sight,
): Promise<boolean> {
  await using context = owned(await openView(browser, at.url, at.view, sight))
  const waiting = [...at.pages]
  const walk = async (): Promise<void> => {
    for (let address = waiting.shift(); address; address = waiting.shift())
      await visit(context, { ...at, address }, sight)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
  return await searchWorks(context, at.url)
}

async function answerNot(links: Iterable<string>): Promise<string[]> {
  const dead: string[] = []
  for (const link of links) {
    const { status, body } = await fetch(link)
    await body?.cancel()
    if (status !== 200) dead.push(`${link} answers ${status}`)
  }
  return dead
}

async function run({ length, fault, say }: ProofRun): Promise<ProofOutcome> {
  const { folder, close } = openSite(fault)
  await using _close = defer(close)
  const { server, url } = await serveFolder(folder, 0)
  await using _server = defer(() => server.close())
  await using browser = owned(
    await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS }),
  )
  const sight = newSight()
  const pages = fault === null ? listBuilt(folder) : SOME_PAGES
  const chosen = length === 'short' || fault !== null ? views.slice(0, 2) : views
  let searches = 0
  for (const view of chosen) {
    if (await look(browser, { url, view, pages }, sight)) searches++
    say(`${view.name}: ${pages.length} pages`)
  }
  return report(sight, { dead: await answerNot(sight.links), pages: pages.length, views: chosen.length, searches }, say)
}

function report(
  sight: Sight,
  rest: { dead: string[]; pages: number; views: number; searches: number },
  say: ProofRun['say'],
): ProofOutcome {
  const { foreign, complaints, wide, barriers, links, requests } = sight
  const { dead, pages, views: seen, searches } = rest
  const troubles = [...foreign, ...complaints, ...wide, ...barriers, ...dead]
  for (const trouble of troubles.slice(0, SHOWN)) say(`FAILED ${trouble}`)
  return {
    figure: [
      `${pages} pages in ${seen} views: ${foreign.length} of ${requests} requests to another host`,
      `${complaints.length} errors in the console`,
      `${wide.length} pages that scroll sideways`,
      `${barriers.length} serious or critical findings of axe`,
      `${dead.length} of ${links.size} links dead`,
      `search works in ${searches} of ${seen}`,
    ].join(', '),
    is_met: troubles.length === 0 && searches === seen && pages > 0,
  }
}

export const proof: Proof = {
  promise: 'The documentation is accessible, works on every screen size and loads nothing from other hosts.',
  goal: 'every page in a real browser, 390 and 1280 px wide, light and dark: 0 requests to another host, 0 errors in the console, no sideways scrolling, axe: 0 serious or critical, no dead links, search works (short: two of the four views)',
  faults: Object.fromEntries(Object.entries(damages).map(([name, { what }]) => [name, { what, plants: [] }])),
  run,
}
