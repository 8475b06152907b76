import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  form_in_memory: {
    what: 'a file in a form is collected before it is stored',
    plants: [
      {
        file: 'server/src/http/streaming/form.ts',
        find: 'file.bytes, {',
        replace: "(await import('node:stream')).Readable.from([Buffer.concat(await file.bytes.toArray())]), {",
      },
    ],
  },
  all_parts_again: {
    what: 'no part counts as received',
    plants: [
      {
        file: 'server/src/resources/uploads/uploads.service.ts',
        find: 'is_received: received.has(place.number)',
        replace: 'is_received: false',
      },
    ],
  },
  join_in_memory: {
    what: 'parts are joined in memory',
    plants: [
      {
        file: 'server/src/files/disk-parts.ts',
        find: 'for (const path of paths) yield* createReadStream(path, { highWaterMark: CHUNK })',
        replace:
          "yield Buffer.concat(await Promise.all(paths.map(async (path) => (await import('node:fs/promises')).readFile(path))))",
      },
    ],
  },
  half_a_part: {
    what: 'what came of a part that broke off counts as the part',
    plants: [
      {
        file: 'server/src/lib/streams.ts',
        find: "source.on('close', () => source.readableEnded || bytes.destroy(new Error('The client disconnected.')))",
        replace: "source.on('close', () => source.readableEnded || bytes.end())",
      },
      {
        file: 'server/src/lib/streams.ts',
        find: "source.on('error', (error) => bytes.destroy(error))",
        replace: "source.on('error', () => bytes.end())",
      },
      {
        file: 'server/src/lib/streams.ts',
        find: '() => (count === size_bytes ? null : refuse())',
        replace: '() => null',
      },
      {
        file: 'server/src/files/disk-io.ts',
        find: 'if (size_bytes !== undefined && count < size_bytes)',
        replace: 'if (size_bytes === -1)',
      },
    ],
  },
}
