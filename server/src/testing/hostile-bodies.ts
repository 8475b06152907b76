// Bodies for the writes of the contract that make careless checks slow.

import { recordOf } from '@octavo/base/unknown.ts'
import { type Endpoint, idMembers, operations } from '@octavo/contract'
import { hostileTexts } from './hostile-texts.ts'

export interface HostileRequest {
  method: string
  path: string
  body: string
  what: string
}

type MakeText = (length: number) => string
type Places = Readonly<Record<string, string>>

/** A value of about `bytes` bytes of JSON. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  'one long string': (bytes) => `"${'a'.repeat(bytes)}"`,
  'a string of escapes': (bytes) => `"${'\\ud83d\\ude00'.repeat(bytes / 12)}"`,
  'an array of numbers': (bytes) => `[${'0,'.repeat(bytes / 2)}0]`,
  'an array of strings': (bytes) => `[${'"a",'.repeat(bytes / 4)}"a"]`,
  'an array of objects': (bytes) => `[${'{"a":1},'.repeat(bytes / 8)}{}]`,
  'deep nesting': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'an object with many members': (bytes) =>
    `{${Array.from({ length: bytes / 16 }, (_, i) => `"m${i.toString(36)}":"a"`).join(',')}}`,
}

/** Every write with a body, once for each shape: all members of its body have that shape. */
export function hostileShapes(bytes: number, places: Places): HostileRequest[] {
  const writes = operations.map(({ endpoint }) => endpoint).filter(({ body }) => body !== null)
  return writes.flatMap((endpoint) =>
    Object.entries(shapes).map(([what, make]) => {
      const members = membersOf(endpoint)
      const value = make(Math.floor(bytes / members.length))
      const body = `{${members.map((name) => `${JSON.stringify(name)}:${value}`).join(',')}}`
      return { method: endpoint.method, path: fillPath(endpoint.path, places), body, what }
    }),
  )
}

/** Every field that takes a long text, once for each hostile text. */
export function hostileFields(bytes: number, places: Places): HostileRequest[] {
  return Object.entries(hostileTexts).flatMap(([what, text]) =>
    Object.entries(fields(text, bytes)).map(([operation, body]) => {
      const [method = '', path = ''] = operation.split(' ')
      return { method, path: fillPath(path, places), body: JSON.stringify(body), what }
    }),
  )
}

function fields(text: MakeText, bytes: number): Record<string, unknown> {
  const long = (max: number): string => fit(text, Math.min(max, bytes - 1_000))
  return {
    'POST /documents': { title: text(300), source: { type: 'text', text: long(1_000_000) } },
    // A number that is taken: everything is done but the slow insertion into the search index.
    'POST /documents/{document_id}/pages': { text: long(1_000_000), number: 1 },
    'POST /summaries': { text: long(200_000), focus: text(1_000), cache: 'bypass' },
    'POST /classifications': {
      text: long(200_000),
      labels: Array.from({ length: 100 }, (_, i) => ({
        name: `label ${i}`,
        description: text(1_000),
        examples: [text(4_000)],
      })),
    },
    'POST /embeddings': { inputs: Array.from({ length: 32 }, () => fit(text, 31_000)) },
    'POST /searches': { query: text(2_000) },
    'POST /answers': { question: text(2_000) },
  }
}

/** The longest text with at most `bytes` bytes as JSON. */
function fit(text: MakeText, bytes: number): string {
  const sample = text(1_000)
  return text(Math.floor((bytes * sample.length) / Buffer.byteLength(JSON.stringify(sample))))
}

const membersOf = ({ body }: Endpoint): string[] => {
  const names = Object.keys(recordOf(recordOf(body).properties))
  return names.length > 0 ? names : ['inputs']
}

const fillPath = (path: string, places: Places): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name] ?? absentId(name))

const absentId = (name: string): string => `${String(recordOf(idMembers)[name])}_01h455vb4pex5vsknk084sn02q`
