// The child's side: receives one file, opens it, answers for its pages one after the other.

import type { Block } from '@octavo/contract'
import { unlockPackage } from './office/encryption.ts'
import {
  type Answer,
  type Ask,
  FrameReader,
  frameHead,
  MAX_ATTACHMENTS,
  MAX_HEADER_BYTES,
  MAX_PAGE_BLOCKS,
  MAX_TABLE_CELLS,
} from './protocol.ts'
import { type Bounds, type Claims, type Format, type OpenFormat, type ParsedPage, Unreadable } from './types.ts'

export interface Recognised {
  format: Format
  media_type: string
  warnings: string[]
}

export type Recognise = (bytes: Uint8Array, given: { claims: Claims; bounds: Bounds }) => Promise<Recognised>

/** Thrown during format detection if the code that reads the format does not load. */
export class BrokenParser extends Error {}

interface Held {
  claims: Claims
  password: string | null
  bounds: Bounds
  bytes: Buffer
  filled: number
}

type Reply = { answer: Answer; binary?: Uint8Array }

const CHUNK_LIMIT = 16 * 1024 * 1024

/** A child that was taken at once has better things to do than to warm up. */
const WARM_AFTER_MS = 250

/** Runs until the host ends its side. `recognise` says which format reads the bytes; `warm` loads what they probably need. */
export async function serve(recognise: Recognise, warm?: () => Promise<unknown>): Promise<void> {
  const send = takeOutput()
  takePowers()
  send({ answer: { is: 'ready' } })
  const idle = setTimeout(() => void warm?.().catch(() => {}), WARM_AFTER_MS)
  const frames = new FrameReader(CHUNK_LIMIT)
  let held: Held | null = null
  let file: OpenFormat | null = null
  for await (const chunk of process.stdin) {
    clearTimeout(idle)
    for (const { header, binary } of frames.push(chunk as Buffer)) {
      const ask = header as Ask
      if (ask.do === 'begin') {
        held = {
          claims: ask.claims,
          password: ask.password,
          bounds: ask.bounds,
          bytes: Buffer.allocUnsafeSlow(ask.size_bytes),
          filled: 0,
        }
      } else if (ask.do === 'bytes' && held) {
        held.bytes.set(binary, held.filled)
        held.filled += binary.length
      } else if (ask.do === 'open' && held) {
        const opened = await attempt(() => openFile(held as Held, recognise))
        if ('file' in opened) file = opened.file
        send(opened)
      } else if (file && held) {
        const [open, { bounds }] = [file, held]
        send(await attempt(() => perform(open, ask, bounds)))
      }
    }
  }
  file?.close?.()
}

/** Libraries print; a line of theirs between two frames would break the conversation. */
function takeOutput(): (reply: Reply) => void {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = () => true
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => {}
  return ({ answer, binary }) => {
    write(frameHead(answer, binary?.length ?? 0))
    if (binary) write(binary)
  }
}

/** Signals to other processes are the one thing that Node's permissions leave open. */
function takePowers(): void {
  const powers = process as unknown as Record<string, unknown>
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'binding', '_linkedBinding']) delete powers[name]
}

async function attempt<T extends Reply>(act: () => Promise<T>): Promise<T | Reply> {
  try {
    return await act()
  } catch (error) {
    // WebAssembly that broke off in the middle: what is left of it is not to be used again.
    if (error instanceof Error && error.name === 'RuntimeError') process.exit(1)
    if (error instanceof BrokenParser) return { answer: { is: 'broken', message: error.message.slice(0, 2000) } }
    if (error instanceof Unreadable) return { answer: { is: 'unreadable', code: error.code, message: error.message } }
    const is_memory = error instanceof RangeError && /allocat|memory|string length|array length/i.test(error.message)
    return { answer: { is: 'failed', is_memory, where: whereOf(error) } }
  }
}

/** For an operator's log: the kind of the error and the places in the code, without the folders above it. */
function whereOf(error: unknown): string {
  const { name, stack } = error instanceof Error ? error : new Error()
  const places = (stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const short = places
    .slice(0, 5)
    .map((line) => line.trim().replace(/(?:file:\/\/)?\/\S*\/(src|node_modules)\//, '$1/'))
  return [name, ...short].join(' ').slice(0, 2000)
}

async function openFile(
  { bytes, filled, claims, password, bounds }: Held,
  recognise: Recognise,
): Promise<Reply & { file: OpenFormat }> {
  if (filled === 0) throw new Unreadable('document_empty', 'The file is empty. Upload a file with content.')
  const own = unlockPackage(bytes.subarray(0, filled), password)
  const { format, media_type, warnings } = await recognise(own, { claims, bounds })
  const file = await format.open(own, { claims, media_type, bounds, password })
  if (file.page_count === 0)
    throw new Unreadable('document_empty', 'The file has no readable content. Upload a file with content.')
  const { page_count } = file
  const cut =
    page_count > bounds.max_pages ? [`Only the first ${bounds.max_pages} of ${page_count} pages are read.`] : []
  const title = file.title === null ? null : clean(file.title).trim().slice(0, 1000) || null
  const all = [...warnings, ...file.warnings, ...cut].map(clean)
  const attachments = (file.attachments ?? [])
    .slice(0, MAX_ATTACHMENTS)
    .map(({ file_name, size_bytes }) => ({ file_name: clean(file_name).slice(0, 1000), size_bytes }))
  const described = { format: format.name, media_type, title, page_count, warnings: all, attachments }
  return { file, answer: { is: 'opened', file: described } }
}

function perform(file: OpenFormat, ask: Ask, bounds: Bounds): Promise<Reply> {
  if (ask.do === 'survey') return surveyFile(file)
  if (ask.do === 'attachment') return takeAttachment(file, ask.index)
  return ask.do === 'page' ? readPage(file, ask.number) : drawPage(file, ask, bounds)
}

async function surveyFile(file: OpenFormat): Promise<Reply> {
  await file.survey?.()
  return { answer: { is: 'surveyed' } }
}

async function takeAttachment(file: OpenFormat, index: number): Promise<Reply> {
  const binary = file.attachment?.(index)
  if (!binary) throw new Unreadable('document_unreadable', 'The attachment cannot be read.')
  return { answer: { is: 'attachment' }, binary }
}

async function readPage(file: OpenFormat, number: number): Promise<Reply> {
  const page: ParsedPage = await file.page(number)
  const blocks = page.blocks.map(cleanBlock)
  const answer = { is: 'page', page: { ...page, blocks, warnings: page.warnings.map(clean) } } as const
  const size = blocks.reduce(
    (sum, block) => sum + block.text.length + ((block.table?.cells.length ?? 0) + (block.fields?.length ?? 0)) * 160,
    0,
  )
  const is_wide = blocks.some(({ table }) => table && table.cells.length > MAX_TABLE_CELLS)
  if (size > MAX_HEADER_BYTES / 4 || is_wide || blocks.length > MAX_PAGE_BLOCKS)
    throw new Unreadable('document_too_large', 'The page has too much text. Split it.')
  return { answer }
}

async function drawPage(file: OpenFormat, ask: Ask, { max_pixels }: Bounds): Promise<Reply> {
  if (ask.do !== 'image' || !file.image) throw new Unreadable('document_unreadable', 'The page cannot be rendered.')
  const { pixels, ...image } = await file.image(ask.number, ask.dpi)
  if (pixels.length > max_pixels) throw new Unreadable('document_too_large', 'The page is too large to render.')
  return { answer: { is: 'image', image }, binary: pixels }
}

/** A database cannot hold a zero character, nor half of a pair. */
const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

function cleanBlock(block: Block): Block {
  const { table, fields, caption } = block
  const cells = table?.cells.map((cell) => ({ ...cell, text: clean(cell.text) }))
  return {
    ...block,
    text: clean(block.text),
    ...(caption !== undefined && { caption: clean(caption) }),
    ...(table && cells ? { table: { ...table, cells } } : {}),
    ...(fields && {
      fields: fields.map((field) => ({ ...field, label: clean(field.label), value: clean(field.value) })),
    }),
  }
}
