// The requests that a page under docs/ shows, so that a test can send them as they are written.

import { readFileSync } from 'node:fs'

export interface Example {
  path: string
  body: string
}

const CURL = /^curl \$API(\S+)[^]*?-d '([^]*?)'$/gm

/** `values`: what stands for `$NAME` in it. */
export function examplesOf(page: string, values: Record<string, string> = {}): Example[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')
  const fill = (part: string): string =>
    part.replaceAll(/'\$([A-Z]+)'/g, (written, name: string) => values[name] ?? written)
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => fill(block!))
  return blocks.flatMap((block) => [...block.matchAll(CURL)].map(([, path, body]) => ({ path: path!, body: body! })))
}
