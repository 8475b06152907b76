import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInPage, findInSource, folderOf, overBudget } from './words.ts'

const rulesIn = (file: string, text: string): string[] =>
  (file.endsWith('.md') ? findInPage : findInSource)(file, text).map(({ rule }) => rule)

test('finds a comment that begins with What, Who or Of, but not its second line', () => {
  assert.deepEqual(rulesIn('proof/a.ts', '// What a model claims.\nlet a = 1'), ['opening'])
  assert.deepEqual(rulesIn('proof/a.ts', '/** Of a document. */'), ['opening'])
  assert.deepEqual(rulesIn('proof/a.ts', '// The end\n// Of a line.'), [])
  assert.deepEqual(rulesIn('proof/a.ts', '// What is a page?'), [])
})

test('finds words to avoid in comments, docs and user-visible text', () => {
  assert.deepEqual(rulesIn('server/src/a.ts', "throw new Failure('x', 'It was told to nobody.')"), ['told', 'nobody'])
  assert.deepEqual(rulesIn('server/src/a.ts', 'run() // in a house of cards'), ['house'])
  assert.deepEqual(rulesIn('docs/a.md', '| where | A stranger reads it. |'), ['stranger'])
  assert.deepEqual(rulesIn('docs/a.md', '- planted faults'), ['planted'])
  assert.deepEqual(rulesIn('cli/src/a.ts', "say('about 45 % of the text')"), ['percent'])
})

test('finds turns of phrase in guides that comments may have', () => {
  assert.deepEqual(rulesIn('docs/a.md', 'A key with the scope `documents:read` exists already.'), [
    'already',
    'apposition',
  ])
  assert.deepEqual(rulesIn('docs/a.md', 'It works in batches, also in jobs.'), ['also'])
  assert.deepEqual(rulesIn('docs/a.md', 'Use the `documents:read` scope. It also works in jobs.'), [])
  assert.deepEqual(rulesIn('proof/a.ts', '// The row exists already.'), [])
})

test('ignores code, tests and words with another meaning', () => {
  assert.deepEqual(rulesIn('docs/a.md', 'Run `mend`.\n\n```sh\nmend what ails it\n```'), [])
  assert.deepEqual(rulesIn('server/src/a.test.ts', "test('a stranger sees nothing here', () => {})"), [])
  assert.deepEqual(
    rulesIn('docs/a.md', 'Doctor tells you what to type. `id` stands for the id. List the analyses.'),
    [],
  )
  assert.deepEqual(rulesIn('docs/proofs.md', 'planted faults'), [])
})

test('a folder may use its budget, and one without a budget has none', () => {
  assert.deepEqual([folderOf('server/src/http/a.ts'), folderOf('server/src/app.ts')], ['server/src/http', 'server/src'])
  assert.deepEqual([folderOf('README.md'), folderOf('docs/a.md')], ['root', 'docs'])
  assert.deepEqual(overBudget(new Map([['docs', 2]]), { docs: 2 }), [])
  assert.equal(overBudget(new Map([['docs', 3]]), { docs: 2 }).length, 1)
  assert.equal(overBudget(new Map([['cli', 1]]), { docs: 2 }).length, 1)
})
