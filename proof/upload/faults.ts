import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  form_in_memory: {
    what: 'a file in a form is collected before it is stored',
    plants: [
      change(
        'storeFile',
        'file.bytes, {',
        "(await import('node:stream')).Readable.from([Buffer.concat(await file.bytes.toArray())]), {",
      ),
    ],
  },
  all_parts_again: {
    what: 'no part counts as received',
    plants: [change('sign', 'is_received: received.has(place.number)', 'is_received: false')],
  },
  join_in_memory: {
    what: 'parts are joined in memory',
    plants: [
      change(
        'bytesOf',
        'for (const path of paths) yield* createReadStream(path, { highWaterMark: CHUNK })',
        "yield Buffer.concat(await Promise.all(paths.map(async (path) => (await import('node:fs/promises')).readFile(path))))",
      ),
    ],
  },
  half_a_part: {
    what: 'what came of a part that broke off counts as the part',
    plants: [
      change(
        'passing',
        "source.on('close', () => source.readableEnded || bytes.destroy(new Error('The client disconnected.')))",
        "source.on('close', () => source.readableEnded || bytes.end())",
      ),
      change('passing', "source.on('error', (error) => bytes.destroy(error))", "source.on('error', () => bytes.end())"),
      change('exactly', '() => (count === size_bytes ? null : refuse())', '() => null'),
      change('copy', 'if (size_bytes !== undefined && count < size_bytes)', 'if (size_bytes === -1)'),
    ],
  },
}
