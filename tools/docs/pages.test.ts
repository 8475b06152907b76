import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sidebar } from '../../site/src/sidebar.ts'
import { deadLinksOf, findDeadLinks } from './links.ts'
import { anchorsOf, fencesOf, linksOf, replaceLinks, splitTitle } from './markdown.ts'
import { listPages, siteTarget } from './pages.ts'

test('pages contain no dead links', () => {
  const { links, dead } = findDeadLinks()

  assert.deepEqual(dead, [])
  assert.ok(links > 150)
})

test('detects links to a missing file, heading or folder', () => {
  const text =
    '# Title\n\n[a](nowhere.md) [b](api.md#no-such-heading) [c](decisions) [d](#title) [e](https://example.com/x) `[f](gone.md)`'

  assert.deepEqual(
    deadLinksOf('docs/jobs.md', text).map((sentence) => sentence.replace(/, and.*/, '')),
    [
      "docs/jobs.md:3 links to 'nowhere.md'",
      "docs/jobs.md:3 links to 'api.md#no-such-heading'",
      "docs/jobs.md:3 links to 'decisions'",
    ],
  )
})

test('every page is in the sidebar', () => {
  const shown = sidebar.flatMap(({ items }) =>
    items.map((item) => (typeof item === 'string' ? item : 'slug' in item ? item.slug : '')),
  )
  const ids = [...listPages().values()].filter((id) => id !== 'index' && !id.startsWith('decisions/'))

  assert.deepEqual(
    ids.filter((id) => !shown.includes(id)),
    [],
  )
})

test('links between files become links between pages; other files link to the repository', () => {
  const pages = new Map([
    ['docs/README.md', 'index'],
    ['docs/api.md', 'api'],
    ['sdk/README.md', 'sdk'],
  ])
  const to = (target: string): string => siteTarget('docs/api.md', target, pages)

  assert.deepEqual(
    ['README.md', '../sdk/README.md#lists', '../openapi.json', '../LICENSE', '#limits', 'https://example.com'].map(to),
    ['/', '/sdk/#lists', '/openapi.json', '/repository/LICENSE.txt', '#limits', 'https://example.com'],
  )
})

test('finds blocks, links and headings, but none inside code', () => {
  const page =
    '# A `b`: c!\n\n[x](y.md) ![p](p.svg)\n\n````text\n```sh\n# no [l](m.md)\n```\n````\n\n## A\n\n## A\n\n```sh\nls\n```\n'

  assert.deepEqual(
    fencesOf(page).map(({ language, line }) => [language, line]),
    [
      ['text', 5],
      ['sh', 15],
    ],
  )
  assert.deepEqual(linksOf(page), [
    { target: 'y.md', line: 3 },
    { target: 'p.svg', line: 3 },
  ])
  assert.deepEqual([...anchorsOf(page)], ['a-b-c', 'a', 'a-1'])
  assert.equal(splitTitle(page).title, 'A b: c!')
  assert.equal(
    replaceLinks('[a](b) `[a](b)`', () => 'c'),
    '[a](c) `[a](b)`',
  )
})
