// Cursors: they lead through the whole list, and are good for nothing else.

import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, operations } from '@octavo/contract'
import { filledList, idsOf } from './lists.ts'
import { membersOf } from './schemas.ts'
import { type ContractStage, fillPath, type Params, ROOT } from './stage.ts'

/** Page by page; a list that is followed upwards never ends, but says when there is nothing more for now. */
export async function followCursors(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await filledList(stage)
  for (const key of endpoint.list!.sorts.map((sort) => sort.replace('-', ''))) {
    for (const sort of [key, `-${key}`]) {
      const all = idsOf(await stage.send(endpoint, { params, search: `limit=100&sort=${sort}` }))
      // A list may be longer than one page of the largest size.
      const seen = (await followOne(stage, params, sort)).slice(0, 100)
      stage.check(`pages of 2 with sort=${sort} are the list`, isDeepStrictEqual(seen, all), { seen, all })
    }
  }
}

async function followOne(stage: ContractStage, params: Params, sort: string): Promise<string[]> {
  const { endpoint } = stage
  const isFollowed = endpoint.list!.is_followed && !sort.startsWith('-')
  const seen: string[] = []
  let search = `limit=2&sort=${sort}`
  for (let page = 0; page < 100; page++) {
    const answer = await stage.send(endpoint, { params, search })
    const { cursor, has_next_page } = answer.body
    seen.push(...idsOf(answer))
    if (!has_next_page) {
      stage.check(
        'the last page is short of nothing',
        idsOf(answer).length <= 2 && answer.headers.link === undefined,
        answer,
      )
      stage.check('the last page ends the cursor', isFollowed ? typeof cursor === 'string' : cursor === null, cursor)
      return seen
    }
    stage.check(
      'a page is full, and has a cursor',
      idsOf(answer).length === 2 && typeof cursor === 'string' && cursor.length <= 512,
      answer.body,
    )
    const [, link = ''] = /^<(.+)>; rel="next"$/.exec(answer.headers.link ?? '') ?? []
    const root = `${stage.url}${ROOT}${fillPath(endpoint.path, params)}?`
    stage.check('Link leads to the next page', link.startsWith(root), answer.headers.link)
    search = link.slice(root.length)
  }
  return seen
}

export async function refuseCursors(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await filledList(stage)
  // A list of one item has no next page: its cursors can only be made up.
  const { cursor } = (await stage.send(endpoint, { params, search: 'limit=1' })).body
  for (const search of alterations(typeof cursor === 'string' ? cursor : 'AQFhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg').map(
    (text) => `cursor=${text}`,
  )) {
    stage.refused('an altered cursor', await stage.send(endpoint, { params, search }), 'invalid_cursor')
  }
  stage.refused('an empty cursor', await stage.send(endpoint, { params, search: 'cursor=' }), 'invalid_parameter')
  if (typeof cursor !== 'string') return
  stage.expect(
    'a cursor with another limit',
    await stage.send(endpoint, { params, search: `cursor=${cursor}&limit=3` }),
    200,
  )
  for (const search of otherQuestions(endpoint)) {
    const answer = await stage.send(endpoint, { params, search: `cursor=${cursor}&${search}` })
    stage.refused(`a cursor with ${search}`, answer, 'invalid_cursor')
  }
  for (const { endpoint: other } of operations) {
    if (!other.list || other === endpoint || other.path.includes('{')) continue
    stage.refused(
      `a cursor at ${other.path}`,
      await stage.send(other, { search: `cursor=${cursor}` }),
      'invalid_cursor',
    )
  }
  if (endpoint.path.includes('{')) return
  stage.refused(
    "another tenant's cursor",
    await stage.send(endpoint, { search: `cursor=${cursor}`, as: stage.stranger }),
    'invalid_cursor',
  )
}

function alterations(cursor: string): string[] {
  const flipped = [0, 1, 2, 20, 40, cursor.length - 1].map((place) => {
    const other = cursor[place] === 'A' ? 'B' : 'A'
    return cursor.slice(0, place) + other + cursor.slice(place + 1)
  })
  const cut = [cursor.slice(0, -1), cursor.slice(1), cursor.slice(0, 10), `${cursor}A`, `${cursor}.`, `.${cursor}`]
  return [...flipped, ...cut, 'abc', 'eyJpZCI6MX0', 'A'.repeat(512)]
}

function otherQuestions(endpoint: Endpoint): string[] {
  const rules = endpoint.list!
  const sorts = rules.sorts
    .flatMap((sort) => [sort.replace('-', ''), `-${sort.replace('-', '')}`])
    .filter((sort) => sort !== rules.sorts[0])
  const filters = rules.filters.map((name) => {
    const { enum: words, format, pattern, examples, type } = membersOf(endpoint.query)[name] ?? {}
    if (type === 'object') return `${name}[key]=something`
    const word = words?.[0] ?? (pattern ? examples?.[0] : null)
    return `${name}=${word ?? (format ? '2020-01-01T00:00:00Z' : 'something')}`
  })
  return [...sorts.map((sort) => `sort=${sort}`), ...filters, 'fields=id']
}
