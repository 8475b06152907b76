// The other end of importers.ts.

import { egressFetch } from '../../server/src/egress/egress.ts'
import { EgressFailed, EgressRefused } from '../../server/src/egress/errors.ts'
import type { EgressVerdict } from './importers.ts'

const allow_cidrs = JSON.parse(process.argv[2] ?? '[]') as string[]

async function verdictOf(url: string): Promise<EgressVerdict> {
  try {
    const { body } = await egressFetch(url, { allow_cidrs, allows_http: true, max_bytes: 10_000, total_ms: 5_000 })
    body.resume()
    return 'answered'
  } catch (error) {
    if (error instanceof EgressRefused) return 'refused'
    if (error instanceof EgressFailed) return 'failed'
    throw error
  }
}

process.on('message', ({ id, url }: { id: number; url: string }) => {
  void verdictOf(url).then((verdict) => process.send!({ id, verdict }))
})
