import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../tools/docs/pages.ts'

export const GET = () =>
  new Response(readFileSync(join(ROOT, 'openapi.json')), {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  })
