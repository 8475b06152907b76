// One page in a real browser, at one width and in one light: what it asks for, says and shows.

import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'

export interface View {
  name: string
  width: number
  height: number
  light: 'light' | 'dark'
}

export const views: readonly View[] = [
  { name: 'phone, light', width: 390, height: 844, light: 'light' },
  { name: 'desktop, dark', width: 1280, height: 900, light: 'dark' },
  { name: 'phone, dark', width: 390, height: 844, light: 'dark' },
  { name: 'desktop, light', width: 1280, height: 900, light: 'light' },
]

/** Observations of a visit, one sentence each. */
export interface Sight {
  pages: number
  requests: number
  foreign: string[]
  complaints: string[]
  wide: string[]
  barriers: string[]
  links: Set<string>
}

export const newSight = (): Sight => ({
  pages: 0,
  requests: 0,
  foreign: [],
  complaints: [],
  wide: [],
  barriers: [],
  links: new Set(),
})

/** Requests to other hosts are counted and go nowhere. */
export async function openView(browser: Browser, url: string, view: View, sight: Sight): Promise<BrowserContext> {
  const { width, height, light } = view
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: light, reducedMotion: 'reduce' })
  await context.route('**/*', (route) => {
    const asked = route.request().url()
    sight.requests++
    if (asked.startsWith(`${url}/`) || /^(data|blob):/.test(asked)) return route.continue()
    sight.foreign.push(`${route.request().frame().url().replace(url, '')} (${view.name}) asks for ${asked}`)
    return route.abort()
  })
  return context
}

/** As text: it runs in the page, whose types are not ours. */
const LOOK = `({
  width: document.documentElement.scrollWidth,
  links: [...document.querySelectorAll('a[href], link[href]')].map((link) => link.href),
})`

async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} at ${nodes.length} places: ${nodes[0]?.target.join(' ')}`)
}

/** Scalar shows its page from a script, and the list of operations once it has read them. */
async function untilShown(page: Page, address: string): Promise<void> {
  if (!address.startsWith('/api-reference')) return
  await page.getByText('Create a project').first().waitFor({ state: 'attached', timeout: 60_000 })
  await page.waitForLoadState('networkidle')
}

export async function visit(
  context: BrowserContext,
  at: { url: string; address: string; view: View },
  sight: Sight,
): Promise<void> {
  const { url, address, view } = at
  const page = await context.newPage()
  const complain = (text: string): void => void sight.complaints.push(`${address} (${view.name}): ${text}`)
  page.on('pageerror', ({ message }) => complain(message))
  page.on('console', (message) => message.type() === 'error' && complain(message.text()))
  const answer = await page.goto(url + address, { waitUntil: 'load' })
  if (answer?.status() !== 200) complain(`answers ${answer?.status()}`)
  await untilShown(page, address)
  const seen = await page.evaluate<{ width: number; links: string[] }>(LOOK)
  if (seen.width > view.width) sight.wide.push(`${address} is ${seen.width} px wide (${view.name})`)
  for (const link of seen.links) if (link.startsWith(`${url}/`)) sight.links.add(link.split('#')[0]!)
  sight.barriers.push(...(await findBarriers(page)).map((barrier) => `${address} (${view.name}): ${barrier}`))
  sight.pages++
  await page.close()
}

/** Whether the search finds a common word and its first result links to a page with it. */
export async function searchWorks(context: BrowserContext, url: string): Promise<boolean> {
  const page = await context.newPage()
  try {
    await page.goto(`${url}/quickstart/`)
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.getByRole('textbox', { name: 'Search' }).fill('citations')
    const result = page.locator('.pagefind-ui__result-link').first()
    await result.waitFor({ timeout: 10_000 })
    await result.click()
    await page.waitForLoadState()
    return (await page.locator('main').innerText()).toLowerCase().includes('citation')
  } catch {
    return false
  } finally {
    await page.close()
  }
}
