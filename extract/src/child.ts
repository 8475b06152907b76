// Entry point of a confined child process.

import { formats } from './formats/formats.ts'
import { BrokenParser, type Recognise, type Recognised, serve } from './serve.ts'
import { recognise } from './sniff.ts'
import { Unreadable } from './types.ts'

await serve(read, warm)

async function read(bytes: Uint8Array, given: Parameters<Recognise>[1]): Promise<Recognised> {
  const { format, ...found } = await recognise(bytes, given)
  const load = formats[format]
  if (!load) throw new Unreadable('unsupported_format', `Files of type ${found.media_type} cannot be read.`)
  const own = await load().catch((error: unknown) => {
    throw new BrokenParser(`The format '${format}' does not load: ${String(error)}`)
  })
  return { ...found, format: own }
}

/** Most documents are PDFs, and nothing takes longer to load. */
async function warm(): Promise<void> {
  await formats['pdf']?.()
  await (await import('./pdf/module.ts')).loadPdfium()
}
