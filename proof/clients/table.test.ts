import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printClientsPage } from './table.ts'

test('the page of the clients has a table for each client and a column for each runtime', () => {
  const page = printClientsPage(
    [
      { client: '@octavo/sdk', runtime: 'Node', stories: [['answer', null]] },
      {
        client: '@octavo/sdk',
        runtime: 'Bun',
        stories: [
          ['answer', 'It failed.'],
          ['abort', null],
        ],
      },
      { client: 'octavo', runtime: 'Python', stories: [['test_a_batch', null]] },
    ],
    '2026-11-16',
  )

  assert.match(page, /^Measured on 2026-11-16\.$/m)
  assert.ok(page.includes('| @octavo/sdk | Node, Bun | 2 of 3 |\n| octavo | Python | 1 of 1 |\n'))
  assert.ok(
    page.includes(
      '## @octavo/sdk\n\n| story | Node | Bun |\n|---|---|---|\n| answer | passed | failed |\n| abort |  | passed |\n\n## octavo',
    ),
  )
  assert.ok(page.endsWith('| a batch | passed |\n'))
})
