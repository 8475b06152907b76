// The error code pages in the docs match the server's messages.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { detailCodes, errorCodes } from '@octavo/contract'
import { startApi } from '../../testing/api.ts'
import { ask, errorOf } from '../../testing/ask.ts'

const api = await startApi({ after })

test('the page has an anchor for every code and lists every detail code', async () => {
  const { status, text } = await ask(api, '/errors', { key: null })

  assert.equal(status, 200)
  for (const code of Object.keys(errorCodes)) assert.ok(text.includes(`<section id="${code}">`), code)
  for (const code of detailCodes) assert.ok(text.includes(`<dt><code>${code}</code></dt>`), code)
})

for (const page of ['errors.md', 'api.md']) {
  test(`the example in docs/${page} matches the server's response`, async () => {
    const [, block = ''] =
      /```json\n(.*?)\n```/s.exec(readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')) ?? []
    const example = JSON.parse(block) as ReturnType<typeof errorOf>

    const answer = await ask(api, '/api/v1/documents', {
      method: 'POST',
      body: JSON.stringify({ title: 'x'.repeat(301) }),
    })

    const { code, message, details } = errorOf(answer)
    assert.deepEqual(
      { code, message, details },
      { code: example.code, message: example.message, details: example.details },
    )
  })
}
