// The evaluation data in OCTAVO_EVAL_DIR.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync } from 'node:zlib'

export function readData(name: string): Buffer {
  const dir = process.env.OCTAVO_EVAL_DIR
  if (!dir) throw new Error('OCTAVO_EVAL_DIR must name the directory with the evaluation data.')
  return readFileSync(join(dir, name))
}

/** Rows of fields; fields may be quoted and hold line breaks. */
export function readCsv(name: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const { 1: quoted, 2: plain, 3: end } of readData(name)
    .toString()
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\n\r"]*))(,|\r?\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '' && row.length === 0) break
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}

export const readTsv = (name: string): string[][] =>
  readData(name)
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))

/** The members of an archive whose members are ZIP archives: name to text. */
export function readNestedArchive(name: string, member: string): Map<string, string> {
  const tar = gunzipSync(readData(name))
  for (let at = 0; at + 512 <= tar.length; ) {
    const path = tar.toString('latin1', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) || 0
    if (path === member) return readZip(tar.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error(`${name} has no member '${member}'.`)
}

function readZip(zip: Buffer): Map<string, string> {
  const members = new Map<string, string>()
  const end = zip.lastIndexOf('PK\x05\x06')
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [name_length, extra_length, comment_length] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const header = zip.readUInt32LE(at + 42)
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const body = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    const is_stored = zip.readUInt16LE(at + 10) === 0
    members.set(
      zip.toString('utf8', at + 46, at + 46 + name_length),
      (is_stored ? body : inflateRawSync(body)).toString('latin1'),
    )
    at += 46 + name_length + extra_length + comment_length
  }
  return members
}
