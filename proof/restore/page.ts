// The page for operators: its commands are what the proof runs.

import { readFileSync } from 'node:fs'

const PAGE = new URL('../../docs/backup.md', import.meta.url)

/** The commands under a heading; `number` selects one of several blocks. */
export function commandsOf(heading: string, number = 0): string {
  const [, section] = readFileSync(PAGE, 'utf8').split(new RegExp(`^#+ ${heading}$`, 'm'))
  if (section === undefined) throw new Error(`docs/backup.md has no heading '${heading}'`)
  const [own = ''] = section.split(/^#+ /m)
  const block = [...own.matchAll(/^```sh\n([^]*?)^```$/gm)][number]?.[1]
  if (block === undefined) throw new Error(`docs/backup.md has no commands under '${heading}'`)
  return block
}
