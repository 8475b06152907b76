import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  always_fine: {
    what: 'the exit code says that all is well',
    plants: [
      {
        file: 'cli/src/adding/results.ts',
        find: 'return codes.size > 1 ? exits.failed : only',
        replace: 'return exits.fine',
      },
    ],
  },
  no_reason: {
    what: 'broken files are not explained',
    plants: [
      {
        file: 'cli/src/adding/results.ts',
        find: 'for (const group of groups.values()) {',
        replace: 'for (const group of []) {',
      },
    ],
  },
  no_remedy: {
    what: 'only the code of the error is shown',
    plants: [
      {
        file: 'cli/src/adding/task.ts',
        find: 'message: document.error.message,',
        replace: 'message: document.error.code,',
      },
    ],
  },
  drawn_beneath: {
    what: 'progress is not drawn in its place',
    plants: [{ file: 'cli/src/board.ts', find: 'return rows > 0 ?', replace: 'return rows < 0 ?' }],
  },
  drawn_once: {
    what: 'progress is drawn once and then no more',
    plants: [{ file: 'cli/src/board.ts', find: 'setInterval(draw, EVERY_MS)', replace: 'setTimeout(draw, EVERY_MS)' }],
  },
  wide_as_narrow: {
    what: 'wide characters are counted as one column',
    plants: [{ file: 'cli/src/width.ts', find: 'eastAsianWidth(character.codePointAt(0) ?? 0)', replace: '1' }],
  },
  first_failure_ends: {
    what: 'after one broken file the others are not sent',
    plants: [
      { file: 'cli/src/commands/add.ts', find: 'isHopeless ||= ', replace: 'isHopeless ||= task.trouble !== null || ' },
    ],
  },
}
