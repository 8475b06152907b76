// Compound files for tests: old Office files, Outlook messages, encrypted Office files.

const SECTOR = 512
const MINI = 64
const CUTOFF = 4096
const END = 0xfffffffe
const NONE = 0xffffffff
const FAT = 0xfffffffd

export interface CompoundSample {
  [name: string]: Buffer | CompoundSample
}

interface Entry {
  name: string
  type: number
  content: Buffer | null
  child: number
  right: number
}

export function compoundOf(root: CompoundSample): Buffer {
  const entries: Entry[] = [{ name: 'Root Entry', type: 5, content: null, child: NONE, right: NONE }]
  addChildren(entries, 0, root)
  const sectors: Buffer[] = []
  const fat: number[] = []
  const place = (content: Buffer): number => addChain(sectors, fat, content)
  const minis: Buffer[] = []
  const mini_fat: number[] = []
  const starts = entries.map(({ content }) => {
    if (!content || content.length === 0) return END
    return content.length < CUTOFF ? addChain(minis, mini_fat, content, MINI) : place(content)
  })
  const mini_stream = Buffer.concat(minis)
  starts[0] = mini_stream.length > 0 ? place(mini_stream) : END
  const mini_fat_start = mini_fat.length > 0 ? place(numbers(mini_fat)) : END
  const rows = entries.map((entry, i) => rowOf(entry, starts[i] ?? END, i === 0 ? mini_stream.length : null))
  const directory_start = place(Buffer.concat(rows))
  const fat_sectors = Math.ceil((sectors.length + 2) / 127)
  const fat_start = sectors.length
  for (let i = 0; i < fat_sectors; i++) fat.push(FAT)
  const header = Buffer.alloc(SECTOR)
  header.write('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', 'latin1')
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(directory_start, 48)
  header.writeUInt32LE(CUTOFF, 56)
  header.writeUInt32LE(mini_fat_start, 60)
  header.writeUInt32LE(END, 68)
  for (let i = 0; i < 109; i++) header.writeUInt32LE(i < fat_sectors ? fat_start + i : NONE, 76 + i * 4)
  const table = numbers([...fat, ...Array.from({ length: fat_sectors * 128 - fat.length }, () => NONE)])
  return Buffer.concat([header, ...sectors, table])
}

function addChildren(entries: Entry[], parent: number, contents: CompoundSample): void {
  let before: Entry | null = null
  for (const [name, content] of Object.entries(contents)) {
    const index = entries.length
    const is_stream = Buffer.isBuffer(content)
    const entry = { name, type: is_stream ? 2 : 1, content: is_stream ? content : null, child: NONE, right: NONE }
    entries.push(entry)
    if (before) before.right = index
    else if (entries[parent]) entries[parent].child = index
    before = entry
    if (!is_stream) addChildren(entries, index, content)
  }
}

function addChain(parts: Buffer[], fat: number[], content: Buffer, size = SECTOR): number {
  const start = parts.length
  for (let at = 0; at < content.length; at += size) {
    const part = Buffer.alloc(size)
    content.copy(part, 0, at)
    parts.push(part)
    fat.push(at + size < content.length ? parts.length : END)
  }
  return start
}

function rowOf({ name, type, content, child, right }: Entry, start: number, size: number | null): Buffer {
  const row = Buffer.alloc(128)
  row.write(name, 'utf16le')
  row.writeUInt16LE(name.length * 2 + 2, 64)
  row.writeUInt8(type, 66)
  row.writeUInt32LE(NONE, 68)
  row.writeUInt32LE(right, 72)
  row.writeUInt32LE(child, 76)
  row.writeUInt32LE(start, 116)
  row.writeUInt32LE(size ?? content?.length ?? 0, 120)
  return row
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4)
  return bytes
}
