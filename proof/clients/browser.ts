import { chromium } from 'playwright-core'
import { BROWSER_ORIGIN } from './client.ts'

/** The page is not served from a loopback address, and Chromium would ask before it connects to one. */
const FLAGS = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks']

/** Runs a script that defines `runStories` in a page of another origin than the API, so that CORS is part of the test. */
export async function runInBrowser(script: string, server: { base_url: string; api_key: string }): Promise<string> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  })
  try {
    const page = await browser.newPage()
    await page.route(`${BROWSER_ORIGIN}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>App</title>' }),
    )
    await page.goto(`${BROWSER_ORIGIN}/`)
    await page.addScriptTag({ type: 'module', content: script })
    await page.waitForFunction('globalThis.runStories !== undefined')
    return await page.evaluate<string>(`globalThis.runStories(${JSON.stringify(server)}).then(JSON.stringify)`)
  } finally {
    await browser.close()
  }
}
