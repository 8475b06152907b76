// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Plant, Proof } from '../lib/proof.ts'

const PLANT = new URL('../lib/plant.ts', import.meta.url).href
/** Bubblewrap would contain most faults, and the child could not load a planted one. */
const noBubblewrap = change('openSandbox', 'level ?? detectLevel().level', "'process'")
/** Faults in code that the child loads: it needs the loader hook and permission to read the files. */
const inChild: readonly Plant[] = [
  change(
    'spawnParser',
    "'--permission',",
    `'--permission', '--allow-fs-read=*', '--import', ${JSON.stringify(PLANT)},`,
  ),
  change('launch', 'env: { ...task.env }', "env: { OCTAVO_PLANTS: process.env.OCTAVO_PLANTS ?? '' }"),
  noBubblewrap,
]
/** A parser that a file has taken over. */
const CALLS_OUT = `(url) => '--import=data:text/javascript,' + encodeURIComponent("fetch('" + url + "').catch(() => {})")`

export const faults: Proof['faults'] = {
  no_watchdog: {
    what: 'the memory of a parser is neither watched nor limited',
    plants: [
      change('look', "this.kill('memory')", 'undefined'),
      change('limiter', '`--data=${data_bytes}`', "'--data=unlimited'"),
    ],
  },
  no_clock: { what: 'a parser may take its time', plants: [change('endLate', "this.kill('time')", 'undefined')] },
  no_confinement: {
    what: 'a parser that a file has taken over may open connections',
    plants: [
      change(
        'spawnParser',
        "'--permission',",
        `'--permission', '--allow-net', (${CALLS_OUT})(process.env.OCTAVO_CANARY ?? ''),`,
      ),
      noBubblewrap,
    ],
  },
  not_niced: {
    what: 'parsers stand in line for the processor like everyone else',
    plants: [change('limiter', "[nice, '-n', '19']", '[]')],
  },
  no_archive_check: {
    what: 'archives may have as many parts as they like',
    plants: [...inChild, change('checkArchive', 'if (directory.count > MAX_ENTRIES)', 'if (false)')],
  },
}

/** That show the fault. */
export const filesOfFaults: Readonly<Record<string, readonly string[]>> = {
  no_watchdog: ['pdf_font_bomb', 'pdf_nested_filters', 'pdf_object_stream_bomb'],
  no_clock: ['pdf_slow_shading'],
  no_confinement: ['html_links'],
  not_niced: ['docx_links'],
  no_archive_check: ['docx_20000_entries'],
}
