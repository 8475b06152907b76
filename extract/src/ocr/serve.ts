// The child's side of `process.ts`.

import { FrameReader } from '../protocol.ts'
import type { OcrAsk } from './process.ts'

const MAX_PIXELS = 2 ** 31

/** Runs until the host ends its side. */
export async function serveOcr(read: (ask: OcrAsk, pixels: Uint8Array) => Promise<object>): Promise<void> {
  const send = takeOutput()
  const frames = new FrameReader(MAX_PIXELS)
  for await (const chunk of process.stdin) {
    for (const { header, binary } of frames.push(chunk as Buffer)) {
      send(await read(header as OcrAsk, binary).catch((error: unknown) => ({ failed: String(error) })))
    }
  }
  // Engines keep threads that would hold it.
  process.exit(0)
}

/** Libraries print; a line of theirs between two frames would break the conversation. */
function takeOutput(): (answer: object) => void {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = () => true
  return (answer) => {
    const json = Buffer.from(JSON.stringify(answer))
    const lengths = Buffer.alloc(8)
    lengths.writeUInt32LE(json.length, 0)
    write(Buffer.concat([lengths, json]))
  }
}
