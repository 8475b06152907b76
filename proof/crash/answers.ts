// Compares the API's answers with the acknowledged writes.

import { call, eachOf, parse } from '../lib/call.ts'
import type { Random } from '../lib/random.ts'
import type { CrashFindings } from './findings.ts'
import type { CrashKind, Ledger } from './ledger.ts'

const WIDTH = 8
const paths: Partial<Record<CrashKind, string>> = {
  empty: '/documents',
  document: '/documents',
  form: '/documents',
  base64: '/documents',
  upload: '/documents',
  remove: '/documents',
  project: '/projects',
  batch: '/jobs',
}

interface CrashRequestOptions {
  url: string
  random: Random
  /** How many at most. */
  most: number
}

/** A sample of the ledger, asked one by one. */
export async function checkAnswers(
  { url, random, most }: CrashRequestOptions,
  ledger: Ledger,
  findings: CrashFindings,
): Promise<void> {
  const removed = new Set(ledger.entries.filter(({ kind }) => kind === 'remove').map(({ id }) => id))
  const asked = random.shuffle(ledger.entries.filter(({ kind }) => kind in paths)).slice(0, most)
  await eachOf(asked, WIDTH, async ({ kind, marker, id, secret }) => {
    const answer = await call({ url, secret }, { method: 'GET', path: `/api/v1${paths[kind]}/${id}` })
    const status = removed.has(id) ? 404 : 200
    if (answer.status !== status) findings.add('lost', `GET of ${kind} ${id}: ${answer.status}, not ${status}`)
    else if (status === 200 && kind !== 'batch' && kind !== 'remove') {
      const { title, name } = parse<{ title?: string; name?: string }>(answer)
      if ((title ?? name) !== marker) findings.add('wrong_replies', `GET of ${kind} ${id}: is called ${title ?? name}`)
    }
  })
}
