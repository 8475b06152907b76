import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompoundSample, compoundOf } from '../testing/compound-files.ts'
import { blockLines, openWith, pagesWith } from '../testing/office-files.ts'
import { msg } from './msg.ts'

const wide = (text: string) => Buffer.from(text, 'utf16le')

/** `values`: the id and type of each property with fixed size, and its number. */
function properties(header_bytes: number, values: [id: number, type: number, value: bigint][] = []): Buffer {
  const bytes = Buffer.alloc(header_bytes + values.length * 16)
  for (const [i, [id, type, value]] of values.entries()) {
    const at = header_bytes + i * 16
    bytes.writeUInt16LE(type, at)
    bytes.writeUInt16LE(id, at + 2)
    bytes.writeBigUInt64LE(value, at + 8)
  }
  return bytes
}

const SENT = BigInt(Date.UTC(2026, 10, 15, 9, 30) + 11_644_473_600_000) * 10_000n
const message = (more: CompoundSample = {}): Buffer =>
  compoundOf({
    '__properties_version1.0': properties(32, [[0x0039, 0x0040, SENT]]),
    '__substg1.0_0037001F': wide('Viewing of the flat'),
    '__substg1.0_0C1A001F': wide('Ada Lovelace'),
    '__substg1.0_0C1F001F': wide('ada@example.com'),
    '__substg1.0_0E04001F': wide('Bob'),
    ...more,
  })

test('reads the sender, recipients, date, subject and text of an Outlook message', async () => {
  const recipient = (type: bigint, address: string) => ({
    '__properties_version1.0': properties(8, [[0x0c15, 0x0003, type]]),
    '__substg1.0_39FE001F': wide(address),
  })
  const file = message({
    '__substg1.0_1000001F': wide('Dear Bob,\r\n\r\nthe rent is 1,200.'),
    '__recip_version1.0_#00000000': recipient(1n, 'bob@example.com'),
    '__recip_version1.0_#00000001': recipient(2n, 'eve@example.com'),
  })

  const { title } = await openWith(msg, file)
  const [page] = await pagesWith(msg, file)

  assert.equal(title, 'Viewing of the flat')
  assert.deepEqual(blockLines(page), [
    'paragraph: From: Ada Lovelace <ada@example.com>\nTo: bob@example.com\nCc: eve@example.com\nDate: 2026-11-15T09:30:00.000Z\nSubject: Viewing of the flat',
    'paragraph: Dear Bob,',
    'paragraph: the rent is 1,200.',
  ])
})

test('reads an HTML body over 4 KiB in its own encoding', async () => {
  const html = Buffer.from(`<h1>Gr\xfc\xdfe</h1><p>${'word '.repeat(2000)}</p>`, 'latin1')
  const file = message({
    '__properties_version1.0': properties(32, [[0x3fde, 0x0003, 1252n]]),
    '__substg1.0_10130102': html,
  })

  const [page] = await pagesWith(msg, file)

  assert.equal(page?.blocks[1]?.text, 'Grüße')
  assert.equal(page?.blocks[2]?.text.length, 9999)
})

test('reads a body that exists only as compressed RTF', async () => {
  // The example of [MS-OXRTFCP], 3.1.1.1.
  const rtf = Buffer.from(
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
    'hex',
  )
  const plain = Buffer.concat([Buffer.alloc(16), Buffer.from('{\\rtf1 hello\\par world}', 'latin1')])
  plain.writeUInt32LE(plain.length - 16, 4)
  plain.writeUInt32LE(0x414c454d, 8)

  const [page] = await pagesWith(msg, message({ '__substg1.0_10090102': plain }))
  const [packed] = await pagesWith(msg, message({ '__substg1.0_10090102': rtf }))

  assert.deepEqual(blockLines(page).slice(1), ['paragraph: hello', 'paragraph: world'])
  assert.deepEqual(blockLines(packed).slice(1), ['paragraph: hello world'])
})

test('lists attachments, including messages', async () => {
  const file = message({
    '__attach_version1.0_#00000000': {
      '__properties_version1.0': properties(8),
      '__substg1.0_3707001F': wide('lease.pdf'),
      '__substg1.0_37010102': Buffer.from('%PDF-1.7'),
    },
    '__attach_version1.0_#00000001': {
      '__properties_version1.0': properties(8),
      '__substg1.0_3701000D': {
        '__properties_version1.0': properties(24),
        '__substg1.0_0037001F': wide('Earlier mail'),
      },
    },
  })

  const opened = await openWith(msg, file)

  assert.deepEqual(opened.attachments, [
    { file_name: 'lease.pdf', size_bytes: 8 },
    { file_name: 'Earlier mail', size_bytes: null },
  ])
  assert.equal(Buffer.from(opened.attachment?.(0) ?? []).toString(), '%PDF-1.7')
  assert.throws(() => opened.attachment?.(1), { code: 'document_unreadable' })
})

test('refuses a truncated message', async () => {
  const whole = message({ '__substg1.0_10130102': Buffer.alloc(20_000, 'x') })

  await assert.rejects(async () => openWith(msg, whole.subarray(0, 700)), { code: 'document_unreadable' })
  await assert.rejects(async () => openWith(msg, compoundOf({ other: Buffer.from('x') })), {
    code: 'document_unreadable',
  })
})
